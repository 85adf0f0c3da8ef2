// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fault-safe access to memory of the kernel and of the current process: a script may
 * use any address, and failing to read or write there is a script error.
 *
 * Reading uses the kernel's _nofault copies, which check on which side of the
 * user/kernel split the address lies, and fail if the copy faults.  None of those is
 * exported for strings.  So strings are read in pieces that never cross a page: one that
 * ends just before an unreadable page is read whole.  No function that writes to kernel
 * memory is exported.  Writing uses the kernel's inline faulting store, a single machine
 * store, aligned or not, after the address was checked by reading there.
 */
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/uaccess.h>

#include <asm/word-at-a-time.h>

#include "arch/arch.h"
#include "access.h"
#include "missing.h"
#include "space.h"
#include "wait.h"

/* How many bytes of a string are read at once; few, because most strings are short. */
#define PIECE 64

void st_fault(struct st_ctx *c, const char *what, unsigned long addr)
{
	if (st_program.skip_badvars && !strcmp(what, "read"))
		st_missing(ST_USER, addr);
	else
		st_error(c, "%s fault [man error::fault] at 0x%016llx", what, (unsigned long long)addr);
}

/*
 * Copies memory that may be a device's.  Interrupts are off from the check to the end of the copy
 * (st_arch_cached()).  A script with -g may read registers of devices.
 */
static noinline int copy_elsewhere(void *to, unsigned long addr, unsigned int n)
{
	unsigned long irq_flags;
	int err = -EFAULT;

	local_irq_save(irq_flags);
	if (st_program.guru || st_arch_cached(addr, n))
		err = copy_from_kernel_nofault(to, (void *)addr, n);
	local_irq_restore(irq_flags);
	return err;
}

int st_copy_kernel(void *to, unsigned long addr, unsigned int n)
{
	if (unlikely(!st_arch_kernel_address(addr, n)))
		return -EFAULT;
	if (unlikely(!st_arch_memory(addr)))
		return copy_elsewhere(to, addr, n);
	return copy_from_kernel_nofault(to, (void *)addr, n);
}

/* Copies user memory.  A kernel thread has none, and its active mm belongs to another process. */
int st_copy_user(void *to, unsigned long addr, unsigned int n)
{
	if (!current->mm || n > TASK_SIZE_MAX || addr > TASK_SIZE_MAX - n)
		return -EFAULT;
	if (n <= ST_COPY_FEW && !st_copy_few(to, addr, n))
		return 0;
	if (likely(!copy_from_user_nofault(to, (void __user *)addr, n)) || !st_wait_read(to, addr, n))
		return 0;
	return st_space_copy(to, addr, n) ? 0 : -EFAULT;
}

/* Zero-extends a value, in either byte order. */
static st_long widen(const u64 *raw, unsigned int size)
{
	switch (size) {
	case 1:
		return *(const u8 *)raw;
	case 2:
		return *(const u16 *)raw;
	case 4:
		return *(const u32 *)raw;
	default:
		return *raw;
	}
}

st_long st_kread(struct st_ctx *c, unsigned long addr, unsigned int size)
{
	u64 raw = 0;

	if (unlikely(c->error))
		return 0;
	if (unlikely(st_copy_kernel(&raw, addr, min_t(unsigned int, size, 8)))) {
		st_fault(c, "read", addr);
		return 0;
	}
	return widen(&raw, size);
}

st_long st_uread(struct st_ctx *c, unsigned long addr, unsigned int size)
{
	u64 raw = 0;

	if (unlikely(c->error))
		return 0;
	if (unlikely(st_copy_user(&raw, addr, min_t(unsigned int, size, 8)))) {
		st_fault(c, "read", addr);
		return 0;
	}
	return widen(&raw, size);
}

/* ---- writing ------------------------------------------------------------ */

static int store_kernel(unsigned long addr, unsigned int size, st_long v)
{
	u64 probe, v64 = v;
	u32 v32 = v;
	u16 v16 = v;
	u8 v8 = v;

	/* Check that it is a kernel address that can be read: a store to a non-canonical
	 * address would not be a page fault. */
	if (st_copy_kernel(&probe, addr, size))
		return -EFAULT;
	pagefault_disable();
	switch (size) {
	case 1:
		__put_kernel_nofault((void *)addr, &v8, u8, fault);
		break;
	case 2:
		__put_kernel_nofault((void *)addr, &v16, u16, fault);
		break;
	case 4:
		__put_kernel_nofault((void *)addr, &v32, u32, fault);
		break;
	default:
		__put_kernel_nofault((void *)addr, &v64, u64, fault);
	}
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}

/*
 * Stores a number in user memory.  Faults are disabled around the address check too, because
 * debugging kernels warn if it runs in an interrupt with faults enabled.
 */
