// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens files in the root directories of other processes (root.h). */
#define _GNU_SOURCE
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The kernel gives up where directories are renamed meanwhile; a hostile process may rename for ever. */
#define TRIES 16

/* The root that is held. */
static struct {
	char text[64];
	int process;
} held = { .process = -1 };

size_t root_length(const char *path)
{
	int n = 0;

	sscanf(path, "/proc/%*[0-9]/root%n", &n);
	return n && (path[n] == '/' || !path[n]) ? n : 0;
}

int root_process(const char *root)
{
	char process[64];

	snprintf(process, sizeof(process), "%.*s", (int)(root_length(root) - strlen("/root")), root);
	return open(process, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void root_hold(const char *root, int process)
{
	snprintf(held.text, sizeof(held.text), "%s", root);
	held.process = process;
}

int root_held(void)
{
	return held.process;
}

/* Finds the directory, and the path from there, of the root that PATH begins with, N characters. */
static int find_root(const char *path, size_t n, char root[64])
{
	if (held.process >= 0 && n == strlen(held.text) && !strncmp(path, held.text, n)) {
		strcpy(root, "root");
		return held.process;
	}
	snprintf(root, 64, "%.*s", (int)n, path);
	return AT_FDCWD;
}

static int open_in(int root, const char *rest, int flags)
{
	struct open_how how = { .flags = flags, .resolve = RESOLVE_IN_ROOT };
	int fd = -1;

	rest += strspn(rest, "/");
	for (int i = 0; i < TRIES && fd < 0 && (!i || errno == EAGAIN); i++)
		fd = syscall(SYS_openat2, root, *rest ? rest : ".", &how, sizeof(how));
	return fd;
}

int root_open(const char *path, int flags)
{
	size_t n = root_length(path);
	char name[64];
	int dir, root, fd, error;

	flags |= O_CLOEXEC;
	if (!n)
		return open(path, flags);
	if (n >= sizeof(name)) {
		errno = ENOENT;
		return -1;
	}
	dir = find_root(path, n, name);
	root = openat(dir, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	fd = open_in(root, path + n, flags);
	error = errno;
	close(root);
	errno = error;
	return fd;
}

static bool read_link(int dir, const char *link, char real[PATH_MAX])
{
	ssize_t n = readlinkat(dir, link, real, PATH_MAX - 1);

	real[n > 0 ? n : 0] = '\0';
	return n > 0;
}

bool root_path(int fd, const char *path, char real[PATH_MAX])
{
	size_t n = root_length(path), above;
	char link[64], whole[PATH_MAX], root[PATH_MAX];
	int dir;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!n)
		return read_link(AT_FDCWD, link, real);
	if (n >= sizeof(link) || !read_link(AT_FDCWD, link, whole))
		return false;
	dir = find_root(path, n, link);
	if (!read_link(dir, link, root))
		return false;
	above = strcmp(root, "/") ? strlen(root) : 0;
	return !strncmp(whole, root, above) && whole[above] == '/' &&
	       snprintf(real, PATH_MAX, "%.*s%s", (int)n, path, whole + above) < PATH_MAX;
}
