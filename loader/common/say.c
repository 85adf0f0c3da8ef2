// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints messages to the user.  Control characters, which a hostile file name or module could contain,
 * are replaced before they reach the terminal. */
#define _GNU_SOURCE
#include "say.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"

int say_verbose;
bool say_no_warnings;
int say_wait_ms = -1;

/* Waits until standard error accepts more.  A pipe that poll() reports as ready has room for PIPE_BUF
 * bytes. */
static bool has_room(void)
{
	struct pollfd pf = { .fd = STDERR_FILENO, .events = POLLOUT };
	int n;

	do
		n = poll(&pf, 1, say_wait_ms);
	while (n < 0 && errno == EINTR);
	return n != 0;
}

/* Writes N bytes in one write(), if possible.  If no write may block (say_wait_ms), writes pieces that a
 * ready pipe has room for. */
static void write_line(const char *p, size_t n)
{
	while (n && has_room()) {
		size_t most = say_wait_ms < 0 ? n : PIPE_BUF;
		ssize_t done = write(STDERR_FILENO, p, n < most ? n : most);

		if (done > 0) {
			p += done;
			n -= done;
		} else if (!done || (errno != EINTR && errno != EAGAIN)) {
			return;		/* there is nowhere to report the error */
		}
	}
}

/* Held until a progress line is erased, so that a thread that reads progress_shown as false may print. */
static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool progress_shown;

void say_progress(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	if (!isatty(STDERR_FILENO))
		return;
	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	pthread_mutex_lock(&progress_lock);
	write_line(text, n);
	progress_shown = true;
	pthread_mutex_unlock(&progress_lock);
	free(text);
}

void say_progress_end(void)
{
	static const char erase[] = "\r\033[K";

	if (!progress_shown)
		return;
	pthread_mutex_lock(&progress_lock);
	if (progress_shown)
		write_line(erase, sizeof(erase) - 1);
	progress_shown = false;
	pthread_mutex_unlock(&progress_lock);
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	static const char no_memory[] = "ERROR: no memory for a message\n";
	char *text, *shown = NULL, *line;
	int n = vasprintf(&text, fmt, ap);

	say_progress_end();
	if (n >= 0) {
		shown = printable(text, n, "\n\t");
		free(text);
	}
	n = shown ? asprintf(&line, "%s%s\n", prefix, shown) : -1;
	free(shown);
	if (n < 0) {
		write_line(no_memory, sizeof(no_memory) - 1);
		return;
	}
	write_line(line, n);
	free(line);
}

void say_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("ERROR: ", fmt, ap);
	va_end(ap);
}

void say_warning(const char *fmt, ...)
{
	va_list ap;

	if (say_no_warnings)
		return;
	va_start(ap, fmt);
	say("WARNING: ", fmt, ap);
	va_end(ap);
}

void say_if(int level, const char *fmt, ...)
{
	va_list ap;

	if (say_verbose < level)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}
