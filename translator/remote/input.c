// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hands standard input on to the hosts whose scripts read it, the same to each.  The next portion waits until
 * each host has taken the last, and the first one until all hosts run: a script that starts later would miss
 * what was typed before.  So one buffer serves all.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "remote/host.h"
#include "remote/interrupts.h"

static bool ended;

static bool takes_input(const struct host *h)
{
	return h->step == RUNNING && h->bundle->reads_input;
}

int stdin_wanted(void)
{
	bool wanted = false;

	for (const struct host *h = hosts; h < hosts + nhosts; h++) {
		if (h->step < RUNNING || h->left)
			return -1;
		wanted |= takes_input(h);
	}
	return wanted && !ended && !interrupts ? STDIN_FILENO : -1;
}

void stdin_relay(void)
{
	static char text[1 << 12];
	ssize_t n;

	signal(SIGTTIN, SIG_IGN);	/* in the background, read() then fails and ends the input */
	n = read(STDIN_FILENO, text, sizeof(text));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	ended = n <= 0;
	for (struct host *h = hosts; h < hosts + nhosts && !ended; h++)
		if (takes_input(h))
			conversation_say(h, text, n);
}
