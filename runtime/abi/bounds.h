/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds on what a script may ask for.
 *
 * The translator refuses a script that exceeds one, and says how to raise it if that is
 * possible.  The runtime checks the numbers of the script's tables again (session/check.c) before
 * it allocates by them or runs a handler, since a module may be damaged.  Its code is not checked,
 * nor are its pointers.
 */
#ifndef STAP_BOUNDS_H
#define STAP_BOUNDS_H

#define ST_MAX_KEYS 9			/* keys of an array */

#define ST_STRING_LEAST 16		/* -D MAXSTRINGLEN: bytes of a string, NUL included */
#define ST_STRING_MOST 65536
#define ST_NESTING_MOST 1000		/* -D MAXNESTING: calls within each other */
#define ST_ENTRIES_MOST 0x7fffffff	/* -D MAXMAPENTRIES; memory usually allows fewer */
#define ST_ACTIVE_MOST 65536		/* -D KRETACTIVE, .maxactive(): calls followed at once */
#define ST_HIST_WIDTH_MOST 200		/* -D HIST_WIDTH: characters of the longest bar */
#define ST_BUCKETS_MOST 65536		/* of a linear histogram, besides lower and higher values */
#define ST_SHIFT_MOST 62			/* @variance: bits of fraction */
#define ST_TRIES_MOST 10000		/* tries for a lock, 10 µs apart: 100 ms */
#define ST_TRIES_UNTIMED 100000		/* with --suppress-time-limits */

/* Bytes: scratch of a handler and of all functions it calls; values that a return probe saves
 * at the entry. */
#define ST_SCRATCH_MOST (32u << 20)
#define ST_SAVED_MOST (1u << 20)

#define ST_TIMER_MOST_NS (86400 * 1000000000LL)	/* timers' intervals: a day */
#define ST_TIMER_MOST_JIFFIES 1000000
#define ST_PROCFS_MOST (1 << 24)	/* .maxsize(): bytes of a procfs probe's value */
#define ST_GATHER_MOST 60000		/* staprun -T: milliseconds that output may wait */
#define ST_OUTPUT_MOST (1 << 20)	/* -S: megabytes of a file */
#define ST_USER_DEPTH 128		/* frames of a user stack, */
#define ST_STACK_DEPTH 64		/* and of the kernel's */
#define ST_FORMATS_MOST 0xfff0		/* different formats; higher numbers are ST_FMT_* */
#define ST_CODE_BYTES 16			/* code of a place in a program that is compared */
#define ST_GROUPS_MOST 255		/* groups of a regular expression */

/* Bytes of stack that the frame of one generated function takes; larger variables are in the
 * context's scratch.  KASAN makes frames larger, and KASAN kernels have larger stacks. */
#define ST_FRAME_MAX 1024
#define ST_FRAME_MAX_KASAN 2048

#endif
