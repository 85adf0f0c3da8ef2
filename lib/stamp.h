/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stamped output: pieces of output with the time of each, as stap --remote reads them.
 *
 *	| struct stamp | its bytes | struct stamp | its bytes | …
 *
 * A piece is what one handler printed, or a command that the script runs; it may end within a line.
 * Numbers are in the machine's byte order.
 */
#ifndef STAP_STAMP_H
#define STAP_STAMP_H

#include <stdint.h>

struct stamp {
	uint64_t time;			/* ns, CLOCK_MONOTONIC of the machine that printed it */
	uint64_t bytes;			/* that follow */
};

/*
 * So many bytes of a script's standard input may be on their way to it (loader/bundle/input.c): the script's
 * side has room for all of them.
 */
#define INPUT_ROOM (1 << 16)

/* Set in 'bytes' where kept sessions have their messages, too (loader/stapio/kept): it is one. */
#define STAMP_MESSAGE (UINT64_C(1) << 63)

#endif
