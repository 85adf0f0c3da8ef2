// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A hash table of calls by thread or goroutine, in shards: threads that share no shard don't meet at a
 * lock.
 * Only tasks use it, and handlers aren't nested at their level; so a plain raw lock with
 * preemption disabled is enough.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "port/port.h"
#include "abi/stap_script.h"
#include "calls.h"
#include "core/report.h"

#define ST_SHARD_BITS 4
#define ST_SHARDS (1 << ST_SHARD_BITS)
#define ST_CALLS_PER_SHARD 256

struct st_shard {
	raw_spinlock_t lock;
	struct hlist_head buckets[ST_CALLS_PER_SHARD];
	struct list_head calls, free;	/* known calls, oldest first; free ones */
	unsigned long lost;		/* calls dropped for lack of room, if they still return */
};

static struct st_shard *st_shards;
static char *st_user_calls;			/* memory of all calls */

/*
 * Chooses a bucket.  A thread's calls are together, for st_user_call_open(); a goroutine's, of
 * which there may be more, are spread.
 */
static u32 key_hash(const struct st_call_key *key)
{
	return hash_long((unsigned long)key->whose ^ key->g ^ (key->g ? key->sp : 0), 32);
}

static struct st_shard *call_shard(const struct st_call_key *key)
{
	return &st_shards[key_hash(key) >> (32 - ST_SHARD_BITS)];
}

static struct hlist_head *call_bucket(struct st_shard *s, const struct st_call_key *key)
{
	return &s->buckets[key_hash(key) % ST_CALLS_PER_SHARD];
}

static bool same_stack(const struct st_call_key *a, const struct st_call_key *b)
{
	return a->whose == b->whose && a->born == b->born && a->execs == b->execs && a->g == b->g;
}

int st_user_calls_alloc(unsigned int size)
{
	unsigned long bytes = ALIGN(sizeof(struct st_user_call) + size, sizeof(long));
	unsigned int i, n;

	st_shards = st_data_alloc(ST_SHARDS * sizeof(*st_shards), NUMA_NO_NODE);
	st_user_calls = st_data_alloc(ST_SHARDS * ST_CALLS_PER_SHARD * bytes, NUMA_NO_NODE);
	if (!st_shards || !st_user_calls) {
		st_user_calls_free();
		return st_fail(-ENOMEM, "no memory for the values that return probes save");
	}
	for (i = 0; i < ST_SHARDS; i++) {
		struct st_shard *s = &st_shards[i];

		raw_spin_lock_init(&s->lock);
		INIT_LIST_HEAD(&s->calls);
		INIT_LIST_HEAD(&s->free);
		for (n = 0; n < ST_CALLS_PER_SHARD; n++) {
			struct st_user_call *call = (void *)(st_user_calls +
							(i * ST_CALLS_PER_SHARD + n) * bytes);

			list_add(&call->age, &s->free);
		}
	}
	return 0;
}

void st_user_calls_free(void)
{
	kvfree(st_shards);
	kvfree(st_user_calls);
	st_shards = NULL;
	st_user_calls = NULL;
}

/* Takes a known call back; under the shard's lock. */
static void call_forget(struct st_user_call *call)
{
	hlist_del(&call->node);
	list_del(&call->age);
}

/*
 * Drops the stack's calls with stack pointers below KEY's: their frames are gone, since the
 * function that is entered now uses that part of the stack.
 */
static void calls_drop_left(struct st_shard *s, const struct st_call_key *key)
{
	struct hlist_node *next;
	struct st_user_call *call;

	hlist_for_each_entry_safe(call, next, call_bucket(s, key), node)
		if (same_stack(&call->key, key) && call->key.sp < key->sp) {
			call_forget(call);
			list_add(&call->age, &s->free);
		}
}

/*
 * Finds a site's newest call on a stack: at a stack pointer, or with OPEN one that isn't filled
 * yet.  Under the shard's lock.
 */
static struct st_user_call *call_find(struct st_shard *s, const struct st_uprobe *site,
				      const struct st_call_key *key, bool open)
{
	struct st_user_call *call;

	hlist_for_each_entry(call, call_bucket(s, key), node)
		if (call->site == site && same_stack(&call->key, key) &&
		    (open ? !call->filled : call->key.sp == key->sp))
			return call;
	return NULL;
}

static struct st_call_key call_of(const struct task_struct *whose, unsigned long g,
				  unsigned long sp)
{
	return (struct st_call_key){
		.whose = whose, .born = whose->start_time, .execs = current->self_exec_id,
		.g = g, .sp = sp,
	};
}

struct st_call_key st_thread_call(unsigned long sp)
{
	return call_of(current, 0, sp);
}

struct st_call_key st_goroutine_call(unsigned long g, unsigned long sp)
{
	return call_of(current->group_leader, g, sp);
}

struct st_user_call *st_user_call_begin(const struct st_uprobe *site, const struct st_call_key *key)
{
	struct st_shard *s = call_shard(key);
	struct st_user_call *call;

	raw_spin_lock(&s->lock);
	call = call_find(s, site, key, false);
	if (call) {
		call_forget(call);
		list_add(&call->age, &s->free);
	}
	if (list_empty(&s->free))
		calls_drop_left(s, key);
	call = list_first_entry_or_null(&s->free, struct st_user_call, age);
	if (call) {
		list_del(&call->age);
	} else {
		s->lost++;
		call = list_first_entry_or_null(&s->calls, struct st_user_call, age);
		if (call)
			call_forget(call);
	}
	raw_spin_unlock(&s->lock);
	if (!call)
		return NULL;
	call->site = site;
	call->key = *key;
	call->filled = false;
	return call;
}

void st_user_call_add(struct st_user_call *call)
{
	struct st_shard *s = call_shard(&call->key);

	raw_spin_lock(&s->lock);
	hlist_add_head(&call->node, call_bucket(s, &call->key));
	list_add_tail(&call->age, &s->calls);
	raw_spin_unlock(&s->lock);
}

static struct st_user_call *call_take(const struct st_uprobe *site, const struct st_call_key *key,
				      bool open)
{
	struct st_shard *s = call_shard(key);
	struct st_user_call *call;

	raw_spin_lock(&s->lock);
	call = call_find(s, site, key, open);
	if (call)
		call_forget(call);
	raw_spin_unlock(&s->lock);
	return call;
}

struct st_user_call *st_user_call_open(const struct st_uprobe *site)
{
	struct st_call_key key = st_thread_call(0);

	return call_take(site, &key, true);
}

/*
 * Takes the call of a return.  If there is none, the return belongs to a lost call, as long as
 * there are any; else the function was entered before the session started.
 */
struct st_user_call *st_user_call_end(const struct st_uprobe *site, const struct st_call_key *key)
{
	struct st_user_call *call = call_take(site, key, false);
	struct st_shard *s = call_shard(key);

	if (call)
		return call;
	raw_spin_lock(&s->lock);
	if (s->lost) {
		s->lost--;
		atomic_long_inc(&st_counts.missed);
	}
	raw_spin_unlock(&s->lock);
	return NULL;
}

void st_user_call_drop(struct st_user_call *call)
{
	struct st_shard *s = call_shard(&call->key);

	raw_spin_lock(&s->lock);
	list_add(&call->age, &s->free);
	raw_spin_unlock(&s->lock);
}
