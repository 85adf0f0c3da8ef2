// SPDX-License-Identifier: GPL-2.0-or-later
/* The output buffer of stapio. */
#include "output.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_SIZE (256u << 10)

int output_init(struct output *o, int fd)
{
	*o = (struct output){ .fd = fd, .size = OUTPUT_SIZE, .buf = malloc(OUTPUT_SIZE) };
	return o->buf ? 0 : -1;
}

static void write_all(struct output *o, const char *p, size_t n)
{
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

void output_flush(struct output *o)
{
	write_all(o, o->buf, o->used);
	o->used = 0;
}

char *output_room(struct output *o, size_t n)
{
	if (o->size - o->used >= n)
		return o->buf + o->used;
	output_flush(o);
	if (o->size < n) {
		char *bigger = realloc(o->buf, n);

		if (!bigger)
			return NULL;
		o->buf = bigger;
		o->size = n;
	}
	return o->buf;
}

void output_bytes(struct output *o, const void *p, size_t n)
{
	if (o->size - o->used < n)
		output_flush(o);
	if (n > o->size) {
		write_all(o, p, n);
		return;
	}
	memcpy(o->buf + o->used, p, n);
	o->used += n;
}
