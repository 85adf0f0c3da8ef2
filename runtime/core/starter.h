/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who started the session, and where: the process that wrote "start", whose user
 * and namespaces some tapset functions go by, and the time zone it told.
 */
#ifndef STAP_STARTER_H
#define STAP_STARTER_H

#include <linux/types.h>
#include <linux/uidgid.h>

#include "abi/transport.h"

struct pid_namespace;
struct user_namespace;

struct st_starter {
	pid_t pid;			/* as the initial namespace numbers it */
	kuid_t user;
	struct pid_namespace *pids;	/* held */
	struct user_namespace *users;	/* held */
	long west;			/* of UTC, in seconds */
	char zone[ST_ZONE_MAX];		/* its name */
};

extern struct st_starter st_starter;

/* The current process is it.  Before any handler runs; and after the last one. */
void st_starter_take(void);
void st_starter_drop(void);

/* The command "zone SECONDS NAME"; 0 or -errno. */
int st_starter_zone(char *args);

#endif
