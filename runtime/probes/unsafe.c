// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds code where the kernel accepts a kprobe, and breaks.
 *
 * From a breakpoint to the kernel's check whether it is within a kprobe already, no other
 * breakpoint may be hit.  The kernel's list of what kprobes may not touch keeps that way free of
 * its own code, but not of what the compiler or the boot adds to it:
 *
 *	int3 → ct_nmi_enter() → __kasan_check_read() → int3 → ct_nmi_enter() → ...
 *	int3 → a function's return → its_return_thunk → int3 → ...
 *
 * Other code runs before a CPU can take a breakpoint, or when it can't any more, is rewritten
 * (static calls), or copied elsewhere (ftrace's trampolines).  The kernel's developers keep ftrace
 * out of all this too, because a tracer is as bad there.  So kprobes get only functions that
 * tracers are let into: those with an ftrace site, parts of them, inline ones or the library's that
 * the translator knows (translator/debuginfo/places/traceable.c), and two by name.  Modules have no
 * such code, but for static calls.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/static_call_types.h>
#include <linux/string.h>

#include "arch/arch.h"
#include "code.h"

/* Prefixes of unsafe names, into which tracers are let, or that modules have. */
static const char *const st_unsafe_names[] = {
	/*
	 * Trampolines of static calls.  Each is a jump that the kernel rewrites: it first reads the
	 * old one, and ends with BUG() if that is a breakpoint.
	 */
	STATIC_CALL_TRAMP_PREFIX_STR,

	/* Functions of lib/ that are called wherever the compiler can't rule out an error. */
	"__ubsan_",
};

/*
 * Functions of the scheduler that are closed to tracers for other reasons: a tracer calls the one,
 * and the other changes stacks under the function graph tracer.
 */
static const char *const st_safe_names[] = { "__schedule", "__switch_to" };

static bool is_known_good(const char *name)
{
	size_t n = strcspn(name, "+");
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(st_safe_names); i++)
		if (strlen(st_safe_names[i]) == n && !strncmp(name, st_safe_names[i], n))
			return true;
	return false;
}

static bool is_in_module(const struct st_site *site)
{
	return site->base != ST_NO_BASE && strcmp(st_program.bases[site->base].module, "kernel");
}

/* A function, from what sprint_symbol() says of an address in it: "name+0x4/0x10", with " [module]". */
struct function {
	unsigned long start, end;
};

/* Returns false if the kernel knows no function there. */
static bool parse_function(struct function *f, unsigned long address, const char *name)
{
	const char *plus = strchr(name, '+');
	unsigned long offset, size;

	if (!plus || sscanf(plus, "+%lx/%lx", &offset, &size) != 2)
		return false;
	f->start = address - offset;
	f->end = f->start + size;
	return true;
}

/* Returns where the code of the place's function ends, or 0 if that is unknown: the kernel knows where the next
 * symbol begins. */
static unsigned long code_end(const struct st_place *place)
{
	return place->site->rest ? place->address + place->site->rest : 0;
}

bool st_is_unsafe(const struct st_place *place)
{
	static char name[KSYM_SYMBOL_LEN];	/* under the modules lock */
	struct function f;
	unsigned int i;
	bool known;

	if (st_cant_step(place->address))
		return true;
	sprint_symbol(name, place->address);
	known = parse_function(&f, place->address, name);
	if (st_arch_is_unsafe(name))
		return true;
	for (i = 0; i < ARRAY_SIZE(st_unsafe_names); i++)
		if (strstarts(name, st_unsafe_names[i]))
			return true;
	/* A kprobe at an ftrace site has no breakpoint. */
	if (known && st_arch_is_decoded_beyond(code_end(place), f.end) &&
	    !(place->address == f.start && st_ftrace_reaches(f.start)))
		return true;
	return !place->site->traceable && !is_in_module(place->site) &&
	       !is_known_good(name) && !(known && st_ftrace_reaches(f.start));
}
