// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Script errors: set once in the context, tested by generated code, and printed
 * and counted at the handler's end.  More errors than maxerrors, or more skipped
 * hits than maxskipped, end the session; with suppress_errors they are only
 * counted.
 */
#include "report.h"
#include "run.h"
#include "state.h"
#include "supply.h"

void st_error(struct st_ctx *c, const char *fmt, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, fmt);
	vscnprintf(c->error_buffer, c->error_room, fmt, args);
	va_end(args);
	c->error = c->error_buffer;
}

void st_error_text(struct st_ctx *c, struct st_str s)
{
	unsigned int n = min(s.len, c->error_room - 1);

	if (c->error)
		return;
	memcpy(c->error_buffer, s.p, n);
	c->error_buffer[n] = '\0';
	c->error = c->error_buffer;
}

void st_set_aside(struct st_ctx *c, struct st_pending *p)
{
	*p = (struct st_pending){
		.error = c->error, .near = c->near,
		.buffer = c->error_buffer, .room = c->error_room,
	};
	c->error = NULL;
	c->error_buffer = &p->none;
	c->error_room = sizeof(p->none);
}

void st_take_back(struct st_ctx *c, const struct st_pending *p)
{
	c->error = p->error;
	c->near = p->near;
	c->error_buffer = p->buffer;
	c->error_room = p->room;
}

static const char aborted[] = "";

void st_abort(struct st_ctx *c)
{
	st_exit(c);
	if (!c->error)
		c->error = aborted;
}

void st_called(struct st_ctx *c, const char *near)
{
	if (c->ncallers < ST_CALLERS)
		c->callers[c->ncallers++] = near;
}

int st_out_of_budget(struct st_ctx *c, const char *near)
{
	long more = min(c->reserve, ST_BUDGET_SLICE - c->budget);
	bool over = c->reserve > 0 && st_time_is_over(c);

	if (c->budget + more >= 0 && !over) {
		c->budget += more;
		c->reserve -= more;
		return 0;
	}
	c->reserve = 0;
	c->near = near;
	if (!over)
		st_error(c, "MAXACTION exceeded");
	return -1;
}

/* Ends the handler at a slice's end.  A budget below zero makes the error impossible to catch. */
int st_walked_slice(struct st_ctx *c)
{
	c->walked = 0;
	if (!st_time_is_over(c))
		return 0;
	c->budget = -1;
	c->reserve = 0;
	return 1;
}

void st_catch(struct st_ctx *c, struct st_strvar *message)
{
	if (c->budget < 0 || c->error == aborted)
		return;
	if (message) {
		message->s.p = message->buf;
		message->s.len = scnprintf(message->buf, st_program.maxstringlen, "%s", c->error);
	}
	c->error = NULL;
	c->near = NULL;
	c->ncallers = 0;
}

/*
 * Writes the message, its place, the calls that led there and the probe point, cut to ROOM.
 * Returns the length of all of it.
 */
static unsigned int error_text(const struct st_ctx *c, char *p, unsigned int room)
{
	unsigned int n, i;

	n = snprintf(p, room, "%s%s%s", c->error, c->near ? " " : "", c->near ?: "");
	for (i = 0; i < c->ncallers; i++)
		n += snprintf(p + min(n, room), room - min(n, room), " (called from %s)",
			      c->callers[i] + strlen("near "));
	n += snprintf(p + min(n, room), room - min(n, room), " in probe %s", c->point->pp);
	return n;
}

/* Prints the same text as one item of output. */
static void error_print(struct st_ctx *c)
{
	char none[1];
	unsigned int len = error_text(c, none, 0);
	char *p;

	p = st_emit(c, ST_FMT_ERROR, 4 + len + 1);
	if (!p)
		return;
	/* Room was made for the NUL too, which isn't part of the item. */
	error_text(c, p + 4, len + 1);
	memcpy(p, &len, 4);
	c->out--;
}

static void failed(struct st_ctx *c)
{
	long errors = atomic_long_inc_return(&st_counts.errors);

	if (st_program.suppress_errors)
		return;
	error_print(c);
	if (errors > st_program.maxerrors)
		st_session_end(true, NULL);
}

void st_handler_failed(struct st_ctx *c)
{
	if (c->error != aborted)
		failed(c);
	c->ncallers = 0;
}

void st_skip(void)
{
	long skipped = atomic_long_inc_return(&st_counts.skipped);

	if (!st_program.suppress_errors && skipped > st_program.maxskipped)
		st_session_end(true, "Skipped too many probes, check MAXSKIPPED or try again "
			       "with stap -t for more details.");
}

st_long st_div(struct st_ctx *c, st_long a, st_long b)
{
	if (b == 0) {
		st_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? (st_long)(0 - (unsigned long long)a) : a / b;	/* the least number by -1 traps */
}

st_long st_mod(struct st_ctx *c, st_long a, st_long b)
{
	if (b == 0) {
		st_error(c, "division by 0");
		return 0;
	}
	return b == -1 ? 0 : a % b;	/* the least number by -1 traps */
}
