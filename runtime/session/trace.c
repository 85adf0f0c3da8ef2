// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reading side of the trace: one reader of all CPUs' rings.
 *
 * Bound.  The reader notes the time, then waits until it has seen each ring idle.
 * A commit raises 'nest', a full barrier, before it takes its time (handler/print.c).  So a
 * commit that had not begun when its ring was seen idle gets a later time than the
 * reader's, and one that had ended is in this batch.  If a ring doesn't become idle (its CPU
 * is a guest's that isn't running), the bound stays as it was.
 *
 * Waking.  The same barrier separates raising 'nest' from reading 'waiting'; the reader
 * sets 'waiting', then looks for data and for commits under way.  Having been woken, the
 * reader gathers for a few milliseconds, so that a busy trace doesn't cost a wake-up per
 * record.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "core/report.h"
#include "core/state.h"
#include "handler/compat.h"
#include "handler/ring.h"
#include "life/wake.h"
#include "memory/files.h"
#include "user/symbols.h"
#include "trace.h"

#define ST_GATHER_MS 10

/* How often a reader that gathers for long checks whether a ring fills up. */
#define ST_GATHER_STEP_MS 50

/* How long the end probes wait for a slow reader, and for one that takes nothing. */
#define ST_SETTLE_MS 3000
#define ST_SETTLE_STEP_MS 500

/* While the clock is being adjusted, CPUs' clocks differ by less than this. */
#define ST_CLOCK_SLACK_NS 1000

static bool st_trace_closed;
static u64 st_bound;			/* the last batch's */
static unsigned int st_gather_ms = ST_GATHER_MS;
static DEFINE_MUTEX(st_reader);

static bool ring_idle(const struct st_ring *r)
{
	unsigned long reserved;

	if (smp_load_acquire(&r->nest))
		return false;
	reserved = READ_ONCE(r->reserved);
	smp_rmb();
	return READ_ONCE(r->published) == reserved;
}

/* Waits until no commit is under way; false: one takes too long. */
static bool ring_wait_idle(const struct st_ring *r)
{
	unsigned int spins;

	for (spins = 0; !ring_idle(r); spins++) {
		if (spins == 1000)
			return false;
		cpu_relax();
	}
	return true;
}

static bool ring_has_data(const struct st_ring *r)
{
	return smp_load_acquire(&r->published) != r->taken;
}

static bool trace_has_data(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (ring_has_data(per_cpu_ptr(st_rings, cpu)))
			return true;
	return false;
}

/* Is there something to read?  If not, the next commit wakes us. */
static bool trace_ready(void)
{
	int cpu;

	if (READ_ONCE(st_trace_closed) || trace_has_data())
		return true;
	WRITE_ONCE(st_waiting, 1);
	smp_mb();
	for_each_possible_cpu(cpu) {
		const struct st_ring *r = per_cpu_ptr(st_rings, cpu);

		if (READ_ONCE(r->nest) || ring_has_data(r))
			return true;
	}
	return READ_ONCE(st_trace_closed);
}

/* Decides how much of each ring this batch contains; returns its bound. */
static u64 batch_begin(void)
{
	u64 now = ktime_get_mono_fast_ns() - ST_CLOCK_SLACK_NS;
	bool idle = true;
	int cpu;

	smp_mb();
	for_each_possible_cpu(cpu) {
		struct st_ring *r = per_cpu_ptr(st_rings, cpu);

		if (!ring_wait_idle(r))
			idle = false;
		r->upto = smp_load_acquire(&r->published);
	}
	if (idle && now > st_bound)
		st_bound = now;
	return st_bound;
}

/* Writes a ring's chunk to buf; returns its size, 0 if the ring has nothing, or -errno. */
static int chunk_read(int cpu, char __user *buf, size_t room)
{
	const struct st_ring *r = per_cpu_ptr(st_rings, cpu);
	struct st_chunk chunk = {
		.cpu = cpu, .size = r->size, .at = r->taken & (r->size - 1),
		.bytes = r->upto - r->taken, .lost = READ_ONCE(r->lost),
	};

	if (!chunk.bytes)
		return 0;
	if (room < sizeof(chunk))
		return -EINVAL;
	return copy_to_user(buf, &chunk, sizeof(chunk)) ? -EFAULT : sizeof(chunk);
}

static ssize_t batch_read(char __user *buf, size_t count)
{
	struct st_batch batch = { .magic = ST_BATCH_MAGIC, .bound = batch_begin() };
	size_t used = sizeof(batch);
	int cpu, n;

	for_each_possible_cpu(cpu) {
		n = chunk_read(cpu, buf + used, count - used);
		if (n < 0)
			return n;
		batch.chunks += n > 0;
		used += n;
	}
	return copy_to_user(buf, &batch, sizeof(batch)) ? -EFAULT : used;
}

/* Do whole records end at this position?  Their sizes can be trusted: readers map the ring
 * read-only. */
static bool ring_boundary(const struct st_ring *r, unsigned long end)
{
	unsigned long at = r->taken;

	while ((long)(end - at) > 0) {
		at += st_record_size(st_ring_record(r, at));
		cond_resched();
	}
	return at == end;
}

/*
 * Gives the room of records that the reader has taken back to the writer.  Under the rings' lock: a
 * start that fails frees them.
 */
