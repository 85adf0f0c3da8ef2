/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The differences between kernels: one wrapper here for each.
 *
 * Building the kit finds out what a kernel offers: it compiles every features/NAME.c with
 * kbuild's flags and writes kit_features.h, which defines ST_HAVE_NAME (in capitals) to 1 for
 * each that compiles.
 */
#ifndef STAP_COMPAT_H
#define STAP_COMPAT_H

#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/rwsem.h>
#include <linux/suspend.h>
#include <linux/timer.h>
#include <linux/timex.h>
#include <linux/uprobes.h>

#include "kit_features.h"

/*
 * One function of ours serves all tracepoints, whatever their arguments, at which such a kernel
 * panics.
 */
#if defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI)
#error "a kernel that checks the types of functions it calls (CONFIG_CFI) can't be probed"
#endif

/* ---- ftrace: its callback, and what it says of registers ---- */

#ifdef ST_HAVE_FTRACE_REGS
typedef struct ftrace_regs st_ftrace_regs;

/*
 * Returns the callback's registers.  Without FTRACE_OPS_FL_SAVE_REGS only the argument registers,
 * ip, sp and bp are filled in.
 */
static __always_inline struct pt_regs *st_ftrace_words(st_ftrace_regs *regs)
{
#ifdef ST_HAVE_ARCH_FTRACE_REGS
	return &arch_ftrace_regs(regs)->regs;
#else
	return &regs->regs;
#endif
}
#else
typedef struct pt_regs st_ftrace_regs;

static __always_inline struct pt_regs *st_ftrace_words(st_ftrace_regs *regs)
{
	return regs;
}
#endif

/* Does a callback get the arguments without FTRACE_OPS_FL_SAVE_REGS? */
#if defined(ST_HAVE_FTRACE_REGS) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define ST_FTRACE_ARGS 1
#else
#define ST_FTRACE_ARGS 0
#endif

/*
 * The flags of a callback that guards against recursion itself; the flag for that was inverted in
 * 5.11.
 */
#ifdef ST_HAVE_FTRACE_RECURSION_SAFE
#define ST_FTRACE_UNGUARDED FTRACE_OPS_FL_RECURSION_SAFE
#else
#define ST_FTRACE_UNGUARDED 0
#endif

/*
 * The most addresses of one filter, because kernels that add them one by one copy the filter for
 * each.
 */
#ifdef ST_HAVE_FTRACE_SET_FILTER_IPS
#define ST_FTRACE_BATCH UINT_MAX
#else
#define ST_FTRACE_BATCH 512
#endif

/* Sets the filter of ops to n addresses; an error if ftrace refuses any of them. */
static inline int st_ftrace_filter(struct ftrace_ops *ops, unsigned long *ips, unsigned int n)
{
#ifdef ST_HAVE_FTRACE_SET_FILTER_IPS
	return ftrace_set_filter_ips(ops, ips, n, 0, 1);
#else
	unsigned int i;
	int err = 0;

	for (i = 0; i < n && !err; i++)
		err = ftrace_set_filter_ip(ops, ips[i], 0, i == 0);
	return err;
#endif
}

/* Frees the filter of an ops that is not registered.  Not all kernels export
 * ftrace_free_filter(); an empty filter takes no memory. */
static inline void st_ftrace_unfilter(struct ftrace_ops *ops)
{
	ftrace_set_filter(ops, NULL, 0, 1);
}

/* ---- kretprobes ---- */

/*
 * Are the lists of kretprobes' instances without locks?  Before 5.11 they are hash tables, one of
 * which is locked while a return's handlers run.
 */
#ifdef ST_HAVE_GET_KRETPROBE
#define ST_KRETPROBE_LOCKLESS 1
#else
#define ST_KRETPROBE_LOCKLESS 0
#endif

