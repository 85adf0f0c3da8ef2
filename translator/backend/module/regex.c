// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the tables of regular expressions. */
#include "abi/stap_script.h"
#include "base/arena.h"
#include "gen.h"

/* Prints static const TYPE NAME[] = { … }; */
#define gen_numbers(g, type, name, array, n) do {				\
	gen_line(g, "static const %s %s[] = {", type, name);			\
	for (size_t i_ = 0; i_ < (n); i_++)					\
		sbuf_printf((g)->out, "%u,%s", (unsigned)(array)[i_],		\
			    i_ % 32 == 31 ? "\n" : "");				\
	gen_line(g, "};");								\
} while (0)

static const char *table(size_t regex, const char *what)
{
	return arena_printf("st_re%zu_%s", regex, what);
}

static void gen_steps(struct gen *g, const struct ir_pattern *re, size_t number)
{
	gen_line(g, "static const struct st_regex_step %s[] = {", table(number, "steps"));
	for (size_t i = 0; i < re->nsteps; i++) {
		const struct st_regex_step *s = &re->tables->steps[i];

		gen_line(g, "{%u,%u,%u},", s->from, s->to, s->tags);
	}
	gen_line(g, "};");
}

static void gen_pattern(struct gen *g, const struct ir_pattern *re, size_t i)
{
	const struct st_regex *t = re->tables;

	gen_numbers(g, "unsigned char", table(i, "classes"), t->classes, 256);
	gen_numbers(g, "unsigned short", table(i, "next"), t->next, re->nstates * t->nclasses);
	gen_numbers(g, "unsigned char", table(i, "flags"), t->flags, re->nstates);
	if (t->ngroups) {
		gen_numbers(g, "unsigned int", table(i, "rows"), t->rows, re->nstates + 1);
		gen_numbers(g, "unsigned short", table(i, "tags"), t->tags, re->ntags);
		gen_steps(g, re, i);
	}
	gen_line(g, "static const struct st_regex st_re%zu = {", i);
	gen_line(g, "\t.classes = st_re%zu_classes, .nclasses = %u, .next = st_re%zu_next,", i,
	     t->nclasses, i);
	gen_line(g, "\t.flags = st_re%zu_flags, .start = %u,", i, t->start);
	if (t->ngroups) {
		gen_line(g, "\t.ngroups = %u, .rows = st_re%zu_rows,", t->ngroups, i);
		gen_line(g, "\t.steps = st_re%zu_steps, .tags = st_re%zu_tags,", i, i);
	}
	gen_line(g, "};\n");
}

void gen_regexes(struct gen *g)
{
	for (size_t i = 0; i < g->ir->patterns.n; i++)
		gen_pattern(g, &g->ir->patterns.v[i], i);
}
