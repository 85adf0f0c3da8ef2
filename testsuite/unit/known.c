// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A container's files that are below a FUSE mount, whose server may never answer, are not opened.  As root, who
 * can mount one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "check.h"
#include "stapio/names/known.h"
#include "stapio/names/unwind_tables.h"
#include "stapio/names/usymbols.h"

static int given;

void usymbols_give_file(struct usymbols *u, const char *path)
{
	(void)u;
	(void)path;
	given++;
}

bool find_program_header(int fd, unsigned int type, Elf64_Phdr *ph)
{
	(void)fd;
	(void)type;
	(void)ph;
	return false;
}

/* Returns how many of the two files /proc/stat and /tmp/prog of a module are given. */
static int count(const char *root)
{
	char files[] = "0 - 0 0 - /proc/stat\0001 - 0 0 - /tmp/prog";

	given = 0;
	known_probed(NULL, root, files, sizeof(files));
	return given;
}

/* Mounts a file system whose server is we, who never answer. */
static bool mount_fuse(const char *where, const char *what)
{
	char options[64];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=%d,group_id=%d",
		 open("/dev/fuse", O_RDWR | O_CLOEXEC), getuid(), getgid());
	return !mount(what, where, "fuse", 0, options);
}

int main(void)
{
	char root[64], longest[4000];

	memset(longest, '\n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	snprintf(root, sizeof(root), "/proc/%d/root", getpid());
	CHECK(count("") == 2 && count(root) == 2);
	if (unshare(CLONE_NEWNS) || mount("", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    !mount_fuse("/tmp", longest)) {
		puts("no FUSE file system can be mounted here");
		return failures ? 1 : 77;
	}
	CHECK(count("") == 2 && count(root) == 1);
	CHECK(mount_fuse("/", "it"));
	CHECK(count("") == 2 && count(root) == 0);
	return failures != 0;
}
