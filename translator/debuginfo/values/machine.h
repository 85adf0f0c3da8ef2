/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack machine of DWARF location descriptions (DWARF 5, section 2.5), whose
 * numbers are terms.
 *
 * The machine runs when the script is compiled.  What it leaves on the stack is the
 * term that computes the address or value when the probe is hit:
 *
 *	DW_OP_breg5 0; DW_OP_plus_uconst 68	the term (rdi + 68)
 *
 * A term that an operation uses twice is bound to a temporary first, so that it
 * neither grows without bound nor reads memory twice.
 */
#ifndef STAP_TARGET_MACHINE_H
#define STAP_TARGET_MACHINE_H

#include "object.h"

enum {
	STACK_MAX = 64,
	PIECES_MAX = 16,
};

/* An entry of the machine's stack: the term that computes it, and its type in DWARF 5. */
struct stack_entry {
	const struct term *term;
	unsigned size;			/* bytes of a typed value; 0: generic */
	bool is_signed;
};

/* A temporary, bound around the machine's result. */
struct binding {
	const struct binding *before;	/* earlier ones, which this value may use, or NULL */
	unsigned n;
	const struct term *value;
};

/*
 * A run of the machine over the operations of one location.  The caller says where it looks from and
 * what bounds it ('view', 'attr', 'left', 'why'), and zeroes the rest; the result is the top of the stack,
 * or 'now', or the pieces.
 */
struct machine {
	struct view *view;
	Dwarf_Attribute *attr;		/* holds the operations; NULL: call frame information does */
	struct stack_entry stack[STACK_MAX];
	unsigned depth;
	const struct binding *bindings;	/* the last one */
	struct object now;		/* of the current piece */
	bool described;			/* 'now' describes the piece, not the top of the stack */
	struct piece pieces[PIECES_MAX];
	unsigned npieces;
	unsigned nesting;
	unsigned *left;			/* how many more operations may run, in all branches */
	struct problem *why;
};

/*
 * Both return false and set the machine's problem, if it is not set yet, to a phrase that
 * follows the variable's name.
 */
bool mc_fail(struct machine *m, const char *why);
bool mc_corrupt(struct machine *m);

bool mc_push(struct machine *m, const struct term *term);
bool mc_push_number(struct machine *m, uint64_t value);
bool mc_pop(struct machine *m, struct stack_entry *o);

/* Pushes TERM extended to SIZE bytes; size 0: as it is. */
bool mc_push_typed(struct machine *m, const struct term *term, unsigned size, bool is_signed);

/* Returns TERM inside the machine's bindings. */
const struct term *mc_bind(const struct machine *m, const struct term *term);

/* Run an operation: dup, over, pick, drop, swap or rot; one of one operand; one of two. */
bool mc_stack_operation(struct machine *m, const Dwarf_Op *op);
bool mc_unary(struct machine *m, unsigned atom);
bool mc_binary(struct machine *m, unsigned atom);
bool mc_add(struct machine *m, uint64_t n);

#endif
