/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses in the image of a kernel or module.
 *
 * For example jiffies, at 0xffffffff82a05940 in vmlinux, is TERM_IMAGE with base 0 and
 * that link address: the runtime adds the distance that the kernel was moved.  An address
 * of a program is TERM_PROGRAM: the distance is another in each process.
 */
#include "object.h"

#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/diag.h"
#include "debuginfo/symbols/symbols.h"
#include "session.h"

#define PERCPU_SECTION ".data..percpu"

/*
 * Tells whether ADDRESS is in the kernel's per-CPU section, which may be linked at 0 as if
 * it were not part of the image.
 */
static bool in_percpu_section(struct dwfile *f, uint64_t address, bool *at_zero)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(f->elf, &names) != 0)
		return false;
	while ((scn = elf_nextscn(f->elf, scn))) {
		const char *name;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(f->elf, names, sh.sh_name);
		if (!name || strcmp(name, PERCPU_SECTION) != 0)
			continue;
		*at_zero = sh.sh_addr == 0;
		return address - sh.sh_addr < sh.sh_size;
	}
	return false;
}

/*
 * Returns the run-time address of a kernel variable.  For a per-CPU variable this is the
 * address of the current CPU's copy.  If the per-CPU section is linked at 0, its addresses
 * are offsets that KASLR does not change.
 */
static const struct term *kernel_address(struct dwfile *f, uint64_t address)
{
	unsigned base = target_base(f->target, "kernel", "");
	bool at_zero;

	if (!in_percpu_section(f, address, &at_zero))
		return term_image(base, address);
	return term_this_cpu(at_zero ? term_number(address) : term_image(base, address));
}

/*
 * Returns the address of a module's per-CPU variable.  The per-CPU section is not loaded with the
 * module's other sections, but copied to where every CPU has room for it.  Its symbols have the
 * addresses there.
 */
static const struct term *module_percpu(struct dwfile *f, uint64_t address)
{
	uint64_t start;
	const char *name = data_symbol_at(f, address, &start);
	unsigned base;

	if (!name)
		return NULL;
	base = target_base(f->target, f->module, arena_printf("%c%s", ST_BASE_SYMBOL, name));
	return term_this_cpu(term_image(base, address - start));
}

const struct term *image_address(struct dwfile *f, uint64_t address)
{
	const struct section *s;

	if (f->is_kernel)
		return kernel_address(f, address);
	if (f->is_program)
		return term_program(target_program(f->target, f->module), address);
	s = dwfile_section(f, address);
	if (!s)
		return NULL;
	if (strcmp(s->name, PERCPU_SECTION) == 0)
		return module_percpu(f, address);
	return term_image(target_base(f->target, f->module, s->name), address - s->addr);
}

/* ---- variables by symbol -------------------------------------------------- */

/* names in a hint */
#define HINTS 3

static const char *near_variable(struct dwfile *f, const char *name)
{
	size_t n;
	const char **names = data_symbols(f, &n);

	return diag_nearest(name, names, n, HINTS);
}

int target_program_data(struct target *t, const char *path, const char *name, uint64_t *addr,
			struct problem *why)
{
	struct dwfile *f = program_open(t, path, why);
	const struct section *sect;

	if (!f)
		return -1;
	sect = symbol_address(f, name, addr) ? dwfile_section(f, *addr) : NULL;
	if (sect && !sect->exec)
		return 0;
	why->text = arena_printf(sect ? "'%s' is no variable of '%s'"
				      : "no variable '%s' among the symbols of '%s'", name, path);
	why->hint = near_variable(f, name);
	return -1;
}

int target_data(struct target *t, const char *name, struct data_place *out, struct problem *why)
{
	struct dwfile *f = target_file(t, "kernel", why);
	const struct section *sect;
	bool at_zero = false;

	why->hint = NULL;
	if (!f)
		return -1;
	if (!symbol_address(f, name, &out->addr)) {
		why->text = arena_printf("kernel %s has no variable '%s'", kernel_release(t->session->kernel),
				    name);
		why->hint = near_variable(f, name);
		return -1;
	}
	out->percpu = in_percpu_section(f, out->addr, &at_zero);
	out->linked = !(out->percpu && at_zero);
	sect = out->linked ? dwfile_section(f, out->addr) : NULL;
	if (out->linked && (!sect || sect->exec)) {
		why->text = arena_printf("the kernel has no variable '%s'", name);
		return -1;
	}
	if (out->linked)
		target_base(t, "kernel", "");
	return 0;
}
