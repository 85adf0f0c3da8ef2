// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints script functions. embedded.c prints functions in embedded C; builtins are called directly.
 *
 * A string parameter that the body assigns to is copied into a buffer; others
 * remain the caller's slices.
 */
#include "base/arena.h"
#include "gen.h"

void gen_signature(struct gen *g, unsigned n)
{
	const struct ir_function *f = &g->ir->functions.v[n];
	struct sbuf b = { 0 };

	for (size_t i = 0; i < f->params.n; i++)
		sbuf_printf(&b, ", %s %s%s", c_type_of(f->params.v[i]),
			    f->params.v[i] == IR_STRING ? "s_" : "v_",
			    f->body ? f->body->locals.v[i].name : f->foreign->params.v[i]);
	gen_line(g, "ST_SHARED %s %s(struct st_ctx *c%s)", c_type_of(f->type), function_name(g, n),
	     sbuf_str(&b));
	sbuf_free(&b);
}

static void gen_params(struct gen *g)
{
	for (size_t i = 0; i < g->body->nparams; i++) {
		const struct ir_local *p = &g->body->locals.v[i];

		if (p->type != IR_STRING)
			continue;
		if (!p->is_written) {
			gen_line(g, "struct { struct st_str s; } v_%s = { s_%s };", p->name, p->name);
			continue;
		}
		gen_line(g, "struct st_strvar v_%s = { ST_LIT(\"\"), st_scratch(c, ST_MAXSTR - 1) };",
			 p->name);
		gen_line(g, "ST_CHECK(c, out);");
		gen_line(g, "st_assign(&v_%s, s_%s);", p->name, p->name);
	}
}

static void gen_script_function(struct gen *g, const struct ir_body *b)
{
	begin_body(g, b);
	gen_signature(g, b->number);
	gen_line(g, "{");
	g->indent++;
	if (b->type == IR_STRING)
		gen_line(g, "struct st_str ret = ST_LIT(\"\");");
	else if (b->type != IR_VOID)
		gen_line(g, "st_long ret = 0;");
	gen_line(g, "char *mark = c->sp;");
	gen_line(g, "if (st_call(c)) goto out;");
	gen_params(g);
	gen_locals(g);
	gen_kept(g);
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "(void)frame;");
	gen_block(g, &b->block);
	gen_line(g, "out:");
	gen_line(g, "st_leave(c);");
	if (b->type == IR_STRING)
		gen_line(g, "return st_keep(c, mark, ret);");
	else
		gen_line(g, "c->sp = mark;");
	if (b->type == IR_WORD)
		gen_line(g, "return ret;");
	g->indent--;
	gen_line(g, "}\n");
	g->most_texts += locals_scratch(g, b);
	g->body = NULL;
}

void gen_function(struct gen *g, unsigned n)
{
	const struct ir_function *f = &g->ir->functions.v[n];

	note_body(g, function_name(g, n), g->prog->functions.v[n]->loc,
		  arena_printf("function %s", f->name));
	g->most_texts = 0;
	if (f->body)
		gen_script_function(g, f->body);
	else
		gen_embedded_function(g, n);
	for (size_t i = 0; f->foreign && i < f->params.n; i++)
		g->most_texts += f->params.v[i] == IR_STRING;
}
