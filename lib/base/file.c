// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole files and directory trees. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "file.h"

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -1;
		p += done;
		n -= done;
	}
	return 0;
}

/*
 * Closes FD.  On failure removes the incomplete file and keeps the first error
 * in errno.
 */
static int finish(int fd, const char *path, int failed)
{
	int error = errno;

	if (close(fd) && !failed) {
		failed = -1;
		error = errno;
	}
	if (failed) {
		unlink(path);
		errno = error;
	}
	return failed;
}

int file_read(const char *path, struct sbuf *to)
{
	return file_read_from(open(path, O_RDONLY | O_CLOEXEC), to);
}

bool file_says(const char *path, const char *text)
{
	struct sbuf b = { 0 };
	bool found = !file_read(path, &b) && strstr(sbuf_str(&b), text);

	sbuf_free(&b);
	return found;
}

int file_read_from(int fd, struct sbuf *to)
{
	char block[1 << 16];
	ssize_t n;

	if (fd < 0)
		return -1;
	while ((n = read(fd, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		sbuf_add(to, block, n);
	}
	int error = errno;

	close(fd);
	errno = error;
	return n < 0 ? -1 : 0;
}

int file_write(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0)
		return -1;
	return finish(fd, path, write_all(fd, p, n));
}

/* Writes to something other than a regular file, such as a terminal. */
static int write_to(const char *path, const void *p, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;

	int failed = write_all(fd, p, n), error = errno;

	close(fd);
	errno = error;
	return failed;
}

/* Replaces a file by a new one with the same owner and mode, made beside it and renamed. */
static int replace(const char *path, const struct stat *old, const void *p, size_t n)
{
	char *fresh = arena_printf("%s.XXXXXX", path);
	int fd = mkostemp(fresh, O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (finish(fd, fresh, write_all(fd, p, n) || fchown(fd, old->st_uid, old->st_gid) ||
		   fchmod(fd, old->st_mode & 07777) || fsync(fd)))
		return -1;
	if (!rename(fresh, path))
		return 0;

	int error = errno;

	unlink(fresh);
	errno = error;
	return -1;
}

int file_replace(const char *path, const void *p, size_t n)
{
	struct stat st;
	char real[PATH_MAX];

	if (stat(path, &st))
		return errno == ENOENT ? file_write(path, p, n) : -1;
	if (!S_ISREG(st.st_mode))
		return write_to(path, p, n);
	if (access(path, W_OK) || !realpath(path, real))
		return -1;
	return replace(real, &st, p, n);
}

int file_copy(const char *from, const char *to, bool sync)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	char block[1 << 16];
	struct stat st;
	ssize_t n = 0;
	int failed = 0;

	if (in < 0)
		return -1;
	unlink(to);
	int out = fstat(in, &st) ? -1 : open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
					     0666 | (st.st_mode & 0111));

	if (out < 0) {
		failed = errno;
		close(in);
		errno = failed;
		return -1;
	}
	while (!failed && (n = read(in, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		failed = n < 0 ? -1 : write_all(out, block, n);
	}
	if (!failed && sync)
		failed = fsync(out);
	failed = finish(out, to, failed);
	n = errno;
	close(in);
	errno = n;
	return failed;
}

static int make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0777) && errno != EEXIST)
			return -1;
		*slash = '/';
	}
	return 0;
}

int file_make_dirs(const char *path)
{
	struct stat st;

	if (mkdir(path, 0777) && errno == ENOENT) {
		if (make_parents(arena_strdup(path)) || (mkdir(path, 0777) && errno != EEXIST))
			return -1;
	}
	if (stat(path, &st))
		return -1;
	if (!S_ISDIR(st.st_mode)) {
		errno = ENOTDIR;
		return -1;
	}
	return 0;
}

static void remove_in(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		unlinkat(dirfd, name, 0);
		return;
	}
	DIR *d = fdopendir(fd);

	if (!d) {
		close(fd);
		return;
	}
	for (struct dirent *e; (e = readdir(d));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			remove_in(fd, e->d_name);
	closedir(d);
	unlinkat(dirfd, name, AT_REMOVEDIR);
}

void file_remove_tree(const char *path)
{
	remove_in(AT_FDCWD, path);
}

static int entry(const struct dirent *e)
{
	return strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

static int walk(const char *dir, const char *rel,
		void (*fn)(const char *rel, bool is_dir, void *arg), void *arg)
{
	const char *path = *rel ? arena_printf("%s/%s", dir, rel) : dir;
	struct dirent **list;
	int n = scandir(path, &list, entry, alphasort);

	if (n < 0)
		return -1;
	fn(rel, true, arg);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;
		const char *sub = *rel ? arena_printf("%s/%s", rel, name) : arena_strdup(name);
		struct stat st;

		if (!stat(arena_printf("%s/%s", dir, sub), &st)) {
			if (S_ISDIR(st.st_mode))
				walk(dir, sub, fn, arg);
			else if (S_ISREG(st.st_mode))
				fn(sub, false, arg);
		}
		free(list[i]);
	}
	free(list);
	return 0;
}

int file_walk_tree(const char *dir, void (*fn)(const char *rel, bool is_dir, void *arg), void *arg)
{
	return walk(dir, "", fn, arg);
}

const char *file_stamp(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return "-";
	return arena_printf("%jx:%jx:%jx.%lx:%jx.%lx", (uintmax_t)st.st_ino,
			    (uintmax_t)st.st_size,
			    (uintmax_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			    (uintmax_t)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
}

bool file_has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n > m && !strcmp(name + n - m, suffix);
}
