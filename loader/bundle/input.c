// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Relays what stap --remote reads from its standard input: from the connection to the FIFO that is a script's
 * standard input.
 *
 * The end of the connection means that stap is gone, or has heard ^C.  It must be noticed at once, also when
 * the script takes no more.  So all that comes is read: stap sends only as much as there is room for, and more
 * when it was told that some has been passed on.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "parts.h"
#include "stamp.h"

static char text[INPUT_ROOM];
static size_t waiting;			/* bytes of it */

static bool take(void)
{
	ssize_t n = read(STDIN_FILENO, text + waiting, sizeof(text) - waiting);

	waiting += n > 0 ? n : 0;
	return n > 0 || (n < 0 && errno == EINTR);
}

static bool pass_on(const char *prefix)
{
	ssize_t n = write(STDOUT_FILENO, text, waiting);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	waiting -= n;
	memmove(text, text + n, waiting);
	return dprintf(STDERR_FILENO, "%s took %zd\n", prefix, n) > 0;
}

int relay_input(const char *prefix, pid_t script)
{
	struct pollfd p[] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLOUT } };
	bool good = true;

	signal(SIGPIPE, SIG_IGN);
	fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
	while (good) {
		p[1].fd = waiting ? STDOUT_FILENO : -1;
		good = poll(p, 2, -1) >= 0 || errno == EINTR;
		if (good && p[0].revents)
			good = take();
		if (good && p[1].revents)
			good = pass_on(prefix);
	}
	kill(script, SIGTERM);
	return 0;
}
