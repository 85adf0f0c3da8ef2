// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the conditions of probes.  Each becomes a function that evaluates it
 * and stores whether the probe is armed.  Handlers that may have changed it
 * call the function before they unlock; the runtime calls it before anything is
 * attached (runtime/handler/conditions.c).
 */
#include "base/arena.h"
#include "gen.h"

/*
 * Generates a condition's function.  A pending error of the calling handler is
 * set aside meanwhile, and stays the handler's error if the condition fails too.
 */
static void gen_condition(struct gen *g, const struct ir_body *b)
{
	unsigned p = b->number;

	note_body(g, arena_printf("st_condition_%u", p), g->prog->probes.v[p]->loc,
		  "the condition");
	begin_body(g, b);
	gen_line(g, "static int st_armed_%u;", p);
	gen_line(g, "ST_SHARED void st_condition_%u(struct st_ctx *c)", p);
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "ST_BEGIN_HANDLER(c, );");
	gen_line(g, "struct st_pending pending;");
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "st_long armed = 0;");
	gen_line(g, "pending.error = 0;");
	gen_line(g, "if (st_unlikely(c->error != 0)) st_set_aside(c, &pending);");
	gen_line(g, "{");
	gen_block(g, &b->block);
	gen_line(g, "}");
	gen_line(g, "out: __attribute__((unused));");
	gen_line(g, "c->sp = frame;");
	gen_line(g, "if (st_unlikely(pending.error != 0)) st_take_back(c, &pending);");
	gen_line(g, "if (armed == st_armed_%u) return;", p);
	gen_line(g, "__atomic_store_n(&st_armed_%u, armed, __ATOMIC_RELAXED);", p);
	gen_line(g, "st_condition_changed();");
	g->indent--;
	gen_line(g, "}");
}

unsigned gen_conditions(struct gen *g)
{
	struct sbuf *file = g->out, bodies = { 0 };
	unsigned most = 0;

	for (size_t i = 0; i < g->ir->probes.n; i++) {
		const struct ir_body *b = g->ir->probes.v[i].condition;

		if (!b)
			continue;
		gen_line(g, "ST_SHARED void st_condition_%zu(struct st_ctx *c);", i);
		g->out = &bodies;
		gen_condition(g, b);
		g->out = file;
		most = g->texts > most ? g->texts : most;
	}
	put_part(g, 1, &bodies);
	return most;
}