/*
 * Can a kretprobe be a carrier (probes/carrier.c)?  Its pre_handler is then called from
 * ftrace, in the middle of anything, a kprobe's handler included.
 *
 * Before 5.11 (no get_kretprobe()) instances are in hash tables under locks, which may be held
 * where the followed function is called: only a kprobe's own hit is protected against that.
 * From 5.11 the lists need no lock, and the code that handles a return restores current_kprobe.
 * With rethooks it clears current_kprobe; but it does so in the kretprobe's handler of the
 * rethook, which a carrier replaces.
 */
#if !defined(ST_HAVE_GET_KRETPROBE)
#define ST_KRETPROBE_CARRIES 0
#elif !defined(CONFIG_KRETPROBE_ON_RETHOOK)
#define ST_KRETPROBE_CARRIES 1
#elif defined(ST_HAVE_RETHOOK_HANDLER)
#define ST_KRETPROBE_CARRIES 1
#define ST_RETHOOK_ARGS struct rethook_node *node, void *data, struct pt_regs *regs
#elif defined(ST_HAVE_RETHOOK_HANDLER_ADDRESS)
#define ST_KRETPROBE_CARRIES 1
#define ST_RETHOOK_ARGS struct rethook_node *node, void *data, unsigned long return_address, \
			struct pt_regs *regs
#else
#define ST_KRETPROBE_CARRIES 0
#endif

static __always_inline struct kretprobe *st_kretprobe_of(struct kretprobe_instance *ri)
{
#ifdef ST_HAVE_GET_KRETPROBE
	return get_kretprobe(ri);
#else
	return ri->rp;
#endif
}

static __always_inline unsigned long st_kretprobe_address(struct kretprobe_instance *ri)
{
#ifdef ST_HAVE_GET_KRETPROBE_RETADDR
	return get_kretprobe_retaddr(ri);
#else
	return (unsigned long)ri->ret_addr;
#endif
}

/* Returns the bytes of a registered kprobe's instruction; 0 if unknown. */
static inline unsigned int st_kprobe_insn_size(const struct kprobe *kprobe)
{
#ifdef ST_HAVE_KPROBE_INSN_SIZE
	return kprobe->ainsn.size;
#else
	return 0;
#endif
}

/* The most bytes that a kretprobe may keep with each call. */
#ifdef KRETPROBE_MAX_DATA_SIZE
#define ST_KRETPROBE_DATA KRETPROBE_MAX_DATA_SIZE
#else
#define ST_KRETPROBE_DATA SIZE_MAX
#endif

/* ---- modules ---- */

/* Returns a module's read-only data, and its size. */
static inline const unsigned char *st_module_rodata(const struct module *module, size_t *size)
{
#ifdef ST_HAVE_MODULE_MEMORY
	*size = module->mem[MOD_RODATA].size;
	return module->mem[MOD_RODATA].base;
#else
	const struct module_layout *core = &module->core_layout;

	*size = core->ro_size - core->text_size;
	return core->base + core->text_size;
#endif
}

/* Return the bytes of a module's code, and of its writable data. */
static inline size_t st_module_text_size(const struct module *module)
{
#ifdef ST_HAVE_MODULE_MEMORY
	return module->mem[MOD_TEXT].size;
#else
	return module->core_layout.text_size;
#endif
}

static inline size_t st_module_data_size(const struct module *module)
{
#ifdef ST_HAVE_MODULE_MEMORY
	return module->mem[MOD_DATA].size;
#else
	return module->core_layout.size - module->core_layout.ro_size;
#endif
}

/* ---- the trace buffer of ftrace ---- */

static inline void st_trace_puts(const char *s, unsigned int len)
{
#ifdef ST_HAVE_TRACE_PUTS_SIZE
	__trace_puts(_THIS_IP_, s, len);
#else
	__trace_puts(_THIS_IP_, s);
#endif
}

/* ---- tasks: names of fields ---- */

#ifdef ST_HAVE_TASK___STATE
#define ST_TASK_STATE __state
#else
#define ST_TASK_STATE state
#endif

#ifdef ST_HAVE_MM_RSS_STAT_COUNT
#define ST_MM_PAGES(kind) rss_stat.count[kind].counter
#else
#define ST_MM_PAGES(kind) rss_stat[kind].count
#endif

