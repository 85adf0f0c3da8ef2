/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tracepoints that the runtime itself follows, found by name.
 *
 *	static struct st_follow st_follows[] = { { "sched_process_fork", on_fork }, … };
 */
#ifndef STAP_TRACEPOINTS_H
#define STAP_TRACEPOINTS_H

#include <linux/types.h>

struct tracepoint;

/* A function of ours and the tracepoint of the kernel that calls it, by name. */
struct st_follow {
	const char *name;
	void *call;			/* with DATA, then the tracepoint's arguments */
	void *data;
	struct tracepoint *tracepoint;
	bool attached;
};

/*
 * Attaches the N functions.  Functions of a tracepoint run in descending order of priority, a
 * script's own have 10; those of equal priority in the order in which they were attached.
 * Returns 0, or -errno with st_message set.  unfollow() may come after a failure; when it
 * returns, no function runs any more.
 */
int st_follow(struct st_follow *follows, unsigned int n, int priority);
void st_unfollow(struct st_follow *follows, unsigned int n);

#endif
