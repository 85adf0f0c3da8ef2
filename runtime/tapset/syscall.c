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
#include "handler/context.h"
#include "memory/access.h"
#include "memory/missing.h"

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

/* ---- names of system calls: the kernel's own tables --------------------------- */

#define LONGEST_NAME 40

#ifdef ST_HAVE_SYSCALL_TABLES
static const char *const native_names[] = {
#include ST_NATIVE_TABLE
};

static const char *const compat_names[] = {
#include ST_COMPAT_TABLE
};
#else
static const char *const native_names[1], *const compat_names[1];
#endif

static const char *without(const char *prefix, const char *name)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) ? name : name + n;
}

/* System calls whose functions have other names. */
static const struct {
	const char *function, *call;
	bool compat;			/* only for 32-bit programs */
} names_of_calls[] = {
	{ "newstat", "stat", false },
	{ "newlstat", "lstat", false },
	{ "newfstat", "fstat", false },
	{ "newuname", "uname", false },
	{ "umount", "umount2", false },
	{ "stat", "oldstat", true },
	{ "lstat", "oldlstat", true },
	{ "fstat", "oldfstat", true },
	{ "oldumount", "umount", true },
	{ "uname", "olduname", true },
	{ "olduname", "oldolduname", true },
	{ "getrlimit", "ugetrlimit", true },
	{ "old_getrlimit", "getrlimit", true },
	{ "select", "_newselect", true },
	{ "old_select", "select", true },
	{ "old_mmap", "mmap", true },
	{ "mmap_pgoff", "mmap2", true },
	{ "old_readdir", "readdir", true },
	{ "llseek", "_llseek", true },
};

static bool drop_end(char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	if (n <= m || strcmp(name + n - m, end))
		return false;
	name[n - m] = '\0';
	return true;
}

/*
 * Names a 32-bit program's call.  Some exist twice, and the newer one, with wider arguments, has a
 * suffix.
 */
static void name_compat(char *name, unsigned int room, st_long number)
{
	if (drop_end(name, "_time32"))
		return;
	if (drop_end(name, "time32")) {
		strlcat(name, "time", room);
		return;
	}
	if (drop_end(name, "16"))
		return;
	if (number >= ST_ARCH_FIRST_WIDE_ID && number <= ST_ARCH_LAST_WIDE_ID)
		strlcat(name, "32", room);
	else if (number >= ST_ARCH_FIRST_TIME64 && number <= ST_ARCH_LAST_TIME64)
		strlcat(name, drop_end(name, "time") ? "time64" : "_time64", room);
}

/* Returns the name of the function that handles the call, or NULL. */
static const char *function_name(st_long number, bool compat)
{
	unsigned long n = compat ? ARRAY_SIZE(compat_names) : ARRAY_SIZE(native_names);

	if (number < 0 || number >= n)
		return NULL;
	return compat ? compat_names[number] : native_names[number];
}

static struct st_str syscall_name(struct st_ctx *c, st_long number, bool compat)
{
	const char *name = function_name(number, compat);
	unsigned int i;
	char *p;

	if (!name) {
		union st_arg arg = { .i = number };

		return st_format(c, "syscall_%d", &arg, 1);
	}
	name = without(ST_ARCH_COMPAT_PREFIX, without("sys_", without("compat_", name)));
	for (i = 0; i < ARRAY_SIZE(names_of_calls); i++) {
		if (!strcmp(name, names_of_calls[i].function) &&
		    (compat || !names_of_calls[i].compat)) {
			name = names_of_calls[i].call;
			return (struct st_str){ name, strlen(name) };
		}
	}
	if (!compat)
		return (struct st_str){ name, strlen(name) };
	p = st_scratch(c, LONGEST_NAME);
	if (!p)
		return ST_LIT("");
	strscpy(p, name, LONGEST_NAME);
	name_compat(p, LONGEST_NAME, number);
	c->sp = p + strlen(p) + 1;
	return (struct st_str){ p, strlen(p) };
}

struct st_str st_fn_syscall_name(struct st_ctx *c, st_long number)
{
	return syscall_name(c, number, st_arch_syscall_compat());
}

st_long st_fn_syscall_number_of(struct st_ctx *c, struct st_str name)
{
	bool compat = st_arch_syscall_compat();
	unsigned long n = compat ? ARRAY_SIZE(compat_names) : ARRAY_SIZE(native_names);
	char *sp = c->sp;
	st_long i;

	if (st_walk(c, n))
		return -1;
	for (i = 0; i < n; i++) {
		struct st_str s;

		if (!function_name(i, compat))
			continue;
		s = syscall_name(c, i, compat);
		c->sp = sp;
		if (s.len == name.len && !memcmp(s.p, name.p, s.len))
			return i;
	}
	return -1;
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
