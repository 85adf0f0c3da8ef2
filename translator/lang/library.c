// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tapset library: which file defines a name.
 *
 * Parsing the whole library for each script would take longer than the script
 * itself.  So an index of names is kept in the cache directory, one for each
 * set of directories:
 *
 *	stap-index 2
 *	F SIZE MTIME PATH		a file (E one with errors), then the names it defines:
 *	f NAME				function (g global, a alias, m macro)
 *
 * The entries of a file hold as long as its size and time are unchanged.  Other files are scanned
 * (scan.h), and the index is written again.  An error may hide names behind it from the scan.  So a
 * file with errors is parsed for every script, which reports them.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "base/table.h"
#include "base/trust.h"
#include "lang.h"
#include "scan.h"
#include "session.h"

/* The tree number of the tapset directory; the directories of -I follow. */
#define OWN_TREE 0

static const char index_header[] = "stap-index 2\n";
static const char kind_letters[] = "fgam";	/* indexed by enum lib_kind */

struct lib_name {
	const char *name;
	enum lib_kind kind;
	unsigned file;
};

struct lib_file {
	const char *path;
	const char *base;		/* the last component of the path */
	unsigned tree;			/* which of the library's directories it is in */
	long long size, mtime;
	bool macros;			/* a .stpm file */
	bool known;			/* its names are in the index */
	bool wrong;			/* it has errors, and perhaps more names */
	bool loaded;
	const struct source *src;	/* a .stpm file's text, once read */
};

struct library {
	vec(struct lib_file) files;
	vec(struct lib_name) names;
	struct table by_name;		/* of 'names' */
	unsigned indexing;		/* the file being scanned */
	bool versioned;			/* some directories are of kernel versions */
};

/* ---- files ------------------------------------------------------------------ */

/* Does a more specific directory of the same tree have a file of this name? */
static bool overridden(const struct library *lib, unsigned tree, size_t before,
		       const char *base)
{
	for (size_t i = before; i-- > 0 && lib->files.v[i].tree == tree;)
		if (!strcmp(lib->files.v[i].base, base))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_file(struct library *lib, int dirfd, const char *dir, const char *base,
		     unsigned tree)
{
	struct lib_file f = { .tree = tree };
	struct stat st;

	if (fstatat(dirfd, base, &st, 0) || !S_ISREG(st.st_mode))
		return;
	f.path = arena_printf("%s/%s", dir, base);
	f.base = strrchr(f.path, '/') + 1;
	f.size = st.st_size;
	f.mtime = st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
	f.macros = file_has_suffix(base, ".stpm");
	vec_push(&lib->files, f);
}

/*
 * Adds a directory's files.  If it YIELDS, files whose names the tree has
 * already are left out.
 */
static void add_directory(struct library *lib, const char *dir, unsigned tree, bool yields)
{
	DIR *d = opendir(dir);
	vec(const char *) names = { 0 };
	size_t before = yields ? lib->files.n : 0;

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d));)
		if (file_has_suffix(e->d_name, ".stp") || file_has_suffix(e->d_name, ".stpm"))
			vec_push(&names, arena_strdup(e->d_name));
	if (names.n)
		qsort(names.v, names.n, sizeof(*names.v), by_name);
	for (size_t i = 0; i < names.n; i++)
		if (!overridden(lib, tree, before, names.v[i]))
			add_file(lib, dirfd(d), dir, names.v[i], tree);
	closedir(d);
}

/* Does DIR have directories of kernel versions?  Only then does the library ask for the kernel. */
static bool has_versions(const char *dir)
{
	DIR *d = opendir(dir);
	bool found = false;

	for (struct dirent *e; d && !found && (e = readdir(d));)
		found = *e->d_name >= '0' && *e->d_name <= '9';
	if (d)
		closedir(d);
	return found;
}

/*
 * Adds DIR/VERSION/ARCH and DIR/VERSION, from the whole release down to its
 * first number.
 */
