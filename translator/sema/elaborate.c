// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 2: the driver.
 *
 * Each probe of the script is expanded to places.  Each place gets a handler of
 * its own: a copy of the body inside its aliases' blocks, in which target
 * variables are resolved at that place.  Places whose handlers come out the
 * same share one: thousands of functions with the same body cost one C
 * function.  Then names, types and locks are resolved for the whole program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "debuginfo/debuginfo.h"
#include "lang/lang.h"
#include "probes/family.h"
#include "program/uses.h"
#include "sema.h"

/* ---- handlers and their places ----------------------------------------- */

/*
 * A handler made for the current declaration, with a text that is equal for
 * handlers that can be shared.
 */
struct alike {
	char *key;
	struct probe *probe;
};

struct maker {
	struct session *s;
	struct program *prog;
	vec(struct alike) alike;
	struct table table;		/* of 'alike', by key */
	vec(struct expr *) conditions;	/* the last handler's, and the expression they were
					   joined into */
	struct expr *condition;
	int failed;
};

/* Returns the handler with this key; if there is none, enters P and returns NULL. */
static struct probe *find_alike(struct maker *m, const char *key, struct probe *p)
{
	uint32_t hash = table_hash_string(key);

	table_for_each(&m->table, hash, i)
		if (!strcmp(m->alike.v[i].key, key))
			return m->alike.v[i].probe;
	vec_push(&m->alike, ((struct alike){ arena_strdup(key), p }));
	table_add(&m->table, hash, m->alike.n - 1);
	return NULL;
}

/* ---- handlers ---------------------------------------------------------- */

static struct stmt *stitch(struct session *s, const struct derived *d)
{
	struct stmt *body = stmt_new(S_BLOCK, d->decl->loc);

	for (size_t i = 0; i < d->before.n; i++)
		vec_push(&body->body, stmt_copy(d->before.v[i]));
	vec_push(&body->body, stmt_copy(d->decl->body));
	write_back(s, d, body);
	for (size_t i = 0; i < d->after.n; i++)
		vec_push(&body->body, stmt_copy(d->after.v[i]));
	fold_probewrites(d, body);
	return body;
}

/*
 * Joins the conditions of a point and its aliases by &&.  Handlers of one
 * declaration with the same conditions share the result.
 */
static struct expr *all_conditions(struct maker *m, const struct derived *d)
{
	struct expr *all = NULL;

	if (!d->conditions.n)
		return NULL;
	if (d->conditions.n == m->conditions.n &&
	    !memcmp(d->conditions.v, m->conditions.v, d->conditions.n * sizeof(struct expr *)))
		return m->condition;

	for (size_t i = 0; i < d->conditions.n; i++) {
		struct expr *one = expr_copy(d->conditions.v[i]);

		if (all) {
			struct expr *both = expr_new(E_BINARY, one->loc);

			both->op = OP_LAND;
			both->a = all;
			both->b = one;
			one = both;
		}
		all = one;
	}
	m->conditions.n = 0;
	for (size_t i = 0; i < d->conditions.n; i++)
		vec_push(&m->conditions, d->conditions.v[i]);
	m->condition = all;
	return all;
}

/*
 * Appends to KEY what, besides target variables, must be equal for two handlers of one
 * declaration to share code.
 */
static void describe_way(struct sbuf *key, const struct derived *d)
{
	const struct probe *p = d->probe;

	sbuf_printf(key, "%p %d", (void *)p->family, p->sites.v[0].attach);
	for (size_t i = 0; i < d->before.n; i++)
		sbuf_printf(key, " %p", (void *)d->before.v[i]);
	for (size_t i = 0; i < d->after.n; i++)
		sbuf_printf(key, " +%p", (void *)d->after.v[i]);
	for (size_t i = 0; i < d->conditions.n; i++)
		sbuf_printf(key, " ?%p", (void *)d->conditions.v[i]);
	sbuf_putc(key, '\n');
}

static bool derived_has_targets(struct session *s, const struct derived *d)
{
	bool found = has_targets(s, d->probe, d->decl->body);

	for (size_t i = 0; !found && i < d->before.n; i++)
		found = has_targets(s, d->probe, d->before.v[i]);
	for (size_t i = 0; !found && i < d->after.n; i++)
		found = has_targets(s, d->probe, d->after.v[i]);
	return found;
}

