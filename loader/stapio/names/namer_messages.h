/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between stapio and its namer (namer_process.c), on a UNIX stream socket.  A
 * message is a struct namer_message, followed by as many bytes as it says.
 *
 *	stapio			namer
 *	PROGRAM 7 + descriptor
 *	FIND 7 0x1136		DEBUG_BUILD_ID 20 bytes
 *	DEBUG_FILE + descriptor
 *				FOUND struct namer_found, names
 *
 * A hostile program may have taken the namer over, so stapio checks each message, and uses the
 * names in it only to print them.
 */
#ifndef STAP_NAMER_MESSAGES_H
#define STAP_NAMER_MESSAGES_H

#include <stdint.h>

#include "base/limits.h"
#include "inlined.h"

#define NAMER_PROGRAMS 65536u	/* a program's number is lower */

/* Kinds of messages.  "With a descriptor": the message carries one (SCM_RIGHTS). */
enum {
	/* stapio to namer */
	NAMER_PROGRAM,		/* PROGRAM is this file from now on, with a descriptor; has no answer */
	NAMER_FIND,		/* what is at the file offset VALUE?  WHAT is 1 to ask for lines too */
	NAMER_TABLE,		/* write the table (abi/utable.h) to this file, with a descriptor;
				 * WHAT is what the script asks for (ST_ASKS_*) */
	/* the namer's answers */
	NAMER_FOUND,		/* struct namer_found, then strings: the symbol's name; each place's
				 * function and source.  "" means none */
	NAMER_MADE,		/* WHAT is 1 if there is a table, else 0 */
	/* the namer asks while it works on an answer, and stapio's reply */
	NAMER_WANTS,		/* open the debug file WHAT (enum debug_file); its key follows */
	NAMER_DEBUG_FILE,	/* with its descriptor; without one if there is no such file */
};

/* The head of each message. */
struct namer_message {
	uint32_t kind, program, what;
	uint32_t bytes;		/* the bytes that follow this head */
	uint64_t value;
};

/* What NAMER_FOUND begins with; see struct binary_names. */
struct namer_found {
	uint64_t in_file, offset, size;	/* in_file: the file offset, if the ELF file maps it nowhere */
	uint32_t nplaces;
	int32_t lines[INLINED_MOST];
};

/* The most bytes that may follow a head. */
#define NAMER_MOST (sizeof(struct namer_found) + (2 * INLINED_MOST + 1) * (LIMIT_SHOWN + 16))

#endif
