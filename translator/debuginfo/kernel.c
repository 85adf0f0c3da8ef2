// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds and opens the kernel's and the modules' debug files.
 *
 * vmlinux is linked and half a gigabyte large.  It is mapped, so that only the
 * pages used are read, and they can be dropped at any time.  A module is a
 * relocatable object, whose DWARF libdwfl relocates in memory.
 */
#include <dirent.h>
#include <bpf/btf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/guard.h"
#include "base/sbuf.h"
#include "debuginfo/btf/btf.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/index/index.h"
#include "debuginfo/symbols/symbols.h"
#include "internal.h"
#include "session.h"

/* The runtime's ST_ANCHOR (runtime/abi/stap_script.h): see target_anchor(). */
#define ANCHOR "system_state"

#define HINTS 3		/* module names in a message */

struct target *target_open(struct session *s)
{
	struct target *t = arena_new(struct target);

	t->session = s;
	t->arch = arch_find(s->kernel->arch);
	elf_version(EV_CURRENT);
	return t;
}

static void close_file(struct dwfile *f)
{
	dwfile_names_release(f);
	if (f->index)
		index_close(f->index);
	if (f->eh_frame)
		dwarf_cfi_end(f->eh_frame);
	if (f->joined) {
		dwarf_end(f->dw);
		elf_end(f->joined);
		f->dw = f->first;
	}
	sbuf_free(&f->image);
	if (f->dwfl) {
		dwfl_end(f->dwfl);
		return;
	}
	if (f->dw)
		dwarf_end(f->dw);
	if (f->elf)
		elf_end(f->elf);
	if (f->own)
		elf_end(f->own);
	if (f->mini)
		elf_end(f->mini);
	free(f->mini_bytes);
	if (f->fd >= 0)
		close(f->fd);
	if (f->own_fd >= 0)
		close(f->own_fd);
	btf__free(f->btf);
}

void target_close(struct target *t)
{
	for (size_t i = 0; i < t->files.n; i++)
		close_file(t->files.v[i]);
	t->files.n = 0;
	target_close_code(t);
}

void target_close_last(struct target *t)
{
	close_file(t->files.v[--t->files.n]);
}

/* ---- one file --------------------------------------------------------------- */

