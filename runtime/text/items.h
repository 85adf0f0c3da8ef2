/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading recorded items (abi/transport.h) back.  Like format.h it needs no other header.
 *
 *	struct st_items left = { body, bytes };
 *
 *	while (left.bytes)
 *		if (!st_take(&left, &format, sizeof(format)) || …)
 *			the record is damaged
 */
#ifndef STAP_ITEMS_H
#define STAP_ITEMS_H

#include "abi/stap_script.h"

/* The rest of a piece of output. */
struct st_items {
	const char *p;
	unsigned long bytes;
};

/* Takes N bytes off, or returns 0 if there are fewer. */
static inline int st_take(struct st_items *left, void *to, unsigned long n)
{
	if (left->bytes < n)
		return 0;
	__builtin_memcpy(to, left->p, n);
	left->p += n;
	left->bytes -= n;
	return 1;
}

/* Takes a string off, which stays where it is. */
static inline int st_take_str(struct st_items *left, struct st_str *s)
{
	if (!st_take(left, &s->len, sizeof(s->len)) || s->len > left->bytes)
		return 0;
	s->p = left->p;
	left->p += s->len;
	left->bytes -= s->len;
	return 1;
}

#endif
