/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64's part of arch/arch.h, which says what each name is. */
#include <linux/pgtable.h>
#include <linux/timex.h>

#include <asm/fsgsbase.h>
#include <asm/vsyscall.h>

#include "arch/frame.h"
#include "stepping.h"

/* ---- registers ---- */

#define ST_ARCH_IP offsetof(struct pt_regs, ip)
#define ST_ARCH_ARGUMENTS 6

static inline unsigned long *st_arch_argument(struct pt_regs *regs, unsigned int n)
{
	unsigned long *const in_regs[ST_ARCH_ARGUMENTS] = {
		&regs->di, &regs->si, &regs->dx, &regs->cx, &regs->r8, &regs->r9,
	};

	return in_regs[n];
}

/* Leaves the other registers at 0. */
static __always_inline void st_arch_tracepoint_regs(struct pt_regs *regs, const unsigned long args[5],
						    void *frame)
{
	regs->si = args[0];
	regs->dx = args[1];
	regs->cx = args[2];
	regs->r8 = args[3];
	regs->r9 = args[4];
	regs->sp = (unsigned long)frame + sizeof(long);	/* above the saved frame pointer */
}

/* Returns the base of segment fs, which the kernel itself does not use. */
static inline unsigned long st_arch_thread_pointer(void)
{
	return x86_fsbase_read_cpu();
}

static inline unsigned long st_arch_goroutine(const struct pt_regs *regs)
{
	return regs->r14;
}

static inline unsigned int st_arch_unwind_regs(unsigned long *to, const struct pt_regs *r)
{
	to[ST_UNWIND_AX] = r->ax;
	to[ST_UNWIND_DX] = r->dx;
	to[ST_UNWIND_CX] = r->cx;
	to[ST_UNWIND_BX] = r->bx;
	to[ST_UNWIND_SI] = r->si;
	to[ST_UNWIND_DI] = r->di;
	to[ST_UNWIND_BP] = r->bp;
	to[ST_UNWIND_SP] = r->sp;
	to[ST_UNWIND_R8] = r->r8;
	to[ST_UNWIND_R8 + 1] = r->r9;
	to[ST_UNWIND_R8 + 2] = r->r10;
	to[ST_UNWIND_R8 + 3] = r->r11;
	to[ST_UNWIND_R8 + 4] = r->r12;
	to[ST_UNWIND_R8 + 5] = r->r13;
	to[ST_UNWIND_R8 + 6] = r->r14;
	to[ST_UNWIND_R8 + 7] = r->r15;
	to[ST_UNWIND_IP] = r->ip;
	return r->cs == __USER32_CS ? 4 : 8;
}

/* ---- system calls ---- */

#define ST_ARCH_FIRST_WIDE_ID 198	/* lchown32 */
#define ST_ARCH_FIRST_TIME64 403	/* clock_gettime64 */
#define ST_ARCH_LAST_TIME64 423		/* sched_rr_get_interval_time64 */

static inline bool st_arch_syscall_compat(void)
{
	return in_ia32_syscall();
}

static inline bool st_arch_is_32bit(void)
{
	return test_thread_flag(TIF_ADDR32);
}

static inline int st_arch_syscall_number(const struct pt_regs *regs)
{
	return regs->orig_ax;
}

static inline unsigned long *st_arch_native_argument(struct pt_regs *regs, long long n)
{
	switch (n) {
	case 1: return &regs->di;
	case 2: return &regs->si;
	case 3: return &regs->dx;
	case 4: return &regs->r10;
	case 5: return &regs->r8;
	case 6: return &regs->r9;
	default: return NULL;
	}
}

static inline unsigned long *st_arch_compat_argument(struct pt_regs *regs, long long n)
{
	switch (n) {
	case 1: return &regs->bx;
	case 2: return &regs->cx;
	case 3: return &regs->dx;
	case 4: return &regs->si;
	case 5: return &regs->di;
	case 6: return &regs->bp;
	default: return NULL;
	}
}

static inline unsigned long *st_arch_syscall_argument(struct pt_regs *regs, long long n, bool compat)
{
	return compat ? st_arch_compat_argument(regs, n) : st_arch_native_argument(regs, n);
}

/* ---- memory ---- */

static inline unsigned long st_arch_vdso(const struct mm_struct *mm)
{
	return (unsigned long)mm->context.vdso;
}

/*
 * Do the N bytes at an address touch the vsyscall page?  Where that is mapped it belongs to user
 * space, though it lies among the kernel's addresses: a CPU with SMAP faults there, which kernels
 * before 6.9 don't expect (CVE-2024-26906) and die of.
 */
static __always_inline bool st_arch_in_vsyscall(unsigned long addr, unsigned int n)
{
	return addr - VSYSCALL_ADDR < PAGE_SIZE || VSYSCALL_ADDR - addr < n;
}

/*
 * Is the address canonical for this kernel's page tables? A kernel with 4-level page tables on a
 * CPU with 5 levels checks for the CPU's canonical form, so it would let other addresses through
 * and warn of the fault.
 */
static __always_inline bool st_arch_kernel_address(unsigned long addr, unsigned int n)
{
	return (long)addr >> __VIRTUAL_MASK_SHIFT == -1 && !st_arch_in_vsyscall(addr, n);
}

/* Is the address in the direct map of all memory, or in the kernel's or a module's image? */
static __always_inline bool st_arch_memory(unsigned long addr)
{
	return addr < VMALLOC_START ||
	       addr - __START_KERNEL_map < MODULES_END - __START_KERNEL_map;
}

/* Returns a rather low guess if the kernel doesn't know. */
static inline unsigned int st_arch_cycles_per_ms(void)
{
	return tsc_khz ?: 1000000;
}

/* ---- code ---- */

#ifdef CONFIG_X86_KERNEL_IBT
#define ST_ARCH_FTRACE_OFFSET 4		/* after endbr64 */
#else
#define ST_ARCH_FTRACE_OFFSET 0
#endif

#define ST_ARCH_JUMP_BYTES 5		/* e9 and a distance */
