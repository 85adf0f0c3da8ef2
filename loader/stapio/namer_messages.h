/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What stapio and its namer (namer_process.c) say to each other, on a stream of UNIX
 * sockets: a head, and the bytes that it announces.
 *
 *	stapio			namer
 *	PROGRAM 7 + descriptor
 *	FIND 7 0x1136		DEBUG_BUILD_ID 20 bytes
 *	DEBUG_FILE + descriptor
 *				FOUND struct namer_found, names
 *
 * stapio believes the namer nothing but that these are names.
 */
#ifndef STAP_NAMER_MESSAGES_H
#define STAP_NAMER_MESSAGES_H

#include <stdint.h>

#include "base/limits.h"
#include "inlined.h"

#define NAMER_PROGRAMS 65536u	/* their numbers are lower */

enum {
	/* asked */
	NAMER_PROGRAM,		/* PROGRAM is the file whose descriptor comes along; no answer */
	NAMER_FIND,		/* what is at the offset VALUE?  WHAT: 1: lines too */
	NAMER_TABLE,		/* write the table (abi/utable.h) into the descriptor that comes along;
				 * WHAT is what the script asks for (ST_ASKS_*) */
	/* answered */
	NAMER_FOUND,		/* struct namer_found; the name, and of each place function and source,
				 * each with its NUL; "": there is none */
	NAMER_MADE,		/* WHAT: 1: there is a table */
	/* asked back */
	NAMER_WANTS,		/* the debug file by KEY, in the way WHAT (enum debug_file) */
	NAMER_DEBUG_FILE,	/* its descriptor comes along, or there is none */
};

struct namer_message {
	uint32_t kind, program, what;
	uint32_t bytes;		/* behind this */
	uint64_t value;
};

struct namer_found {
	uint64_t in_file, offset, size;	/* in_file: the offset itself, if it has no address */
	uint32_t nplaces;
	int32_t lines[INLINED_MOST];
};

/* The most bytes of a message. */
#define NAMER_MOST (sizeof(struct namer_found) + (2 * INLINED_MOST + 1) * (LIMIT_SHOWN + 16))

#endif
