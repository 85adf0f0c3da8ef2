/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack machine of DWARF location descriptions, with terms for numbers.
 *
 * What remains on the stack at the end is the term that computes an address (or
 * the value) when the probe is hit.  A term that an operation would use twice is
 * bound to a temporary first, so that it neither grows without bound nor reads
 * memory twice.
 */
#ifndef STAP_TARGET_MACHINE_H
#define STAP_TARGET_MACHINE_H

#include "object.h"

enum {
	STACK_MAX = 64,
	PIECES_MAX = 16,
};

struct operand {
	const struct term *term;
	unsigned size;			/* of a typed value; 0: generic */
	bool is_signed;
};

/* A temporary to be bound around what the machine comes to. */
struct binding {
	const struct binding *before;	/* which this one's value may use; or NULL */
	unsigned n;
	const struct term *value;
};

struct machine {
	struct view *view;
	Dwarf_Attribute *attr;		/* where the operations come from; NULL: CFI */
	struct operand stack[STACK_MAX];
	unsigned depth;
	const struct binding *bindings;	/* the last one */
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

bool mc_push(struct machine *m, const struct term *term);
bool mc_push_number(struct machine *m, uint64_t value);
bool mc_pop(struct machine *m, struct operand *o);

/* A term extended as a typed value is; size 0: as it is. */
bool mc_push_typed(struct machine *m, const struct term *term, unsigned size, bool is_signed);

/* The machine's bindings around TERM. */
const struct term *mc_bind(const struct machine *m, const struct term *term);

/* dup, over, pick, drop, swap, rot; the operators of one and two operands. */
bool mc_stack_operation(struct machine *m, const Dwarf_Op *op);
bool mc_unary(struct machine *m, unsigned atom);
bool mc_binary(struct machine *m, unsigned atom);
bool mc_add(struct machine *m, uint64_t n);

#endif
