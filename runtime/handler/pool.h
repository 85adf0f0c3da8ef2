/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pool: memory for code that may not allocate.
 *
 *	static struct st_pool st_arrivals = ST_POOL(st_arrivals, struct st_arrival, 1024);
 *
 *	err = st_pool_fill(&st_arrivals);
 *	…
 *	a = st_pool_get(&st_arrivals);		in a tracepoint's function, say
 *	…
 *	st_pool_put(&st_arrivals, a);
 *	…
 *	st_pool_free(&st_arrivals);
 *
 * When half of the objects are gone, a work item allocates more: the pool runs empty only if
 * very many are taken at once.
 */
#ifndef STAP_POOL_H
#define STAP_POOL_H

#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* A pool of objects of one size; see above for its use.  Its objects that aren't taken are its own. */
struct st_pool {
	raw_spinlock_t lock;
	void *first;			/* each points to the next */
	unsigned int n, most;		/* objects in it; as many as fill() makes it have */
	size_t size;			/* of an object, in bytes */
	struct work_struct refill;
};

void st_pool_refill(struct work_struct *work);

#define ST_POOL(name, type, count) {					\
	.lock = __RAW_SPIN_LOCK_UNLOCKED(name.lock),			\
	.most = (count), .size = sizeof(type),				\
	.refill = __WORK_INITIALIZER(name.refill, st_pool_refill),	\
}

/* Fills the pool: 0 or -ENOMEM.  Process context. */
int st_pool_fill(struct st_pool *pool);

/* Takes an object, zeroed, or returns NULL if there is none; gives one back.  Any context but NMI. */
void *st_pool_get(struct st_pool *pool);
void st_pool_put(struct st_pool *pool, void *object);

/* Frees the objects in the pool.  Process context, after the last get() and put(). */
void st_pool_free(struct st_pool *pool);

#endif
