// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun: the privileged part of the loader.
 *
 * It inserts the module, sends it the facts that only the running system knows (addresses),
 * starts stapio, with the rights of the user, to relay the output, and removes the module when
 * stapio has ended.  If staprun is killed, stapio ends the session, and the module has the kernel
 * run staprun -k when nobody has its files open any more.
 *
 * It must not be installed setuid: it can't tell which modules a user may load, and whoever
 * loads one controls the kernel.  For a user of a group that may, staprun-auth does what takes rights
 * (auth.c).  But sudo and the like run staprun for users, so it takes its
 * arguments, environment, descriptors, limits and the module file for hostile.  It executes
 * only stapio and staprun-auth, by a path that doesn't depend on the caller, uses no environment variable, and
 * opens nothing on the user's behalf but the programs that the module probes: stapio opens output
 * files and runs commands.
 *
 * This file makes the process safe, and calls one of the jobs: arm.c a session, attach.c what it
 * shares with staprun -A, list.c and unused.c the others.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "auth.h"
#include "common/control.h"
#include "common/daemon.h"
#include "common/module.h"
#include "common/say.h"
#include "common/signals.h"
#include "list.h"
#include "run.h"
#include "unused.h"

/* The longest wait for a message to be read: removing the module is more important. */
#define SAY_MS 1000

/*
 * Makes sure that descriptors 0 to 2 exist, so that no file opened later becomes one of them, and
 * that we can wait for children, which a caller that ignores SIGCHLD would take from us; and sets
 * the environment and the umask aside for stapio.
 */
static void make_safe(struct run *r)
{
	static char *empty[] = { NULL };
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	if (fd > 2)
		close(fd);
	r->environment = environ;
	environ = empty;
	r->umask = umask(022);
	signal(SIGCHLD, SIG_DFL);
}

static const char *module_path(const char *name)
{
	static char path[PATH_MAX];
	size_t n = strlen(name);
	struct utsname u;

	if (strchr(name, '/') || (n > 3 && !strcmp(name + n - 3, ".ko")) || uname(&u))
		return name;
	snprintf(path, sizeof(path), "/lib/modules/%s/systemtap/%s.ko", u.release, name);
	return path;
}

/* Makes sure that we may load modules, or that staprun-auth may do so for us. */
static int find_rights(struct run *r)
{
	r->by_auth = !r->sweep && !r->list && !module_may_insert() && auth_is_there();
	return r->list || r->by_auth ? 0 : module_permitted();
}

static int remove_named(const struct run *r)
{
	if (r->by_auth)
		return auth_remove(r->module);
	return strcmp(r->module, "*") ? unused_remove(r->module) : unused_remove_all();
}

/* Reads the module that the arguments name, or that the bundle has for this kernel. */
static int read_module(struct run *r)
{
	if (r->by_auth)
		return auth_read_module(r);
	if (r->choose)
		return r->choose(&r->file);
	return module_read(&r->file, module_path(r->module)) || module_matches_kernel(&r->file) ? -1 : 0;
}

int staprun(int argc, char **argv, choose_module *choose)
{
	struct run r = {
		.choose = choose,
		.control = -1, .trace = -1, .formats = -1, .programs = -1, .stapio_fd = -1, .self_fd = -1,
		.parent_fd = -1,
	};

	say_wait_ms = SAY_MS;
	make_safe(&r);
	take_arguments(&r, argc, argv);
	if (r.program)
		return run_file(&r);
	if (r.daemon)
		r.daemon_fd = daemon_begin(r.relayed.detach);
	r.signals = signals_open();

	if (r.signals < 0) {
		say_error("can't wait for signals: %s", strerror(errno));
		return 1;
	}

	int status = find_rights(&r);

	if (!status && r.sweep)
		status = unused_sweep();
	else if (!status && r.list)
		status = list_sessions(r.module, say_verbose);
	else if (!status && r.remove)
		status = remove_named(&r);
	else if (!status && r.relayed.attach)
		status = run_attached(&r);
	else if (!status && !read_module(&r) && !(r.rename && module_rename(&r.file)))
		status = run_new(&r);
	else
		status = 1;
	module_free(&r.file);
	free(r.set);
	return status == COMMAND_NOT_FOUND || status == COMMAND_FAILED ? status : status != 0;
}
