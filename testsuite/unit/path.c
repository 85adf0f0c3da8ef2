// SPDX-License-Identifier: GPL-2.0-or-later
/* A glob in the root directory of another process ends, whatever the directories there hold. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
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
	return failures != 0;
}
