/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3, inside.
 *
 * Expressions become three-address C: generating one appends what must run to
 * the body and gives back the text of an operand (a temporary or a literal),
 * so that order of evaluation and error checks are explicit; the C compiler
 * makes registers of it.  What can fail is followed by a jump to the innermost
 * error label: a catch, a loop's clean-up, or the end of the body.
 *
 * Names in the C: st_probe_N st_handler_N st_entry_N for probes, fN_name for
 * functions, gN_name for globals, v_name for locals and parameters, tN for
 * temporaries.
 */
#ifndef STAP_GEN_H
#define STAP_GEN_H

#include "base/sbuf.h"
#include "codegen.h"
#include "program/program.h"
#include "program/walk.h"
#include "session.h"

/* What generation of one body knows. */
struct gen {
	struct session *s;
	struct program *prog;
	struct sbuf *out;
	int indent;
	unsigned temps, labels;		/* numbered within a body */

	struct function *func;		/* whose body, or */
	struct probe *probe;		/* whose handler */
	const char *on_error;		/* label an error jumps to */
	const char *on_break, *on_continue;	/* labels; NULL outside loops */
	vec(const char *) iters;	/* foreach iterators open here, outermost first */
	size_t loop_iters;		/* how many of them were open outside the loop */

	bool effects;			/* the statement may change a variable while it
					   holds a slice of it: slices are copied */
	unsigned scratch_ops;		/* strings the statement makes */
	unsigned max_scratch_ops;	/* the most of any statement */

	vec(struct memo { struct function *func; unsigned calls; }) memos;
	unsigned long long called;	/* bit i: memos.v[i] has its value here */

	bool apart;			/* this body's constants are in a table, not in it */

	/* the whole file's */
	struct formats *formats;
	struct constants *constants;	/* NULL: all are where they are used */
};

/* Initializers of a body's constants, and the bodies there are, interned. */
struct constants {
	vec(const char *) list;
	vec(struct shared_body { const char *text; unsigned probe; }) bodies;
};

/* Formats of the program, each once, in order of first use. */
struct formats {
	vec(const char *) list;
};
unsigned format_id(struct formats *f, const char *canonical);

