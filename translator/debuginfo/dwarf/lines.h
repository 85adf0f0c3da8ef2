/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit's line table (.debug_line): the files it names, and the rows that its
 * program produces.  DWARF 5 specification, 6.2.
 */
#ifndef STAP_LINES_H
#define STAP_LINES_H

#include "base/sbuf.h"
#include "dwread.h"

/* An open line table.  Zeroed at first; lines_open() reuses its memory. */
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

/* Reads the table's header.  Returns false if the unit has none, or it is damaged. */
bool lines_open(struct lines *l, const struct cu *cu);
void lines_release(struct lines *l);

/*
 * Puts the path of a file, by its DWARF number, into OUT as users see it:
 * relative to the directory of compilation if it lies there, else as the
 * compiler was given it.  Returns false for an unknown number.
 */
bool lines_path(const struct lines *l, unsigned file, struct sbuf *out);

/* A row of the line table: code from 'addr' on was compiled from this line. */
struct line_row {
	uint64_t addr;
	unsigned file, line;
	bool is_stmt, end;	/* end: 'addr' is behind the last row of a sequence */
};

/*
 * Calls FN for each row in the program's order until it returns false.  Returns
 * false on damage.
 */
bool lines_walk(const struct lines *l, bool (*fn)(void *arg, const struct line_row *r),
		void *arg);

#endif
