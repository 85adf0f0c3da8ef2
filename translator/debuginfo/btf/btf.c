// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds and opens BTF.
 *
 * The running kernel exports its own and its modules' BTF in /sys/kernel/btf; -r names copies of another's.
 * For other kernels it is in section .BTF of a vmlinux, of the image in /boot,
 * and of the modules' files.  A module's BTF is split: it extends the kernel's,
 * and its type ids continue where the kernel's end.
 *
 * BTF is translated to DWARF (btf_dwarf.h), so that one reader serves both.
 */
#include "btf.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/hash.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/files/payload.h"
#include "libbpf.h"
#include "session.h"

#define RUNNING "/sys/kernel/btf"

/* ---- files ---------------------------------------------------------------------------- */

static Elf_Data *btf_section(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *name;

		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_PROGBITS &&
		    (name = elf_strptr(elf, names, sh.sh_name)) && !strcmp(name, ".BTF"))
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

/* libbpf before 1.0 reads split BTF only from files, so it gets one in memory. */
static struct btf *parse(const void *p, size_t n, struct btf *base)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	struct btf *btf = NULL;

	if (fd >= 0 && write(fd, p, n) == (ssize_t)n)
		btf = btf_parse(arena_printf("/proc/self/fd/%d", fd), base);
	if (fd >= 0)
		close(fd);
	return btf;
}

static bool from_elf(Elf *elf, struct btf *base, struct btf_found *out, struct problem *why)
{
	Elf_Data *d = btf_section(elf);
	const void *id;
	ssize_t n;

	if (!d || !d->d_buf) {
		why->text = arena_printf("'%s' has no BTF", out->path);
		return false;
	}
	out->btf = parse(d->d_buf, d->d_size, base);
	if (!out->btf) {
		why->text = arena_printf("cannot read the BTF of '%s': %s", out->path,
				    strerror(errno));
		return false;
	}
	n = dwelf_elf_gnu_build_id(elf, &id);
	out->build_id = n > 0 ? build_id_text(id, n) : NULL;
	return true;
}

/* Maps a plain ELF file, and so reads only a part of it. */
static bool from_plain(struct btf *base, struct btf_found *out, struct problem *why)
{
	int fd = open(out->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool good = elf && elf_kind(elf) == ELF_K_ELF && from_elf(elf, base, out, why);

	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return good;
}

/*
 * Reads the BTF of a file, compressed or not.  Returns false with *WHY; that is
 * NULL if there is no such file.
 */
static bool from_file(const char *path, struct btf *base, struct btf_found *out, struct problem *why)
{
	struct bytes bytes;
	bool good;
	Elf *elf;

	*out = (struct btf_found){ .path = path };
	why->text = NULL;
	guard_reading(path);
	if (from_plain(base, out, why))
		return true;
	if (why->text || !payload_read(path, &bytes, why))
		return false;
	elf = elf_memory((char *)bytes.p, bytes.n);
	good = elf && from_elf(elf, base, out, why);
	if (!elf)
		why->text = arena_printf("'%s' is not an ELF file", path);
	if (elf)
		elf_end(elf);
	free(bytes.p);
	return good;
}

/* ---- as a kernel exports it ------------------------------------------------------------- */

/* Returns where the BTF of the module NAME, or of the kernel, vmlinux, is, or a copy; NULL: nowhere. */
static const char *exported_path(const struct session *s, const char *name)
{
	const char *copy = s->options.kernel_btf;

	if (!copy)
		return kernel_runs(s->kernel) ? arena_printf(RUNNING "/%s", name) : NULL;
	return strcmp(name, "vmlinux") ? arena_printf("%s/%s", path_directory(copy), name) : copy;
}

static bool from_exported(struct session *s, const char *name, struct btf *base, struct btf_found *out)
{
	*out = (struct btf_found){ .path = exported_path(s, name) };
	if (!out->path)
		return false;
	guard_reading(out->path);
	out->btf = btf_parse(out->path, base);
	if (out->btf && !base && !s->options.kernel_btf)
		out->build_id = build_id_of_running();
	return out->btf;
}

/* ---- kernel and modules ------------------------------------------------------------------ */

enum { FILES = 6 };

/* Makes the paths of files that may have the kernel's BTF, in the order in which they are read. */
static void kernel_files(struct session *s, const char *paths[FILES])
{
	const char *r = kernel_release(s->kernel);

	paths[0] = arena_printf("%s/vmlinux", kernel_build(s->kernel));
	paths[1] = arena_printf("/boot/vmlinux-%s", r);
	paths[2] = arena_printf("/boot/vmlinuz-%s", r);
	paths[3] = arena_printf("/lib/modules/%s/vmlinuz", r);
	paths[4] = arena_printf("/lib/modules/%s/vmlinux", r);
	paths[5] = arena_printf("/usr/lib/debug/boot/vmlinux-%s", r);
}

bool btf_of_kernel(struct session *s, struct btf_found *out, struct problem *why)
{
	const char *paths[FILES], *first = NULL;

	libbpf_set_print(NULL);
	if (from_exported(s, "vmlinux", NULL, out))
		return true;
	if (s->options.kernel_btf) {
		why->text = arena_printf("cannot read the BTF in '%s'", out->path);
		return false;
	}
	kernel_files(s, paths);
	for (size_t i = 0; i < FILES; i++) {
		if (from_file(paths[i], NULL, out, why))
			return true;
		if (why->text && !first)
			first = why->text;
	}
	why->text = arena_printf("%s%sno BTF for kernel %s: looked for %s and %s", first ? first : "",
				 first ? "; " : "", kernel_release(s->kernel), paths[2], paths[0]);
	return false;
}

const char *btf_identify(struct session *s, const char *name, const char *path, struct hash *h)
{
	const char *exported = strchr(name, '/') ? NULL : exported_path(s, name), *paths[FILES];
	bool kernel = !strcmp(name, "vmlinux");

	if (exported && !access(exported, R_OK)) {
		const char *id = kernel && !s->options.kernel_btf ? build_id_of_running() : NULL;

		hash_string(h, id ? id : "");
		return id || !hash_file(h, exported) ? exported : NULL;
	}
	if (kernel) {
		kernel_files(s, paths);
		for (size_t i = 0; i < FILES && !path; i++)
			path = access(paths[i], R_OK) ? NULL : paths[i];
	}
	if (path)
		hash_path_identity(h, path);
	return path;
}

bool btf_of_module(struct session *s, const char *module, const char *path, struct btf *base,
		   struct btf_found *out, struct problem *why)
{
	why->text = NULL;
	if (!strchr(module, '/') && from_exported(s, module, base, out))
		return true;
	if (!path)
		return false;
	if (from_file(path, base, out, why))
		return true;
	if (!why->text)
		why->text = arena_printf("no file '%s'", path);
	return false;
}