static int by_address(const void *a, const void *b)
{
	const struct section *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void note_section(struct dwfile *f, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	struct section s = {
		.name = arena_strdup(name),
		.addr = sh->sh_addr,
		.size = sh->sh_size,
		.index = elf_ndxscn(scn),
		.exec = sh->sh_flags & SHF_EXECINSTR,
	};
	Elf_Data *d = sh->sh_type == SHT_NOBITS ? NULL : elf_rawdata(scn, NULL);

	if (d && d->d_size == s.size)
		s.data = d->d_buf;
	/* per-CPU data is linked at 0, so its addresses are not the kernel's */
	if (s.size && (f->dwfl || s.addr))
		vec_push(&f->sections, s);
}

/* Notes the file's sections.  Libdw must have opened it, because it decompresses them in place. */
static void note_sections(struct dwfile *f)
{
	size_t names;
	Elf_Scn *scn = NULL;

	if (elf_getshdrstrndx(f->elf, &names))
		return;
	while ((scn = elf_nextscn(f->elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (!gelf_getshdr(scn, &sh) || !(name = elf_strptr(f->elf, names, sh.sh_name)))
			continue;
		if (sh.sh_flags & SHF_ALLOC)
			note_section(f, scn, &sh, name);
	}
	dwsects_read(f->elf, "", &f->sects);
	if (f->sections.n)
		qsort(f->sections.v, f->sections.n, sizeof(*f->sections.v), by_address);
}

static void note_build_id(struct dwfile *f)
{
	const void *id;
	ssize_t n = dwelf_elf_gnu_build_id(f->elf, &id);

	f->build_id = n > 0 ? build_id_text(id, n) : NULL;
}

/* Is it an object for the target's machine?  If not, sets *WHY. */
static bool is_for_target(struct dwfile *f, struct problem *why)
{
	GElf_Ehdr eh;

	if (!gelf_getehdr(f->elf, &eh)) {
		why->text = arena_printf("'%s' is not an ELF file", f->path);
		return false;
	}
	if (!f->arch || eh.e_machine != f->arch->elf_machine) {
		why->text = arena_printf("'%s' is not for architecture %s", f->path,
				    f->target->session->kernel->arch);
		return false;
	}
	return true;
}

static struct dwfile *new_file(struct target *t, const char *module, const char *path)
{
	struct dwfile *f = arena_new(struct dwfile);

	f->target = t;
	f->arch = t->arch;
	f->module = module;
	f->path = path;
	f->fd = f->own_fd = -1;
	f->is_kernel = !strcmp(module, "kernel");
	return f;
}

struct dwfile *open_linked(struct target *t, const char *module, const char *path, bool program,
			   struct problem *why)
{
	struct dwfile *f = new_file(t, module, path);
	int fd = debug_file_open(path);

	why->text = NULL;
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			why->text = arena_printf("cannot open '%s': %s", path, strerror(errno));
		return NULL;
	}
	f->fd = fd;
	f->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!f->elf || !is_for_target(f, why))
		goto fail;
	f->dw = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	f->map = elf_rawfile(f->elf, &f->map_size);
	note_sections(f);
	note_build_id(f);
	if (f->dw && f->sects.info.n) {
		if (dwfile_complete(f, why))
			return f;
		goto fail;
	}
	if (program && elf_kind(f->elf) == ELF_K_ELF) {
		dwarf_end(f->dw);
		f->dw = NULL;
		return f;
	}
	why->text = arena_printf("'%s' has no debug information that can be read (%s)", path,
			    f->dw ? "no .debug_info section" : dwarf_errmsg(-1));
fail:
	if (!why->text)
		why->text = arena_printf("'%s' is not an ELF file: %s", path, elf_errmsg(-1));
	close_file(f);
	return NULL;
}

struct dwfile *target_memory_file(struct target *t, const char *module, const char *path,
				  struct sbuf *image, struct problem *why)
{
	struct dwfile *f = new_file(t, module, path);

	f->image = *image;
	f->elf = elf_memory(f->image.s, f->image.len);
	f->dw = f->elf ? dwarf_begin_elf(f->elf, DWARF_C_READ, NULL) : NULL;
	if (!f->dw) {
		why->text = arena_printf("cannot use the debug information of '%s': %s", path,
				    f->elf ? dwarf_errmsg(-1) : elf_errmsg(-1));
		close_file(f);
		return NULL;
	}
	note_sections(f);
	return f;
}

/* ---- the kernel ----------------------------------------------------------- */

/*
 * Finds the separate debug file of a stripped vmlinux, or by the build-id of
 * the image in /boot.  Returns NULL with *WHY; that is NULL if no build-id is
 * known.
 */
static const char *kernel_debug_file(struct session *s, const char *const *paths, size_t n,
				     struct problem *why)
{
	const char *id;

	why->text = NULL;
	for (size_t i = 0; i < n; i++) {
		const char *found = separate_debug_file(paths[i], why);

		if (found || why->text)
			return found;
	}
	id = build_id_of_kernel(s);
	return id ? debug_file_by_id("", arena_printf("kernel %s", kernel_release(s->kernel)), id, why)
		  : NULL;
}

static struct dwfile *open_kernel(struct target *t, struct problem *why)
{
	struct session *s = t->session;
	const char *r = kernel_release(s->kernel), *found_why = NULL, *path;
	struct problem sought = { 0 };
	const char *paths[] = {
		arena_printf(DEBUG_ROOT "/boot/vmlinux-%s", r),
		arena_printf(DEBUG_ROOT "/lib/modules/%s/vmlinux", r),
		arena_printf("/boot/vmlinux-%s", r),
		arena_printf("/lib/modules/%s/vmlinux", r),
		arena_printf("%s/vmlinux", kernel_build(s->kernel)),
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct dwfile *f = open_linked(t, "kernel", paths[i], false, why);

		if (f)
			return f;
		if (why->text && !found_why)
			found_why = why->text;
	}
	path = kernel_debug_file(s, paths, sizeof(paths) / sizeof(*paths), &sought);
	if (path) {
		struct dwfile *f = open_linked(t, "kernel", path, false, why);

		if (f)
			return f;
		found_why = why->text;
	} else if (sought.text && !found_why) {
		found_why = sought.text;
	}
	why->text = arena_printf("%s%sno debug information for kernel %s: looked for %s and %s; "
			    "install package linux-image-%s-dbg [man error::dwarf]",
			    found_why ? found_why : "", found_why ? "; " : "", r, paths[0],
			    paths[4], r);
	return NULL;
}

uint64_t target_kernel_symbol(struct target *t, const char *name)
{
	struct problem why = { 0 };
	struct dwfile *f = target_file(t, "kernel", &why);
	uint64_t addr;

	return f && symbol_address(f, name, &addr) ? addr : 0;
}

unsigned target_stack_bytes(struct target *t)
{
	enum { STACK = 16384, WITH_KASAN = 2 * STACK };
	struct kernel *k = t->session->kernel;

	if (!kernel_config_file(k))
		return 0;
	return kernel_config(k, "CONFIG_KASAN") ? WITH_KASAN : STACK;
}

struct kernel_variable target_kernel_variable(struct target *t, const char *name)
{
	uint64_t address = target_kernel_symbol(t, name);
	const char *symbol = arena_printf("%c%s", ST_BASE_SYMBOL, name);

	return (struct kernel_variable){
		.base = address ? 0 : target_base(t, "kernel", symbol),
		.address = address,
	};
}

uint64_t target_anchor(struct target *t)
{
	return target_kernel_symbol(t, ANCHOR);
}

const char *target_build_id(struct target *t)
{
	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i]->module, "kernel"))
			return t->files.v[i]->build_id;
	return NULL;
}

