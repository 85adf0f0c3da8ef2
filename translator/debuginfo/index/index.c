// SPDX-License-Identifier: GPL-2.0-or-later
/* The name index: loads it from the cache or builds it, checks it, answers questions. */
#include <dwarf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/table.h"
#include "debuginfo/symbols/match.h"
#include "kit/cache.h"
#include "index_build.h"
#include "session.h"

struct index {
	const struct index_header *h;
	bool mapped;
};

static const void *table(const struct index *ix, enum index_table t, size_t *n)
{
	*n = ix->h->table[t].n;
	return (const char *)ix->h + ix->h->table[t].off;
}

/* ---- opening ---------------------------------------------------------------------- */

static bool tables_fit(const struct index_header *h)
{
	for (int t = 0; t < T_COUNT; t++) {
		uint64_t end = h->table[t].off +
			       (uint64_t)h->table[t].n * index_element_size[t];

		if (h->table[t].off % 8 || h->table[t].off < sizeof(*h) || end > h->size)
			return false;
	}
	return h->table[T_STRINGS].n &&
	       !((const char *)h + h->table[T_STRINGS].off)[h->table[T_STRINGS].n - 1] &&
	       h->table[T_BUCKETS].n &&
	       !(h->table[T_BUCKETS].n & (h->table[T_BUCKETS].n - 1)) &&
	       h->table[T_FUNC_FIRST].n && h->table[T_FUNC_FIRST].n <= h->table[T_NAMES].n + 1 &&
	       h->table[T_FUNC_FIRST].n == h->table[T_INLINE_FIRST].n &&
	       h->table[T_INSTANCE_FIRST].n == h->table[T_INLINES].n + 1;
}

static bool is_whole(const struct dwfile *f, const struct index_header *h, size_t size)
{
	return size > sizeof(*h) && !memcmp(h->magic, INDEX_MAGIC, sizeof(h->magic)) &&
	       h->size == size && size % 8 == 0 && h->info_size == f->sects.info.n &&
	       memchr(h->build_id, 0, sizeof(h->build_id)) && !strcmp(h->build_id, f->build_id) &&
	       tables_fit(h) && index_checksum(h + 1, size - sizeof(*h)) == h->checksum;
}

/* Maps an index file if it is intact, else returns NULL. */
static const struct index_header *map_index(const struct dwfile *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED)
		return NULL;
	if (is_whole(f, p, st.st_size)) {
		/* the check has read all pages; needed ones come back */
		madvise(p, st.st_size, MADV_DONTNEED);
		return p;
	}
	munmap(p, st.st_size);
	return NULL;
}

void hash_debug_file(struct hash *h, const struct dwfile *f)
{
	hash_string(h, f->build_id);
	if (f->is_kernel)
		return;
	hash_identity(h, f->fd);
	hash_identity(h, f->own_fd);
}

static const char *index_key(const struct dwfile *f)
{
	struct hash *h = hash_new();

	hash_string(h, "name index");
	hash_bytes(h, INDEX_MAGIC, 8);
	hash_debug_file(h, f);
	return hash_hex(h);
}

static struct index *new_index(const struct index_header *h, bool mapped)
{
	struct index *ix = arena_new(struct index);

	ix->h = h;
	ix->mapped = mapped;
	return ix;
}

void index_close(struct index *ix)
{
	if (ix->mapped)
		munmap((void *)ix->h, ix->h->size);
	else
		free((void *)ix->h);
	ix->h = NULL;
}

struct index *index_open(struct dwfile *f, struct problem *why)
{
	struct session *s = f->target->session;
	const struct index_header *h = NULL;
	const char *key = NULL, *path;
	bool mapped;

	if (f->index)
		return f->index;
	if (f->build_id && !s->options.disable_cache) {
		key = index_key(f);
		path = cache_get(s, key, ".idx");
		h = path ? map_index(f, path) : NULL;
	}
	mapped = h;
	if (!h) {
		h = index_build(f, why);
		if (h && key)
			cache_put_bytes(s, key, ".idx", h, h->size);
	}
	if (h)
		f->index = new_index(h, mapped);
	return f->index;
}

