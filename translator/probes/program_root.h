/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root directory in which programs are looked for: our own, or with --container that of the container.
 *
 *	process("/bin/sh") with --container=web		/proc/4711/root/usr/bin/dash, shown as /usr/bin/dash
 *
 * The files there belong to anybody.  base/path.h resolves such paths so that no link leads out of the
 * container.  A container that is not on this machine (--remote, --bundle, --vm) can't be looked into: names
 * mean files here, and staprun will look for the same build in the container.
 */
#ifndef STAP_PROBES_PROGRAM_ROOT_H
#define STAP_PROBES_PROGRAM_ROOT_H

#include <stdbool.h>

#include "base/problem.h"

struct session;

/* Finds the root directory: "/proc/PID/root", or "" for our own.  False with *WHY. */
bool program_root(struct session *s, const char **root, struct problem *why);

/* Returns the path of what processes with this root directory call NAME. */
const char *program_inside(const char *root, const char *name);

#endif
