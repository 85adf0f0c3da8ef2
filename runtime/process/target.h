/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target's processes: the process of -c or -x, and its descendants, also those whose
 * parents have ended.
 *
 *	err = st_target_watch();	in a family's arm()
 *	…
 *	if (!st_in_target())		at a hit
 *		return;
 *	…
 *	st_target_unwatch();		in its disarm()
 */
#ifndef STAP_TARGET_H
#define STAP_TARGET_H

#include <linux/sched.h>

#include "life/starter.h"
#include "tree.h"

extern struct st_tree st_target_tree;

/*
 * Begins and ends to follow the target's processes.  Counted: watch() may be called for each
 * of several families, unwatch() once for each watch(), also one that failed.  Returns 0, or
 * -errno with st_message set.  In the starter's context, under the lock of what is armed.
 */
int st_target_watch(void);
void st_target_unwatch(void);

/* Was a target given (-c, -x)? */
bool st_target_given(void);

/* Is this process one of the target's?  Without a target every process is.  Any context. */
bool st_target_has(pid_t tgid);

/* Is the current process one of the target's?  Costs a hash lookup. */
static __always_inline bool st_in_target(void)
{
	return likely(!st_starter.target) || st_tree_has(&st_target_tree, current->tgid);
}

#endif
