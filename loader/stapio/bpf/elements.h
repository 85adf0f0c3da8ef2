/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elements of an array in the kernel, in the order in which they were added, and as the interpreter's
 * arrays have them.
 *
 *	struct elements e = { 0 };
 *
 *	if (elements_read(&e, h, global, map, true))
 *		elements_add(c, &e, m);			to the interpreter's array
 *	elements_free(&e);
 */
#ifndef STAP_ELEMENTS_H
#define STAP_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port/port.h"

struct handlers;
struct st_map;
struct st_stat;
struct st_stat_decl;

/* An element: its key and value lie in the elements' memory. */
struct element {
	uint64_t sequence;
	const char *key, *value;	/* the value behind its number in order; of each CPU, if they have parts */
	bool seen;
};

struct elements {
	struct element *v;		/* by their numbers in order */
	size_t n;
	const struct handlers *of;
	unsigned global;
	char *keys, *values;
};

/*
 * Reads an array's elements, and removes them from the kernel if REMOVE.  Returns false if there is no
 * memory.
 */
bool elements_read(struct elements *e, const struct handlers *h, unsigned global, int map, bool remove);
void elements_free(struct elements *e);

/* Adds the elements to an array of the interpreter's; those that it has already are added up. */
void elements_add(struct st_ctx *c, const struct elements *e, struct st_map *m);

/* Writes the interpreter's array to the kernel's map: what differs from BEFORE, which is sorted anew. */
void elements_write(struct st_ctx *c, struct elements *before, const struct handlers *h, unsigned global, int map);

/*
 * A statistic as BPF has it (lib/bpf/statistics.c): its bytes; as the runtime has it, in memory of its own until
 * the next call; and, written to what is all zeroes, from the runtime's.  One that is settled is encoded to the same
 * words again: those of a variance depend on the order in which values were added, which the runtime forgets.
 */
unsigned encoded_bytes(const struct st_stat_decl *d);
struct st_stat *decoded_statistic(const char *encoded, const struct st_stat_decl *d);
void encode_statistic(char *encoded, const struct st_stat *st, const struct st_stat_decl *d);
void settle_statistic(char *encoded, const struct st_stat_decl *d);

#endif
