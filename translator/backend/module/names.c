// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes names and literals of the generated C. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

void gen_line(struct gen *g, const char *fmt, ...)
{
	va_list ap;

	for (int i = 0; i < g->indent; i++)
		sbuf_putc(g->out, '\t');
	va_start(ap, fmt);
	sbuf_vprintf(g->out, fmt, ap);
	va_end(ap);
	sbuf_putc(g->out, '\n');
}

void note_body(struct gen *g, const char *c_name, struct loc loc, const char *what)
{
	vec_push(&g->s->bodies, ((struct c_body){ c_name, loc, what }));
}

const char *c_string(const char *s)
{
	struct sbuf b = { 0 };

	sbuf_putc(&b, '"');
	sbuf_c_escape(&b, s);
	sbuf_putc(&b, '"');
	return sbuf_take(&b);
}

const char *c_near(const char *what, const char *at)
{
	return c_string(arena_printf("near %s at %s", what, at));
}

const char *c_literal(const char *s)
{
	return arena_printf("ST_LIT(%s)", c_string(s));
}

const char *c_number(int64_t n)
{
	if (n == INT64_MIN)
		return "(-9223372036854775807LL - 1)";
	return arena_printf(n < 0 ? "(%" PRId64 "LL)" : "%" PRId64 "LL", n);
}
