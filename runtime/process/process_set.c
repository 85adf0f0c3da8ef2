// SPDX-License-Identifier: GPL-2.0-or-later
/* A hash table of processes by number, under RCU. */
#include <linux/hash.h>
#include <linux/rcupdate.h>

#include "core/report.h"
#include "process_set.h"

static __always_inline struct hlist_head *process_bucket(const struct st_process_set *set, pid_t tgid)
{
	return (struct hlist_head *)&set->buckets[hash_32(tgid, ST_PROCESS_BITS)];
}

struct st_member *st_member_find(const struct st_process_set *set, pid_t tgid)
{
	struct st_member *m;

	hlist_for_each_entry_rcu(m, process_bucket(set, tgid), node, lockdep_is_held(&set->lock))
		if (m->tgid == tgid)
			return m;
	return NULL;
}

bool notrace st_member_is(const struct st_process_set *set, pid_t tgid)
{
	const struct st_member *m;
	bool is = false;

	preempt_disable_notrace();
	hlist_for_each_entry_rcu_notrace(m, process_bucket(set, tgid), node)
		if (m->tgid == tgid) {
			is = true;
			break;
		}
	preempt_enable_notrace();
	return is;
}

struct st_member *st_member_new(struct st_process_set *set)
{
	struct st_member *m = st_pool_get(&set->pool);

	if (m)
		m->set = set;
	else
		atomic_inc(&set->lost);
	return m;
}

bool st_member_add(struct st_member *m, const struct task_struct *task)
{
	struct st_process_set *set = m->set;
	unsigned long flags;
	struct st_member *old;
	bool wanted;

	m->tgid = task->tgid;
	raw_spin_lock_irqsave(&set->lock, flags);
	old = st_member_find(set, m->tgid);
	wanted = !st_process_ended(task) && (!old || old->ended);
	if (wanted && old)
		hlist_replace_rcu(&old->node, &m->node);
	else if (wanted)
		hlist_add_head_rcu(&m->node, process_bucket(set, m->tgid));
	raw_spin_unlock_irqrestore(&set->lock, flags);
	if (!wanted)
		st_pool_put(&set->pool, m);
	else if (old)
		st_member_drop(old);
	return wanted;
}

struct st_member *st_member_end(struct st_process_set *set, pid_t tgid)
{
	struct st_member *m;
	unsigned long flags;
	bool ends = false;

	raw_spin_lock_irqsave(&set->lock, flags);
	m = st_member_find(set, tgid);
	if (m) {
		ends = !m->ended;
		WRITE_ONCE(m->ended, true);
	}
	raw_spin_unlock_irqrestore(&set->lock, flags);
	return ends ? m : NULL;
}

struct st_member *st_member_remove(struct st_process_set *set, pid_t tgid, bool ended)
{
	struct st_member *m;
	unsigned long flags;

	raw_spin_lock_irqsave(&set->lock, flags);
	m = st_member_find(set, tgid);
	if (m && m->ended != ended)
		m = NULL;
	if (m)
		hlist_del_rcu(&m->node);
	raw_spin_unlock_irqrestore(&set->lock, flags);
	return m;
}

static void member_unused(struct rcu_head *rcu)
{
	struct st_member *m = container_of(rcu, struct st_member, rcu);

	st_pool_put(&m->set->pool, m);
}

void st_member_drop(struct st_member *m)
{
	call_rcu(&m->rcu, member_unused);
}

int st_process_set_alloc(struct st_process_set *set)
{
	return st_pool_fill(&set->pool) ? st_fail(-ENOMEM, "no memory to follow processes") : 0;
}

void st_process_set_free(struct st_process_set *set)
{
	struct st_member *m;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(set->buckets); i++)
		hlist_for_each_entry_safe(m, next, &set->buckets[i], node) {
			hlist_del_rcu(&m->node);
			st_member_drop(m);
		}
	rcu_barrier();
	st_pool_free(&set->pool);
}
