// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches a user to a module: opens its files, starts stapio with them, and waits for it.
 *
 * Needs CAP_SYS_MODULE to open the module's files, and root's rights to become the user: stapio runs with
 * the user's rights, environment and umask, and gets the files as open descriptors.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "abi/transport.h"
#include "base/root.h"
#include "base/self.h"
#include "common/control.h"
#include "common/say.h"
#include "common/signals.h"
#include "run.h"

/*
 * How long stapio gets to relay the rest of the output, and then as long again to exit, if the
 * caller has ended and so can't send a second signal.
 */
#define DRAIN_MS 400

void close_trace(struct run *r)
{
	if (r->trace >= 0)
		close(r->trace);
	r->trace = -1;
}

int open_module(struct run *r)
{
	if (r->control < 0)
		r->control = control_open(r->file.name, ST_FILE_CONTROL, O_RDWR);
	r->trace = control_open(r->file.name, ST_FILE_TRACE, O_RDWR);
	r->formats = control_open(r->file.name, ST_FILE_FORMATS, O_RDONLY);
	r->programs = control_open(r->file.name, ST_FILE_FILES, O_RDONLY);
	if (r->control >= 0 && r->trace >= 0 && r->formats >= 0 && r->programs >= 0)
		return 0;
	if (r->control == -ENOENT && !module_is_loaded(r->file.name))
		say_error("there is no module '%s': staprun -A takes the name of one that "
			  "staprun -L has left running", r->file.name);
	else if (r->control == -ENOENT)
		say_error("'%s' is a kernel module, but not one that stap made", r->file.path);
	else
		say_error("can't open the module's files in /proc/systemtap/%s: %s", r->file.name,
			  strerror(r->control < 0 ? -r->control :
				   r->trace < 0 ? -r->trace :
				   r->formats < 0 ? -r->formats : -r->programs));
	return -1;
}

/* stapio's path: a bundle is stapio, too; where it is installed, or beside staprun in a build tree; the
 * latter only if we have no more rights than our caller. */
static const char *stapio_path(const struct run *r)
{
	static char path[PATH_MAX];

	if (r->choose)
		return SELF_EXE;
	return !getauxval(AT_SECURE) && self_beside("stapio", path) ? path : PKGLIBEXECDIR "/stapio";
}

static void become_user(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (uid == geteuid() && gid == getegid())
		return;
	/* The supplementary groups are the user's own already. */
	if (setresgid(gid, gid, gid) || setresuid(uid, uid, uid) ||
	    (uid && !setuid(0))) {
		say_error("can't give up root's rights: %s", strerror(errno));
		_exit(1);
	}
}

static void execute_stapio(const struct run *r, const char **argv)
{
	const char *path = stapio_path(r);

	execve(path, (char **)argv, r->environment);
	say_error("can't run %s: %s", path, strerror(errno));
}

int run_file(const struct run *r)
{
	const char *argv[3 + RELAYED_WORDS] = { "stapio" };
	int n = 1 + relayed_words(&r->relayed, FOR_STAPIO, argv + 1);

	argv[n] = r->module;
	umask(r->umask);
	become_user();
	execute_stapio(r, argv);
	return 1;
}

/* The child: becomes stapio, which relays the module's output. */
static _Noreturn void relay(struct run *r)
{
	const char *argv[10 + RELAYED_WORDS] = { "stapio" };
	char files[64], started[16], root[96];
	int n = 1 + relayed_words(&r->relayed, FOR_STAPIO, argv + 1);

	snprintf(files, sizeof(files), "%d,%d,%d,%d,%d", r->control, r->trace, r->formats,
		 r->programs, r->self_fd);
	if (r->daemon) {
		snprintf(started, sizeof(started), "%d", r->daemon_fd);
		fcntl(r->daemon_fd, F_SETFD, 0);
		argv[n++] = "-N";
		argv[n++] = started;
	}
	if (r->root) {
		snprintf(root, sizeof(root), "%d,%s", root_held(), r->root);
		fcntl(root_held(), F_SETFD, 0);
		argv[n++] = "-R";
		argv[n++] = root;
	}
	argv[n++] = "-F";
	argv[n++] = files;
	argv[n++] = r->file.name;
	argv[n] = NULL;
	fcntl(r->control, F_SETFD, 0);
	fcntl(r->trace, F_SETFD, 0);
	fcntl(r->formats, F_SETFD, 0);
	fcntl(r->programs, F_SETFD, 0);
	fcntl(r->self_fd, F_SETFD, 0);
	umask(r->umask);
	become_user();
	/* If stapio is stopped, SIGCONT lets it notice our end. */
	prctl(PR_SET_PDEATHSIG, SIGCONT);
	execute_stapio(r, argv);
	_exit(1);
}

/*
 * -D: closes our streams, so that a reader who waits for their end doesn't wait for the session's.
 * stapio reports how the start went.
 */
static void leave_terminal(struct run *r)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	close(r->daemon_fd);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	close(null);
}

int start_stapio(struct run *r)
{
	r->self_fd = syscall(SYS_pidfd_open, getpid(), 0);
	r->stapio = r->self_fd < 0 ? -1 : fork();
	if (!r->stapio)
		relay(r);
	r->stapio_fd = r->stapio > 0 ? syscall(SYS_pidfd_open, r->stapio, 0) : -1;
	int err = errno;

	close_trace(r);
	close(r->formats);
	close(r->programs);
	close(r->self_fd);
	if (r->daemon)
		leave_terminal(r);
	if (r->stapio_fd < 0) {
		say_error("can't start stapio: %s", strerror(err));
		if (r->stapio > 0) {
			kill(r->stapio, SIGKILL);
			waitpid(r->stapio, NULL, 0);
		}
		return -1;
	}
	return 0;
}

/*
 * Ends the session: the first time stops the module, so that stapio relays the output up to the
 * end of the trace; the second time asks stapio to exit without that; the third time kills it.
 * SIGCONT is for a stapio that was stopped.
 */
static void ask_to_end(struct run *r, int times)
{
	char why[256];

	if (!times)
		control_send(r->control, why, sizeof(why), "stop");
	else
		kill(r->stapio, times == 1 ? SIGTERM : SIGKILL);
	kill(r->stapio, SIGCONT);
}

int wait_for_stapio(struct run *r)
{
	struct pollfd pf[] = {
		{ .fd = r->stapio_fd, .events = POLLIN },
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->parent_fd, .events = POLLIN },
	};
	int status, asked = 0, wait_ms = -1;

	while (!(pf[0].revents & POLLIN)) {
		int n = poll(pf, 3, wait_ms);

		if (n < 0 || (n > 0 && !(pf[1].revents | pf[2].revents)))
			continue;
		ask_to_end(r, asked++);
		if (pf[1].revents)
			signals_take(r->signals);
		if (pf[2].revents) {
			pf[2].fd = -1;
			wait_ms = DRAIN_MS;
		}
		pf[1].revents = pf[2].revents = 0;
	}
	waitpid(r->stapio, &status, 0);
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	r->killed_by = WTERMSIG(status);
	return 1;
}

void say_how_stapio_ended(const struct run *r)
{
	if (r->killed_by)
		say_error("stapio was killed by signal %d (%s); its output may be missing",
			  r->killed_by, strsignal(r->killed_by));
}

bool stapio_read_nothing(const struct run *r, int status)
{
	return r->stapio_fd < 0 || (status == STAPIO_TOOK_NOTHING && !r->killed_by);
}
