/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack machine of DWARF location descriptions, with C text for numbers.
 *
 * What is on the stack are pieces of C text; constants stay numbers as long as
 * they can.  What remains at the end is the text that computes an address (or
 * the value) when the probe is hit.  A text that an operation would use twice
 * goes into a temporary first, so that it neither grows without bound nor reads
 * memory twice.
 */
#ifndef STAP_TARGET_MACHINE_H
#define STAP_TARGET_MACHINE_H

#include "base/sbuf.h"
#include "object.h"

enum {
	STACK_MAX = 64,
	PIECES_MAX = 16,
};

struct operand {
	const char *text;		/* NULL: a constant */
	uint64_t value;
	unsigned size;			/* of a typed value; 0: generic */
	bool is_signed;
};

struct machine {
	struct view *view;
	Dwarf_Attribute *attr;		/* where the operations come from; NULL: CFI */
	struct operand stack[STACK_MAX];
	unsigned depth;
	struct sbuf before;		/* declarations of temporaries */
	struct object now;		/* of the piece being described */
	bool described;			/* now says more than the top of the stack */
	struct piece pieces[PIECES_MAX];
	unsigned npieces;
	unsigned nesting;
	unsigned *left;			/* operations that may still be run, branches' too */
	const char **why;
};

/* Both are false, with the machine's *why set unless it is: a phrase that follows
 * the variable's name. */
bool mc_fail(struct machine *m, const char *why);
bool mc_corrupt(struct machine *m);

const char *mc_text(const struct operand *o);
bool mc_push(struct machine *m, struct operand o);
bool mc_push_text(struct machine *m, const char *text);
bool mc_push_number(struct machine *m, uint64_t value);
bool mc_pop(struct machine *m, struct operand *o);

/* Text cut or extended to a typed value's width; size 0: as it is. */
bool mc_push_typed(struct machine *m, const char *text, unsigned size, bool is_signed);

/* dup, over, pick, drop, swap, rot; the operators of one and two operands. */
bool mc_stack_operation(struct machine *m, const Dwarf_Op *op);
bool mc_unary(struct machine *m, unsigned atom);
bool mc_binary(struct machine *m, unsigned atom);
bool mc_add(struct machine *m, uint64_t n);

#endif
