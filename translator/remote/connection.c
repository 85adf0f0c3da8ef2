// SPDX-License-Identifier: GPL-2.0-or-later
/* Connects to a host by ssh, or to a guest by stap-vm, as a child with pipes. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "remote/host.h"
#include "run/command.h"
#include "session.h"

static const char *address(const char *name)
{
	const char *port = strrchr(name, ':');

	/* HOST:PORT is an address of ssh's own as ssh://HOST:PORT. */
	if (!strncmp(name, "ssh://", 6) || !port || strchr(name, ':') != port)
		return name;
	return arena_printf("ssh://%s", name);
}

/*
 * Makes the command for ssh. The user's own configuration says the rest: names, keys, jump hosts.
 */
static void ssh(struct command *c, const char *name, const char *text)
{
	static const char *const words[] = {
		"ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=10", "--",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		command_add(c, words[i]);
	command_add(c, address(name));
	command_add(c, text);
}

static void guest(struct command *c, const char *release, const char *text)
{
	command_add(c, command_program("stap-vm", NULL));
	command_option(c, "-r", release);
	command_add(c, "--");
	command_add(c, "sh");
	command_option(c, "-c", text);
}

static _Noreturn void become(struct command *c, int pipes[3][2])
{
	char *const *argv = command_argv(c);
	sigset_t none;

	session_end_guarded();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setsid();			/* the terminal's ^C is for us: we end the session in order */
	dup2(pipes[0][0], STDIN_FILENO);
	dup2(pipes[1][1], STDOUT_FILENO);
	dup2(pipes[2][1], STDERR_FILENO);
	execvp(argv[0], argv);
	fprintf(stderr, "can't run %s: %s\n", argv[0], strerror(errno));
	_exit(255);
}

bool connection_open(struct host *h, const char *text)
{
	struct command c = { 0 };
	int pipes[3][2];

	if (!strncmp(h->name, "vm:", 3))
		guest(&c, h->name + 3, text);
	else
		ssh(&c, h->name, text);
	for (int i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC)) {
			diag(DIAG_ERROR, "can't make a pipe: %s", strerror(errno));
			while (i--) {
				close(pipes[i][0]);
				close(pipes[i][1]);
			}
			return false;
		}
	h->pid = fork();
	if (!h->pid)
		become(&c, pipes);
	close(pipes[0][0]);
	close(pipes[1][1]);
	close(pipes[2][1]);
	h->to = pipes[0][1];
	h->from[OUT] = pipes[1][0];
	h->from[ERR] = pipes[2][0];
	fcntl(h->to, F_SETFL, O_NONBLOCK);
	fcntl(h->from[OUT], F_SETFL, O_NONBLOCK);
	fcntl(h->from[ERR], F_SETFL, O_NONBLOCK);
	h->pidfd = h->pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, h->pid, 0);
	if (h->pidfd >= 0)
		return true;
	diag(DIAG_ERROR, "can't start %s: %s", c.words.v[0], strerror(errno));
	return false;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void connection_end_input(struct host *h)
{
	if (h->is_socket && h->to >= 0 && h->step == RUNNING)
		socket_end_input(h);
	close_fd(&h->to);
	h->left = 0;
}

void connection_close(struct host *h)
{
	int status = 0;

	connection_end_input(h);
	close_fd(&h->from[OUT]);
	close_fd(&h->from[ERR]);
	close_fd(&h->pidfd);
	if (h->pid <= 0)
		return;
	while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!h->status)
		h->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	h->pid = 0;
}

bool connection_write(struct host *h)
{
	while (h->left) {
		ssize_t n = write(h->to, h->out, h->left);

		if (n < 0 && errno == EAGAIN)
			return true;
		if (n < 0 && errno != EINTR) {
			connection_end_input(h);
			return false;
		}
		h->out += n < 0 ? 0 : n;
		h->left -= n < 0 ? 0 : n;
	}
	return true;
}
