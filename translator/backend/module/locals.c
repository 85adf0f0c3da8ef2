// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints local variables, and the values that KEEP keeps.  They are in the C function's frame, and
 * the compiler turns most into registers.  The kernel's stack is small, so a body with many has
 * them in the context's scratch instead.  The buffers of strings are always there.
 */
#include "base/arena.h"
#include "gen.h"

/* Bytes of a frame that a body's variables may use. */
enum { FRAME_LOCALS = 384 };

enum { STRVAR_SIZE = 24, LONG_SIZE = 8, ALIGNING = 8 };

/*
 * Returns how many of the locals from FROM up to TO are strings; sets how many bytes these locals
 * take.
 */
static unsigned count_strings(const struct ir_body *b, size_t from, size_t to)
{
	unsigned count = 0;

	for (size_t i = from; i < to; i++)
		count += b->locals.v[i].type == IR_STRING;
	return count;
}

static size_t bytes_of(const struct ir_body *b, size_t from, size_t to)
{
	size_t strings = count_strings(b, from, to);

	return strings * STRVAR_SIZE + (to - from - strings) * LONG_SIZE;
}

unsigned strings_for(const struct gen *g, size_t bytes)
{
	return (bytes + ALIGNING) / session_maxstring(g->s) + 1;
}

static unsigned scratch_of(const struct gen *g, const struct ir_body *b, size_t from, size_t to)
{
	size_t bytes = bytes_of(b, from, to);

	return count_strings(b, from, to) + (bytes > FRAME_LOCALS ? strings_for(g, bytes) : 0);
}

unsigned locals_scratch(const struct gen *g, const struct ir_body *b)
{
	unsigned kept = 0;

	for (size_t i = 0; i < b->kept.n; i++)
		kept += b->kept.v[i] == IR_STRING;
	return kept + scratch_of(g, b, 0, b->nparams) + scratch_of(g, b, b->nparams, b->locals.n);
}

/*
 * Prints the locals in scratch.  Numbers are volatile, because a compiler that kept stored values
 * in registers would spill hundreds of registers to the frame.
 */
static void gen_area(struct gen *g)
{
	const struct ir_body *b = g->body;

	gen_line(g, "struct {");
	for (size_t i = b->nparams; i < b->locals.n; i++)
		gen_line(g, "\t%s %s;", b->locals.v[i].type == IR_STRING ? "struct st_strvar"
									 : "volatile st_long",
			 local_text(g, i));
	gen_line(g, "} *l = st_area(c, sizeof(*l));");
	gen_line(g, "ST_CHECK(c, out);");
	g->in_area = true;
}

static void gen_local(struct gen *g, size_t i, unsigned buffer)
{
	const char *name = local_text(g, i);

	if (g->body->locals.v[i].type == IR_STRING)
		gen_line(g, "%s%s = (struct st_strvar){ ST_LIT(\"\"), st_bufs + %u * ST_MAXSTR };",
			 g->in_area ? "" : "struct st_strvar ", name, buffer);
	else if (!g->in_area)
		gen_line(g, "st_long %s = 0;", name);
}

void gen_locals(struct gen *g)
{
	const struct ir_body *b = g->body;
	unsigned strings = count_strings(b, b->nparams, b->locals.n);

	if (bytes_of(b, b->nparams, b->locals.n) > FRAME_LOCALS)
		gen_area(g);
	if (strings) {
		gen_line(g, "char *st_bufs = st_scratch(c, %u * ST_MAXSTR - 1);", strings);
		gen_line(g, "ST_CHECK(c, out);");
	}
	for (size_t i = b->nparams; i < b->locals.n; i++)
		gen_local(g, i, b->locals.v[i].type == IR_STRING ? --strings : 0);
}

void gen_kept(struct gen *g)
{
	for (size_t i = 0; i < g->body->kept.n; i++) {
		if (g->body->kept.v[i] != IR_STRING) {
			gen_line(g, "st_long m%zu;", i);
			continue;
		}
		gen_line(g, "struct st_strvar m%zu = { ST_LIT(\"\"), st_scratch(c, ST_MAXSTR - 1) };", i);
		gen_line(g, "ST_CHECK(c, out);");
	}
}
