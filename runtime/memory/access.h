/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fault-safe access to memory, for the runtime's own files (abi/stap_script.h has the rest). */
#ifndef STAP_ACCESS_H
#define STAP_ACCESS_H

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "core/walk.h"

/* Copy n bytes: 0; or negative if not all of them can be read.  Where the handler may wait,
 * st_copy_user() waits for pages that aren't resident: the caller may be on another CPU then.
 * Elsewhere it reads them from the page cache (memory/space.h). */
typedef int (*st_copy_fn)(void *to, unsigned long addr, unsigned int n);
int st_copy_kernel(void *to, unsigned long addr, unsigned int n);
int st_copy_user(void *to, unsigned long addr, unsigned int n);

#define ST_COPY_FEW 64

/*
 * Is the memory that user addresses mean now certainly the current process's?  With interrupts off the
 * kernel may be about to switch to another's; a kernel thread has none of its own.
 */
static __always_inline bool st_user_current(void)
{
	return current->mm && !irqs_disabled();
}

/*
 * Does what st_copy_user() does for at most ST_COPY_FEW bytes, inline and without waiting; a
 * failure only says that the long way must be tried.
 */
static __always_inline int st_copy_few(char *to, unsigned long addr, unsigned int n)
{
	const char __user *from = (const char __user *)addr;
	int err = -EFAULT;
	unsigned int i;

	if (!st_user_current())
		return err;
	pagefault_disable();
	if (!user_read_access_begin(from, n))
		goto out;
	for (i = 0; i + 32 <= n; i += 32) {
		unsafe_get_user(*(u64 *)(to + i), (u64 __user *)(from + i), missing);
		unsafe_get_user(*(u64 *)(to + i + 8), (u64 __user *)(from + i + 8), missing);
		unsafe_get_user(*(u64 *)(to + i + 16), (u64 __user *)(from + i + 16), missing);
		unsafe_get_user(*(u64 *)(to + i + 24), (u64 __user *)(from + i + 24), missing);
	}
	for (; i + 8 <= n; i += 8)
		unsafe_get_user(*(u64 *)(to + i), (u64 __user *)(from + i), missing);
	for (; i < n; i++)
		unsafe_get_user(to[i], from + i, missing);
	err = 0;
missing:
	user_read_access_end();
out:
	pagefault_enable();
	return err;
}

/* Copies a string's bytes up to its NUL, max at most; writes nothing behind them.  Returns how
 * many, or negative. */
long st_copy_string(char *to, unsigned long addr, unsigned int max, st_copy_fn copy);

/*
 * Read a field of the structure of this type at address p; ST_POINTER() gives a pointer as an
 * address.  If memory can't be read there, the script error is set and the result is 0.
 *
 *	parent = ST_POINTER(c, struct task_struct, task, real_parent);
 */
#define ST_FIELD(c, type, p, field)						\
	((typeof(((type *)0)->field))st_kread(c, (p) + offsetof(type, field),	\
					      sizeof(((type *)0)->field)))
#define ST_POINTER(c, type, p, field) ((unsigned long)ST_FIELD(c, type, p, field))

/* Sets the script error "WHAT fault …"; WHAT is "read" or "write". */
void st_fault(struct st_ctx *c, const char *what, unsigned long addr);

#endif
