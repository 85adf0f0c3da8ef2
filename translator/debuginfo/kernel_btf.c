// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the kernel's or a module's BTF as a debug file, whose places have names instead of addresses.
 *
 * Decompressing a kernel's image and translating its BTF to DWARF take longer than all else that stap does for
 * a small script.  So the translation is kept in the cache, by what identifies the BTF's file and the stap
 * that made it.
 */
#include <bpf/btf.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/hash.h"
#include "debuginfo/btf/btf.h"
#include "debuginfo/btf/btf_dwarf.h"
#include "internal.h"
#include "kit/cache.h"
#include "session.h"

#define KEPT ".types"

/* ---- what is kept ---------------------------------------------------------------------- */

/* Returns the key of a translation, with the BTF's file; or NULL if it can't be kept. */
static const char *key_of(struct target *t, const char *module, const char **path)
{
	struct session *s = t->session;
	struct hash *h = hash_new();

	hash_string(h, "BTF as DWARF");
	hash_path_identity(h, "/proc/self/exe");
	hash_string(h, s->kernel->arch);
	*path = btf_identify(s, "vmlinux", NULL, h);
	if (*path && strcmp(module, "kernel"))
		*path = btf_identify(s, module, target_module_file(t, module), h);

	const char *key = hash_hex(h);

	return *path && !s->options.disable_cache ? key : NULL;
}

static struct dwfile *open_kept(struct target *t, const char *module, const char *path, const char *key)
{
	const char *kept = cache_get(t->session, key, KEPT);
	struct problem ignored;
	struct dwfile *f = kept ? open_linked(t, module, kept, false, &ignored) : NULL;

	if (!f)
		return NULL;
	/* It is mapped.  The index of its names isn't of this file, whose times change with each use. */
	elf_cntl(f->elf, ELF_C_FDDONE);
	close(f->fd);
	f->fd = -1;
	f->path = path;
	f->by_symbol = true;
	return f;
}

/* ---- translating ------------------------------------------------------------------------- */

/* Returns the kernel's BTF, which a module's extends; NULL with *WHY if its DWARF is in use. */
static struct btf *kernel_btf(struct target *t, struct problem *why)
{
	struct dwfile *kernel = target_file(t, "kernel", why);
	struct btf_found found;

	if (!kernel)
		return NULL;
	if (!kernel->by_symbol) {
		why->text = "a module's BTF extends the kernel's, but the kernel's DWARF is in use";
		return NULL;
	}
	if (!kernel->btf && btf_of_kernel(t->session, &found, why))
		kernel->btf = found.btf;
	return kernel->btf;
}

/* Finds a module's BTF, after the kernel's, because its type ids continue the kernel's. */
static bool find_module_btf(struct target *t, const char *module, struct btf **base,
			    struct btf_found *out, struct problem *why)
{
	const char *path = target_module_file(t, module);

	*base = kernel_btf(t, why);
	if (*base && btf_of_module(t->session, module, path, *base, out, why))
		return true;
	if (!path && t->files.n)
		why->text = target_no_module(t, module);
	return false;
}

static struct dwfile *translate(struct target *t, const char *module, struct btf_found *found, struct problem *why)
{
	bool kernel = !strcmp(module, "kernel");
	struct btf *base = NULL;
	struct sbuf elf = { 0 };
	struct dwfile *f;

	if (kernel ? !btf_of_kernel(t->session, found, why) : !find_module_btf(t, module, &base, found, why))
		return NULL;
	guard_reading(found->path);
	btf_to_dwarf(found->btf, base, t->arch, found->build_id, &elf);
	f = target_memory_file(t, module, found->path, &elf, why);
	if (!f) {
		btf__free(found->btf);
		return NULL;
	}
	f->btf = found->btf;
	f->build_id = found->build_id;
	f->by_symbol = true;
	return f;
}

struct dwfile *open_btf(struct target *t, const char *module, struct problem *why)
{
	struct btf_found found;
	const char *path, *key;
	struct dwfile *f;

	/* A module's type ids continue the kernel's, whose file is the first of the target's. */
	if (strcmp(module, "kernel") && !target_file(t, "kernel", why))
		return NULL;
	key = key_of(t, module, &path);
	f = key ? open_kept(t, module, path, key) : NULL;
	if (f)
		return f;
	f = translate(t, module, &found, why);
	if (f && key && !strcmp(path, found.path))
		cache_put_bytes(t->session, key, KEPT, f->image.s, f->image.len);
	return f;
}
