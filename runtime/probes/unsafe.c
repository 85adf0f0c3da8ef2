// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Code on which the kernel takes a kprobe, and breaks.  It is known by its names, but for single
 * instructions (stepping.c).
 *
 * From a breakpoint to the kernel's check whether it is within a kprobe already, no other
 * breakpoint may be hit.  The kernel's list of what kprobes may not touch keeps that way free of
 * its own code, but not of what the compiler or the boot adds to it:
 *
 *	int3 → ct_nmi_enter() → __kasan_check_read() → int3 → ct_nmi_enter() → ...
 *	int3 → kprobe_int3_handler() → preempt_count_add() → preempt_latency_start() → int3 → ...
 *	int3 → a function's return → its_return_thunk → int3 → ...
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/static_call_types.h>
#include <linux/string.h>

#include "code.h"

/* What a name begins with. */
static const char *const st_unsafe_names[] = {
	/* Static calls' trampolines, each a jump that the kernel rewrites: it reads the old one
	 * first, and ends with BUG() when that is a breakpoint. */
	STATIC_CALL_TRAMP_PREFIX_STR,

	/* Sanitizers, coverage (KCOV) and checks of preemption (DEBUG_PREEMPT): a breakpoint's way
	 * leads through them. */
	"__asan_", "__hwasan_", "__kasan_", "kasan_", "__tsan_", "__kcsan_", "kcsan_",
	"__msan_", "kmsan_", "__ubsan_", "__sanitizer_", "preempt_latency_",

	/* What the kernel makes every return jump to, and some indirect jumps, on processors that
	 * guess their targets wrongly: so does a breakpoint's way. */
	"__x86_return_", "its_return_thunk", "__x86_indirect_its_thunk_", "srso_", "retbleed_",
	"zen_untrain_ret", "call_depth_return_thunk",

	/* Copied elsewhere, breakpoint and all, where the copy does not work: into the trampoline
	 * of each user of ftrace, and for kexec and the return from hibernation. */
	"ftrace_call", "ftrace_regs_call", "ftrace_epilogue", "ftrace_graph_call", "ftrace_stub",
	"relocate_kernel", "identity_mapped", "virtual_mapped", "swap_pages", "core_restore_code",

	/* What a processor that comes online runs before it has a table of exceptions (IDT) with
	 * breakpoints in it: they reset the machine. */
	"startup_64", "secondary_startup_64", "__startup_secondary_64", "start_cpu0", "verify_cpu",
	"sev_verify_cbit", "early_setup_idt", "set_bringup_idt_handler", "setup_ghcb",
	"start_secondary", "cr4_init", "cpu_init_secondary", "cpu_init_exception_handling",
	"cr4_set_bits", "cr4_update_irqsoff", "load_current_idt", "native_load_", "native_write_cr",
	"native_write_gdt_entry", "load_direct_gdt", "load_fixmap_gdt", "get_cpu_entry_area",
	"cc_platform_has", "amd_cc_platform_has", "intel_cc_platform_has",
	"memset", "__memset",		/* KASAN's calls the other */
	/* Such a function may be traced: what ftrace itself runs there if several tracers do it, and
	 * tracers before they find out that they may not (cpu_start.h). */
	"arch_ftrace_ops_list_func", "ftrace_ops_", "__ftrace_lookup_ip", "ftrace_lookup_ip",
	"hash_contains_ip", "rcu_is_watching",
	"function_trace_", "function_stack_", "function_no_repeats_", "function_profile_call",
	"function_graph_enter", "prepare_ftrace_return", "ftrace_graph_func", "ftrace_pid_func",
	"irqsoff_tracer_call", "wakeup_tracer_call", "stack_trace_call",
	"perf_ftrace_function_call", "fprobe_", "klp_ftrace_handler",

	/* The same while the base of GS, where per-CPU data begin, is 0: a breakpoint's way reads
	 * them. */
	"load_percpu_segment", "switch_to_new_gdt", "switch_gdt_and_percpu_base",

	/* The same when the machine wakes up. */
	"wakeup_long64", "do_suspend_lowlevel", "restore_registers", "restore_processor_state",
	"__restore_processor_state", "native_write_msr",

	/* The last that runs before kexec's next kernel: it gives up GS and the table of exceptions. */
	"machine_kexec",

	/* On a stack of one page, to call 32-bit firmware: a breakpoint needs more. */
	"__efi64_thunk",
};

bool st_is_unsafe(unsigned long address)
{
	static char name[KSYM_SYMBOL_LEN];	/* under the modules lock */
	unsigned int i;

	if (st_cant_step(address))
		return true;
	sprint_symbol_no_offset(name, address);
	for (i = 0; i < ARRAY_SIZE(st_unsafe_names); i++)
		if (strstarts(name, st_unsafe_names[i]))
			return true;
	return false;
}