static void add_versions(struct library *lib, const char *dir, const struct session *s,
			 unsigned tree)
{
	char *version = arena_strdup(kernel_release(s->kernel));
	char *cut = version + strlen(version);

	lib->versioned = true;
	for (; *version && cut; cut = strrchr(version, strchr(version, '-') ? '-' : '.')) {
		*cut = '\0';
		add_directory(lib, arena_printf("%s/%s/%s", dir, version, s->kernel->arch), tree,
			      true);
		add_directory(lib, arena_printf("%s/%s", dir, version), tree, true);
	}
}

/*
 * Adds the tapset's directories, one for each subject.  Files of different
 * subjects don't replace each other: memory/string.stp and text/string.stp are
 * both used.  Its other directories may be for a version or architecture.
 */
static void add_subjects(struct library *lib, const char *dir)
{
	static const char *const subjects[] = {
		"devices", "files", "memory", "net", "output", "process", "script", "syscalls",
		"text", "time",
	};

	for (size_t i = 0; i < sizeof(subjects) / sizeof(*subjects); i++)
		add_directory(lib, arena_printf("%s/%s", dir, subjects[i]), OWN_TREE, false);
}

static void add_tree(struct library *lib, const char *dir, const struct session *s,
		     unsigned tree)
{
	if (has_versions(dir))
		add_versions(lib, dir, s, tree);
	add_directory(lib, arena_printf("%s/%s", dir, s->kernel->arch), tree, true);
	add_directory(lib, dir, tree, true);
}

/* ---- names ------------------------------------------------------------------- */

static uint32_t hash(enum lib_kind kind, const char *name)
{
	return table_hash_string(name) ^ kind;
}

static void add_name(struct library *lib, enum lib_kind kind, const char *name, unsigned file)
{
	vec_push(&lib->names, ((struct lib_name){ name, kind, file }));
}

/* Adds a name, unless this file has defined it before. */
static void found_name(void *arg, enum lib_kind kind, const char *name, size_t len)
{
	struct library *lib = arg;

	name = arena_strndup(name, len);
	for (size_t i = lib->names.n; i-- > 0 && lib->names.v[i].file == lib->indexing;)
		if (lib->names.v[i].kind == kind && !strcmp(lib->names.v[i].name, name))
			return;
	add_name(lib, kind, name, lib->indexing);
}

static void build_table(struct library *lib)
{
	for (size_t i = 0; i < lib->names.n; i++)
		table_add(&lib->by_name, hash(lib->names.v[i].kind, lib->names.v[i].name), i);
}

/* ---- the index ---------------------------------------------------------------- */

/* Reads a file and closes it.  The text is malloc'ed, NUL-terminated; NULL if it can't be read. */
static char *slurp(int fd, size_t *len)
{
	struct stat st;
	char *text = NULL;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		text = malloc(st.st_size + 1);
	if (text) {
		ssize_t n = 0;

		*len = 0;
		while (*len < (size_t)st.st_size &&
		       (n = read(fd, text + *len, st.st_size - *len)) > 0)
			*len += n;
		text[*len] = '\0';
		if (n < 0) {
			free(text);
			text = NULL;
		}
	}
	close(fd);
	return text;
}

static const char *index_path(struct session *s)
{
	const char *dir = session_cache_dir(s);
	struct hash *h;

	if (!dir)
		return NULL;
	h = hash_new();
	hash_string(h, s->tapset_dir ? s->tapset_dir : "");
	hash_string(h, s->library->versioned ? kernel_release(s->kernel) : "");
	hash_string(h, s->kernel->arch);
	for (size_t i = 0; i < s->options.include_dirs.n; i++)
		hash_string(h, s->options.include_dirs.v[i]);
	return arena_printf("%s/tapset-%.16s.index", dir, hash_hex(h));
}

/*
 * Returns the file that an index line "F SIZE MTIME PATH", or "E …", describes, or NULL if it
 * has changed since.
 */
static struct lib_file *index_file(struct library *lib, char *line, size_t *hint)
{
	char *end;
	long long size = strtoll(line + 2, &end, 10);
	long long mtime = strtoll(end, &end, 10);
	const char *path = *end == ' ' ? end + 1 : end;

