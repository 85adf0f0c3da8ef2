/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 2, inside.  elaborate.c drives; the steps, in order:
 *
 *	points.c	probe points → families' probes (aliases, wildcards)
 *	context_vars.c	$vars at each place; @defined folds; places merge
 *	resolve.c	names → variables and functions, library files as needed
 *	counters.c	@perf → the counters
 *	ctypes.c	C types of script values; 'f->x' for a script's f
 *	foreach.c	no array changes under a loop over it
 *	optimize.c	elide: what nothing needs goes (dead.c)
 *	types.c		types, to a fixed point
 *	optimize.c	optimize: constants fold (fold.c), what they decide goes
 *	dump.c		globals written and never read get printed
 *	regexes.c	patterns of =~ are compiled
 *	locks.c		which globals each handler locks
 *	consts.c	@const → numbers, by asking the compiler
 *	finish.c	numbers, bases, what the kernel is known by
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

/* A handler to be: what a script's probe point came to. */
struct derived {
	struct probe *probe;		/* from the family: one site, no body yet */
	const struct probe_decl *decl;	/* the script's */
	vec(struct stmt *) before, after;	/* alias prologues and epilogues, outermost first */
	vec(struct expr *) conditions;
};

typedef vec(struct derived) derived_list;

/* Expands every point of a probe; errors are reported (0, or -1). */
int expand_points(struct session *s, const struct probe_decl *decl, derived_list *out);

/* ---- ../list.c ---- */

/* All places of the script's own probes, without handlers.  0, or -1 (reported). */
int list_places(struct session *s, derived_list *out);

/* Takes from a list of interned texts what another has not. */
void keep_common(text_list *list, const text_list *other);

/* ---- elaborate.c ---- */

/* For a list of what there is: gives the probes that were reached through aliases
 * their handlers, so that their locals have names and types.  0, or -1 (reported). */
int elaborate_aliases(struct session *s, derived_list *list);

/* ---- context_vars.c ---- */

/*
 * Resolves the target variables of a handler at its probe's place, folds
 * @defined and what hangs on it.  The text that tells two places' handlers
 * apart is appended to 'print' (same text: same code).  0, or -1 when one that
 * is needed is not there (reported).
 */
int resolve_targets(struct session *s, struct probe *p, struct sbuf *print);

/* Are there target variables, @defined, @entry… in it at all? */
bool has_targets(const struct stmt *s);

/* Is it attached to the kernel's code?  Then places with equal handlers share one. */
static inline bool is_in_kernel(const struct probe *p)
{
	return p->sites.n && p->sites.v[0].attach != ST_NO_CODE;
}

/* The module a probe lies in; NULL: none. */
const char *own_module(const struct probe *p);

/* @cast, @var, @defined in a function's body. */
int resolve_function_targets(struct session *s, struct function *f);

/* May the target variable be assigned to?  0, or -1 (reported). */
int check_target_write(const struct session *s, const struct expr *e);

/* ---- ctypes.c ---- */

/* Resolves every TV_AUTO and what is left of @defined.  0, or -1 (reported). */
int resolve_ctypes(struct session *s, struct program *prog);

/* ---- resolve.c ---- */

int resolve_probe(struct session *s, struct program *prog, struct probe *p);
int resolve_functions(struct session *s, struct program *prog);	/* until no new ones */
struct variable *find_global(struct session *s, const char *name, const struct source *from);
/* The script's globals with names like this, for "did you mean"; NULL: none. */
const char *near_globals(struct session *s, const char *name);

/* ---- types.c ---- */

int infer_types(struct session *s, struct program *prog);
const char *type_text(enum type t);
const char *describe_expr(const struct expr *e);	/* in messages: "identifier 'x'" */

/* ---- formats.c ---- */

/* Both give how many errors were reported. */
int check_formats(struct program *prog);	/* printf's, before types */
int finish_formats(struct program *prog);	/* print->canonical of all, after */

/* ---- optimize.c ---- */

/*
 * Before types are inferred: what has no effect goes, unless -u.  Sets is_read and
 * is_written of all variables that are left.
 */
void elide(struct session *s, struct program *prog);

/*
 * After it: constants fold, and what they decide goes, unless -u.  Finds the
 * globals that are written and never read.
 */
void optimize(struct session *s, struct program *prog);

/* While types are inferred: what literals decide goes, so that it need not have types. */
void elide_decided(struct session *s, struct program *prog);

/* Functions no handler reaches go. */
void elide_functions(struct program *prog, bool warn);

/* ---- fold.c, dead.c ---- */

/* MAXSTRING: bytes of a string, its NUL included. */
void fold_literals(struct program *prog, int64_t maxstring);
/* LITERALS in conditions decide; with warnings of what users would wonder about. */
void remove_dead(struct program *prog, bool literals, bool warn);

/* ---- effects.c ---- */

/* Does evaluating E do anything but give a value?  Failing counts. */
bool has_effect(struct expr *e);
/* … and does failing not? */
bool has_lasting_effect(struct expr *e);
/* May the assignment itself, its operands aside, fail?  "x /= y" */
bool assignment_may_fail(const struct expr *e);

/* ---- dump.c ---- */

/* Adds an end probe that prints globals written and never read. */
int add_global_dump(struct session *s, struct program *prog);

/* ---- unassigned.c ---- */

void warn_unassigned(const struct program *prog);

/* ---- foreach.c ---- */

/* No array changes while it is iterated over.  0, or -1 (reported). */
int check_foreach(struct program *prog);

/* Gives each sorted foreach its order buffer. */
void number_sorters(struct program *prog);

/* ---- counters.c ---- */

/* Gives every @perf the number of its counter.  0, or -1 (reported). */
int link_counters(struct program *prog);

/* ---- regexes.c ---- */

/* Errors in patterns are reported. */
void compile_regexes(struct program *prog);

/* ---- conditions.c ---- */

/* Nothing but what the script's globals say stands in a condition.  0, or -1
 * (reported). */
int check_conditions(struct program *prog);

/* Sets armed_by of every probe with a condition. */
void share_conditions(struct program *prog);

/* Sets p->decides, p's handler using the globals as use[] says (USE_*). */
void link_conditions(struct program *prog, struct probe *p, const unsigned *use);

/* ---- finish.c ---- */

/* Numbers and bases for all there is; constants, source lines, the kernel's identity. */
void finish(struct session *s, struct program *prog);

/* ---- consts.c ---- */

/* Every @const becomes its number; false: full kbuild must do it. */
bool fold_constants(struct session *s, struct program *prog);

/* ---- locks.c ---- */

void plan_locks(struct program *prog);

#endif
