// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads numbers and strings from sections, never past their end. */
#include <string.h>

#include "dwread.h"

uint64_t cur_u(struct cursor *c, unsigned bytes)
{
	uint64_t v = 0;

	if ((size_t)(c->end - c->p) < bytes) {
		c->p = c->end;
		c->bad = true;
		return 0;
	}
	switch (bytes) {
	case 1:
		v = *c->p;
		break;
	case 2: {
		uint16_t x;

		memcpy(&x, c->p, 2);
		v = x;
		break;
	}
	case 3:
		v = c->p[0] | c->p[1] << 8 | c->p[2] << 16;
		break;
	case 4: {
		uint32_t x;

		memcpy(&x, c->p, 4);
		v = x;
		break;
	}
	case 8:
		memcpy(&v, c->p, 8);
		break;
	}
	c->p += bytes;
	return v;
}

/* Takes a LEB128 number's bits, least significant first; *LAST is its last byte, *BITS their count. */
static uint64_t take_leb(struct cursor *c, unsigned *bits, unsigned char *last)
{
	uint64_t v = 0;

	for (*bits = 0; c->p < c->end;) {
		*last = *c->p++;
		if (*bits < 64)
			v |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
		if (!(*last & 0x80))
			return v;
	}
	c->bad = true;
	*bits = 64;
	return 0;
}

uint64_t cur_uleb(struct cursor *c)
{
	unsigned bits;
	unsigned char last;

	return take_leb(c, &bits, &last);
}

int64_t cur_sleb(struct cursor *c)
{
	unsigned bits;
	unsigned char last = 0;
	uint64_t v = take_leb(c, &bits, &last);

	if (last & 0x40 && bits < 64)
		v |= ~(uint64_t)0 << bits;
	return (int64_t)v;
}

const char *cur_string(struct cursor *c)
{
	const char *s = (const char *)c->p;
	const unsigned char *nul = c->p < c->end ? memchr(c->p, 0, c->end - c->p) : NULL;

	if (!nul) {
		c->p = c->end;
		c->bad = true;
		return NULL;
	}
	c->p = nul + 1;
	return s;
}

void cur_skip(struct cursor *c, uint64_t n)
{
	if ((uint64_t)(c->end - c->p) < n) {
		c->p = c->end;
		c->bad = true;
	} else {
		c->p += n;
	}
}

struct cursor sect_at(const struct dwsect *s, uint64_t off)
{
	const unsigned char *p = s->p ? s->p : (const unsigned char *)"";
	struct cursor c = { p, p + s->n, off > s->n };

	c.p = c.bad ? c.end : p + off;
	return c;
}

const char *sect_string(const struct dwsect *s, uint64_t off)
{
	struct cursor c = sect_at(s, off);

	if (off < s->n && !s->p[s->n - 1])
		return (const char *)s->p + off;	/* ends with a NUL somewhere */
	return c.bad ? NULL : cur_string(&c);
}

uint64_t sect_entry(const struct dwsect *s, uint64_t base, uint64_t index,
		    unsigned width, bool *bad)
{
	struct cursor c;
	uint64_t v;

	if (index > s->n) {
		*bad = true;
		return 0;
	}
	c = sect_at(s, base + index * width);
	v = cur_u(&c, width);
	*bad |= c.bad;
	return v;
}
