/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the interpreter (run.h): a body that runs. */
#ifndef STAP_RUN_INTERNAL_H
#define STAP_RUN_INTERNAL_H

#include "port/port.h"
#include "run.h"

/* A value of a body. */
union run_value {
	st_long i;
	struct st_str s;
	const struct st_stat *stat;
	union st_arg *tuple;
};

/* A local or global variable, or what KEEP keeps.  A global may be the runtime's. */
union run_variable {
	st_long i;
	struct st_strvar s;
	struct st_counter *counter;
	struct st_agg *agg;
	struct st_map *map;
};

/* A loop over an array or a histogram's buckets. */
struct run_loop {
	const struct ir_op *op;
	struct st_iter it;
	unsigned bucket;
	struct run_loop *outer;
};

/* A call of a body: its values and variables, in the context's scratch. */
struct run_frame {
	struct st_ctx *c;
	const struct ir_body *body;
	union run_value *values;	/* these lie in the context's scratch */
	union run_variable *locals, *kept;
	union st_arg *tuples;		/* of TUPLE_OF, each at its n */
	char *floor;			/* strings above are the statement's */
	struct run_loop *loop;		/* the innermost */
	union run_value result;		/* a function's */
};

/* Where control goes after an operation. */
struct run_way {
	enum { RUN_ON, RUN_OUT, RUN_FAILED, RUN_BREAK, RUN_CONTINUE } kind;
	const struct ir_op *to;		/* RUN_FAILED: NULL is the body's end */
};

/* A place that is hit. */
struct run_point {
	struct st_point point;
	const struct ir_place *place;
	int64_t due;			/* of timers: when next (CLOCK_MONOTONIC, ns) */
};

/* A running program: the intermediate program, and the tables made from it. */
struct run_program {
	struct ir_program *ir;
	struct st_program st;		/* a string global's slot is its initial struct st_str, a
					   number's value is in .init */
	struct st_probe *probes;	/* by the IR's numbers */
	struct run_point *points;	/* in the script's order */
	size_t npoints;
};

/* The program that runs, and its globals. */
extern struct run_program *run_program;
extern union run_variable *run_globals;

/* hits.c: what the input probe that is hit was given. */
extern struct st_str run_value;

/* hits.c: sets the contents of the file that is read, or appends to it. */
void run_store(bool append, struct st_str text);

/* exec.c: a handler, or a condition alone, begins; runs a body's block.  A call's ARGS are operands of the
 * frame CALLER. */
void run_begin(void);
void run_body(struct st_ctx *c, const struct ir_body *b);
void run_condition(struct st_ctx *c, unsigned probe);
union run_value run_function(struct run_frame *caller, const struct ir_op *op);

/*
 * terms.c: has it the term, of a program with so many bases?  Evaluates one of these, by the addresses of the program's bases (run.h); a fault is the
 * handler's error.
 */
enum { RUN_INPUTS = 8 };
bool run_has_term(const struct term *t, size_t nbases);
st_long run_term(struct st_ctx *c, const struct term *t, const union run_value *inputs);

/* ops.c: runs an operation without blocks that leads nowhere. */
void run_op(struct run_frame *f, const struct ir_op *op);

/* operands.c; a constant of the probe that runs; "near WHAT at AT" of an operation, or NULL */
const struct ir_constant *run_own(const struct run_frame *f, unsigned constant);
const char *run_near(const struct run_frame *f, const struct ir_op *op);
union run_value run_operand(const struct run_frame *f, const struct ir_operand *o);
union run_variable *run_variable(const struct run_frame *f, const struct ir_operand *o);
void run_assign(union run_variable *v, enum ir_type type, union run_value value);

/*
 * builtins.c: the row of a builtin of the engine, or -1; has it that only beside BPF programs?  Calls a
 * row's function.
 */
int run_builtin_find(const struct ir_function *f);
bool run_is_beside(const struct ir_function *f);
union run_value run_builtin(int row, struct st_ctx *c, const union st_arg *args);

/* tables.c: makes the tables of P's intermediate program. */
void run_make_tables(struct run_program *p);

/* link.c: makes the program ready: tuples, places of errors.  Returns the bytes of scratch
 * that it needs. */
unsigned long run_link(struct run_program *p);

#endif
