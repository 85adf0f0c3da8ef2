// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking up mappings, and reading memory that the process has not touched (space.h). */
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "abi/transport.h"
#include "arch/arch.h"
#include "core/report.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "access.h"
#include "cold.h"
#include "files.h"
#include "space.h"

/* Mappings looked at on the way back to the one of a file's first page. */
#define IMAGE_MAPPINGS 8

/* ---- the lock ---- */

#define LAST_MAYBE ((struct mm_struct *)1)

/* What handlers of one CPU and level leave to be given back later. */
struct st_held {
	struct mm_struct *mm;		/* whose lock; NULL: none, or interrupts were on */
	struct mm_struct *last;		/* ours is the last reference, to be dropped; or NULL, or
					   LAST_MAYBE: it may be, mm's place is taken */
	struct st_pages pages;		/* to be freed */
	struct irq_work later;
};

struct st_helds {
	struct st_held of[ST_LEVELS];
};

static struct st_helds __percpu *st_helds __read_mostly;

/*
 * Drops the last reference, in a work item, because that frees page tables under locks that an
 * interrupt can't take.
 */
static void drop_last(struct work_struct *work)
{
	unsigned int level;
	int cpu;

	for_each_possible_cpu(cpu)
		for (level = 0; level < ST_LEVELS; level++) {
			struct st_held *h = &per_cpu_ptr(st_helds, cpu)->of[level];
			struct mm_struct *mm = READ_ONCE(h->last);

			if (!mm || mm == LAST_MAYBE)
				continue;
			WRITE_ONCE(h->last, NULL);
			mmdrop(mm);
		}
}

static DECLARE_WORK(st_drop_work, drop_last);

static void drop_safely(struct st_held *h, struct mm_struct *mm)
{
	if (atomic_add_unless(&mm->mm_count, -1, 1)) {
		WRITE_ONCE(h->last, NULL);
		return;
	}
	WRITE_ONCE(h->last, mm);
	queue_work(system_unbound_wq, &st_drop_work);
}

static void give_back_later(struct irq_work *work)
{
	struct st_held *h = container_of(work, struct st_held, later);
	struct mm_struct *mm = READ_ONCE(h->mm);

	st_pages_free(&h->pages);
	if (!mm)
		return;
	/* First: from here on a handler of the level doesn't find us to have the lock. */
	WRITE_ONCE(h->last, LAST_MAYBE);
	barrier();
	WRITE_ONCE(h->mm, NULL);
	barrier();
	st_mappings_give_for(mm);
	drop_safely(h, mm);
}

int st_space_start(void)
{
	unsigned int level;
	int cpu;

	st_helds = alloc_percpu(struct st_helds);
	if (!st_helds)
		return st_fail(-ENOMEM, "no memory");
	for_each_possible_cpu(cpu)
		for (level = 0; level < ST_LEVELS; level++)
			init_irq_work(&per_cpu_ptr(st_helds, cpu)->of[level].later,
				      give_back_later);
	return 0;
}

void st_space_stop(void)
{
	unsigned int level;
	int cpu;

	for_each_possible_cpu(cpu)
		for (level = 0; level < ST_LEVELS; level++)
			irq_work_sync(&per_cpu_ptr(st_helds, cpu)->of[level].later);
	flush_work(&st_drop_work);
	free_percpu(st_helds);
}

/* Returns what is held on this CPU and level.  Preemption is off. */
static struct st_held *held_here(void)
{
	return &this_cpu_ptr(st_helds)->of[st_current_level()];
}

/* Takes the lock of the current process's mappings, or notes that we have it still. */
static bool space_enter(void)
{
	struct mm_struct *mm = current->mm;
	struct st_held *h;

	if (!mm)
		return false;
	if (!irqs_disabled())
		return st_mappings_try(mm);
	h = held_here();
	if (!h->mm)
		return !h->last && st_mappings_try(mm);
	if (h->mm != mm)
		return false;
	rwsem_acquire_read(&mm->mmap_lock.dep_map, 0, 1, _RET_IP_);
	return true;
}

static void space_leave(void)
{
	struct mm_struct *mm = current->mm;
	struct st_held *h;

	if (!irqs_disabled()) {
		st_mappings_give(mm);
		return;
	}
	rwsem_release(&mm->mmap_lock.dep_map, _RET_IP_);
	h = held_here();
	if (h->mm)
		return;
	mmgrab(mm);
	h->mm = mm;
	irq_work_queue(&h->later);
}

