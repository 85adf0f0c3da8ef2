// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Local variables.  They are in the C function's frame, and the compiler turns
 * most into registers.  The kernel's stack is small, so a body with many has
 * them in the context's scratch instead.  The buffers of strings are always
 * there.
 */
#include "base/arena.h"
#include "gen.h"

/* Bytes of a frame that a body's variables, or a format's arguments, may use. */
enum { FRAME_LOCALS = 384, FRAME_ARGS = 256 };

enum { STRVAR_SIZE = 24, LONG_SIZE = 8, ARG_SIZE = 16, ALIGNING = 8 };

static unsigned string_variables(struct variable *const *v, size_t n)
{
	unsigned count = 0;

	for (size_t i = 0; i < n; i++)
		count += v[i]->type == T_STRING && !v[i]->literal;
	return count;
}

static size_t bytes_of(struct variable *const *v, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		if (!v[i]->literal)
			bytes += v[i]->type == T_STRING ? STRVAR_SIZE : LONG_SIZE;
	return bytes;
}

/* Scratch is counted in strings. */
static unsigned strings_for(const struct gen *g, size_t bytes)
{
	return (bytes + ALIGNING) / session_maxstring(g->s) + 1;
}

unsigned locals_scratch(const struct gen *g, struct variable *const *v, size_t n)
{
	size_t bytes = bytes_of(v, n);

	return string_variables(v, n) + (bytes > FRAME_LOCALS ? strings_for(g, bytes) : 0);
}

/*
 * The numbers are volatile: a compiler that keeps what it stored in registers, for
 * the next read, spills hundreds of registers to the frame.
 */
static void gen_area(struct gen *g, struct variable *const *v, size_t n)
{
	gen_line(g, "struct {");
	for (size_t i = 0; i < n; i++) {
		if (v[i]->literal)
			continue;
		gen_line(g, "\t%s %s;", v[i]->type == T_STRING ? "struct st_strvar"
							      : "volatile st_long",
			 local_name(v[i]));
		v[i]->in_area = true;
	}
	gen_line(g, "} *l = st_area(c, sizeof(*l));");
	check_error(g);
}

static void gen_local(struct gen *g, const struct variable *v, unsigned buffer)
{
	const char *name = local_name(v);

	if (v->type != T_STRING) {
		if (!v->in_area)
			gen_line(g, "st_long %s = 0;", name);
		return;
	}
	gen_line(g, "%s%s = (struct st_strvar){ ST_LIT(\"\"), st_bufs + %u * ST_MAXSTR };",
	     v->in_area ? "" : "struct st_strvar ", name, buffer);
}

/* Numbers the variables of a handler, so that others whose variables have other names equal it. */
static void number_locals(struct variable *const *v, size_t n)
{
	unsigned number = 0;

	for (size_t i = 0; i < n; i++) {
		v[i]->numbered = !v[i]->literal;
		if (v[i]->numbered)
			v[i]->index = number++;
	}
}

void gen_locals(struct gen *g, struct variable *const *v, size_t n)
{
	unsigned strings = string_variables(v, n);

	if (g->apart)
		number_locals(v, n);
	if (bytes_of(v, n) > FRAME_LOCALS)
		gen_area(g, v, n);
	if (strings) {
		gen_line(g, "char *st_bufs = st_scratch(c, %u * ST_MAXSTR - 1);", strings);
		check_error(g);
	}
	for (size_t i = 0; i < n; i++)
		if (!v[i]->literal)
			gen_local(g, v[i], v[i]->type == T_STRING ? --strings : 0);
}

const char *gen_hold_area(struct gen *g, size_t n)
{
	const char *t;

	if (n * ARG_SIZE <= FRAME_ARGS)
		return NULL;
	t = gen_temp(g);
	g->scratch_ops += strings_for(g, n * ARG_SIZE);
	gen_line(g, "union st_arg *%s = st_area(c, %zu * sizeof(*%s));", t, n, t);
	check_error(g);
	return t;
}

const char *gen_hold(struct gen *g, const char *area, size_t i, const char *value, bool string)
{
	const char *t = arena_printf("%s[%zu].%c", area, i, string ? 's' : 'i');

	gen_line(g, "%s = %s;", t, value);
	return t;
}

const char *gen_args(struct gen *g, const char *const *values, const bool *strings, size_t n)
{
	const char *t = gen_temp(g);
	struct sbuf b = { 0 };

	for (size_t i = 0; i < n; i++)
		sbuf_printf(&b, "%s{ .%c = %s }", i ? ", " : "", strings[i] ? 's' : 'i', values[i]);
	gen_line(g, "const union st_arg %s[] = { %s };", t, n ? sbuf_str(&b) : "{ .i = 0 }");
	sbuf_free(&b);
	return t;
}
