/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the namer, a process of its own, for the names of programs' code.  Their files were written by
 * other people: a crash, a loop without end or gigabytes of memory must hit nobody but that process
 * (namer_process.c).  It is started with the first question.  When it ends it is replaced and asked once
 * more, as a file that it read before may be to blame; then the file is given up, with a message.
 *
 *	struct namer_file f = { .number = 7, .path = "/usr/bin/prog", .fd = fd };
 *
 *	if (namer_find(n, &f, 0x1136, true, &names))
 *		printf("%s\n", names.name);
 */
#ifndef STAP_NAMER_H
#define STAP_NAMER_H

#include <stdbool.h>
#include <stdint.h>

struct binary_names;
struct namer;

/* A program's file, which the caller keeps. */
struct namer_file {
	unsigned int number;		/* below NAMER_PROGRAMS */
	const char *path;		/* as it was mapped */
	int fd;				/* -1: only the namer that has it can be asked */
	unsigned int given;		/* which namer has it; begins with 0 */
	bool given_up;
};

/* SIGNALS: a descriptor that becomes readable when the session is to end.  NULL: no memory. */
struct namer *namer_new(int signals);
void namer_free(struct namer *n);

/* From here on questions are answered soon or not at all.  Any thread may call it. */
void namer_hurry(struct namer *n);
bool namer_hurries(const struct namer *n);

/* Asks what is at an offset of a file.  The names are printable; the caller frees them.  False: nobody
 * knows. */
bool namer_find(struct namer *n, struct namer_file *f, uint64_t offset, bool lines,
		struct binary_names *out);

/* Has the table of a file's names (abi/utable.h) made, as ASKS says.  Returns the descriptor of a memory
 * file; -1: there is none. */
int namer_table(struct namer *n, struct namer_file *f, unsigned int asks);

#endif
