// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stapio's output buffer, and the files it is written to.
 *
 * With files.lines, a file ends at the end of a line: a line that doesn't fit in the current file
 * goes to the next one, and an incomplete last line stays in the buffer until its rest comes.  A
 * line is split only if it is larger than the buffer or a file, or if a command of system() prints
 * in its midst.  Without files.lines, all that one flush writes goes to one file.
 */
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_SIZE (256u << 10)

static volatile sig_atomic_t switches_wanted;

void output_switch(void)
{
	switches_wanted++;
}

static const char *file_name(const struct output_files *f, unsigned int number, char *path)
{
	if (!f->limit && !number)
		return f->base;
	snprintf(path, PATH_MAX, "%s.%u", f->base, number);
	return path;
}

int output_open(const struct output_files *f)
{
	char path[PATH_MAX];

	return open(file_name(f, f->number, path),
		    O_WRONLY | O_CREAT | O_CLOEXEC | (f->fresh ? O_EXCL | O_NOFOLLOW : O_TRUNC), 0664);
}

/*
 * Closes a duplicate, because NFS and FUSE report their server's full disk or quota at any close().
 */
void output_settle(struct output *o)
{
	int copy = o->fd < 0 ? -1 : fcntl(o->fd, F_DUPFD_CLOEXEC, 3);

	if (copy >= 0 && close(copy) && !o->error)
		o->error = errno;
}

/* Begins the next file, and removes the oldest one beyond files.keep. */
static void next_file(struct output *o)
{
	struct output_files *f = &o->files;
	char path[PATH_MAX];

	output_settle(o);
	f->number++;
	int fd = output_open(f);

	if (fd < 0) {
		o->error = errno;
		return;
	}
	if (f->keep && f->number >= f->keep)
		unlink(file_name(f, f->number - f->keep, path));
	dup3(fd, o->fd, O_CLOEXEC);
	close(fd);
	o->written = 0;
}

int output_init(struct output *o, int fd)
{
	*o = (struct output){ .fd = fd, .size = OUTPUT_SIZE, .buf = malloc(OUTPUT_SIZE) };
	return o->buf ? 0 : -1;
}

void output_close(struct output *o)
{
	free(o->buf);
	if (o->files.base)
		close(o->fd);
}

/* Returns how many bytes of the text are whole lines. */
static size_t whole_lines(const char *p, size_t n)
{
	const char *last = memrchr(p, '\n', n);

	return last ? last + 1 - p : 0;
}

static void write_all(struct output *o, const char *p, size_t n)
{
	o->written += n;
	while (n && !o->error) {
		ssize_t done = write(o->fd, p, n);

		if (done >= 0) {
			p += done;
			n -= done;
		} else if (errno == EAGAIN) {
			struct pollfd pf = { .fd = o->fd, .events = POLLOUT };

			poll(&pf, 1, -1);
		} else if (errno != EINTR) {
			o->error = errno;
		}
	}
}

/* Returns how many of the bytes go to the current file. */
static size_t fitting(const struct output *o, const char *p, size_t n)
{
	const struct output_files *f = &o->files;
	size_t lines;

	if (!f->limit || o->written + n <= f->limit)
		return n;
	if (!f->lines)
		return o->written ? 0 : n;
	lines = whole_lines(p, f->limit - o->written);
	return lines || o->written ? lines : f->limit;
}

static void write_files(struct output *o, const char *p, size_t n)
{
	unsigned int wanted = switches_wanted;

	if (o->files.base && n && !o->error && o->switches != wanted) {
		o->switches = wanted;
		next_file(o);
	}
	while (n && !o->error) {
		size_t part = fitting(o, p, n);

		if (part && !o->written && o->files.counted)
			write_all(o, (char *)&o->total, sizeof(o->total));
		o->total += part;
		if (part)
			write_all(o, p, part);
		else
			next_file(o);
		p += part;
		n -= part;
	}
}

/* Writes the first bytes of the collected output. */
static void write_first(struct output *o, size_t n)
{
	write_files(o, o->buf, n);
	o->used -= n;
	memmove(o->buf, o->buf + n, o->used);
}

void output_flush(struct output *o)
{
	size_t n = o->files.lines ? whole_lines(o->buf, o->used) : o->used;

	if (o->fd >= 0)
		write_first(o, n || o->used < OUTPUT_SIZE ? n : o->used);
}

void output_flush_all(struct output *o)
{
	if (o->fd >= 0)
		write_first(o, o->used);
}

char *output_room(struct output *o, size_t n)
{
	if (o->size - o->used >= n)
		return o->buf + o->used;
	output_flush(o);
	if (o->size - o->used < n) {
		size_t size = o->used ? 2 * o->used + n : n;
		char *bigger = realloc(o->buf, size);

		if (!bigger) {
			o->error = ENOMEM;
			return NULL;
		}
		o->buf = bigger;
		o->size = size;
	}
	return o->buf + o->used;
}

void output_bytes(struct output *o, const void *p, size_t n)
{
	if (o->size - o->used < n)
		output_flush(o);
	if (n > o->size && o->fd >= 0 && !o->files.lines) {
		write_files(o, p, n);
	} else if (output_room(o, n)) {
		memcpy(o->buf + o->used, p, n);
		o->used += n;
	}
}
