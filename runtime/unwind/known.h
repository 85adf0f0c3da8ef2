/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers rules that were worked out before.  A program comes through the same places again and
 * again, and nearly all rows are of one kind: the CFA is a register and an offset, and what was
 * saved lies right below it.  Such rows are kept by their place in the file, which all processes
 * share:
 *
 *	libc.so.6 + 0x2724a	CFA = rsp + 0x90; ip 1 word below it, rbx 2, rbp 3
 *
 * A frame then costs one lookup, and several frames one read of the stack.
 */
#ifndef STAP_UNWIND_KNOWN_H
#define STAP_UNWIND_KNOWN_H

#include "internal.h"

/* Returns where an address lies in its mapping's file. */
static inline unsigned long st_unwind_place(const struct st_unwind_map *map, unsigned long pc)
{
	return map->offset + (pc - map->start);
}

/* Returns the set of rules that may have a place's. */
static inline struct st_unwind_known *st_unwind_known_set(struct st_unwind *u, unsigned long file,
							  unsigned long offset)
{
	unsigned long hash = (offset ^ file / 64) * 0x9e3779b97f4a7c15ul;

	return u->known[hash >> 32 & (ST_UNWIND_KNOWN - 1)];
}

/* Finds the rules that were worked out before for PC in a mapping, or returns NULL. */
static inline const struct st_unwind_known *st_unwind_known(struct st_unwind *u,
							    const struct st_unwind_map *map,
							    unsigned long pc)
{
	unsigned long offset = st_unwind_place(map, pc);
	const struct st_unwind_known *k = st_unwind_known_set(u, map->file, offset);
	unsigned int i;

	for (i = 0; map->file && i < ST_UNWIND_WAYS; i++, k++)
		if (k->offset == offset && k->file == map->file)
			return k;
	return NULL;
}

/* Are these bytes of the program's in a window? */
static inline bool st_window_has(const struct st_unwind_window *w, unsigned long at, unsigned int n)
{
	return at - w->at < w->filled && n <= w->filled - (at - w->at);
}

/* Returns N bytes of the stack; NULL if they can't be read. */
static inline const unsigned char *st_stack_bytes(struct st_unwind *u, unsigned long at,
						  unsigned int n)
{
	struct st_unwind_window *w = &u->stack_window;

	if (st_window_has(w, at, n))
		return w->bytes + (at - w->at);
	if (st_unwind_ahead(u, w, at, sizeof(w->bytes)) && n <= w->filled)
		return w->bytes;
	w->filled = 0;		/* they are in two pages */
	return st_unwind_read(u, w->bytes, at, n) ? w->bytes : NULL;
}

/* Makes the caller's registers the current ones by known rules; false with u->end. */
static inline bool st_unwind_apply_known(struct st_unwind *u, const struct st_unwind_known *k)
{
	unsigned long cfa = u->regs[k->cfa_register] + k->cfa, n = 8 * k->words;
	const struct st_unwind_saved *s, *end = k->saved + k->count;
	const unsigned char *words;

	if (k->outermost)
		return st_unwind_stop(u, ST_UNWIND_OUTERMOST);
	if (cfa - u->regs[ST_UNWIND_SP] - 1 >= ST_UNWIND_FRAME_MOST)
		return st_unwind_stop(u, ST_UNWIND_CORRUPT);
	words = st_stack_bytes(u, cfa - n, n);
	if (!words)
		return st_unwind_stop(u, ST_UNWIND_UNREADABLE);
	/* By pointers: kernels that check indexes at run time take four times as long. */
	for (s = k->saved; s < end; s++)
		__builtin_memcpy(u->regs + s->reg, words + s->at, 8);
	u->regs[ST_UNWIND_SP] = cfa;
	u->interrupted = false;
	return true;
}

/* Keeps u->row for PC in a mapping, if it is of the usual kind. */
void st_unwind_keep(struct st_unwind *u, const struct st_unwind_map *map, unsigned long pc);

#endif
