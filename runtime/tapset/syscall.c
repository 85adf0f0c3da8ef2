// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the current task's system call.
 *
 * The entry code saved user space's registers, which have the call's arguments, at the
 * end of the task's stack.  They stay there until the call returns, whichever function of
 * the call is probed.
 */
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "port/port.h"
#include "arch/arch.h"
#include "core/walk.h"
#include "handler/context.h"
#include "memory/access.h"
#include "memory/missing.h"
#include "names/names.h"

st_long st_fn_syscall_compat(struct st_ctx *c)
{
	return st_arch_syscall_compat();
}

st_long st_fn_syscall_argument(struct st_ctx *c, st_long n)
{
	struct pt_regs *regs = task_pt_regs(current);
	const unsigned long *place = st_arch_syscall_argument(regs, n, st_arch_syscall_compat());

	if (!place)
		return 0;
	return st_arch_syscall_compat() ? (u32)*place : *place;
}

void st_fn_set_syscall_argument(struct st_ctx *c, st_long n, st_long value)
{
	struct pt_regs *regs = task_pt_regs(current);
	unsigned long *place = st_arch_syscall_argument(regs, n, st_arch_syscall_compat());

	if (place)
		*place = st_arch_syscall_compat() ? (u32)value : value;
}

/*
 * Return argument N as an int and as an unsigned int, because the upper half of the register is
 * undefined.
 */
st_long st_fn_syscall_int(struct st_ctx *c, st_long n)
{
	return (int)st_fn_syscall_argument(c, n);
}

st_long st_fn_syscall_uint(struct st_ctx *c, st_long n)
{
	return (unsigned int)st_fn_syscall_argument(c, n);
}

st_long st_fn_syscall_long(struct st_ctx *c, st_long n)
{
	st_long value = st_fn_syscall_argument(c, n);

	return st_arch_syscall_compat() ? (int)value : value;
}

st_long st_fn_syscall_wide(struct st_ctx *c, st_long n)
{
	st_long value = st_fn_syscall_argument(c, n);

	return st_arch_syscall_compat() ? value | st_fn_syscall_argument(c, n + 1) << 32 : value;
}

void st_fn_set_syscall_wide(struct st_ctx *c, st_long n, st_long value)
{
	st_fn_set_syscall_argument(c, n, value);
	if (st_arch_syscall_compat())
		st_fn_set_syscall_argument(c, n + 1, value >> 32);
}

st_long st_fn_syscall_id(struct st_ctx *c, st_long n)
{
	st_long value = st_fn_syscall_argument(c, n);

	if (st_arch_syscall_compat() && st_fn_syscall_number(c) < ST_ARCH_FIRST_WIDE_ID)
		return (u16)value == 0xffff ? -1 : (u16)value;
	return (int)value;
}

int st_syscall_time32(struct st_ctx *c)
{
	st_long number = st_fn_syscall_number(c);

	return st_arch_syscall_compat() && (number < ST_ARCH_FIRST_TIME64 || number > ST_ARCH_LAST_TIME64);
}

st_long st_fn_syscall_number(struct st_ctx *c)
{
	return st_arch_syscall_number(task_pt_regs(current));
}

st_long st_fn_return_value(struct st_ctx *c)
{
	if (c->regs)
		return regs_return_value((struct pt_regs *)c->regs);
	st_error(c, "no registers here");
	return 0;
}

struct st_str st_fn_syscall_name(struct st_ctx *c, st_long number)
{
	return st_call_name(c, number, st_arch_syscall_compat());
}

st_long st_fn_syscall_number_of(struct st_ctx *c, struct st_str name)
{
	const struct st_numbered *calls = &st_calls[st_arch_syscall_compat()];

	return st_walk(c, calls->n / 8) ? -1 : st_numbered_find(calls, name);
}

st_long st_fn_syscall_registers(struct st_ctx *c)
{
	return (long)task_pt_regs(current);
}

/* ---- what arguments point to --------------------------------------------------- */

/* How many strings of a vector are shown, and how many characters of each. */
#define MOST_STRINGS 64
#define STRING_SHOWN 64

/* Shows the strings of a NULL-terminated vector of pointers in user space: ["a", "b c"]. */
struct st_str st_fn_user_strings(struct st_ctx *c, st_long addr)
{
	unsigned int word = st_arch_syscall_compat() ? 4 : 8, room = st_program.maxstringlen - 1, len = 0;
	char *p = st_scratch(c, room);
	unsigned int i;

	if (!p)
		return ST_LIT("");
	p[len++] = '[';
	for (i = 0; i < MOST_STRINGS && len + 6 < room; i++) {
		unsigned long string = 0;
		long n;

		if (st_copy_user(&string, addr + i * word, word)) {
			st_missing(ST_USER, addr + i * word);
			break;
		}
		if (!string)
			break;
		if (i) {
			p[len++] = ',';
			p[len++] = ' ';
		}
		p[len++] = '"';
		n = st_copy_string(p + len, string, min_t(unsigned int, STRING_SHOWN,
							 room - len - 2), st_copy_user);
		if (n < 0)
			st_missing(ST_USER, string);
		len += max(n, 0l);
		p[len++] = '"';
	}
	p[len++] = ']';
	p[len] = '\0';
	c->sp = p + len + 1;
	st_walk(c, i);
	return (struct st_str){ p, len };
}
