// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session's state and its wake-ups.
 *
 * A loader waits for the end of a session in its own eventfd, not in a poll of our
 * files: an epoll set's entry in a wait queue of this module could outlive the module.
 */
#include <linux/eventfd.h>
#include <linux/irq_work.h>

#include "abi/stap_script.h"
#include "compat.h"
#include "report.h"
#include "state.h"
#include "watchers.h"

enum st_state st_state = ST_LOADED;
bool st_leaving;
static bool st_failed;			/* an error caused the end */
static const char *st_why;

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

void st_session_end(bool failed, const char *why)
{
	enum st_state was = cmpxchg(&st_state, ST_RUNNING, ST_EXITING);

	if (was == ST_STARTING)
		was = cmpxchg(&st_state, ST_STARTING, ST_EXITING);
	if (failed)
		WRITE_ONCE(st_failed, true);
	if (was != ST_RUNNING && was != ST_STARTING)
		return;
	WRITE_ONCE(st_why, why);
	st_wake();
}

bool st_session_failed(void)
{
	return READ_ONCE(st_failed);
}

const char *st_session_why(void)
{
	return READ_ONCE(st_why);
}

int st_not_started(void)
{
	switch (READ_ONCE(st_state)) {
	case ST_LOADED:
		return 0;
	case ST_STOPPED:
		return st_fail(-ECANCELED, "already stopped");
	default:
		return st_fail(-EBUSY, "already started");
	}
}

void st_exit(struct st_ctx *c)
{
	if (READ_ONCE(st_state) == ST_STARTING)
		WRITE_ONCE(st_leaving, true);
	else
		st_session_end(false, NULL);
}
