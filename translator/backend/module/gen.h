/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's engine: prints the intermediate program (ir/ir.h) as C, shared by
 * its files.
 *
 * Each operation is a line or a few of C, and each value a variable.  For
 * "a[f(x)] + 1" the code is in essence
 *
 *	st_long t0 = f3_f(c, v_x);
 *	ST_CHECK(c, out);
 *	const union st_arg t1[] = { { .i = t0 } };
 *	st_long t2 = st_map_get(c, g0_a, t1);
 *	st_long t3 = t2 + 1;
 *
 * and the C compiler turns these into registers.  A check becomes a jump to the label
 * of the region it leads to: a catch, a loop's clean-up, or the end of the body.
 *
 * Names in the C code: st_probe_N, st_handler_N, st_entry_N for probes, fN_name
 * for functions, gN_name for globals, v_name for locals and parameters, tN for
 * values.  'break_N', 'catch_N' and the like are labels of the region numbered N.
 */
#ifndef STAP_GEN_H
#define STAP_GEN_H

#include "base/sbuf.h"
#include "codegen.h"
#include "ir/ir.h"
#include "program/program.h"
#include "session.h"

/* The state of the generator, and of the body being generated. */
struct gen {
	struct session *s;
	struct program *prog;
	const struct ir_program *ir;
	struct sbuf *out;
	int indent;

	const struct ir_body *body;	/* the body being generated, or NULL */
	bool *declared;			/* its values: has C declared them? */
	bool in_area;			/* its locals are in the context's scratch */
	vec(const struct ir_op *) loops;	/* those around, outermost first */
	bool passed;			/* the next call is an overload that 'next' led to */
	unsigned lock_table;		/* the number of the first handler that locks the same */

	unsigned texts;			/* strings in scratch that the statement made so far */
	unsigned most_texts;		/* the most of any statement of the body */

	vec(const struct ir_body *) lock_tables;	/* the bodies whose tables are printed */
};

/* Appends an indented line of C; the text has no newline. */
void gen_line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Records that C_NAME is generated from WHAT at LOC, for messages of the compiler. */
void note_body(struct gen *g, const char *c_name, struct loc loc, const char *what);

/* Return C source: a string literal, one in ST_LIT(), a number. */
const char *c_string(const char *s);
const char *c_literal(const char *s);
const char *c_number(int64_t n);

/* Returns the literal "near WHAT at AT". */
const char *c_near(const char *what, const char *at);

/* Return the C names of a global, function, … that the intermediate program numbers. */
const char *global_text(const struct gen *g, unsigned global);
const char *local_text(const struct gen *g, unsigned local);
const char *function_name(const struct gen *g, unsigned function);
const char *c_type_of(enum ir_type t);	/* "st_long", "struct st_str", "void" */

/* ---- bodies ------------------------------------------------------------ */

/* Begins a body: forgets what was declared, and what strings were made. */
void begin_body(struct gen *g, const struct ir_body *body);

/* body.c: prints a block: regions and ways out. */
void gen_block(struct gen *g, const struct ir_block *block);

/* Returns the label to which a check leads. */
const char *way_label(const struct ir_op *way);

/* ops.c: prints an operation that has no blocks. */
void gen_op(struct gen *g, const struct ir_op *op);

/* operands.c: return the C of an operand, and of a list of operands. */
const char *operand_text(struct gen *g, const struct ir_operand *o);
const char *operands_text(struct gen *g, const ir_operands *list, size_t from);

/*
 * Returns the left side of an assignment to OP's result: "st_long t3", or "t3" if it is declared.
 */
const char *result_text(struct gen *g, const struct ir_op *op);

/* Declares OP's result on a line of its own, unless it is declared or there is none. */
void declare_result(struct gen *g, const struct ir_op *op);

/* Return where OP's errors are, and FORMAT's text: literals, or the probe's own. */
const char *near_text(const struct ir_op *op);
const char *format_text(const struct ir_op *op);

/* Returns the number of PRINT's or PRINT_HIST's format: NUMBER, or the probe's own. */
const char *format_id(const struct ir_op *op, unsigned number);

/* Assigns "near WHAT at AT" to c->near, if the operation says it. */
void gen_place(struct gen *g, const struct ir_op *op);

/* records.c: PRINT. */
void gen_print(struct gen *g, const struct ir_op *op);
void gen_print_hist(struct gen *g, const struct ir_op *op);

/*
 * locals.c: declares and initialises locals, and what KEEP keeps; returns the scratch
 * they need, in strings.
 */
void gen_locals(struct gen *g);
void gen_kept(struct gen *g);
unsigned locals_scratch(const struct gen *g, const struct ir_body *body);

/* Returns bytes of scratch as a number of strings. */
unsigned strings_for(const struct gen *g, size_t bytes);

enum { ARG_SIZE = 16 };		/* of a union st_arg */

/* regex.c: prints the tables of all patterns. */
void gen_regexes(struct gen *g);

/* Prints the tables of places (tables.c), each once though families may share it, and their list. */
void gen_tables(struct gen *g);

/*
 * conditions.c: generates the conditions' functions, before any handler;
 * returns the scratch they need.
 */
unsigned gen_conditions(struct gen *g);

/*
 * locks.c: print the table of the body's locks, unless an earlier probe has it; take the locks;
 * release them after evaluating the conditions that the body may have changed.
 */
void gen_lock_table(struct gen *g, const struct ir_body *body);
void gen_lock(struct gen *g, const char *leave);
void gen_unlock(struct gen *g);

/* function.c */
void gen_function(struct gen *g, unsigned function);

/* Prints the first line of a C function; its parameters are called v_x, strings s_x. */
void gen_signature(struct gen *g, unsigned function);

/*
 * parts.c: prints TEXT for part N of a large script only, and frees it.  Part 1 has the data, the
 * functions and the first handlers; part 2 the other handlers.
 */
void put_part(struct gen *g, int n, struct sbuf *text);

/* embedded.c: print users' C as a function, a statement, a value, at top level. */
void gen_embedded_function(struct gen *g, unsigned function);
void gen_embedded_stmt(struct gen *g, const struct ir_op *op);
void gen_embedded_value(struct gen *g, const struct ir_op *op);
void gen_embedded_top(struct gen *g, const struct ir_foreign *e);

#endif
