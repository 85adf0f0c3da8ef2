// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Embedded C of users.
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
static void put_code(struct gen *g, const struct embedded *e)
{
	if (e->loc.src) {
		sbuf_printf(g->out, "#line %u %s\n%*s", e->loc.line, c_string(e->loc.src->name),
			    (int)e->loc.col + 1, "");
		sbuf_printf(g->out, "%s\n", e->code);
		sbuf_printf(g->out, "#line %u \"%s\"\n", lines_so_far(g) + 2, generated);
	} else {
		sbuf_printf(g->out, "%s\n", e->code);
	}
}

/* ---- globals ----------------------------------------------------------- */

static bool listed(struct variable *const *list, size_t n, const struct variable *v)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == v)
			return true;
	return false;
}

/* Returns "k0, k1", the parameters of an array's macros. */
static const char *key_names(const struct variable *v)
{
	struct sbuf b = { 0 };

	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(&b, "%sk%d", i ? ", " : "", i);
	return sbuf_take(&b);
}

static const char *key_array(const struct variable *v)
{
	struct sbuf b = { 0 };

	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(&b, v->key_types.v[i] == T_STRING ? "{ .s = st_text(k%d) }, "
							      : "{ .i = (k%d) }, ", i);
	return arena_printf("(const union st_arg[]){ %s}", sbuf_take(&b));
}

static const char *getter(const struct variable *v)
{
	const char *name = global_name(v);

	if (v->nkeys > 0 && v->type == T_STRING)
		return arena_printf("(%s) ((char *)st_map_get_str(c, %s, %s).p)", key_names(v), name,
				    key_array(v));
	if (v->nkeys > 0)
		return arena_printf("(%s) ((int64_t)st_map_get(c, %s, %s))", key_names(v), name,
				    key_array(v));
	if (v->type == T_STRING)
		return arena_printf("() ((char *)%s.s.p)", name);
	return arena_printf(v->percpu ? "() ((int64_t)st_counter_sum(%s))" : "() ((int64_t)%s)",
			    name);
}

static const char *setter(const struct variable *v)
{
	const char *name = global_name(v);
	const char *value = v->type == T_STRING ? "st_text(v)" : "(v)";

	if (v->nkeys > 0)
		return arena_printf("(%s, v) ({ st_map_set%s(c, %s, %s, %s); "
				    "if (c->error) goto ST_OUT; 0; })", key_names(v),
				    v->type == T_STRING ? "_str" : "", name, key_array(v), value);
	if (v->type == T_STRING)
		return arena_printf("(v) st_assign(&%s, %s)", name, value);
	return arena_printf(v->percpu ? "(v) st_counter_set(%s, %s)" : "(v) (%s = %s)", name, value);
}

/* The parameters of the script function that a value or statement is in. */
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

static void define_globals(struct gen *g, const struct embedded *e)
{
	for (size_t i = 0; i < e->read_vars.n; i++)
		if (!listed(e->read_vars.v, i, e->read_vars.v[i]))
			gen_line(g, "#define STAP_GLOBAL_GET_%s%s", e->read_vars.v[i]->name,
			     getter(e->read_vars.v[i]));
	for (size_t i = 0; i < e->write_vars.n; i++)
		if (!listed(e->write_vars.v, i, e->write_vars.v[i]))
			gen_line(g, "#define STAP_GLOBAL_SET_%s%s", e->write_vars.v[i]->name,
			     setter(e->write_vars.v[i]));
}

static void undefine_globals(struct gen *g, const struct embedded *e)
{
	for (size_t i = 0; i < e->read_vars.n; i++)
		gen_line(g, "#undef STAP_GLOBAL_GET_%s", e->read_vars.v[i]->name);
	for (size_t i = 0; i < e->write_vars.n; i++)
		gen_line(g, "#undef STAP_GLOBAL_SET_%s", e->write_vars.v[i]->name);
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
	const struct embedded *e = op->foreign;

	define_names(g, op);
	gen_line(g, e->string ? "%s = st_dup(c, st_text(" : "%s = (st_long)(", result_text(g, op));
	put_code(g, e);
	gen_line(g, e->string ? "));" : ");");
	undefine_names(g, op);
	g->texts += e->string;
}

void gen_embedded_stmt(struct gen *g, const struct ir_op *op)
{
	define_names(g, op);
	gen_line(g, "{");
	put_code(g, op->foreign);
	gen_line(g, ";}");
	undefine_names(g, op);
}

void gen_embedded_top(struct gen *g, const struct embedded *e)
{
	put_code(g, e);
}

/* ---- functions --------------------------------------------------------- */

/*
 * An embedded function becomes two C functions: its code, which gets arguments
 * and result in a struct and may use 'return', and the function that the
 * script's calls use.
 */

