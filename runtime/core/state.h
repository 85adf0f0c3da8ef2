/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session's state, and waking whoever waits for it to change.
 *
 * A session is one loaded module's life:
 *
 *	loaded → starting → running → exiting → stopping → stopped
 *
 * Everything is allocated when it starts, before the first handler; probes are
 * armed after the begin probes have run and disarmed before the end probes run.
 * A handler can change the state in one way only, from running (or starting) to
 * exiting; all other changes happen in process context (session/session.c).
 */
#ifndef STAP_STATE_H
#define STAP_STATE_H

#include <linux/types.h>
#include <linux/wait.h>

/*
 * Each kind of handler runs in one state: begin probes in ST_STARTING, end
 * probes in ST_STOPPING, error probes in ST_FAILING, all others in ST_RUNNING.
 */
enum st_state {
	ST_LOADED, ST_STARTING, ST_RUNNING, ST_EXITING, ST_STOPPING, ST_FAILING, ST_STOPPED,
};

extern enum st_state st_state;

/* A begin probe called exit(): begin probes with the same sequence number still run. */
extern bool st_leaving;

/*
 * Ends the session: running or starting becomes exiting; in other states the state
 * stays.  FAILED: error probes run instead of end probes.  WHY is printed as an
 * error; NULL if the user knows the reason.  Any context.
 */
void st_session_end(bool failed, const char *why);
bool st_session_failed(void);
const char *st_session_why(void);

/* Returns 0 before "start"; else -EBUSY, or -ECANCELED after the end, with st_message set. */
int st_not_started(void);

/* The reader of the trace sleeps here, and whoever ends the session until nothing of it runs. */
extern wait_queue_head_t st_waiters;

/* Wakes st_waiters and, if the session is exiting, the eventfd.  Any context. */
void st_wake(void);

/*
 * The eventfd with the caller's descriptor fd replaces the previous one; st_wake() signals it.
 * 0, or -errno with st_message set.  forget() drops it and waits for a wake-up under way.
 */
int st_notify(int fd);
void st_notify_forget(void);

#endif
