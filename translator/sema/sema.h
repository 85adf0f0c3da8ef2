/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes of pass 2.  The table at the end of elaborate.c is their order, says
 * which files each is in, what it needs and what it leaves, and is what
 * --dump-passes prints.  print_program.c prints the result for -p2.
 *
 * Functions that return int return 0, or -1 after messages, unless said
 * otherwise.
 */
#ifndef STAP_SEMA_H
#define STAP_SEMA_H

#include "base/sbuf.h"
#include "debuginfo/debuginfo.h"
#include "elaborate.h"
#include "program/program.h"
#include "program/walk.h"
#include "session.h"

/* ---- points.c ---- */

/* A probe that a script's point has led to, with what will make up its handler. */
struct derived {
	struct probe *probe;		/* from the family: one site, no body yet */
	const struct probe_decl *decl;	/* the script's declaration */
	vec(struct stmt *) before, after;	/* alias prologues and epilogues in the order
						   they run */
	vec(struct expr *) conditions;
};

typedef vec(struct derived) derived_list;

/* Adds the probes of each point of a declaration to OUT. */
int sema_expand_points(struct session *s, const struct probe_decl *decl, derived_list *out);

/* ---- elaborate.c ---- */

/*
 * For -L: makes the handlers of probes that were reached through aliases, so
 * that their locals get names and types.
 */
int sema_elaborate_aliases(struct session *s, derived_list *list);

/* ---- calls.c ---- */

/* Returns the file of a source, or NULL for generated text. */
const struct file *file_of(const struct session *s, const struct source *src);

/*
 * Returns the first function that a call tries; the others follow by next_overload.
 * Returns NULL if there is none; *OTHER_ARITY tells whether one takes another number of
 * arguments.
 */
struct function *find_functions(struct session *s, const struct expr *call, bool *other_arity);

/* Is the function declared with a type, or does it have a 'return' with a value? */
bool returns_value(struct function *f);

/* ---- written.c ---- */

/* Does a block assign to NAME, whatever that is? */
bool block_writes(struct stmt *block, const char *name);

/* Replaces @probewrite in a handler by 0 or 1. */
void fold_probewrites(const struct derived *d, struct stmt *body);

/*
 * With -g: adds calls of setters to a handler, for what the probe's own block assigns to
 * variables of its aliases (written.c).
 */
void write_back(struct session *s, const struct derived *d, struct stmt *body);

/* ---- context_calls.c ---- */

/*
 * Does a call from P reach functions that use P's target variables, or @var and @cast that
 * search P's program or module first?  Such functions are copied for P.
 */
bool needs_copies(struct session *s, const struct probe *p, const struct expr *call);

/* Does a function, or one it calls, use target variables of the probes that call it? */
bool uses_target_variables(struct session *s, struct function *f);

/* Returns a copy of a function whose names are not resolved yet. */
struct function *copy_function(const struct function *f);

/* ---- context_vars.c ---- */

/*
 * Resolves the target variables of a probe's body at its place, and folds
 * @defined.  Appends a key to PRINT; places with equal keys get the same code.
 */
int resolve_targets(struct session *s, struct probe *p, struct sbuf *print);

/*
 * Does BODY contain target variables, @defined, @entry or the like, or call a function that
 * is copied for P?
 */
bool has_targets(struct session *s, const struct probe *p, const struct stmt *body);

/* Is the probe in the kernel's code?  There, places with equal handlers share one handler. */
static inline bool is_in_kernel(const struct probe *p)
{
	return p->sites.n && p->sites.v[0].attach != ST_NO_CODE;
}

/* Returns the module that a probe is in, or NULL. */
const char *own_module(const struct probe *p);

/* Resolves @cast, @var and @defined in a function's body. */
int resolve_function_targets(struct session *s, struct function *f);

/* Reports target variables that don't exist and that the program still reads. */
int report_unresolved(struct program *prog);

/* Checks that a target variable may be assigned to. */
int check_target_write(const struct session *s, const struct expr *e);

/* ---- ctypes.c ---- */

/* Does TV depend on the C type of a script value? */
static inline bool needs_ctype(const struct target_var *tv)
{
	return tv->kind == TV_AUTO || (tv->kind == TV_ENUMNAME && !tv->name);
}

/* Resolves every TV_AUTO, and the @defined operators that are left. */
int resolve_ctypes(struct session *s, struct program *prog);

/* ---- resolve.c ---- */

int resolve_probe(struct session *s, struct program *prog, struct probe *p);
int resolve_functions(struct session *s, struct program *prog);	/* Resolves new functions until
								   there are no more. */