static void make_handler(struct maker *m, struct derived *d)
{
	struct probe *p = d->probe;
	struct sbuf key = { 0 };
	bool merge = is_in_kernel(p), targets = derived_has_targets(m->s, d);

	if (merge)
		describe_way(&key, d);
	if (merge && !targets) {
		struct probe *same = find_alike(m, sbuf_str(&key), p);

		if (same) {
			vec_push(&same->sites, p->sites.v[0]);
			sbuf_free(&key);
			return;
		}
	}
	p->body = stitch(m->s, d);
	p->condition = all_conditions(m, d);
	if (targets && resolve_targets(m->s, p, merge ? &key : NULL) < 0) {
		m->failed = -1;
		sbuf_free(&key);
		return;
	}
	if (merge && targets) {
		struct probe *same = find_alike(m, sbuf_str(&key), p);

		if (same) {
			vec_push(&same->sites, p->sites.v[0]);
			sbuf_free(&key);
			return;
		}
	}
	sbuf_free(&key);
	p->index = m->prog->probes.n;
	vec_push(&m->prog->probes, p);
}

enum { MAX_TARGET_ERRORS = 20 };

static int make_handlers(struct session *s, struct program *prog, struct probe_decl *decl)
{
	struct maker m = { .s = s, .prog = prog };
	derived_list list = { 0 };

	if (sema_expand_points(s, decl, &list) < 0)
		return -1;
	unsigned errors = diag_errors;

	for (size_t i = 0; i < list.n && diag_errors - errors < MAX_TARGET_ERRORS &&
	     !session_interrupted(); i++)
		make_handler(&m, &list.v[i]);
	return session_interrupted() ? -1 : m.failed;
}

/* ---- session options that touch globals -------------------------------- */

static int set_global(struct session *s, const struct define *d)
{
	struct variable *v = find_global(s, intern(d->name), s->files.v[0]->src);
	char *end;

	if (!v || v->nkeys > 0) {
		const char *near = v ? NULL : near_globals(s, d->name);

		diag(DIAG_ERROR, "-G %s=%s: there is no scalar global '%s'", d->name,
		     d->value, d->name);
		if (near)
			diag_hint("did you mean: %s", near);
		return -1;
	}
	errno = 0;

	int64_t n = strtoll(d->value, &end, 0);
	bool number = *d->value && !*end && !errno;

	if (v->init && v->init->kind == E_NUM && !number) {
		diag(DIAG_ERROR, "-G %s=%s: '%s' is a number", d->name, d->value, d->name);
		return -1;
	}
	if (v->init ? v->init->kind == E_NUM : number)
		v->init = expr_num(n, v->loc);
	else
		v->init = expr_str(intern(d->value), v->loc);
	return 0;
}

/* ---- the program ------------------------------------------------------------- */

static void add_user_functions(struct session *s, struct program *prog)
{
	for (size_t i = 0; i < s->files.n; i++) {
		for (size_t j = 0; j < s->files.v[i]->functions.n; j++) {
			struct function *f = s->files.v[i]->functions.v[j];

			if (f->used || f->copied || uses_target_variables(s, f))
				continue;
			vec_push(&prog->functions, f);
			f->used = true;
		}
	}
}

static void note_embedded_c(struct session *s, struct program *prog)
{
	for (size_t i = 0; i < s->files.n; i++)
		for (size_t j = 0; j < s->files.v[i]->embeds.n; j++)
			vec_push(&prog->embeds, s->files.v[i]->embeds.v[j]);
	for (size_t i = 0; i < s->library_files.n; i++)
		for (size_t j = 0; j < s->library_files.v[i]->embeds.n; j++)
			vec_push(&prog->embeds, s->library_files.v[i]->embeds.v[j]);
	for (size_t i = 0; i < prog->embeds.n; i++)
		prog->needs_kernel_headers |= !prog->embeds.v[i]->directives;
	for (size_t i = 0; i < prog->functions.n; i++) {
		prog->needs_kernel_headers |= prog->functions.v[i]->embedded != NULL;
		prog->needs_kernel_headers |= has_embedded_c(prog->functions.v[i]->body);
	}
	for (size_t i = 0; i < prog->probes.n; i++)
		prog->needs_kernel_headers |= has_embedded_c(prog->probes.v[i]->body) ||
					      has_embedded_expr(prog->probes.v[i]->condition);
}

