/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speculations: text that a script records before it knows whether it wants it printed.
 *
 *	s = speculation()
 *	speculate(s, "opened\n")	kept here, by ID
 *	commit(s)			printed now; discard(s) would drop it
 *
 * stapio reads the records of all CPUs in order of time, so it can keep the texts and the kernel
 * need not.  All texts together take at most SPECULATIONS_BYTES.  Beyond that the oldest
 * speculation is dropped, with a warning; another warning counts them at the end.
 */
#ifndef STAP_SPECULATION_H
#define STAP_SPECULATION_H

#include <stdbool.h>
#include <stddef.h>

#define SPECULATIONS_BYTES (64u << 20)

struct output;
struct speculations;

/* Returns NULL if there is no memory.  speculations_free() drops texts that were not committed. */
struct speculations *speculations_new(void);
void speculations_free(struct speculations *all);

/* Does what an item of ST_FMT_SPECULATION says (runtime/abi/transport.h).  Returns false if the
 * item is malformed. */
bool speculations_take(struct speculations *all, struct output *out, const char *item,
		       size_t bytes);

/* Returns how many were dropped for lack of room. */
size_t speculations_dropped(const struct speculations *all);

#endif
