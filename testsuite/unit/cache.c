// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cache: entries come back whole or not at all, whatever happens to the
 * files and however many put at once; pruning takes the longest unused.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "kit/cache.h"
#include "session.h"
#include "check.h"

static struct session s;
static const char *source;	/* a file to put */

static const char *key_of(const char *text)
{
	struct hash *h = hash_new();

	hash_string(h, text);
	return hash_hex(h);
}

/* SIZE bytes of one letter, put under KEY. */
static const char *put(const char *key, size_t size, char letter)
{
	char *bytes = malloc(size);
	const char *from = arena_printf("%s.%d", source, getpid());

	memset(bytes, letter, size);
	CHECK(!file_write(from, bytes, size));
	free(bytes);
	const char *path = cache_put(&s, key, ".x", from);

	unlink(from);
	return path;
}

static void set_age(const char *path, long seconds)
{
	struct timespec then = { .tv_sec = time(NULL) - seconds };

	CHECK(!utimensat(AT_FDCWD, path, (struct timespec[]){ then, then }, 0));
}

static void hashes(void)
{
	struct hash *a = hash_new(), *b = hash_new();

	CHECK(!strcmp(hash_hex(hash_new()),
		      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
	hash_string(a, "ab");
	hash_string(a, "c");
	hash_string(b, "a");
	hash_string(b, "bc");
	CHECK(strcmp(hash_hex(a), hash_hex(b)));
	b = hash_new();
	CHECK(hash_file(b, "/nonexistent") == -1);
	hash_hex(b);
}

static void round_trip(void)
{
	const char *key = key_of("round trip");
	struct sbuf b = {};

	CHECK(!cache_get(&s, key, ".x"));
	const char *path = put(key, 1000, 'a');

	CHECK(path && !strcmp(path, cache_get(&s, key, ".x")));
	CHECK(!file_read(path, &b) && b.len == 1000 && b.s[999] == 'a');
	sbuf_free(&b);
	CHECK(!cache_get(&s, key, ".y"));

	s.options.poison_cache = true;
	CHECK(!cache_get(&s, key, ".x"));
	CHECK(put(key, 500, 'b'));
	s.options.poison_cache = false;
	CHECK(cache_get(&s, key, ".x"));
	s.options.disable_cache = true;
	CHECK(!cache_get(&s, key, ".x") && !put(key, 10, 'c'));
	s.options.disable_cache = false;
}

/* Every way an entry can be broken: it is absent then, and can be put again. */
static void broken_entries(void)
{
	static const size_t sizes[] = { 1, 4096, 3 << 20 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		const char *key = key_of(arena_printf("broken %zu", sizes[i]));
		const char *path = put(key, sizes[i], 'a');
		int fd;

		CHECK(path && cache_get(&s, key, ".x"));
		CHECK(!truncate(path, sizes[i] / 2));
		CHECK(!cache_get(&s, key, ".x"));
		CHECK(put(key, sizes[i], 'a') && cache_get(&s, key, ".x"));

		fd = open(path, O_WRONLY);
		CHECK(fd >= 0 && pwrite(fd, "!", 1, sizes[i] - 1) == 1 && !close(fd));
		CHECK(!cache_get(&s, key, ".x"));
		CHECK(put(key, sizes[i], 'a') && cache_get(&s, key, ".x"));

		CHECK(!truncate(arena_printf("%s.sum", path), 0));
		CHECK(!cache_get(&s, key, ".x"));
		CHECK(put(key, sizes[i], 'a') && cache_get(&s, key, ".x"));

		CHECK(!unlink(arena_printf("%s.sum", path)));
		CHECK(!cache_get(&s, key, ".x"));
		CHECK(put(key, sizes[i], 'a') && cache_get(&s, key, ".x"));

		CHECK(!unlink(path) && !symlink("/etc/passwd", path));
		CHECK(!cache_get(&s, key, ".x"));
		CHECK(put(key, sizes[i], 'a') && cache_get(&s, key, ".x"));
	}
}

/* All bytes alike: no entry is a mixture of two. */
static int is_torn(const char *path)
{
	struct sbuf b = {};
	int torn = file_read(path, &b);

	for (size_t i = 1; i < b.len; i++)
		torn |= b.s[i] != b.s[0];
	torn |= b.len != 100000 + (size_t)b.s[0];
	sbuf_free(&b);
	return torn;
}

static void concurrent_puts(void)
{
	const char *key = key_of("concurrent");
	pid_t pids[6];
	int status;

	for (int i = 0; i < 6; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		failures = 0;
		for (int n = 0; n < 30; n++)
			CHECK(put(key, 100000 + 'a' + i, 'a' + i));
		_exit(failures);
	}
	while (waitpid(pids[0], &status, WNOHANG) == 0) {
		const char *path = cache_get(&s, key, ".x");

		CHECK(!path || !is_torn(path));
	}
	CHECK(!status);
	for (int i = 1; i < 6; i++)
		CHECK(waitpid(pids[i], &status, 0) == pids[i] && !status);
	CHECK(cache_get(&s, key, ".x"));
}

static void pruning(void)
{
	const char *dir = session_cache_dir(&s), *keys[6];
	const char *foreign = arena_printf("%s/notes", dir);
	const char *aside = arena_printf("%s/tmp-abcdef", dir);
	const char *fresh = arena_printf("%s/tmp-ghijkl", dir);

	CHECK(!cache_clean(&s));
	for (int i = 0; i < 6; i++) {
		keys[i] = key_of(arena_printf("pruned %d", i));
		set_age(put(keys[i], 300 << 10, 'a'), 1000 - 100 * i);
	}
	CHECK(cache_get(&s, keys[0], ".x"));	/* used now: the last to go */
	CHECK(!file_write(foreign, "x", 1) && !file_write(aside, "x", 1) &&
	      !file_write(fresh, "x", 1));
	set_age(aside, 7200);
	CHECK(!file_write(arena_printf("%s/cache_mb_limit", dir), "1\n", 2));
	cache_prune(&s);
	CHECK(cache_get(&s, keys[0], ".x"));
	CHECK(!cache_get(&s, keys[1], ".x") && !cache_get(&s, keys[3], ".x"));
	CHECK(access(arena_printf("%s/%s.x.sum", dir, keys[1]), F_OK));
	CHECK(cache_get(&s, keys[4], ".x") && cache_get(&s, keys[5], ".x"));
	CHECK(access(aside, F_OK) && !access(fresh, F_OK));

	/* nonsense for a limit is no limit of 0 */
	CHECK(!file_write(arena_printf("%s/cache_mb_limit", dir), "lots\n", 5));
	set_age(cache_get(&s, keys[4], ".x"), 1000);
	cache_prune(&s);
	CHECK(cache_get(&s, keys[4], ".x"));

	CHECK(!cache_clean(&s));
	CHECK(!cache_get(&s, keys[5], ".x") && !access(foreign, F_OK));
}

/* A kit in use stays, however old; when its user is gone it goes. */
static void held_kit(void)
{
	const char *dir = session_cache_dir(&s);
	const char *kit = arena_printf("%s/kit-%s", dir, key_of("held"));
	const char *bytes = arena_printf("%s/mod.o", kit);

	CHECK(!file_write(arena_printf("%s/cache_mb_limit", dir), "0\n", 2));
	CHECK(!file_make_dirs(kit) && !file_write(bytes, "x", 1));
	set_age(kit, 1000);
	int held = cache_hold(kit);

	CHECK(held >= 0 && cache_hold(bytes) < 0);
	cache_prune(&s);
	CHECK(!access(bytes, F_OK));
	CHECK(!close(held));
	cache_prune(&s);
	CHECK(access(kit, F_OK) && cache_hold(kit) < 0);
	CHECK(!cache_clean(&s) && !unlink(arena_printf("%s/cache_mb_limit", dir)));
}

/* A file system with no room: a warning, the caller goes on. */
static void full_disk(void)
{
	const char *dir = session_cache_dir(&s);

	if (mount("none", dir, "tmpfs", 0, "size=64k")) {
		fprintf(stderr, "full disk: not tested, can't mount\n");
		return;
	}
	CHECK(put(key_of("fits"), 4096, 'a'));
	CHECK(!put(key_of("does not"), 1 << 20, 'a'));
	CHECK(cache_get(&s, key_of("fits"), ".x"));
	CHECK(!cache_get(&s, key_of("does not"), ".x"));
	CHECK(!umount(dir));
}

/* Entries that others could have written, or that are elsewhere too, count as absent. */
static void not_ours(void)
{
	const char *key = key_of("not ours"), *path = put(key, 100, 'a');
	const char *sum = arena_printf("%s.sum", path), *other = arena_printf("%s-2", path);

	CHECK(!chmod(path, 0666) && !cache_get(&s, key, ".x"));
	CHECK(!chmod(path, 0644) && cache_get(&s, key, ".x"));
	CHECK(!chmod(sum, 0620) && !cache_get(&s, key, ".x"));
	CHECK(!chmod(sum, 0600) && cache_get(&s, key, ".x"));
	CHECK(!link(path, other) && !cache_get(&s, key, ".x"));
	CHECK(!unlink(other) && cache_get(&s, key, ".x"));
	if (geteuid())
		return;
	CHECK(!chown(path, 65534, 0) && !cache_get(&s, key, ".x"));
	CHECK(put(key, 100, 'a') && cache_get(&s, key, ".x"));
}

/* A lock's file is the cache's own, whatever somebody has put there. */
static void lock_in_the_way(void)
{
	const char *dir = session_cache_dir(&s), *lock = arena_printf("%s/test.lock", dir);
	const char *victim = arena_printf("%s.victim", source);
	struct stat st;
	int fd;

	for (int i = 0; i < 2; i++) {
		CHECK(!file_write(victim, "x", 1) && !chmod(victim, 0644));
		CHECK(!(i ? link : symlink)(victim, lock));
		fd = cache_lock(dir, "test.lock");
		CHECK(fd >= 0 && !close(fd));
		CHECK(!lstat(lock, &st) && S_ISREG(st.st_mode) && st.st_nlink == 1);
		CHECK(!stat(victim, &st) && (st.st_mode & 0777) == 0644 && st.st_nlink == 1);
		CHECK(!unlink(lock) && !unlink(victim));
	}
	CHECK(!mkfifo(lock, 0600));
	fd = cache_lock(dir, "test.lock");
	CHECK(fd >= 0 && !close(fd) && !lstat(lock, &st) && S_ISREG(st.st_mode) && !unlink(lock));
}

/* Without a directory that lasts, there is a cache for one run. */
static void no_directory(const char *home)
{
	const char *tmp = arena_printf("%s/tmp", home);
	struct session t = { .home = "/proc/nowhere", .tmpdir = tmp };
	const char *dir;

	CHECK(!mkdir(tmp, 0700));
	dir = session_cache_dir(&t);
	CHECK(dir && !strncmp(dir, tmp, strlen(tmp)) && !cache_get(&t, key_of("x"), ".x"));
	CHECK(cache_put(&t, key_of("x"), ".x", "/etc/passwd") && cache_get(&t, key_of("x"), ".x"));
	CHECK(!cache_clean(&t));
}

int main(void)
{
	char home[] = "/tmp/cache test XXXXXX";

	if (!mkdtemp(home))
		return 1;
	diag_no_warnings = true;
	s.home = arena_printf("%s/a/b", home);
	source = arena_printf("%s/source", home);
	hashes();
	round_trip();
	broken_entries();
	concurrent_puts();
	pruning();
	held_kit();
	full_disk();
	not_ours();
	lock_in_the_way();
	no_directory(home);
	file_remove_tree(home);
	arena_free_all();
	return failures != 0;
}
