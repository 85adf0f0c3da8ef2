// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes a handler's locks from the first statement that needs them to the last
 * one.  If that is a single 'if', only the branches that need them take them.
 * So a handler that first checks a condition, and mostly leaves, takes no lock.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "lowering.h"

struct lock_finder {
	const struct probe *probe;
	bool *seen;
	bool found;
};

static void find_locked(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct lock_finder *lf = arg;

	(void)how, (void)e;
	for (size_t i = 0; i < lf->probe->locks.n; i++)
		lf->found |= lf->probe->locks.v[i].var == v;
}

static void find_locked_call(struct function *f, void *arg)
{
	struct lock_finder *lf = arg;

	if (lf->seen[f->index])
		return;
	lf->seen[f->index] = true;
	find_function_uses(f, find_locked, lf);
	find_calls(f->body, find_locked_call, lf);
}

static struct lock_finder new_lock_finder(const struct lowering *lo)
{
	return (struct lock_finder){
		.probe = lo->probe,
		.seen = arena_alloc(lo->prog->functions.n + 1),
	};
}

static bool needs_locks(struct lowering *lo, struct stmt *s)
{
	struct lock_finder lf = new_lock_finder(lo);

	find_uses(s, find_locked, &lf);
	find_calls(s, find_locked_call, &lf);
	return lf.found;
}

static void look_for_locks(struct lock_finder *lf, struct expr *e)
{
	find_expr_uses(e, find_locked, lf);
	find_expr_calls(e, find_locked_call, lf);
}

typedef vec(struct stmt *) stmt_list;

/* Makes one list of the handler's statements, because blocks have no scope. */
static void flatten(struct stmt *s, stmt_list *out)
{
	if (s->kind != S_BLOCK) {
		vec_push(out, s);
		return;
	}
	for (size_t i = 0; i < s->body.n; i++)
		flatten(s->body.v[i], out);
}

/* Is it an 'if' that needs the locks only in its branches? */
static bool locks_in_branches(struct lowering *lo, const struct stmt *s)
{
	struct lock_finder lf = new_lock_finder(lo);

	if (s->kind != S_IF)
		return false;
	look_for_locks(&lf, s->expr);
	return !lf.found;
}

/* Are all statements locked, as before version 4.4? */
static bool locks_all(const struct lowering *lo)
{
	return session_older_than(lo->s, "4.4");
}

/* The statements that hold the locks: from the first that needs them to the last. */
struct held {
	size_t first, last;		/* first is SIZE_MAX if none does */
};

static struct held find_held(struct lowering *lo, const stmt_list *list)
{
	struct held held = { SIZE_MAX, 0 };

	for (size_t i = 0; lo->probe->locks.n && i < list->n; i++) {
		if (!needs_locks(lo, list->v[i]))
			continue;
		held.first = held.first == SIZE_MAX ? i : held.first;
		held.last = i;
	}
	if (held.first != SIZE_MAX && locks_all(lo)) {
		held.first = 0;
		held.last = list->n - 1;
	}
	return held;
}

static void lower_held(struct lowering *lo, struct stmt *const *stmts, size_t n)
{
	struct ir_block *outer;

	lower_touches(lo, stmts, n);
	outer = enter(lo, lower_op(lo, IR_LOCKED), 0);
	check_error(lo);		/* adding up what CPUs have may fail */
	for (size_t i = 0; i < n; i++)
		lower_stmt(lo, stmts[i]);
	lo->at = outer;
	if (lo->probe->decides.n)	/* a condition may have failed */
		check_error(lo);
}

void lower_locked(struct lowering *lo, struct stmt *body)
{
	stmt_list list = { 0 };
	struct held held;

	flatten(body, &list);
	held = find_held(lo, &list);
	if (list.n)
		lower_step(lo, list.n, list.v[0]);
	else
		check_error(lo);
	for (size_t i = 0; i < list.n; i++) {
		if (i != held.first) {
			lower_stmt(lo, list.v[i]);
		} else if (i == held.last && !locks_all(lo) && locks_in_branches(lo, list.v[i])) {
			lower_branches(lo, list.v[i], lower_locked);
		} else {
			lower_held(lo, &list.v[i], held.last - i + 1);
			i = held.last;
		}
	}
}

bool entry_needs_locks(struct lowering *lo, const struct probe *p)
{
	struct lock_finder lf = new_lock_finder(lo);

	for (size_t i = 0; p->locks.n && i < p->saved.n; i++)
		look_for_locks(&lf, p->saved.v[i]->expr);
	return lf.found;
}
