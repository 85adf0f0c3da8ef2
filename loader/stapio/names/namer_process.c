// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The namer (namer_process.h) reads files that may be hostile, with libraries that don't expect that.  So
 * it runs in a sandbox (sandbox.h) and can't even open a file: stapio sends the descriptors of programs
 * with its questions, and those of debug files when the namer asks for them.  The namer may crash at any
 * time; if it takes too long, stapio kills it.
 */
#define _GNU_SOURCE
#include "namer_process.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "abi/utable.h"
#include "binary.h"
#include "namer_messages.h"
#include "sandbox.h"

#define SOCKET STDIN_FILENO

static struct binary *binaries[NAMER_PROGRAMS];

/* ---- messages; the process exits if stapio is gone or sends nonsense ---- */

static void send_all(const void *p, size_t n)
{
	while (n) {
		struct iovec v = { (void *)p, n };
		struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
		ssize_t done = sendmsg(SOCKET, &m, MSG_NOSIGNAL);

		if (done <= 0)
			_exit(0);
		p = (const char *)p + done;
		n -= done;
	}
}

static void say(struct namer_message head, const void *body)
{
	send_all(&head, sizeof(head));
	send_all(body, head.bytes);
}

/* Takes a message without a body; returns the descriptor that comes along, or -1. */
static int take(struct namer_message *head)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec v = { head, sizeof(*head) };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *c;
	int fd = -1;

	if (recvmsg(SOCKET, &m, MSG_WAITALL | MSG_CMSG_CLOEXEC) != sizeof(*head))
		_exit(0);
	c = CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

static int ask_debug_file(enum debug_file how, const void *key, size_t n)
{
	struct namer_message head = { .kind = NAMER_WANTS, .what = how, .bytes = n };
	int fd;

	say(head, key);
	fd = take(&head);
	if (head.kind != NAMER_DEBUG_FILE)
		_exit(1);
	return fd;
}

/* ---- questions ---- */

static void begin(uint32_t program, int fd)
{
	binary_close(binaries[program]);
	binaries[program] = binary_open(fd, ask_debug_file);
}

static char *put_string(char *to, const char *s)
{
	return stpcpy(to, s ? s : "") + 1;
}

static void find(const struct namer_message *asked)
{
	static char body[NAMER_MOST];
	struct namer_found found = { .in_file = asked->value };
	struct namer_message head = { .kind = NAMER_FOUND };
	struct binary *b = binaries[asked->program];
	struct binary_names names = { 0 };
	char *to;

	if (b && binary_find(b, asked->value, asked->what, &names)) {
		found.in_file = names.in_file;
		found.offset = names.offset;
		found.size = names.size;
		found.nplaces = names.nplaces;
	}
	to = put_string(body + sizeof(found), names.name);
	for (unsigned int i = 0; i < names.nplaces; i++) {
		found.lines[i] = names.places[i].line;
		to = put_string(to, names.places[i].function);
		to = put_string(to, names.places[i].source);
	}
	memcpy(body, &found, sizeof(found));
	head.bytes = to - body;
	say(head, body);
	binary_names_free(&names);
}

static void make_table(const struct namer_message *asked, int to)
{
	struct namer_message head = { .kind = NAMER_MADE };
	struct binary *b = binaries[asked->program];

	head.what = b && binary_table(b, asked->what, to);
	close(to);
	say(head, NULL);
}

void namer_process(void)
{
	struct namer_message asked;

	prctl(PR_SET_NAME, "stapio-namer");
	if (!sandbox_enter(ST_UTABLE_MOST))
		_exit(NAMER_NOT_STARTED);
	for (;;) {
		int fd = take(&asked);

		if (asked.program >= NAMER_PROGRAMS)
			_exit(1);
		if (asked.kind == NAMER_PROGRAM)
			begin(asked.program, fd);
		else if (asked.kind == NAMER_FIND)
			find(&asked);
		else if (asked.kind == NAMER_TABLE)
			make_table(&asked, fd);
		else
			_exit(1);
	}
}
