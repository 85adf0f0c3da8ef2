// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of source lines: what the translator writes and the runtime finds there is
 * what libdw says of the same address.  The program whose lines are asked for is this
 * test, which is big enough, opened as if it were a kernel.
 */
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/srcline.h"
#include "base/arena.h"
#include "debuginfo/dwarf/line_table.h"
#include "debuginfo/internal.h"
#include "session.h"

static int failures;

/* The unit that has an address: its rows cover it. */
static bool libdw_line(Dwarf *dw, uint64_t addr, struct st_line *out)
{
	Dwarf_Die cu;
	Dwarf_Line *row;
	Dwarf_Addr start;
	bool end;
	int line;

	if (!dwarf_addrdie(dw, addr, &cu))
		return false;
	row = dwarf_getsrc_die(&cu, addr);
	if (!row || dwarf_lineaddr(row, &start) || dwarf_lineendsequence(row, &end) || end ||
	    dwarf_lineno(row, &line))
		return false;
	*out = (struct st_line){ dwarf_linesrc(row, NULL, NULL), line };
	return true;
}

/* libdw's path is whole, ours from where the compiler ran. */
static bool same_file(const char *ours, const char *theirs)
{
	const char *a = strrchr(ours, '/'), *b = strrchr(theirs, '/');

	return !strcmp(a ? a + 1 : ours, b ? b + 1 : theirs);
}

static void compare(const struct st_lines *table, Dwarf *dw, uint64_t addr)
{
	struct st_line ours, theirs;
	bool known = libdw_line(dw, addr, &theirs);

	if (!st_lines_find(table, addr, &ours)) {
		if (!known)
			return;
		fprintf(stderr, "%#lx: not found; %s:%u\n", (long)addr, theirs.file, theirs.line);
	} else if (!known || (same_file(ours.file, theirs.file) && ours.line == theirs.line)) {
		return;		/* a unit without a range of its own is unknown to libdw */
	} else {
		fprintf(stderr, "%#lx: %s:%u; %s:%u\n", (long)addr, ours.file, ours.line,
			theirs.file, theirs.line);
	}
	failures++;
}

static void check_ends(const struct st_lines *table)
{
	struct st_line line;

	failures += st_lines_find(table, table->start - 1, &line) != 0;
	failures += st_lines_find(table, table->end, &line) != 0;
	failures += st_lines_find(table, 0, &line) != 0;
	failures += !st_lines_find(table, table->start, &line);
}

int main(void)
{
	char template[] = "/tmp/stap-srcline-XXXXXX", self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *dir = mkdtemp(template);
	struct problem why = { 0 };
	struct kernel kernel = { .release = "test", .arch = "x86_64", .build = dir };
	struct session session = { .kernel = &kernel, .tmpdir = dir };
	struct sbuf table = { 0 };
	struct dwfile *f;
	bool any;

	if (n < 0 || !dir)
		return 1;
	self[n] = '\0';
	if (symlink(self, arena_printf("%s/vmlinux", dir)))
		return 1;
	f = target_file(target_open(&session), "kernel", &why);
	any = f && f->dw && line_table_write(f, NULL, &table);
	if (any) {
		const struct st_lines *lines = (const struct st_lines *)table.s;

		for (uint64_t addr = lines->start; addr < lines->end && failures < 10; addr += 3)
			compare(lines, f->dw, addr);
		check_ends(lines);
		printf("%u blocks, %u files, %zu bytes\n", lines->nblocks, lines->nfiles, table.len);
	}
	sbuf_free(&table);
	unlink(arena_printf("%s/vmlinux", dir));
	rmdir(dir);
	if (!any) {
		printf("this program was compiled without debugging information: %s\n", why.text);
		return 77;
	}
	return failures != 0;
}
