// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens regular files only, and tells which they are (regular.h).  O_PATH finds the file without
 * opening it; /proc/self/fd then opens that same file, so it can't be exchanged between the check
 * and the use.
 */
#define _GNU_SOURCE
#include "regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "root.h"

/* Opens what FOUND, a descriptor of O_PATH, refers to. */
static int open_found(int found)
{
	char path[64];
	struct stat st;

	if (fstat(found, &st))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	/* O_NONBLOCK: a lease on the file does not hold us up. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

int regular_open(const char *path)
{
	int found = root_open(path, O_PATH), fd, error;

	if (found < 0)
		return -1;
	fd = open_found(found);
	error = errno;
	close(found);
	errno = error;
	return fd;
}

const char *regular_identity(const struct stat *st, char text[REGULAR_IDENTITY])
{
	snprintf(text, REGULAR_IDENTITY, "%llx:%llu:%llu:%lld.%09ld",
		 (unsigned long long)st->st_dev, (unsigned long long)st->st_ino,
		 (unsigned long long)st->st_size, (long long)st->st_ctim.tv_sec,
		 st->st_ctim.tv_nsec);
	return text;
}
