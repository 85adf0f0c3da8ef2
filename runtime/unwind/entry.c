// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads an entry of .eh_frame, an FDE, and the CIE it refers to.
 *
 *	FDE	length, 4 bytes; distance back to the CIE, 4 bytes; start and size of the code; if the
 *		CIE's augmentation begins with 'z', augmentation data with its length; instructions
 *	CIE	length; 0; version; augmentation, a string; code and data alignment; the column of the
 *		return address; augmentation data, of which letters after the 'z' tell the parts:
 *		R the encoding of addresses, P a personality routine, L, S a signal frame, B
 */
#include "internal.h"

#define AUGMENTATION_MOST 8	/* letters */

/* Returns a cursor over an entry, which begins with its length. */
static struct st_cursor begin_entry(struct st_unwind *u, unsigned long at)
{
	struct st_cursor c = { u, at, at + 4, ST_UNWIND_GOES_ON };
	unsigned long length = st_take(&c, 4);

	if (!c.bad && (!length || length >= 0xfffffff0))	/* the end, or 64-bit DWARF */
		c.bad = ST_UNWIND_CORRUPT;
	c.end = c.at + length;
	return c;
}

/* Takes the augmentation's string; empty or beginning with 'z', as only those say how long
 * their data is. */
static void take_letters(struct st_cursor *c, char *letters)
{
	unsigned int n = 0;

	do {
		letters[n] = st_take(c, 1);
	} while (letters[n] && ++n < AUGMENTATION_MOST);
	if (!c->bad && (n == AUGMENTATION_MOST || (n && letters[0] != 'z')))
		c->bad = ST_UNWIND_CORRUPT;
}

/* Takes the data that belongs to one letter; false if that is not known. */
static bool take_part(struct st_cursor *c, char letter, struct st_unwind_entry *e)
{
	switch (letter) {
	case 'R':
		e->encoding = st_take(c, 1);
		return true;
	case 'P':
		st_take_encoded(c, st_take(c, 1));
		return true;
	case 'L':
		st_take(c, 1);
		return true;
	case 'S':
		e->signal = true;
		return true;
	case 'B':
		return true;
	}
	return false;
}

/* Takes the data of the letters behind the 'z'. */
static void take_augmentation(struct st_cursor *c, const char *letters,
			      struct st_unwind_entry *e)
{
	unsigned long length = st_take_uleb(c), behind = c->at + length;

	if (!c->bad && length > c->end - c->at)
		c->bad = ST_UNWIND_CORRUPT;
	while (!c->bad && take_part(c, *++letters, e))
		;
	c->at = behind;
}

static bool read_cie(struct st_unwind *u, unsigned long at, bool *augmented)
{
	struct st_unwind_entry *e = &u->entry;
	struct st_cursor c = begin_entry(u, at);
	char letters[AUGMENTATION_MOST];
	unsigned int version;

	if (st_take(&c, 4) && !c.bad)
		c.bad = ST_UNWIND_CORRUPT;
	version = st_take(&c, 1);
	take_letters(&c, letters);
	e->code_align = st_take_uleb(&c);
	e->data_align = st_take_sleb(&c);
	e->return_column = version == 1 ? st_take(&c, 1) : st_take_uleb(&c);
	if (!c.bad && ((version != 1 && version != 3) || e->return_column != ST_UNWIND_IP))
		c.bad = ST_UNWIND_CORRUPT;
	*augmented = letters[0] == 'z';
	if (*augmented && !c.bad)
		take_augmentation(&c, letters, e);
	e->initial = c.at;
	e->initial_end = c.end;
	return !c.bad || st_unwind_stop(u, c.bad);
}

bool st_unwind_entry(struct st_unwind *u, unsigned long at)
{
	struct st_unwind_entry *e = &u->entry;
	struct st_cursor c = begin_entry(u, at);
	unsigned long cie = c.at, length;
	bool augmented;

	*e = (struct st_unwind_entry){ .encoding = ST_PE_ABSPTR };
	cie -= st_take(&c, 4);
	if (c.bad)
		return st_unwind_stop(u, c.bad);
	if (!read_cie(u, cie, &augmented))
		return false;
	e->start = st_take_encoded(&c, e->encoding);
	e->size = st_take_encoded(&c, e->encoding & 0x0f);
	if (augmented) {
		length = st_take_uleb(&c);
		st_pass(&c, length);
	}
	e->program = c.at;
	e->program_end = c.end;
	return !c.bad || st_unwind_stop(u, c.bad);
}
