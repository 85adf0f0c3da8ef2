// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whose hands a path is in: owners, permissions and links of each component.  As root; the others
 * are nobody's.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/trust.h"
#include "check.h"

#define NOBODY 65534

static const char *top;

static const char *at(const char *rel)
{
	return arena_printf("%s/%s", top, rel);
}

static void make_dir(const char *rel, mode_t mode, uid_t owner)
{
	CHECK(!mkdir(at(rel), 0700) && !chown(at(rel), owner, 0) && !chmod(at(rel), mode));
}

static void make_file(const char *rel, mode_t mode, uid_t owner)
{
	CHECK(!file_write(at(rel), "x", 1) && !chown(at(rel), owner, 0) && !chmod(at(rel), mode));
}

static void make_link(const char *to, const char *rel, uid_t owner)
{
	CHECK(!symlink(to, at(rel)) && !lchown(at(rel), owner, 0));
}

static enum trust trust_of(const char *rel)
{
	struct problem why = { 0 };
	enum trust trust = trust_path(at(rel), &why);

	CHECK((trust == TRUST_NO) == (why.text != NULL));
	return trust;
}

static void components(void)
{
	make_dir("ours", 0755, 0);
	make_dir("ours/in", 0755, 0);
	make_dir("ours/theirs", 0755, NOBODY);
	make_dir("ours/theirs/ours", 0700, 0);
	make_dir("group", 0775, 0);
	make_dir("group/in", 0700, 0);
	make_dir("everybody", 0777, 0);
	make_dir("everybody/in", 0700, 0);
	CHECK(trust_of("ours/in") == TRUST_YES && trust_of("ours/./in/../in//") == TRUST_YES);
	CHECK(trust_of("ours/none/none") == TRUST_ABSENT);
	CHECK(trust_of("ours/theirs") == TRUST_NO && trust_of("ours/theirs/ours") == TRUST_NO);
	CHECK(trust_of("ours/theirs/none") == TRUST_NO);
	CHECK(trust_of("ours/theirs/../in") == TRUST_NO);
	CHECK(trust_of("group") == TRUST_NO && trust_of("group/in") == TRUST_NO);
	CHECK(trust_of("everybody/in") == TRUST_NO);
	make_file("ours/file", 0644, 0);
	make_file("ours/for-the-group", 0664, 0);
	make_file("ours/theirs-file", 0644, NOBODY);
	CHECK(trust_of("ours/file") == TRUST_YES && trust_of("ours/for-the-group") == TRUST_NO);
	CHECK(trust_of("ours/theirs-file") == TRUST_NO && trust_of("ours/file/in") == TRUST_NO);
}

static void sticky(void)
{
	struct problem why;

	make_dir("tmp", 01777, 0);
	make_dir("tmp/ours", 0700, 0);
	make_dir("tmp/theirs", 0755, NOBODY);
	CHECK(trust_of("tmp/ours") == TRUST_YES && trust_of("tmp/theirs") == TRUST_NO);
	CHECK(trust_of("tmp") == TRUST_NO && trust_shared_dir(at("tmp"), &why) == TRUST_YES);
	CHECK(trust_shared_dir(at("everybody"), &why) == TRUST_NO);
	make_file("tmp/ours/file", 0600, 0);
	CHECK(!link(at("tmp/ours/file"), at("tmp/planted")));	/* by somebody else, say */
	CHECK(trust_of("tmp/planted") == TRUST_NO && trust_of("tmp/ours/file") == TRUST_YES);
}

static void links(void)
{
	make_link("ours", "to-ours", 0);
	make_link(at("ours/in"), "ours/absolute", 0);
	make_link("../ours", "tmp/by-them", NOBODY);
	make_link("../ours", "tmp/by-us", 0);
	make_link("ours/theirs", "to-theirs", 0);
	make_link("loop", "loop", 0);
	CHECK(trust_of("to-ours/in") == TRUST_YES && trust_of("ours/absolute") == TRUST_YES);
	CHECK(trust_of("tmp/by-us") == TRUST_YES && trust_of("tmp/by-them") == TRUST_NO);
	CHECK(trust_of("to-theirs") == TRUST_NO && trust_of("loop") == TRUST_NO);
}

static void trees(void)
{
	struct problem why;

	CHECK(trust_tree(at("tmp/ours"), &why) == TRUST_YES);
	make_file("tmp/ours/b", 0644, NOBODY);
	CHECK(trust_tree(at("tmp/ours"), &why) == TRUST_NO && strstr(why.text, "tmp/ours/b"));
}

static void making(void)
{
	struct problem why;
	struct stat st;

	umask(0);
	CHECK(trust_make_dir(at("tmp/new/a/b"), &why));
	CHECK(!stat(at("tmp/new/a"), &st) && (st.st_mode & 07777) == 0700);
	CHECK(trust_make_dir(at("tmp/new/a/b"), &why) && trust_make_dir(at("to-ours/new"), &why));
	CHECK(!trust_make_dir(at("tmp/theirs/new"), &why) && access(at("tmp/theirs/new"), F_OK));
	CHECK(!trust_make_dir(at("ours/file"), &why) && strstr(why.text, "Not a directory"));
	CHECK(!trust_make_dir("/proc/nowhere", &why) && strstr(why.text, "/proc/nowhere"));
	CHECK(!chdir(at("ours")) && trust_make_dir("relative/dir", &why));
	CHECK(!access(at("ours/relative/dir"), F_OK));
}

static void entries(void)
{
	make_link("file", "ours/link", 0);
	CHECK(trust_open_entry(at("ours/link"), O_RDONLY) < 0 && errno == ELOOP);
	CHECK(trust_open_entry(at("ours/theirs-file"), O_RDONLY) < 0 && errno == EPERM);
	CHECK(trust_open_entry(at("ours/for-the-group"), O_RDONLY) < 0 && errno == EPERM);
	CHECK(trust_open_entry(at("tmp/ours/file"), O_RDONLY) < 0 && errno == EPERM);
	CHECK(trust_open_entry(at("ours/in"), O_RDONLY) < 0 && errno == EPERM);
	CHECK(trust_open_entry(at("ours/none"), O_RDONLY) < 0 && errno == ENOENT);
	CHECK(trust_open_entry(at("ours/file"), O_RDONLY) >= 0);
	CHECK(trust_open_entry(at("ours/fresh"), O_RDWR | O_CREAT) >= 0);
}

/* What belongs to root is root's to change, whoever runs stap. */
static void as_somebody(void)
{
	CHECK(!chmod(top, 0755) && !seteuid(NOBODY));
	CHECK(trust_of("ours/theirs") == TRUST_YES && trust_of("ours/in") == TRUST_YES);
	CHECK(trust_of("tmp/theirs") == TRUST_YES && trust_of("tmp/by-them/in") == TRUST_YES);
	CHECK(trust_of("group") == TRUST_NO && !seteuid(0));
}

int main(void)
{
	char dir[] = "/tmp/trust-XXXXXX";

	if (geteuid()) {
		puts("only root can make files of other users");
		return 77;
	}
	umask(022);
	top = mkdtemp(dir);
	components();
	sticky();
	links();
	trees();
	making();
	entries();
	as_somebody();
	file_remove_tree(top);
	arena_free_all();
	return failures != 0;
}
