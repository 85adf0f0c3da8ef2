// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bases, and the modules that come and go.
 *
 * The kernel's base is the distance between where it is and where it was linked.  The loader gives
 * the bases of modules that are loaded before the script starts.  The bases of a module loaded
 * later are computed when the kernel's notifier reports it: relocated, but before any of its code
 * has run.  At that point its symbol table is whole.  A base that is a symbol is looked up there; a
 * section is found by symbols in it (anchors), whose offsets the script carries:
 *
 *	anchor: ext4_fill_super at .text + 0x4a10
 *	found:  ext4_fill_super at 0xffffffffc0854a10	->	.text at 0xffffffffc0850000
 *
 * A script made for another build of the module would probe the middle of instructions.
 * So the build-id that it carries must occur in the module's read-only data, where its
 * notes are; without one, every anchor must be found at its place.
 *
 * What the notifier reported is never overwritten by what the loader saw a moment before,
 * so the watch begins with our module's own life.
 */
#include <linux/bsearch.h>
#include <linux/elf.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "core/report.h"
#include "handler/compat.h"
#include "bases.h"
#include "mutex.h"

#define ST_NOTE_BUILD_ID 3
#define ST_BUILD_ID_MAX 64		/* bytes: as many as %*ph prints */

static DEFINE_MUTEX(st_modules_mutex);
static bool st_watching;
static const struct st_module_listener *st_listener;

void st_modules_lock(void)
{
	st_mutex_lock_idle(&st_modules_mutex);
}

void st_modules_unlock(void)
{
	mutex_unlock(&st_modules_mutex);
}

void st_modules_listen(const struct st_module_listener *listener)
{
	st_listener = listener;
}

/* ---- where bases are --------------------------------------------------------- */

static bool kernel_base(unsigned long *address)
{
	if (!st_program.anchor)
		return false;
	*address = (unsigned long)&ST_ANCHOR - st_program.anchor;
	return true;
}

bool st_base_address(unsigned int base, unsigned long *address)
{
	if (base >= st_program.nbases)
		return false;
	*address = READ_ONCE(st_program.bases[base].address);
	if (*address)
		return true;
	return base == 0 && kernel_base(address);
}

unsigned long st_variable_address(const struct st_kernel_variable *variable)
{
	unsigned long base;

	/* Until 6.15 x86 links per-CPU data at 0, and the kernel's base does not move it. */
	if (variable->base == 0 && (long)variable->address >= 0)
		return variable->address;
	return st_base_address(variable->base, &base) ? base + variable->address : 0;
}

unsigned long st_relocate(struct st_ctx *c, unsigned int base, unsigned long link_addr)
{
	unsigned long address;

	if (st_base_address(base, &address))
		return address + link_addr;
	st_error(c, "module %s is not loaded",
		 base < st_program.nbases ? st_program.bases[base].module : "?");
	return 0;
}

static void base_set(struct st_base *base, enum st_base_state state, unsigned long address)
{
	base->state = state;
	WRITE_ONCE(base->address, address);
}

int st_base_set(unsigned int base, unsigned long address, bool kprobes_may)
{
	struct st_base *b = &st_program.bases[base];

	if (base >= st_program.nbases)
		return st_fail(-EINVAL, "no base %u", base);
	st_modules_lock();
	if (b->state == ST_BASE_UNTOLD) {
		b->kprobes_may = kprobes_may;
		base_set(b, address ? ST_BASE_FOUND : ST_BASE_AWAITED, address);
	}
	st_modules_unlock();
	return 0;
}

bool st_base_of(unsigned int base, const struct module *module)
{
	return base < st_program.nbases && !strcmp(st_program.bases[base].module, module->name);
}

static void bases_set(const struct module *module, enum st_base_state state)
{
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++)
		if (st_base_of(i, module))
			base_set(&st_program.bases[i], state, 0);
}

/* ---- a module that comes ------------------------------------------------------- */

