/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree: some processes, and all that they create from then on, and these create, wherever they go and
 * whoever ends.
 *
 *	static struct st_tree st_shells = ST_TREE(st_shells, is_shell);
 *
 *	err = st_tree_watch(&st_shells);
 *	…
 *	if (st_tree_has(&st_shells, current->tgid))	at a hit
 *	…
 *	st_tree_unwatch(&st_shells, "the shells'");
 *
 * What is_root() says is looked at once for each process that runs when the watch begins, whose descendants
 * are members too; and for a process that creates another.  A process leaves when its last thread ends.
 */
#ifndef STAP_TREE_H
#define STAP_TREE_H

#include "process_set.h"
#include "tracepoints.h"

#define ST_TREE_MOST 32768	/* members; more are counted and left out */

struct st_tree {
	bool (*is_root)(const struct task_struct *task);	/* under RCU */
	struct st_process_set set;
	atomic_t n;			/* members */
	atomic_t left_out;		/* processes for which there was no room */
	unsigned int users;
	struct st_follow follows[2];
};

#define ST_TREE(name, root) {						\
	.is_root = (root),						\
	.set = ST_PROCESS_SET(name.set, struct st_member),		\
}

/*
 * Begins and ends to follow processes.  Counted: watch() may be called several times, unwatch() once for
 * each, also for one that failed.  The last unwatch() warns if processes were left out; WHOSE says which.
 * Returns 0, or -errno with st_message set.  Process context, under the lock of what is armed.
 */
int st_tree_watch(struct st_tree *t);
void st_tree_unwatch(struct st_tree *t, const char *whose);

/* Is it a member's number?  Costs a hash lookup.  Any context; calls nothing that can be probed. */
static __always_inline bool st_tree_has(const struct st_tree *t, pid_t tgid)
{
	return st_member_is(&t->set, tgid);
}

#endif
