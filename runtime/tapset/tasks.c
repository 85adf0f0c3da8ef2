// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about any task, given the address of its task_struct.
 *
 * The script supplies the address, so every field is read fault-safely.  No lock is
 * taken: of data that changes meanwhile the old or the new value is read.
 */
#include <linux/cred.h>
#include <linux/fdtable.h>
#include <linux/fs_struct.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/prio.h>
#include <linux/sched/signal.h>

#include "handler/compat.h"
#include "memory/access.h"

#define TASK(c, task, field) ST_FIELD(c, struct task_struct, task, field)

st_long st_fn_task_parent(struct st_ctx *c, st_long task)
{
	return ST_POINTER(c, struct task_struct, task, real_parent);
}

st_long st_fn_own_parent(struct st_ctx *c)
{
	return st_fn_task_parent(c, (unsigned long)current);
}

st_long st_fn_task_pid(struct st_ctx *c, st_long task)
{
	return TASK(c, task, tgid);
}

st_long st_fn_task_tid(struct st_ctx *c, st_long task)
{
	return TASK(c, task, pid);
}

static unsigned long task_cred(struct st_ctx *c, st_long task)
{
	return ST_POINTER(c, struct task_struct, task, cred);
}

st_long st_fn_task_uid(struct st_ctx *c, st_long task)
{
	return ST_FIELD(c, struct cred, task_cred(c, task), uid.val);
}

st_long st_fn_task_gid(struct st_ctx *c, st_long task)
{
	return ST_FIELD(c, struct cred, task_cred(c, task), gid.val);
}

st_long st_fn_task_euid(struct st_ctx *c, st_long task)
{
	return ST_FIELD(c, struct cred, task_cred(c, task), euid.val);
}

st_long st_fn_task_egid(struct st_ctx *c, st_long task)
{
	return ST_FIELD(c, struct cred, task_cred(c, task), egid.val);
}

st_long st_fn_task_state(struct st_ctx *c, st_long task)
{
	return TASK(c, task, ST_TASK_STATE);
}

st_long st_fn_task_prio(struct st_ctx *c, st_long task)
{
	return TASK(c, task, prio) - MAX_RT_PRIO;
}

st_long st_fn_task_nice(struct st_ctx *c, st_long task)
{
	return PRIO_TO_NICE(TASK(c, task, static_prio));
}

st_long st_fn_task_cpu(struct st_ctx *c, st_long task)
{
	return TASK(c, task, ST_TASK_CPU);
}

st_long st_fn_task_utime(struct st_ctx *c, st_long task)
{
	return TASK(c, task, utime);
}

st_long st_fn_task_stime(struct st_ctx *c, st_long task)
{
	return TASK(c, task, stime);
}

st_long st_fn_task_start_time(struct st_ctx *c, st_long task)
{
	return TASK(c, task, start_time);
}

struct st_str st_fn_task_name(struct st_ctx *c, st_long task)
{
	return st_kread_str(c, task + offsetof(struct task_struct, comm),
			    TASK_COMM_LEN - 1);	/* without a NUL if it is no task */
}

/* ---- files ------------------------------------------------------------------ */

/* Returns the address of the task's file table; 0 if it has none. */
static unsigned long task_fdtable(struct st_ctx *c, st_long task)
{
	unsigned long files = ST_POINTER(c, struct task_struct, task, files);

	return files ? ST_POINTER(c, struct files_struct, files, fdt) : 0;
}

st_long st_fn_task_max_files(struct st_ctx *c, st_long task)
{
	unsigned long table = task_fdtable(c, task);

	return table ? ST_FIELD(c, struct fdtable, table, max_fds) : 0;
}

/*
 * The most words of the bitmap of descriptors that are counted.  A process may have a million
 * descriptors, but usually has few.
 */
#define MOST_WORDS 1024

