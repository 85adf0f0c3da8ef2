// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A handler's output: collected in its context's buffer, handed to the trace
 * in one piece at its end, or in several when it is bigger than the buffer.
 * When a piece finds no room the output ends there: what follows is dropped,
 * and the record counted as lost.
 */
#include "context.h"

void st_flush(struct st_context *x, bool more)
{
	unsigned int bytes = x->c.out - x->out;

	x->c.out = x->out;
	if (!x->cut && st_commit(x->level, more, x->begun, (u64 *)x->out, bytes) < 0)
		x->cut = true;
	x->begun = more;
	if (!more)
		x->cut = false;
}

char *st_emit_slow(struct st_ctx *c, unsigned int bytes)
{
	struct st_context *x = st_context_of(c);

	if (bytes > c->out_end - x->out) {
		atomic_long_inc(&st_counts.unread);
		return NULL;
	}
	st_flush(x, true);
	return c->out;
}

static void print_item(struct st_ctx *c, unsigned short format, struct st_str s)
{
	char *p = st_emit(c, format, 4 + s.len);

	if (p)
		st_emit_str(p, s);
}

void st_print_text(struct st_ctx *c, struct st_str s)
{
	unsigned int room = c->out_end - st_context_of(c)->out - 2 - 4;

	for (; s.len > room; s.p += room, s.len -= room)
		print_item(c, ST_FMT_TEXT, (struct st_str){ s.p, room });
	if (s.len)
		print_item(c, ST_FMT_TEXT, s);
}

void st_warn(struct st_ctx *c, struct st_str s)
{
	print_item(c, ST_FMT_WARN, s);
}
