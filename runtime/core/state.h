/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session's state.
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

#include "port/port.h"

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

/* Begins a session: begin probes may run.  Process context. */
void st_session_begin(void);

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

#endif
