// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the tables of what probes lock, and the locking. */
#include "base/arena.h"
#include "gen.h"

static void put_lock(struct gen *g, const struct ir_lock *l)
{
	const struct ir_global *v = &g->ir->globals.v[l->global];
	const char *slot = v->percpu ? arena_printf("&%s", global_text(g, l->global)) : "0";
	bool is_map = v->keys.n > 0;

	gen_line(g, "\t{ &st_locks[%u], %d, %s, %s, %s },", l->global, l->write,
		 is_map ? slot : "0", is_map ? "0" : slot,
		 v->percpu ? c_near(arena_printf("identifier '%s'", v->name), v->at) : "0");
}

static bool lock_the_same(const struct ir_body *a, const struct ir_body *b)
{
	size_t i = 0;

	while (i < a->locks.n && i < b->locks.n && a->locks.v[i].global == b->locks.v[i].global &&
	       a->locks.v[i].write == b->locks.v[i].write)
		i++;
	return i == a->locks.n && i == b->locks.n;
}

void gen_lock_table(struct gen *g, const struct ir_body *body)
{
	if (!body->locks.n)
		return;
	for (size_t i = 0; i < g->lock_tables.n; i++)
		if (lock_the_same(g->lock_tables.v[i], body)) {
			g->lock_table = g->lock_tables.v[i]->number;
			return;
		}
	vec_push(&g->lock_tables, body);
	g->lock_table = body->number;
	gen_line(g, "static const struct st_lockref st_locks_%u[] = {", body->number);
	for (size_t i = 0; i < body->locks.n; i++)
		put_lock(g, &body->locks.v[i]);
	gen_line(g, "};");
}

void gen_lock(struct gen *g, const char *leave)
{
	gen_line(g, "if (st_lock_all(c, st_locks_%u, %zu)) %s;", g->lock_table, g->body->locks.n,
		 leave);
}

void gen_unlock(struct gen *g)
{
	for (size_t i = 0; i < g->body->decides.n; i++)
		gen_line(g, "st_condition_%u(c);", g->body->decides.v[i]);
	gen_line(g, "st_unlock_all(c, st_locks_%u, %zu);", g->lock_table, g->body->locks.n);
}