struct variable *find_global(struct session *s, const char *name, const struct source *from);
/* Returns globals of the script with similar names, or NULL. */
const char *near_globals(struct session *s, const char *name);

/* ---- types.c ---- */

int infer_types(struct session *s, struct program *prog);
const char *type_text(enum type t);
const char *describe_expr(const struct expr *e);	/* Returns an expression as messages name
							   it: "identifier 'x'". */

/* ---- formats.c ---- */

/* Both return the number of errors. */
int check_formats(struct program *prog);	/* printf's formats, before types */
int finish_formats(struct program *prog);	/* sets print->canonical, after types */

/* ---- optimize.c ---- */

/*
 * Removes code without effect before types are inferred, unless -u.  Sets is_read and
 * is_written of the remaining variables.
 */
void elide(struct session *s, struct program *prog);

/*
 * Folds constants after types are inferred, and removes the code they rule out,
 * unless -u.  Finds the globals that are written and never read.
 */
void sema_optimize(struct session *s, struct program *prog);

/* Removes code that literals rule out, while types are inferred, so that it needs no types. */
void elide_decided(struct session *s, struct program *prog);

/* Removes functions that no handler reaches. */
void elide_functions(struct program *prog, bool warn);

/* ---- fold.c, dead.c ---- */
/* Folds constants.  MAXSTRING is the size of a string with its NUL. */
void fold_literals(struct program *prog, int64_t maxstring);
/*
 * Removes dead code.  With LITERALS, also branches that a literal condition rules out.
 * With WARN, warns about what it removes from the user's files.
 */
void remove_dead(struct program *prog, bool literals, bool warn);

/* ---- effects.c ---- */

/* Does evaluating E do more than give a value?  That it may fail is an effect. */
bool has_effect(struct expr *e);
/* The same, but that it may fail is no effect. */
bool has_lasting_effect(struct expr *e);
/* Does E have an effect besides its operands' effects?  LASTING: failing is none. */
bool acts_itself(const struct expr *e, bool lasting);
/* Decides for every function whether it has effects. */
void note_effects(struct program *prog);
/* May the assignment fail by itself, as "x /= y" may? */
bool assignment_may_fail(const struct expr *e);

/* ---- saved.c ---- */

/* Drops the entry values of return probes that no code reads. */
void drop_unused_saved(struct program *prog);

/* ---- dump.c ---- */

/* Adds end probes that print the globals that are written and never read. */
int add_global_dump(struct session *s, struct program *prog);

/* ---- unassigned.c ---- */

void warn_unassigned(struct session *s, const struct program *prog);

/* ---- depth.c ---- */

/* Refuses calls that are nested too deeply for this program's own stack. */
int check_call_depth(const struct program *prog);

/* ---- foreach.c ---- */

/* Checks that no array changes while a foreach iterates over it. */
int check_foreach(struct program *prog);

/* Numbers the order buffers of each array's sorted loops. */
void number_sorters(struct program *prog);

/* ---- counters.c ---- */

/* Sets the counter of every @perf. */
int link_counters(struct program *prog);

/* ---- regexes.c ---- */

/* Compiles the script's patterns into prog->regexes; reports their errors. */
void compile_regexes(struct program *prog);

/* ---- conditions.c ---- */

/* Checks that conditions depend on globals only. */
int check_conditions(struct program *prog);

/* Sets armed_by of every probe with a condition. */
void share_conditions(struct program *prog);

/* Sets p->decides.  USE has the USE_* bits of p's handler for each global, by index. */
void link_conditions(struct program *prog, struct probe *p, const unsigned *use);

/* ---- registers.c ---- */

/* Sets p->args_only. */
void note_registers(const struct session *s, struct program *prog);

/* ---- finish.c ---- */

/*
 * Numbers probes and places, folds @const, and fills in the program's bases,
 * tables of source lines, anchor and build-id.  Debug information isn't needed
 * after it.
 */
void sema_finish(struct session *s, struct program *prog);

/* ---- facts.c ---- */

/*
 * Finds out how an engine without the kernel's headers follows processes: fills in PROG->tasks.  What is not
 * found it refuses.  sema_finish() does this for --runtime=bpf; it is to be done before BPF is chosen otherwise.
 */
void sema_note_tasks(struct session *s, struct program *prog);

/* ---- consts.c ---- */

/* Replaces every @const by its number.  Returns false if only full kbuild can compile them. */
bool fold_constants(struct session *s, struct program *prog);

/* ---- locks.c ---- */

void plan_locks(struct program *prog);

#endif
