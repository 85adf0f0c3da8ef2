/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks as strings: what kernel stacks and user stacks share. */
#ifndef STAP_STACK_TEXT_H
#define STAP_STACK_TEXT_H

#include "abi/stap_script.h"

/* A text of several lines that is built in scratch; what doesn't fit is left out.  Writers add to
 * n at most room - n - 1 bytes, as scnprintf() does. */
struct st_lines_text {
	struct st_ctx *c;
	char *p;
	unsigned int n, room;
};

/* Begins a text; false, with an error set, if there is no scratch. */
static inline bool st_text_begin(struct st_lines_text *t, struct st_ctx *c)
{
	*t = (struct st_lines_text){ .c = c, .room = st_program.maxstringlen };
	t->p = st_scratch(c, t->room - 1);
	return t->p;
}

static inline struct st_str st_text_end(struct st_lines_text *t)
{
	t->p[t->n] = '\0';
	t->c->sp = t->p + t->n + 1;
	return (struct st_str){ t->p, t->n };
}

/* Takes the next address off a string such as backtrace() returns; false at the end. */
static inline bool st_next_address(struct st_str *s, unsigned long *addr)
{
	st_long end, at = st_fn_token_begin(*s, 0, ST_LIT(" \n\t"));

	s->p += at;
	s->len -= at;
	if (!s->len)
		return false;
	end = st_fn_token_end(*s, 0, ST_LIT(" \n\t"));
	*addr = st_fn_strtol((struct st_str){ s->p, end }, 16);
	s->p += end;
	s->len -= end;
	return true;
}

#endif
