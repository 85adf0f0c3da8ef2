// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes a handler's locks from the first statement that needs them to the last
 * one.  If that is a single 'if', only the branches that need them take them.
 * So a handler that first checks a condition, and mostly leaves, takes no lock.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "gen.h"

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

static struct lock_finder new_lock_finder(const struct gen *g)
{
	return (struct lock_finder){
		.probe = g->probe,
		.seen = arena_alloc(g->prog->functions.n + 1),
	};
}

static bool needs_locks(struct gen *g, struct stmt *s)
{
	struct lock_finder lf = new_lock_finder(g);

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

/* Blocks have no scope, so the handler becomes one list of statements. */
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
static bool locks_in_branches(struct gen *g, const struct stmt *s)
{
	struct lock_finder lf = new_lock_finder(g);

	if (s->kind != S_IF)
		return false;
	look_for_locks(&lf, s->expr);
	return !lf.found;
}

void gen_locked(struct gen *g, struct stmt *body)
{
	const struct probe *p = g->probe;
	bool early = session_older_than(g->s, "4.4");	/* all statements were locked before 4.4 */
	stmt_list list = { 0 };
	size_t first = SIZE_MAX, last = 0;

	flatten(body, &list);
	for (size_t i = 0; p->locks.n && i < list.n; i++) {
		if (!needs_locks(g, list.v[i]))
			continue;
		first = first == SIZE_MAX ? i : first;
		last = i;
	}
	if (first != SIZE_MAX && early) {
		first = 0;
		last = list.n - 1;
	}
	if (list.n)
		gen_step(g, list.n, list.v[0]);
	else
		check_error(g);
	for (size_t i = 0; i < list.n; i++) {
		if (i == first && i == last && !early && locks_in_branches(g, list.v[i])) {
			gen_branches(g, list.v[i], gen_locked);
			continue;
		}
		if (i == first) {
			gen_touches(g, &list.v[first], last - first + 1);
			gen_line(g, "if (st_lock_all(c, st_locks_%u, %zu)) goto out;", p->lock_table,
			     p->locks.n);
			gen_line(g, "locked = 1;");
			check_error(g);		/* adding up what CPUs have may fail */
		}
		gen_stmt(g, list.v[i]);
		if (first != SIZE_MAX && i == last) {
			gen_line(g, "locked = 0;");
			gen_unlock(g, p);
			if (p->decides.n)	/* a condition may have failed */
				check_error(g);
		}
	}
}

bool entry_needs_locks(struct gen *g, const struct probe *p)
{
	struct lock_finder lf = new_lock_finder(g);

	for (size_t i = 0; p->locks.n && i < p->saved.n; i++)
		look_for_locks(&lf, p->saved.v[i]->expr);
	return lf.found;
}

void gen_lock_table(struct gen *g, struct probe *p)
{
	struct sbuf *file = g->out, table = { 0 };

	g->out = &table;
	for (size_t i = 0; i < p->locks.n; i++) {
		const struct variable *v = p->locks.v[i].var;
		const char *name = v->percpu ? arena_printf("&%s", global_name(v)) : "0";

		gen_line(g, "\t{ &st_locks[%u], %d, %s, %s, %s },", v->index, p->locks.v[i].write,
		     v->nkeys > 0 ? name : "0", v->nkeys > 0 ? "0" : name,
		     v->percpu ? near_string(g, arena_printf("identifier '%s'", v->name), v->loc) : "0");
	}
	g->out = file;
	p->lock_table = first_with(&g->lock_tables, sbuf_str(&table), p);
	if (p->lock_table == p->index)
		gen_line(g, "static const struct st_lockref st_locks_%u[] = {\n%s};", p->index,
		     sbuf_str(&table));
	sbuf_free(&table);
}
