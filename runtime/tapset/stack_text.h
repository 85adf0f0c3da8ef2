/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks as text: what kernel stacks and user stacks share. */
#ifndef STAP_STACK_TEXT_H
#define STAP_STACK_TEXT_H

#include "port/port.h"

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

/* Is there room for more?  None is needed after an error. */
static inline bool st_text_room(const struct st_lines_text *t)
{
	return t->n + 1 < t->room && !t->c->error;
}

static inline struct st_str st_text_end(struct st_lines_text *t)
{
	t->p[t->n] = '\0';
	t->c->sp = t->p + t->n + 1;
	return (struct st_str){ t->p, t->n };
}

/*
 * Returns eight hex digits, as they lie in memory: each of these steps spreads all digits at once.
 *
 *	x		 0x00000000'0001a2b3
 *	its 16-bit halves   0x00000001'0000a2b3
 *	its bytes	    0x00000001'00a200b3
 *	its digits	    0x00000001'0a020b03		then '0' or 'a' - 10 is added to each
 */
static inline __be64 st_hex_digits(u32 value)
{
	u64 x = value, letters;

	x = (x | x << 16) & 0x0000ffff0000ffffull;
	x = (x | x << 8) & 0x00ff00ff00ff00ffull;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0full;
	letters = (x + 0x0606060606060606ull) >> 4 & 0x0101010101010101ull;
	return cpu_to_be64(x + 0x3030303030303030ull + letters * ('a' - '0' - 10));
}

/* Adds an address in hex, behind a blank if it isn't the first; what doesn't fit is cut. */
static inline void st_text_address(struct st_lines_text *t, unsigned long addr)
{
	unsigned int digits = addr ? __fls(addr) / 4 + 1 : 1;
	char *to = t->p + t->n;
	__be64 text[2];

	if (t->room - t->n < sizeof(" 0x0123456789abcdef")) {
		t->n += scnprintf(to, t->room - t->n, t->n ? " 0x%lx" : "0x%lx", addr);
		return;
	}
	if (t->n)
		*to++ = ' ';
	*to++ = '0';
	*to++ = 'x';
	addr <<= 4 * (16 - digits);
	text[0] = st_hex_digits(addr >> 32);
	text[1] = st_hex_digits(addr);
	memcpy(to, text, sizeof(text));
	t->n = to + digits - t->p;
}

/* Takes the next address off a string such as backtrace() returns; false at the end, or if an error
 * is set. */
static inline bool st_next_address(struct st_ctx *c, struct st_str *s, unsigned long *addr)
{
	st_long end, at;

	if (c->error)
		return false;
	at = st_fn_token_begin(c, *s, 0, ST_LIT(" \n\t"));
	s->p += at;
	s->len -= at;
	if (!s->len)
		return false;
	end = st_fn_token_end(c, *s, 0, ST_LIT(" \n\t"));
	*addr = st_fn_strtol(c, (struct st_str){ s->p, end }, 16);
	s->p += end;
	s->len -= end;
	return true;
}

#endif
