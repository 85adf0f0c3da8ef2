// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the functions of a kernel or a module by symbols alone.
 *
 * A System.map has the kernel's, /proc/kallsyms the running kernel's and its modules', a line
 * for each symbol:
 *
 *	ffffffff813ad5e0 T vfs_read
 *	ffffffffc0310000 t loop_configure	[loop]
 *
 * Otherwise they are in the symbol table of a vmlinux, or of a module's file.  BTF has some of
 * a kernel's functions: what it lacks may exist.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/regular.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/files/payload.h"
#include "debuginfo/internal.h"
#include "debuginfo/renamed.h"
#include "debuginfo/symbols/match.h"
#include "session.h"
#include "debuginfo/symbols/symbols.h"

#define HINTS 3

/* Collects the names that match a pattern, one for each function. */
struct search {
	const char *pattern;
	bool glob;
	text_list found;
};

/* How many of a kernel's or a module's functions were seen. */
enum extent { SAW_NONE, SAW_SOME, SAW_ALL };

static void take(struct search *s, const char *name)
{
	if (s->glob ? match_glob(s->pattern, name) && !is_cold_part(name)
		    : !strcmp(s->pattern, name))
		vec_push(&s->found, arena_strdup(name));
}

/* ---- lines of text ------------------------------------------------------------------ */

/* Parses "ADDRESS TYPE NAME\t[MODULE]" in place; returns the name if it is MODULE's function. */
static const char *function_in(char *line, const char *module)
{
	char *type = strchr(line, ' '), *owner;

	if (!type || !type[1] || !strchr("tTwW", type[1]) || type[2] != ' ')
		return NULL;
	owner = strchr(type + 3, '\t');
	if (owner)
		*owner++ = '\0';
	if (!owner)
		return strcmp(module, "kernel") ? NULL : type + 3;
	owner += *owner == '[';
	owner[strcspn(owner, "]")] = '\0';
	return strcmp(module, owner) ? NULL : type + 3;
}

static enum extent search_lines(struct search *s, const char *path, const char *module)
{
	enum extent saw = SAW_NONE;
	struct sbuf text = { 0 };
	char *rest, *line;

	file_read_from(regular_open(path), &text);
	rest = text.s;
	while (rest && (line = strsep(&rest, "\n"))) {
		const char *name = function_in(line, module);

		if (name) {
			saw = SAW_ALL;
			take(s, name);
		}
	}
	sbuf_free(&text);
	return saw;
}

/* Searches System.map files.  Debian's in /boot is a note without symbols, so others follow. */
static enum extent search_maps(struct search *s, const struct session *session)
{
	const char *r = kernel_release(session->kernel);
	const char *const paths[] = {
		arena_printf("%s/System.map", kernel_build(session->kernel)),
		arena_printf("/boot/System.map-%s", r),
		arena_printf(DEBUG_ROOT "/boot/System.map-%s", r),
		arena_printf("/lib/modules/%s/System.map", r),
	};
	enum extent saw = SAW_NONE;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths) && !saw; i++)
		saw = search_lines(s, paths[i], "kernel");
	return saw;
}

/* ---- symbol tables ------------------------------------------------------------------- */

/* Is the symbol a function?  One from assembler may have no type. */
static bool is_function(Elf *elf, const GElf_Sym *sym)
{
	GElf_Shdr sh;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	return GELF_ST_TYPE(sym->st_info) == STT_FUNC ||
	       (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE &&
		gelf_getshdr(elf_getscn(elf, sym->st_shndx), &sh) && (sh.sh_flags & SHF_EXECINSTR));
}

static enum extent search_table(struct search *s, Elf *elf)
{
	enum extent saw = SAW_NONE;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *d = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB
			    ? elf_getdata(scn, NULL) : NULL;

