// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions on strings. */
#include "core/walk.h"
#include "text/find.h"
#include "text/format.h"
#include "show.h"

/*
 * Returns a part of s.  It is copied unless it is the end of s, because a NUL must follow a slice.
 */
struct st_str st_fn_substr(struct st_ctx *c, struct st_str s, st_long start, st_long length)
{
	if (start < 0 || start >= s.len || length <= 0)
		return ST_LIT("");
	s.p += start;
	s.len -= start;
	if (length >= s.len)
		return s;
	s.len = length;
	return st_dup(c, s);
}

st_long st_fn_stringat(struct st_ctx *c, struct st_str s, st_long i)
{
	if (i < 0 || i >= s.len) {
		st_error(c, "Position out of bounds");
		return 0;
	}
	return (unsigned char)s.p[i];
}

st_long st_fn_strpos(struct st_ctx *c, struct st_str s, struct st_str part)
{
	return st_walk_text(c, s.len + part.len) ? -1 : st_find(s, part);
}

/* Returns a digit's value in bases up to 36; 36 if it isn't one. */
static unsigned int digit_of(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 0x20;
	return ch >= 'a' && ch <= 'z' ? ch - 'a' + 10 : 36;
}

static bool has_hex_prefix(struct st_str s)
{
	return s.len > 2 && s.p[0] == '0' && (s.p[1] | 0x20) == 'x' && digit_of(s.p[2]) < 16;
}

/* Parses as many digits as there are; base 0 accepts C's prefixes. */
st_long st_fn_strtol(struct st_ctx *c, struct st_str s, st_long base)
{
	bool negative = s.len && s.p[0] == '-';
	u64 v = 0;
	unsigned int i = negative;
	struct st_str digits = { s.p + i, s.len - i };

	if (base == 0)
		base = has_hex_prefix(digits) ? 16 : digits.len && digits.p[0] == '0' ? 8 : 10;
	if (base < 2 || base > 36)
		return 0;
	for (i = base == 16 && has_hex_prefix(digits) ? 2 : 0; i < digits.len; i++) {
		unsigned int digit = digit_of(digits.p[i]);

		if (digit >= base || digit >= 16)	/* as the kernel's simple_strtol() */
			break;
		v = v * base + digit;
	}
	st_walk_text(c, i);
	return negative ? -v : v;
}

struct st_str st_fn_replace(struct st_ctx *c, struct st_str s, struct st_str what,
			    struct st_str by)
{
	unsigned int room = st_program.maxstringlen - 1, n = 0;
	char *p;

	if (!what.len)
		return s;
	p = st_scratch(c, room);
	if (!p || st_walk_text(c, s.len + what.len))
		return ST_LIT("");
	while (s.len && n < room) {
		st_long at = st_find(s, what);
		unsigned int before = at < 0 ? s.len : at, run = min(before, room - n);

		memcpy(p + n, s.p, run);
		n += run;
		if (at < 0)
			break;
		run = min(by.len, room - n);
		memcpy(p + n, by.p, run);
		n += run;
		s.p += before + what.len;
		s.len -= before + what.len;
	}
	p[n] = '\0';
	c->sp = p + n + 1;
	return st_walk_text(c, n) ? ST_LIT("") : (struct st_str){ p, n };
}

/* A set of bytes, so that a string is searched once, however many delimiters there are. */
struct bytes {
	u64 bits[4];
};

static bool has_byte(const struct bytes *set, unsigned char ch)
{
	return set->bits[ch / 64] >> ch % 64 & 1;
}

static struct bytes bytes_of(struct st_str s)
{
	struct bytes set = { { 0 } };
	unsigned int i;

	for (i = 0; i < s.len; i++) {
		unsigned char ch = s.p[i];

		set.bits[ch / 64] |= 1ull << ch % 64;
	}
	return set;
}

