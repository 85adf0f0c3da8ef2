// SPDX-License-Identifier: GPL-2.0-or-later
/* This machine, without a module: stapio runs the intermediate program, and needs no staprun. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "run/machine.h"
#include "session.h"

/* When stap ends, however it does, the script must end too. */
static bool enter(const struct session *s, pid_t parent)
{
	(void)s;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	return getppid() == parent;
}

const struct machine this_process = { .enter = enter, .files = true };
