// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hands standard input on to the hosts whose scripts read it, the same to each.  The first portion waits until
 * all hosts run: a script that starts later would miss what was typed before.  The next ones wait until the last
 * is on its way to each host, so one buffer serves all, and until there is room for it there: behind what finds
 * none a host would not notice the end of the connection, which is ^C.
 */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "remote/host.h"
#include "remote/interrupts.h"

static struct {
	struct piece head;		/* for a host that needs it */
	char text[1 << 12];
} portion = { .head = { STREAM_IN, 0 } };
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
		if (takes_input(h) && h->untaken > INPUT_ROOM - sizeof(portion.text))
			return -1;
		wanted |= takes_input(h);
	}
	return wanted && !ended && !interrupts ? STDIN_FILENO : -1;
}

void stdin_relay(void)
{
	ssize_t n;

	signal(SIGTTIN, SIG_IGN);	/* in the background, read() then fails and ends the input */
	n = read(STDIN_FILENO, portion.text, sizeof(portion.text));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	ended = n <= 0;
	portion.head.bytes = n;
	for (struct host *h = hosts; h < hosts + nhosts && !ended; h++)
		if (takes_input(h)) {
			h->untaken += n;
			if (h->is_socket)
				conversation_say(h, (const char *)&portion, sizeof(portion.head) + n);
			else
				conversation_say(h, portion.text, n);
		}
}
