// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts the signals that ask for the end (interrupts.h). */
#include "remote/interrupts.h"

#include <stddef.h>

volatile sig_atomic_t interrupts;
sigset_t interrupts_before;
static sigset_t held;		/* those that ask for the end */

static void note_interrupt(int sig)
{
	(void)sig;
	interrupts++;
}

/* Lets signals come only while the loop waits.  SIGPIPE is ignored: that a host is gone is no
 * interrupt. */
void interrupts_hold(void)
{
	const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction sa = { .sa_handler = note_interrupt };
	struct sigaction old;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (sigaction(ends[i], NULL, &old) || old.sa_handler == SIG_IGN)
			continue;
		sigaction(ends[i], &sa, NULL);
		sigaddset(&held, ends[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &interrupts_before);
	signal(SIGPIPE, SIG_IGN);
}

/* Lets signals end stap as usual. */
void interrupts_release(void)
{
	for (int n = 1; n < NSIG; n++)
		if (sigismember(&held, n) == 1)
			signal(n, SIG_DFL);
	sigprocmask(SIG_SETMASK, &interrupts_before, NULL);
}

void interrupts_allow(bool allow)
{
	if (allow)
		sigprocmask(SIG_SETMASK, &interrupts_before, NULL);
	else
		sigprocmask(SIG_BLOCK, &held, NULL);
}
