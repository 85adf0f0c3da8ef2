// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the scripts (keeper.h): one loop, woken each second, by a question, a script's end or a signal.
 *
 * The server may have been taken over by a client.  Then it can do here what a client can: have scripts of
 * the directory started, and read their pages.
 */
#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/pass.h"
#include "common/say.h"
#include "common/signals.h"
#include "server.h"

/*
 * Answers one question, without waiting for the server to read.  Returns false if the server has gone or
 * doesn't read, or if this is no question.
 */
static bool answer(struct scripts *s, int socket)
{
	static const struct script_status unknown;
	struct script_status all[SCRIPTS_MOST];
	struct question q;
	struct script *script;
	ssize_t n = recv(socket, &q, sizeof(q), MSG_DONTWAIT);
	int page;

	if (n != sizeof(q))
		return n < 0 && (errno == EAGAIN || errno == EINTR);
	q.name[SCRIPT_NAME - 1] = 0;
	if (!*q.name) {
		for (size_t i = 0; i < s->n; i++)
			all[i] = s->v[i].status;
		return send(socket, all, s->n * sizeof(*all), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
	}
	script = scripts_named(s, q.name);
	if (!script)
		return send(socket, &unknown, sizeof(unknown), MSG_NOSIGNAL | MSG_DONTWAIT) > 0;
	if (q.wanted)
		script_want(s, script);
	page = script_open(s, script);
	if (page < 0 && script->status.state == SCRIPT_READY)
		script->status.state = SCRIPT_STARTING;
	n = send(socket, &script->status, sizeof(script->status), MSG_NOSIGNAL | MSG_DONTWAIT);
	if (page >= 0) {
		n = n > 0 && !pass_send(socket, page) ? n : -1;
		close(page);
	}
	return n > 0;
}

/* Returns the server's process, and sets the socket to it; -1 after a message. */
static pid_t start_server(int listening, int *to_server)
{
	int pair[2];
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		say_error("can't start the server: %s", strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid) {
		close(pair[0]);
		_exit(server_run(listening, pair[1]));
	}
	if (pid < 0)
		say_error("can't start the server: %s", strerror(errno));
	close(pair[1]);
	*to_server = pair[0];
	return pid;
}

/* Returns a descriptor that is readable when a child has ended. */
static int ends_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

static void stop_all(struct scripts *scripts, int ends)
{
	struct pollfd p = { ends, POLLIN, 0 };

	while (scripts_stop(scripts)) {
		poll(&p, 1, 1000);
		while (signals_take(ends))
			;
		scripts_reap(scripts);
	}
}

int keeper_run(struct scripts *scripts, int listening)
{
	int to_server = -1, signals = signals_open(), ends = ends_open();
	pid_t server = signals < 0 || ends < 0 ? -1 : start_server(listening, &to_server);
	struct pollfd fds[] = { { signals, POLLIN, 0 }, { ends, POLLIN, 0 }, { to_server, POLLIN, 0 } };
	int stopped = 0;

	close(listening);
	if (server < 0)
		return 1;
	fds[2].fd = to_server;
	while (!stopped && !has_ended(server)) {
		scripts_tick(scripts);
		poll(fds, 3, 1000);
		while (signals_take(ends))
			;
		scripts_reap(scripts);
		if (fds[2].revents && !answer(scripts, to_server))
			break;
		stopped = signals_take(signals);
	}
	close(to_server);		/* the server ends by itself, also where root may not kill it */
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	stop_all(scripts, ends);
	close(ends);
	close(signals);
	if (!stopped)
		say_error("the server has ended");
	return !stopped;
}
