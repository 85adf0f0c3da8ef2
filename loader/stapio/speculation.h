/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speculations: text that a script prints before it knows whether it wants it.
 *
 *	s = speculation()
 *	speculate(s, "opened\n")	kept here, by ID
 *	commit(s)			printed now; or discard(s)
 *
 * All of a script's records are read in the order of their times, whichever CPU they come from,
 * so the kernel keeps nothing.  Together the texts take at most SPECULATIONS_BYTES; the oldest
 * speculation makes room for new ones, which a warning says, and how many did, at the end.
 */
#ifndef STAP_SPECULATION_H
#define STAP_SPECULATION_H

#include <stdbool.h>
#include <stddef.h>

#define SPECULATIONS_BYTES (64u << 20)

struct output;
struct speculations;

/* NULL if there is no memory.  Texts that were not committed are dropped with it. */
struct speculations *speculations_new(void);
void speculations_free(struct speculations *all);

/* Does what an item of ST_FMT_SPECULATION says (runtime/abi/transport.h); false if it makes no
 * sense. */
bool speculations_take(struct speculations *all, struct output *out, const char *item,
		       size_t bytes);

/* How many had to make room. */
size_t speculations_dropped(const struct speculations *all);

#endif
