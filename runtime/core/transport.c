// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trace: a ring of records a CPU, and the one reader of them all.
 *
 * Only a CPU itself writes its ring, with preemption disabled; an interrupt or
 * NMI may nest a commit in the middle of another.  So room is reserved with a
 * compare-and-exchange that needs no bus lock, and what is reserved becomes
 * visible ("published") when the outermost commit on the CPU ends, by then all
 * written.  The time is taken between looking at the reservation and taking it: if
 * someone nested in between, both are done again.  So times never decrease
 * along a ring.
 *
 * The pages of a ring are mapped twice in a row: no record is ever split.  The
 * reader maps them too: a record is written once and never copied.
 *
 * Bound.  The reader notes the time, then waits for each ring to be seen idle.
 * A commit begins by raising 'nest', a full barrier, and only then takes its
 * time: one not yet seen when the ring was idle gets a later time than the
 * reader's, one that had ended is in what the reader takes.  If a ring doesn't
 * become idle (a guest's CPU that isn't run), the bound stays where it was.
 *
 * Waking.  The same barrier stands between raising 'nest' and looking whether the
 * reader waits; the reader says so, then looks for data and for commits under
 * way.  The reader gathers for a few milliseconds before it takes, so that a
 * busy trace doesn't cost a wake-up a record.
 */
#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/ktime.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "runtime.h"

#define ST_GATHER_MS 10

/* The default size of all rings together is a fraction of memory. */
#define ST_RING_MAX_MB 16
#define ST_MEMORY_FRACTION 16

/* Always left for the empty records that end outputs cut short, one a level. */
#define ST_SPARE (4 * sizeof(struct st_rec))

/* Clocks of CPUs may disagree by less while the clock is being adjusted. */
#define ST_CLOCK_SLACK_NS 1000

struct st_ring {
	/* the writer's */
	char *data;			/* size bytes, mapped twice; NULL: none yet */
	unsigned long size;
	unsigned long reserved;		/* bytes ever */
	int nest;			/* commits under way, one nested in the other */
	unsigned long lost;
	unsigned long overwritten;	/* outputs given up while nobody read */
	/* for the reader */
	unsigned long published ____cacheline_aligned;
	/* the reader's */
	unsigned long taken ____cacheline_aligned;
	unsigned long upto;		/* what it was given last */
	struct page **pages;		/* of data */
};

static DEFINE_PER_CPU_ALIGNED(struct st_ring, st_rings);

unsigned long st_buffer_mb;

static DECLARE_WAIT_QUEUE_HEAD(st_waiters);
static int st_waiting;			/* the reader wants to be woken */
static bool st_trace_closed;
static unsigned long st_ring_bytes;
static u64 st_bound;			/* given last */
static DEFINE_MUTEX(st_reader);
static DEFINE_MUTEX(st_ring_memory);	/* rings come, are mapped and go; inside all others */
static bool st_overwrite;		/* nobody reads: the newest records stay */

/* Told when the session is to end: nobody waits in memory of ours for longer than a call,
 * since whoever polls a file may do so beyond the module's end. */
static struct eventfd_ctx *st_notified;

static void wake_waiters(struct irq_work *work)
{
	struct eventfd_ctx *notified = READ_ONCE(st_notified);

	wake_up_all(&st_waiters);
	if (notified && READ_ONCE(st_state) == ST_EXITING)
		st_eventfd_signal(notified);
}

static DEFINE_IRQ_WORK(st_wake_work, wake_waiters);

void st_wake(void)
{
	irq_work_queue(&st_wake_work);
}

static void notify_instead(struct eventfd_ctx *ctx)
{
	struct eventfd_ctx *old = xchg(&st_notified, ctx);

	irq_work_sync(&st_wake_work);
	if (old)
		eventfd_ctx_put(old);
}

int st_transport_notify(int fd)
{
	struct eventfd_ctx *ctx = eventfd_ctx_fdget(fd);

	if (IS_ERR(ctx))
		return st_fail(PTR_ERR(ctx), "%d is no eventfd's descriptor", fd);
	notify_instead(ctx);
	st_wake();			/* it may be over already */
	return 0;
}

void st_transport_forget(void)
{
	notify_instead(NULL);
}

/* ---- writing -------------------------------------------------------------- */

