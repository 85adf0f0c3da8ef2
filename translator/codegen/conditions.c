// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conditions of probes: each becomes a function that evaluates it and stores
 * whether the probe is armed.  Handlers that may have changed it call the
 * function before they unlock; the runtime calls it before anything is attached
 * (runtime/core/conditions.c).
 */
#include "base/arena.h"
#include "gen.h"

/*
 * Generates a condition's function.  A pending error of the calling handler is
 * set aside meanwhile, and stays the handler's error if the condition fails too.
 */
static void gen_condition_function(struct gen *g, struct probe *p)
{
	note_body(g, arena_printf("st_condition_%u", p->index), p->loc, "the condition");
	gen_line(g, "static int st_armed_%u;", p->index);
	gen_line(g, "ST_SHARED void st_condition_%u(struct st_ctx *c)", p->index);
	gen_line(g, "{");
	g->indent++;
	g->on_error = "out";
	gen_line(g, "ST_BEGIN_HANDLER(c, );");
	gen_line(g, "struct st_pending pending;");
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "st_long armed = 0;");
	gen_line(g, "pending.error = 0;");
	gen_line(g, "if (st_unlikely(c->error != 0)) st_set_aside(c, &pending);");
	gen_line(g, "{");
	note_expression(g, p->condition);
	gen_line(g, "armed = %s != 0;", gen_expr(g, p->condition));
	gen_line(g, "}");
	gen_line(g, "out: __attribute__((unused));");
	gen_line(g, "c->sp = frame;");
	gen_line(g, "if (st_unlikely(pending.error != 0)) st_take_back(c, &pending);");
	gen_line(g, "if (armed == st_armed_%u) return;", p->index);
	gen_line(g, "__atomic_store_n(&st_armed_%u, armed, __ATOMIC_RELAXED);", p->index);
	gen_line(g, "st_condition_changed();");
	g->indent--;
	gen_line(g, "}");
}

unsigned gen_conditions(struct gen *g)
{
	struct sbuf *file = g->out, bodies = { 0 };
	unsigned most = 0;

	for (size_t i = 0; i < g->prog->probes.n; i++) {
		struct probe *p = g->prog->probes.v[i];

		if (p->armed_by != p)
			continue;
		gen_line(g, "ST_SHARED void st_condition_%u(struct st_ctx *c);", p->index);
		g->probe = p;
		g->temps = g->labels = g->max_scratch_ops = g->scratch_ops = 0;
		g->out = &bodies;
		gen_condition_function(g, p);
		g->out = file;
		most = g->scratch_ops > most ? g->scratch_ops : most;
	}
	g->probe = NULL;
	put_part(g, 1, &bodies);
	return most;
}

void gen_unlock(struct gen *g, const struct probe *p)
{
	for (size_t i = 0; i < p->decides.n; i++)
		gen_line(g, "st_condition_%u(c);", p->decides.v[i]->index);
	gen_line(g, "st_unlock_all(c, st_locks_%u, %zu);", p->lock_table, p->locks.n);
}
