// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does the kernel let tracers into one of its functions?
 *
 * Elsewhere a breakpoint may crash the machine: in the breakpoint handler itself and what it
 * calls, in code that runs before a CPU has its IDT, in code that is copied or rewritten.
 * Such code has no ftrace site.  But other code has none either, and is harmless: parts that
 * the compiler moved out of a function, inline functions that were compiled out of line, and
 * functions of lib/:
 *
 *	vfs_read		has a site
 *	vfs_read.cold		none: it is vfs_read's
 *	__mod_timer		none: "inline" includes "notrace"; kernel/time/timer.c is compiled with -pg
 *	kobject_add		none: lib/ is compiled without -pg, as tracers call some of it, but the
 *				breakpoint handler calls only sanitizers there
 *	ring_buffer_write	none: so is kernel/trace/
 *	preempt_latency_start	none: declared inline, but beside preempt_count_add(), which the breakpoint
 *				handler calls, and which is in kprobes' blacklist
 *	native_load_idt		none: declared inline, but in arch/, whose headers have the code that
 *				starts a CPU
 */
#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/aranges.h"
#include "debuginfo/index/index.h"
#include "traceable.h"

/* A function that is in every kernel's sources. */
#define FIRST_FUNCTION "start_kernel"
#define FIRST_FILE "init/main.c"

/* Do all functions of that name have a site? */
static bool is_site_of(struct dwfile *f, const char *name)
{
	size_t n, found = 0;
	struct func_symbol *syms = symbols_named(f, name, &n);
	uint64_t past;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(syms[i].name, name))
			continue;
		if (!is_ftrace_site(f, syms[i].addr, syms[i].size, &past))
			return false;
		found++;
	}
	return found;
}

/* Was the unit compiled with -pg?  GCC notes it as -p. */
static bool is_compiled_for_tracing(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *options = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));

	return options && (strstr(options, " -p ") || strstr(options, " -pg "));
}

/*
 * Does the unit have functions that kprobes may not touch, besides those freed after boot?  They may
 * call its inline functions.
 */
static bool has_forbidden(struct dwfile *f, Dwarf_Die *unit)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0) {
		const struct section *sect = dwfile_section(f, low);

		if (sect && strncmp(sect->name, ".init.", 6) && strncmp(sect->name, ".exit.", 6) &&
		    is_any_forbidden(f, low, high))
			return true;
	}
	return at < 0;
}

/* Finds the unit of FIRST_FUNCTION. */
static bool find_first_unit(struct dwfile *f, Dwarf_Die *unit)
{
	struct problem why = { 0 };
	uint64_t offset = ARANGES_NONE;
	struct func_symbol *first;
	const struct index_func *function;
	struct index *ix;
	struct cu cu;
	Dwarf_Die die;
	uint32_t name;
	size_t n;

	first = symbols_named(f, FIRST_FUNCTION, &n);
	if (n)
		aranges_find(f, &first->addr, &offset, 1);
	if (offset != ARANGES_NONE)
		return cu_header(&cu, &f->sects, offset) && dwfile_die(f, cu.first, unit);
	/* Clang leaves the ranges out. */
	ix = n ? index_open(f, &why) : NULL;
	if (!ix || !index_lookup(ix, FIRST_FUNCTION, &name))
		return false;
	function = index_funcs(ix, name, &n);
	return n && dwfile_die(f, function->die, &die) && dwarf_diecu(&die, unit, NULL, NULL);
}

/*
 * Returns what the compiler put before the paths of the kernel's sources, as in
 * "../../../init/main.c", "/build/linux/init/main.c" or "init/main.c"; NULL if that isn't known.
 */
static const char *source_root(struct dwfile *f)
{
	const char *name;
	size_t root;
	Dwarf_Die unit;

	if (f->sought_root)
		return f->source_root;
	f->sought_root = true;
	name = find_first_unit(f, &unit) ? dwarf_diename(&unit) : NULL;
	if (!name || strlen(name) < strlen(FIRST_FILE))
		return NULL;
	root = strlen(name) - strlen(FIRST_FILE);
	if (!strcmp(name + root, FIRST_FILE))
		f->source_root = arena_strndup(name, root);
	return f->source_root;
}

/* Is the unit a file of the kernel's lib/? */
static bool is_library(struct dwfile *f, Dwarf_Die *unit)
{
	const char *name = dwarf_diename(unit), *root = name ? source_root(f) : NULL;

	return root && !strncmp(name, root, strlen(root)) && !strncmp(name + strlen(root), "lib/", 4);
}

/* Was the function at ADDR, which contains the DIE, declared inline, and not for one architecture? */
static bool is_declared_inline(struct dwfile *f, uint64_t addr, Dwarf_Die *die)
{
	Dwarf_Die function;
	Dwarf_Attribute attr;
	Dwarf_Word how;
	Dwarf_Addr entry;
	const char *file;

	if (!dwfile_enclosing(f, die, &function) ||
	    dwarf_entrypc(&function, &entry) || entry != addr ||
	    !dwarf_attr_integrate(&function, DW_AT_inline, &attr) ||
	    dwarf_formudata(&attr, &how))
		return false;
	file = dwarf_decl_file(&function);
	return (how == DW_INL_declared_inlined || how == DW_INL_declared_not_inlined) && file &&
	       !strstr(file, "arch/");
}

static bool is_good_without_site(struct dwfile *f, uint64_t addr, Dwarf_Off off)
{
	Dwarf_Die die, unit;

	if (!off || !dwfile_die(f, off, &die) || !dwarf_diecu(&die, &unit, NULL, NULL) ||
	    has_forbidden(f, &unit))
		return false;
	return is_library(f, &unit) ||
	       (is_compiled_for_tracing(&unit) && is_declared_inline(f, addr, &die));
}

bool is_traceable(struct dwfile *f, const struct func_symbol *sym, Dwarf_Off die)
{
	uint64_t past;

	if (!f->is_kernel || is_ftrace_site(f, sym->addr, sym->size, &past))
		return true;
	if (!sym->name)
		return false;
	if (is_cold_part(sym->name))
		return is_site_of(f, arena_strndup(sym->name, strstr(sym->name, ".cold") - sym->name));
	return is_good_without_site(f, sym->addr, die);
}