/* ---- modules ---------------------------------------------------------------- */

/*
 * "kernel/fs/ext4/ext4.ko.xz" becomes "ext4".  A '-' in a file's name is a '_'
 * in the module's.
 */
static char *module_name_of(const char *path)
{
	const char *base = strrchr(path, '/');
	const char *ko;
	char *name;

	base = base ? base + 1 : path;
	ko = strstr(base, ".ko");
	name = ko ? arena_strndup(base, ko - base) : arena_strdup(base);
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return name;
}

struct module_line {
	const char *name, *path;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct module_line *)a)->name, ((const struct module_line *)b)->name);
}

/* Reads modules.dep, whose lines are "PATH: PATHS OF NEEDED MODULES". */
static void read_modules(struct target *t)
{
	vec(struct module_line) found = { 0 };
	char *line = NULL;
	size_t room = 0;
	FILE *in;

	in = fopen(arena_printf("/lib/modules/%s/modules.dep",
				kernel_release(t->session->kernel)), "re");
	while (in && getline(&line, &room, in) > 0) {
		char *colon = strchr(line, ':');
		struct module_line m;

		if (!colon)
			continue;
		*colon = 0;
		m.path = arena_strdup(line);
		m.name = module_name_of(m.path);
		vec_push(&found, m);
	}
	free(line);
	if (in)
		fclose(in);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), by_name);
	t->module_names = arena_alloc((found.n + 1) * sizeof(char *));
	t->module_paths = arena_alloc((found.n + 1) * sizeof(char *));
	for (size_t i = 0; i < found.n; i++) {
		t->module_names[i] = found.v[i].name;
		t->module_paths[i] = found.v[i].path;
	}
	t->nmodules = found.n;
}

const char *const *target_modules(struct target *t, size_t *n)
{
	if (!t->module_names)
		read_modules(t);
	*n = t->nmodules;
	return t->module_names;
}

static const char *module_path(struct target *t, const char *module)
{
	size_t n;
	const char *const *names = target_modules(t, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], module))
			return t->module_paths[i];
	return NULL;
}

bool target_is_builtin(struct target *t, const char *module)
{
	bool found = false;
	char *line = NULL;
	size_t room = 0;
	FILE *in;

	in = fopen(arena_printf("/lib/modules/%s/modules.builtin",
				kernel_release(t->session->kernel)), "re");
	while (in && !found && getline(&line, &room, in) > 0)
		found = !strcmp(module_name_of(line), module);
	free(line);
	if (in)
		fclose(in);
	return found;
}

