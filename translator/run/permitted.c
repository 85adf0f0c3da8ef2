// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells whether the user could load a script's module on this machine, and what to do if not. */
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "run/command.h"
#include "run/run.h"
#include "session.h"

/* The group for whose members staprun-auth loads any module. */
#define DEVELOPERS "stapdev"

static bool may_insert(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &head, caps) && caps[0].effective >> CAP_SYS_MODULE & 1;
}

/* Is staprun-auth installed with its rights? */
static bool auth_is_there(void)
{
	struct stat st;

	return !stat(command_helper("staprun-auth"), &st) && !st.st_uid && st.st_mode & S_ISUID;
}

/* Is this process in the group?  A user who was added to it is from the next login on. */
static bool in_group(const struct group *g)
{
	return g && (getgid() == g->gr_gid || group_member(g->gr_gid));
}

/*
 * Does staprun have privileges that the user lacks? $SYSTEMTAP_STAPRUN may be a program that gets
 * them.
 */
static bool is_privileged(const char *staprun)
{
	struct stat st;

	return getenv("SYSTEMTAP_STAPRUN") || (auth_is_there() && in_group(getgrnam(DEVELOPERS))) ||
	       (!stat(staprun, &st) && st.st_mode & S_ISUID) ||
	       getxattr(staprun, "security.capability", NULL, 0) > 0;
}

static bool may_load(void)
{
	return may_insert() || is_privileged(command_program("staprun", NULL));
}

const char *run_no_module(struct session *s)
{
	if (!may_load())
		return "this user may not load modules";
	if (!kernel_has_headers(s->kernel))
		return arena_printf("kernel %s has no headers here", kernel_release(s->kernel));
	return NULL;
}

/* Returns how the user, of this name, comes into the group of developers. */
static const char *way_into_group(const char *user)
{
	const struct group *g = getgrnam(DEVELOPERS);

	for (char **member = g ? g->gr_mem : NULL; member && *member; member++)
		if (!strcmp(*member, user))
			return "you are in " DEVELOPERS " from your next login on, or after 'newgrp " DEVELOPERS "'";
	return arena_printf("root can add you to it, from your next login on: %susermod -aG " DEVELOPERS " %s",
			    g ? "" : "groupadd -r " DEVELOPERS "; ", user);
}

bool run_permitted(const struct session *s, bool needs_kernel)
{
	const struct options *o = &s->options;

	if (s->engine != ENGINE_MODULE || o->last_pass < 5 || o->vm || o->remotes.n || may_load())
		return true;

	const struct passwd *user = getpwuid(geteuid());
	const char *guest = arena_printf("try the script in a throw-away guest: --vm%s",
					 needs_kernel ? "" : ", or in a process of yours: --runtime=user");

	if (!geteuid()) {
		diag(DIAG_ERROR, "root may not load kernel modules here (no CAP_SYS_MODULE: a container?)");
		diag_hint("%s", guest);
	} else if (auth_is_there()) {
		diag(DIAG_ERROR, "You need to be root, or in the group " DEVELOPERS ", to load the script's module");
		diag_hint("%s; or %s", way_into_group(user ? user->pw_name : "USER"), guest);
	} else {
		diag(DIAG_ERROR, "You need to be root (or have CAP_SYS_MODULE) to load the script's module");
		diag_hint("%s", guest);
	}
	return false;
}
