/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The results of Go functions, at their return instructions.
 *
 * Debug information doesn't say where they are then; Go's calling convention does.  Results
 * are assigned in order.  One whose parts (numbers, pointers; a string has two, a slice
 * three) fit into the registers that are left is in them, any other is on the stack, behind
 * the arguments that are.
 *
 *	func f(a int) (string, error)	the string in RAX (its address) and RBX (its length),
 *					the error in RCX and RDI
 *
 * In scripts a result has its name, or r0, r1, … for the first, second, … if it has none.
 *
 * Source: Go's cmd/compile/abi-internal.md.  Programs of compilers without it (before Go
 * 1.17) have all on the stack.
 */
#ifndef STAP_GO_RESULTS_H
#define STAP_GO_RESULTS_H

#include "object.h"

/* Is the DIE, of a parameter, a result's? */
bool is_go_result(Dwarf_Die *die);

/* Calls FN for each result of the view's function. */
typedef void go_result_fn(const char *name, const struct object *o, const struct ctype *t, void *arg);
void go_results_each(struct view *v, go_result_fn *fn, void *arg);

/* Finds the result called NAME.  Returns false if there is none. */
bool go_result_named(struct view *v, const char *name, struct object *o, struct ctype *t);

/* Finds the only result.  Returns false with *WHY, a phrase: "is not there: …". */
bool go_return_value(struct view *v, struct object *o, struct ctype *t, struct problem *why);

#endif