const char *target_no_module(struct target *t, const char *module)
{
	const char *r = kernel_release(t->session->kernel), *hint;
	const char *const *names;
	size_t n;

	if (target_is_builtin(t, module))
		return arena_printf("module '%s' is built into kernel %s: use kernel.function(…)",
				    module, r);
	names = target_modules(t, &n);
	hint = diag_nearest(module, names, n, HINTS);
	return arena_printf("kernel %s has no module '%s' (under /lib/modules/%s)%s%s", r, module,
			    r, hint ? "; did you mean " : "", hint ? hint : "");
}

static int no_separate_file(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
			    const char *file, const char *link, GElf_Word crc, char **out)
{
	(void)mod, (void)userdata, (void)name, (void)base;
	(void)file, (void)link, (void)crc, (void)out;
	return -1;
}

/* Reports the file to libdwfl, which owns FD on success; on failure this closes it. */
static Dwfl_Module *report(struct dwfile *f, int fd)
{
	Dwfl_Module *module = dwfl_report_offline(f->dwfl, f->module, f->path, fd);

	if (!module && fd >= 0)
		close(fd);
	return module;
}

struct dwfile *open_relocatable(struct target *t, const char *module, const char *path,
				struct problem *why)
{
	static const Dwfl_Callbacks callbacks = {
		.section_address = dwfl_offline_section_address,
		.find_debuginfo = no_separate_file,
	};
	struct dwfile *f = new_file(t, module, path);
	struct stat st;
	Dwarf_Addr bias;