#ifdef ST_HAVE_TASK_THREAD_INFO_CPU
#define ST_TASK_CPU thread_info.cpu
#else
#define ST_TASK_CPU cpu
#endif

/* ---- threads that never run in user space, though some belong to a process ---- */

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif
#define ST_KERNEL_THREAD (PF_KTHREAD | PF_IO_WORKER | PF_USER_WORKER)

/* ---- a program's file ---- */

/* Returns the file of the program that MM runs, with a reference; or NULL.  MM stays. */
static inline struct file *st_exe_file(struct mm_struct *mm)
{
	struct file *exe;

	rcu_read_lock();
#ifdef ST_HAVE_GET_FILE_RCU_POINTER
	exe = get_file_rcu(&mm->exe_file);
#else
	exe = rcu_dereference(mm->exe_file);
	if (exe && !get_file_rcu(exe))
		exe = NULL;
#endif
	rcu_read_unlock();
	return exe;
}

/* ---- mappings ---- */

/*
 * Try and give back the lock of a process's mappings, for handlers.  The kernel's own
 * mmap_read_trylock() and mmap_read_unlock() have tracepoints; while these are enabled, they look
 * up the path of the process's cgroup, under a lock that the probed code may hold.  So the handlers
 * use the semaphore itself.
 */
static inline bool st_mappings_try(struct mm_struct *mm)
{
	return down_read_trylock(&mm->mmap_lock);
}

static inline void st_mappings_give(struct mm_struct *mm)
{
	up_read(&mm->mmap_lock);
}

/* Gives the lock back for another task or context that took it. */
static inline void st_mappings_give_for(struct mm_struct *mm)
{
	up_read_non_owner(&mm->mmap_lock);
}

/*
 * Finds the mapping that contains an address; NULL if there is none.  Kernels without a maple tree
 * look into a cache of the task's first, which what we interrupted may be about to empty: its
 * mappings may have been freed.  The tree is changed under the lock only.
 */
static inline struct vm_area_struct *st_vma_at(struct mm_struct *mm, unsigned long addr)
{
#ifdef ST_HAVE_MAPLE_TREE
	return vma_lookup(mm, addr);
#else
	struct rb_node *n = mm->mm_rb.rb_node;

	while (n) {
		struct vm_area_struct *vma = rb_entry(n, struct vm_area_struct, vm_rb);

		if (addr >= vma->vm_start && addr < vma->vm_end)
			return vma;
		n = addr < vma->vm_start ? n->rb_left : n->rb_right;
	}
	return NULL;
#endif
}

/* Has a fault that may wait (FAULT_FLAG_ALLOW_RETRY) given the lock of the mappings back? */
static inline bool st_fault_unlocked(vm_fault_t fault)
{
#ifdef ST_HAVE_VM_FAULT_COMPLETED
	return fault & (VM_FAULT_RETRY | VM_FAULT_COMPLETED);
#else
	return fault & VM_FAULT_RETRY;
#endif
}

/* ---- /proc ---- */

#ifndef ST_HAVE_PDE_DATA
#define pde_data PDE_DATA
#endif

/* ---- eventfd ---- */

