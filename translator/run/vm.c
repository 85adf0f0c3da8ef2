// SPDX-License-Identifier: GPL-2.0-or-later
/* Pass 5 in a throw-away guest. stap-vm (loader/vm/vm.c) boots the guest. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/self.h"
#include "base/vec.h"
#include "session.h"
#include "run/vm.h"

/* In a build tree stap-vm lies beside stap. */
static const char *stap_vm_path(void)
{
	char path[PATH_MAX];

	return self_beside("stap-vm", path) ? arena_strdup(path) : STAP_BINDIR "/stap-vm";
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

void vm_exec(const struct session *s, pid_t parent, char *const argv[])
{
	const char *path = stap_vm_path();
	vec(char *) v = { 0 };

	if (s->options.output_file && !open_output(s->options.output_file))
		return;
	vec_push(&v, (char *)path);
	vec_push(&v, "-r");
	vec_push(&v, (char *)kernel_release(s->kernel));
	if (s->verbose > 2)
		vec_push(&v, "-v");
	vec_push(&v, "--");
	for (; *argv; argv++)
		vec_push(&v, *argv);
	vec_push(&v, NULL);
	/* When stap ends, however it does, the guest must end too. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		return;
	execv(path, v.v);
	diag(DIAG_ERROR, "cannot run %s: %s", path, strerror(errno));
}
