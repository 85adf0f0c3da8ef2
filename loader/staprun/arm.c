// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a session from its module's insertion to its removal.
 *
 * Needs CAP_SYS_MODULE, to insert and remove modules and to write "start" to a module's .control, which
 * arms its probes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "auth.h"
#include "base/self.h"
#include "common/control.h"
#include "common/module.h"
#include "common/say.h"
#include "common/signals.h"
#include "run.h"
#include "unused.h"

/* Returns the program that the kernel may run as root to remove the module: ourselves, or "". */
static const char *remover_path(void)
{
	static char path[PATH_MAX];

	if (self_path(path) && module_is_roots(path))
		return path;
	say_if(2, "staprun: users other than root can change %s, so the kernel won't run it to "
		  "remove the module",
	       path);
	return "";
}

/*
 * Starts the session from a child, because arming its probes may take minutes: a signal
 * that comes meanwhile stops the module.
 */
static int start_unless_stopped(struct run *r)
{
	pid_t child = fork();

	if (!child) {
		/* A child that is stopped would hold the module when we are killed. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(!!tell(r, "start"));
	}

	struct pollfd pf[] = {
		{ .fd = child > 0 ? syscall(SYS_pidfd_open, child, 0) : -1, .events = POLLIN },
		{ .fd = r->signals, .events = POLLIN },
	};
	bool stopped = false;
	int status = 1;

	if (pf[0].fd < 0)
		say_error("can't start the session: %s", strerror(errno));
	while (pf[0].fd >= 0 && !(pf[0].revents & POLLIN)) {
		char why[256];

		if (poll(pf, 2, -1) > 0 && pf[1].revents && signals_take(r->signals)) {
			stopped = true;
			control_send(r->control, why, sizeof(why), "stop");
		}
	}
	if (child > 0)
		waitpid(child, &status, 0);
	if (pf[0].fd >= 0)
		close(pf[0].fd);
	return status || stopped ? -1 : 0;
}

/* -L: does everything that stapio does up to the start, and detaches. */
static int start_and_leave(struct run *r)
{
	if (open_module(r) || tell_module(r))
		return 1;
	control_send_zone(r->control);
	if ((r->relayed.target && tell(r, "target %s", r->relayed.target)) ||
	    start_unless_stopped(r) || tell(r, "detach"))
		return 1;
	close_trace(r);
	close(r->formats);
	close(r->programs);
	close(r->control);
	r->control = -1;
	printf("Disconnecting from systemtap module.\n"
	       "To reconnect, type \"%s -A %s\"\n", r->choose ? r->file.path : "staprun", r->file.name);
	fflush(stdout);
	return 0;
}

static int run_inserted(struct run *r)
{
	if (open_module(r) || tell_module(r) || start_stapio(r))
		return 1;
	return wait_for_stapio(r);
}

/*
 * Stops and removes the module.  The control file stays open meanwhile, because without a watcher
 * the module would have itself removed.  The trace is closed, because it would hold the module if
 * stapio had not started.
 */
static int end_module(struct run *r)
{
	char why[256];

	close_trace(r);
	if (r->control >= 0)
		control_send(r->control, why, sizeof(why), "stop");

	int err = r->by_auth && r->control >= 0 ? auth_await_removal(r)
						 : module_remove(r->file.name, r->control, 5000);

	if (r->control >= 0)
		close(r->control);
	say_how_stapio_ended(r);
	if (!err || err == -ENOENT) {
		say_if(2, "staprun: module %s removed", r->file.name);
		return 0;
	}
	say_error("Couldn't remove module '%s': %s.  Once nothing uses it: staprun -d %s",
		  r->file.name, strerror(-err), r->file.name);
	return 1;
}

static int insert(struct run *r)
{
	unused_sweep();
	if (module_name_is_taken(&r->file))
		return -1;
	say_if(2, "staprun: inserting module %s", r->file.path);
	return module_insert(&r->file, remover_path(), MODULE_OWNERLESS);
}

int run_new(struct run *r)
{
	int status;

	r->parent_fd = r->parent ? syscall(SYS_pidfd_open, (pid_t)r->parent, 0) : -1;
	if (r->parent && r->parent_fd < 0)
		return 1;		/* it was removed already */
	if (r->by_auth ? auth_insert(r) : insert(r))
		return 1;
	status = r->leave ? start_and_leave(r) : run_inserted(r);
	if (!r->leave || status)
		status |= end_module(r);
	return status;
}

/* -A: attaches to a session.  A flight recorder is left alone if its output can't be fetched. */
int run_attached(struct run *r)
{
	int status = 1;

	if (!module_set_name(&r->file, r->module))
		return 1;
	if (open_module(r) || tell(r, "attach"))
		return 1;
	if (!start_stapio(r))
		status = wait_for_stapio(r);
	if (stapio_read_nothing(r, status) && !tell(r, "detach"))
		close(r->control);
	else
		status |= end_module(r);
	return status;
}