		for (size_t i = 0; d && sh.sh_entsize && i < d->d_size / sh.sh_entsize; i++) {
			const char *name;
			GElf_Sym sym;

			if (!gelf_getsym(d, i, &sym) || !is_function(elf, &sym) ||
			    !(name = elf_strptr(elf, sh.sh_link, sym.st_name)) || !*name)
				continue;
			saw = SAW_ALL;
			take(s, name);
		}
	}
	return saw;
}

static enum extent search_debug_file(struct search *s, struct target *t, const char *module)
{
	struct problem why = { 0 };
	struct dwfile *f = target_file(t, module, &why);
	enum extent saw = f ? search_table(s, f->elf) : SAW_NONE;

	return saw && f->by_symbol ? SAW_SOME : saw;
}

/* Searches the symbol table of a module's file, which may be compressed. */
static enum extent search_module_file(struct search *s, const char *path)
{
	enum extent saw = SAW_NONE;
	struct problem why = { 0 };
	struct bytes bytes;
	Elf *elf;

	if (!path || !payload_read(path, &bytes, &why))
		return SAW_NONE;
	guard_reading(path);
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)bytes.p, bytes.n);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		saw = search_table(s, elf);
	elf_end(elf);
	free(bytes.p);
	return saw;
}

/* ---- the answer ------------------------------------------------------------------------ */

static enum extent search(struct search *s, struct target *t, const char *module)
{
	bool kernel = !strcmp(module, "kernel");
	enum extent saw = kernel ? search_maps(s, t->session)
				 : search_module_file(s, target_module_file(t, module));

	if (!saw && kernel_runs(t->session->kernel))
		saw = search_lines(s, "/proc/kallsyms", module);
	if (!saw && kernel)
		saw = search_debug_file(s, t, module);
	return saw;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorts the names, and drops names that several functions have.  Returns whether there were any. */
static bool drop_ambiguous(text_list *names)
{
	size_t kept = 0, had = names->n;

	if (had)
		qsort(names->v, had, sizeof(*names->v), by_text);
	for (size_t i = 0, same; i < had; i += same) {
		for (same = 1; i + same < had && !strcmp(names->v[i], names->v[i + same]); same++)
			;
		if (same == 1)
			names->v[kept++] = names->v[i];
	}
	names->n = kept;
	return kept < had;
}

static const char *meant(struct target *t, const char *module, const char *wanted)
{
	const char *now = strcmp(module, "kernel") ? NULL : renamed(t->session, RENAMED_FUNCTION, wanted);
	struct search all = { .pattern = "*", .glob = true };

	if (now)
		return now;
	search(&all, t, module);
	return diag_nearest(wanted, all.found.v, all.found.n, HINTS);
}

enum names_known target_function_names(struct target *t, const char *module, const char *pattern,
				       text_list *out, struct problem *why)
{
	struct search s = { .pattern = pattern, .glob = is_glob(pattern) };
	enum extent saw = search(&s, t, module);
	const char *owner = strcmp(module, "kernel") ? arena_printf("module '%s'", module)
						     : "the kernel";
	bool several = drop_ambiguous(&s.found);

	*out = s.found;
	if (out->n)
		return NAMES_FOUND;
	if (several) {
		why->text = arena_printf("%s has several functions '%s': only debug information tells "
					 "them apart, for kernel.function or module.function",
					 owner, pattern);
		return NAMES_ABSENT;
	}
	if (saw == SAW_ALL) {
		why->text = arena_printf("%s has no function '%s'", owner, pattern);
		if (!why->no_hint && !s.glob)
			why->hint = meant(t, module, pattern);
		return NAMES_ABSENT;
	}
	if (strcmp(module, "kernel") && !target_module_file(t, module)) {
		why->text = target_no_module(t, module);
		return target_is_builtin(t, module) ? NAMES_ABSENT : NAMES_UNKNOWN;
	}
	why->text = arena_printf("this machine has no list of the functions of %s (%s)", owner,
				 kernel_release(t->session->kernel));
	return NAMES_UNKNOWN;
}
