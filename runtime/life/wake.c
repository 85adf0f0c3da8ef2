// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wake-ups when the session's state changes.
 *
 * A loader waits for the end of a session in its own eventfd, not in a poll of our
 * files: an epoll set's entry in a wait queue of this module could outlive the module.
 */
#include <linux/eventfd.h>
#include <linux/irq_work.h>

#include "core/report.h"
#include "core/state.h"
#include "handler/compat.h"
#include "wake.h"
#include "watchers.h"

DECLARE_WAIT_QUEUE_HEAD(st_waiters);
static struct eventfd_ctx *st_notified;

static void wake_waiters(struct irq_work *work)
{
	struct eventfd_ctx *notified = READ_ONCE(st_notified);

	wake_up_all(&st_waiters);
	if (READ_ONCE(st_state) < ST_EXITING)
		return;
	if (notified)
		st_eventfd_signal(notified);
	if (READ_ONCE(st_state) == ST_EXITING)
		st_end_detached();
}

static DEFINE_IRQ_WORK(st_wake_work, wake_waiters);

void st_wake(void)
{
	irq_work_queue(&st_wake_work);
}

static void notify_instead(struct eventfd_ctx *ctx)
{
	struct eventfd_ctx *old = xchg(&st_notified, ctx);

	irq_work_sync(&st_wake_work);
	if (old)
		eventfd_ctx_put(old);
}

int st_notify(int fd)
{
	struct eventfd_ctx *ctx = eventfd_ctx_fdget(fd);

	if (IS_ERR(ctx))
		return st_fail(PTR_ERR(ctx), "%d is not an eventfd descriptor", fd);
	notify_instead(ctx);
	st_wake();			/* the session may be exiting already */
	return 0;
}

void st_notify_forget(void)
{
	notify_instead(NULL);
}
