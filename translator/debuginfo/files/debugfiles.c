// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds separate debug files.
 *
 * A stripped file refers to its debug file in two ways.  Its build-id is part
 * of a file name under DEBUG_ROOT, and debuginfod servers are asked for it.
 * .gnu_debuglink has a file name and a checksum.  Either way, the file found
 * must be from the same build: addresses of another build would be wrong.
 */
#include "debugfiles.h"

#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "base/regular.h"
#include "base/root.h"
#include "base/sbuf.h"
#include "debuginfod.h"
#include "kit/cache.h"
#include "payload.h"
#include "session.h"

const char *build_id_text(const void *id, size_t n)
{
	const unsigned char *p = id;
	struct sbuf b = { 0 };

	for (size_t i = 0; i < n; i++)
		sbuf_printf(&b, "%02x", p[i]);
	return sbuf_take(&b);
}

/*
 * Returns the directories of debug files: the absolute paths in $SYSTEMTAP_DEBUGINFO_PATH, or
 * DEBUG_ROOT; and DEBUG_ROOT in the root directory in which the file PATH is.
 */
static text_list debug_roots(const char *path)
{
	const char *p = getenv("SYSTEMTAP_DEBUGINFO_PATH");
	text_list roots = { 0 };

	while (p && *p) {
		size_t n = strcspn(p, ":"), flag = strspn(p, "+-");

		if (p[flag] == '/')
			vec_push(&roots, arena_strndup(p + flag, n - flag));
		p += n + (p[n] == ':');
	}
	if (!roots.n)
		vec_push(&roots, DEBUG_ROOT);
	if (root_length(path))
		vec_push(&roots, arena_printf("%.*s" DEBUG_ROOT, (int)root_length(path), path));
	return roots;
}

size_t build_id_bytes(const char *hex, unsigned char *out, size_t room)
{
	size_t n = 0;
	unsigned byte;

	for (; n < room && sscanf(hex, "%2x", &byte) == 1; hex += 2)
		out[n++] = byte;
	return n;
}

const char *build_id_path(const char *of, const void *id, size_t n)
{
	const char *hex = build_id_text(id, n), *first = NULL;
	text_list roots = debug_roots(of);

	for (size_t i = 0; i < roots.n; i++) {
		const char *path = arena_printf("%s/.build-id/%.2s/%s.debug", roots.v[i], hex,
						strlen(hex) > 2 ? hex + 2 : "");

		if (path_allows(path, R_OK))
			return path;
		if (!first)
			first = path;
	}
	return first;
}

const char *path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? arena_strndup(path, slash - path) : ".";
}

/* ---- identity of a file --------------------------------------------------- */

struct identity {
	const char *id;		/* hex, or NULL */
	const char *link;	/* file name in .gnu_debuglink, or NULL */
	GElf_Word crc;
};