static __always_inline void ring_enter(struct st_ring *r)
{
	WRITE_ONCE(r->nest, r->nest + 1);
	smp_mb();
}

/* Publishes what is reserved, unless a commit below us is yet to. */
static __always_inline void ring_leave(struct st_ring *r)
{
	unsigned long reserved;

	if (unlikely(r->nest > 1)) {
		WRITE_ONCE(r->nest, r->nest - 1);
		return;
	}
	for (;;) {
		reserved = READ_ONCE(r->reserved);
		smp_store_release(&r->published, reserved);
		smp_store_release(&r->nest, 0);
		barrier();
		if (likely(READ_ONCE(r->reserved) == reserved))
			return;
		/* An interrupt's commit left publishing to us, too late. */
		WRITE_ONCE(r->nest, 1);
	}
}

static __always_inline const struct st_rec *ring_record(const struct st_ring *r,
							unsigned long at)
{
	return (const struct st_rec *)(r->data + (at & (r->size - 1)));
}

static __always_inline unsigned long record_size(const struct st_rec *rec)
{
	return sizeof(*rec) + ALIGN((unsigned long)READ_ONCE(rec->bytes), 8);
}

/*
 * Nobody reads: gives up the oldest record; false: all there are are being written.
 * An interrupt that did the same, and may have written where we looked, made the
 * exchange fail.  Whatever lies there, nothing goes beyond what is published: the caller
 * comes to an end.
 */
static noinline bool ring_forget(struct st_ring *r)
{
	unsigned long old = READ_ONCE(r->taken), left = READ_ONCE(r->published) - old;
	const struct st_rec *rec;
	bool ends;

	/* A CPU that has no ring yet has nothing published. */
	if (!READ_ONCE(st_overwrite) || !left)
		return false;
	rec = ring_record(r, old);
	ends = !(READ_ONCE(rec->flags) & ST_REC_MORE);
	left = min(left, record_size(rec));
	if (cmpxchg_local(&r->taken, old, old + left) == old && ends)
		this_cpu_inc(st_rings.overwritten);
	return true;
}

/* Room for a record, at *rec, with its time; spare bytes are to be left free. */
static __always_inline bool ring_reserve(struct st_ring *r, unsigned long bytes,
					 unsigned long spare, struct st_rec **rec, u64 *time)
{
	unsigned long at, used;

	do {
		at = READ_ONCE(r->reserved);
		used = at - smp_load_acquire(&r->taken);
		while (unlikely(used + bytes + spare > r->size)) {
			if (!ring_forget(r))
				return false;
			used = at - READ_ONCE(r->taken);
		}
		*time = ktime_get_mono_fast_ns();
	} while (unlikely(cmpxchg_local(&r->reserved, at, at + bytes) != at));
	*rec = (struct st_rec *)(r->data + (at & (r->size - 1)));
	return true;
}

/* Most bodies are a few words long: not worth what memcpy() takes to begin. */
static __always_inline void copy_body(u64 *to, const u64 *from, unsigned int bytes)
{
	unsigned int i;

	if (unlikely(bytes > 256)) {
		memcpy(to, from, bytes);
		return;
	}
	for (i = 0; i < DIV_ROUND_UP(bytes, 8); i++)
		to[i] = from[i];
}

int st_commit(unsigned int level, bool more, bool begun, const u64 *body, unsigned int bytes)
{
	struct st_ring *r = this_cpu_ptr(&st_rings);
	unsigned long whole = sizeof(struct st_rec) + ALIGN(bytes, 8);
	struct st_rec *rec;
	bool done, waiting;
	u64 time;

	ring_enter(r);
	waiting = READ_ONCE(st_waiting);
	done = ring_reserve(r, whole, ST_SPARE, &rec, &time);
	if (likely(done)) {
		*rec = (struct st_rec){ bytes, level, more ? ST_REC_MORE : 0, time };
		copy_body((u64 *)(rec + 1), body, bytes);
	} else {
		this_cpu_inc(st_rings.lost);
		if (begun && ring_reserve(r, sizeof(*rec), 0, &rec, &time))
			*rec = (struct st_rec){ 0, level, 0, time };
	}
	ring_leave(r);
	if (unlikely(waiting)) {
		WRITE_ONCE(st_waiting, 0);
		st_wake();
	}
	return done ? 0 : -1;
}

