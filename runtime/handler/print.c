// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commits a handler's output (emit.c) to the CPU's ring.  Once a piece finds no room the rest of
 * the output is dropped, and the record counts as lost.
 */
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "core/supply.h"
#include "container.h"
#include "context.h"
#include "print.h"
#include "ring.h"

bool st_origins;

/* Writes the item ST_FMT_ORIGIN right before the output; returns its length, in whole words. */
static unsigned int origin_put(const struct st_context *x)
{
	const char *point = x->c.point->pp;
	size_t n = strnlen(point, ST_ORIGIN_POINT);
	unsigned int whole = ALIGN(6 + sizeof(struct st_origin) + n, 8);
	struct st_origin origin = { .pid = current->tgid, .tid = current->pid };
	char *p = x->c.output - whole;
	u16 format = ST_FMT_ORIGIN;
	u32 len = whole - 6;

	memcpy(origin.comm, current->comm, sizeof(origin.comm));
	st_container_of_current(origin.container);
	memset(x->c.output - 8, 0, 8);		/* the padding of the last word */
	memcpy(p, &format, 2);
	memcpy(p + 2, &len, 4);
	memcpy(p + 6, &origin, sizeof(origin));
	memcpy(p + 6 + sizeof(origin), point, n);
	return whole;
}

void st_flush(struct st_ctx *c, bool more)
{
	struct st_context *x = st_context_of(c);
	unsigned int origin = st_origins ? origin_put(x) : 0;
	unsigned int bytes = c->out - c->output + origin;
	u64 *body = (u64 *)(c->output - origin);

	c->out = c->output;
	if (!x->cut && st_commit(x->level, more, x->begun, body, bytes) < 0)
		x->cut = true;
	x->begun = more;
	if (!more)
		x->cut = false;
}

void st_tell(unsigned short format, const char *fmt, ...)
{
	u64 words[64];
	char *item = (char *)words;
	va_list args;
	u32 len;

	va_start(args, fmt);
	len = vscnprintf(item + 6, sizeof(words) - 6, fmt, args);
	va_end(args);
	memcpy(item, &format, 2);
	memcpy(item + 2, &len, 4);
	preempt_disable();
	st_commit(ST_TASK, false, false, words, 6 + len);
	preempt_enable();
}

atomic_long_t *st_speculations(void)
{
	static atomic_long_t last;

	return &last;
}
