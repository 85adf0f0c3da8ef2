/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A string that is looked at byte by byte: a function of the program has a round for each.
 *
 *	s = subject_of(g, operand);
 *	code_store_number(g->c, BPF_DW, R9, SUBJECT_AT, 0);
 *	…					in the function:
 *	put_next(g, &s, 1, over);		r7 = where the byte is
 *	…
 *	end_round(g, over, outer);
 *	…					and behind it:
 *	put_rounds(g, function, s.room);
 */
#ifndef STAP_BPF_SUBJECT_H
#define STAP_BPF_SUBJECT_H

#include "gen.h"

/* The word of the frame with the number of the byte that comes next. */
enum { SUBJECT_AT = FRAME_TEMPORARY };

struct subject {
	unsigned from, room;		/* the string in the frame */
};

struct subject subject_of(struct gen *g, const struct ir_operand *o);

/* r7 = where the next byte of the subject is; goes to OVER if fewer than BYTES are left.  Changes r1 and r2. */
void put_next(struct gen *g, const struct subject *s, unsigned bytes, unsigned over);

/* Ends a round, OVER: the last. */
void end_round(struct gen *g, unsigned over, struct function *outer);

/* Where the tables of a regular expression are in the texts. */
struct regex_tables {
	unsigned classes, next, flags, rows, steps, tags;
};

/* groups.c: r0 = whether the first argument matches; keeps where its groups are. */
void put_match_groups(struct gen *g, const struct ir_op *op, const struct ir_pattern *p, const struct regex_tables *t);

/* Goes to DIGIT with r3 = the value of the hexadecimal digit in r0, or goes on. */
void put_is_digit(struct gen *g, unsigned digit);

#endif
