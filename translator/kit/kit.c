// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the runtime kit, or has it built on first use.
 *
 * A kit is named by the SHA-256 of its inputs: the kernel build (release,
 * configuration, Module.symvers) and the runtime's sources.  To read these
 * megabytes in every run would take too long.  So the cache also keeps, for
 * each kernel and runtime directory, a list of the inputs with device, inode,
 * size and times, and the key they gave ("kits-HASH").  While none of these
 * changed, the key is still right.  Root can keep kits, and such lists, for all
 * users.
 *
 * The compiler that kbuild uses is known for certain only after it ran.  So the
 * kit's manifest records it, and a kit whose compiler changed counts as absent.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/trust.h"
#include "cache.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/* ---- inputs ---- */

static bool is_source(const char *rel)
{
	const char *slash = strrchr(rel, '/'), *name = slash ? slash + 1 : rel;

	return name[0] != '.' && (file_has_suffix(name, ".c") || file_has_suffix(name, ".h") ||
				  file_has_suffix(name, ".def") || file_has_suffix(name, ".mk"));
}

/* The runtime's port to processes, which a kit leaves out. */
static const char for_processes[] = "port/user/";

struct source_walk {
	const char *root;
	struct kit_inputs *in;
};

static void add_source(const char *rel, bool is_dir, void *arg)
{
	struct source_walk *w = arg;

	if (is_dir)
		vec_push(&w->in->dirs, arena_printf("%s/%s", w->root, rel));
	else if (is_source(rel) && strncmp(rel, for_processes, strlen(for_processes)))
		vec_push(&w->in->sources, rel);
}

/* "gcc-12" for CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.2.0-14) 12.2.0" */
const char *kit_compiler(struct session *s)
{
	const char *text = kernel_config(s->kernel, "CONFIG_CC_VERSION_TEXT");
	size_t n = text ? strcspn(text, " ") : 0;

	if (!text || (strncmp(text, "gcc", 3) && !strstr(text, "-gcc") &&
		      strncmp(text, "clang", 5)))
		return NULL;
	return arena_strndup(text, n);
}

int kit_find_sources(struct session *s, struct kit_inputs *in)
{
	struct source_walk w = { s->runtime_dir, in };

	if (file_walk_tree(s->runtime_dir, add_source, &w)) {
		diag(DIAG_ERROR, "can't read the runtime's sources: %s: %s",
		     s->runtime_dir, strerror(errno));
		return -1;
	}
	return 0;
}

static int find_inputs(struct session *s, struct kit_inputs *in)
{
	static const char *const kernel[] = {
		"Makefile", ".kernelvariables", "include/config/auto.conf", ".config",
		"Module.symvers",
	};

	if (!kit_has_headers(s))
		return -1;
	for (size_t i = 0; i < sizeof(kernel) / sizeof(*kernel); i++)
		vec_push(&in->kernel, arena_printf("%s/%s", kernel_build(s->kernel), kernel[i]));
	return kit_find_sources(s, in);
}

void kit_hash_sources(struct session *s, const struct kit_inputs *in, struct hash *h)
{
	for (size_t i = 0; i < in->sources.n; i++) {
		hash_string(h, in->sources.v[i]);
		if (hash_file(h, arena_printf("%s/%s", s->runtime_dir, in->sources.v[i])))
			hash_string(h, "absent");
	}
}

static const char *inputs_key(struct session *s, const struct kit_inputs *in)
{
	struct hash *h = hash_new();

	kit_hash_recipe(h);
	hash_string(h, kernel_release(s->kernel));
	hash_string(h, s->kernel->arch);
	hash_string(h, kernel_build(s->kernel));
	for (size_t i = 0; i < in->kernel.n; i++)
		if (hash_file(h, in->kernel.v[i]))
			hash_string(h, "absent");
	kit_hash_sources(s, in, h);
	return hash_hex(h);
}

/* ---- the key, from stamps ---- */

static const char *stamps_name(struct session *s)
{
	struct hash *h = hash_new();

	kit_hash_recipe(h);
	hash_string(h, kernel_release(s->kernel));
	hash_string(h, kernel_build(s->kernel));
	hash_string(h, s->runtime_dir);
	return arena_printf("kits-%s", hash_hex(h));
}

/* Is an input as it was?  The kernel's may be gone: a kit has copies of those that it needs. */
static bool input_holds(struct session *s, const char *path, const char *stamp)
{
	const char *build = kernel_build(s->kernel);

	return !strcmp(file_stamp(path), stamp) ||
	       (!kernel_has_headers(s->kernel) && !strncmp(path, build, strlen(build)));
}

/*
 * Reads "KEY\n", "STAMP PATH\n" for each input, "end\n".  Returns the key, or
 * NULL if a stamp has changed.
 */
static const char *stamped_key(struct session *s, const char *cache)
{
	struct sbuf b = {};
	const char *key = NULL;
	char *line, *rest;

	if (cache_read(cache, stamps_name(s), &b) || !b.len) {
		sbuf_free(&b);
		return NULL;
	}
	rest = sbuf_take(&b);
	key = strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n"))) {
		char *path = strchr(line, ' ');

		if (!strcmp(line, "end"))
			return key;
		if (!path)
			return NULL;
		*path++ = 0;
		if (!input_holds(s, path, line))
			return NULL;
	}
	return NULL;
}

