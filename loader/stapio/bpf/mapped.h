/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files whose code processes have mapped, by numbers as in the frames of stacks (struct st_uframe,
 * runtime/abi/transport.h), and the images that these files make in memory:
 *
 *	file					process
 *	0x1000 … 0x1fff	code, of address 0x401000	mapped at 0x55d0'0000'1000
 *	0x2000 …	unwind tables, 0x402000		so at     0x55d0'0000'2000
 *
 * Who maps a file chooses it: it may be anything, lie anywhere, and change meanwhile.  So it is only read,
 * as a regular file and never by mapping it, and only if it is the one that was mapped.  Files of FUSE are
 * not opened, because the program behind them might never answer.
 */
#ifndef STAP_BPF_MAPPED_H
#define STAP_BPF_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Code of a file, in a process. */
struct mapping {
	uint64_t start, end, offset;	/* the addresses, and where in the file they begin */
	unsigned file;			/* 0: none, or one too many */
};

/*
 * Returns the number of the file with this identity: "[vdso]" has one too, other names in brackets have
 * none.
 */
unsigned mapped_number(uint32_t major, uint32_t minor, uint64_t inode, const char *path);

/*
 * Opens the file of M, a mapping of a process, unless it is open.  Returns its descriptor, or -1; it stays
 * ours.
 */
int mapped_open(const struct mapping *m, uint32_t process);

/* Returns a copy of the descriptor of a file that was opened; -1: it was not. */
int mapped_copy(unsigned number);

/*
 * Returns the address where the first page of the file that was opened lies, by where M lies; 0: it is no
 * program.
 */
uint64_t mapped_image(const struct mapping *m);

/* Reads what the file has at an address of its image at IMAGE.  Returns false if it has not so many bytes. */
bool mapped_read(unsigned number, uint64_t image, uint64_t address, void *to, size_t bytes);

#endif