	/* *HINT is next, unless files came or went */
	for (size_t n = 0; n < lib->files.n; n++) {
		struct lib_file *f = &lib->files.v[(*hint + n) % lib->files.n];

		if (strcmp(f->path, path))
			continue;
		*hint = (f - lib->files.v) + 1;
		if (f->size != size || f->mtime != mtime || f->known)
			return NULL;
		f->known = true;
		f->wrong = *line == 'E';
		return f;
	}
	return NULL;
}

/*
 * Takes the entries that still hold.  Returns false if the index must be
 * written again.
 */
static bool index_read(struct library *lib, const char *path)
{
	size_t len, hint = 0;
	char *raw = path ? slurp(trust_open_entry(path, O_RDONLY), &len) : NULL;
	struct lib_file *file = NULL;
	bool complete = true;

	if (!raw)
		return false;

	char *text = arena_strndup(raw, len);

	free(raw);
	if (strncmp(text, index_header, sizeof(index_header) - 1))
		return false;

	char *line = text + sizeof(index_header) - 1;

	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if ((line[0] == 'F' || line[0] == 'E') && line[1] == ' ') {
			file = index_file(lib, line, &hint);
			complete &= file != NULL;
			continue;
		}

		const char *kind = *line ? strchr(kind_letters, *line) : NULL;

		if (!kind || line[1] != ' ')
			return false;
		if (file)
			add_name(lib, kind - kind_letters, line + 2, file - lib->files.v);
	}
	return complete && !*line;
}

static int by_file(const void *a, const void *b)
{
	const struct lib_name *x = a, *y = b;

	return x->file < y->file ? -1 : x->file > y->file;
}

static void index_text(struct library *lib, struct sbuf *b)
{
	size_t n = 0;

	sbuf_puts(b, index_header);
	for (size_t i = 0; i < lib->files.n; i++) {
		const struct lib_file *f = &lib->files.v[i];

		sbuf_printf(b, "%c %lld %lld %s\n", f->wrong ? 'E' : 'F', f->size, f->mtime,
			    f->path);
		for (; n < lib->names.n && lib->names.v[n].file == i; n++)
			sbuf_printf(b, "%c %s\n", kind_letters[lib->names.v[n].kind],
				    lib->names.v[n].name);
	}
}

/*
 * Writes the index under a temporary name and renames it, so that readers see
 * the old one or the new one.  A failure is ignored: the names are in memory.
 */
static void index_write(struct library *lib, const char *path)
{
	struct sbuf b = { 0 };
	char *aside = arena_printf("%s.XXXXXX", path);

	int fd = mkostemp(aside, O_CLOEXEC);

	if (fd < 0)
		return;
	index_text(lib, &b);

	bool ok = write(fd, b.s, b.len) == (ssize_t)b.len && !fsync(fd);

	sbuf_free(&b);
	ok = !close(fd) && ok;
	if (!ok || rename(aside, path))
		unlink(aside);
}

static void scan_file(struct library *lib, unsigned number)
{
	struct lib_file *f = &lib->files.v[number];
	struct source src = { .name = f->path };
	char *text = slurp(open(f->path, O_RDONLY | O_CLOEXEC), &src.len);

	if (!text)
		return;
	src.text = text;
	lib->indexing = number;
	f->wrong = !scan_names(&src, f->macros, found_name, lib);
	free(text);
}

/* ---- loading files ------------------------------------------------------------ */

/* Reads a file's text and marks it as the library's. */
static const struct source *read_library_file(const struct lib_file *f)
{
	const struct source *read = source_read(f->path, f->path);
	struct source *src = arena_new(struct source);

	if (!read)
		return NULL;
	*src = *read;
	src->library = true;
	src->tapset = f->tree == OWN_TREE;
	return src;
}

static unsigned load_file(struct session *s, struct lib_file *f)
{
	if (f->loaded || f->macros)
		return 0;
	f->loaded = true;

	const struct source *src = read_library_file(f);
	struct file *file = src ? lang_parse(s, src, true) : NULL;

	if (!file) {
		diag(DIAG_WARNING, "tapset \"%s\" has errors, and will be skipped", f->path);
		return 0;
	}
	vec_push(&s->library_files, file);
	return 1;
}

/* ---- the interface -------------------------------------------------------------- */

