/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel the script is for, and how that one is configured: kernel.c. */
#ifndef STAP_KERNEL_H
#define STAP_KERNEL_H

struct options;

struct kernel {
	const char *release;		/* "6.1.0-56-cloud-amd64" */
	const char *arch;		/* "x86_64" */
	const char *build;		/* its headers: /lib/modules/RELEASE/build */
};

/*
 * Takes -r's kernel, else the running one; with --vm the newest installed one
 * with headers.  0, or -1 after a message that says what to install: passes 2
 * to 5 need the headers.
 */
int choose_kernel(struct kernel *k, const struct options *o);

/*
 * The kernel's configuration: "y", "m", a value without quotes, or NULL when
 * not set.  Read from the headers' .config, /boot/config-RELEASE, or
 * /lib/modules/RELEASE/config, whichever is there.
 */
const char *kernel_config(const struct kernel *k, const char *name);

#endif
