/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lowering, shared by its files.
 *
 * Lowering an expression appends the operations that must run first, and returns
 * an operand: a value, a variable that keeps its contents meanwhile, or a
 * literal.  So the order of evaluation and the checks are explicit.  Operations are
 * appended to lo->at; entering a region's block makes it that one:
 *
 *	struct ir_op *op = lower_op(lo, IR_IF);
 *	struct ir_block *outer;
 *
 *	add_arg(op, condition);
 *	outer = enter(lo, op, 0);
 *	lower_stmt(lo, s->then);
 *	lo->at = outer;
 */
#ifndef STAP_LOWERING_H
#define STAP_LOWERING_H

#include "base/table.h"
#include "ir/ir.h"
#include "lower/lower.h"
#include "program/program.h"
#include "program/walk.h"
#include "session.h"

/* The state of lowering, and of the body being lowered. */
struct lowering {
	struct session *s;
	struct program *prog;
	struct ir_program *ir;
	struct ir_body *body;
	struct ir_block *at;		/* operations are appended here */
	unsigned labels;		/* the regions numbered so far */
	struct table formats;		/* the program's, by their texts */

	struct function *func;		/* the function being lowered, or NULL */
	struct probe *probe;		/* the probe whose handler is being lowered, or NULL */
	const struct ir_op *on_error;	/* where errors lead: a region, or NULL */
	const struct ir_op *loop;	/* the innermost, or NULL */

	bool effects;			/* the statement may change a global while it uses a slice
					   of it: copy slices */
	bool assigns;			/* the same of locals: copy their values */
	unsigned texts;			/* strings of the statement lowered so far */

	vec(struct memo { struct function *func; unsigned calls; }) memos;
	unsigned long long called;	/* bit i: memos.v[i] has been called on this path */
};

/* ---- operations (operations.c) ----------------------------------------- */

/* Appends an operation: without a result, with the result RESULT, with a new one. */
struct ir_op *lower_op(struct lowering *lo, enum ir_opcode code);
struct ir_op *lower_into(struct lowering *lo, enum ir_opcode code, struct ir_operand result);
struct ir_op *lower_value(struct lowering *lo, enum ir_opcode code, enum ir_type type);

/* Appends an operation on one or two operands that makes a new value, and returns that. */
struct ir_operand lower_1(struct lowering *lo, enum ir_opcode code, enum ir_type type,
			  struct ir_operand a);
struct ir_operand lower_2(struct lowering *lo, enum ir_opcode code, enum ir_type type,
			  struct ir_operand a, struct ir_operand b);

/* Returns a value that operations will define. */
struct ir_operand new_value(struct lowering *lo, enum ir_type type);

void add_arg(struct ir_op *op, struct ir_operand o);
struct ir_operand result_of(const struct lowering *lo, const struct ir_op *op);

/* Returns the C of E, with what an engine must know about it. */
struct ir_foreign *foreign_of(const struct embedded *e);

/* Operands. */
struct ir_operand absent(void);
struct ir_operand number(int64_t n);
struct ir_operand literal(const char *text);
struct ir_operand variable_operand(const struct variable *v);	/* a string's contents, a local */
enum ir_type ir_type_of(enum type t);

/* Makes the operation's errors "near WHAT at AT". */
void set_near(struct ir_op *op, const char *what, struct loc at);

/* Appends a check: an error so far goes the way of lo->on_error. */
void check_error(struct lowering *lo);

/* Begins block I of a region; returns the block that goes on behind it. */
struct ir_block *enter(struct lowering *lo, struct ir_op *region, int i);

/* ---- expressions (expr.c, assign.c, print.c) ---------------------------------- */

/*
 * Sets lo->effects and lo->assigns for an expression that is lowered next: may evaluating E
 * change a variable that it has read?  Functions change globals only.  Returns how many strings
 * it looks at or copies.
 */
unsigned note_expression(struct lowering *lo, struct expr *e);

/* Lowers an expression; returns its operand, absent if it has no value. */
struct ir_operand lower_expr(struct lowering *lo, struct expr *e);

/* Lowers E for its effect only. */
void lower_effect(struct lowering *lo, struct expr *e);

struct ir_operand lower_read(struct lowering *lo, const struct variable *v);
void lower_store(struct lowering *lo, const struct variable *v, struct ir_operand value);
struct ir_operand lower_assign(struct lowering *lo, struct expr *e, bool value_used);
struct ir_operand lower_incdec(struct lowering *lo, struct expr *e, bool value_used);

/* Applies E's operator to the operands A and B; e->b tells whether dividing may fail. */
struct ir_operand lower_arith(struct lowering *lo, const struct expr *e, struct ir_operand a,
			      struct ir_operand b);

/*
 * Appends a string operation on A and B, whose result is in scratch, and which may fail near WHAT.
 */