unsigned long st_lost(void)
{
	unsigned long lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu(st_rings, cpu).lost);
	return lost;
}

unsigned long st_overwritten(void)
{
	unsigned long overwritten = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		overwritten += READ_ONCE(per_cpu(st_rings, cpu).overwritten);
	return overwritten;
}

/* ---- reading -------------------------------------------------------------- */

static bool ring_idle(const struct st_ring *r)
{
	unsigned long reserved;

	if (smp_load_acquire(&r->nest))
		return false;
	reserved = READ_ONCE(r->reserved);
	smp_rmb();
	return READ_ONCE(r->published) == reserved;
}

/* Waits for a moment in which no commit is under way; false: a long one is. */
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
		if (ring_has_data(per_cpu_ptr(&st_rings, cpu)))
			return true;
	return false;
}

/* Something to read; if not, the next commit wakes us. */
static bool trace_ready(void)
{
	int cpu;

	if (READ_ONCE(st_trace_closed) || trace_has_data())
		return true;
	WRITE_ONCE(st_waiting, 1);
	smp_mb();
	for_each_possible_cpu(cpu) {
		const struct st_ring *r = per_cpu_ptr(&st_rings, cpu);

		if (READ_ONCE(r->nest) || ring_has_data(r))
			return true;
	}
	return READ_ONCE(st_trace_closed);
}

/* Decides what this batch has of each ring; the bound that goes with it. */
static u64 batch_begin(void)
{
	u64 now = ktime_get_mono_fast_ns() - ST_CLOCK_SLACK_NS;
	bool idle = true;
	int cpu;

	smp_mb();
	for_each_possible_cpu(cpu) {
		struct st_ring *r = per_cpu_ptr(&st_rings, cpu);

		if (!ring_wait_idle(r))
			idle = false;
		r->upto = smp_load_acquire(&r->published);
	}
	if (idle && now > st_bound)
		st_bound = now;
	return st_bound;
}

/* What a ring has for the reader; the size it takes in buf, 0: nothing, -errno. */
static int chunk_read(int cpu, char __user *buf, size_t room)
{
	const struct st_ring *r = per_cpu_ptr(&st_rings, cpu);
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

/* Do whole records lie between what was taken and here?  They are there, and the writer's:
 * no reader can write to them. */
static bool ring_boundary(const struct st_ring *r, unsigned long end)
{
	unsigned long at = r->taken;

	while ((long)(end - at) > 0) {
		at += record_size(ring_record(r, at));
		cond_resched();
	}
	return at == end;
}

/* The room of what was taken is the writer's again. */
static int ring_take(const struct st_taken *taken)
{
	struct st_ring *r;

	if (taken->cpu >= nr_cpu_ids || !cpu_possible(taken->cpu) || taken->bytes % 8)
		return -EINVAL;
	r = per_cpu_ptr(&st_rings, taken->cpu);
	if (taken->bytes > r->size || (long)(r->upto - r->taken) < (long)taken->bytes ||
	    !ring_boundary(r, r->taken + taken->bytes))
		return -EINVAL;
	smp_store_release(&r->taken, r->taken + taken->bytes);
	return 0;
}

/* Blocks until there is something to read, and a little longer. */
static int trace_wait(struct file *file)
{
	if (READ_ONCE(st_trace_closed))
		return 0;
	if (file->f_flags & O_NONBLOCK)
		return trace_ready() ? 0 : -EAGAIN;
	if (wait_event_interruptible(st_waiters, trace_ready()))
		return -ERESTARTSYS;
	if (wait_event_interruptible_timeout(st_waiters, READ_ONCE(st_trace_closed),
					     msecs_to_jiffies(ST_GATHER_MS)) < 0)
		return -ERESTARTSYS;
	return 0;
}

static int ring_alloc(int cpu);

/* CPUs that came since the session started get a ring now. */
static void rings_add(void)
{
	int cpu;

	mutex_lock(&st_ring_memory);
	for_each_online_cpu(cpu)
		if (st_ring_bytes && !per_cpu(st_rings, cpu).data)
			ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
}

static ssize_t trace_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
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
	rings_add();
	if (!n && !(READ_ONCE(st_trace_closed) && !trace_has_data()))
		n = batch_read(buf, count);
	mutex_unlock(&st_reader);
	return n;
}