/*
 * Returns the stamps of the inputs.  They are taken before the inputs are read,
 * so that an input that changes in between has another stamp the next time.
 */
static const char *take_stamps(struct session *s, const struct kit_inputs *in)
{
	struct sbuf b = {};

	for (size_t i = 0; i < in->kernel.n; i++)
		sbuf_printf(&b, "%s %s\n", file_stamp(in->kernel.v[i]), in->kernel.v[i]);
	for (size_t i = 0; i < in->dirs.n; i++)
		sbuf_printf(&b, "%s %s\n", file_stamp(in->dirs.v[i]), in->dirs.v[i]);
	for (size_t i = 0; i < in->sources.n; i++) {
		const char *path = arena_printf("%s/%s", s->runtime_dir, in->sources.v[i]);

		sbuf_printf(&b, "%s %s\n", file_stamp(path), path);
	}
	return sbuf_take(&b);
}

/* Ignores failures, because without stamps the next run just reads the inputs again. */
static void write_stamps(struct session *s, const char *cache, const char *key,
			 const char *stamps)
{
	cache_write(cache, stamps_name(s), arena_printf("%s\n%send\n", key, stamps));
}

/* ---- a kit on disk ---- */

/* Checks one line of the manifest against the kit, also the files' CONTENTS if asked. */
static bool line_holds(const char *dir, char *line, bool contents)
{
	char *kind = strsep(&line, " "), *what = strsep(&line, " ");

	if (!what || !line)
		return false;
	if (!strcmp(kind, "cc"))
		return !strcmp(what, file_stamp(line));
	if (strcmp(kind, "file"))
		return false;

	char *size = strsep(&line, " ");
	struct stat st;

	if (!line)
		return false;
	const char *path = arena_printf("%s/%s", dir, line);

	int fd = trust_open_entry(path, O_RDONLY);
	bool good = fd >= 0 && !fstat(fd, &st) && st.st_size == strtoll(size, NULL, 10);

	if (fd >= 0)
		close(fd);
	if (!good || !contents)
		return good;

	struct hash *h = hash_new();
	int failed = hash_file(h, path);
	const char *hex = hash_hex(h);

	return !failed && !strcmp(hex, what);
}

/* Returns the manifest's hash if the kit is complete, else NULL. */
static const char *check(const char *dir, bool contents)
{
	struct sbuf b = {};

	if (file_read(arena_printf("%s/" KIT_MANIFEST, dir), &b)) {
		sbuf_free(&b);
		return NULL;
	}
	struct hash *h = hash_new();

	hash_string(h, sbuf_str(&b));
	const char *id = hash_hex(h);
	char *rest = sbuf_take(&b), *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!strcmp(line, "end"))
			return id;
		if (!line_holds(dir, line, contents))
			return NULL;
	}
	return NULL;
}

bool kit_verify(const struct kit *k)
{
	return check(k->dir, true) != NULL;
}

static struct kit *load(const char *dir, const char *key)
{
	struct problem why;
	const char *id = trust_path(dir, &why) == TRUST_YES ? check(dir, false) : NULL;

	if (!id)
		return NULL;
	struct kit *k = arena_new(struct kit);

	*k = (struct kit){ .dir = dir, .key = key, .id = id };
	utimensat(AT_FDCWD, dir, NULL, 0);	/* mark as used, for pruning */
	return k;
}

/*
 * Loads a kit of the cache, and keeps it locked until this process ends, because gcc and ld
 * read its files long after they were checked, and another run may prune the cache meanwhile.
 */
static struct kit *load_held(const char *cache, const char *key)
{
	const char *dir = arena_printf("%s/kit-%s", cache, key);
	int held = cache_hold(dir);
	struct kit *k = held < 0 ? NULL : load(dir, key);

	if (!k && held >= 0)
		close(held);
	return k;
}

/*
 * Returns the directory where root keeps a kit of this kernel for all users ("stap-prep --kit",
 * which runs when a kernel is installed); or NULL if there is none, or others can write there.
 * Nobody locks its kits: whoever can read a directory could lock it for ever, and a kit that
 * stap-prep replaces while it is read is found damaged, and another is built.
 */
static const char *shared_kits(struct session *s)
{
	const char *release = kernel_release(s->kernel);
	const char *dir = arena_printf("/var/lib/stap/kits/%s", release);
	struct problem why;

	return !strchr(release, '/') && trust_path(dir, &why) == TRUST_YES ? dir : NULL;
}

/* Returns the kit with this key from the user's cache, or else from root's directory. */
static struct kit *stored(struct session *s, const char *cache, const char *key)
{
	struct kit *k = cache ? load_held(cache, key) : NULL;
	const char *shared = k ? NULL : shared_kits(s);

	if (shared)
		k = load(arena_printf("%s/kit-%s", shared, key), key);
	if (k)
		k->copies = !kernel_has_headers(s->kernel);
	return k;
}

/* ---- building ---- */

