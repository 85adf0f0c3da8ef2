/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3, shared by its files.
 *
 * Expressions become three-address C.  Generating one appends the code that
 * must run first to the body, and returns the text of an operand: a temporary
 * or a literal.  For "a[f(x)] + 1" the code is in essence
 *
 *	st_long t0 = f3_f(c, v_x);
 *	if (st_unlikely(c->error != 0)) goto out;
 *	const union st_arg t1[] = { { .i = t0 } };
 *	st_long t2 = st_map_get(c, g0_a, t1);
 *	st_long t3 = t2 + 1;
 *
 * and the operand "t3".  An operand may be written more than once, as printf()
 * does for a string's length and its bytes, and must have the same value each
 * time: it is a temporary, a variable that keeps its value meanwhile, or a
 * literal, never a call.  So order of evaluation and error checks are explicit,
 * and the C compiler turns temporaries into registers.  After code that can fail
 * comes a jump to the innermost error label: a catch, a loop's clean-up, or the
 * end of the body.
 *
 * Names in the C code: st_probe_N, st_handler_N, st_entry_N for probes, fN_name
 * for functions, gN_name for globals, v_name for locals and parameters, tN for
 * temporaries.
 */
#ifndef STAP_GEN_H
#define STAP_GEN_H

#include "base/sbuf.h"
#include "codegen.h"
#include "program/program.h"
#include "program/walk.h"
#include "session.h"

/* The state of the generator, and of the body being generated. */
/* C that probes share: interned texts, each with the index of the first probe that had it. */
typedef vec(struct shared_text { const char *text; unsigned probe; }) shared_texts;

/* Returns the index of the first probe with this text, which is P's if there was none. */
unsigned first_with(shared_texts *all, const char *text, const struct probe *p);

struct gen {
	struct session *s;
	struct program *prog;
	struct sbuf *out;
	int indent;
	unsigned temps, labels;		/* numbered per body */

	struct function *func;		/* the function being generated, or NULL */
	struct probe *probe;		/* the probe whose handler is being generated, or NULL */
	const char *on_error;		/* label for errors */
	const char *on_break, *on_continue;	/* labels; NULL outside loops */
	vec(const char *) iters;	/* open foreach iterators, outermost first */
	size_t loop_iters;		/* how many were open outside the current loop */

	bool effects;			/* the statement may change a global while it uses a slice
					   of it: copy slices */
	bool assigns;			/* the same of locals: copy their values */
	unsigned texts;			/* strings of the statement generated so far */
	unsigned scratch_ops;		/* strings the statement makes */
	unsigned max_scratch_ops;	/* the most of any statement of the body */

	vec(struct memo { struct function *func; unsigned calls; }) memos;
	unsigned long long called;	/* bit i: memos.v[i] has been called on this path */

	bool apart;			/* constants go to the probe's table */

	/* the whole file's */
	struct formats *formats;
	struct constants *constants;	/* NULL: constants stay in the code */
	shared_texts lock_tables;
};

/* Initialisers of the current body's constants, and the bodies generated so far. */
struct constants {
	vec(const char *) list;
	shared_texts bodies;
};

/* The program's formats, each once, in order of first use. */
struct formats {
	vec(const char *) list;
};
unsigned format_id(struct formats *f, const char *canonical);

/* Appends an indented line of C; the text has no newline. */
void gen_line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Returns the name of a new temporary. */
const char *gen_temp(struct gen *g);

/* Returns the label WHAT of the statement that took the number N from g->labels. */
const char *gen_label(const char *what, unsigned n);

/* Records that C_NAME is generated from WHAT at LOC, for messages of the compiler. */
void note_body(struct gen *g, const char *c_name, struct loc loc, const char *what);

/* Jumps to on_error if the code before has failed. */
void check_error(struct gen *g);

/*
 * near_string() returns the literal "near WHAT at PLACE"; set_near() assigns it
 * to c->near before code that may fail.
 */
const char *near_string(struct gen *g, const char *what, struct loc at);
void set_near(struct gen *g, const char *what, struct loc at);

