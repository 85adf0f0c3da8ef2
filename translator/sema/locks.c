// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans locks: the globals that each handler locks.
 *
 * Begin and end handlers run alone and need no locks.  A global that no other
 * handler changes needs none either, nor does a global of a single handler that
 * never runs concurrently with itself, such as a timer's.  A global that
 * handlers only add to (n++, +=, <<<) is kept per CPU, and adding takes no
 * lock.  Reading or deleting a per-CPU map takes the lock and drains the CPUs'
 * parts (runtime/data/map.h); a per-CPU scalar is summed without a lock.
 *
 * All handlers take locks in the order of prog->globals, so they can't
 * deadlock.
 */
#include "base/arena.h"
#include "probes/family.h"
#include "program/uses.h"
#include "sema.h"

struct planner {
	struct program *prog;
	unsigned *use;			/* by global: USE_* of the current body */
	bool *seen;			/* by function index: already examined */
};

static void note_use(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct planner *pl = arg;

	(void)e;
	if (v->is_global)
		pl->use[v->index] |= how;
}

static void note_call(struct function *f, void *arg)
{
	struct planner *pl = arg;

	if (pl->seen[f->index])
		return;
	pl->seen[f->index] = true;
	find_function_uses(f, note_use, pl);
	find_calls(f->body, note_call, pl);
}

static void note_condition_use(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct planner *pl = arg;

	(void)how, (void)e;
	if (v->is_global)
		pl->use[v->index] |= USE_READ;
}

/*
 * Collects in pl->use what a handler and the functions it calls do to each global.  Its
 * entry values count even if the body no longer reads them, and so do the conditions of
 * other probes, which it evaluates after changing a global in them.
 */
static void uses_of(struct planner *pl, struct probe *p)
{
	for (size_t i = 0; i < pl->prog->globals.n; i++)
		pl->use[i] = 0;
	for (size_t i = 0; i < pl->prog->functions.n; i++)
		pl->seen[i] = false;
	find_uses(p->body, note_use, pl);
	find_calls(p->body, note_call, pl);
	for (size_t i = 0; i < p->saved.n; i++) {
		find_expr_uses(p->saved.v[i]->expr, note_use, pl);
		find_expr_calls(p->saved.v[i]->expr, note_call, pl);
	}
	link_conditions(pl->prog, p, pl->use);
	for (size_t i = 0; i < p->decides.n; i++)
		find_expr_uses(p->decides.v[i]->condition, note_condition_use, pl);
}

/*
 * Can the global be kept per CPU?  Not if a handler reads it at each hit, because reading drains
 * the CPUs' parts.
 */
static bool can_be_percpu(const struct variable *v, unsigned concurrent, bool mixed)
{
	if (v->type == T_STATS)
		return true;
	return v->type == T_LONG && !v->wrap && (concurrent & USE_ADD) && !mixed &&
	       (!(concurrent & USE_WRITE) || (v->nkeys > 0 && !(concurrent & USE_SET)));
}

static bool lock_of(const struct variable *v, unsigned use, bool *write)
{
	if (v->percpu) {
		/* draining needs the write lock; a scalar is summed without a lock */
		*write = true;
		return (use & (USE_READ | USE_WRITE)) && (v->nkeys || v->type == T_STATS);
	}
	*write = (use & (USE_WRITE | USE_ADD | USE_SORT)) != 0;
	return use != 0;
}

static void lock_probe(struct planner *pl, struct probe *p)
{
	uses_of(pl, p);
	for (size_t i = 0; i < pl->prog->globals.n; i++) {
		struct variable *v = pl->prog->globals.v[i];
		struct lock_use lu = { .var = v };

		if (v->needs_lock && lock_of(v, pl->use[i], &lu.write))
			vec_push(&p->locks, lu);
	}
}

/*
 * Does the handler never run concurrently with itself?  Probes that arm others
 * evaluate conditions after unlocking, so they don't qualify.
 */
static bool is_solitary(const struct probe *p)
{
	return p->family->solitary && p->sites.n == 1 && !p->decides.n;
}

void plan_locks(struct program *prog)
{
	size_t n = prog->globals.n;
	struct planner pl = {
		.prog = prog,
		.use = arena_alloc((n + 1) * sizeof(unsigned)),
		.seen = arena_alloc((prog->functions.n + 1) * sizeof(bool)),
	};
	unsigned *concurrent = arena_alloc((n + 1) * sizeof(unsigned));
	unsigned *users = arena_alloc((n + 1) * sizeof(unsigned));
	bool *mixed = arena_alloc((n + 1) * sizeof(bool));

	for (size_t i = 0; i < n; i++)
		prog->globals.v[i]->index = i;
	for (size_t i = 0; i < prog->functions.n; i++)
		prog->functions.v[i]->index = i;
	share_conditions(prog);
	for (size_t i = 0; i < prog->probes.n; i++) {
		if (prog->probes.v[i]->family->serial)
			continue;
		uses_of(&pl, prog->probes.v[i]);
		for (size_t g = 0; g < n; g++) {
			concurrent[g] |= pl.use[g];
			users[g] += !pl.use[g] ? 0 : is_solitary(prog->probes.v[i]) ? 1 : 2;
			mixed[g] |= (pl.use[g] & USE_ADD) &&
				    (pl.use[g] & (USE_READ | USE_WRITE));
		}
	}
	for (size_t g = 0; g < n; g++) {
		struct variable *v = prog->globals.v[g];

		/* a statistic is always per CPU, and merging its parts takes the lock */
		if (users[g] == 1 && v->type != T_STATS)
			continue;
		v->percpu = can_be_percpu(v, concurrent[g], mixed[g]);
		v->needs_lock = (concurrent[g] & (USE_WRITE | USE_ADD)) ||
				(concurrent[g] & USE_SORT) ||
				(v->percpu && (concurrent[g] & USE_READ));
	}
	for (size_t i = 0; i < prog->probes.n; i++)
		if (!prog->probes.v[i]->family->serial)
			lock_probe(&pl, prog->probes.v[i]);
}
