// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache's files.
 *
 *	KEY SUFFIX	an entry
 *	KEY SUFFIX .sum	its digest and size
 *	kit-KEY/	a runtime kit (kit.c)
 *	kits-HASH	the inputs of a kit with their time stamps (kit.c)
 *	tmp-XXXXXX	an entry being written; removed later if its writer was killed
 *	lock		held while an entry is put or the cache is pruned
 *	kit.lock	held while a kit is built
 *	cache_mb_limit	set by the user: megabytes to keep (256)
 *
 * An entry's digest is in a file of its own because entries are used in place:
 * a module is loaded, an index mapped.  Two runs may put the same key at once,
 * and a crash may lose data that was synced, so an entry that doesn't match its
 * digest counts as absent.
 *
 * Using an entry updates its times; pruning removes the entries unused for
 * longest.  Entries used within the last minute stay, because another run may
 * be about to load them.  A kit stays for as long as a run holds it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sdt.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/trust.h"
#include "cache.h"
#include "internal.h"
#include "session.h"

#define DEFAULT_LIMIT_MB 256
#define IN_USE 60		/* seconds */
#define STALE 3600		/* seconds; the writer of a tmp-XXXXXX this old is gone */
#define KEY_DIGITS 64

/* Large files, such as an index of a kernel's names, are checked at their two ends only. */
#define END_BYTES (512 << 10)

/* ---- locks ---- */

static bool is_interrupted(void)
{
	return proc_interrupted() || session_interrupted();
}

/* Opens a lock file.  Anything else at PATH, such as a link to another user's file, is removed. */
static int open_lock(const char *path)
{
	int fd = trust_open_entry(path, O_RDWR | O_CREAT);

	if (fd >= 0 || (errno != ELOOP && errno != EPERM) || unlink(path))
		return fd;
	return trust_open_entry(path, O_RDWR | O_CREAT);
}

int cache_lock(const char *dir, const char *name)
{
	int fd = open_lock(arena_printf("%s/%s", dir, name));

	/*
	 * Whatever user can read the file can lock it for ever, and earlier versions let everybody
	 * read it.
	 */
	if (fd >= 0)
		fchmod(fd, 0600);
	while (fd >= 0 && (is_interrupted() || flock(fd, LOCK_EX)))
		if (is_interrupted() || errno != EINTR) {
			close(fd);
			return -1;
		}
	return fd;
}

int cache_hold(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK) {
		close(fd);	/* remove_kit() has it */
		return -1;
	}
	return fd;
}

/* ---- digests ---- */

