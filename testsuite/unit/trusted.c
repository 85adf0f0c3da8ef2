// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which files staprun-auth opens: root's, in root's directories, as they are.  As root; the others are
 * nobody's.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "auth/auth.h"
#include "check.h"

#define NOBODY 65534

static int top;

static void make_dir(const char *name, mode_t mode, uid_t owner)
{
	CHECK(!mkdirat(top, name, 0700) && !fchownat(top, name, owner, 0, 0) && !fchmodat(top, name, mode, 0));
}

static void make_file(const char *name, mode_t mode, uid_t owner)
{
	int fd = openat(top, name, O_CREAT | O_EXCL | O_WRONLY, 0600);

	CHECK(fd >= 0 && write(fd, name, strlen(name)) > 0);
	CHECK(!fchown(fd, owner, 0) && !fchmod(fd, mode) && !close(fd));
}

/* trusted_open(), without its messages. */
static int open_quietly(const char *path)
{
	int messages = dup(2), null = open("/dev/null", O_WRONLY), fd;

	dup2(null, 2);
	fd = trusted_open(top, path);
	dup2(messages, 2);
	close(messages);
	close(null);
	return fd;
}

static bool opens(const char *path)
{
	int fd = open_quietly(path);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static void owners(void)
{
	make_dir("ours", 0755, 0);
	make_file("ours/a.ko", 0644, 0);
	make_file("ours/secret.ko", 0600, 0);
	make_file("ours/theirs.ko", 0644, NOBODY);
	make_file("ours/groups.ko", 0664, 0);
	make_file("ours/everybodys.ko", 0646, 0);
	CHECK(opens("ours/a.ko") && opens("ours/secret.ko"));
	CHECK(!opens("ours/theirs.ko") && !opens("ours/groups.ko") && !opens("ours/everybodys.ko"));
	make_dir("theirs", 0755, NOBODY);
	make_file("theirs/a.ko", 0644, 0);
	make_dir("theirs/ours", 0755, 0);
	make_file("theirs/ours/a.ko", 0644, 0);
	make_dir("group", 0775, 0);
	make_file("group/a.ko", 0644, 0);
	make_dir("sticky", 01777, 0);
	make_file("sticky/a.ko", 0644, 0);
	CHECK(!opens("theirs/a.ko") && !opens("theirs/ours/a.ko"));
	CHECK(!opens("group/a.ko") && !opens("sticky/a.ko"));
	CHECK(!fchmod(top, 0777) && !opens("ours/a.ko") && !fchmod(top, 0755));
}

static void links(void)
{
	CHECK(!symlinkat("ours", top, "to-ours") && !symlinkat("a.ko", top, "ours/link.ko"));
	CHECK(!symlinkat("/etc/passwd", top, "ours/passwd.ko"));
	CHECK(!opens("to-ours/a.ko") && !opens("ours/link.ko") && !opens("ours/passwd.ko"));
	/* A hard link is the same file, with the same owner. */
	CHECK(!linkat(top, "ours/theirs.ko", top, "ours/hard.ko", 0) && !opens("ours/hard.ko"));
	CHECK(!linkat(top, "ours/a.ko", top, "theirs/hard.ko", 0) && opens("ours/a.ko"));
}

static void names(void)
{
	static const char *const bad[] = {
		"", "/", "ours", "ours/", "ours//a.ko", "/ours/a.ko", "ours/./a.ko", "ours/../ours/a.ko",
		"../etc/passwd", "ours/a.ko/", "ours/a.ko/b", "ours/none.ko", "none/a.ko", "ours/.ko",
		"ours/%s%n.ko",
	};
	char *longest = malloc(1 << 20);

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!opens(bad[i]));
	CHECK(longest);
	memset(longest, 'a', (1 << 20) - 1);
	longest[(1 << 20) - 1] = '\0';
	CHECK(!opens(longest));
	free(longest);
}

static void kinds(void)
{
	make_dir("ours/dir.ko", 0755, 0);
	CHECK(!mkfifoat(top, "ours/fifo.ko", 0600) && !opens("ours/dir.ko") && !opens("ours/fifo.ko"));
	CHECK(mknodat(top, "ours/device.ko", S_IFCHR | 0600, 0x103) || !opens("ours/device.ko"));
}

/* Whoever has opened or mapped the file before it became root's still writes to it. */
static void writers(void)
{
	int fd = openat(top, "ours/a.ko", O_RDWR);

	CHECK(fd >= 0 && !opens("ours/a.ko"));
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	CHECK(p != MAP_FAILED && !close(fd) && !opens("ours/a.ko"));
	CHECK(!munmap(p, 4096) && opens("ours/a.ko"));
}

/* Another file takes its place, again and again: what is opened is root's, whichever it was. */
static void races(void)
{
	struct stat st;
	pid_t swapper = fork();
	int opened = 0;

	if (!swapper)
		for (;;) {
			linkat(top, "ours/theirs.ko", top, "ours/next", 0);
			renameat(top, "ours/next", top, "ours/race.ko");
			linkat(top, "ours/secret.ko", top, "ours/next", 0);
			renameat(top, "ours/next", top, "ours/race.ko");
			symlinkat("/etc/passwd", top, "ours/next");
			renameat(top, "ours/next", top, "ours/race.ko");
			unlinkat(top, "ours/next", 0);
		}
	CHECK(swapper > 0);
	for (int i = 0; i < 3000 || !opened; i++) {
		int fd = open_quietly("ours/race.ko");

		if (fd < 0)
			continue;
		CHECK(!fstat(fd, &st) && !st.st_uid && (st.st_mode & 07777) == 0600 && !close(fd));
		opened++;
	}
	kill(swapper, SIGKILL);
	waitpid(swapper, NULL, 0);
}

int main(void)
{
	char dir[] = "/tmp/trusted-XXXXXX", command[64];

	if (geteuid()) {
		puts("only root can make files of other users");
		return 77;
	}
	umask(022);
	CHECK(mkdtemp(dir) && !chmod(dir, 0755));
	top = open(dir, O_RDONLY | O_DIRECTORY);
	CHECK(top >= 0);
	owners();
	links();
	names();
	kinds();
	writers();
	races();
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command) || failures;
}