static void copy_one(const char *rel, bool is_dir, void *arg)
{
	const char **dirs = arg;	/* from, to; 'to' is NULL after a failure */

	if (!dirs[1])
		return;
	const char *to = arena_printf("%s/%s", dirs[1], rel);

	if (is_dir ? file_make_dirs(to) :
	    file_copy(arena_printf("%s/%s", dirs[0], rel), to, true))
		dirs[1] = NULL;
}

/*
 * Renames FROM to TO.  A damaged or poisoned kit there is exchanged for it in one
 * step if the file system can, because other runs may be reading files by its name.
 */
static bool replace(const char *from, const char *to)
{
	return !rename(from, to) || !renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE);
}

/* Replaces a kit without an exchange, because overlayfs can't rename a lower layer's directory. */
static int put_in_place_of(const char *from, const char *to)
{
	file_remove_tree(to);
	return rename(from, to);
}

/*
 * Moves a finished kit into the cache.  From another file system it is copied there
 * under another name, then renamed.
 */
static int install(const char *from, const char *cache, const char *to)
{
	char *aside = arena_printf("%s/tmp-XXXXXX", cache);
	const char *dirs[2] = { from, aside };
	int failed = -1, error;

	if (replace(from, to))
		return 0;
	if (!mkdtemp(aside))
		return -1;
	errno = 0;
	if (!file_walk_tree(from, copy_one, dirs) && dirs[1])
		failed = replace(aside, to) ? 0 : put_in_place_of(aside, to);
	error = errno;
	file_remove_tree(aside);
	errno = error;
	return failed;
}

/* Builds a kit, in the cache, or in the session's directory if there is none. */
static struct kit *make_kit(struct session *s, const struct kit_inputs *in, const char *key,
			    const char *stamps, const char *cache)
{
	const char *tmp = session_tmpdir(s);
	const char *mine = tmp ? arena_printf("%s/kit", tmp) : NULL;
	const char *dir = cache ? arena_printf("%s/kit-%s", cache, key) : NULL;

	if (!mine)
		return NULL;
	file_remove_tree(mine);
	mkdir(mine, 0700);
	if (kit_make(s, in, mine))
		return NULL;
	/*
	 * if sources changed while they were read, the key doesn't describe
	 * what was built
	 */
	if (!cache || strcmp(stamps, take_stamps(s, in)))
		return load(mine, key);
	if (install(mine, cache, dir)) {
		diag(DIAG_WARNING, "can't keep the runtime built for %s in the cache %s: %s",
		     kernel_release(s->kernel), cache, strerror(errno));
		return load(mine, key);
	}
	file_remove_tree(mine);
	write_stamps(s, cache, key, stamps);
	cache_prune(s);
	return load_held(cache, key);
}

/* Returns the kit; one run builds it while others wait for the lock and use the result. */
static struct kit *find_or_make(struct session *s, bool afresh)
{
	struct kit_inputs in = {};
	const char *cache = session_cache_dir(s);
	struct kit *k = NULL;

	if (find_inputs(s, &in))
		return NULL;
	in.cc = kit_compiler(s);

	const char *stamps = take_stamps(s, &in), *key = inputs_key(s, &in);
	int lock = -1;

	if (!afresh)
		k = stored(s, cache, key);
	if (!k && cache)
		lock = cache_lock(cache, "kit.lock");
	if (!k && !afresh)
		k = stored(s, cache, key);
	if (k && cache)
		write_stamps(s, cache, key, stamps);
	if (!k)
		k = make_kit(s, &in, key, stamps, cache);
	if (lock >= 0)
		close(lock);
	if (!k && !diag_errors && !proc_interrupted())
		diag(DIAG_ERROR, "can't read the cached runtime for kernel %s; try stap --clean-cache",
		     kernel_release(s->kernel));
	return k;
}

/* Returns a kit whose inputs have not changed, or NULL. */
static struct kit *find(struct session *s)
{
	const char *cache = session_cache_dir(s), *key = cache ? stamped_key(s, cache) : NULL;
	const char *shared = key ? NULL : shared_kits(s);

	if (shared)
		key = stamped_key(s, shared);
	return key ? stored(s, cache, key) : NULL;
}

/* What kit_at_hand() has found, for the next call. */
static struct kit *at_hand;

static void forget(void)
{
	at_hand = NULL;
}

struct kit *kit_at_hand(struct session *s)
{
	if (!at_hand && !s->options.poison_cache && (at_hand = find(s)))
		arena_on_free(forget);
	return at_hand;
}

struct kit *kit_open(struct session *s)
{
	struct kit *k = kit_at_hand(s);

	return k ? k : find_or_make(s, s->options.poison_cache);
}

bool kit_is_kept(struct session *s, const char *release)
{
	struct options o = s->options;
	struct session other = *s;
	struct kernel k;

	o.release = release;
	o.kernel_build = arena_printf("/lib/modules/%s/build", release);
	kernel_init(&k, &o, false);
	other.kernel = &k;
	return find(&other) != NULL;
}

struct kit *kit_rebuild(struct session *s)
{
	forget();
	return find_or_make(s, true);
}
