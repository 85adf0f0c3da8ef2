/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a session reports to its loader besides the trace: counters, and the
 * message of the last failed command.  It depends on nothing else.
 */
#ifndef STAP_REPORT_H
#define STAP_REPORT_H

#include "port/port.h"

/* The counters of .control's report (abi/transport.h). */
struct st_counts {
	atomic_long_t errors;		/* handlers that failed */
	atomic_long_t skipped;		/* hits skipped for a lock or for lack of stack */
	atomic_long_t reentrant;	/* hits skipped because a handler's own work caused them */
	atomic_long_t idle;		/* hits skipped where a CPU or the machine sleeps, or wakes */
	atomic_long_t missed;		/* hits the kernel did not deliver (kprobes' nmissed) */
	atomic_long_t unread;		/* outputs too big for any buffer */
	unsigned int ftrace, kprobes, kretprobes;	/* places armed each way at the start */
	unsigned int late;		/* places armed in modules loaded later */
	s64 since;			/* when the session started, in seconds since 1970; 0: not yet */
};

extern struct st_counts st_counts;

/* The message of the last failed command; "" after one that succeeded. */
extern char st_message[256];

/* Sets st_message and returns err.  Process context, commands run one at a time. */
int st_fail(int err, const char *fmt, ...) __printf(2, 3);

#endif