static int ring_take(const struct st_taken *taken)
{
	struct st_ring *r;
	int err = -EINVAL;

	if (taken->cpu >= nr_cpu_ids || !cpu_possible(taken->cpu) || taken->bytes % 8)
		return -EINVAL;
	r = per_cpu_ptr(st_rings, taken->cpu);
	st_rings_lock();
	if (taken->bytes <= r->size && (long)(r->upto - r->taken) >= (long)taken->bytes &&
	    ring_boundary(r, r->taken + taken->bytes)) {
		smp_store_release(&r->taken, r->taken + taken->bytes);
		err = 0;
	}
	st_rings_unlock();
	return err;
}

static bool trace_fills_up(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct st_ring *r = per_cpu_ptr(st_rings, cpu);

		if (smp_load_acquire(&r->published) - READ_ONCE(r->taken) > r->size / 2)
			return true;
	}
	return false;
}

/* Waits for further records, as long as there is ample room for them. */
static int trace_gather(void)
{
	unsigned int left = st_gather_ms, step;
	long more;

	for (; left; left -= step) {
		step = min(left, (unsigned int)ST_GATHER_STEP_MS);
		more = wait_event_interruptible_timeout(st_waiters, READ_ONCE(st_trace_closed),
							msecs_to_jiffies(step));
		if (more)
			return more < 0 ? -ERESTARTSYS : 0;
		if (trace_fills_up())
			return 0;
	}
	return 0;
}

void st_trace_gather(unsigned int ms)
{
	st_gather_ms = ms;
}

/* Blocks until there is something to read, then gathers for a moment. */
static int trace_wait(struct file *file)
{
	if (READ_ONCE(st_trace_closed))
		return 0;
	if (file->f_flags & O_NONBLOCK)
		return trace_ready() ? 0 : -EAGAIN;
	if (wait_event_interruptible(st_waiters, trace_ready()))
		return -ERESTARTSYS;
	return trace_gather();
}

ssize_t st_trace_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	ssize_t n;

	if (count < sizeof(struct st_batch))
		return -EINVAL;
	if (mutex_lock_interruptible(&st_reader))
		return -ERESTARTSYS;
	if (st_overwrite) {
		mutex_unlock(&st_reader);
		return -EBUSY;
	}
	n = trace_wait(file);
	st_rings_add();
	if (!n && !(READ_ONCE(st_trace_closed) && !trace_has_data()))
		n = batch_read(buf, count);
	mutex_unlock(&st_reader);
	return n;
}

ssize_t st_trace_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct st_taken taken;
	size_t done = 0;
	int err = 0;

	if (!count || count % sizeof(taken) || count / sizeof(taken) > nr_cpu_ids)
		return -EINVAL;
	if (mutex_lock_interruptible(&st_reader))
		return -ERESTARTSYS;
	if (st_overwrite)
		err = -EBUSY;
	for (; !err && done < count; done += sizeof(taken))
		err = copy_from_user(&taken, buf + done, sizeof(taken)) ? -EFAULT
									: ring_take(&taken);
	mutex_unlock(&st_reader);
	return err ?: count;
}

/*
 * Inserts all pages of a ring at once and leaves no callback of this module in the mapping,
 * which may outlive the module and holds its pages by itself.
 */
int st_trace_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long n = vma_pages(vma), cpu, inserted = n;
	const struct st_ring *r;
	int err = -EINVAL;

	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	st_vma_private(vma);
	st_rings_lock();
	cpu = vma->vm_pgoff / n;
	if (n == 2 * st_ring_bytes >> PAGE_SHIFT && !(vma->vm_pgoff % n) &&
	    cpu < nr_cpu_ids && cpu_possible(cpu)) {
		r = per_cpu_ptr(st_rings, cpu);
		err = r->data ? vm_insert_pages(vma, vma->vm_start, r->pages, &inserted) : -ENXIO;
	}
	st_rings_unlock();
	return err;
}

long st_trace_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	return command == ST_TRACE_OPEN ? st_file_open(argument) : -ENOTTY;
}

int st_trace_detach(void)
{
	if (!mutex_trylock(&st_reader))
		return st_fail(-EBUSY, "another process is reading the output");
	WRITE_ONCE(st_overwrite, true);
	mutex_unlock(&st_reader);
	return 0;
}

/*
 * Ends overwriting.  Commits that still saw st_overwrite have ended before the first read begins.
 */
void st_trace_attach(void)
{
	st_files_again();
	st_symbols_again();
	WRITE_ONCE(st_overwrite, false);
	synchronize_rcu();
}

static unsigned long trace_taken(void)
{
	unsigned long taken = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		taken += READ_ONCE(per_cpu_ptr(st_rings, cpu)->taken);
	return taken;
}

void st_trace_settle(void)
{
	unsigned int left = ST_SETTLE_MS;
	unsigned long taken;

	for (; left && !READ_ONCE(st_overwrite) && trace_fills_up(); left -= ST_SETTLE_STEP_MS) {
		taken = trace_taken();
		if (msleep_interruptible(ST_SETTLE_STEP_MS) || trace_taken() == taken)
			return;
	}
}

void st_trace_close(void)
{
	WRITE_ONCE(st_trace_closed, true);
	wake_up_all(&st_waiters);
}
