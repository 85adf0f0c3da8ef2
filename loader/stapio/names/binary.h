/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the symbols and source lines of a program or library: finds what lies at a file offset, or writes
 * the table of all of it (runtime/abi/utable.h).
 *
 *	0x1136 of /usr/bin/prog		main+0x4, prog.c:12
 *
 * The file may be damaged or hostile, and libdw may crash on it.  So only the namer calls this, a process
 * in a sandbox that stapio can replace (namer_process.c).
 *
 * Symbols come from the file's symbol tables (.gnu_debugdata included) and from its separate debug file;
 * lines and inlined functions come from DWARF; PLT entries are named "puts@plt".  Names are demangled and
 * printable (base/printable.h), have no symbol version ("@@GLIBC_2.34"), and are cut at LIMIT_SHOWN bytes.
 */
#ifndef STAP_BINARY_H
#define STAP_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inlined.h"

struct binary;

/* The ways to find a debug file, in the order in which they are tried. */
enum debug_file {
	DEBUG_BUILD_ID,			/* by the file's build-id */
	DEBUG_LINK,			/* by the name in .gnu_debuglink or .gnu_debugaltlink */
	DEBUG_SERVERS,			/* by the build-id, on debuginfod servers */
};

/* Opens a debug file: returns its descriptor, or -1.  KEY is a build-id or a name, of N bytes. */
typedef int (*debug_file_open)(enum debug_file how, const void *key, size_t n);

/* Opens the ELF file of the descriptor FD, which it takes over and closes.  Returns NULL if FD isn't an
 * ELF file. */
struct binary *binary_open(int fd, debug_file_open open);
void binary_close(struct binary *b);

/* What lies at an offset of the file.  The strings are malloc'ed; binary_names_free() frees them. */
struct binary_names {
	uint64_t in_file;		/* the address that the ELF file gives the offset */
	char *name;			/* the symbol's name; NULL: no symbol is known */
	uint64_t offset, size;		/* the address minus the symbol's; the symbol's size */
	struct place places[INLINED_MOST];	/* inlined functions and lines, if asked for */
	unsigned int nplaces;
};

/* Finds the symbol at OFFSET, and with LINES its source lines.  Returns false if no segment (PT_LOAD)
 * contains the offset. */
bool binary_find(struct binary *b, uint64_t offset, bool lines, struct binary_names *out);
void binary_names_free(struct binary_names *n);

/* Writes the table of the file's symbols and PLT entries, and of its source lines if ASKS says so
 * (ST_ASKS_*), to the descriptor TO.  Returns false if the table is empty, or there is no memory. */
bool binary_table(struct binary *b, unsigned int asks, int to);

/* Returns the malloc'ed, demangled, printable name of a symbol, with SUFFIX appended; NULL: no memory. */
char *shown_name(const char *name, const char *suffix);

#endif
