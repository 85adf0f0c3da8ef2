// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens a file that only root can have changed (auth.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "auth.h"
#include "common/say.h"

/*
 * Returns what is wrong with an opened file or directory; NULL if nothing is.  An access list shows
 * up as the group's permissions.
 */
static const char *distrust(int fd, mode_t type)
{
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if ((st.st_mode & S_IFMT) != type)
		return type == S_IFDIR ? "is not a directory" : "is not a file";
	if (st.st_uid)
		return "does not belong to root";
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return "can be written by users other than root";
	return NULL;
}

/*
 * Does any process have the file open for writing, or mapped?  One that opened it before it became
 * root's could still change it.  The kernel grants a lease for reading only if no process has;
 * closing the file gives the lease back.  Some file systems have no leases.
 */
static bool is_being_written(int fd)
{
	return fcntl(fd, F_SETLEASE, F_RDLCK) && errno == EAGAIN;
}

/* Opens NAME in the directory AT as it is, without following a link. */
static int open_step(int at, const char *name, mode_t type)
{
	if (*name == '.' || !*name) {
		errno = EINVAL;
		return -1;
	}
	return openat(at, name, O_CLOEXEC | O_NOFOLLOW |
		      (type == S_IFDIR ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK | O_NOCTTY));
}

int trusted_open(int dir, const char *path)
{
	const char *wrong = distrust(dir, S_IFDIR), *rest = path;
	mode_t type = S_IFDIR;
	int at = dir;

	while (!wrong && type == S_IFDIR) {
		size_t n = strcspn(rest, "/");
		char name[NAME_MAX + 1] = "";

		if (n < sizeof(name))
			memcpy(name, rest, n);
		type = rest[n] ? S_IFDIR : S_IFREG;

		int fd = open_step(at, name, type);

		wrong = fd < 0 ? strerror(errno) : distrust(fd, type);
		if (!wrong && type == S_IFREG && is_being_written(fd))
			wrong = "is open for writing";
		rest += n + (type == S_IFDIR);
		if (at != dir)
			close(at);
		at = fd;
	}
	if (!wrong)
		return at;
	say_error("can't use '/%.*s': %s", (int)(rest - path), path, wrong);
	if (at != dir && at >= 0)
		close(at);
	return -1;
}
