// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages to the user.  Control characters, which a hostile file name or module could contain,
 * are replaced before they reach a terminal. */
#include "say.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int say_verbose;
bool say_no_warnings;
int say_wait_ms = -1;

/* Waits until standard error accepts a line; a pipe that is ready has room for one. */
static bool has_room(void)
{
	struct pollfd pf = { .fd = STDERR_FILENO, .events = POLLOUT };

	return say_wait_ms < 0 || poll(&pf, 1, say_wait_ms);
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char line[4096];
	size_t n = strlen(prefix), room = sizeof(line) - n - 1;

	memcpy(line, prefix, n);
	int len = vsnprintf(line + n, room, fmt, ap);

	if (len < 0)
		return;
	size_t end = n + ((size_t)len < room ? (size_t)len : room - 1);

	for (size_t i = n; i < end; i++) {
		unsigned char c = line[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
			line[i] = '?';
	}
	line[end++] = '\n';
	if (has_room() && write(STDERR_FILENO, line, end) < 0)
		return;		/* there is nowhere to report the error */
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
