// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The optimiser.  It works in two steps, as SystemTap's does, because scripts
 * may depend on that.
 *
 * Before type inference, code without effect is removed (dead.c), so it needs
 * no types.  After it, constants are folded (fold.c) and the code that they
 * rule out is removed.  So in "if (0) x = 1", x becomes a number before the
 * assignment goes.  If a variable gets no type, the second step is tried earlier,
 * because it may remove the code that needs one.  After each step,
 * functions and globals that nothing uses are removed.
 *
 * With -u the program stays whole and behaves the same, with one exception: a
 * global that only dead code reads counts as never read, and is printed at the
 * end.  To find these, the second step then works on copies.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "sema.h"

/* ---- unused functions and variables ------------------------------------------ */

static void note_reached(struct function *f, void *arg)
{
	(void)arg;
	if (f->used)
		return;
	f->used = true;
	if (f->body)
		find_calls(f->body, note_reached, NULL);
}

void elide_functions(struct program *prog, bool warn)
{
	size_t kept = 0;

	for (size_t i = 0; i < prog->functions.n; i++)
		prog->functions.v[i]->used = false;
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		find_calls(p->body, note_reached, NULL);
		find_expr_calls(p->condition, note_reached, NULL);
		for (size_t j = 0; j < p->saved.n; j++)
			find_expr_calls(p->saved.v[j]->expr, note_reached, NULL);
	}
	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *f = prog->functions.v[i];

		if (f->used)
			prog->functions.v[kept++] = f;
		else if (warn && !f->file->library)
			diag_at(DIAG_WARNING, f->loc,
				"Eliding unused function '%s': identifier '%s'", f->name, f->name);
	}
	prog->functions.n = kept;
}

static void say_unused(const struct variable *v)
{
	if (v->loc.src && !v->loc.src->library)
		diag_at(DIAG_WARNING, v->loc, "Eliding unused variable '%s': identifier '%s'",
			v->name, v->name);
}

/* Removes globals that nothing mentions any more. */
static void elide_globals(struct program *prog, bool warn)
{
	size_t kept = 0;

	for (size_t i = 0; i < prog->globals.n; i++) {
		struct variable *v = prog->globals.v[i];

		if (v->is_read || v->is_written)
			prog->globals.v[kept++] = v;
		else if (warn)
			say_unused(v);
	}
	prog->globals.n = kept;
}

static size_t keep_used(struct variable **v, size_t n, bool warn)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (v[i]->used)
			v[kept++] = v[i];
		else if (warn)
			say_unused(v[i]);
	}
	return kept;
}

static void elide_locals(struct program *prog, bool warn)
{
	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *f = prog->functions.v[i];

		f->locals.n = keep_used(f->locals.v, f->locals.n, warn);
	}
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		p->locals.n = keep_used(p->locals.v, p->locals.n, warn);
	}
}

/* ---- globals that are never read --------------------------------------------- */

static void note_unread(struct program *prog)
{
	for (size_t i = 0; i < prog->globals.n; i++) {
		struct variable *v = prog->globals.v[i];

		v->unread = v->is_written && !v->is_read;
	}
}

/* ---- -u ---------------------------------------------------------------- */

/* Copies a program: the same variables, new bodies. *OLD gets the old bodies. */
static struct program copy_program(const struct program *prog, struct stmt ***old)
{
	size_t nf = prog->functions.n, np = prog->probes.n;
	struct program copy = *prog;

	*old = arena_alloc((nf + np + 1) * sizeof(**old));
	copy.functions.v = arena_alloc((nf + 1) * sizeof(*copy.functions.v));
	copy.probes.v = arena_alloc((np + 1) * sizeof(*copy.probes.v));
	for (size_t i = 0; i < nf; i++) {
		copy.functions.v[i] = prog->functions.v[i];
		(*old)[i] = prog->functions.v[i]->body;
		prog->functions.v[i]->body = stmt_copy((*old)[i]);
	}
	for (size_t i = 0; i < np; i++) {
		copy.probes.v[i] = prog->probes.v[i];
		(*old)[nf + i] = prog->probes.v[i]->body;
		prog->probes.v[i]->body = stmt_copy((*old)[nf + i]);
	}
	return copy;
}

static void use_all(struct variable *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i]->used = true;
}

static void restore_bodies(struct program *prog, struct stmt *const *old)
{
	for (size_t i = 0; i < prog->functions.n; i++) {
		prog->functions.v[i]->body = *old++;
		use_all(prog->functions.v[i]->locals.v, prog->functions.v[i]->locals.n);
	}
	for (size_t i = 0; i < prog->probes.n; i++) {
		prog->probes.v[i]->body = *old++;
		use_all(prog->probes.v[i]->locals.v, prog->probes.v[i]->locals.n);
	}
}

/* ---- the steps ----------------------------------------------------------------- */

static int64_t max_string(struct session *s)
{
	int64_t most;

	diag_quiet_begin();		/* pass 3 reports a bad limit */
	most = session_maxstring(s);
	diag_quiet_end();
	return most;
}

void elide(struct session *s, struct program *prog)
{
	if (!s->options.unoptimized) {
		remove_dead(prog, false, true);
		drop_unused_saved(prog);
		elide_functions(prog, s->verbose > 2);
	}
	mark_uses(prog);
	if (!s->options.unoptimized)
		elide_globals(prog, s->verbose > 2);
}

void elide_decided(struct session *s, struct program *prog)
{
	fold_literals(prog, max_string(s));
	remove_dead(prog, true, true);
	elide_functions(prog, s->verbose > 2);
	mark_uses(prog);
}

static void fold_and_elide(struct session *s, struct program *prog, bool warn)
{
	fold_literals(prog, max_string(s));
	remove_dead(prog, true, warn);
	elide_functions(prog, warn && s->verbose > 2);
	mark_uses(prog);
	note_unread(prog);
}

void sema_optimize(struct session *s, struct program *prog)
{
	struct program copy;
	struct stmt **old;

	if (s->options.unoptimized) {
		copy = copy_program(prog, &old);
		fold_and_elide(s, &copy, false);
		restore_bodies(prog, old);
		mark_uses(prog);
		return;
	}
	fold_and_elide(s, prog, true);
	elide_globals(prog, s->verbose > 2);
	elide_locals(prog, s->verbose > 2);
}
