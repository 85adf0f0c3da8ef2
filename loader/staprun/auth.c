// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks staprun-auth to do what needs rights (auth.h).
 *
 * Needs no rights. staprun-auth checks what it gets: a name, or a module's bytes in a file in
 * memory.
 */
#define _GNU_SOURCE
#include "auth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "abi/transport.h"
#include "base/self.h"
#include "common/control.h"
#include "common/pass.h"
#include "common/say.h"
#include "run.h"

/* The longest time that a stopped module may take to have itself removed. */
#define REMOVAL_MS 5000

static const char *auth_path(void)
{
	static char path[PATH_MAX];

	return self_beside("staprun-auth", path) ? path : PKGLIBEXECDIR "/staprun-auth";
}

bool auth_is_there(void)
{
	struct stat st;

	return !stat(auth_path(), &st) && !st.st_uid && st.st_mode & S_ISUID;
}

/* Is the module one of /lib/modules/RELEASE/systemtap? */
static bool is_named(const struct run *r)
{
	size_t n = r->module ? strlen(r->module) : 0;

	return n && !strchr(r->module, '/') && (n < 3 || strcmp(r->module + n - 3, ".ko"));
}

int auth_read_module(struct run *r)
{
	if (r->choose)
		return r->choose(&r->file);
	if (!is_named(r))
		return module_read(&r->file, r->module) || module_matches_kernel(&r->file) ? -1 : 0;
	if (r->rename) {
		say_error("-R takes a module that you may read, by its path: the name of '%s' is root's choice",
			  r->module);
		return -1;
	}
	return module_set_name(&r->file, r->module) ? 0 : -1;
}

/* Runs staprun-auth [OPTION] NAME, with a socket and a module's file; -1 stands for none. */
static pid_t run_auth(const char *option, const char *name, int socket, int module)
{
	const char *argv[] = { "staprun-auth", option ? option : name, option ? name : NULL, NULL };
	char *empty[] = { NULL };
	pid_t pid = fork();

	if (pid)
		return pid;
	/* Copies both above the numbers they get, because each may have the other's number. */
	int s = fcntl(socket, F_DUPFD, 16), m = fcntl(module, F_DUPFD, 16);

	if ((s >= 0 && dup2(s, AUTH_SOCKET) < 0) || (m >= 0 && dup2(m, AUTH_MODULE) < 0))
		_exit(1);
	execve(auth_path(), (char **)argv, empty);
	say_error("can't run %s: %s", auth_path(), strerror(errno));
	_exit(1);
}

static int end_of(pid_t pid)
{
	int status = 1;

	if (pid < 0)
		say_error("can't start staprun-auth: %s", strerror(errno));
	else if (waitpid(pid, &status, 0) == pid && WIFSIGNALED(status))
		say_error("staprun-auth was killed by signal %d (%s)", WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	return status ? 1 : 0;
}

/* Returns the module's image as a file that no process has open for writing; -1 after a message. */
static int image_file(const struct module_file *m)
{
	int memory = memfd_create("module", MFD_CLOEXEC), fd = -1;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory);
	if (memory >= 0 && write(memory, m->image, m->size) == (ssize_t)m->size)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		say_error("can't pass the module on: %s", strerror(errno));
	close(memory);
	return fd;
}

int auth_insert(struct run *r)
{
	int module = r->file.image ? image_file(&r->file) : -1, ends[2];

	if (r->file.image && module < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
		say_error("can't make a socket: %s", strerror(errno));
		return -1;
	}

	pid_t pid = run_auth(module < 0 ? NULL : "-f", r->file.name, ends[1], module);

	close(ends[1]);
	close(module);
	r->control = pass_receive(ends[0]);
	close(ends[0]);
	if (end_of(pid) || r->control < 0)
		return -1;
	return tell(r, "loader");
}

/*
 * Closes .control for writing for the last time, so the module asks the kernel to remove it; a
 * descriptor for reading doesn't count.
 */
int auth_await_removal(struct run *r)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000000 };
	int fd = control_open(r->file.name, ST_FILE_CONTROL, O_RDONLY);
	bool dead = fd < 0;

	close(r->control);
	r->control = -1;
	for (int ms = REMOVAL_MS; !dead && ms > 0; ms -= 10) {
		nanosleep(&nap, NULL);
		dead = control_is_dead(fd);
	}
	if (fd >= 0)
		close(fd);
	return dead ? 0 : -EAGAIN;
}

int auth_remove(const char *name)
{
	return end_of(run_auth("-d", name, -1, -1));
}
