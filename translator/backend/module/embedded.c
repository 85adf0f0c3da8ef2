// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the embedded C of users.
 *
 * The text is copied into the C file under a #line directive, so that the
 * compiler's messages give positions in the script.  Around it is what
 * SystemTap's manual documents: STAP_ARG_x and STAP_RETVALUE (THIS->x in code
 * written for versions before 1.8), macros that leave the code through the
 * label ST_OUT (runtime/abi/stap_embedded.h), and STAP_GLOBAL_GET_x and
 * STAP_GLOBAL_SET_x for the globals that its pragmas name.  All our own names
 * in its scope begin with st_, except 'c'.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"
#include "session.h"

/* ---- the text ---------------------------------------------------------- */

/* The generated file's name for the compiler. */
static const char generated[] = "stap_script.c";

static unsigned lines_so_far(const struct gen *g)
{
	unsigned n = 0;

	for (const char *s = g->out->s; s && (s = strchr(s, '\n')); s++)
		n++;
	return n;
}

/*
 * Copies the code on lines of its own, so that a comment in it can't swallow
 * generated code.
 */
static void put_code(struct gen *g, const struct ir_foreign *e)
{
	if (e->file) {
		sbuf_printf(g->out, "#line %u %s\n%*s", e->line, c_string(e->file), (int)e->col + 1, "");
		sbuf_printf(g->out, "%s\n", e->code);
		sbuf_printf(g->out, "#line %u \"%s\"\n", lines_so_far(g) + 2, generated);
	} else {
		sbuf_printf(g->out, "%s\n", e->code);
	}
}

/* ---- globals ----------------------------------------------------------- */

/* Returns "k0, k1", the parameters of an array's macros. */
static const char *key_names(const struct ir_global *v)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < v->keys.n; i++)
		sbuf_printf(&b, "%sk%zu", i ? ", " : "", i);
	return sbuf_take(&b);
}

static const char *key_array(const struct ir_global *v)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < v->keys.n; i++)
		sbuf_printf(&b, v->keys.v[i] == IR_STRING ? "{ .s = st_text(k%zu) }, "
							  : "{ .i = (k%zu) }, ", i);
	return arena_printf("(const union st_arg[]){ %s}", sbuf_take(&b));
}

static const char *getter(const struct gen *g, unsigned global)
{
	const struct ir_global *v = &g->ir->globals.v[global];
	const char *name = global_text(g, global);

	if (v->keys.n > 0 && v->type == IR_STRING)
		return arena_printf("(%s) ((char *)st_map_get_str(c, %s, %s).p)", key_names(v), name,
				    key_array(v));
	if (v->keys.n > 0)
		return arena_printf("(%s) ((int64_t)st_map_get(c, %s, %s))", key_names(v), name,
				    key_array(v));
	if (v->type == IR_STRING)
		return arena_printf("() ((char *)%s.s.p)", name);
	return arena_printf(v->percpu ? "() ((int64_t)st_counter_sum(%s))" : "() ((int64_t)%s)",
			    name);
}

static const char *setter(const struct gen *g, unsigned global)
{
	const struct ir_global *v = &g->ir->globals.v[global];
	const char *name = global_text(g, global);
	const char *value = v->type == IR_STRING ? "st_text(v)" : "(v)";

	if (v->keys.n > 0)
		return arena_printf("(%s, v) ({ st_map_set%s(c, %s, %s, %s); "
				    "if (c->error) goto ST_OUT; 0; })", key_names(v),
				    v->type == IR_STRING ? "_str" : "", name, key_array(v), value);
	if (v->type == IR_STRING)
		return arena_printf("(v) st_assign(&%s, %s)", name, value);
	return arena_printf(v->percpu ? "(v) st_counter_set(%s, %s)" : "(v) (%s = %s)", name, value);
}

/* Returns how many parameters the script function around a value or statement has. */
static unsigned params_around(const struct gen *g)
{
	return g->body->kind == IR_FUNCTION ? g->body->nparams : 0;
}

