// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts about the kernel's code on x86. */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <asm/insn.h>

#include "arch/arch.h"

enum { LANDING_PAD = 4 };		/* bytes of endbr64, with which a function begins under IBT */

/* The kernel makes a no-op of the landing pad where nobody calls a function through a pointer. */
static bool has_landing_pad(const u8 *code)
{
	static const u8 pads[][LANDING_PAD] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa },		/* endbr64 */
		{ 0x66, 0x0f, 0x1f, 0x00 },		/* nopw (%rax), up to Linux 6.14 */
		{ 0x0f, 0x1f, 0x40, 0xd6 },		/* nopl -42(%rax), later */
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pads); i++)
		if (!memcmp(code, pads[i], LANDING_PAD))
			return true;
	return false;
}

bool st_arch_is_traced(unsigned long function)
{
	u8 code[LANDING_PAD + 1], first;

	if (!function || copy_from_kernel_nofault(code, (void *)function, sizeof(code)))
		return false;
	first = code[has_landing_pad(code) ? LANDING_PAD : 0];
	return first == 0xe8 || first == 0xcc;				/* call, int3 */
}

bool st_arch_is_unsafe(const char *name)
{
	return strstarts(name, "load_current_idt") ||	/* runs before the CPU has an IDT
							   (probes/cpu_start.h) */
	       strstarts(name, "machine_kexec");	/* the last before kexec's next kernel: gives
							   up GS and the IDT */
}

/* Are there only zeros from one address to another one, less than a page behind? */
static bool is_zero(unsigned long from, unsigned long to)
{
	u8 part[64];
	unsigned long n;

	for (; from < to; from += n) {
		n = min_t(unsigned long, to - from, sizeof(part));
		if (copy_from_kernel_nofault(part, (void *)from, n) || memchr_inv(part, 0, n))
			return false;
	}
	return true;
}

/*
 * To see whether a jump may replace a kprobe's breakpoint, the kernel decodes the whole function.  For it, the
 * last function of a module's code ends where the pages end.  Behind the last instruction there are zeros, of which
 * two are an instruction.  If their number is odd, the last one is decoded together with the first byte of the
 * next page.  Since 6.4, none is mapped there:
 *
 *	…ffe	00 00		add %al,(%rax)
 *	…fff	00 ??		a page fault, which nobody handles
 *
 * Since 6.13, code is mostly filled up with breakpoints, each of which is a whole instruction.
 */
bool st_arch_is_decoded_beyond(unsigned long code_end, unsigned long end)
{
	u8 tail[MAX_INSN_SIZE], next;

	if (!IS_ENABLED(CONFIG_OPTPROBES) || !PAGE_ALIGNED(end) ||
	    !copy_from_kernel_nofault(&next, (void *)end, sizeof(next)))
		return false;
	if (!copy_from_kernel_nofault(tail, (void *)(end - sizeof(tail)), sizeof(tail)) &&
	    !memchr_inv(tail, 0xcc, sizeof(tail)))
		return false;
	return code_end > end || end - code_end >= PAGE_SIZE || (end - code_end) % 2 || !is_zero(code_end, end);
}

/*
 * Does the tracepoint reset a machine that wakes up? A CPU that wakes up from suspend to RAM writes
 * MSRs before its per-CPU data and its IDT are in place. write_msr reads per-CPU data before it
 * calls its functions, so with any function attached the machine is reset.
 */
bool st_arch_resets_sleeper(const char *tracepoint)
{
	return !strcmp(tracepoint, "write_msr");
}