static int elaborate_probes(struct session *s, struct program *prog)
{
	int failed = 0;

	for (size_t i = 0; i < s->files.n; i++)
		for (size_t j = 0; j < s->files.v[i]->probes.n; j++)
			failed |= make_handlers(s, prog, s->files.v[i]->probes.v[j]);
	/* Library files may have probes of their own, which may load more library files. */
	for (size_t i = 0; i < s->library_files.n; i++)
		for (size_t j = 0; j < s->library_files.v[i]->probes.n; j++)
			failed |= make_handlers(s, prog, s->library_files.v[i]->probes.v[j]);
	return failed;
}

static int resolve_names(struct session *s, struct program *prog)
{
	size_t files = s->library_files.n;
	int failed = 0;

	add_user_functions(s, prog);
	for (size_t i = 0; i < prog->probes.n; i++) {
		if (session_interrupted())
			return -1;
		failed |= resolve_probe(s, prog, prog->probes.v[i]);
	}
	failed |= resolve_functions(s, prog);
	/* Resolving names may have loaded library files with probes. */
	for (; !failed && files < s->library_files.n; files++) {
		for (size_t j = 0; j < s->library_files.v[files]->probes.n; j++) {
			size_t first = prog->probes.n;

			failed |= make_handlers(s, prog, s->library_files.v[files]->probes.v[j]);
			for (; first < prog->probes.n; first++)
				failed |= resolve_probe(s, prog, prog->probes.v[first]);
		}
		failed |= resolve_functions(s, prog);
	}
	return failed ? failed : check_call_depth(prog);
}

/* Runs the families' checks on all their probes together. */
static int check_families(struct session *s, struct program *prog)
{
	int failed = 0;

	for (const struct probe_family *const *f = probe_families; *f; f++) {
		vec(struct probe *) own = { 0 };

		for (size_t i = 0; (*f)->check && i < prog->probes.n; i++)
			if (prog->probes.v[i]->family == *f)
				vec_push(&own, prog->probes.v[i]);
		if (own.n)
			failed |= (*f)->check(s, own.v, own.n);
	}
	return failed;
}

int sema_elaborate_aliases(struct session *s, derived_list *list)
{
	struct program *prog = arena_new(struct program);
	int failed = 0;

	for (size_t i = 0; i < list->n && !session_interrupted(); i++) {
		struct derived *d = &list->v[i];

		if (!d->before.n && !d->after.n)
			continue;
		d->probe->body = stitch(s, d);
		if (has_targets(s, d->probe, d->probe->body))
			failed |= resolve_targets(s, d->probe, NULL);
		vec_push(&prog->probes, d->probe);
	}
	if (failed || session_interrupted())
		return -1;
	return prog->probes.n && (resolve_names(s, prog) < 0 || resolve_ctypes(s, prog) < 0 ||
				  infer_types(s, prog) < 0) ? -1 : 0;
}

/* ---- the passes ---------------------------------------------------------- */

/* Makes places and handlers.  If some fail, it reports all mistakes at once. */
static int make_probes(struct session *s, struct program *prog)
{
	int failed = 0;

	for (size_t i = 0; i < s->options.globals.n; i++)
		failed |= set_global(s, &s->options.globals.v[i]);
	failed |= elaborate_probes(s, prog);
	if (failed) {
		report_unresolved(prog);
		if (s->options.keep_going)
			resolve_names(s, prog);		/* for its messages */
	} else if (!prog->probes.n) {
		diag(DIAG_SEMANTIC_ERROR, "no probes found");
		failed = -1;
	}
	return failed;
}

static int check_own(struct session *s, struct program *prog)
{
	return check_families(s, prog) < 0 || session_interrupted() ? -1 : 0;
}

static int drop_functions(struct session *s, struct program *prog)
{
	if (!s->options.unoptimized)
		elide_functions(prog, s->verbose > 2);
	return 0;
}

