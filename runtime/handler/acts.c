// SPDX-License-Identifier: GPL-2.0-or-later
/* A few slots that handlers fill and an irq_work empties, the oldest first (acts.h). */
#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include "core/report.h"
#include "acts.h"
#include "context.h"

/*
 * The states of a slot.  The CPU that changes one from free or ready owns the slot until the next
 * change.
 */
enum st_act_state { ACT_FREE, ACT_OWNED, ACT_READY };

enum st_act_kind { ACT_PRINT, ACT_STACK, ACT_SIGNAL };

static struct st_act {
	int state;
	unsigned int number;		/* acts are numbered as they come */
	enum st_act_kind kind;
	int detail;			/* the level, the number of frames, the signal */
	struct task_struct *task;	/* with a reference; NULL for ACT_PRINT */
	int cpu;
	union {
		char text[ST_ACT_TEXT + 1];
		unsigned long frames[ST_STACK_DEPTH];
	};
} st_acts[ST_ACTS];

static atomic_t st_act_last;

static void print_stack(const struct st_act *act)
{
	int i;

	printk(KERN_DEFAULT "CPU: %d PID: %d Comm: %s\n", act->cpu, act->task->pid,
		act->task->comm);
	printk(KERN_DEFAULT "Call Trace:\n");
	for (i = 0; i < act->detail; i++)
		printk(KERN_DEFAULT " %pS\n", (void *)act->frames[i]);
}

static void carry_out(struct st_act *act)
{
	switch (act->kind) {
	case ACT_PRINT:
		printk("%c%c%s\n", KERN_SOH_ASCII, '0' + act->detail, act->text);
		break;
	case ACT_STACK:
		print_stack(act);
		break;
	case ACT_SIGNAL:
		send_sig(act->detail, act->task, 0);
		break;
	}
	if (act->task)
		put_task_struct(act->task);
}

static struct st_act *oldest_ready(void)
{
	struct st_act *act, *oldest = NULL;

	for (act = st_acts; act < st_acts + ST_ACTS; act++)
		if (smp_load_acquire(&act->state) == ACT_READY &&
		    (!oldest || (int)(act->number - oldest->number) < 0))
			oldest = act;
	return oldest;
}

/*
 * The task that carries out acts on this CPU.  Functions that it calls may be probed, so without
 * this "probe kernel.function("vprintk") { printk(6, "x") }" would go on for ever.
 */
static DEFINE_PER_CPU(struct task_struct *, st_acts_by);

static bool act_of_an_act(void)
{
	if (likely(__this_cpu_read(st_acts_by) != current))
		return false;
	atomic_long_inc(&st_counts.reentrant);
	return true;
}

static void carry_out_all(struct irq_work *work)
{
	struct st_act *act;

	this_cpu_write(st_acts_by, current);
	while ((act = oldest_ready())) {
		if (cmpxchg(&act->state, ACT_READY, ACT_OWNED) != ACT_READY)
			continue;
		carry_out(act);
		smp_store_release(&act->state, ACT_FREE);
	}
	this_cpu_write(st_acts_by, NULL);
}

static DEFINE_IRQ_WORK(st_acts_irq, carry_out_all);

static struct st_act *take_slot(enum st_act_kind kind, int detail, struct task_struct *task)
{
	struct st_act *act;

	for (act = st_acts; act < st_acts + ST_ACTS; act++) {
		if (cmpxchg(&act->state, ACT_FREE, ACT_OWNED) != ACT_FREE)
			continue;
		act->number = atomic_inc_return(&st_act_last);
		act->kind = kind;
		act->detail = detail;
		act->cpu = smp_processor_id();
		act->task = task ? get_task_struct(task) : NULL;
		return act;
	}
	return NULL;
}

static void submit(struct st_act *act)
{
	smp_store_release(&act->state, ACT_READY);
	irq_work_queue(&st_acts_irq);
}

int st_act_print(int level, const char *text, unsigned int len)
{
	struct st_act *act;

	if (act_of_an_act())
		return 0;
	act = take_slot(ACT_PRINT, level, NULL);
	if (!act)
		return -EBUSY;
	len = min_t(unsigned int, len, ST_ACT_TEXT);
	memcpy(act->text, text, len);
	act->text[len] = '\0';
	submit(act);
	return 0;
}

int st_act_stack(const unsigned long *frames, unsigned int n)
{
	struct st_act *act;

	if (act_of_an_act())
		return 0;
	act = take_slot(ACT_STACK, n, current);
	if (!act)
		return -EBUSY;
	memcpy(act->frames, frames, n * sizeof(*frames));
	submit(act);
	return 0;
}

int st_act_signal(int signal)
{
	struct st_act *act;

	if (act_of_an_act())
		return 0;
	act = take_slot(ACT_SIGNAL, signal, current);
	if (!act)
		return -EBUSY;
	submit(act);
	return 0;
}

void st_acts_stop(void)
{
	irq_work_sync(&st_acts_irq);
}
