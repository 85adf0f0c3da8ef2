// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that change what the kernel does, for scripts with -g, or write to ftrace's own
 * trace.
 */
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/signal.h>
#if __has_include(<linux/panic.h>)
#include <linux/panic.h>		/* since 5.14; before it in kernel.h */
#endif

#include "handler/acts.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "handler/overload.h"

/* The longest delay; the kernel would take a longer one for a hung CPU. */
#define LONGEST_DELAY USEC_PER_SEC

/* How often a clock may show the same time; one that works never does so. */
#define CLOCK_READS 10000000

static void check_room(struct st_ctx *c, int err, const char *what)
{
	if (err)
		st_error(c, "%s: more than %d at once while interrupts are off", what, ST_ACTS);
}

void st_fn_printk(struct st_ctx *c, st_long level, struct st_str text)
{
	if (c->error)
		return;
	if (level < 0 || level > 7)
		st_error(c, "printk(): there is no level %lld, only 0 to 7", level);
	else
		check_room(c, st_act_print(level, text.p, text.len), "printk()");
}

void st_fn_dump_stack(struct st_ctx *c)
{
	struct st_context *x = st_context_of(c);
	unsigned int frames = st_stack_walk(c);

	if (!c->error)
		check_room(c, st_act_stack(x->stack, frames), "dump_stack()");
}

void st_fn_raise(struct st_ctx *c, st_long signal)
{
	if (c->error)
		return;
	if (!valid_signal(signal))
		st_error(c, "raise(): there is no signal %lld", signal);
	else if (current->flags & PF_KTHREAD)
		st_error(c, "raise(): a kernel thread takes no signals");
	else
		check_room(c, st_act_signal(signal), "raise()");
}

/*
 * Waits by the clock, because udelay() counts loops, whose time may be wrong in guests.  Gives up
 * if the clock stands still.
 */
static void spin(u64 ns)
{
	u64 began = ktime_get_mono_fast_ns(), now = began, last;
	unsigned int same = 0;

	while (now - began < ns && same < CLOCK_READS) {
		cpu_relax();
		last = now;
		now = ktime_get_mono_fast_ns();
		same = now == last ? same + 1 : 0;
	}
}

/*
 * Delays the handler.  A delay doesn't count as overload or as time with interrupts off, because
 * the script asked for it; but it counts as the handler's time.
 */
void st_fn_delay(struct st_ctx *c, int unit, st_long amount)
{
	struct st_context *x = st_context_of(c);
	cycles_t began, took;

	if (c->error)
		return;
	if (amount < 0 || amount > LONGEST_DELAY / unit) {
		st_error(c, "a delay lasts from 0 to 1 s, not %lld %s", amount,
			 unit == 1 ? "us" : "ms");
		return;
	}
	if (st_walked_slice(c))		/* the handler's time begins */
		return;
	began = get_cycles();
	spin(amount * unit * NSEC_PER_USEC);
	took = get_cycles() - began;
	st_time_apart(x, took);
	x->spent += took;
	st_walked_slice(c);
}

void st_fn_fail(struct st_ctx *c, struct st_str error)
{
	st_long number = st_fn_errno_number(c, error);

	if (!c->error)
		st_fn_set_return_value(c, -number);
}

void st_fn_panic(struct st_ctx *c, struct st_str message)
{
	panic("%.*s", (int)message.len, message.p);
}

/*
 * Writes to ftrace's trace, not by trace_printk(), because the kernel prints a warning about a
 * module that refers to it.
 */
void st_fn_ftrace(struct st_ctx *c, struct st_str s)
{
	st_trace_puts(s.p, s.len);
}
