// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that read UTF-16 and UTF-32 strings and convert them to UTF-8.
 *
 * Units are in the CPU's byte order.  They are read one by one, so that a string
 * may end just before memory that can't be read.  An invalid character (half of a
 * surrogate pair, a number above 0x10ffff) is an error, like memory that can't be
 * read.  The result ends before the first character that doesn't fit.
 */
#include "memory/access.h"
#include "memory/missing.h"
#include "show.h"

enum wide { WIDE_OK, WIDE_FAULT, WIDE_INVALID };

struct wide_source {
	st_copy_fn copy;
	unsigned long at;
	unsigned int width;		/* of a unit: 2 or 4 bytes */
};

static struct wide_source wide_source(int what, st_long addr)
{
	return (struct wide_source){
		.copy = what & ST_USER ? st_copy_user : st_copy_kernel,
		.at = addr,
		.width = what & ST_UTF16 ? 2 : 4,
	};
}

static bool next_unit(struct wide_source *s, u32 *unit)
{
	u16 half;

	if (s->width == sizeof(half)) {
		if (s->copy(&half, s->at, sizeof(half)))
			return false;
		*unit = half;
	} else if (s->copy(unit, s->at, sizeof(*unit))) {
		return false;
	}
	s->at += s->width;
	return true;
}

static bool is_high(u32 unit)
{
	return (unit & 0xfffffc00) == 0xd800;
}

static bool is_low(u32 unit)
{
	return (unit & 0xfffffc00) == 0xdc00;
}

static enum wide next_character(struct wide_source *s, u32 *character)
{
	u32 first, second;

	if (!next_unit(s, &first))
		return WIDE_FAULT;
	*character = first;
	if (!is_high(first) && !is_low(first))
		return first <= 0x10ffff ? WIDE_OK : WIDE_INVALID;
	if (s->width != sizeof(u16) || is_low(first))
		return WIDE_INVALID;
	if (!next_unit(s, &second))
		return WIDE_FAULT;
	*character = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
	return is_low(second) ? WIDE_OK : WIDE_INVALID;
}

/* Encodes a character, in 4 bytes at most; returns how many. */
static unsigned int put_utf8(char *p, u32 character)
{
	static const unsigned char lead[] = { 0, 0x00, 0xc0, 0xe0, 0xf0 };
	unsigned int n = character < 0x80 ? 1 : character < 0x800 ? 2 :
			 character < 0x10000 ? 3 : 4, i;

	for (i = n - 1; i; i--, character >>= 6)
		p[i] = 0x80 | (character & 0x3f);
	p[0] = lead[n] | character;
	return n;
}

/* How many bytes of text a unit counts as, because units are read one by one. */
#define WALK_WIDE 8

static enum wide read_wide(struct wide_source *s, char *to, unsigned int room, unsigned int *len)
{
	char bytes[4];
	u32 character;

	for (*len = 0; *len < room;) {
		enum wide result = next_character(s, &character);
		unsigned int n;

		if (result || !character)
			return result;
		n = put_utf8(bytes, character);
		if (n > room - *len)
			break;
		memcpy(to + *len, bytes, n);
		*len += n;
	}
	return WIDE_OK;
}

static struct st_str wide_string(struct st_ctx *c, int what, st_long addr,
				 const struct st_str *instead)
{
	struct wide_source s = wide_source(what, addr);
	const char *space = what & ST_USER ? "user" : "kernel";
	unsigned int room = st_program.maxstringlen - 1, len;
	char *p = st_scratch(c, room);
	enum wide result;

	if (!p)
		return ST_LIT("");
	result = read_wide(&s, p, room, &len);
	if (st_walk_text(c, WALK_WIDE * len))
		return ST_LIT("");
	if (result) {
		c->sp = p;
		if (instead) {
			if (result == WIDE_FAULT)
				st_missing(what & ST_USER, s.at);
			return *instead;
		}
		if (result == WIDE_FAULT)
			st_error(c, "%s string copy fault at 0x%lx [man error::fault]", space,
				 s.at);
		else
			st_error(c, "%s string at 0x%llx is no UTF-%u", space,
				 (unsigned long long)addr, s.width * 8);
		return ST_LIT("");
	}
	p[len] = '\0';
	c->sp = p + len + 1;
	return (struct st_str){ p, len };
}

struct st_str st_fn_wide_string(struct st_ctx *c, int what, st_long addr)
{
	return wide_string(c, what, addr, NULL);
}

struct st_str st_fn_wide_string_or(struct st_ctx *c, int what, st_long addr,
				   struct st_str instead)
{
	return wide_string(c, what, addr, &instead);
}

struct st_str st_fn_wide_quoted(struct st_ctx *c, int what, st_long addr)
{
	static const char cut[] = "\"...";
	struct wide_source s = wide_source(what, addr);
	unsigned int room = st_program.maxstringlen - 1, len = 0;
	union st_arg address = { .i = addr };
	char *p = st_scratch(c, room), text[10];
	enum wide result;
	u32 character = 0;

	if (!p)
		return ST_LIT("");
	p[len++] = '"';
	for (;;) {
		unsigned int n;

		result = next_character(&s, &character);
		if (result) {
			if (result == WIDE_FAULT)
				st_missing(what & ST_USER, addr);
			st_walk_text(c, WALK_WIDE * len);
			c->sp = p;
			return st_format(c, "%p", &address, 1);
		}
		n = st_show_wide(text, character);
		if (!character || n > room - len - strlen(cut))
			break;
		memcpy(p + len, text, n);
		len += n;
	}
	memcpy(p + len, cut, strlen(cut));
	len += character ? strlen(cut) : 1;
	p[len] = '\0';
	c->sp = p + len + 1;
	return st_walk_text(c, WALK_WIDE * len) ? ST_LIT("") : (struct st_str){ p, len };
}