/*
 * Code written for SystemTap before 1.8 calls its arguments THIS->x; it is known by the
 * pragma or by the word (lang/declare.c).
 */
static bool has_this(const struct gen *g, const struct embedded *e)
{
	return e->unmangled || session_older_than(g->s, "1.8");
}

static void gen_frame(struct gen *g, const struct function *f, const char *prefix)
{
	const char *string = f->embedded->unmodified_fnargs ? "const char *" : "char *";

	gen_line(g, "struct %s_frame {", function_name(f));
	for (size_t i = 0; i < f->params.n; i++) {
		const struct variable *p = f->params.v[i];

		gen_line(g, "\t%s%s%s;", p->type == T_STRING ? string : "int64_t ", prefix, p->name);
	}
	gen_line(g, "\t%s__retvalue;", f->type == T_STRING ? "char *" : "int64_t ");
	gen_line(g, "};");
}

static void define_leaving(struct gen *g, const struct function *f)
{
	gen_line(g, "#define ST_OUT out");
	gen_line(g, "#define ST_FAULT %s", f->embedded->catches_faults ? "deref_fault" : "ST_OUT");
	if (f->type == T_STRING) {
		gen_line(g, "#define STAP_RETVALUE (*(char (*)[MAXSTRINGLEN])st_this->__retvalue)");
		gen_line(g, "#define STAP_RETURN(v) do { "
		     "strlcpy(st_this->__retvalue, (v), MAXSTRINGLEN); goto out; } while (0)");
	} else {
		gen_line(g, "#define STAP_RETVALUE st_this->__retvalue");
		if (f->type == T_VOID)
			gen_line(g, "#define STAP_RETURN(...) goto out");
		else
			gen_line(g, "#define STAP_RETURN(v) do { st_this->__retvalue = (int64_t)(v); "
			     "goto out; } while (0)");
	}
}

static void gen_code(struct gen *g, const struct function *f, const char *prefix)
{
	gen_line(g, "static void %s_code(struct st_ctx *c, struct %s_frame *st_this)",
	     function_name(f), function_name(f));
	gen_line(g, "{");
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "#define STAP_ARG_%s st_this->%s%s", f->params.v[i]->name, prefix,
		     f->params.v[i]->name);
	define_leaving(g, f);
	gen_line(g, "#define THIS st_this");
	define_globals(g, f->embedded);
	gen_line(g, "{");
	put_code(g, f->embedded);
	gen_line(g, ";}");
	undefine_globals(g, f->embedded);
	for (size_t i = 0; i < f->params.n; i++)
		gen_line(g, "#undef STAP_ARG_%s", f->params.v[i]->name);
	gen_line(g, "#undef STAP_RETVALUE\n#undef STAP_RETURN\n#undef THIS");
	gen_line(g, "#undef ST_OUT\n#undef ST_FAULT");
	gen_line(g, "out: __attribute__((unused));");
	gen_line(g, "}\n");
}

/*
 * String arguments are copied, because the caller's may be literals or lie in a
 * map, unless the code is marked unmodified-fnargs.
 */
static void gen_arguments(struct gen *g, const struct function *f, const char *prefix)
{
	for (size_t i = 0; i < f->params.n; i++) {
		const struct variable *p = f->params.v[i];
		const char *member = arena_printf("st_this.%s%s", prefix, p->name);

		if (p->type != T_STRING)
			gen_line(g, "%s = v_%s;", member, p->name);
		else if (f->embedded->unmodified_fnargs)
			gen_line(g, "%s = s_%s.p;", member, p->name);
		else
			gen_line(g, "%s = st_buffer(c, s_%s);", member, p->name);
		g->most_texts += p->type == T_STRING;
	}
	if (f->type == T_STRING) {
		gen_line(g, "st_this.__retvalue = st_buffer(c, ST_LIT(\"\"));");
		g->most_texts++;
	}
}

void gen_embedded_function(struct gen *g, struct function *f)
{
	const char *prefix = has_this(g, f->embedded) ? "" : "l_";

	gen_frame(g, f, prefix);
	gen_code(g, f, prefix);
	gen_signature(g, f);
	gen_line(g, "{");
	gen_line(g, "struct %s_frame st_this = { 0 };", function_name(f));
	gen_line(g, "char *st_mark = c->sp;");
	gen_arguments(g, f, prefix);
	gen_line(g, "if (!c->error) %s_code(c, &st_this);", function_name(f));
	if (f->type == T_STRING)
		gen_line(g, "return st_keep(c, st_mark, c->error ? ST_LIT(\"\") : "
		     "st_text(st_this.__retvalue));");
	else
		gen_line(g, "c->sp = st_mark;");
	if (f->type == T_LONG)
		gen_line(g, "return st_this.__retvalue;");
	gen_line(g, "}\n");
}