/* A symbol to look up. */
struct wanted {
	const char *name;
	unsigned long offset;		/* from its base */
	unsigned int base;
	unsigned int found;		/* symbols of this name */
	unsigned long address;		/* of the last */
};

struct wanted_list {
	struct wanted *v;
	unsigned int n;
};

static void want(struct wanted_list *list, unsigned int base, const char *name,
		 unsigned long offset)
{
	if (list->v)
		list->v[list->n] = (struct wanted){ .name = name, .offset = offset, .base = base };
	list->n++;
}

/* Lists the symbols that the module's bases need; a list without memory only counts them. */
static void want_all(struct wanted_list *list, const struct module *module)
{
	const struct st_anchor *a;
	unsigned int i;

	list->n = 0;
	for (i = 0; i < st_program.nbases; i++) {
		const struct st_base *b = &st_program.bases[i];

		if (!st_base_of(i, module))
			continue;
		if (b->section[0] == ST_BASE_SYMBOL)
			want(list, i, b->section + 1, 0);
		for (a = b->anchors; a && a->symbol; a++)
			want(list, i, a->symbol, a->offset);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->name, ((const struct wanted *)b)->name);
}

static int by_base(const void *a, const void *b)
{
	const struct wanted *p = a, *q = b;

	return p->base < q->base ? -1 : p->base > q->base;
}

/* Records a symbol's address; bases may share the symbol, and are neighbours in the list. */
static void found(struct wanted_list *list, const char *name, unsigned long address)
{
	struct wanted key = { .name = name };
	struct wanted *w = bsearch(&key, list->v, list->n, sizeof(key), by_name);

	if (!w)
		return;
	while (w > list->v && !strcmp(w[-1].name, name))
		w--;
	for (; w < list->v + list->n && !strcmp(w->name, name); w++) {
		w->found++;
		w->address = address;
	}
}

/*
 * Looks the symbols up in the module's table, which has all of them until its init function has
 * run.
 */
static void look_up(struct wanted_list *list, const struct module *module)
{
	const struct mod_kallsyms *all = rcu_dereference_protected(module->kallsyms, true);
	unsigned int i;

	sort(list->v, list->n, sizeof(*list->v), by_name, NULL);
	for (i = 1; i < all->num_symtab; i++) {
		const Elf_Sym *sym = &all->symtab[i];

		if (sym->st_shndx != SHN_UNDEF && sym->st_name)
			found(list, all->strtab + sym->st_name, sym->st_value);
	}
	sort(list->v, list->n, sizeof(*list->v), by_base, NULL);
}

/* Is there a build-id note at p whose n bytes are HEX? */
static bool is_build_id(const unsigned char *p, const char *hex, size_t n)
{
	const struct elf32_note *note = (const struct elf32_note *)p;
	char text[2 * ST_BUILD_ID_MAX + 1];

	if (note->n_namesz != 4 || note->n_descsz != n || note->n_type != ST_NOTE_BUILD_ID ||
	    memcmp(p + sizeof(*note), "GNU", 4))
		return false;
	snprintf(text, sizeof(text), "%*phN", (int)n, p + sizeof(*note) + 4);
	return !strcmp(text, hex);
}

static bool has_build_id(const struct module *module, const char *hex)
{
	size_t n = strlen(hex) / 2, whole = sizeof(struct elf32_note) + 4 + n, size;
	const unsigned char *p = st_module_rodata(module, &size), *end = p + size;

	for (; p && p + whole <= end; p += 4)
		if (is_build_id(p, hex, n))
			return true;
	return false;
}

/* Computes a base from its n symbols. */
static void base_resolve(struct st_base *base, const struct wanted *w, unsigned int n)
{
	unsigned long address = 0;
	unsigned int i, nfound = 0;

	for (i = 0; i < n; i++) {
		if (w[i].found != 1)
			continue;
		if (nfound++ && w[i].address - w[i].offset != address)
			goto other;
		address = w[i].address - w[i].offset;
	}
	if (base->anchors && !base->build_id && nfound < n)
		goto other;
	base_set(base, nfound ? ST_BASE_FOUND : ST_BASE_MISSING, address);
	return;
other:
	base_set(base, ST_BASE_OTHER_BUILD, 0);
}