static void define_params(struct gen *g)
{
	for (size_t i = 0; i < params_around(g); i++)
		gen_line(g, g->body->locals.v[i].type == IR_STRING
			 ? "#define STAP_ARG_%s ((char *)%s.s.p)" : "#define STAP_ARG_%s %s",
			 g->body->locals.v[i].name, local_text(g, i));
}

static void undefine_params(struct gen *g)
{
	for (size_t i = 0; i < params_around(g); i++)
		gen_line(g, "#undef STAP_ARG_%s", g->body->locals.v[i].name);
}

static void define_globals(struct gen *g, const struct ir_foreign *e)
{
	for (size_t i = 0; i < e->reads.n; i++)
		gen_line(g, "#define STAP_GLOBAL_GET_%s%s", g->ir->globals.v[e->reads.v[i]].name,
			 getter(g, e->reads.v[i]));
	for (size_t i = 0; i < e->writes.n; i++)
		gen_line(g, "#define STAP_GLOBAL_SET_%s%s", g->ir->globals.v[e->writes.v[i]].name,
			 setter(g, e->writes.v[i]));
}

static void undefine_globals(struct gen *g, const struct ir_foreign *e)
{
	for (size_t i = 0; i < e->reads.n; i++)
		gen_line(g, "#undef STAP_GLOBAL_GET_%s", g->ir->globals.v[e->reads.v[i]].name);
	for (size_t i = 0; i < e->writes.n; i++)
		gen_line(g, "#undef STAP_GLOBAL_SET_%s", g->ir->globals.v[e->writes.v[i]].name);
}

/* ---- values, statements, top-level code --------------------------------------- */

static void define_names(struct gen *g, const struct ir_op *op)
{
	define_params(g);
	define_globals(g, op->foreign);
	gen_line(g, "#define ST_OUT %s\n#define ST_FAULT ST_OUT", way_label(op->way));
}

static void undefine_names(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "#undef ST_OUT\n#undef ST_FAULT");
	undefine_globals(g, op->foreign);
	undefine_params(g);
}

void gen_embedded_value(struct gen *g, const struct ir_op *op)
{
	bool string = g->body->values.v[op->result] == IR_STRING;

	define_names(g, op);
	gen_line(g, string ? "%s = st_dup(c, st_text(" : "%s = (st_long)(", result_text(g, op));
	put_code(g, op->foreign);
	gen_line(g, string ? "));" : ");");
	undefine_names(g, op);
	g->texts += string;
}

void gen_embedded_stmt(struct gen *g, const struct ir_op *op)
{
	define_names(g, op);
	gen_line(g, "{");
	put_code(g, op->foreign);
	gen_line(g, ";}");
	undefine_names(g, op);
}

void gen_embedded_top(struct gen *g, const struct ir_foreign *e)
{
	put_code(g, e);
}

/* ---- functions --------------------------------------------------------- */

/*
 * Prints an embedded function as two C functions: its code, which gets
 * arguments and result in a struct and may use 'return', and the function that
 * the script's calls use.
 */

/*
 * Does the code call its arguments THIS->x, as before SystemTap 1.8?  The pragma or the word tells
 * (lang/declare.c).
 */
static bool has_this(const struct gen *g, const struct ir_foreign *e)
{
	return e->unmangled || session_older_than(g->s, "1.8");
}

static void gen_frame(struct gen *g, unsigned n, const char *prefix)
{
	const struct ir_function *f = &g->ir->functions.v[n];
	const char *string = f->foreign->unmodified_fnargs ? "const char *" : "char *";

	gen_line(g, "struct %s_frame {", function_name(g, n));
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "\t%s%s%s;", f->params.v[i] == IR_STRING ? string : "int64_t ", prefix,
			 f->foreign->params.v[i]);
	gen_line(g, "\t%s__retvalue;", f->type == IR_STRING ? "char *" : "int64_t ");
	gen_line(g, "};");
}

