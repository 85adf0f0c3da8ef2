// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds code where the kernel accepts a kprobe, and breaks, or where it accepts one and never hits it.
 *
 * runtime/probes/unsafe.c tells why only functions that tracers are let into get kprobes, and translator's
 * places/steppable.c which instructions inside them.  What the translator could not know is whether a
 * function of which it had just the name has an ftrace site: it begins with a call, or with the NOP that
 * stands for it, perhaps behind a landing pad:
 *
 *	vfs_read	f3 0f 1e fa  0f 1f 44 00 00	endbr64; nop
 *	vfs_read	e8 …				call, while it is traced
 *	do_int3		f3 0f 1e fa  55			endbr64; push %rbp
 *
 * A kernel with indirect branch tracking puts a NOP in place of the landing pad of a function that nothing
 * calls through a pointer: 66 0f 1f 00, or 0f 1f 40 d6 since Linux 6.14.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "common/symbols.h"
#include "internal.h"
#include "system.h"

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"

enum { LANDING_PAD = 0xfa1e0ff3, SEALED = 0x001f0f66, SEALED_LATER = 0xd6401f0f, NOP = 0x00441f0f, CALL = 0xe8, BREAKPOINT = 0xcc };

/* Prefixes of the names of functions that have an ftrace site or a good instruction, and are unsafe. */
static const char *const unsafe_names[] = {
	"__SCT__", "__ubsan_",
	"load_current_idt",		/* a CPU that starts can't take a fault, such as reading a bad address is */
	"machine_kexec",
};

/*
 * Prefixes of the names of functions that the kernel calls for a handler: it runs the program, and the program's
 * helpers read memory, find elements, walk the stack and output records.  A breakpoint inside one is hit within
 * a kprobe, and stepped; one more, in what an NMI runs meanwhile, is the third at once, at which the kernel stops
 * with a BUG.  A module's handlers keep that apart (probes/kprobe_state.h).
 */
static const char *const helpers[] = {
	"____bpf_", "__bpf_", "bpf_", "trace_call_bpf", "kprobe_", "kretprobe_", "uprobe_", "uretprobe_", "__kprobe_",
	"copy_from_kernel_", "copy_from_user_", "strncpy_from_", "strnlen_", "__copy_from_user",
	"__htab_", "htab_", "lookup_nulls_", "lookup_elem_", "array_map_", "percpu_array_", "pcpu_",
	"get_perf_callchain", "get_callchain", "perf_callchain", "perf_", "unwind_", "__unwind_", "get_stack_info",
	"ktime_get", "irq_work_", "__irq_work_", "arch_irq_work_", "_raw_", "migrate_", "__rcu_", "rcu_",
};

static bool begins_as_one_of(const char *name, const char *const *prefixes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static bool has_unsafe_name(const char *name)
{
	return begins_as_one_of(name, unsafe_names, sizeof(unsafe_names) / sizeof(*unsafe_names));
}

static bool serves_handlers(const char *name)
{
	return begins_as_one_of(name, helpers, sizeof(helpers) / sizeof(*helpers));
}

static bool is_in_module(const struct ir_place *place)
{
	return strcmp(place->module, "kernel") != 0;
}

static bool has_ftrace_site(uint64_t function)
{
	uint32_t word;

	if (system_peek(function, &word))
		return false;
	if ((word == LANDING_PAD || word == SEALED || word == SEALED_LATER) && system_peek(function + 4, &word))
		return false;
	return word == NOP || (word & 0xff) == CALL || (word & 0xff) == BREAKPOINT;
}

/*
 * Would the kernel read beyond a module's code, when a kprobe with a breakpoint is set at the address?  It decodes the
 * function to its end, which is the next symbol, or where the pages end (runtime/arch/x86/code.c).
 */
static bool is_decoded_beyond(uint64_t address)
{
	enum { PAGE = 4096, PAGES = 1024, TAIL = 16, BREAKPOINTS = 0xcccccccc };
	uint64_t next = symbols_next_of_modules(address), end = address / PAGE * PAGE + PAGE;
	uint32_t word;

	for (unsigned i = 0; i < PAGES; i++, end += PAGE) {
		if (next && next <= end)
			return false;
		if (!system_is_mapped(end))
			break;
	}
	for (unsigned at = TAIL; at; at -= sizeof(word))
		if (system_peek(end - at, &word) || word != (uint32_t)BREAKPOINTS)
			return true;
	return false;
}

/* Has a sysctl switched ftrace off?  Then the kernel accepts kprobes at its sites, which are never hit. */
static bool ftrace_is_off(void)
{
	static int enabled = -1;
	FILE *f = enabled < 0 ? fopen(FTRACE_ENABLED, "re") : NULL;

	if (enabled < 0 && (!f || fscanf(f, "%d", &enabled) != 1))
		enabled = 1;
	if (f)
		fclose(f);
	return !enabled;
}

int why_unsafe(const struct ir_place *place, uint64_t address)
{
	if (place->code == IR_CODE_UNSAFE || has_unsafe_name(place->func))
		return EINVAL;
	if (place->code == IR_CODE_STEPPED)
		return serves_handlers(place->func) || (is_in_module(place) && is_decoded_beyond(address)) ? EINVAL : 0;
	if (place->code == IR_CODE_NAMED && !has_ftrace_site(address))
		return EINVAL;
	return ftrace_is_off() ? EBUSY : 0;
}
