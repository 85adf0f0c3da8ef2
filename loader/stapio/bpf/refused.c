// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Says why the kernel refuses a map, a program or a probe, and what to do.
 *
 * The verifier's own words are about instructions that nobody wrote, so they go to a file for a report.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "common/say.h"
#include "internal.h"
#include "system.h"

/* Enough for the verifier's messages about one program. */
enum { LOG_ROOM = 64 << 10 };

static bool is_confidential(void)
{
	return file_says("/sys/kernel/security/lockdown", "[confidentiality]");
}

static bool is_forbidden(int err)
{
	return err == EPERM || err == EACCES;
}

static const char *why_forbidden(void)
{
	return is_confidential() ? "the kernel is locked down (confidentiality), and lets BPF read nothing of it: "
				   "only a signed module can (stap-prep --sign)" :
	       geteuid() ? "this user may not: be root, or have CAP_BPF and CAP_PERFMON" :
	       "root may not do so here (a container, or a security policy): it takes CAP_BPF and CAP_PERFMON";
}

void say_refused(const char *what, int err)
{
	if (is_forbidden(err))
		say_error("can't load %s: %s", what, why_forbidden());
	else if (err == ENOSYS)
		say_error("there is no BPF here: the kernel has none (CONFIG_BPF_SYSCALL), or a filter of "
			  "system calls, such as a container's, keeps it away; --runtime=kernel needs none");
	else if (err == ENOMEM || err == E2BIG)
		say_error("the kernel has no memory for %s: smaller arrays take less (-D MAXMAPENTRIES), and "
			  "a container's limit of memory counts", what);
	else if (err == EMFILE || err == ENFILE)
		say_error("can't load %s: too many files are open; 'ulimit -Hn' must allow two for each place, "
			  "and one for each program", what);
	else
		say_error("can't load %s: %s", what, strerror(err));
}

/* Keeps the verifier's log for a report.  Returns the file's name, or NULL. */
static const char *kept(const char *log)
{
	static char name[] = "/tmp/stap-bpf-XXXXXX";
	int fd = *log ? mkostemp(name, 0) : -1;
	bool whole = fd >= 0 && write(fd, log, strlen(log)) == (ssize_t)strlen(log);

	if (fd >= 0)
		close(fd);
	return whole ? name : NULL;
}

static void say_unknown(const char *point, int err, const char *log)
{
	const char *name = kept(log);

	say_error("internal error: the kernel does not accept the BPF program of %s (%s): please report it, with "
		  "the script%s%s; --runtime=kernel may run it", point, strerror(err), name ? " and " : "",
		  name ? name : "");
}

/* Says which function for BPF the kernel lacks, if the log tells of one: "unknown func bpf_loop#181". */
static bool say_function(const char *point, const char *log)
{
	static const char *const before[] = { "unknown func ", "cannot use helper " };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		const char *name = strstr(log, before[i]);
		int n = 0;

		if (!name)
			continue;
		name += strlen(before[i]);
		while (isalnum(name[n]) || name[n] == '_')
			n++;
		say_error("this kernel has no %.*s, which the BPF program of %s needs: --runtime=kernel needs none, "
			  "and Linux 6.1 has all", n, name, point);
		return true;
	}
	return false;
}

void say_program_refused(const struct handlers *h, const struct bpf_program *p, int err)
{
	const char *point = h->points[p->point];
	char *log = calloc(1, LOG_ROOM);
	int fd;

	if (err == EMFILE || err == ENOMEM || err == ENOSYS || err == EPERM || is_confidential()) {
		say_refused("a BPF program", is_confidential() ? EPERM : err);
	} else if (system_try(p->attach) == EINVAL) {
		say_error("this kernel runs no BPF programs at probes (CONFIG_BPF_EVENTS): --runtime=kernel needs "
			  "none");
	} else if (log) {
		fd = err == E2BIG ? -1 : load_program(h, p, false, log, LOG_ROOM);
		if (fd >= 0)
			close(fd);
		if (err == E2BIG || strstr(log, "too large") || strstr(log, "too complex"))
			say_error("the handler of %s is too large for the kernel's verifier, with the functions "
				  "that it calls: make it smaller, or take --runtime=kernel", point);
		else if (!say_function(point, log))
			say_unknown(point, err, log);
	}
	free(log);
}

void say_waits(const char *point)
{
	say_error("BPF has no probes that wait for a module, and that of %s is not loaded: load it first, or take "
		  "--runtime=kernel", point);
}

bool is_about_place(int err)
{
	return !is_forbidden(err) && err != EMFILE && err != ENFILE && err != ENOMEM;
}

long kernel_setting(const char *name, long otherwise)
{
	FILE *f = fopen(arena_printf("/proc/sys/kernel/%s", name), "re");
	long value;

	if (!f || fscanf(f, "%ld", &value) != 1)
		value = otherwise;
	if (f)
		fclose(f);
	return value;
}

/* Does the kernel, as Debian's, leave performance events to root alone, whatever capabilities others have? */
static bool leaves_events_to_root(void)
{
	return kernel_setting("perf_event_paranoid", 0) > 2;
}

void say_place_refused(const struct ir_place *place, int err)
{
	if (err == EACCES && !is_confidential() && leaves_events_to_root())
		say_error("can't probe %s: performance events are root's here; 'sysctl "
			  "kernel.perf_event_paranoid=2' lets CAP_PERFMON do", place->pp);
	else if (is_forbidden(err))
		say_error("can't probe %s: %s", place->pp, why_forbidden());
	else if (!is_about_place(err))
		say_refused(place->pp, err);
	else if (err == EBUSY)
		say_error("functions can't be probed while ftrace is off: it was switched off by sysctl "
			  "kernel.ftrace_enabled=0");
	else
		say_error("can't probe %s: %s", place->pp,
			  err == ENOENT ? "this kernel has no such place" :
			  err == E2BIG ? "programs of other sessions leave no room for these; try again" :
			  strerror(err));
}