static int hash_range(struct hash *h, int fd, off_t from, off_t to)
{
	char block[1 << 16];

	while (from < to) {
		size_t want = to - from < (off_t)sizeof(block) ? (size_t)(to - from) :
			      sizeof(block);
		ssize_t n = pread(fd, block, want, from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		hash_bytes(h, block, n);
		from += n;
	}
	return 0;
}

/* Returns the text of the .sum of the entry that is open, or NULL if it can't be read. */
static const char *sum_of(int fd)
{
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return NULL;
	struct hash *h = hash_new();
	off_t size = st.st_size;
	int failed;

	if (size <= 2 * END_BYTES)
		failed = hash_range(h, fd, 0, size);
	else
		failed = hash_range(h, fd, 0, END_BYTES) ||
			 hash_range(h, fd, size - END_BYTES, size);

	const char *hex = hash_hex(h);

	return failed ? NULL : arena_printf("%s %jd\n", hex, (intmax_t)size);
}

/* ---- get and put ---- */

const char *cache_get(struct session *s, const char *key, const char *suffix)
{
	struct sbuf sum = {};

	if (s->options.poison_cache)
		return NULL;
	const char *dir = session_cache_dir(s);

	if (!dir)
		return NULL;
	const char *path = arena_printf("%s/%s%s", dir, key, suffix);
	int fd = trust_open_entry(path, O_RDONLY);
	const char *now = sum_of(fd);
	bool whole = now && !cache_read(dir, arena_printf("%s%s.sum", key, suffix), &sum) &&
		     !strcmp(now, sbuf_str(&sum));

	sbuf_free(&sum);
	if (whole)
		futimens(fd, NULL);
	if (fd >= 0)
		close(fd);
	return whole ? path : NULL;
}

int cache_read(const char *dir, const char *name, struct sbuf *to)
{
	return file_read_from(trust_open_entry(arena_printf("%s/%s", dir, name), O_RDONLY), to);
}

/*
 * Creates a file in the cache with a copy of FROM, or else with TEXT.  Returns
 * its path.
 */
static const char *write_aside(const char *dir, const char *from, const char *text)
{
	char *tmp = arena_printf("%s/tmp-XXXXXX", dir);
	int fd = mkostemp(tmp, O_CLOEXEC);

	if (fd < 0)
		return NULL;
	close(fd);
	if (!(from ? file_copy(from, tmp, true) : file_write(tmp, text, strlen(text))))
		return tmp;
	int error = errno;

	unlink(tmp);
	errno = error;
	return NULL;
}

static int rename_in(const char *from, const char *to)
{
	if (!rename(from, to))
		return 0;
	int error = errno;

	unlink(from);
	errno = error;
	return -1;
}

int cache_write(const char *dir, const char *name, const char *text)
{
	const char *tmp = write_aside(dir, NULL, text);

	return tmp ? rename_in(tmp, arena_printf("%s/%s", dir, name)) : -1;
}

/*
 * Puts an entry.  Its sum is renamed first, so between the two renames the
 * entry counts as absent.  In the other order a new entry could be paired with
 * an old sum.
 */
static int put(const char *dir, const char *path, const char *from)
{
	STAP_PROBE2(stap, cache__add__mod, from, path);

	const char *data = write_aside(dir, from, NULL);
	int fd = data ? trust_open_entry(data, O_RDONLY) : -1;
	const char *text = sum_of(fd);
	const char *sum = text ? write_aside(dir, NULL, text) : NULL;

	if (fd >= 0)
		close(fd);
	if (!sum) {
		int error = errno;

		if (data)
			unlink(data);
		errno = error;
		return -1;
	}
	if (rename_in(sum, arena_printf("%s.sum", path))) {
		int error = errno;

		unlink(data);
		errno = error;
		return -1;
	}
	return rename_in(data, path);
}

const char *cache_put(struct session *s, const char *key, const char *suffix,
		      const char *from_path)
{
	const char *dir = session_cache_dir(s);

	if (!dir)
		return NULL;
	const char *path = arena_printf("%s/%s%s", dir, key, suffix);
	int lock = cache_lock(dir, "lock");
	int failed = put(dir, path, from_path);
	int error = errno;

	if (lock >= 0)
		close(lock);
	if (failed) {
		diag(DIAG_WARNING, "can't write to the cache %s: %s", dir, strerror(error));
		return NULL;
	}
	cache_prune(s);
	return path;
}

void cache_put_bytes(struct session *s, const char *key, const char *suffix, const void *p, size_t n)
{
	const char *dir = session_tmpdir(s), *path = dir ? arena_printf("%s/%s%s", dir, key, suffix) : NULL;

	if (!path)
		return;
	if (!file_write(path, p, n))
		cache_put(s, key, suffix, path);
	unlink(path);
}

/* ---- pruning ---- */

enum kind { ENTRY, SUM, KIT, STAMP, ASIDE, FOREIGN };

struct item {
	const char *name;
	enum kind kind;
	off_t size;
	time_t used;
};

typedef vec(struct item) items;

static bool begins(const char *name, const char *with)
{
	return !strncmp(name, with, strlen(with));
}

static bool has_key(const char *name)
{
	return strspn(name, "0123456789abcdef") >= KEY_DIGITS;
}

static enum kind kind_of(const char *name)
{
	if (begins(name, "tmp-"))
		return ASIDE;
	if (begins(name, "kits-") && has_key(name + 5))
		return STAMP;
	if (begins(name, "kit-") && has_key(name + 4))
		return KIT;
	if (!has_key(name))
		return FOREIGN;
	return file_has_suffix(name, ".sum") ? SUM : ENTRY;
}

struct tree {
	const char *dir;
	off_t size;
};

static void add_size(const char *rel, bool is_dir, void *arg)
{
	struct tree *a = arg;
	struct stat st;

	if (!is_dir && !stat(arena_printf("%s/%s", a->dir, rel), &st))
		a->size += st.st_size;
}

static off_t tree_size(const char *dir)
{
	struct tree a = { .dir = dir };

	file_walk_tree(dir, add_size, &a);
	return a.size;
}

static items list_items(const char *dir)
{
	items list = {};
	DIR *d = opendir(dir);

	if (!d)
		return list;
	for (struct dirent *e; (e = readdir(d));) {
		struct item it = { .kind = kind_of(e->d_name) };
		struct stat st;

		if (it.kind == FOREIGN ||
		    fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		it.name = arena_strdup(e->d_name);
		it.size = st.st_size;
		it.used = st.st_mtime;
		if (it.kind == KIT)
			it.size = tree_size(arena_printf("%s/%s", dir, it.name));
		vec_push(&list, it);
	}
	closedir(d);
	return list;
}

static void remove_item(const char *dir, const struct item *it)
{
	const char *path = arena_printf("%s/%s", dir, it->name);

	STAP_PROBE1(stap, cache__clean, path);
	file_remove_tree(path);
	if (it->kind == ENTRY)
		unlink(arena_printf("%s.sum", path));
}

/*
 * Removes a kit that no run holds.  A run that comes now can't hold it, and
 * counts it as absent.
 */
static bool remove_kit(const char *dir, const struct item *it)
{
	int fd = open(arena_printf("%s/%s", dir, it->name),
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (!held)
		remove_item(dir, it);
	if (fd >= 0)
		close(fd);
	return !held;
}

/* Removes an item unless a run uses it, or may still write it. */
static void remove_unused(const char *dir, const struct item *it)
{
	if (it->kind == KIT)
		remove_kit(dir, it);
	else if (it->kind != ASIDE || time(NULL) - it->used > STALE)
		remove_item(dir, it);
}

static int longest_unused(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->used > y->used) - (x->used < y->used);
}

static off_t limit(const char *dir)
{
	struct sbuf b = {};
	long mb = DEFAULT_LIMIT_MB;

	if (!cache_read(dir, "cache_mb_limit", &b)) {
		char *end;

		errno = 0;
		mb = strtol(sbuf_str(&b), &end, 10);
		if (errno || end == sbuf_str(&b) || mb < 0 || mb > INT_MAX)
			mb = DEFAULT_LIMIT_MB;
	}
	sbuf_free(&b);
	return (off_t)mb << 20;
}

void cache_prune(struct session *s)
{
	const char *dir = session_cache_dir(s);
	int lock = dir ? cache_lock(dir, "lock") : -1;

	if (lock < 0)
		return;
	items list = list_items(dir);
	off_t max = limit(dir), total = 0;

	for (size_t i = 0; i < list.n; i++)
		total += list.v[i].size;
	if (list.n)
		qsort(list.v, list.n, sizeof(*list.v), longest_unused);
	for (size_t i = 0; i < list.n; i++) {
		const struct item *it = &list.v[i];

		if (it->kind == ASIDE)
			remove_unused(dir, it);
		if (it->kind != ENTRY && it->kind != KIT)
			continue;
		if (total <= max || time(NULL) - it->used <= IN_USE)
			continue;
		if (it->kind == KIT && !remove_kit(dir, it))
			continue;
		if (it->kind == ENTRY)
			remove_item(dir, it);
		total -= it->size;
	}
	close(lock);
}

int cache_clean(struct session *s)
{
	const char *dir = s->home ? arena_printf("%s/cache", s->home) : NULL;
	struct problem why = { 0 };
	enum trust trust = dir ? trust_path(dir, &why) : TRUST_NO;
	int failed = 0;

	if (trust == TRUST_ABSENT)
		return 0;
	if (trust == TRUST_NO) {
		if (dir)
			diag(DIAG_ERROR, "the cache is not emptied: %s", why.text);
		return -1;
	}
	int lock = cache_lock(dir, "lock");
	items list = list_items(dir);

	for (size_t i = 0; i < list.n; i++) {
		const struct item *it = &list.v[i];

		remove_unused(dir, it);
		if (it->kind != KIT && it->kind != ASIDE &&
		    !access(arena_printf("%s/%s", dir, it->name), F_OK))
			failed = -1;
	}
	if (failed)
		diag(DIAG_ERROR, "can't empty the cache %s", dir);
	if (lock >= 0)
		close(lock);
	return failed;
}
