// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries the streams of a command over this program's input and output (streams.h), for stap --remote.
 *
 * The connection may be a terminal or a port whose other end is gone, and then takes nothing more: it is
 * written to only when it is ready, so its end is noticed, and becomes the end of the command's input.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts.h"
#include "streams.h"

enum {
	PORTION = 1 << 14,
	LATE_MOST = 64,			/* portions that are left in pipes, when the command has ended */
};

static int to, from[2];			/* the command's input; its output and messages */
static struct piece coming;		/* the piece of input that arrives */
static size_t coming_got;		/* bytes of its head */
static char out[sizeof(struct piece) + PORTION];
static size_t out_at, out_end;		/* what waits of a piece of output */
static bool gone;			/* nobody takes output any more */

static void end_input(void)
{
	if (to >= 0)
		close(to);
	to = -1;
}

/* Passes input on.  stap sends no more than the command's pipe has room for (INPUT_ROOM). */
static void take(const char *p, size_t n)
{
	while (n && to >= 0) {
		size_t rest = sizeof(coming) - coming_got, took = n < rest ? n : rest;

		if (rest) {
			memcpy((char *)&coming + coming_got, p, took);
			coming_got += took;
			if (coming_got == sizeof(coming) && !coming.bytes)
				end_input();
		} else {
			took = n < coming.bytes ? n : coming.bytes;
			if (write(to, p, took) != (ssize_t)took)
				end_input();
			coming.bytes -= took;
			if (!coming.bytes)
				coming_got = 0;
		}
		p += took;
		n -= took;
	}
}

static void take_some(void)
{
	char bytes[1 << 12];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (n > 0)
		take(bytes, n);
	else if (!n || (errno != EAGAIN && errno != EINTR))
		end_input();
}

static void put(uint32_t stream, size_t n)
{
	const struct piece head = { stream, n };

	memcpy(out, &head, sizeof(head));
	out_at = 0;
	out_end = gone ? 0 : sizeof(head) + n;
}

/* Reads a portion of a stream, which then waits. */
static void fetch(int stream)
{
	ssize_t n = read(from[stream], out + sizeof(struct piece), PORTION);

	if (!n) {
		close(from[stream]);
		from[stream] = -1;
	}
	if (n > 0)
		put(stream, n);
}

/* REVENTS are poll()'s: a port without another end is never ready, and says so each time. */
static void put_some(int revents)
{
	ssize_t n = write(STDOUT_FILENO, out + out_at, out_end - out_at);

	gone |= !(revents & POLLOUT) || (n < 0 && errno != EAGAIN && errno != EINTR);
	out_at += n > 0 ? n : 0;
	if (gone || out_at == out_end)
		out_at = out_end = 0;
	if (gone)
		end_input();
}

/*
 * Serves the streams once.  Returns whether the command, PIDFD, has ended, and all of its output has come:
 * but processes that it has left may print on.
 */
static bool serve(int pidfd)
{
	static int late;
	bool waits = out_end;
	struct pollfd p[] = {
		{ to < 0 ? -1 : STDIN_FILENO, POLLIN, 0 }, { waits ? STDOUT_FILENO : -1, POLLOUT, 0 },
		{ waits ? -1 : from[STREAM_OUT], POLLIN, 0 }, { waits ? -1 : from[STREAM_ERR], POLLIN, 0 },
		{ waits ? -1 : pidfd, POLLIN, 0 },
	};

	if (poll(p, sizeof(p) / sizeof(*p), -1) < 0)
		return false;
	if (p[0].revents)
		take_some();
	if (p[1].revents)
		put_some(p[1].revents);
	else if (p[2].revents)
		fetch(STREAM_OUT);
	else if (p[3].revents)
		fetch(STREAM_ERR);
	return p[4].revents && ((!p[2].revents && !p[3].revents) || ++late > LATE_MOST);
}

/* Writes what waits. */
static void flush(void)
{
	struct pollfd p = { STDOUT_FILENO, POLLOUT, 0 };

	while (out_end)
		if (poll(&p, 1, -1) > 0)
			put_some(p.revents);
}

/* The descriptors are also those of the shell, which goes on with them. */
static void wait_for_them(bool wait)
{
	for (int fd = STDIN_FILENO; fd <= STDOUT_FILENO; fd++)
		fcntl(fd, F_SETFL, (fcntl(fd, F_GETFL) & ~O_NONBLOCK) | (wait ? 0 : O_NONBLOCK));
}

static _Noreturn void become(char **command, int pipes[3][2])
{
	signal(SIGPIPE, SIG_DFL);
	dup2(pipes[0][0], STDIN_FILENO);
	dup2(pipes[1][1], STDOUT_FILENO);
	dup2(pipes[2][1], STDERR_FILENO);
	execvp(command[0], command);
	_exit(127);
}

/* Starts the command.  Returns it, or -1. */
static pid_t start(char **command)
{
	int pipes[3][2];
	pid_t pid;

	for (int i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			return -1;
	pid = fork();
	if (!pid)
		become(command, pipes);
	close(pipes[0][0]);
	close(pipes[1][1]);
	close(pipes[2][1]);
	to = pipes[0][1];
	from[STREAM_OUT] = pipes[1][0];
	from[STREAM_ERR] = pipes[2][0];
	fcntl(from[STREAM_OUT], F_SETFL, O_NONBLOCK);
	fcntl(from[STREAM_ERR], F_SETFL, O_NONBLOCK);
	return pid;
}

int carry_streams(char **command)
{
	int pidfd, status = 0;
	pid_t pid;

	signal(SIGPIPE, SIG_IGN);
	pid = start(command);
	pidfd = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	wait_for_them(false);
	while (pidfd >= 0 && !serve(pidfd))
		;
	put(STREAM_OUT, 0);
	flush();
	wait_for_them(true);
	if (pid > 0)
		waitpid(pid, &status, 0);
	return pidfd < 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
