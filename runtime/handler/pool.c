// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the objects of a pool in a list through their first words. */
#include <linux/slab.h>
#include <linux/string.h>

#include "pool.h"

void st_pool_put(struct st_pool *pool, void *object)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&pool->lock, flags);
	*(void **)object = pool->first;
	pool->first = object;
	pool->n++;
	raw_spin_unlock_irqrestore(&pool->lock, flags);
}

void *st_pool_get(struct st_pool *pool)
{
	unsigned long flags;
	void *object;
	bool few;

	raw_spin_lock_irqsave(&pool->lock, flags);
	object = pool->first;
	if (object) {
		pool->first = *(void **)object;
		pool->n--;
	}
	few = pool->n < pool->most / 2;
	raw_spin_unlock_irqrestore(&pool->lock, flags);
	if (few)
		schedule_work(&pool->refill);
	return object ? memset(object, 0, pool->size) : NULL;
}

int st_pool_fill(struct st_pool *pool)
{
	while (READ_ONCE(pool->n) < pool->most) {
		void *object = kmalloc(pool->size, GFP_KERNEL);

		if (!object)
			return -ENOMEM;
		st_pool_put(pool, object);
	}
	return 0;
}

void st_pool_refill(struct work_struct *work)
{
	st_pool_fill(container_of(work, struct st_pool, refill));
}

void st_pool_free(struct st_pool *pool)
{
	cancel_work_sync(&pool->refill);
	while (pool->first) {
		void *object = pool->first;

		pool->first = *(void **)object;
		kfree(object);
	}
	pool->n = 0;
}
