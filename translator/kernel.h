/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The target kernel, and its configuration. */
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

#include <stdbool.h>

struct options;

/* The kernel that the script's module is built for. */
struct kernel {
	const char *release;		/* such as "6.1.0-56-cloud-amd64" */
	const char *arch;		/* such as "x86_64" */
	const char *build;		/* the build directory, with headers and .config:
					   /lib/modules/RELEASE/build, or -r's */
};

/*
 * Sets K to -r's kernel; without -r, to the running one, or with --vm to the
 * newest installed kernel that has headers.  The newest is also taken, with a
 * note, where the running one has no headers and the script does not run here
 * (RUNS_HERE): -l and -L, -p4.  Returns 0, or -1 after a message if the headers
 * are missing and a pass after the first is to run.
 */
int choose_kernel(struct kernel *k, const struct options *o, bool runs_here);

/* Is it the kernel that runs on this machine? */
bool kernel_runs(const struct kernel *k);

/*
 * Returns the value of the kernel's CONFIG_… option NAME: "y", "m", a number, a
 * string without its quotes, or NULL when not set.  Reads the first of the
 * build directory's .config, /boot/config-RELEASE and
 * /lib/modules/RELEASE/config that exists.
 */
const char *kernel_config(const struct kernel *k, const char *name);

#endif
