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

size_t root_length(const char *path)
{
	int n = 0;

	sscanf(path, "/proc/%*[0-9]/root%n", &n);
	return n && (path[n] == '/' || !path[n]) ? n : 0;
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
	char prefix[64];
	int root, fd, error;

	flags |= O_CLOEXEC;
	if (!n)
		return open(path, flags);
	if (n >= sizeof(prefix)) {
		errno = ENOENT;
		return -1;
	}
	snprintf(prefix, sizeof(prefix), "%.*s", (int)n, path);
	root = open(prefix, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	fd = open_in(root, path + n, flags);
	error = errno;
	close(root);
	errno = error;
	return fd;
}

static bool read_link(const char *link, char real[PATH_MAX])
{
	ssize_t n = readlink(link, real, PATH_MAX - 1);

	real[n > 0 ? n : 0] = '\0';
	return n > 0;
}

bool root_path(int fd, const char *path, char real[PATH_MAX])
{
	size_t n = root_length(path), above;
	char link[64], whole[PATH_MAX], root[PATH_MAX];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (!n)
		return read_link(link, real);
	if (!read_link(link, whole))
		return false;
	snprintf(link, sizeof(link), "%.*s", (int)n, path);
	if (!read_link(link, root))
		return false;
	above = strcmp(root, "/") ? strlen(root) : 0;
	return !strncmp(whole, root, above) && whole[above] == '/' &&
	       snprintf(real, PATH_MAX, "%s%s", link, whole + above) < PATH_MAX;
}
