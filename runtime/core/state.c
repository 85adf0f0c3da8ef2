// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's state. */
#include "report.h"
#include "state.h"
#include "supply.h"

enum st_state st_state = ST_LOADED;
bool st_leaving;
static bool st_failed;			/* an error caused the end */
static const char *st_why;

void st_session_begin(void)
{
	st_leaving = false;
	st_failed = false;
	st_why = NULL;
	WRITE_ONCE(st_state, ST_STARTING);
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
	(void)c;
	if (READ_ONCE(st_state) == ST_STARTING)
		WRITE_ONCE(st_leaving, true);
	else
		st_session_end(false, NULL);
}
