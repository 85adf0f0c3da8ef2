/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The streams of a command on another machine, over a connection that has only one each way
 * (stap --remote=unix:PATH):
 *
 *	from there	| STREAM_OUT 5 | hello | STREAM_ERR 3 | no! | … | STREAM_OUT 0 |	its end
 *	to there	| STREAM_IN 4 | line | … | STREAM_IN 0 |	the end of its input
 *
 * Behind a piece without bytes the connection carries text again.  Numbers are in the machine's byte order:
 * both have the same architecture.
 */
#ifndef STAP_STREAMS_H
#define STAP_STREAMS_H

#include <stdint.h>

enum { STREAM_OUT, STREAM_ERR, STREAM_IN };

struct piece {
	uint32_t stream;
	uint32_t bytes;			/* that follow */
};

#endif