static void bases_resolve(struct wanted_list *list, const struct module *module)
{
	unsigned int i, n;

	for (i = 0; i < list->n; i += n) {
		struct st_base *base = &st_program.bases[list->v[i].base];

		for (n = 1; i + n < list->n && list->v[i + n].base == list->v[i].base; n++)
			;
		if (base->build_id && !has_build_id(module, base->build_id))
			base_set(base, ST_BASE_OTHER_BUILD, 0);
		else
			base_resolve(base, &list->v[i], n);
	}
}

/*
 * Marks all sections of a module as another build's if one is, because then no other can be
 * trusted.
 */
static void agree_on_build(const struct module *module)
{
	bool other = false;
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++)
		other |= st_base_of(i, module) &&
			 st_program.bases[i].state == ST_BASE_OTHER_BUILD;
	for (i = 0; other && i < st_program.nbases; i++)
		if (st_base_of(i, module) && st_program.bases[i].anchors)
			base_set(&st_program.bases[i], ST_BASE_OTHER_BUILD, 0);
}

static int module_comes(const struct module *module)
{
	struct wanted_list list = { };

	want_all(&list, module);
	list.v = kvcalloc(list.n + 1, sizeof(*list.v), GFP_KERNEL);
	if (!list.v)
		return -ENOMEM;
	want_all(&list, module);
	bases_set(module, ST_BASE_MISSING);
	look_up(&list, module);
	bases_resolve(&list, module);
	agree_on_build(module);
	kvfree(list.v);
	return 0;
}

/* Forgets bases in memory that is freed next, after the init function. */
static void module_begun(const struct module *module)
{
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++) {
		struct st_base *b = &st_program.bases[i];

		if (st_base_of(i, module) && within_module_init(b->address, module))
			base_set(b, ST_BASE_AWAITED, 0);
	}
}

/*
 * Are the module's bases known?  One that was already loading when we registered reports only LIVE,
 * never COMING.
 */
static bool is_known(const struct module *module)
{
	unsigned int i;

	for (i = 0; i < st_program.nbases; i++)
		if (st_base_of(i, module) && st_program.bases[i].state > ST_BASE_AWAITED)
			return true;
	return false;
}

static void module_changes(const struct module *module, unsigned long state)
{
	bool live = state == MODULE_STATE_LIVE;
	bool comes = state == MODULE_STATE_COMING || (live && !is_known(module));
	int err = comes ? module_comes(module) : 0;

	if (live)
		module_begun(module);
	if (comes && st_listener)
		st_listener->comes(module, err);
	if (live && st_listener)
		st_listener->begun(module);
	if (state == MODULE_STATE_GOING) {
		if (st_listener)
			st_listener->goes(module);
		bases_set(module, ST_BASE_AWAITED);
	}
}

static int module_notify(struct notifier_block *nb, unsigned long state, void *data)
{
	const struct module *module = data;
	unsigned int i;

	for (i = 0; i < st_program.nbases && !st_base_of(i, module); i++)
		;
	if (i == st_program.nbases)
		return NOTIFY_DONE;
	st_modules_lock();
	module_changes(module, state);
	st_modules_unlock();
	return NOTIFY_OK;
}

static struct notifier_block st_watch = { .notifier_call = module_notify };

/* ---- the watch ----------------------------------------------------------------- */

int st_modules_watch(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < st_program.nbases && !strcmp(st_program.bases[i].module, "kernel"); i++)
		;
	if (i < st_program.nbases)
		err = register_module_notifier(&st_watch);
	st_watching = i < st_program.nbases && !err;
	return err;
}

/* Ends the watch. unregister_module_notifier() waits for callbacks under way. */
void st_modules_unwatch(void)
{
	if (st_watching)
		unregister_module_notifier(&st_watch);
	st_watching = false;
}
