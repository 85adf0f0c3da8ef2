// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes numbers from the program's memory.  Bytes are read ahead into the unwinder's window, up to
 * the next page at most, since that may not be there.
 */
#include "internal.h"

#define WINDOW_PAGE 4096ul

bool st_unwind_ahead(struct st_unwind *u, struct st_unwind_window *w, unsigned long at,
		     unsigned int most)
{
	unsigned long n = WINDOW_PAGE - (at & (WINDOW_PAGE - 1));

	if (n > most)
		n = most;
	w->at = at;
	w->filled = st_unwind_read(u, w->bytes, at, n) ? n : 0;
	return w->filled;
}

static unsigned char take_byte(struct st_cursor *c)
{
	struct st_unwind_window *w = &c->u->tables_window;

	if (c->bad)
		return 0;
	if (c->at >= c->end) {
		c->bad = ST_UNWIND_CORRUPT;
		return 0;
	}
	if (c->at - w->at >= w->filled && !st_unwind_ahead(c->u, w, c->at, ST_UNWIND_AHEAD)) {
		c->bad = ST_UNWIND_UNREADABLE;
		return 0;
	}
	return w->bytes[c->at++ - w->at];
}

unsigned long st_take(struct st_cursor *c, unsigned int bytes)
{
	unsigned long value = 0;
	unsigned int i;

	for (i = 0; i < bytes; i++)
		value |= (unsigned long)take_byte(c) << 8 * i;
	return value;
}

long st_take_signed(struct st_cursor *c, unsigned int bytes)
{
	unsigned int unused = 64 - 8 * bytes;

	return (long)(st_take(c, bytes) << unused) >> unused;
}

/* Takes a LEB128 number; its last byte goes to *LAST, and the bits it has to *BITS. */
static unsigned long take_leb(struct st_cursor *c, unsigned char *last, unsigned int *bits)
{
	unsigned long value = 0;
	unsigned char byte;

	*bits = 0;
	do {
		byte = take_byte(c);
		if (*bits < 64)
			value |= (unsigned long)(byte & 127) << *bits;
		*bits += 7;
	} while (byte & 128 && *bits < 140);
	*last = byte;
	return value;
}

unsigned long st_take_uleb(struct st_cursor *c)
{
	unsigned char last;
	unsigned int bits;

	return take_leb(c, &last, &bits);
}

long st_take_sleb(struct st_cursor *c)
{
	unsigned char last;
	unsigned int bits;
	unsigned long value = take_leb(c, &last, &bits);

	if (last & 64 && bits < 64)
		value |= ~0ul << bits;
	return value;
}

void st_pass(struct st_cursor *c, unsigned long bytes)
{
	if (bytes > c->end - c->at && !c->bad)
		c->bad = ST_UNWIND_CORRUPT;
	if (!c->bad)
		c->at += bytes;
}

unsigned long st_take_encoded(struct st_cursor *c, u8 encoding)
{
	unsigned long base = (encoding & ST_PE_APPLIED) == ST_PE_PCREL ? c->at : 0;

	switch (encoding & 0x0f) {
	case ST_PE_UDATA2:
		return base + st_take(c, 2);
	case ST_PE_SDATA2:
		return base + st_take_signed(c, 2);
	case ST_PE_UDATA4:
		return base + st_take(c, 4);
	case ST_PE_SDATA4:
		return base + st_take_signed(c, 4);
	case ST_PE_ABSPTR:
	case ST_PE_UDATA8:
	case ST_PE_SDATA8:
		return base + st_take(c, 8);
	}
	if (!c->bad)
		c->bad = ST_UNWIND_CORRUPT;
	return 0;
}

bool st_unwind_word(struct st_unwind *u, unsigned long at, unsigned long *value)
{
	*value = 0;
	return st_unwind_read(u, value, at, u->word) || st_unwind_stop(u, ST_UNWIND_UNREADABLE);
}
