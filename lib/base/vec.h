/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing arrays in the arena.  A zeroed vec is empty.
 *
 *	vec(struct probe *) probes = { 0 };
 *
 *	vec_push(&probes, p);
 *	for (size_t i = 0; i < probes.n; i++)
 *		use(probes.v[i]);
 *
 * Pushing may move the elements: keep indices, not pointers into .v.
 */
#ifndef STAP_VEC_H
#define STAP_VEC_H

#include <stddef.h>

#define vec(type) struct { type *v; size_t n, room; }

/* Returns a copy of V with twice the room.  The old array stays valid, in the arena. */
void *vec_grow(void *v, size_t n, size_t *room, size_t size);

#define vec_push(a, x) do {						\
	if ((a)->n == (a)->room)					\
		(a)->v = vec_grow((a)->v, (a)->n, &(a)->room,		\
				  sizeof(*(a)->v));			\
	(a)->v[(a)->n++] = (x);						\
} while (0)

typedef vec(const char *) text_list;

#endif