/* Return C source: a string literal, one in ST_LIT(), a number. */
const char *c_string(const char *s);
const char *c_literal(const char *s);
const char *c_number(int64_t n);

/*
 * The same, and a format's number, in the code or in the probe's table of
 * constants (constants.c).
 */
const char *gen_chars(struct gen *g, const char *s);
const char *gen_literal(struct gen *g, const char *s);
const char *gen_format_id(struct gen *g, const char *canonical);

/*
 * Begin and end a body whose constants go to a table (constants.c).
 * end_constants() emits the table and returns the index of the first probe with
 * the same TEXT.
 */
void begin_constants(struct gen *g);
unsigned end_constants(struct gen *g, const char *text, const struct probe *p);

/* C names. */
const char *global_name(const struct variable *v);
const char *local_name(const struct variable *v);
const char *function_name(const struct function *f);
const char *c_type(enum type t);	/* "st_long", "struct st_str", "void" */

/*
 * Sets g->effects and g->assigns for an expression that is generated next: may evaluating E
 * change a variable that it has read?  Functions change globals only.  Returns how many strings
 * it looks at or copies.
 */
unsigned note_expression(struct gen *g, struct expr *e);

/* Generates an expression; returns its operand, "0" if it has no value. */
const char *gen_expr(struct gen *g, struct expr *e);

/* Generates E for its effect only. */
void gen_effect(struct gen *g, struct expr *e);

/* Variables: read, store, assign (expr.c, assign.c). */
const char *gen_read_var(struct gen *g, const struct variable *v);
void gen_store_var(struct gen *g, const struct variable *v, const char *value);
const char *gen_assign(struct gen *g, struct expr *e, bool value_used);
const char *gen_incdec(struct gen *g, struct expr *e, bool value_used);
/* Applies E's operator to the operands A and B; e->b tells whether dividing may fail. */
const char *gen_arith(struct gen *g, const struct expr *e, const char *a, const char *b);

/* The operands of an array's keys; ANY has a bit for each '*'. */
struct keys {
	const char *values[ST_MAX_KEYS];
	bool strings[ST_MAX_KEYS];
	size_t n;
	unsigned any;
};

void gen_key_values(struct gen *g, struct expr *const *args, size_t n, struct keys *k);

/* Returns an array with the keys ARGS. *ANY has a bit for each '*'. */
const char *gen_keys(struct gen *g, struct expr *const *args, size_t n, unsigned *any);

/*
 * Generates CALL, which reads or deletes elements of E's array (ANY as above), or reads or clears
 * its statistic; with its place and a check if it may fail: where the CPUs' parts are drained, or
 * elements searched.
 */
void gen_access(struct gen *g, const struct expr *e, unsigned any, const char *call);

/*
 * Assigns the element of E's array with the keys K (ANY as above) to the temporary T.  A string is
 * the array's own, see gen_stable().
 */
void gen_lookup(struct gen *g, const struct expr *e, const char *t, unsigned any, const char *k);

/* Returns an operand of type "const struct st_stat *" for a variable or element. */
const char *gen_stat(struct gen *g, struct expr *e);

/* The same with keys that are operands already. */
const char *gen_stat_at(struct gen *g, struct expr *e, const struct keys *k);

/* Copies a slice if its source, part of a global, may change while it is used. */
const char *gen_stable(struct gen *g, const char *slice);

const char *gen_print(struct gen *g, struct expr *e);

/* Complains if a format that was made here doesn't take these N values: strings, or else numbers. */
void check_directives(const char *canonical, const bool *strings, size_t n);

/*
 * A target variable: load, store, append (expr.c).  gen_indexes() evaluates the indexes of its path,
 * and the value that the path begins with, and returns them: "t1, t2".  What loads and stores does
 * it once, as evaluating them may have effects: $file->name[i++] += 1.
 */
const char *gen_indexes(struct gen *g, struct expr *e);
const char *gen_target(struct gen *g, struct expr *e, const char *indexes);
void gen_target_store(struct gen *g, struct expr *e, const char *indexes, const char *value);
void gen_target_append(struct gen *g, struct expr *e, const char *indexes, const char *value);