static bool identify(const char *path, struct identity *out)
{
	int fd = regular_open(path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	bool good = elf && elf_kind(elf) == ELF_K_ELF;
	const void *id;

	*out = (struct identity){ .id = NULL };
	if (good) {
		ssize_t n = dwelf_elf_gnu_build_id(elf, &id);
		const char *link = dwelf_elf_gnu_debuglink(elf, &out->crc);

		out->id = n > 0 ? build_id_text(id, n) : NULL;
		out->link = link ? arena_strdup(link) : NULL;
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return good;
}

const char *build_id_of_file(const char *path)
{
	struct identity i;

	return identify(path, &i) ? i.id : NULL;
}

static bool checksum(const char *path, GElf_Word *out)
{
	int fd = regular_open(path);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	unsigned char block[65536];
	size_t n;
	bool good;

	if (!in)
		return false;
	*out = crc32(0, NULL, 0);
	while ((n = fread(block, 1, sizeof(block), in)) > 0)
		*out = crc32(*out, block, n);
	good = !ferror(in);
	fclose(in);
	return good;
}

/* ---- the kernel's build-id ------------------------------------------------ */

/* /sys/kernel/notes are the running kernel's ELF notes. */
const char *build_id_of_running(void)
{
	struct sbuf notes = { 0 };
	const char *id = NULL;
	GElf_Nhdr n;

	if (file_read("/sys/kernel/notes", &notes))
		return NULL;
	for (size_t at = 0; !id && at + sizeof(n) <= notes.len;) {
		size_t name = at + sizeof(n), desc;

		memcpy(&n, notes.s + at, sizeof(n));
		desc = name + ((n.n_namesz + 3ull) & ~3ull);
		at = desc + ((n.n_descsz + 3ull) & ~3ull);
		if (at > notes.len)
			break;
		if (n.n_type == NT_GNU_BUILD_ID && n.n_namesz == 4 &&
		    !memcmp(notes.s + name, "GNU", 4))
			id = build_id_text(notes.s + desc, n.n_descsz);
	}
	sbuf_free(&notes);
	return id;
}

/* Returns the build-id of an image, which has to be decompressed. */
static const char *read_image_build_id(const char *path)
{
	struct problem ignored = { 0 };
	const char *found = NULL;
	struct bytes bytes;
	const void *id;
	ssize_t n;
	Elf *elf;

	if (!payload_read(path, &bytes, &ignored))
		return NULL;
	elf = elf_memory((char *)bytes.p, bytes.n);
	n = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	if (n > 0)
		found = build_id_text(id, n);
	if (elf)
		elf_end(elf);
	free(bytes.p);
	return found;
}

/* Likewise of the image in /boot, once for all runs. */
static const char *image_build_id(struct session *s)
{
	const char *path = arena_printf("/boot/vmlinuz-%s", kernel_release(s->kernel)), *key, *kept, *id;
	struct hash *h = hash_new();
	struct sbuf text = { 0 };

	hash_string(h, "build-id");
	hash_path_identity(h, path);
	key = hash_hex(h);
	kept = s->options.disable_cache ? NULL : cache_get(s, key, ".id");
	id = kept && !file_read(kept, &text) ? arena_strdup(sbuf_str(&text)) : read_image_build_id(path);
	if (id && !kept && !s->options.disable_cache)
		cache_put_bytes(s, key, ".id", id, strlen(id));
	sbuf_free(&text);
	return id;
}

const char *build_id_of_kernel(struct session *s)
{
	/* decompressing takes time, so do it only if the build-id can be used */
	if (!getenv("DEBUGINFOD_URLS") && access(DEBUG_ROOT "/.build-id", X_OK))
		return NULL;
	if (kernel_runs(s->kernel))
		return build_id_of_running();
	return image_build_id(s);
}

/* ---- finding ------------------------------------------------------------- */

/* Does the debug file have the right build-id? */
static bool is_of(const char *path, const char *id, struct problem *why)
{
	const char *own = build_id_of_file(path);

	if (own && !strcmp(own, id))
		return true;
	why->text = own ? arena_printf("'%s' is from another build: its build-id is %s, not %s", path,
				  own, id)
		   : arena_printf("'%s' has no build-id: it should be %s", path, id);
	return false;
}

const char *debug_file_by_id(const char *of, const char *what, const char *id, struct problem *why)
{
	unsigned char bytes[64];
	size_t n = build_id_bytes(id, bytes, sizeof(bytes));
	const char *path = build_id_path(of, bytes, n), *fetched;
	struct problem wrong = { 0 }, none = { 0 };

	if (path_allows(path, R_OK) && is_of(path, id, &wrong))
		return path;
	fetched = debuginfod_fetch(what, bytes, n, &none);
	if (fetched && is_of(fetched, id, &none))
		return fetched;
	why->text = wrong.text ? wrong.text : arena_printf("no file '%s'", path);
	if (none.text)
		why->text = arena_printf("%s; %s", why->text, none.text);
	return NULL;
}

/* Looks where gdb looks for the file that .gnu_debuglink names. */
static const char *linked_debug_file(const char *path, const struct identity *i,
				     struct problem *why)
{
	const char *dir = path_directory(path_absolute(path)), *wrong = NULL;
	text_list roots = debug_roots(path), paths = { 0 };
	GElf_Word crc;

	vec_push(&paths, arena_printf("%s/%s", dir, i->link));
	vec_push(&paths, arena_printf("%s/.debug/%s", dir, i->link));
	for (size_t k = 0; k < roots.n; k++)
		vec_push(&paths, arena_printf("%s%s/%s", roots.v[k], dir + root_length(dir), i->link));
	for (size_t k = 0; k < paths.n; k++) {
		if (!checksum(paths.v[k], &crc))
			continue;
		if (crc == i->crc)
			return paths.v[k];
		wrong = arena_printf("'%s' is from another build: its checksum is %08x, not %08x",
				     paths.v[k], crc, i->crc);
	}
	why->text = wrong ? wrong : arena_printf("no file '%s'", paths.v[0]);
	return NULL;
}

const char *separate_debug_file(const char *path, struct problem *why)
{
	struct problem by_id = { 0 }, by_name = { 0 };
	const char *found = NULL;
	struct identity i;

	why->text = NULL;
	if (!identify(path, &i))
		return NULL;
	if (i.link)
		found = linked_debug_file(path, &i, &by_name);
	if (!found && i.id)
		found = debug_file_by_id(path, arena_printf("'%s'", path), i.id, &by_id);
	why->text = by_name.text && by_id.text ? arena_printf("%s; %s", by_name.text, by_id.text)
					       : by_name.text ? by_name.text : by_id.text;
	return found;
}