static inline void st_eventfd_signal(struct eventfd_ctx *ctx)
{
#ifdef ST_HAVE_EVENTFD_SIGNAL_ONE
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

/* ---- falling asleep ---- */

/* Waits until the machine is awake, and keeps it awake until st_sleep_unlock(). */
static inline unsigned int st_sleep_lock(void)
{
#ifdef ST_HAVE_LOCK_SYSTEM_SLEEP_FLAGS
	return lock_system_sleep();
#else
	lock_system_sleep();
	return 0;
#endif
}

static inline void st_sleep_unlock(unsigned int flags)
{
#ifdef ST_HAVE_LOCK_SYSTEM_SLEEP_FLAGS
	unlock_system_sleep(flags);
#else
	unlock_system_sleep();
#endif
}

/* ---- timers ---- */

/*
 * HARD makes the handler run in the interrupt on PREEMPT_RT too, so that it sees the interrupted
 * code.
 */
#define ST_HRTIMER_MODE HRTIMER_MODE_REL_HARD

static inline void st_hrtimer_init(struct hrtimer *timer,
				   enum hrtimer_restart (*fn)(struct hrtimer *))
{
#ifdef ST_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, ST_HRTIMER_MODE);
#else
	hrtimer_init(timer, CLOCK_MONOTONIC, ST_HRTIMER_MODE);
	timer->function = fn;
#endif
}

static inline void st_timer_cancel(struct timer_list *timer)
{
#ifdef ST_HAVE_TIMER_DELETE_SYNC
	timer_delete_sync(timer);
#else
	del_timer_sync(timer);
#endif
}

/* ---- uprobes ---- */

#ifdef ST_HAVE_UPROBE_DATA
#define ST_UPROBE_DATA , __u64 *data
#else
#define ST_UPROBE_DATA
#endif

/* Functions of a struct uprobe_consumer: one at the place, one at the function's return. */
#define ST_UPROBE_HIT(name) \
	int name(struct uprobe_consumer *consumer, struct pt_regs *regs ST_UPROBE_DATA)
#define ST_UPROBE_RETURN(name) \
	int name(struct uprobe_consumer *consumer, unsigned long function, \
		 struct pt_regs *regs ST_UPROBE_DATA)

/* Another one: should the process with this memory have the breakpoint? */
#ifdef ST_HAVE_UPROBE_FILTER_CTX
#define ST_UPROBE_FILTER(name) \
	bool name(struct uprobe_consumer *consumer, enum uprobe_filter_ctx when, struct mm_struct *mm)
#else
#define ST_UPROBE_FILTER(name) bool name(struct uprobe_consumer *consumer, struct mm_struct *mm)
#endif

/*
 * Registers a consumer at an offset in a file; 0 or -errno.  SEMAPHORE is the offset of a mark's
 * counter there, which the kernel counts up in every process; 0: none.  *UPROBE is for
 * st_uprobe_remove(), after which handlers may still run until st_uprobes_wait().
 */
static inline int st_uprobe_add(struct inode *inode, loff_t offset, loff_t semaphore,
				struct uprobe_consumer *consumer, struct uprobe **uprobe)
{
#ifdef ST_HAVE_UPROBE_HANDLE
	*uprobe = uprobe_register(inode, offset, semaphore, consumer);
	return PTR_ERR_OR_ZERO(*uprobe);
#else
	*uprobe = NULL;
	return semaphore ? uprobe_register_refctr(inode, offset, semaphore, consumer)
			 : uprobe_register(inode, offset, consumer);
#endif
}

static inline void st_uprobe_remove(struct inode *inode, loff_t offset,
				    struct uprobe_consumer *consumer, struct uprobe *uprobe)
{
#ifdef ST_HAVE_UPROBE_HANDLE
	uprobe_unregister_nosync(uprobe, consumer);
#else
	uprobe_unregister(inode, offset, consumer);
#endif
}

static inline void st_uprobes_wait(void)
{
#ifdef ST_HAVE_UPROBE_HANDLE
	uprobe_unregister_sync();
#endif
}

/* ---- RCU: exported, but declared in no header of linux/ ---- */

#ifdef CONFIG_TINY_RCU
#define st_rcu_hurry() ((void)0)
#define st_rcu_relax() ((void)0)
#else
void rcu_expedite_gp(void);
void rcu_unexpedite_gp(void);

/* Between the two, a wait for RCU takes microseconds instead of tens of milliseconds; all
 * CPUs are interrupted for it. */
#define st_rcu_hurry() rcu_expedite_gp()
#define st_rcu_relax() rcu_unexpedite_gp()
#endif

/* ---- the page cache ---- */

/* Pages to be freed where that may take locks; NULL: free entries. */
struct st_pages {
	struct page *pages[4];
};

/*
 * Returns the head of the page that the page cache has at an index of a file, with a reference, in
 * any context.  NULL: it isn't in memory, or is being taken out.  It is tried once: what takes it
 * out may be the interrupted code, which goes on only after the handler.  The page may have been
 * freed and used again before the reference was taken: then st_page_is_at() is false.
 */
static inline struct page *st_page_get(struct address_space *mapping, unsigned long index)
{
	struct page *head;

	rcu_read_lock();
	head = xa_load(&mapping->i_pages, index);
	if (xa_is_value(head))		/* a shadow, swapped out, or of a DAX device */
		head = NULL;
#ifdef ST_HAVE_FILEMAP_GET_FOLIO
	if (head && !folio_try_get((struct folio *)head))
		head = NULL;
#else
	if (head && !get_page_unless_zero(head))
		head = NULL;
#endif
	rcu_read_unlock();
	return head;
}

static inline bool st_page_is_at(struct address_space *mapping, unsigned long index,
				 const struct page *head)
{
	return xa_load(&mapping->i_pages, index) == head;
}

/* Returns the page at an index of the file; HEAD may have many pages. */
static inline struct page *st_page_within(struct page *head, unsigned long index)
{
#ifdef ST_HAVE_FILEMAP_GET_FOLIO
	return folio_file_page(page_folio(head), index);
#else
	return find_subpage(head, index);
#endif
}

static inline bool st_page_uptodate(struct page *page)
{
#ifdef ST_HAVE_FILEMAP_GET_FOLIO
	return folio_test_uptodate(page_folio(page));
#else
	return PageUptodate(page);
#endif
}

/* Truncating a file of DAX waits for the wakeup from a page's last user, which takes locks. */
static inline bool st_page_is_awaited(const struct page *page)
{
	return is_zone_device_page(page);
}

static inline void st_page_free(struct page *page)
{
	if (st_page_is_awaited(page)) {
		put_page(page);
		return;
	}
#ifdef ST_HAVE_FILEMAP_GET_FOLIO
	__folio_put(page_folio(page));
#else
	__put_page(page);
#endif
}

/* Is there room for one more page? */
static inline bool st_pages_room(const struct st_pages *pages)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pages->pages); i++)
		if (!READ_ONCE(pages->pages[i]))
			return true;
	return false;
}

