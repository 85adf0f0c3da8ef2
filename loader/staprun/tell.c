// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells a module what it needs before its session starts: the addresses that only the running
 * system knows (bases.c), its programs (files.c), the size of its buffers, the script's globals.
 *
 * Needs CAP_SYS_MODULE to write the module's .control.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/problem.h"
#include "common/control.h"
#include "common/say.h"
#include "container.h"
#include "bases.h"
#include "files.h"
#include "run.h"

int tell(struct run *r, const char *fmt, ...)
{
	char why[512], *command;
	va_list ap;

	va_start(ap, fmt);
	int n = vasprintf(&command, fmt, ap);

	va_end(ap);
	if (n < 0)
		return -1;
	int err = control_send(r->control, why, sizeof(why), "%s", command);

	if (err)
		say_error("%s", why);
	free(command);
	return err;
}

/* Bounds the probes by a cgroup, if they are to be. */
static int tell_cgroup(struct run *r)
{
	struct problem why = { NULL };
	int fd, err;

	if (!r->cgroup && !r->container)
		return 0;
	fd = r->cgroup ? cgroup_open(r->cgroup, &why) : container_open(r->container, &why);
	if (fd < 0) {
		say_error("%s", why.text);
		return -1;
	}
	err = tell(r, "cgroup %d", fd);
	close(fd);
	return err;
}

static bool has_files(const struct run *r)
{
	char any;

	return pread(r->programs, &any, 1, 0) == 1;
}

/* Tells the module its programs, which in a container are the container's. */
static int tell_files(struct run *r)
{
	struct problem why = { NULL };

	if (r->container && has_files(r)) {
		r->root = container_root(r->container, &why);
		if (!r->root) {
			say_error("%s", why.text);
			return -1;
		}
	}
	return files_tell(r->file.name, r->control, r->root ? r->root : "");
}

/* Warns if staprun-auth has told of this machine's programs instead. */
static void warn_of_files(const struct run *r)
{
	if (r->container && has_files(r))
		say_warning("only root's staprun looks into containers: the script's programs are those "
			    "of this machine");
}

int tell_module(struct run *r)
{
	if (r->by_auth)
		warn_of_files(r);
	if ((!r->by_auth && (bases_tell(r->file.name, r->control) || tell_files(r))) ||
	    (r->buffer_mb && tell(r, "buffer %ld", r->buffer_mb)) ||
	    (r->gather_ms && tell(r, "gather %ld", r->gather_ms)) ||
	    (r->relayed.format && tell(r, "format %s", r->relayed.format)) ||
	    (r->namespaces && tell(r, "namespaces %ld", r->namespaces)) ||
	    tell_cgroup(r) || (r->follow && tell(r, "follow")))
		return -1;
	for (int i = 0; i < r->nset; i++)
		if (tell(r, "set %s", r->set[i]))
			return -1;
	return 0;
}