/* Generates a call, even if its value is kept. */
const char *gen_plain_call(struct gen *g, struct expr *e);

/*
 * memo.c: values of stable functions that a body calls more than once.
 * find_memos() finds them; gen_memos() declares their variables, and returns
 * how many are strings; gen_memo() returns the kept value of a call, or NULL;
 * gen_memos_of() makes a loop's calls before it.  Resetting g->called forgets
 * calls on paths that may not have run.
 */
void find_memos(struct gen *g, struct stmt *body);
unsigned gen_memos(struct gen *g);
const char *gen_memo(struct gen *g, struct expr *e);
void gen_memos_of(struct gen *g, struct stmt *loop);

/* regex.c: =~ and !~; the tables of all patterns; the largest number of groups. */
const char *gen_match(struct gen *g, struct expr *e);
void gen_regexes(struct gen *g);
unsigned most_groups(const struct program *prog);

/*
 * Open and close a block for the temporaries of a statement, or of E alone, so that the next
 * statement's can use the same stack.  The end frees its strings: those in scratch above 'frame'.
 */
void begin_statement(struct gen *g, struct expr *e);
void end_statement(struct gen *g);

void gen_stmt(struct gen *g, struct stmt *s);
/* Generates an if; BODY generates each branch. */
void gen_branches(struct gen *g, struct stmt *s, void (*body)(struct gen *, struct stmt *));
/* Counts N statements against the budget; FIRST is for the message. */
void gen_step(struct gen *g, unsigned n, const struct stmt *first);
/* Counts E, a string, as time, with others before it. */
void gen_text(struct gen *g, const struct expr *e);

/*
 * locals.c: declares and initialises locals; returns the scratch they need, in
 * strings.
 */
void gen_locals(struct gen *g, struct variable *const *v, size_t n);
unsigned locals_scratch(const struct gen *g, struct variable *const *v, size_t n);

/*
 * Many operands of one statement would all be in the frame until the last is evaluated.
 * gen_hold_area() makes an array of N union st_arg for them in scratch, and returns its name, or
 * NULL if they are few.  gen_hold() stores operand I there, and returns its new text.
 */
const char *gen_hold_area(struct gen *g, size_t n);
const char *gen_hold(struct gen *g, const char *area, size_t i, const char *value, bool string);

/* Returns the name of an array of union st_arg with these operands. */
const char *gen_args(struct gen *g, const char *const *values, const bool *strings, size_t n);

/*
 * conditions.c: generates the conditions' functions, before any handler;
 * returns the scratch they need.
 */
unsigned gen_conditions(struct gen *g);

/* Unlocks P's locks, after evaluating the conditions it may have changed. */
void gen_unlock(struct gen *g, const struct probe *p);

/* literals.c: sets variable.literal.  MAXSTRING is the size of a string with its NUL. */
void find_literals(struct program *prog, int64_t maxstring);

/*
 * locked.c: the table of P's locks, unless an earlier probe has it; g->probe's
 * body, with its locks taken where they are needed; do the saved values need
 * the locks?
 */
void gen_lock_table(struct gen *g, struct probe *p);
void gen_locked(struct gen *g, struct stmt *body);
bool entry_needs_locks(struct gen *g, const struct probe *p);

/* touches.c: brings in the user memory that N statements will read under locks. */
void gen_touches(struct gen *g, struct stmt *const *stmts, size_t n);

void gen_function(struct gen *g, struct function *f);

/* The first line of a C function; its parameters are called v_x, strings s_x. */
void gen_signature(struct gen *g, const struct function *f);

/*
 * parts.c: adds TEXT as what only part N of a large script has, and frees it: 1 (data, functions,
 * the first handlers) or 2 (the other handlers).
 */
void put_part(struct gen *g, int n, struct sbuf *text);

/* embedded.c: users' C as a function, a statement, a value, at top level. */
void gen_embedded_function(struct gen *g, struct function *f);
void gen_embedded_stmt(struct gen *g, const struct embedded *e);
const char *gen_embedded_expr(struct gen *g, const struct embedded *e);
void gen_embedded_top(struct gen *g, const struct embedded *e);

#endif
