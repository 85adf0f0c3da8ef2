// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A glob in the root directory of another process ends, whatever the directories there hold; a root that is held
 * is not found by the number of its process alone.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/root.h"
#include "check.h"

#define LINKS 64

static size_t count(const char *root, const char *dir)
{
	glob_t found;
	size_t n;

	if (path_glob(arena_printf("%s%s/*/*/*", root, dir), GLOB_NOSORT, &found))
		return 0;
	n = found.gl_pathc;
	globfree(&found);
	return n;
}

static bool opens(const char *path)
{
	int fd = root_open(path, O_PATH);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The number of a process that has ended is ours now, as it were. */
static void check_held(const char *ours)
{
	pid_t child = fork();
	char real[PATH_MAX];
	int process, fd;

	if (!child) {
		pause();
		_exit(0);
	}
	process = root_process(arena_printf("/proc/%d/root", child));
	CHECK(process >= 0);
	root_hold(ours, process);
	fd = root_open(arena_printf("%s/proc", ours), O_PATH);
	CHECK(fd >= 0 && root_path(fd, ours, real) && !strcmp(real, arena_printf("%s/proc", ours)));
	close(fd);
	CHECK(opens(arena_printf("/proc/%d/root/proc", child)));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	CHECK(!opens(arena_printf("%s/proc", ours)));
}

int main(void)
{
	const size_t whole = LINKS * LINKS * LINKS;
	char made[] = "/tmp/stap-path-XXXXXX";
	const char *dir = mkdtemp(made), *root = arena_printf("/proc/%d/root", getpid());
	size_t bounded;

	CHECK(dir);
	if (!dir)
		return 1;
	/* Each link is another name of the directory, so that one that is three levels deep has 64³ files. */
	for (int i = 0; i < LINKS; i++)
		CHECK(!symlink(".", arena_printf("%s/%d", dir, i)));
	CHECK(count("", dir) == whole);
	bounded = count(root, dir);
	CHECK(bounded > whole / 2 && bounded < whole);
	for (int i = 0; i < LINKS; i++)
		unlink(arena_printf("%s/%d", dir, i));
	rmdir(dir);
	check_held(root);
	return failures != 0;
}
