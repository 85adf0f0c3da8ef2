// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges handlers that differ only in constants into one C function.
 *
 * An alias for each system call, all ending in the script's one handler, makes
 * hundreds of bodies that differ in names and in the positions that messages
 * give.  So a script with many probes looks up a handler's strings and format
 * numbers in a table of the probe, numbers its variables instead of naming them
 * (local_text()), and generates equal bodies once: compile time depends on the
 * number of functions.
 */
#include <string.h>

#include "base/arena.h"
#include "gen.h"

static const char *add(struct gen *g, const char *initializer, const char *member)
{
	vec_push(&g->constants->list, initializer);
	return arena_printf("st_consts[%zu]%s", g->constants->list.n - 1, member);
}

static const char *add_string(struct gen *g, const char *s, const char *member)
{
	return add(g, arena_printf(".s = { %s, %zu }", c_string(s), strlen(s)), member);
}

const char *gen_chars(struct gen *g, const char *s)
{
	return g->apart ? add_string(g, s, ".s.p") : c_string(s);
}

const char *gen_literal(struct gen *g, const char *s)
{
	return g->apart ? add_string(g, s, ".s") : c_literal(s);
}

const char *gen_format_id(struct gen *g, const char *canonical)
{
	const char *id = arena_printf("%u", format_id(g->formats, canonical));

	return g->apart ? add(g, arena_printf(".i = %s", id), ".i") : id;
}

void begin_constants(struct gen *g)
{
	g->apart = true;
	g->constants->list.n = 0;
	gen_line(g, "const union st_arg *st_consts = c->point->probe->consts;");
}

static void gen_table(struct gen *g, const struct probe *p)
{
	gen_line(g, "static const union st_arg st_consts_%u[] = {", p->index);
	for (size_t i = 0; i < g->constants->list.n; i++)
		gen_line(g, "\t{ %s },", g->constants->list.v[i]);
	gen_line(g, "\t{ .i = 0 }");
	gen_line(g, "};");
}

unsigned first_with(shared_texts *all, const char *text, const struct probe *p)
{
	const char *own = intern(text);

	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].text == own)
			return all->v[i].probe;
	vec_push(all, ((struct shared_text){ own, p->index }));
	return p->index;
}

unsigned end_constants(struct gen *g, const char *text, const struct probe *p)
{
	g->apart = false;
	gen_table(g, p);
	return first_with(&g->constants->bodies, text, p);
}