/* ---- mappings ---- */

static bool same_file(const struct vm_area_struct *a, const struct vm_area_struct *b)
{
	return a->vm_file && file_inode(a->vm_file) == file_inode(b->vm_file);
}

/* Does the mapping at an address begin with the file's first page? */
static bool first_page_at(struct mm_struct *mm, unsigned long addr,
			  const struct vm_area_struct *vma)
{
	const struct vm_area_struct *first = st_vma_at(mm, addr);

	return first && first->vm_start == addr && !first->vm_pgoff && same_file(first, vma);
}

/*
 * Finds where the file's first page is mapped, which has the ELF header.  Most linkers give
 * all parts of a file the same distances in the file and in memory; else the parts follow each
 * other without a gap.
 */
static unsigned long image_of(struct mm_struct *mm, const struct vm_area_struct *vma)
{
	unsigned long at = vma->vm_start - (vma->vm_pgoff << PAGE_SHIFT);
	const struct vm_area_struct *part = vma;
	unsigned int i;

	if (!vma->vm_pgoff || first_page_at(mm, at, vma))
		return at;
	for (i = 0; i < IMAGE_MAPPINGS; i++) {
		at = part->vm_start - 1;
		part = st_vma_at(mm, at);
		if (!part || !same_file(part, vma))
			return 0;
		if (!part->vm_pgoff)
			return part->vm_start;
	}
	return 0;
}

/* Mixes in more than the inode's address, which may be used again for another inode. */
unsigned long st_space_identity(const struct inode *inode)
{
	return (unsigned long)inode ^ inode->i_ino << 20 ^ (unsigned long)inode->i_generation << 40;
}

static void describe(struct mm_struct *mm, const struct vm_area_struct *vma, struct st_mapping *m)
{
	*m = (struct st_mapping){
		.start = vma->vm_start, .end = vma->vm_end, .page = vma->vm_pgoff,
		.executable = vma->vm_flags & VM_EXEC,
	};
	if (vma->vm_file) {
		m->file = st_space_identity(file_inode(vma->vm_file));
		if (m->executable)
			m->id = st_file_id(vma->vm_file, m->file);
	} else if (m->executable && vma->vm_start == st_arch_vdso(mm)) {
		m->page = 0;
		m->id = ST_FILE_VDSO;
	}
}

bool st_space_find(unsigned long addr, struct st_mapping *m)
{
	struct mm_struct *mm = current->mm;
	const struct vm_area_struct *vma;
	bool found;

	if (!space_enter())
		return false;
	vma = st_vma_at(mm, addr);
	found = vma;
	if (found)
		describe(mm, vma, m);
	space_leave();
	return found;
}

unsigned long st_space_image(unsigned long addr)
{
	struct mm_struct *mm = current->mm;
	const struct vm_area_struct *vma;
	unsigned long image = 0;

	if (!space_enter())
		return 0;
	vma = st_vma_at(mm, addr);
	if (vma && vma->vm_file)
		image = image_of(mm, vma);
	else if (vma && vma->vm_start == st_arch_vdso(mm))
		image = vma->vm_start;
	space_leave();
	return image;
}

/*
 * Copies a file's name.  The file may be renamed meanwhile, but its old name stays in memory as
 * long as RCU waits for us.
 */
static unsigned int copy_name(const struct dentry *dentry, char *to, unsigned int room)
{
	const unsigned char *name;
	unsigned int n;

	rcu_read_lock();
	n = min3(room - 1, READ_ONCE(dentry->d_name.len), (unsigned int)NAME_MAX);
	name = READ_ONCE(dentry->d_name.name);
	if (st_copy_kernel(to, (unsigned long)name, n))
		n = 0;
	rcu_read_unlock();
	to[n] = '\0';
	return strlen(to);
}

/* Replaces control characters (C0, DEL, and C1, alone or in UTF-8), because terminals obey them. */
static void hide_controls(char *name, unsigned int n)
{
	unsigned char before = 0, ch;
	unsigned int i;

	for (i = 0; i < n; i++, before = ch) {
		ch = name[i];
		if (ch < ' ' || ch == 0x7f || ((ch & 0xe0) == 0x80 && (before < 0x80 || before == 0xc2)))
			name[i] = '?';
	}
}

