// SPDX-License-Identifier: GPL-2.0-or-later
/* Where staprun and stapio look for the files of a module: in a container, or what a process of ours named. */
#include <string.h>

#include "check.h"
#include "common/probed.h"

#define ROOT "/proc/4711/root"

static void check(const char *record, const char *path, const char *identity, bool awaited)
{
	char text[256], *next = text;
	struct probed_file f;

	strcpy(text, record);
	CHECK(probed_next(&next, ROOT, &f));
	CHECK(next == text + strlen(record) + 1);
	CHECK(!strcmp(f.path, path));
	CHECK(f.awaited == awaited);
	CHECK(identity ? f.identity && !strcmp(f.identity, identity) : !f.identity);
	CHECK(!strcmp(f.number, "3") && f.owner == 1000);
}

int main(void)
{
	char damaged[] = "3 ab 0 1000 -", *next = damaged;
	struct probed_file f;

	check("3 ab 0 1000 - /usr/bin/a b", ROOT "/usr/bin/a b", NULL, false);
	check("3 - 0 1000 ? /opt/later", ROOT "/opt/later", NULL, true);
	check("3 ab 0 1000 1:2:3:4.5 /proc/42/exe", "/proc/42/exe", "1:2:3:4.5", false);
	check("3 ab 0 1000 1:2:3:4.5 /proc/42/root/bin/sh", "/proc/42/root/bin/sh", "1:2:3:4.5", false);
	CHECK(!probed_next(&next, ROOT, &f));
	return failures != 0;
}