static void define_leaving(struct gen *g, const struct ir_function *f)
{
	gen_line(g, "#define ST_OUT out");
	gen_line(g, "#define ST_FAULT %s", f->foreign->catches_faults ? "deref_fault" : "ST_OUT");
	if (f->type == IR_STRING) {
		gen_line(g, "#define STAP_RETVALUE (*(char (*)[MAXSTRINGLEN])st_this->__retvalue)");
		gen_line(g, "#define STAP_RETURN(v) do { "
		     "strlcpy(st_this->__retvalue, (v), MAXSTRINGLEN); goto out; } while (0)");
	} else {
		gen_line(g, "#define STAP_RETVALUE st_this->__retvalue");
		if (f->type == IR_VOID)
			gen_line(g, "#define STAP_RETURN(...) goto out");
		else
			gen_line(g, "#define STAP_RETURN(v) do { st_this->__retvalue = (int64_t)(v); "
			     "goto out; } while (0)");
	}
}

static void gen_code(struct gen *g, unsigned n, const char *prefix)
{
	const struct ir_function *f = &g->ir->functions.v[n];
	const struct ir_foreign *e = f->foreign;

	gen_line(g, "static void %s_code(struct st_ctx *c, struct %s_frame *st_this)",
	     function_name(g, n), function_name(g, n));
	gen_line(g, "{");
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "#define STAP_ARG_%s st_this->%s%s", e->params.v[i], prefix, e->params.v[i]);
	define_leaving(g, f);
	gen_line(g, "#define THIS st_this");
	define_globals(g, e);
	gen_line(g, "{");
	put_code(g, e);
	gen_line(g, ";}");
	undefine_globals(g, e);
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "#undef STAP_ARG_%s", e->params.v[i]);
	gen_line(g, "#undef STAP_RETVALUE\n#undef STAP_RETURN\n#undef THIS");
	gen_line(g, "#undef ST_OUT\n#undef ST_FAULT");
	gen_line(g, "out: __attribute__((unused));");
	gen_line(g, "}\n");
}

/*
 * String arguments are copied, because the caller's may be literals or lie in a
 * map, unless the code is marked unmodified-fnargs.
 */
static void gen_arguments(struct gen *g, const struct ir_function *f, const char *prefix)
{
	for (size_t i = 0; i < f->params.n; i++) {
		const char *name = f->foreign->params.v[i];
		const char *member = arena_printf("st_this.%s%s", prefix, name);

		if (f->params.v[i] != IR_STRING)
			gen_line(g, "%s = v_%s;", member, name);
		else if (f->foreign->unmodified_fnargs)
			gen_line(g, "%s = s_%s.p;", member, name);
		else
			gen_line(g, "%s = st_buffer(c, s_%s);", member, name);
		g->most_texts += f->params.v[i] == IR_STRING;
	}
	if (f->type == IR_STRING) {
		gen_line(g, "st_this.__retvalue = st_buffer(c, ST_LIT(\"\"));");
		g->most_texts++;
	}
}

void gen_embedded_function(struct gen *g, unsigned n)
{
	const struct ir_function *f = &g->ir->functions.v[n];
	const char *prefix = has_this(g, f->foreign) ? "" : "l_";

	gen_frame(g, n, prefix);
	gen_code(g, n, prefix);
	gen_signature(g, n);
	gen_line(g, "{");
	gen_line(g, "struct %s_frame st_this = { 0 };", function_name(g, n));
	gen_line(g, "char *st_mark = c->sp;");
	gen_arguments(g, f, prefix);
	gen_line(g, "if (!c->error) %s_code(c, &st_this);", function_name(g, n));
	if (f->type == IR_STRING)
		gen_line(g, "return st_keep(c, st_mark, c->error ? ST_LIT(\"\") : "
		     "st_text(st_this.__retvalue));");
	else
		gen_line(g, "c->sp = st_mark;");
	if (f->type == IR_WORD)
		gen_line(g, "return st_this.__retvalue;");
	gen_line(g, "}\n");
}
