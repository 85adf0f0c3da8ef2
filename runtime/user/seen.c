// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A table of pages of code (seen.h).  A page is looked for in a few entries from its hash on, and
 * replaces the oldest of them if it is new.  A handler that finds the lock taken notes nothing; it
 * is noted the next time.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/spinlock.h>

#include "memory/space.h"
#include "seen.h"

#define SEEN_BITS 11
#define SEEN_TRIES 8

struct st_seen_page {
	unsigned long page;		/* the address, in pages; 0: the entry is free */
	unsigned long process;		/* tells processes apart */
	unsigned long file_page;
	unsigned int file;
	unsigned int stamp;		/* higher: seen later */
};

static struct st_seen_page st_seen_pages[1 << SEEN_BITS];
static unsigned int st_seen_stamp;
static DEFINE_RAW_SPINLOCK(st_seen_lock);

static struct st_seen_page *seen_entry(unsigned long page, unsigned int try)
{
	return &st_seen_pages[(hash_long(page, SEEN_BITS) + try) % ARRAY_SIZE(st_seen_pages)];
}

/*
 * Returns a number that tells processes apart.  An mm's address may be used again, so the place of
 * its stack is mixed in, which differs from process to process.
 */
static unsigned long this_process(void)
{
	const struct mm_struct *mm = current->mm;

	return (unsigned long)mm ^ mm->start_stack << 8 ^ mm->start_code;
}

static bool is_noted(unsigned long page, unsigned long process)
{
	unsigned int i;

	for (i = 0; i < SEEN_TRIES; i++) {
		const struct st_seen_page *p = seen_entry(page, i);

		if (READ_ONCE(p->page) == page && READ_ONCE(p->process) == process)
			return true;
	}
	return false;
}

static void note(unsigned long page, unsigned long process, unsigned int file,
		 unsigned long file_page)
{
	struct st_seen_page *oldest = seen_entry(page, 0);
	unsigned int i;

	for (i = 1; i < SEEN_TRIES && oldest->page; i++) {
		struct st_seen_page *p = seen_entry(page, i);

		if (!p->page || (int)(p->stamp - oldest->stamp) < 0)
			oldest = p;
	}
	*oldest = (struct st_seen_page){ page, process, file_page, file, ++st_seen_stamp };
}

void st_seen_note(unsigned long addr)
{
	unsigned long page = addr >> PAGE_SHIFT, process, flags;
	struct st_mapping m;

	if (!current->mm)
		return;
	process = this_process();
	if (likely(is_noted(page, process)) || !st_space_find(addr, &m) || !m.id)
		return;
	local_irq_save(flags);
	if (raw_spin_trylock(&st_seen_lock)) {
		note(page, process, m.id, m.page + page - (m.start >> PAGE_SHIFT));
		raw_spin_unlock(&st_seen_lock);
	}
	local_irq_restore(flags);
}

bool st_seen_find(unsigned long addr, unsigned int *file, unsigned long *file_page)
{
	unsigned long page = addr >> PAGE_SHIFT, flags;
	const struct st_seen_page *newest = NULL;
	unsigned int i;

	local_irq_save(flags);
	if (raw_spin_trylock(&st_seen_lock)) {
		for (i = 0; i < SEEN_TRIES; i++) {
			const struct st_seen_page *p = seen_entry(page, i);

			if (p->page == page && (!newest || (int)(p->stamp - newest->stamp) > 0))
				newest = p;
		}
		if (newest) {
			*file = newest->file;
			*file_page = newest->file_page;
		}
		raw_spin_unlock(&st_seen_lock);
	}
	local_irq_restore(flags);
	return newest;
}