static ssize_t trace_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
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
 * All pages of a ring at once and nothing of ours left with the mapping: it may
 * outlive the module, and keeps its pages.
 */
static int trace_mmap(struct file *file, struct vm_area_struct *vma)
{
	unsigned long n = vma_pages(vma), cpu, inserted = n;
	const struct st_ring *r;
	int err = -EINVAL;

	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	st_vma_private(vma);
	mutex_lock(&st_ring_memory);
	cpu = vma->vm_pgoff / n;
	if (n == 2 * st_ring_bytes >> PAGE_SHIFT && !(vma->vm_pgoff % n) &&
	    cpu < nr_cpu_ids && cpu_possible(cpu)) {
		r = per_cpu_ptr(&st_rings, cpu);
		err = r->data ? vm_insert_pages(vma, vma->vm_start, r->pages, &inserted) : -ENXIO;
	}
	mutex_unlock(&st_ring_memory);
	return err;
}

static int trace_open(struct inode *inode, struct file *file)
{
	return st_open(inode, file) ?: nonseekable_open(inode, file);
}

const struct proc_ops st_trace_ops = {
	.proc_open = trace_open,
	.proc_read = trace_read,
	.proc_write = trace_write,
	.proc_mmap = trace_mmap,
	.proc_release = st_release,
};

int st_transport_detach(void)
{
	if (!mutex_trylock(&st_reader))
		return st_fail(-EBUSY, "somebody is reading the output");
	WRITE_ONCE(st_overwrite, true);
	mutex_unlock(&st_reader);
	return 0;
}

/* Whoever still saw that nobody reads has ended, when the first read begins. */
void st_transport_attach(void)
{
	WRITE_ONCE(st_overwrite, false);
	synchronize_rcu();
}

void st_transport_close(void)
{
	WRITE_ONCE(st_trace_closed, true);
	wake_up_all(&st_waiters);
}

/* ---- memory ---------------------------------------------------------------- */

static void ring_free(struct st_ring *r)
{
	unsigned long i, n = r->size >> PAGE_SHIFT;

	if (r->data)
		vunmap(r->data);
	for (i = 0; r->pages && i < n && r->pages[i]; i++)
		__free_page(r->pages[i]);
	kvfree(r->pages);
	memset(r, 0, sizeof(*r));
}

/* Also for a CPU that is already writing: its size is what it sees last. */
static int ring_alloc(int cpu)
{
	struct st_ring *r = per_cpu_ptr(&st_rings, cpu);
	unsigned long i, n = st_ring_bytes >> PAGE_SHIFT;
	struct page **pages;
	char *data = NULL;

	pages = kvcalloc(2 * n, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		pages[i] = alloc_pages_node(cpu_to_node(cpu),
					    GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					    __GFP_NORETRY, 0);
		if (!pages[i])
			break;
		pages[n + i] = pages[i];
	}
	if (i == n)
		data = vmap(pages, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!data) {
		while (i--)
			__free_page(pages[i]);
		kvfree(pages);
		return -ENOMEM;
	}
	r->pages = pages;
	r->data = data;
	smp_store_release(&r->size, st_ring_bytes);
	return 0;
}

static unsigned long default_mb(void)
{
	unsigned long mb = (totalram_pages() >> (20 - PAGE_SHIFT)) / ST_MEMORY_FRACTION /
			   num_online_cpus();

	return clamp(mb, 1ul, (unsigned long)ST_RING_MAX_MB);
}

int st_transport_alloc(void)
{
	unsigned long mb = st_buffer_mb ?: default_mb();
	int cpu, err = 0;

	mutex_lock(&st_ring_memory);
	st_ring_bytes = rounddown_pow_of_two(mb) << 20;
	for_each_online_cpu(cpu)
		if (!err)
			err = ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
	if (!err)
		return 0;
	st_transport_free();
	return st_fail(err, "no memory for %lu MB of output buffers a CPU "
		       "(make them smaller with -s)", mb);
}

void st_transport_free(void)
{
	int cpu;

	irq_work_sync(&st_wake_work);
	mutex_lock(&st_ring_memory);
	for_each_possible_cpu(cpu)
		ring_free(per_cpu_ptr(&st_rings, cpu));
	st_ring_bytes = 0;
	mutex_unlock(&st_ring_memory);
}
