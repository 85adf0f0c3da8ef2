// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A throw-away guest (--vm), which stap-vm boots (loader/vm/vm.c).  Files of the guest are lost with
 * it, so -o's file is opened here, as standard output.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "run/command.h"
#include "run/machine.h"
#include "session.h"

static void begin(struct command *c, const struct session *s)
{
	command_add(c, command_program("stap-vm", NULL));
	command_option(c, "-r", kernel_release(s->kernel));
	if (s->verbose > 2)
		command_add(c, "-v");
	command_add(c, "--");
}

/*
 * Opens -o's FILE as standard output.  Its name may hold strftime(3) formats,
 * as staprun's -o.
 */
static bool open_output(const char *file)
{
	char name[PATH_MAX];
	time_t now = time(NULL);
	struct tm tm;
	int fd;

	if (!strftime(name, sizeof(name), file, localtime_r(&now, &tm))) {
		diag(DIAG_ERROR, "cannot make a file name of '%s'", file);
		return false;
	}
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0) {
		diag(DIAG_ERROR, "cannot write to '%s': %s", name, strerror(errno));
		return false;
	}
	return true;
}

static bool enter(const struct session *s, pid_t parent)
{
	if (s->options.relayed.output && !open_output(s->options.relayed.output))
		return false;
	/* When stap ends, however it does, the guest must end too. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	return getppid() == parent;
}

const struct machine guest_machine = { .begin = begin, .enter = enter };
