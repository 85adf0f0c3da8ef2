// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the loader's messages (loader/common/say.c): long ones, and a standard error that is full
 * or doesn't block.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../loader/common/say.h"
#include "check.h"

#define LONG 9000			/* characters: more than a full pipe takes at a time */

static int reader, saved;
static size_t filled;

/* Makes standard error a pipe, whose other end is READER. */
static void begin(int flags)
{
	int ends[2];

	saved = dup(STDERR_FILENO);
	if (pipe2(ends, flags))
		exit(77);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	reader = ends[0];
	filled = 0;
}

static void fill(void)
{
	static const char dots[4096];

	while (write(STDERR_FILENO, dots, sizeof(dots)) > 0)
		filled += sizeof(dots);
}

static void end(void)
{
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(reader);
}

/* Reads so many bytes, or what comes within a moment; returns their number. */
static size_t take(char *to, size_t n)
{
	struct pollfd pf = { .fd = reader, .events = POLLIN };
	size_t done = 0;

	while (done < n && poll(&pf, 1, 2000) > 0) {
		ssize_t got = read(reader, to + done, n - done);

		if (got <= 0)
			break;
		done += got;
	}
	return done;
}

static bool is_long(const char *p, size_t n)
{
	if (n != strlen("WARNING: ") + LONG + 1 || memcmp(p, "WARNING: ", 9) || p[n - 1] != '\n')
		return false;
	for (size_t i = 9; i < n - 1; i++)
		if (p[i] != 'x')
			return false;
	return true;
}

static void say_long(void)
{
	static char text[LONG + 1];

	memset(text, 'x', LONG);
	say_warning("%s", text);
}

/* What a script says may be longer than any line of ours. */
static void long_message(int wait_ms)
{
	static char got[2 * LONG];

	begin(O_NONBLOCK);
	say_wait_ms = wait_ms;
	say_long();
	size_t n = take(got, strlen("WARNING: ") + LONG + 1);

	end();
	CHECK(is_long(got, n));
}

static void controls(void)
{
	char got[80] = "";

	begin(O_NONBLOCK);
	say_error("a\033[2Jb\tc\n\177\302\233\377\303\274");
	take(got, strlen("ERROR: a\\x1b[2Jb\tc\n\\x7f\\xc2\\x9b\\xff\303\274\n"));
	end();
	CHECK(!strcmp(got, "ERROR: a\\x1b[2Jb\tc\n\\x7f\\xc2\\x9b\\xff\303\274\n"));
}

/* A full pipe that doesn't block: the message comes when somebody reads. */
static void read_late(void)
{
	static char got[1 << 20];
	int status = 1;

	begin(O_NONBLOCK);
	fill();
	pid_t child = fork();

	if (!child) {
		say_wait_ms = -1;
		say_long();
		_exit(0);
	}
	poll(NULL, 0, 100);
	size_t n = take(got, filled + strlen("WARNING: ") + LONG + 1);

	waitpid(child, &status, 0);
	end();
	CHECK(!status);
	CHECK(n > filled && is_long(got + filled, n - filled));
}

/* A full pipe that blocks, which nobody empties: no message waits longer than it should. */
static void never_read(void)
{
	begin(O_NONBLOCK);
	fill();
	fcntl(STDERR_FILENO, F_SETFL, 0);
	say_wait_ms = 50;
	alarm(10);
	say_long();
	/* Room for less than all of it. */
	char page[4096];

	CHECK(take(page, sizeof(page)) == sizeof(page));
	say_long();
	alarm(0);
	end();
}

int main(void)
{
	long_message(-1);
	long_message(1000);
	controls();
	read_late();
	never_read();
	return failures != 0;
}
