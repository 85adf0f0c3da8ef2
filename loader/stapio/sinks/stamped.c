// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "stamped.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/say.h"
#include "stamp.h"

struct stamped {
	pthread_mutex_t lock;		/* of OUT and TERMINAL */
	struct output out;
	pthread_t thread;
	int commands;			/* where what commands print comes out */
	int messages;			/* where messages do, if they are kept; else -1 */
	int terminal;			/* where those go before the start; else -1 */
	int closing;			/* eventfd: the thread is to end */
};

static void put(struct stamped *s, uint64_t time, const char *p, size_t n, uint64_t kind)
{
	const struct stamp stamp = { time, n | kind };

	if (!n)
		return;
	pthread_mutex_lock(&s->lock);
	/* A file ends between two pieces. */
	if (output_room(&s->out, sizeof(stamp) + n)) {
		output_bytes(&s->out, &stamp, sizeof(stamp));
		output_bytes(&s->out, p, n);
	}
	pthread_mutex_unlock(&s->lock);
}

void stamped_put(struct stamped *s, uint64_t time, struct output *piece)
{
	put(s, time, piece->buf, piece->used, 0);
	piece->used = 0;
}

int stamped_flush(struct stamped *s)
{
	pthread_mutex_lock(&s->lock);
	output_flush(&s->out);
	pthread_mutex_unlock(&s->lock);
	return s->out.error;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

/* Writes a message to the terminal.  Returns false if it was left. */
static bool shown(struct stamped *s, const char *p, ssize_t n)
{
	bool there;

	pthread_mutex_lock(&s->lock);
	there = s->terminal >= 0;
	while (there && n > 0) {
		ssize_t done = write(s->terminal, p, n);

		if (done < 0 && errno != EINTR)
			break;		/* there is nowhere to report the error */
		p += done < 0 ? 0 : done;
		n -= done < 0 ? 0 : done;
	}
	pthread_mutex_unlock(&s->lock);
	return there;
}

/* Stamps what is in the pipe, some of it.  Returns false if there is nothing. */
static bool relay_some(struct stamped *s, int from, uint64_t kind)
{
	char bytes[1 << 14];
	ssize_t n = from < 0 ? 0 : read(from, bytes, sizeof(bytes));

	if (n <= 0)
		return false;
	if (kind && shown(s, bytes, n))
		return true;
	put(s, now(), bytes, n, kind);
	stamped_flush(s);
	return true;
}

/* Stamps what is left in a pipe: no more than it holds, because a command may go on printing. */
static void relay_rest(struct stamped *s, int from, uint64_t kind)
{
	long left = from < 0 ? 0 : fcntl(from, F_GETPIPE_SZ) >> 12;

	while (left-- > 0 && relay_some(s, from, kind))
		;
}

/* Stamps what commands print, and messages, until the session ends. */
static void *relay(void *arg)
{
	struct stamped *s = arg;
	struct pollfd pf[] = {
		{ .fd = s->commands, .events = POLLIN }, { .fd = s->messages, .events = POLLIN },
		{ .fd = s->closing, .events = POLLIN },
	};

	do {
		while (poll(pf, 3, -1) < 0 && errno == EINTR)
			;
		relay_some(s, s->commands, 0);
		relay_some(s, s->messages, STAMP_MESSAGE);
	} while (!pf[2].revents);
	relay_rest(s, s->commands, 0);
	relay_rest(s, s->messages, STAMP_MESSAGE);
	return NULL;
}

/* Makes the stream FD the end of a pipe.  Returns the other end, or -1. */
static int take_over(int fd)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	dup2(ends[1], fd);
	close(ends[1]);
	return ends[0];
}

static bool begin(struct stamped *s, int out)
{
	s->closing = eventfd(0, EFD_CLOEXEC);
	s->commands = take_over(STDOUT_FILENO);
	pthread_mutex_init(&s->lock, NULL);
	return out >= 0 && s->closing >= 0 && s->commands >= 0 && !output_init(&s->out, out) &&
	       !pthread_create(&s->thread, NULL, relay, s);
}

static struct stamped *stamped_new(void)
{
	struct stamped *s = calloc(1, sizeof(*s));

	if (s)
		s->messages = s->terminal = -1;
	return s;
}

/* Returns S if all is GOOD; else NULL after a message. */
static struct stamped *checked(struct stamped *s, bool good)
{
	if (good)
		return s;
	if (s && s->terminal >= 0)
		dup2(s->terminal, STDERR_FILENO);
	say_error("can't stamp the output: %s", strerror(errno));
	free(s);
	return NULL;
}

struct stamped *stamped_open(void)
{
	struct stamped *s = stamped_new();

	return checked(s, s && begin(s, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)));
}

struct stamped *stamped_keep(const struct output_files *files)
{
	struct stamped *s = stamped_new();
	bool good = s && (s->terminal = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)) >= 0 &&
		    (s->messages = take_over(STDERR_FILENO)) >= 0 && begin(s, output_open(files));

	if (good)
		s->out.files = *files;
	return checked(s, good);
}

void stamped_leave_terminal(struct stamped *s)
{
	pthread_mutex_lock(&s->lock);
	close(s->terminal);
	s->terminal = -1;
	pthread_mutex_unlock(&s->lock);
}

int stamped_end(struct stamped *s)
{
	eventfd_write(s->closing, 1);
	pthread_join(s->thread, NULL);
	pthread_mutex_lock(&s->lock);
	output_flush(&s->out);
	output_settle(&s->out);
	pthread_mutex_unlock(&s->lock);
	return s->out.error;
}

int stamped_close(struct stamped *s)
{
	int err = stamped_end(s);

	if (s->terminal >= 0)
		dup2(s->terminal, STDERR_FILENO);
	if (!s->out.files.base)
		close(s->out.fd);
	close(s->closing);
	close(s->commands);
	if (s->messages >= 0)
		close(s->messages);
	output_close(&s->out);
	free(s);
	return err;
}
