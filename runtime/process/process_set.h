/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of processes, which handlers search without a lock and tracepoints change.
 *
 * A process is known by its number in the initial namespace, task->tgid, which it keeps
 * through exec.  A member may be part of a larger object that says more of the process:
 *
 *	struct st_followed { struct st_member member; const struct group *group; };
 *
 *	static struct st_process_set st_set = ST_PROCESS_SET(st_set, struct st_followed);
 *
 * A process that ends is removed by the handler that sees sched_process_exit in its last thread.  One
 * that is being added meanwhile is not kept: add() looks whether the process still lives
 * under the lock that remove() takes.
 *
 * The last thread to begin its exit is not the last to come to that tracepoint.  A user of the set
 * that has something to do for each thread marks the member as ended, so that the process's other
 * threads still find it, and forgets it when the kernel frees the first thread, after all others.
 * By then the number may be another process's.
 */
#ifndef STAP_PROCESS_SET_H
#define STAP_PROCESS_SET_H

#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>

#include "handler/pool.h"

#define ST_PROCESS_BITS 10
#define ST_MEMBERS 2048

/* The processes of a set, hashed by thread group.  Searched under RCU, changed under the lock. */
struct st_process_set {
	struct hlist_head buckets[1 << ST_PROCESS_BITS];
	raw_spinlock_t lock;		/* changes */
	struct st_pool pool;
	atomic_t lost;			/* processes for which there was no member */
};

/* A process of a set, within the user's own struct, which the set's pool allocates. */
struct st_member {
	struct hlist_node node;
	struct rcu_head rcu;
	struct st_process_set *set;
	pid_t tgid;
	bool ended;
};

#define ST_PROCESS_SET(name, type) {					\
	.lock = __RAW_SPIN_LOCK_UNLOCKED(name.lock),			\
	.pool = ST_POOL(name.pool, type, ST_MEMBERS),			\
}

/* Has the process's last thread begun to exit? */
static inline bool st_process_ended(const struct task_struct *task)
{
	return !atomic_read(&task->signal->live);
}

/* Allocates members: 0, or -ENOMEM with st_message set.  Process context. */
int st_process_set_alloc(struct st_process_set *set);

/* Frees all members; nobody uses the set any more.  Process context. */
void st_process_set_free(struct st_process_set *set);

/* Returns the process's member, or NULL.  Under rcu_read_lock(), which keeps it; any context. */
struct st_member *st_member_find(const struct st_process_set *set, pid_t tgid);

/* Is it a member's number?  Any context; calls nothing that can be probed. */
bool st_member_is(const struct st_process_set *set, pid_t tgid);

/* Returns a member, zeroed, to be added; or NULL, and counts the loss. */
struct st_member *st_member_new(struct st_process_set *set);

/* Adds TASK's process, in the place of an ended one of its number.  If it is in the set already
 * or has ended, gives the member back and returns false. */
bool st_member_add(struct st_member *m, const struct task_struct *task);

/* Marks the process's member as ended and returns it; NULL if there is none, or it has ended.
 * Under rcu_read_lock(). */
struct st_member *st_member_end(struct st_process_set *set, pid_t tgid);

/*
 * Removes and returns the process's member, one that has ended or one that hasn't, or NULL.  Only
 * the caller has it then, besides handlers that found it before, and gives it back with drop().
 */
struct st_member *st_member_remove(struct st_process_set *set, pid_t tgid, bool ended);
void st_member_drop(struct st_member *m);

#endif
