/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be told of a program's or library's file: names and lines for offsets in it, and the table of
 * all of them (runtime/abi/utable.h).  The file may be damaged or hostile: whoever calls this is a process
 * that can be lost (namer_process.c).
 *
 * Symbols come from the file's tables, .gnu_debugdata among them, and from its separate debug file; lines
 * and inlined functions from the debug information; the entries of procedure linkage tables are named
 * "puts@plt".  Names are demangled, without "@@GLIBC_2.34", printable (base/printable.h), and cut at
 * LIMIT_SHOWN bytes.
 */
#ifndef STAP_BINARY_H
#define STAP_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inlined.h"

struct binary;

/* How a debug file may be found, in this order. */
enum debug_file {
	DEBUG_BUILD_ID,			/* by the file's build-id */
	DEBUG_LINK,			/* by the name that the file gives */
	DEBUG_SERVERS,			/* by the build-id, on the servers of debuginfod */
};

/* Returns a debug file's descriptor, or -1; KEY is N bytes, a build-id or a name. */
typedef int (*debug_file_open)(enum debug_file how, const void *key, size_t n);

/* Begins to read a file.  FD is the binary's from here on.  NULL: it is no such file. */
struct binary *binary_open(int fd, debug_file_open open);
void binary_close(struct binary *b);

/* What is at an offset of the file.  Names are the binary's, until the next call. */
struct binary_names {
	uint64_t in_file;		/* the address in the file's own terms */
	char *name;			/* the symbol's; NULL: none is known */
	uint64_t offset, size;		/* the address' offset in the symbol, and its size */
	struct place places[INLINED_MOST];	/* inlined functions and lines, if asked for */
	unsigned int nplaces;
};

/* False: the offset is in no part of the file that programs have. */
bool binary_find(struct binary *b, uint64_t offset, bool lines, struct binary_names *out);
void binary_names_free(struct binary_names *n);

/* Writes the table of the file's symbols, linkage table entries among them, and, as ASKS says
 * (ST_ASKS_*), of its source lines.  False: there is nothing to tell, or no memory. */
bool binary_table(struct binary *b, unsigned int asks, int to);

/* A copy of a symbol's name as it is shown, with SUFFIX, allocated by malloc(); NULL: no memory. */
char *shown_name(const char *name, const char *suffix);

#endif
