// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Watched memory of processes: see watch.h.
 *
 * The end of a thread is reported where nothing may sleep, and releasing a breakpoint may, so a
 * worker does it.  Until then hits of a watch that is over are ignored, because after an exec its
 * address means something else.
 */
#include <linux/hash.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "handler/handler.h"
#include "handler/print.h"
#include "process/program.h"
#include "kprobe_state.h"
#include "perf.h"
#include "watch.h"

#define ST_WATCH_BITS 8

/* A breakpoint of a thread. */
struct st_watched {
	struct hlist_node node;
	const struct task_struct *task;		/* only compared */
	const struct st_process *place;
	struct perf_event *event;
	unsigned long shift;			/* of the program's linked addresses */
	bool over;
};

static struct hlist_head st_watches[1 << ST_WATCH_BITS];	/* by thread */
static struct hlist_head st_watches_over;
static DEFINE_RAW_SPINLOCK(st_watch_lock);
static bool st_watches_ended;			/* guarded by the lock: no further watch begins */
static bool st_watch_refused;			/* a warning has said so */

static struct hlist_head *watch_bucket(const struct task_struct *task)
{
	return &st_watches[hash_ptr(task, ST_WATCH_BITS)];
}

static void watch_hit(struct perf_event *event, struct perf_sample_data *data,
		      struct pt_regs *regs)
{
	const struct st_watched *w = event->overflow_handler_context;
	struct st_context *x = READ_ONCE(w->over) ? NULL : st_enter(&w->place->point, ST_RUNNING);
	struct st_kprobe_state state;

	if (!x)
		return;
	st_kprobe_set_aside(NULL, &state);
	st_set_regs(x, regs);
	x->user_regs = user_mode(regs);
	x->program = w->place->file + 1;
	x->shift = w->shift;
	w->place->point.probe->handler(&x->c);
	st_leave_handler(x);
	st_kprobe_put_back(&state);
}

static bool is_watched(const struct st_process *place)
{
	const struct st_watched *w;
	bool found = false;

	raw_spin_lock(&st_watch_lock);
	hlist_for_each_entry(w, watch_bucket(current), node)
		found |= w->task == current && w->place == place;
	raw_spin_unlock(&st_watch_lock);
	return found;
}

/*
 * Finds the address to watch, in the process's memory only; the kernel's may not be watched for a
 * process.
 */
static bool find_address(const struct st_process *place, unsigned long *address,
			 unsigned long *shift)
{
	*shift = 0;
	if (place->watch.linked && !st_program_shift(place->file, shift))
		return false;
	*address = place->watch.address + *shift;
	return *address < TASK_SIZE_MAX && place->watch.length <= TASK_SIZE_MAX - *address;
}

static void watch_refuse(const struct st_process *place, int err)
{
	if (!xchg(&st_watch_refused, true))
		st_tell(ST_FMT_WARN, "%s: %s (rc %d); process %d is not watched", place->point.pp,
			st_perf_why_not(err), err, current->tgid);
}

static void watches_release(struct work_struct *work)
{
	struct hlist_node *next;
	struct hlist_head over;
	struct st_watched *w;

	raw_spin_lock(&st_watch_lock);
	hlist_move_list(&st_watches_over, &over);
	raw_spin_unlock(&st_watch_lock);
	hlist_for_each_entry_safe(w, next, &over, node) {
		perf_event_release_kernel(w->event);
		kfree(w);
	}
}

static DECLARE_WORK(st_watches_work, watches_release);

/* Adds a watch.  Returns false if the watches were ended while the event was made. */
static bool watch_add(struct st_watched *w)
{
	bool goes_on;

	raw_spin_lock(&st_watch_lock);
	goes_on = !st_watches_ended;
	if (goes_on)
		hlist_add_head(&w->node, watch_bucket(current));
	raw_spin_unlock(&st_watch_lock);
	return goes_on;
}

void st_watch_begin(const struct st_process *place)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.pinned = 1,
		.bp_len = place->watch.length,
		.bp_type = place->watch.reads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W,
	};
	struct st_watched *w = is_watched(place) ? NULL : kzalloc(sizeof(*w), GFP_KERNEL);
	unsigned long address;

	if (!w)
		return;
	w->task = current;
	w->place = place;
	w->event = ERR_PTR(-EINVAL);
	if (find_address(place, &address, &w->shift)) {
		attr.bp_addr = address;
		flush_work(&st_watches_work);	/* those from before an exec occupy the CPU's few */
		w->event = perf_event_create_kernel_counter(&attr, -1, current, watch_hit, w);
	}
	if (IS_ERR(w->event)) {
		watch_refuse(place, PTR_ERR(w->event));
		kfree(w);
		return;
	}
	if (!watch_add(w)) {
		perf_event_release_kernel(w->event);
		kfree(w);
	}
}

/*
 * Moves the watches of a thread, or of all threads if it is NULL, to the list of watches that are
 * over.
 */
static bool watches_end(struct hlist_head *bucket, const struct task_struct *task)
{
	struct hlist_node *next;
	struct st_watched *w;
	bool any = false;

	hlist_for_each_entry_safe(w, next, bucket, node) {
		if (task && w->task != task)
			continue;
		WRITE_ONCE(w->over, true);
		hlist_del(&w->node);
		hlist_add_head(&w->node, &st_watches_over);
		any = true;
	}
	return any;
}

void st_watch_forget(void)
{
	bool any;

	raw_spin_lock(&st_watch_lock);
	any = watches_end(watch_bucket(current), current);
	raw_spin_unlock(&st_watch_lock);
	if (any)
		queue_work(system_unbound_wq, &st_watches_work);
}

void st_watches_end(void)
{
	unsigned int i;

	raw_spin_lock(&st_watch_lock);
	st_watches_ended = true;
	for (i = 0; i < ARRAY_SIZE(st_watches); i++)
		watches_end(&st_watches[i], NULL);
	raw_spin_unlock(&st_watch_lock);
	cancel_work_sync(&st_watches_work);
	watches_release(NULL);
}
