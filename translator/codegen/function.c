// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Script functions, and the tapset's functions in C.
 *
 * A string parameter that the body assigns to is copied into a buffer; others
 * remain the caller's slices.
 *
 * C marked "runtime" is the tapset's: STAP_ARG_x are st_long and struct st_str.
 * embedded.c handles users' C.
 */
#include "base/arena.h"
#include "gen.h"

void gen_signature(struct gen *g, const struct function *f)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < f->params.n; i++) {
		const struct variable *p = f->params.v[i];

		sbuf_printf(&b, ", %s %s%s", c_type(p->type),
			    p->type == T_STRING ? "s_" : "v_", p->name);
	}
	gen_line(g, "ST_SHARED %s %s(struct st_ctx *c%s)", c_type(f->type), function_name(f),
	     sbuf_str(&b));
	sbuf_free(&b);
}

static void gen_params(struct gen *g, const struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++) {
		const struct variable *p = f->params.v[i];

		if (p->type != T_STRING)
			continue;
		if (!p->is_written) {
			gen_line(g, "struct { struct st_str s; } v_%s = { s_%s };", p->name, p->name);
			continue;
		}
		gen_line(g, "struct st_strvar v_%s = { ST_LIT(\"\"), st_scratch(c, ST_MAXSTR - 1) };",
		     p->name);
		check_error(g);
		gen_line(g, "st_assign(&v_%s, s_%s);", p->name, p->name);
	}
}

static void gen_script_function(struct gen *g, struct function *f)
{
	unsigned memos;

	gen_signature(g, f);
	gen_line(g, "{");
	g->indent++;
	if (f->type == T_STRING)
		gen_line(g, "struct st_str ret = ST_LIT(\"\");");
	else if (f->type != T_VOID)
		gen_line(g, "st_long ret = 0;");
	gen_line(g, "char *mark = c->sp;");
	gen_line(g, "if (st_call(c)) goto out;");
	gen_params(g, f);
	gen_locals(g, f->locals.v, f->locals.n);
	find_memos(g, f->body);
	memos = gen_memos(g);
	gen_line(g, "char *frame = c->sp;");
	gen_line(g, "(void)frame;");
	gen_stmt(g, f->body);
	gen_line(g, "out:");
	gen_line(g, "st_leave(c);");
	if (f->type == T_STRING)
		gen_line(g, "return st_keep(c, mark, ret);");
	else
		gen_line(g, "c->sp = mark;");
	if (f->type == T_LONG)
		gen_line(g, "return ret;");
	g->indent--;
	gen_line(g, "}\n");
	g->max_scratch_ops += memos;
	g->memos.n = 0;
}

/* ---- embedded C -------------------------------------------------------- */

static void define_args(struct gen *g, const struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++) {
		const struct variable *p = f->params.v[i];

		gen_line(g, "#define STAP_ARG_%s %s%s", p->name, p->type == T_STRING ? "s_" : "v_",
		     p->name);
	}
}

static void undefine_args(struct gen *g, const struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "#undef STAP_ARG_%s", f->params.v[i]->name);
	gen_line(g, "#undef STAP_RETVALUE");
	gen_line(g, "#undef STAP_RETURN");
}

static void gen_runtime_embedded(struct gen *g, struct function *f)
{
	gen_signature(g, f);
	gen_line(g, "{");
	if (f->type != T_VOID)
		gen_line(g, "%s ret = %s;", c_type(f->type), f->type == T_STRING ? "ST_LIT(\"\")" : "0");
	define_args(g, f);
	gen_line(g, "#define STAP_RETVALUE ret");
	if (f->type == T_VOID)
		gen_line(g, "#define STAP_RETURN() goto out");
	else
		gen_line(g, "#define STAP_RETURN(v) do { ret = (v); goto out; } while (0)");
	gen_line(g, "{%s}", f->embedded->code);
	undefine_args(g, f);
	gen_line(g, "out: __attribute__((unused));");
	if (f->type != T_VOID)
		gen_line(g, "return ret;");
	gen_line(g, "}\n");
}

void gen_function(struct gen *g, struct function *f)
{
	note_body(g, function_name(f), f->loc, arena_printf("function %s", f->name));
	g->func = f;
	g->on_error = "out";
	g->temps = g->labels = 0;
	g->max_scratch_ops = 0;
	if (!f->embedded)
		gen_script_function(g, f);
	else if (f->embedded->runtime)
		gen_runtime_embedded(g, f);
	else
		gen_embedded_function(g, f);
	g->func = NULL;
}