	why->text = NULL;
	if (access(path, R_OK) || stat(path, &st)) {
		if (errno != ENOENT && errno != ENOTDIR)
			why->text = arena_printf("cannot read '%s': %s", path, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {	/* opening a pipe or a terminal would block */
		why->text = arena_printf("'%s' is not a file", path);
		return NULL;
	}
	int fd = debug_file_open(path);

	if (fd < 0) {		/* libdwfl would open it again */
		why->text = arena_printf("cannot open '%s': %s", path, strerror(errno));
		return NULL;
	}
	f->dwfl = dwfl_begin(&callbacks);
	if (f->dwfl)
		f->dwfl_module = report(f, fd);
	/* dwfl_module_getelf() would relocate the code too */
	if (f->dwfl_module)
		f->dw = dwfl_module_getdwarf(f->dwfl_module, &bias);
	f->elf = f->dw ? dwarf_getelf(f->dw) : NULL;
	if (!f->elf) {
		why->text = arena_printf("cannot read debug information of '%s': %s", path,
				    dwfl_errmsg(-1));
		goto fail;
	}
	if (!is_for_target(f, why))
		goto fail;
	note_sections(f);
	note_build_id(f);
	if (!f->sects.info.n)
		why->text = arena_printf("'%s' has no debug information", path);
	else if (dwfile_complete(f, why))
		return f;
fail:
	close_file(f);
	return NULL;
}

const char *target_module_file(struct target *t, const char *module)
{
	const char *path = strchr(module, '/') ? module : module_path(t, module);

	return !path || path == module ? path :
	       arena_printf("/lib/modules/%s/%s", kernel_release(t->session->kernel), path);
}

/* Opens a module's own file, or its separate debug file. */
static struct dwfile *open_with_debug(struct target *t, const char *module, const char *path,
				      struct problem *why)
{
	struct dwfile *f = open_relocatable(t, module, path, why);
	const char *own = why->text, *debug;
	struct problem sought = { 0 };

	if (f || !own)
		return f;
	debug = separate_debug_file(path, &sought);
	if (debug)
		f = open_relocatable(t, module, debug, why);
	if (!f)
		why->text = sought.text ? arena_printf("%s; %s", own, sought.text) : why->text;
	return f;
}

/* Opens a module's debug file at a fixed path, if it has the module's build-id. */
static struct dwfile *open_placed(struct target *t, const char *module, const char *path,
				  struct problem *why)
{
	struct dwfile *f = open_relocatable(t, module, path, why);
	const char *file = target_module_file(t, module);
	const char *own = f && f->build_id ? build_id_of_file(file) : NULL;

	if (!own || !strcmp(own, f->build_id))
		return f;
	why->text = arena_printf("'%s' is from another build than '%s': its build-id is %s, not %s",
			    path, file, f->build_id, own);
	close_file(f);
	return NULL;
}

static struct dwfile *open_module(struct target *t, const char *module, struct problem *why)
{
	const char *r = kernel_release(t->session->kernel), *path, *plain, *debug, *ko;
	struct dwfile *f;

	if (strchr(module, '/')) {
		f = open_with_debug(t, module_name_of(module), module, why);
		if (!f && !why->text)
			why->text = arena_printf("no file '%s'", module);
		return f;
	}
	path = module_path(t, module);
	if (!path) {
		why->text = target_no_module(t, module);
		return NULL;
	}
	ko = strstr(path, ".ko");
	plain = ko ? arena_strndup(path, ko + 3 - path) : path;
	debug = arena_printf(DEBUG_ROOT "/lib/modules/%s/%s", r, plain);
	f = open_placed(t, module, debug, why);
	if (!f && !why->text)
		f = open_placed(t, module, arena_printf("%s.debug", debug), why);
	if (!f && !why->text)
		f = open_with_debug(t, module, target_module_file(t, module), why);
	if (!f)
		why->text = arena_printf("no debug information for module '%s' of kernel %s: looked "
				    "for %s%s%s; install package linux-image-%s-dbg "
				    "[man error::dwarf]", module, r, debug, why->text ? "; " : "", why->text ? why->text : "", r);
	return f;
}

/* Adds to *WHY that the kernel's headers are missing too, so that pass 4 needn't say it later. */
static void note_headers(struct kernel *k, struct problem *why)
{
	if (!kernel_has_headers(k))
		why->text = arena_printf("%s; no headers for kernel %s either: %s", why->text,
					 kernel_release(k), kernel_advice(k));
}

/* Opens DWARF, or else BTF, or the one that --debuginfo asks for. */
static struct dwfile *open_file(struct target *t, const char *module, struct problem *why)
{
	const struct options *o = &t->session->options;
	bool copy = o->kernel_btf && !strchr(module, '/');
	enum debuginfo use = o->debuginfo == DEBUGINFO_ANY && copy ? DEBUGINFO_BTF : o->debuginfo;
	const char *no_dwarf = NULL;
	struct dwfile *f = NULL;

	if (use == DEBUGINFO_NONE) {
		why->text = "debug information is turned off (--debuginfo=none)";
		return NULL;
	}
	if (use != DEBUGINFO_BTF)
		f = strcmp(module, "kernel") ? open_module(t, module, why) : open_kernel(t, why);
	if (f || use == DEBUGINFO_DWARF)
		return f;
	no_dwarf = why->text;
	if (no_dwarf && strchr(module, '/') && access(module, F_OK))
		return NULL;
	f = open_btf(t, module, why);
	if (!f && use != DEBUGINFO_BTF && strcmp(no_dwarf, why->text))
		why->text = arena_printf("%s; %s", no_dwarf, why->text);
	if (!f && !strcmp(module, "kernel"))
		note_headers(t->session->kernel, why);
	return f;
}

struct dwfile *target_file(struct target *t, const char *module, struct problem *why)
{
	bool headers = strchr(module, '<'), program = !headers && is_program(module);
	struct dwfile *f;

	if (!headers && !strchr(module, '/'))
		module = module_name_of(module);

	for (size_t i = 0; i < t->files.n; i++)
		if (!strcmp(t->files.v[i]->module, module) ||
		    !strcmp(t->files.v[i]->path, module)) {
			guard_reading(t->files.v[i]->path);
			return t->files.v[i];
		}
	f = headers ? headers_file(t, module, why) : program ? program_open(t, module, why)
						 : open_file(t, module, why);
	if (f) {
		f->base = t->files.n;
		vec_push(&t->files, f);
	}
	return f;
}