static int store_user(unsigned long addr, unsigned int size, st_long v)
{
	u64 v64 = v;
	u32 v32 = v;
	u16 v16 = v;
	u8 v8 = v;
	const void *from = size == 1 ? (void *)&v8 : size == 2 ? (void *)&v16
			 : size == 4 ? (void *)&v32 : (void *)&v64;
	int err;

	if (!current->mm || addr > TASK_SIZE_MAX - size)
		return -EFAULT;
	pagefault_disable();
	err = copy_to_user_nofault((void __user *)addr, from, size);
	pagefault_enable();
	return err ? st_wait_write(addr, from, size) : 0;
}

static bool sized(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

void st_kwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v)
{
	if (!c->error && (!sized(size) || store_kernel(addr, size, v)))
		st_fault(c, "write", addr);
}

void st_uwrite(struct st_ctx *c, unsigned long addr, unsigned int size, st_long v)
{
	if (!c->error && (!sized(size) || store_user(addr, size, v)))
		st_fault(c, "write", addr);
}

/* ---- strings and bytes -------------------------------------------------- */

/*
 * Copies words of the current process's memory up to the one with a NUL; returns how many bytes it
 * copied, and sets *ENDED at the NUL, which is not counted.  At memory that isn't there it stops,
 * as it does if fewer than eight bytes are left.
 */
static unsigned int copy_words(char *to, unsigned long addr, unsigned int max, bool *ended)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	unsigned int n = 0;

	pagefault_disable();
	if (!user_read_access_begin((void __user *)addr, max))
		goto out;
#pragma GCC unroll 4
	for (; n + sizeof(word) <= max; n += sizeof(word)) {
		unsafe_get_user(word, (unsigned long __user *)(addr + n), missing);
		*(unsigned long *)(to + n) = word;
		if (has_zero(word, &zeros, &constants)) {
			zeros = create_zero_mask(prep_zero_mask(word, zeros, &constants));
			n += find_zero(zeros);
			*ended = true;
			break;
		}
	}
missing:
	user_read_access_end();
out:
	pagefault_enable();
	return n;
}

long st_copy_string(char *to, unsigned long addr, unsigned int max, st_copy_fn copy)
{
	unsigned int n = 0;
	bool ended = false;

	if (copy == st_copy_user && st_user_current() && max <= TASK_SIZE_MAX &&
	    addr <= TASK_SIZE_MAX - max)
		n = copy_words(to, addr, max, &ended);
	while (n < max && !ended) {
		unsigned long at = addr + n;
		unsigned int piece = min_t(unsigned long, min_t(unsigned int, max - n, PIECE),
					   PAGE_SIZE - (at & ~PAGE_MASK));
		const char *end;

		if (copy(to + n, at, piece))
			return -EFAULT;
		end = memchr(to + n, '\0', piece);
		if (end)
			return end - to;
		n += piece;
	}
	return n;
}

static struct st_str read_str(struct st_ctx *c, unsigned long addr, unsigned int max,
			      st_copy_fn copy)
{
	char *p;
	long n;

	max = min(max, st_program.maxstringlen - 1);
	p = st_scratch(c, max);
	if (!p)
		return ST_LIT("");
	n = st_copy_string(p, addr, max, copy);
	if (st_walk_text(c, n < 0 ? max : n))
		return ST_LIT("");
	if (n < 0) {
		c->sp = p;
		st_fault(c, "read", addr);
		return ST_LIT("");
	}
	p[n] = '\0';
	c->sp = p + n + 1;
	return (struct st_str){ p, n };
}

struct st_str st_kread_str(struct st_ctx *c, unsigned long addr, unsigned int max)
{
	return read_str(c, addr, max, st_copy_kernel);
}

struct st_str st_uread_str(struct st_ctx *c, unsigned long addr, unsigned int max)
{
	return read_str(c, addr, max, st_copy_user);
}

static struct st_str read_bytes(struct st_ctx *c, unsigned long addr, unsigned int len,
				st_copy_fn copy)
{
	char *p;

	len = min(len, st_program.maxstringlen - 1);
	p = st_scratch(c, len);
	if (!p || st_walk_text(c, len))
		return ST_LIT("");
	if (copy(p, addr, len)) {
		c->sp = p;
		st_fault(c, "read", addr);
		return ST_LIT("");
	}
	p[len] = '\0';
	return (struct st_str){ p, len };
}

struct st_str st_kread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len)
{
	return read_bytes(c, addr, len, st_copy_kernel);
}

struct st_str st_uread_bytes(struct st_ctx *c, unsigned long addr, unsigned int len)
{
	return read_bytes(c, addr, len, st_copy_user);
}

/* ---- per-CPU variables -------------------------------------------------- */

unsigned long st_this_cpu(unsigned long percpu_addr)
{
	return percpu_addr + per_cpu_offset(raw_smp_processor_id());
}
