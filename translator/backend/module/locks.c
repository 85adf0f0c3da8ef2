// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of what probes lock, and locking. */
#include "base/arena.h"
#include "gen.h"

static void put_lock(struct gen *g, const struct ir_lock *l)
{
	const struct ir_global *v = &g->ir->globals.v[l->global];
	const char *slot = v->percpu ? arena_printf("&%s", global_text(g, l->global)) : "0";
	bool is_map = v->keys.n > 0;

	gen_line(g, "\t{ &st_locks[%u], %d, %s, %s, %s },", l->global, l->write,
		 is_map ? slot : "0", is_map ? "0" : slot,
		 v->percpu ? gen_near(g, arena_printf("identifier '%s'", v->name), v->at) : "0");
}

void gen_lock_table(struct gen *g, const struct ir_body *body)
{
	struct sbuf *file = g->out, table = { 0 };
	const struct probe *p = g->prog->probes.v[body->number];

	if (!body->locks.n)
		return;
	g->out = &table;
	for (size_t i = 0; i < body->locks.n; i++)
		put_lock(g, &body->locks.v[i]);
	g->out = file;
	g->lock_table = first_with(&g->lock_tables, sbuf_str(&table), p);
	if (g->lock_table == p->index)
		gen_line(g, "static const struct st_lockref st_locks_%u[] = {\n%s};", p->index,
			 sbuf_str(&table));
	sbuf_free(&table);
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
