/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the unwinder's files share (unwind.h). */
#ifndef STAP_UNWIND_INTERNAL_H
#define STAP_UNWIND_INTERNAL_H

#include "unwind.h"

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

/* The parts of an address encoding, DW_EH_PE_*. */
enum {
	ST_PE_ABSPTR = 0x00, ST_PE_UDATA2 = 0x02, ST_PE_UDATA4 = 0x03, ST_PE_UDATA8 = 0x04,
	ST_PE_SDATA2 = 0x0a, ST_PE_SDATA4 = 0x0b, ST_PE_SDATA8 = 0x0c,
	ST_PE_PCREL = 0x10, ST_PE_DATAREL = 0x30, ST_PE_APPLIED = 0x70, ST_PE_INDIRECT = 0x80,
	ST_PE_OMIT = 0xff,
};

/* The most bytes that one frame may take on the stack. */
#define ST_UNWIND_FRAME_MOST (64ul << 20)

/*
 * A position in the program's memory, up to an end.  Taking what lies beyond it, or can't be
 * read, gives 0 and sets 'bad', which stays.
 */
struct st_cursor {
	struct st_unwind *u;
	unsigned long at, end;
	enum st_unwind_end bad;		/* ST_UNWIND_GOES_ON: nothing is wrong */
};

unsigned long st_take(struct st_cursor *c, unsigned int bytes);	/* little-endian; 8 at most */
long st_take_signed(struct st_cursor *c, unsigned int bytes);
unsigned long st_take_uleb(struct st_cursor *c);
long st_take_sleb(struct st_cursor *c);
void st_pass(struct st_cursor *c, unsigned long bytes);

/* Takes an address in the given encoding, without the "indirect" step. */
unsigned long st_take_encoded(struct st_cursor *c, u8 encoding);

/* Finds the table of the image in a mapping; NULL with u->end set if it can't be read, without
 * if it has none. */
const struct st_unwind_table *st_unwind_table(struct st_unwind *u,
					      const struct st_unwind_map *map);

/* Finds the entry for the code at PC in a table; 0: there is none, or it can't be read (u->end).
 * Then reads it and its CIE into u->entry; false with u->end. */
unsigned long st_unwind_lookup(struct st_unwind *u, const struct st_unwind_table *table,
			       unsigned long pc);
bool st_unwind_entry(struct st_unwind *u, unsigned long at);

/* Runs u->entry's instructions up to PC, which leaves its rules in u->row; false with u->end. */
bool st_unwind_rules(struct st_unwind *u, unsigned long pc);

/*
 * Evaluates the expression at an address, where its length comes first, with u->regs as
 * registers.  FIRST, unless NULL, points to the value that is on the stack before.
 */
bool st_unwind_evaluate(struct st_unwind *u, unsigned long at, const unsigned long *first,
			unsigned long *value);

/* Reads bytes from an address on into a window, MOST at most; false if there are none. */
bool st_unwind_ahead(struct st_unwind *u, struct st_unwind_window *w, unsigned long at,
		     unsigned int most);

/* Reads a word of the program's. */
bool st_unwind_word(struct st_unwind *u, unsigned long at, unsigned long *value);

/* Ends the stack for a reason; returns false. */
static inline bool st_unwind_stop(struct st_unwind *u, enum st_unwind_end why)
{
	u->end = why;
	return false;
}

#endif
