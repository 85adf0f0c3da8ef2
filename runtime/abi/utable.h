/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of a program's or library's code, as the loader hands them to a script that asks for them
 * (user/symbols.h): a file with
 *
 *	struct st_utable	the header
 *	struct st_usymbol	nsymbols times, by offset
 *	struct st_uline		nlines times, by offset: from here to the next row
 *	strings			nchars bytes, the last of them a NUL
 *
 * Offsets are the code's in the program's file.
 */
#ifndef STAP_UTABLE_H
#define STAP_UTABLE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint32_t u32;
#endif

#define ST_UTABLE_MAGIC 0x31545553u	/* "SUT1" */
#define ST_UTABLE_MOST (32u << 20)	/* bytes of a table */
#define ST_UTABLE_NONE 0xffffffffu	/* instead of a string: no line is known */

/* The head of a file's table of names: so many symbols, lines and bytes of strings follow. */
struct st_utable {
	u32 magic, nsymbols, nlines, nchars;
};

/* A symbol; sorted by offset. */
struct st_usymbol {
	u32 offset, size;
	u32 name;			/* offset in the strings */
};

/* From this offset to the next one's the code belongs to one source line; sorted by offset. */
struct st_uline {
	u32 offset;
	u32 file;			/* offset in the strings, or ST_UTABLE_NONE */
	u32 line;
};

#endif