struct index *index_of_units(struct dwfile *f, const uint64_t *units, size_t n, struct problem *why)
{
	const struct index_header *h = index_build_units(f, units, n, why);

	return h ? new_index(h, false) : NULL;
}

/* ---- names ------------------------------------------------------------------------ */

static const char *string_at(const struct index *ix, uint32_t off)
{
	size_t n;
	const char *strings = table(ix, T_STRINGS, &n);

	return off < n ? strings + off : "";
}

size_t index_names(const struct index *ix)
{
	return ix->h->table[T_FUNC_FIRST].n - 1;
}

const char *index_name(const struct index *ix, uint32_t name)
{
	size_t n;
	const struct index_string *names = table(ix, T_NAMES, &n);

	return name < n ? string_at(ix, names[name].off) : "";
}

bool index_lookup(const struct index *ix, const char *name, uint32_t *out)
{
	size_t n, nbuckets, steps = 0;
	const struct index_string *names = table(ix, T_NAMES, &n);
	const uint32_t *buckets = table(ix, T_BUCKETS, &nbuckets);
	uint32_t i = buckets[table_hash_by(&ix->h->key, name, strlen(name)) & (nbuckets - 1)];

	for (; i && i <= n && steps < n; i = names[i - 1].next, steps++) {
		if (!strcmp(string_at(ix, names[i - 1].off), name)) {
			*out = i - 1;
			return true;
		}
	}
	return false;
}

/*
 * Returns the elements of table T that belong to number OWNER; table FIRST has
 * their bounds.
 */
static const void *elements_of(const struct index *ix, enum index_table t,
			       enum index_table first, size_t owner, size_t *n)
{
	size_t nfirst, total;
	const uint32_t *bounds = table(ix, first, &nfirst);
	const char *all = table(ix, t, &total);

	*n = 0;
	if (owner + 1 >= nfirst || bounds[owner] > bounds[owner + 1] ||
	    bounds[owner + 1] > total)
		return NULL;
	*n = bounds[owner + 1] - bounds[owner];
	return all + bounds[owner] * index_element_size[t];
}

const struct index_func *index_funcs(const struct index *ix, uint32_t name, size_t *n)
{
	return elements_of(ix, T_FUNCS, T_FUNC_FIRST, name, n);
}

const struct index_inline *index_inlines(const struct index *ix, uint32_t name, size_t *n)
{
	return elements_of(ix, T_INLINES, T_INLINE_FIRST, name, n);
}

const struct index_instance *index_instances(const struct index *ix,
					     const struct index_inline *in, size_t *n)
{
	size_t total;
	const struct index_inline *all = table(ix, T_INLINES, &total);

	return elements_of(ix, T_INSTANCES, T_INSTANCE_FIRST, in - all, n);
}

size_t index_files(const struct index *ix)
{
	return ix->h->table[T_FILES].n;
}

const char *index_path(const struct index *ix, uint32_t file)
{
	size_t n;
	const uint32_t *files = table(ix, T_FILES, &n);

	return file != INDEX_NO_FILE && file < n ? string_at(ix, files[file]) : NULL;
}

size_t index_units(const struct index *ix)
{
	return ix->h->table[T_UNITS].n;
}

const struct index_unit *index_unit(const struct index *ix, uint32_t unit)
{
	size_t n;
	const struct index_unit *units = table(ix, T_UNITS, &n);

	return unit < n ? &units[unit] : NULL;
}

/* ---- types, variables, enumerators ------------------------------------------------- */

/* Returns the first element, of a table sorted by name number, that is not below NAME. */
static size_t first_of(const void *all, size_t n, size_t size, size_t name_at, uint32_t name)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		uint32_t own;

		memcpy(&own, (const char *)all + mid * size + name_at, sizeof(own));
		if (own < name)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct index_die *dies_named(const struct index *ix, enum index_table t,
					  const char *name, size_t *n)
{
	size_t total, first;
	const struct index_die *all = table(ix, t, &total);
	uint32_t id;

	*n = 0;
	if (!index_lookup(ix, name, &id))
		return NULL;
	first = first_of(all, total, sizeof(*all), offsetof(struct index_die, name), id);
	while (first + *n < total && all[first + *n].name == id)
		++*n;
	return all + first;
}

