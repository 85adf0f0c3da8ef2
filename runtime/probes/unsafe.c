// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code on which the kernel takes a kprobe, and breaks.  It is known by its names.
 *
 * Static calls' trampolines, each a jump that the kernel rewrites: it reads the old one first,
 * and finds a breakpoint:
 *
 *	kprobe on __SCT__tp_func_sched_switch; somebody enables the tracepoint → BUG()
 *
 * What sanitizers (KASAN, KCSAN, KMSAN, UBSAN), coverage (KCOV) and checks of preemption
 * (DEBUG_PREEMPT) add.  From a breakpoint to the kernel's check whether it is within a kprobe
 * already, no other breakpoint may be hit.  The kernel's list of what kprobes may not touch keeps
 * that way free, but not of what is added:
 *
 *	int3 → ct_nmi_enter() → __kasan_check_read() → int3 → ct_nmi_enter() → ...
 *	int3 → kprobe_int3_handler() → preempt_count_add() → preempt_latency_start() → int3 → ...
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/static_call_types.h>
#include <linux/string.h>

#include "code.h"

static const char *const st_unsafe_names[] = {
	STATIC_CALL_TRAMP_PREFIX_STR,
	"__asan_", "__hwasan_", "__kasan_", "kasan_", "__tsan_", "__kcsan_", "kcsan_",
	"__msan_", "kmsan_", "__ubsan_", "__sanitizer_", "preempt_latency_",
};

bool st_is_unsafe(unsigned long address)
{
	static char name[KSYM_SYMBOL_LEN];	/* under the modules lock */
	unsigned int i;

	sprint_symbol_no_offset(name, address);
	for (i = 0; i < ARRAY_SIZE(st_unsafe_names); i++)
		if (strstarts(name, st_unsafe_names[i]))
			return true;
	return false;
}
