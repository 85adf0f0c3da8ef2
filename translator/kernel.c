// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel a script is for: -r, else the running one; with --vm the newest
 * installed one with headers.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "passes.h"
#include "session.h"

static bool has_headers(const char *release)
{
	return !access(arena_printf("/lib/modules/%s/build/include", release), R_OK);
}

typedef vec(const char *) releases;

static int newest_first(const void *a, const void *b)
{
	return -strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Installed kernels with headers, newest first. */
static releases installed(void)
{
	releases found = { 0 };
	DIR *d = opendir("/lib/modules");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && has_headers(e->d_name))
			vec_push(&found, arena_strdup(e->d_name));
	if (d)
		closedir(d);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), newest_first);
	return found;
}

static int no_headers(const struct session *s, const releases *have)
{
	diag(DIAG_ERROR, "no headers of kernel %s: nothing at %s", s->release, s->kernel_build);
	diag_hint("on Debian: apt-get install linux-headers-%s", s->release);
	for (size_t i = 0; i < have->n; i++)
		diag_hint("%s -r %s, which has headers here", i ? "or" : "or use", have->v[i]);
	return -1;
}

int choose_kernel(struct session *s)
{
	static struct utsname un;

	uname(&un);
	s->arch = un.machine;

	releases have = installed();

	if (!s->release && s->vm && have.n)
		s->release = have.v[0];
	if (!s->release)
		s->release = un.release;
	if (!s->kernel_build)
		s->kernel_build = arena_printf("/lib/modules/%s/build", s->release);
	if (s->last_pass == 1 || !access(arena_printf("%s/include", s->kernel_build), R_OK))
		return 0;
	return no_headers(s, &have);
}
