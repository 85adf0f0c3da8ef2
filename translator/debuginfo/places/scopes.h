/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of one unit and what is inlined into them, by address.
 */
#ifndef STAP_SCOPES_H
#define STAP_SCOPES_H

#include "base/vec.h"
#include "debuginfo/dwarf/dwread.h"
#include "debuginfo/dwarf/lines.h"
#include "debuginfo/dwarf/origins.h"

/* A function with code, or an inlined instance within one. */
struct fscope {
	uint64_t die;
	bool inlined;
	const char *name;
	uint64_t entry;
	const char *file;	/* of the declaration: equal paths are one pointer */
	unsigned line;
	size_t end;		/* of a function: one past what is inlined into it */
	size_t first_range, nranges;
};

struct code_range {
	uint64_t low, high;
	size_t scope;
};

struct scopes {
	struct cu cu;
	struct lines lines;
	bool have_lines;
	struct origins origins;
	const char **paths;	/* by file number; NULL: not asked for yet */
	vec(struct fscope) v;	/* a function, then all inlined into it, outer first */
	vec(struct code_range) ranges;	/* of each scope, together */
	vec(struct code_range) functions;	/* those of functions, by address */
};

/* Reads the unit at an offset of .debug_info; false on damage.  The memory is
 * used again for the next unit. */
bool scopes_read(struct scopes *s, const struct dwsects *sects, uint64_t unit);
void scopes_release(struct scopes *s);

/* Path of a file of the unit, as the user sees it; NULL: there is none. */
const char *scopes_path(struct scopes *s, unsigned file);

/*
 * The function the code at an address was written in, by its source position:
 * of those that cover it, the one whose declaration is the nearest before the
 * line in the same file; code of no such one (a macro of another file) is the
 * innermost one's, or, left over from a function of the same file whose code is
 * elsewhere, the outermost one's.  NULL outside all functions.
 */
const struct fscope *scopes_find(const struct scopes *s, uint64_t pc, const char *file,
				 unsigned line);

/* The outermost function of that name that covers an address, or NULL. */
const struct fscope *scopes_named(const struct scopes *s, uint64_t pc, const char *name);

#endif