/* Like dies_named(), but in a program a name may lack the namespaces and classes in front. */
static const struct index_die *dies_called(const struct dwfile *f, enum index_table t,
					   const char *name, size_t *n)
{
	const struct index_die *all = dies_named(f->index, t, name, n);
	size_t total;

	if (*n || !f->is_program)
		return all;
	all = table(f->index, t, &total);
	for (size_t i = 0; i < total; i++) {
		const char *own = index_name(f->index, all[i].name);

		if (strstr(own, "::") && match_name(name, own, true))
			return dies_named(f->index, t, own, n);
	}
	return NULL;
}

/*
 * Splits "struct file" into a tag and "file".  Returns 0, any kind of type,
 * without a tag.
 */
static unsigned split_tag(const char **name)
{
	static const struct { const char *word; unsigned tag; } words[] = {
		{ "struct ", DW_TAG_structure_type },
		{ "class ", DW_TAG_class_type },
		{ "union ", DW_TAG_union_type },
		{ "enum ", DW_TAG_enumeration_type },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t len = strlen(words[i].word);

		if (!strncmp(*name, words[i].word, len)) {
			*name += len;
			return words[i].tag;
		}
	}
	return 0;
}

/* Are the tags the same?  C++ may declare as a struct what it defines as a class. */
static bool same_tag(unsigned a, unsigned b)
{
	return a == b || (a == DW_TAG_class_type && b == DW_TAG_structure_type) ||
	       (a == DW_TAG_structure_type && b == DW_TAG_class_type);
}

bool index_find_type(struct dwfile *f, const char *name, Dwarf_Die *out)
{
	unsigned tag = split_tag(&name);
	const struct index_die *dies, *best = NULL;
	struct index *ix;
	struct problem why = { 0 };
	size_t n;

	ix = index_open(f, &why);
	if (!ix)
		return false;
	dies = dies_called(f, T_TYPES, name, &n);
	for (size_t i = 0; i < n; i++) {
		bool plain = dies[i].tag == DW_TAG_typedef || dies[i].tag == DW_TAG_base_type;

		if (tag ? same_tag(dies[i].tag, tag) : plain || !best)
			best = &dies[i];
		if (best && (tag || plain))
			break;
	}
	return best && dwfile_die(f, best->die, out);
}

bool index_find_variable(struct dwfile *f, const char *name, const char *cu_glob, Dwarf_Die *out)
{
	const struct index_die *dies, *best = NULL;
	struct problem why = { 0 };
	const char *best_path = NULL;
	struct index *ix;
	size_t n;

	ix = index_open(f, &why);
	if (!ix)
		return false;
	dies = dies_called(f, T_VARIABLES, name, &n);
	for (size_t i = 0; i < n; i++) {
		const struct index_unit *u = index_unit(ix, dies[i].unit);
		const char *path = u ? index_path(ix, u->file) : NULL;

		if (cu_glob && !(path && match_path(cu_glob, path)))
			continue;
		/* if several files match, prefer the shortest path */
		if (best && !(cu_glob && strlen(path) < strlen(best_path)))
			continue;
		best = &dies[i];
		best_path = path;
	}
	if (!best && !cu_glob)
		return declared_variable(f, name, out);
	return best && dwfile_die(f, best->die, out);
}

bool index_find_enumerator(struct dwfile *f, const char *name, int64_t *out)
{
	const struct index_enumerator *all;
	struct index *ix;
	struct problem why = { 0 };
	size_t n, i;
	uint32_t id;

	ix = index_open(f, &why);
	if (!ix || !index_lookup(ix, name, &id))
		return false;
	all = table(ix, T_ENUMERATORS, &n);
	i = first_of(all, n, sizeof(*all), offsetof(struct index_enumerator, name), id);
	if (i == n || all[i].name != id)
		return false;
	*out = all[i].value;
	return true;
}