unsigned int st_space_name(unsigned long addr, char *to, unsigned int room)
{
	const struct vm_area_struct *vma;
	unsigned int n = 0;

	if (!room || !space_enter())
		return 0;
	vma = st_vma_at(current->mm, addr);
	if (vma) {
		if (vma->vm_file)
			n = copy_name(vma->vm_file->f_path.dentry, to, room);
		else if (vma->vm_start == st_arch_vdso(current->mm))
			n = scnprintf(to, room, "vdso");
	}
	space_leave();
	hide_controls(to, n);
	return n;
}

/* ---- memory ---- */

/*
 * Gives a page back.  If the file let go of it meanwhile it is freed later, for which there must be
 * room: freeing takes locks, which the interrupted code may hold, and which sleep on PREEMPT_RT.
 */
static void put_page_safely(struct page *p)
{
	struct st_held *h = held_here();

	if (st_page_put(p, &h->pages))
		irq_work_queue(&h->later);
}

/*
 * Returns the memory's node, but -1 in an NMI, which may have interrupted a change of the page
 * table.
 */
int st_space_node(unsigned long addr)
{
	struct page *page;
	int node;

	if (in_nmi() || !current->mm || current->flags & PF_KTHREAD ||
	    !st_pages_room(&held_here()->pages) ||
	    get_user_pages_fast_only(addr, 1, 0, &page) != 1)
		return -1;
	node = page_to_nid(page);
	put_page_safely(page);
	return node;
}

/* Returns a page of a file with a reference; NULL if it isn't in memory, or can't be had now. */
static struct page *get_page_safely(struct address_space *mapping, unsigned long index)
{
	struct page *head;

	if (!st_pages_room(&held_here()->pages))
		return NULL;
	head = st_page_get(mapping, index);
	if (!head || st_page_is_at(mapping, index, head))
		return head ? st_page_within(head, index) : NULL;
	put_page_safely(head);
	return NULL;
}

/* Reads bytes within one page of the file that is mapped at an address. */
static bool read_file_page(struct vm_area_struct *vma, void *to,
			   unsigned long addr, unsigned int n)
{
	unsigned long page = vma->vm_pgoff + ((addr - vma->vm_start) >> PAGE_SHIFT);
	struct page *p = get_page_safely(vma->vm_file->f_mapping, page);
	bool there = p && st_page_uptodate(p);

	if (!there)
		st_cold_note(vma->vm_file, page);
	else	/* the page of a secret memory file can't be read here */
		there = !st_copy_kernel(to, (unsigned long)page_address(p) + offset_in_page(addr),
					n);
	if (p)
		put_page_safely(p);
	return there;
}

/* Is the file what the mapping shows?  A page that the process has changed is its own: the mapping
 * has an anon_vma then.  Tables that only the unwinder reads are in no such page. */
static bool shows_file(const struct vm_area_struct *vma, bool tables)
{
	const unsigned long others = VM_IO | VM_PFNMAP | VM_HUGETLB;

	return vma->vm_file && (vma->vm_flags & (VM_READ | others)) == VM_READ &&
	       (tables ? !(vma->vm_flags & VM_WRITE) : vma->vm_flags & VM_SHARED || !vma->anon_vma);
}

/* Copies N bytes within one page from the page cache.  Preemption is off. */
static bool copy_cached(void *to, unsigned long addr, unsigned int n, bool tables)
{
	struct vm_area_struct *vma;
	bool done;

	if (!space_enter())
		return false;
	vma = st_vma_at(current->mm, addr);
	done = vma && shows_file(vma, tables) && read_file_page(vma, to, addr, n);
	space_leave();
	return done;
}

bool st_space_copy(void *to, unsigned long addr, unsigned int n)
{
	bool done = true;

	preempt_disable();
	while (n && done) {
		unsigned int piece = min_t(unsigned long, n, PAGE_SIZE - offset_in_page(addr));

		done = !copy_from_user_nofault(to, (void __user *)addr, piece) ||
		       copy_cached(to, addr, piece, false);
		to = (char *)to + piece;
		addr += piece;
		n -= piece;
	}
	preempt_enable();
	return done;
}

bool st_space_read(void *to, unsigned long addr, unsigned int n)
{
	unsigned int first = min_t(unsigned long, n, PAGE_SIZE - offset_in_page(addr));

	if (!st_copy_user(to, addr, n))
		return true;
	if (!copy_cached(to, addr, first, true))
		return false;
	return first == n || copy_cached((char *)to + first, addr + first, n - first, true);
}
