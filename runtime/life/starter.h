/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The starter: the process that wrote "start".  Some tapset functions use its user,
 * its namespaces, and the target and time zone that it set.
 */
#ifndef STAP_STARTER_H
#define STAP_STARTER_H

#include <linux/types.h>
#include <linux/uidgid.h>

#include "abi/transport.h"

struct pid_namespace;
struct user_namespace;

/* The facts about the starter that target(), the ns_… functions and ctime() use. */
struct st_starter {
	pid_t pid;			/* in the initial namespace */
	kuid_t user;
	struct pid_namespace *pids;	/* its own; holds a reference */
	/*
	 * the namespaces of the tapset's ns_… functions: the starter's own, or another process's;
	 * hold references
	 */
	struct pid_namespace *shown_pids;
	struct user_namespace *shown_users;
	int target;			/* target(); 0: none given */
	long west;			/* time zone: seconds west of UTC */
	char zone[ST_ZONE_MAX];		/* its name */
};

extern struct st_starter st_starter;

/*
 * Makes the current process the starter, before the first handler. drop() gives all references
 * back, when the module is unloaded.
 */
void st_starter_take(void);
void st_starter_drop(void);

/*
 * Makes the tapset's ns_… functions use the namespaces of process PID.  Returns 0, or -errno with
 * st_message set.  Call it before take().
 */
int st_starter_namespaces(pid_t pid);

/* Sets the time zone from "SECONDS NAME"; 0, or -EINVAL with st_message set. */
int st_starter_zone(char *args);

#endif
