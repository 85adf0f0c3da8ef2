// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Connects to a host by a Unix-domain socket, behind which a shell reads and writes: of a program that starts
 * one for each connection, or of a guest's console.
 *
 *	socat UNIX-LISTEN:/run/web1,fork EXEC:/bin/sh &
 *	stap --remote=unix:/run/web1 …
 *
 * A shell may read more than its line at once, and a console echoes, edits and cuts lines until it is told not
 * to.  So the first line is short, and nothing follows before its answer has come.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "remote/host.h"

static const char *command;

const char *socket_path(const char *name)
{
	return strncmp(name, "unix:", 5) ? NULL : name + 5;
}

/* Why connect() has failed, in the user's words. */
static const char *reason(const char *path, int error)
{
	struct stat st;

	if (!stat(path, &st) && !S_ISSOCK(st.st_mode))
		return "this is no socket";
	switch (error) {
	case ENOENT:
		return "there is no such socket";
	case ECONNREFUSED:
		return "nobody listens at the socket";
	case EAGAIN:
		return "too many connections wait at the socket already";
	case EPROTOTYPE:
		return "the socket is not one of streams";
	default:
		return strerror(error);
	}
}

const char *socket_open(struct host *h, const char *nonce, const char *text)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = socket_path(h->name), *line;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	strncpy(to.sun_path, path, sizeof(to.sun_path) - 1);
	if (fd < 0)
		return strerror(errno);
	h->from[OUT] = fd;		/* connection_close() closes it */
	h->step = CALLED;
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)))
		return reason(path, errno);
	h->to = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (h->to < 0)
		return strerror(errno);
	command = text;
	line = arena_printf("(stty raw -echo) 2> /dev/null; echo; echo %s ready; "
			    "sh -c \"$(head -c %zu)\" 2>&1; set -- $?; echo; echo %s status $1; exit\n",
			    nonce, strlen(text), nonce);
	conversation_say(h, line, strlen(line));
	return NULL;
}

void socket_greet(struct host *h)
{
	h->step = ASKED;
	conversation_say(h, command, strlen(command));
}

void socket_end_input(struct host *h)
{
	const struct piece end = { STREAM_IN, 0 };

	/* Within a piece only the connection's end is understood. */
	if (h->left || write(h->to, &end, sizeof(end)) != sizeof(end))
		shutdown(h->to, SHUT_WR);
}

void socket_break(struct host *h)
{
	shutdown(h->from[OUT], SHUT_RDWR);
}
