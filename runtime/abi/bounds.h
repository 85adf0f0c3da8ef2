/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a script may ask for at most.
 *
 * The translator refuses what is beyond, with the bound and the way to raise it where
 * there is one; the runtime checks again (check.c) before it relies on any of them, since
 * a module is only as good as the program that made it.
 */
#ifndef STAP_BOUNDS_H
#define STAP_BOUNDS_H

#define ST_MAX_KEYS 9			/* keys of an array */

#define ST_STRING_LEAST 16		/* -D MAXSTRINGLEN: bytes of a string, with the NUL */
#define ST_STRING_MOST 65536
#define ST_NESTING_MOST 1000		/* -D MAXNESTING: calls within each other */
#define ST_ENTRIES_MOST 0x7fffffff	/* -D MAXMAPENTRIES; memory ends it sooner */
#define ST_ACTIVE_MOST 65536		/* -D KRETACTIVE, .maxactive(): calls under way */
#define ST_HIST_WIDTH_MOST 200		/* -D HIST_WIDTH: characters of a bar */
#define ST_TRIES_MOST 100000		/* tries for a lock, 10 µs apart: a second */

/* Bytes: strings of one handler and of all it calls; what an entry saves for its return. */
#define ST_SCRATCH_MOST (32u << 20)
#define ST_SAVED_MOST (1u << 20)

#define ST_FORMATS_MOST 0xfff0		/* different formats: numbers above mean others */
#define ST_GROUPS_MOST 255		/* groups of a regular expression */

/* Bytes of the kernel's stack that one generated function takes.  Its larger variables
 * lie in the context's scratch.  KASAN makes frames larger, and its kernels' stacks. */
#define ST_FRAME_MAX 1024
#define ST_FRAME_MAX_KASAN 2048

#endif