void library_open(struct session *s)
{
	struct library *lib = arena_new(struct library);
	bool complete;

	s->library = lib;
	if (s->tapset_dir) {
		add_tree(lib, s->tapset_dir, s, OWN_TREE);
		add_subjects(lib, s->tapset_dir);
	}
	for (size_t i = 0; i < s->options.include_dirs.n; i++)
		add_tree(lib, s->options.include_dirs.v[i], s, i + 1);

	const char *path = index_path(s);

	complete = index_read(lib, path);
	for (size_t i = 0; i < lib->files.n; i++)
		if (!lib->files.v[i].known) {
			scan_file(lib, i);
			complete = false;
		}
	if (!complete) {
		if (lib->names.n)
			qsort(lib->names.v, lib->names.n, sizeof(*lib->names.v), by_file);
		if (path)
			index_write(lib, path);
	}
	build_table(lib);
	for (size_t i = 0; i < lib->files.n; i++)
		if (lib->files.v[i].wrong)
			load_file(s, &lib->files.v[i]);
}

/* Returns the length of the first component. */
static size_t component(const char *s)
{
	return strcspn(s, ".");
}

static bool is_pattern(const char *s, size_t n)
{
	for (; n; n--, s++)
		if (*s == '*' || *s == '?' || *s == '[')
			return true;
	return false;
}

/*
 * Could the probe point NAME mean this alias?  Compares component by component;
 * either may hold wildcards, "**" stands for any number of components, and NAME
 * may be shorter or longer than the alias.
 */
static bool alias_matches(const char *name, const char *alias)
{
	while (*name && *alias) {
		size_t n = component(name), m = component(alias);

		if (n >= 2 && memmem(name, n, "**", 2))
			return true;
		if (n != m || memcmp(name, alias, n)) {
			if (!is_pattern(name, n) && !is_pattern(alias, m))
				return false;

			const char *a = arena_strndup(name, n), *b = arena_strndup(alias, m);

			if (fnmatch(a, b, 0) && fnmatch(b, a, 0))
				return false;
		}
		name += n + (name[n] == '.');
		alias += m + (alias[m] == '.');
	}
	return true;
}

static unsigned load_aliases(struct session *s, const char *name)
{
	struct library *lib = s->library;
	unsigned loaded = 0;

	for (size_t i = 0; i < lib->names.n; i++) {
		const struct lib_name *n = &lib->names.v[i];
		struct lib_file *f = &lib->files.v[n->file];

		if (n->kind == LIB_ALIAS && !f->loaded && alias_matches(name, n->name))
			loaded += load_file(s, f);
	}
	return loaded;
}

unsigned library_load(struct session *s, enum lib_kind kind, const char *name)
{
	struct library *lib = s->library;
	unsigned loaded = 0;

	if (!lib)
		return 0;
	if (kind == LIB_ALIAS)
		return load_aliases(s, name);

	uint32_t h = hash(kind, name);

	table_for_each(&lib->by_name, h, i) {
		const struct lib_name *n = &lib->names.v[i];

		if (n->kind == kind && !strcmp(n->name, name))
			loaded += load_file(s, &lib->files.v[n->file]);
	}
	return loaded;
}

const struct source *library_macro_source(struct session *s, const char *name)
{
	struct library *lib = s->library;

	if (!lib)
		return NULL;

	uint32_t h = hash(LIB_MACRO, name);

	table_for_each(&lib->by_name, h, i) {
		const struct lib_name *n = &lib->names.v[i];
		struct lib_file *f = &lib->files.v[n->file];

		if (n->kind == LIB_MACRO && !strcmp(n->name, name)) {
			if (!f->src)
				f->src = read_library_file(f);
			return f->src;
		}
	}
	return NULL;
}

const char *const *library_names(struct session *s, enum lib_kind kind, size_t *n)
{
	struct library *lib = s->library;
	vec(const char *) names = { 0 };

	for (size_t i = 0; lib && i < lib->names.n; i++)
		if (lib->names.v[i].kind == kind)
			vec_push(&names, lib->names.v[i].name);
	*n = names.n;
	return names.v;
}