/* On failure it also reports unresolved variables, because they may be the reason. */
static int resolve_counters_and_ctypes(struct session *s, struct program *prog)
{
	if (link_counters(prog) == 0 && resolve_ctypes(s, prog) == 0)
		return 0;
	report_unresolved(prog);
	return -1;
}

/* Warns about unassigned variables; this must come before any pass that removes code. */
static int note_uses(struct session *s, struct program *prog)
{
	mark_uses(prog);
	warn_unassigned(s, prog);
	return 0;
}

static int check_loops(struct session *s, struct program *prog)
{
	(void)s;
	return check_foreach(prog) < 0 || check_conditions(prog) < 0 ? -1 : 0;
}

static int drop_dead_code(struct session *s, struct program *prog)
{
	elide(s, prog);
	return report_unresolved(prog);
}

static int optimize(struct session *s, struct program *prog)
{
	sema_optimize(s, prog);
	if (prog->probes.n)
		return 0;
	diag(DIAG_SEMANTIC_ERROR, "no probes found");
	diag_hint("none of the script's probes has an effect; -u keeps them");
	return -1;
}

static int make_regexes(struct session *s, struct program *prog)
{
	(void)s;
	compile_regexes(prog);
	return diag_errors ? -1 : 0;
}

static int plan(struct session *s, struct program *prog)
{
	number_sorters(prog);
	plan_locks(prog);
	note_effects(prog);
	note_embedded_c(s, prog);
	note_registers(s, prog);
	return 0;
}

static int finish(struct session *s, struct program *prog)
{
	sema_finish(s, prog);
	return 0;
}

/* A pass over the whole program.  RUN returns 0, or -1 after messages. */
struct pass {
	const char *name, *files;
	const char *needs, *leaves;
	int (*run)(struct session *s, struct program *prog);
};

static const struct pass passes[] = {
	{ "probes", "points.c context_vars.c context_calls.c written.c", "the files of pass 1",
	  "a handler for each place, its $variables resolved; equal ones are one", make_probes },
	{ "names", "resolve.c calls.c formats.c depth.c", "handlers",
	  "variables and functions; the library's files that define them", resolve_names },
	{ "families", "../probes/", "all probes with their names", "what a family checks of its own",
	  check_own },
	{ "functions", "optimize.c", "names", "no function that nothing calls", drop_functions },
	{ "ctypes", "counters.c ctypes.c", "names", "counters of @perf; C types of script values, @defined",
	  resolve_counters_and_ctypes },
	{ "functions again", "optimize.c", "@defined", "no function that only removed code called",
	  drop_functions },
	{ "uses", "unassigned.c ../program/uses.c", "names",
	  "which variables are read and written; warnings", note_uses },
	{ "loops", "foreach.c conditions.c", "uses", "no array that changes under its loop; conditions of globals",
	  check_loops },
	{ "dead code", "optimize.c dead.c effects.c", "uses", "no code without effect", drop_dead_code },
	{ "types", "types.c formats.c", "names, no dead code", "a type for each value, or a message",
	  infer_types },
	{ "folding", "optimize.c fold.c dead.c saved.c", "types",
	  "constants computed; no code that they rule out", optimize },
	{ "dump", "dump.c", "uses", "end probes that print globals nobody reads", add_global_dump },
	{ "regexes", "regexes.c ../regex/", "types", "tables of the patterns of =~", make_regexes },
	{ "plan", "foreach.c locks.c effects.c registers.c", "the final code",
	  "order buffers, locks, effects, registers", plan },
	{ "finish", "finish.c facts.c consts.c conditions.c", "the final probes",
	  "numbers, bases, @const, source lines, anchor; debug information is done with", finish },
};

void sema_dump_passes(FILE *out)
{
	for (size_t i = 0; i < sizeof(passes) / sizeof(*passes); i++)
		fprintf(out, "%-16s %s\n\tneeds:  %s\n\tleaves: %s\n", passes[i].name,
			passes[i].files, passes[i].needs, passes[i].leaves);
}

struct program *sema_elaborate(struct session *s)
{
	struct program *prog = arena_new(struct program);

	s->target = target_open(s);
	for (size_t i = 0; i < sizeof(passes) / sizeof(*passes); i++)
		if (passes[i].run(s, prog) < 0)
			return NULL;
	return prog;
}
