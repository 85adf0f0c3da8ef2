// SPDX-License-Identifier: GPL-2.0-or-later
/* The queue of pages to be read in (cold.h): a handler's irq_work hands it to a kernel thread. */
#include <linux/fadvise.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/workqueue.h>

#include "abi/stap_script.h"
#include "core/state.h"
#include "handler/print.h"
#include "life/wake.h"
#include "bring.h"
#include "cold.h"

#define COLD_SLOTS 16			/* files at once; others are noted when they are met
					   again */
#define COLD_BYTES (4 << 20)		/* bytes read in for a missing page, */
#define COLD_STEP (128 << 10)		/* so many at a time: the kernel cuts what is asked for */
#define COLD_FILLING ((struct file *)1)

/* A slot without a file is free; the CPU that sets COLD_FILLING fills it. */
static struct st_cold {
	struct file *file;		/* with a reference */
	unsigned long page;
} st_cold[COLD_SLOTS];

/* The time after which a session that is held up says why. */
#define COLD_PATIENCE (2 * HZ)

static atomic_t st_cold_stacks;
static char st_cold_name[64];		/* of the file that is read */

/* Reads a file in step by step, so that the session's end waits for one step only. */
static void read_file_in(struct file *file, loff_t at)
{
	loff_t end = min_t(loff_t, at + COLD_BYTES, i_size_read(file_inode(file)));

	snprintf(st_cold_name, sizeof(st_cold_name), "%pD", file);
	for (; at < end && READ_ONCE(st_state) < ST_EXITING; at += COLD_STEP)
		vfs_fadvise(file, at, COLD_STEP, POSIX_FADV_WILLNEED);
}

static void read_in(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < COLD_SLOTS; i++) {
		struct file *file = smp_load_acquire(&st_cold[i].file);

		if (!file || file == COLD_FILLING)
			continue;
		read_file_in(file, (loff_t)st_cold[i].page << PAGE_SHIFT);
		smp_store_release(&st_cold[i].file, NULL);
		fput(file);
	}
	st_wake();
}

static DECLARE_WORK(st_cold_work, read_in);

static void read_in_soon(struct irq_work *work)
{
	queue_work(system_unbound_wq, &st_cold_work);
}

static DEFINE_IRQ_WORK(st_cold_irq, read_in_soon);

void st_cold_note(struct file *file, unsigned long page)
{
	unsigned int i;

	if (!st_file_comes(file))
		return;
	for (i = 0; i < COLD_SLOTS; i++) {
		struct st_cold *c = &st_cold[i];

		if (READ_ONCE(c->file) == file)
			return;
		if (cmpxchg(&c->file, NULL, COLD_FILLING))
			continue;
		c->page = page;
		get_file(file);
		smp_store_release(&c->file, file);
		irq_work_queue(&st_cold_irq);
		return;
	}
}

void st_cold_count(void)
{
	atomic_inc(&st_cold_stacks);
}

static bool is_reading(void)
{
	unsigned int i;

	for (i = 0; i < COLD_SLOTS; i++)
		if (READ_ONCE(st_cold[i].file))
			return true;
	return false;
}

void st_cold_stop(void)
{
	unsigned int stacks = atomic_xchg(&st_cold_stacks, 0);

	irq_work_sync(&st_cold_irq);
	if (!wait_event_idle_timeout(st_waiters, !is_reading(), COLD_PATIENCE)) {
		st_tell(ST_FMT_WARN, "the script ends when a page of the file %*pE, which a "
			"handler needed, has been read", (int)strlen(st_cold_name), st_cold_name);
		wait_event_idle(st_waiters, !is_reading());
	}
	flush_work(&st_cold_work);
	if (stacks)
		st_tell(ST_FMT_WARN, "%u user stacks are cut short: the memory that holds their "
				     "callers was not resident yet", stacks);
}
