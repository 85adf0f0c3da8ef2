/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target kernel, which is looked for when something first asks for it: a
 * probe point or variable of the kernel, a condition such as
 * %( kernel_v >= "6.1" %? … %), or pass 4.  A script that never asks passes on a
 * machine that has nothing of any kernel.
 *
 * Example:
 *
 *	struct kernel k;
 *
 *	kernel_init(&k, &options, true);
 *	printf("%s\n", kernel_release(&k));	looks for the kernel
 *	if (!kernel_has_headers(&k))
 *		printf("%s\n", kernel_advice(&k));
 *
 * All texts are in the arena, or the options' own.
 */
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

#include <stdbool.h>

struct options;

/* The kernel that the script's module is built for. */
struct kernel {
	const char *arch;		/* such as "x86_64" */
	const char *release, *build;	/* ask kernel_release() and kernel_build() */
	const struct options *options;
	bool runs_here;			/* the script is to run on this machine */
};

/* May TEXT be a kernel's release?  Other machines name it, and it becomes part of paths. */
bool kernel_is_release(const char *text);

/* Are the headers of the kernel RELEASE installed here?  Its types: is its image here, or its debug information? */
bool kernel_headers_are_known(const char *release);
bool kernel_types_are_known(const char *release);

/* Prepares K for the kernel that O means, and looks for nothing yet. */
void kernel_init(struct kernel *k, const struct options *o, bool runs_here);

/*
 * Returns the release, such as "6.1.0-56-cloud-amd64": the one that -r gives, or else the
 * running kernel's, or with --vm the newest installed kernel's that has headers.  The
 * newest is also taken, with a note, if the running kernel has no headers and the
 * script isn't to run here (-l, -L, -p4).
 */
const char *kernel_release(struct kernel *k);

/* Returns its build directory, which may not exist: /lib/modules/RELEASE/build, or -r's. */
const char *kernel_build(struct kernel *k);

/* Is it the kernel that runs on this machine? */
bool kernel_runs(struct kernel *k);

/* Are its headers installed? */
bool kernel_has_headers(struct kernel *k);

/*
 * Returns what the headers are without of what builds a module, or NULL.  Debian's link to another package:
 *
 *	/usr/src/linux-headers-6.1.0-9-amd64/scripts is a link to ../../lib/linux-kbuild-6.1/scripts, which is not here
 */
const char *kernel_headers_lack(struct kernel *k);

/* Returns what to do about headers that are missing. */
const char *kernel_advice(struct kernel *k);

/*
 * Returns the file with the kernel's configuration: the first of the build
 * directory's .config, /boot/config-RELEASE and /lib/modules/RELEASE/config that
 * can be read.  NULL if none can.
 */
const char *kernel_config_file(struct kernel *k);

/*
 * Returns the value of the kernel's CONFIG_… option NAME: "y", "m", a number, a
 * string without its quotes, or NULL when not set.
 */
const char *kernel_config(struct kernel *k, const char *name);

#endif
