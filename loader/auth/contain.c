// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drops what a set-user-ID program inherits from a user who may want to harm it, and the rights
 * that it no longer needs.
 *
 * The program is linked statically, so that no library is looked for, and the kernel makes it
 * undumpable, so the user can't ptrace it.  The user can stop or kill it at any time, so no step
 * leaves anything behind for the next one to undo.  A module whose loader was killed has itself
 * removed (runtime/life/loader.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "auth.h"
#include "common/say.h"
#include "common/syscalls.h"

static void must(int result, const char *what)
{
	if (!result)
		return;
	say_error("staprun-auth: %s: %s", what, strerror(errno));
	_exit(1);
}

/*
 * Opens the standard descriptors that are closed, because files that are opened later would get
 * their numbers.
 */
static void contain_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < AUTH_MODULE);
	if (fd < 0)
		_exit(1);
	close(fd);
}

static void contain_limits(void)
{
	static const struct { int resource; rlim_t most; } limits[] = {
		{ RLIMIT_AS, RLIM_INFINITY }, { RLIMIT_CORE, 0 }, { RLIMIT_CPU, RLIM_INFINITY },
		{ RLIMIT_DATA, RLIM_INFINITY }, { RLIMIT_FSIZE, RLIM_INFINITY }, { RLIMIT_NOFILE, 64 },
		{ RLIMIT_STACK, 8 << 20 },
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct rlimit limit = { limits[i].most, limits[i].most };

		must(setrlimit(limits[i].resource, &limit), "can't set limits");
	}
}

static void contain_signals(void)
{
	static const struct itimerval never;
	sigset_t none;

	for (int timer = ITIMER_REAL; timer <= ITIMER_PROF; timer++)
		setitimer(timer, &never, NULL);
	for (int n = 1; n < NSIG; n++)
		signal(n, SIG_DFL);		/* SIGKILL and SIGSTOP are so */
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

void contain_process(void)
{
	clearenv();
	umask(077);
	/* Then the limits: open ones could be as many as may be open, and without one there is no message. */
	must(syscall(SYS_close_range, AUTH_MODULE + 1, ~0u, 0), "can't close descriptors");
	if (!geteuid())
		contain_limits();
	contain_descriptors();
	if (geteuid()) {
		say_error("staprun-auth has no rights: it is not installed set-user-ID root (configure --enable-groups), "
			  "or is kept from them by a tracer, no_new_privs or a user namespace");
		_exit(1);
	}
	contain_signals();
	personality(PER_LINUX);		/* UNAME26 would make uname() tell of another kernel */
	must(chdir("/"), "can't change to /");
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "can't give up privileges");
}

void contain_rights(uint64_t rights)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = {
		{ .permitted = (uint32_t)rights, .effective = (uint32_t)rights },
		{ .permitted = rights >> 32, .effective = rights >> 32 },
	};
	uid_t uid = getuid();
	gid_t gid = getgid();

	must(prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0), "can't keep capabilities");
	must(setresgid(gid, gid, gid), "can't become the user's group");
	must(setresuid(uid, uid, uid), "can't become the user");
	must(syscall(SYS_capset, &head, caps), "can't drop capabilities");
	/* Becoming the user may have changed it, if fs.suid_dumpable is set. */
	must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "can't be undumpable");
}

/* Not getgrnam(), which would load what /etc/nsswitch.conf names.  The groups are the process's: who was added
 * to one is in it from the next login on. */
bool in_group(const char *name)
{
	FILE *f = fopen("/etc/group", "re");
	const struct group *g = f ? fgetgrent(f) : NULL;
	bool found;

	while (g && strcmp(g->gr_name, name))
		g = fgetgrent(f);
	found = g && (getgid() == g->gr_gid || group_member(g->gr_gid));
	if (f)
		fclose(f);
	return found;
}
