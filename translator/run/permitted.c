// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells whether the user could load a script's module, or BPF, on this machine, and what to do if not. */
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/problem.h"
#include "kit/kit.h"
#include "run/command.h"
#include "run/run.h"
#include "session.h"

/* The group for whose members staprun-auth loads any module. */
#define DEVELOPERS "stapdev"

static bool has_capability(unsigned n)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	return !syscall(SYS_capget, &head, caps) && caps[CAP_TO_INDEX(n)].effective & CAP_TO_MASK(n);
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
	return has_capability(CAP_SYS_MODULE) || is_privileged(command_program("staprun", NULL));
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

/* Fills in why the user may not load modules; INSTEAD is what else runs the script, for the advice. */
static void tell_rights(const char *instead, struct problem *why)
{
	const struct passwd *user = getpwuid(geteuid());
	const char *guest = arena_printf("try the script in a throw-away guest: --vm%s", instead);

	why->hint = guest;
	if (!geteuid()) {
		why->text = "root may not load kernel modules here (no CAP_SYS_MODULE: a container?)";
	} else if (auth_is_there()) {
		why->text = "You need to be root, or in the group " DEVELOPERS ", to load the script's module";
		why->hint = arena_printf("%s; or %s", way_into_group(user ? user->pw_name : "USER"), guest);
	} else {
		why->text = "You need to be root (or have CAP_SYS_MODULE) to load the script's module";
	}
}

bool run_permitted(const struct session *s, bool needs_kernel)
{
	const struct options *o = &s->options;
	struct problem why = { 0 };

	if (s->engine != ENGINE_MODULE || o->last_pass < 5 || o->vm || o->remotes.n || may_load())
		return true;
	tell_rights(needs_kernel ? "" : ", or in a process of yours: --runtime=user", &why);
	diag(DIAG_ERROR, "%s", why.text);
	diag_hint("%s", why.hint);
	return false;
}

bool run_module_is_possible(struct session *s, struct problem *why)
{
	if (s->options.last_pass < 5 || may_load())
		return kit_is_possible(s, why);
	tell_rights("", why);
	why->text = "this user may not load modules";
	if (geteuid())
		why->hint = arena_printf("be root; or %s", why->hint);
	return false;
}

/* ---- BPF ---- */

bool run_bpf_is_in(const char *release)
{
	unsigned major = 0, minor = 0;

	sscanf(release, "%u.%u", &major, &minor);
	return major > 6 || (major == 6 && minor >= 1);
}

bool run_bpf_is_possible(const struct session *s, struct problem *why)
{
	const char *release = kernel_release(s->kernel);

	if (!run_bpf_is_in(release)) {
		why->text = arena_printf("it needs Linux 6.1, and this is %s", release);
		return false;
	}
	if (s->options.last_pass < 5)
		return true;		/* it runs elsewhere */
	if (file_says("/sys/kernel/security/lockdown", "[confidentiality]")) {
		why->text = "the kernel is locked down (confidentiality), and lets BPF read nothing of it";
		return false;
	}
	if (has_capability(CAP_SYS_ADMIN) || (has_capability(CAP_BPF) && has_capability(CAP_PERFMON)))
		return true;
	why->text = "it needs root, or the capabilities CAP_BPF and CAP_PERFMON, and CAP_SYSLOG to find functions";
	return false;
}