struct ir_operand lower_concat(struct lowering *lo, const char *what, struct loc at,
			       struct ir_operand a, struct ir_operand b);

/* Returns the operands of an array's keys; *ANY gets a bit for each '*'. */
ir_operands lower_key_values(struct lowering *lo, struct expr *const *args, size_t n,
			     unsigned *any);
struct ir_operand lower_tuple(struct lowering *lo, const ir_operands *values);
struct ir_operand lower_keys(struct lowering *lo, struct expr *const *args, size_t n,
			     unsigned *any);

/*
 * Completes OP, which reads or deletes elements of E's array, or reads or clears its statistic.
 * Adds its place and a check if it may fail: where the CPUs' parts are drained, or elements
 * searched.
 */
void access_global(struct lowering *lo, const struct expr *e, unsigned any, struct ir_op *op);

/*
 * Lower a statistic, a variable or element: at once, or its keys first.  No access to its global
 * may come between it and its use.
 */
struct ir_operand lower_stat(struct lowering *lo, struct expr *e);
ir_operands lower_stat_keys(struct lowering *lo, struct expr *e);
struct ir_operand lower_stat_at(struct lowering *lo, struct expr *e, const ir_operands *keys);

struct ir_operand lower_print(struct lowering *lo, struct expr *e);

/*
 * Lower a target variable's load, store, append. lower_inputs() evaluates the indexes of its path,
 * and the value that the path begins with.  What loads and stores does it once, as evaluating them
 * may have effects: $file->name[i++] += 1.
 */
ir_operands lower_inputs(struct lowering *lo, struct expr *e);
struct ir_operand lower_target(struct lowering *lo, struct expr *e, const ir_operands *inputs);
void lower_put(struct lowering *lo, struct expr *e, const ir_operands *inputs,
	       struct ir_operand value, const struct term *how);

/* Lowers a call, even if its value is kept. */
struct ir_operand lower_plain_call(struct lowering *lo, struct expr *e);

/* ---- statements (stmt.c, loops.c) ------------------------------------------------- */

/*
 * Begin and end a statement, or E alone: its strings and values end with it.
 * begin_statement() returns the block that goes on behind it; RESULT is a word that the
 * statement defines, or absent.
 */
struct ir_block *begin_statement(struct lowering *lo, struct expr *e, struct ir_operand result);

/*
 * The same for E whose value is used behind the statement, when an assignment at E's top has
 * changed its target: in "return s = substr(s, 1, 9)" the value must not be a slice of s.
 */
struct ir_block *begin_value(struct lowering *lo, struct expr *e);

void lower_stmt(struct lowering *lo, struct stmt *s);
void lower_loop(struct lowering *lo, struct stmt *s);

/* Lowers a condition; its strings are freed before the operand is used. */
struct ir_operand lower_condition(struct lowering *lo, struct expr *e);

/* Lowers an if; BODY lowers each branch. */
void lower_branches(struct lowering *lo, struct stmt *s,
		    void (*body)(struct lowering *, struct stmt *));

/* Counts N statements against the budget; FIRST is for the message. */
void lower_step(struct lowering *lo, unsigned n, const struct stmt *first);

/* Counts a round of a loop whose body counts no statement. */
void lower_round(struct lowering *lo, const struct stmt *body);

/* Counts E, a string, as time, with others before it. */
void lower_text(struct lowering *lo, const struct expr *e);

/* ---- what lowering decides ---------------------------------------------- */

/*
 * memo.c: values of stable functions that a body calls more than once.
 * find_memos() finds them, and what keeps them; lower_memo() returns the kept value
 * of a call, or absent; lower_memos_of() makes a loop's calls before it.  Resetting lo->called
 * forgets calls on paths that may not have run.
 */
void find_memos(struct lowering *lo, struct stmt *body);
struct ir_operand lower_memo(struct lowering *lo, struct expr *e);
void lower_memos_of(struct lowering *lo, struct stmt *loop);

/* literals.c: sets variable.literal. */
void find_literals(struct program *prog, int64_t maxstring);

/*
 * locked.c: lowers lo->probe's body, with its locks taken where they are needed; tells whether the
 * saved values need the locks.
 */
void lower_locked(struct lowering *lo, struct stmt *body);
bool entry_needs_locks(struct lowering *lo, const struct probe *p);

/* limits.c: reads -D; reports values that are out of range, and unknown names. */
struct ir_limits read_limits(const struct session *s, const struct program *prog);

/* nesting.c: returns MAXNESTING's default. */
int64_t default_nesting(const struct program *prog);

/* rooms.c: finds how much room the string keys of arrays need, before handlers are merged. */
void find_rooms(struct ir_program *ir);

/* merge.c: makes handlers that differ only in constants one. */
void merge_handlers(struct ir_program *ir);

/* touches.c: brings in the user memory that N statements will read under locks. */
void lower_touches(struct lowering *lo, struct stmt *const *stmts, size_t n);

#endif
