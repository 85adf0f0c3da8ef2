// SPDX-License-Identifier: GPL-2.0-or-later
/* Gives up rights (rights.h). */
#define _GNU_SOURCE
#include "rights.h"

#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534

static bool become_nobody(void)
{
	return !setgroups(0, NULL) && !setresgid(NOBODY, NOBODY, NOBODY) &&
	       !setresuid(NOBODY, NOBODY, NOBODY);
}

bool rights_drop(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { { 0 } };

	/* This fails in a container without that user.  Then it stays root, but without capabilities. */
	if (!geteuid())
		become_nobody();
	return !syscall(SYS_capset, &head, none) && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_PDEATHSIG, SIGKILL);
}

bool rights_limit(int what, rlim_t most)
{
	struct rlimit l;

	if (getrlimit(what, &l))
		return false;
	if (l.rlim_max < most)
		most = l.rlim_max;
	return !setrlimit(what, &(struct rlimit){ most, most });
}