/*
 * Gives a reference back.  Returns true if it was the last one, because the file let go of the page
 * meanwhile, or if a task may wait for that; then the page is in *later, for st_pages_free().
 * There must be room.
 */
static inline bool st_page_put(struct page *page, struct st_pages *later)
{
	unsigned int i;

	page = compound_head(page);
#ifdef ST_HAVE_FILEMAP_GET_FOLIO
	if (!st_page_is_awaited(page) && !folio_put_testzero(page_folio(page)))
		return false;
#else
	if (!st_page_is_awaited(page) && !put_page_testzero(page))
		return false;
#endif
	for (i = 0; i < ARRAY_SIZE(later->pages); i++)
		if (!cmpxchg(&later->pages[i], NULL, page))
			break;
	return true;
}

/* Frees the pages.  It may interrupt st_page_put(), and be interrupted by it. */
static inline void st_pages_free(struct st_pages *pages)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pages->pages); i++) {
		struct page *page = xchg(&pages->pages[i], NULL);

		if (page)
			st_page_free(page);
	}
}

/* ---- a mapping of user space's ---- */

/* Forbids to write to the mapping, to grow it, and to pass it on to a child. */
static inline void st_vma_private(struct vm_area_struct *vma)
{
#ifdef ST_HAVE_VM_FLAGS_MOD
	vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND, VM_MAYWRITE);
#else
	vma->vm_flags = (vma->vm_flags | VM_DONTCOPY | VM_DONTEXPAND) & ~VM_MAYWRITE;
#endif
}

/* ---- permissions ---- */

/* May the current process open the file for reading?  0 or -errno. */
static inline int st_may_read(struct file *file)
{
#ifdef ST_HAVE_FILE_PERMISSION
	return file_permission(file, MAY_READ | MAY_OPEN);
#else
	return inode_permission(file_inode(file), MAY_READ | MAY_OPEN);
#endif
}

#endif