st_long st_fn_task_open_files(struct st_ctx *c, st_long task)
{
	unsigned long table = task_fdtable(c, task), bits;
	unsigned int i, words;
	st_long n = 0;

	if (!table)
		return 0;
	words = min_t(unsigned int, BITS_TO_LONGS(ST_FIELD(c, struct fdtable, table, max_fds)),
		      MOST_WORDS);
	if (st_walk(c, words))
		return 0;
	bits = ST_POINTER(c, struct fdtable, table, open_fds);
	for (i = 0; i < words && !c->error; i++)
		n += hweight_long(st_kread(c, bits + i * sizeof(long), sizeof(long)));
	return n;
}

st_long st_fn_task_file(struct st_ctx *c, st_long task, st_long fd)
{
	unsigned long table = task_fdtable(c, task);

	if (!table || fd < 0 || fd >= ST_FIELD(c, struct fdtable, table, max_fds))
		return 0;
	return st_kread(c, ST_POINTER(c, struct fdtable, table, fd) + fd * sizeof(void *),
			sizeof(void *));
}

st_long st_fn_task_exe_file(struct st_ctx *c, st_long task)
{
	unsigned long mm = ST_POINTER(c, struct task_struct, task, mm);

	return mm ? ST_POINTER(c, struct mm_struct, mm, exe_file) : 0;
}

st_long st_fn_own_exe_file(struct st_ctx *c)
{
	return st_fn_task_exe_file(c, (unsigned long)current);
}

st_long st_fn_task_cwd(struct st_ctx *c, st_long task)
{
	unsigned long fs = ST_POINTER(c, struct task_struct, task, fs);

	return fs ? fs + offsetof(struct fs_struct, pwd) : 0;
}

st_long st_fn_task_root(struct st_ctx *c, st_long task)
{
	unsigned long fs = ST_POINTER(c, struct task_struct, task, fs);

	return fs ? fs + offsetof(struct fs_struct, root) : 0;
}

/* ---- limits ------------------------------------------------------------------ */

st_long st_fn_task_rlimit(struct st_ctx *c, st_long task, st_long which)
{
	unsigned long signal = ST_POINTER(c, struct task_struct, task, signal);

	if (!signal || which < 0 || which >= RLIM_NLIMITS)
		return -1;
	return ST_FIELD(c, struct rlimit, signal + offsetof(struct signal_struct, rlim) +
			which * sizeof(struct rlimit), rlim_cur);
}

/* ---- by number --------------------------------------------------------------- */

st_long st_fn_task_find(struct st_ctx *c, st_long tid)
{
	struct task_struct *task;

	if (tid != (pid_t)tid)
		return 0;
	rcu_read_lock();
	task = pid_task(find_pid_ns(tid, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	return (unsigned long)task;
}

/* ---- memory ------------------------------------------------------------------ */

#define MM(c, mm, field) ST_FIELD(c, struct mm_struct, mm, field)

static st_long resident(struct st_ctx *c, unsigned long mm, int kind)
{
	return max_t(long, MM(c, mm, ST_MM_PAGES(kind)), 0);
}

static st_long shared(struct st_ctx *c, unsigned long mm)
{
	return resident(c, mm, MM_FILEPAGES) + resident(c, mm, MM_SHMEMPAGES);
}

static st_long mm_text(struct st_ctx *c, unsigned long mm)
{
	return (PAGE_ALIGN(MM(c, mm, end_code)) - (MM(c, mm, start_code) & PAGE_MASK)) >>
	       PAGE_SHIFT;
}

st_long st_fn_task_memory(struct st_ctx *c, int what, st_long task)
{
	unsigned long mm = ST_POINTER(c, struct task_struct, task, mm);

	if (!mm)
		return 0;
	switch (what) {
	case ST_MEM_SIZE:
		return MM(c, mm, total_vm);
	case ST_MEM_RSS:
		return shared(c, mm) + resident(c, mm, MM_ANONPAGES);
	case ST_MEM_SHARED:
		return shared(c, mm);
	case ST_MEM_TEXT:
		return mm_text(c, mm);
	default:
		return MM(c, mm, data_vm) + MM(c, mm, stack_vm);
	}
}

st_long st_fn_page_size(struct st_ctx *c)
{
	return PAGE_SIZE;
}
