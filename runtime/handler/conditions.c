// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probe conditions: probe POINT if (EXPRESSION).
 *
 * A condition reads global variables only, so its value changes in two ways: by
 * the begin probes, and by handlers that write one of these variables.  It is
 * evaluated when the begin probes have run, and then by each such handler, under
 * the variables' locks.  The result is kept (probe->armed); a hit only reads that.
 *
 * A disarmed place costs nothing only once it is removed from the kernel, which no
 * handler can do.  A handler queues an irq_work, which works in any context; that
 * queues a delayed work item, which has the families arm and disarm.  However often
 * conditions change, that happens at most once in ST_REFRESH_MS.
 */
#include <linux/irq_work.h>
#include <linux/workqueue.h>

#include "core/report.h"
#include "conditions.h"
#include "handler.h"

#define ST_REFRESH_MS 20

static struct workqueue_struct *st_refresh_queue;
static unsigned long st_next_refresh;		/* jiffies */
static void (*st_refresh)(void);

static void refresh_now(struct work_struct *work)
{
	st_refresh();
	WRITE_ONCE(st_next_refresh, jiffies + msecs_to_jiffies(ST_REFRESH_MS));
}

static DECLARE_DELAYED_WORK(st_refresh_work, refresh_now);

static void refresh_soon(struct irq_work *work)
{
	unsigned long next = READ_ONCE(st_next_refresh), now = jiffies;

	queue_delayed_work(st_refresh_queue, &st_refresh_work,
			   time_after(next, now) ? next - now : 0);
}

static DEFINE_IRQ_WORK(st_refresh_irq, refresh_soon);

void st_condition_changed(void)
{
	if (READ_ONCE(st_state) == ST_RUNNING)
		irq_work_queue(&st_refresh_irq);
}

bool st_condition_holds(const struct st_point *point, enum st_state when)
{
	struct st_probe probe = *point->probe;
	struct st_point at = *point;
	struct st_context *x;

	if (!probe.condition)
		return true;
	probe.armed = NULL;		/* so that st_enter_any() ignores the old result */
	at.probe = &probe;
	x = st_enter_any(&at, when);
	if (!x)
		return false;
	probe.condition(&x->c);
	x->uncounted = true;
	st_leave_handler(x);
	return *point->probe->armed;
}

int st_conditions_prepare(void (*refresh)(void))
{
	unsigned int i;

	for (i = 0; i < st_program.nprobes && !st_program.probes[i]->condition; i++)
		;
	if (i == st_program.nprobes)
		return 0;
	st_refresh = refresh;
	st_refresh_queue = alloc_workqueue("stap_conditions", WQ_UNBOUND, 1);
	if (!st_refresh_queue)
		return st_fail(-ENOMEM, "no memory for the conditions of probes");
	st_next_refresh = jiffies;
	return 0;
}

void st_conditions_start(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nprobes; i++) {
		const struct st_probe *probe = st_program.probes[i];
		struct st_point point = {
			.probe = probe, .pp = probe->where, .func = "", .module = "", .pn = "",
		};

		st_condition_holds(&point, ST_STARTING);
	}
}

void st_conditions_stop(void)
{
	irq_work_sync(&st_refresh_irq);
	if (st_refresh_queue)
		cancel_delayed_work_sync(&st_refresh_work);
}

void st_conditions_release(void)
{
	if (st_refresh_queue)
		destroy_workqueue(st_refresh_queue);
	st_refresh_queue = NULL;
}
