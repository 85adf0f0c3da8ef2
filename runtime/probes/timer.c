// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Timer probes.  High resolution timers expire in hard interrupts; those counted in
 * jiffies belong to the timer wheel and expire in softirqs.  Each restarts itself, with
 * .randomize by another interval each time.
 *
 * A timer that expires while the session is still starting only restarts.  Once the
 * session has left the running state it doesn't restart; cancelling it waits for a handler
 * under way.  A timer whose probe's condition doesn't hold is not started.
 */
#include <linux/random.h>
#include <linux/slab.h>

#include "core/report.h"
#include "handler/compat.h"
#include "handler/handler.h"
#include "family.h"

/* The shortest interval, which leaves the CPU time between the interrupts. */
#define ST_TIMER_MIN_NS 1000

struct st_timer_state {
	const struct st_timer *timer;
	u64 seed;
	bool running;			/* started, and not cancelled since */
	union {
		struct hrtimer hr;
		struct timer_list wheel;
	};
};

static struct st_timer_state *st_timers;
static unsigned int st_ntimers, st_timers_armed;

/* Returns a number by xorshift, which is random enough here, cheap, and usable in any context. */
static u64 next_random(struct st_timer_state *t)
{
	t->seed ^= t->seed << 13;
	t->seed ^= t->seed >> 7;
	t->seed ^= t->seed << 17;
	return t->seed;
}

static u64 next_interval(struct st_timer_state *t)
{
	st_long interval = t->timer->interval;

	if (t->timer->random > 0)
		interval += (st_long)(next_random(t) % (2 * (u64)t->timer->random + 1)) -
			    t->timer->random;
	return max(interval, t->timer->jiffies ? 1ll : (st_long)ST_TIMER_MIN_NS);
}

static void timer_hit(struct st_timer_state *t)
{
	struct st_context *x = st_enter_any(&t->timer->point, ST_RUNNING);

	if (!x)
		return;
	t->timer->point.probe->handler(&x->c);
	st_leave_handler(x);
}

static bool timers_go_on(void)
{
	return READ_ONCE(st_state) <= ST_RUNNING;
}

static enum hrtimer_restart hr_expired(struct hrtimer *hr)
{
	struct st_timer_state *t = container_of(hr, struct st_timer_state, hr);

	timer_hit(t);
	if (!timers_go_on())
		return HRTIMER_NORESTART;
	hrtimer_forward_now(hr, ns_to_ktime(next_interval(t)));
	return HRTIMER_RESTART;
}

static void wheel_expired(struct timer_list *wheel)
{
	struct st_timer_state *t = container_of(wheel, struct st_timer_state, wheel);

	timer_hit(t);
	if (timers_go_on())
		mod_timer(wheel, jiffies + next_interval(t));
}

static int timer_prepare(const void *items, unsigned int n)
{
	unsigned int i;

	st_timers = kvcalloc(n, sizeof(*st_timers), GFP_KERNEL);
	if (!st_timers)
		return st_fail(-ENOMEM, "no memory for %u timers", n);
	st_ntimers = n;
	for (i = 0; i < n; i++) {
		st_timers[i].timer = (const struct st_timer *)items + i;
		st_timers[i].seed = get_random_u64() | 1;
	}
	return 0;
}

static void timer_start(struct st_timer_state *t)
{
	if (t->timer->jiffies)
		mod_timer(&t->wheel, jiffies + next_interval(t));
	else
		hrtimer_start(&t->hr, ns_to_ktime(next_interval(t)), ST_HRTIMER_MODE);
	t->running = true;
}

/* Cancels a timer, and waits for a handler under way. */
static void timer_cancel(struct st_timer_state *t)
{
	if (t->timer->jiffies)
		st_timer_cancel(&t->wheel);
	else
		hrtimer_cancel(&t->hr);
	t->running = false;
}

static void timer_refresh(void)
{
	struct st_timer_state *t;

	for (t = st_timers; t < st_timers + st_timers_armed; t++) {
		bool wanted = st_wanted(t->timer->point.probe);

		if (wanted && !t->running)
			timer_start(t);
		else if (!wanted && t->running)
			timer_cancel(t);
	}
}

static int timer_arm(void)
{
	struct st_timer_state *t;

	for (t = st_timers; t < st_timers + st_ntimers; t++) {
		if (t->timer->jiffies)
			timer_setup(&t->wheel, wheel_expired, 0);
		else
			st_hrtimer_init(&t->hr, hr_expired);
	}
	st_timers_armed = st_ntimers;
	timer_refresh();
	return 0;
}

static void timer_disarm(void)
{
	while (st_timers_armed)
		timer_cancel(&st_timers[--st_timers_armed]);
}

static void timer_release(void)
{
	kvfree(st_timers);
	st_timers = NULL;
	st_ntimers = 0;
}

const struct st_family st_timer_family = {
	.name = "timer",
	.prepare = timer_prepare,
	.arm = timer_arm,
	.refresh = timer_refresh,
	.disarm = timer_disarm,
	.release = timer_release,
};
