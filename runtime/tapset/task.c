// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions about the current task. */
#include <asm/word-at-a-time.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>

#include "abi/stap_script.h"
#include "arch/arch.h"
#include "life/starter.h"

st_long st_fn_pid(struct st_ctx *c)
{
	return current->tgid;
}

st_long st_fn_tid(struct st_ctx *c)
{
	return current->pid;
}

/*
 * Returns the parent's number; 0 for a task that has left its process, whose pointer to the parent
 * is stale.
 */
st_long st_fn_ppid(struct st_ctx *c)
{
	st_long pid = 0;

	rcu_read_lock();
	if (pid_alive(current))
		pid = rcu_dereference(current->real_parent)->tgid;
	rcu_read_unlock();
	return pid;
}

st_long st_fn_pgrp(struct st_ctx *c)
{
	return task_pgrp_nr_ns(current, &init_pid_ns);
}

st_long st_fn_sid(struct st_ctx *c)
{
	return task_session_nr_ns(current, &init_pid_ns);
}

/* User and group IDs are those of the initial user namespace. */

st_long st_fn_uid(struct st_ctx *c)
{
	return __kuid_val(current_uid());
}

st_long st_fn_gid(struct st_ctx *c)
{
	return __kgid_val(current_gid());
}

st_long st_fn_euid(struct st_ctx *c)
{
	return __kuid_val(current_euid());
}

st_long st_fn_egid(struct st_ctx *c)
{
	return __kgid_val(current_egid());
}

st_long st_fn_cpu(struct st_ctx *c)
{
	return raw_smp_processor_id();
}

st_long st_fn_task_current(struct st_ctx *c)
{
	return (unsigned long)current;
}

st_long st_fn_target(struct st_ctx *c)
{
	return st_starter.target;
}

st_long st_fn_task_is_32bit(struct st_ctx *c)
{
	return st_arch_is_32bit();
}

/*
 * Copies a word at a time, because execname() is in the most frequent handlers.  Another task may
 * be changing the name; the copy ends in any case.
 */
static struct st_str task_name(struct st_ctx *c, const struct task_struct *task)
{
	static const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;	/* its first set bit is the highest of the first zero byte */
	char *p = st_scratch(c, TASK_COMM_LEN);
	unsigned int i;

	BUILD_BUG_ON(TASK_COMM_LEN % sizeof(word) || IS_ENABLED(CONFIG_CPU_BIG_ENDIAN));
	if (!p)
		return ST_LIT("");
	for (i = 0; i < TASK_COMM_LEN; i += sizeof(word)) {
		memcpy(&word, task->comm + i, sizeof(word));
		memcpy(p + i, &word, sizeof(word));
		if (has_zero(word, &zeros, &constants))
			return (struct st_str){ p, i + __ffs(zeros) / BITS_PER_BYTE };
	}
	p[TASK_COMM_LEN - 1] = '\0';
	return (struct st_str){ p, TASK_COMM_LEN - 1 };
}

struct st_str st_fn_execname(struct st_ctx *c)
{
	return task_name(c, current);
}

struct st_str st_fn_pexecname(struct st_ctx *c)
{
	struct st_str name = ST_LIT("");

	rcu_read_lock();
	if (pid_alive(current))
		name = task_name(c, rcu_dereference(current->real_parent));
	rcu_read_unlock();
	return name;
}

st_long st_fn_stack_size(struct st_ctx *c)
{
	return THREAD_SIZE;
}

/*
 * Returns the bytes below the current frame on the task's stack; 0 on another stack, such as an
 * interrupt's.  Inlined, it gives both of its callers, which a handler calls at the same depth,
 * the same number.
 */
static __always_inline unsigned long stack_below(void)
{
	unsigned long left = (unsigned long)__builtin_frame_address(0) -
			     (unsigned long)task_stack_page(current);

	return left < THREAD_SIZE ? left : 0;
}

st_long st_fn_stack_unused(struct st_ctx *c)
{
	return stack_below();
}

st_long st_fn_stack_used(struct st_ctx *c)
{
	return THREAD_SIZE - stack_below();
}
