/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The units in which long work is counted by st_walk() (abi/stap_script.h). */
#ifndef STAP_WALK_H
#define STAP_WALK_H

#include "port/port.h"

#define ST_WALK_BYTES 32		/* bytes of text looked at one by one: a step */
#define ST_WALK_TEXT 128		/* bytes; of a shorter text the call itself is most of the time */
#define ST_WALK_SYMBOL 16		/* steps to find an address' name, */
#define ST_WALK_MODULE 48		/* and so many more in a module: its symbols aren't sorted */

/*
 * Counts work on BYTES of text by st_walk().  It may be counted when it is done: it is bounded by
 * MAXSTRINGLEN.
 */
static inline bool st_walk_text(struct st_ctx *c, unsigned int bytes)
{
	return unlikely(bytes >= ST_WALK_TEXT) && st_walk(c, bytes / ST_WALK_BYTES);
}

#endif
