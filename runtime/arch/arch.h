/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runtime asks of the CPU's architecture.
 *
 * Registers, instructions, page tables and calling conventions are in arch/NAME/ and nowhere else
 * (testsuite/build/rooms.test).  The rest of the runtime calls what is declared here.  Another
 * architecture is one folder that supplies:
 *
 *	NAME/inline.h		the names listed under "inline" below, and the constants
 *	NAME/….c		the functions declared below
 *	NAME/frame.h		the registers of a program's frame, for the unwinder (arch/frame.h)
 *	NAME/stack_pointer.h	st_stack_pointer(), for generated code (arch/stack_pointer.h)
 *	NAME/stepping.h		ST_OPCODE_BYTES, st_opcode_cant_step(): instructions that a kprobe
 *				can't step in a copy
 *
 * and a line at the end of this file.  Its .c files stand in #ifdefs of its own, because the kit
 * compiles all of runtime/.  The translator's half is translator/arch/: a script's code reads
 * registers as words of struct pt_regs, whose order the translator knows.
 *
 * Everything here is called from handlers, with interrupts off or in an NMI, unless it says "may
 * sleep".  Nothing here allocates, and nothing sets the script error: callers do.
 *
 * Inline, because handlers and tracers' callbacks use them:
 *
 *	ST_ARCH_ARGUMENTS		how many integer arguments of a C function are in registers
 *	st_arch_argument(regs, n)	where the register of argument n < ST_ARCH_ARGUMENTS is saved
 *	st_arch_tracepoint_regs(regs, args, frame)
 *					makes the registers that a tracepoint's function had at its
 *					entry: its own pointer was the first argument, ARGS are the next
 *					five, FRAME is the function's frame address
 *	st_arch_syscall_compat()	is the task in a system call of a 32-bit program?
 *	st_arch_syscall_argument(regs, n, compat)
 *					where argument n, from 1, of the system call is saved; NULL:
 *					there is no such argument
 *	st_arch_syscall_number(regs)	the number of the system call
 *	st_arch_is_32bit()		is the task a 32-bit program?
 *	st_arch_thread_pointer()	what the program's thread-local variables are relative to
 *	st_arch_goroutine(regs)		Go's struct g, in a Go function
 *	st_arch_unwind_regs(to, regs)	fills in the registers of frame.h; returns the program's word
 *					size in bytes
 *	st_arch_vdso(mm)		where the process has its vDSO
 *	st_arch_kernel_address(addr, n)	may N bytes at ADDR be read as the kernel's without a fault that
 *					the kernel would warn of, or die of?
 *	st_arch_memory(addr)		is a kernel address certainly memory, no device's register?
 *					Otherwise ask st_arch_cached().
 *	st_arch_cycles_per_ms()		how many of get_cycles() a millisecond has
 *
 * Constants:
 *
 *	ST_ARCH_IP			the offset in struct pt_regs of the instruction pointer
 *	ST_ARCH_FTRACE_OFFSET		the offset of an ftrace site in its function
 *	ST_ARCH_JUMP_BYTES		the length of the jump that replaces a kprobe's breakpoint
 *	ST_ARCH_FIRST_WIDE_ID		the first 32-bit system call whose user and group IDs have 32 bits,
 *					not 16
 *	ST_ARCH_{FIRST,LAST}_TIME64	those whose times have 64 bits
 */
#ifndef STAP_ARCH_H
#define STAP_ARCH_H

#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>

/* ---- registers (registers.c, vector.c) ---- */

/*
 * A register as scripts name it: register("eax") is the lower half of the word at offsetof(struct
 * pt_regs, ax).
 */
struct st_register {
	char name[10];
	unsigned char offset;		/* in struct pt_regs, in bytes */
	bool half;			/* only its lower 32 bits */
};

/* Returns the register of that name, which ends after LEN bytes; NULL if there is none. */
const struct st_register *st_arch_register(const char *name, unsigned int len);

/*
 * Copies word WORD, from 0, of the current program's vector register REG to *VALUE.  False: there
 * is no such register or word.  The task must have come from user space.
 */
bool st_arch_vector(unsigned int reg, unsigned int word, u64 *value);

/* ---- memory (pages.c, watch.c) ---- */

/*
 * Are all of the N bytes at a kernel address cached memory?  Reading a device's registers may
 * change what the device does, or hang the machine.  Interrupts must be off, and stay off until the
 * bytes have been read: before an address is given to another page, all CPUs flush their TLBs.
 */
bool st_arch_cached(unsigned long addr, unsigned int n);

/*
 * Does the kernel read the LENGTH bytes at ADDRESS on its way to the handler of a watchpoint, before
 * it switches watchpoints off?  It would come back to the same read for ever.  May sleep.
 */
bool st_arch_read_on_entry(unsigned long address, unsigned int length);

/* ---- code (code.c) ---- */

/* Does the function begin with ftrace's call, or the breakpoint while that is written? */
bool st_arch_is_traced(unsigned long function);

/* Is it the name of a function that no kprobe may be in, although tracers are let in?  May sleep. */
bool st_arch_is_unsafe(const char *name);

/*
 * Would the kernel read what isn't mapped, when a kprobe with a breakpoint is registered in a function that ends
 * at END for it, and whose code ends at CODE_END, or 0 if that is unknown?  May sleep.
 */
bool st_arch_is_decoded_beyond(unsigned long code_end, unsigned long end);

/* Must nothing be attached to the tracepoint while the machine falls asleep and wakes up? */
bool st_arch_resets_sleeper(const char *tracepoint);

#ifdef CONFIG_X86_64
#include "x86/inline.h"
#else
#error "the runtime has no folder for this architecture: see above what it has to supply"
#endif

#endif