/* A line of C, indented; no newline in the text. */
void line(struct gen *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A fresh temporary's or label's name. */
const char *new_temp(struct gen *g);
const char *new_label(struct gen *g, const char *what);

/* A C function is about to be made of something in the script, WHAT at LOC. */
void note_body(struct gen *g, const char *c_name, struct loc loc, const char *what);

/* A jump to on_error after what may have failed. */
void check_error(struct gen *g);

/* A literal "near WHAT at PLACE"; setting c->near to it before what may fail. */
const char *near_string(struct gen *g, const char *what, struct loc at);
void set_near(struct gen *g, const char *what, struct loc at);

/* A C string literal, or one in ST_LIT(). */
const char *c_string(const char *s);
const char *c_literal(const char *s);
const char *c_number(int64_t n);

/* constants.c: the same, and a format's number, where constants may be kept apart. */
const char *gen_chars(struct gen *g, const char *s);
const char *gen_literal(struct gen *g, const char *s);
const char *gen_format_id(struct gen *g, const char *canonical);

/* constants.c: begins a body whose constants are kept apart; ends it, with their table,
 * and finds the probe that had the same TEXT first: P, or one before it. */
void begin_constants(struct gen *g);
unsigned end_constants(struct gen *g, const char *text, const struct probe *p);

/* Names. */
const char *global_name(const struct variable *v);
const char *local_name(const struct variable *v);
const char *function_name(const struct function *f);
const char *c_type(enum type t);	/* "st_long", "struct st_str", "void" */

/* expr.c: code for E, and its value's operand ("0" when it has none). */
const char *gen_expr(struct gen *g, struct expr *e);

/* E for its effect alone. */
void gen_effect(struct gen *g, struct expr *e);

/* Variables: what a read gives, how a value is stored (assign.c). */
const char *gen_read_var(struct gen *g, const struct variable *v);
void gen_store_var(struct gen *g, const struct variable *v, const char *value);
const char *gen_assign(struct gen *g, struct expr *e, bool value_used);
const char *gen_incdec(struct gen *g, struct expr *e, bool value_used);
/* E's operator on A and the operand B of E->b. */
const char *gen_arith(struct gen *g, const struct expr *e, const char *a, const char *b);

/* An array of keys with the operands of ARGS; *any the mask of '*' ones. */
const char *gen_keys(struct gen *g, struct expr *const *args, size_t n, unsigned *any);

/* The statistic an E_SYMBOL or E_INDEX is: "const struct st_stat *" operand. */
const char *gen_stat(struct gen *g, struct expr *e);

/* A slice that outlives changes of what it was read from, if need be. */
const char *gen_stable(struct gen *g, const char *slice);

/* printf.c */
const char *gen_print(struct gen *g, struct expr *e);

/* The C of a target variable's address expressions: ix[] and the load. */
const char *gen_target(struct gen *g, struct expr *e);
void gen_target_store(struct gen *g, struct expr *e, const char *value);
void gen_target_append(struct gen *g, struct expr *e, const char *value);

/* A call that is made, whatever was called before. */
const char *gen_plain_call(struct gen *g, struct expr *e);

/*
 * memo.c: finds what a body calls once and keeps; declares it, before the body (how many
 * strings' buffers there are); the value of a call that is kept, or NULL; makes the calls
 * of a loop before it.  What was generated for only some runs is forgotten by resetting
 * g->called.
 */
void find_memos(struct gen *g, struct stmt *body);
unsigned gen_memos(struct gen *g);
const char *gen_memo(struct gen *g, struct expr *e);
void gen_memos_of(struct gen *g, struct stmt *loop);

/* regex.c: =~ and !~; all the script's tables; the most groups any has. */
const char *gen_match(struct gen *g, struct expr *e);
void gen_regexes(struct gen *g);
unsigned most_groups(const struct program *prog);

/* stmt.c */
void gen_stmt(struct gen *g, struct stmt *s);
/* An if: its branches are BODY's. */
void gen_branches(struct gen *g, struct stmt *s, void (*body)(struct gen *, struct stmt *));
/* n statements are paid for, of which this is the first. */
void gen_step(struct gen *g, unsigned n, const struct stmt *first);

/* locals.c: declares locals, numbers 0, strings with their buffers; the strings' worth of
 * scratch that takes. */
void gen_locals(struct gen *g, struct variable *const *v, size_t n);
unsigned locals_scratch(const struct gen *g, struct variable *const *v, size_t n);

/* An array of union st_arg with these operands, of which some are strings: its name. */
const char *gen_args(struct gen *g, const char *const *values, const bool *strings, size_t n);

/* registers.c: are the registers that carry arguments all that P looks at? */
bool args_suffice(const struct session *s, const struct program *prog, const struct probe *p);

/* conditions.c: before any handler, one of which may call them; the scratch they need. */
unsigned gen_conditions(struct gen *g);

/* The locks of P's handler go; before that, what it wrote decides on other probes. */
void gen_unlock(struct gen *g, const struct probe *p);

/* literals.c: sets variable.literal of locals; MAXSTRING: bytes of a string, with the NUL. */
void find_literals(struct program *prog, int64_t maxstring);

/* locked.c: the locks of P's handler, as a table; statements of g->probe's handler, with
 * the locks where they need them; do the values saved at the entry? */
void gen_lock_table(struct gen *g, const struct probe *p);
void gen_locked(struct gen *g, struct stmt *body);
bool entry_needs_locks(struct gen *g, const struct probe *p);

/* function.c */
void gen_function(struct gen *g, struct function *f);

/* The first line of a function: its parameters are v_x, strings s_x. */
void gen_signature(struct gen *g, const struct function *f);

/* embedded.c: a user's embedded C, as a function, a statement, a value, at the top. */
void gen_embedded_function(struct gen *g, struct function *f);
void gen_embedded_stmt(struct gen *g, const struct embedded *e);
const char *gen_embedded_expr(struct gen *g, const struct embedded *e);
void gen_embedded_top(struct gen *g, const struct embedded *e);

#endif