st_long st_fn_token_begin(struct st_ctx *c, struct st_str s, st_long at, struct st_str delim)
{
	struct bytes set = bytes_of(delim);
	st_long from = clamp_t(st_long, at, 0, s.len);

	at = from;
	while (at < s.len && has_byte(&set, s.p[at]))
		at++;
	st_walk_text(c, delim.len + at - from);
	return at;
}

st_long st_fn_token_end(struct st_ctx *c, struct st_str s, st_long at, struct st_str delim)
{
	struct bytes set = bytes_of(delim);
	st_long from = clamp_t(st_long, at, 0, s.len);

	at = from;
	while (at < s.len && !has_byte(&set, s.p[at]))
		at++;
	st_walk_text(c, delim.len + at - from);
	return at;
}

/* Writes a byte, escaped if necessary: 4 bytes at most; returns how many. */
static unsigned int show_byte(char *to, unsigned char ch)
{
	if (ch != '"' && ch != '\\')
		return st_escape(to, ch);
	to[0] = '\\';
	to[1] = ch;
	return 2;
}

unsigned int st_show_wide(char *to, u32 character)
{
	char text[11];
	unsigned int n;

	if (character < 0x80)
		return show_byte(to, character);
	n = snprintf(text, sizeof(text), character < 0x10000 ? "\\u%04X" : "\\U%08X", character);
	memcpy(to, text, n);
	return n;
}

/*
 * Decodes a character of two to four bytes.  Returns its length; 0 if the bytes are none, or
 * encode a character that fewer bytes would.
 */
static unsigned int decode_utf8(const char *p, unsigned int left, u32 *character)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = *p;
	unsigned int n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0, i;

	if (!n || n > left || first > 0xf4)
		return 0;
	*character = first & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*character = *character << 6 | (p[i] & 0x3f);
	}
	if (*character < least[n] || *character > 0x10ffff ||
	    (*character >= 0xd800 && *character < 0xe000))
		return 0;
	return n;
}

/* Writes the character of s at *at, escaped, and moves *at behind it.  A NUL, which only buffers
 * have, is \0 whatever follows. */
static unsigned int show_at(char *to, struct st_str s, unsigned int *at)
{
	u32 character;
	unsigned int n = decode_utf8(s.p + *at, s.len - *at, &character);

	if (n) {
		*at += n;
		return st_show_wide(to, character);
	}
	n = show_byte(to, s.p[*at]);
	return s.p[(*at)++] ? n : 2;
}

/* Writes as many characters of s, escaped, as fit; returns how many bytes were written. */
static unsigned int show_all(char *to, unsigned int room, struct st_str s)
{
	unsigned int i = 0, n = 0;

	while (i < s.len) {
		char text[10];
		unsigned int len = show_at(text, s, &i);

		if (len > room - n)
			break;
		memcpy(to + n, text, len);
		n += len;
	}
	return n;
}

/* Does all of s fit, escaped? */
static bool fits(struct st_str s, unsigned int room)
{
	unsigned int i = 0, n = 0;
	char text[10];

	while (i < s.len && n <= room)
		n += show_at(text, s, &i);
	return n <= room;
}

struct st_str st_fn_text(struct st_ctx *c, struct st_str s, st_long max, st_long quoted)
{
	static const char dots[] = "\"...";
	unsigned int room = st_program.maxstringlen - 1, n = 0;
	char *p;

	if (max > 0 && max < room)
		room = max;
	if (quoted)
		room = max_t(unsigned int, room, sizeof(dots));
	p = st_scratch(c, room);
	if (!p || st_walk_text(c, s.len))
		return ST_LIT("");
	if (quoted) {
		unsigned int behind = fits(s, room - 2) ? 1 : sizeof(dots) - 1;

		p[n++] = '"';
		n += show_all(p + n, room - 1 - behind, s);
		memcpy(p + n, dots, behind);
		n += behind;
	} else {
		n = show_all(p, room, s);
	}
	p[n] = '\0';
	c->sp = p + n + 1;
	return (struct st_str){ p, n };
}

struct st_str st_fn_text_whole(struct st_ctx *c, int quoted, struct st_str s)
{
	return st_fn_text(c, s, 0, quoted);
}

