/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit's line table: the files it names and the rows of its program.
 */
#ifndef STAP_LINES_H
#define STAP_LINES_H

#include "base/sbuf.h"
#include "dwread.h"

/* One table at a time; the memory is used again by the next lines_open(). */
struct lines {
	const struct cu *cu;
	unsigned version;
	const char **dirs;
	size_t ndirs, dir_room;
	struct line_file {
		const char *name;
		uint64_t dir;
	} *files;
	size_t nfiles, file_room;
	/* the program */
	struct cursor program;
	unsigned min_length, max_ops, line_range, opcode_base;
	int line_base;
	bool default_is_stmt;
	unsigned char operands[256];	/* of standard opcodes */
};

/* False when the unit has none, or it is damaged. */
bool lines_open(struct lines *l, const struct cu *cu);
void lines_release(struct lines *l);

/*
 * Puts the path of a file, by its number in DWARF, into OUT as a user sees it:
 * relative to the build directory where it lies there, else as the compiler
 * was given it.  False for a number the table does not have.
 */
bool lines_path(const struct lines *l, unsigned file, struct sbuf *out);

struct line_row {
	uint64_t addr;
	unsigned file, line;
	bool is_stmt, end;	/* end: addr is one past a sequence, nothing else holds */
};

/* Calls fn for every row, in the program's order, until it returns false.
 * False on damage. */
bool lines_walk(const struct lines *l, bool (*fn)(void *arg, const struct line_row *r),
		void *arg);

#endif
