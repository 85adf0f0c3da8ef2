/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that ask for the end of a run of --remote.
 *
 *	interrupts_hold();			from here on they are counted, but come only when allowed
 *	...
 *	ppoll(p, n, &t, &interrupts_before);	here, for example
 *	if (interrupts > heeded)
 *		...
 *	interrupts_release();			they end stap again
 */
#ifndef STAP_REMOTE_INTERRUPTS_H
#define STAP_REMOTE_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>

/* How often the user has asked for the end.  What else ends the run sets it, too. */
extern volatile sig_atomic_t interrupts;

/* The signals that were blocked before the run. */
extern sigset_t interrupts_before;

void interrupts_hold(void);
void interrupts_release(void);

/* Between the two: lets them come, or not. */
void interrupts_allow(bool allow);

#endif
