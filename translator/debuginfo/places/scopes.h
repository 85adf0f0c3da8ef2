/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a unit, and the functions inlined into them, by address. */
#ifndef STAP_SCOPES_H
#define STAP_SCOPES_H

#include "base/vec.h"
#include "debuginfo/dwarf/dwread.h"
#include "debuginfo/dwarf/lines.h"
#include "debuginfo/dwarf/origins.h"
#include "debuginfo/dwarf/qualified.h"

/* A function with code, or an inlined instance in one. */
struct fscope {
	uint64_t die;
	bool inlined;
	const char *name;	/* qualified */
	uint64_t entry;
	const char *file;	/* of the declaration, interned */
	unsigned line;
	size_t end;		/* of a function: index behind its inlined instances */
	size_t first_range, nranges;
};

/* Addresses from low to high - 1 belong to a scope. */
struct code_range {
	uint64_t low, high;
	size_t scope;
};

/* An open unit.  Zeroed at first; scopes_read() reuses its memory. */
struct scopes {
	struct cu cu;
	struct lines lines;
	bool have_lines;
	struct origins origins;
	struct qualified qualified;
	const char **paths;	/* by file number; NULL: not looked up yet */
	vec(struct fscope) v;	/* each function, then its inlined instances, outer ones first */
	vec(struct code_range) ranges;	/* all ranges, scope by scope */
	vec(struct code_range) functions;	/* the functions' ranges, sorted by address */
};

/* Reads the unit at an offset of .debug_info.  Returns false on damage. */
bool scopes_read(struct scopes *s, const struct dwsects *sects, uint64_t unit);
void scopes_release(struct scopes *s);

/* Returns the path of a file of the unit as users see it, or NULL. */
const char *scopes_path(struct scopes *s, unsigned file);

/*
 * Returns the function whose source the code at PC was compiled from, for code
 * of line LINE of FILE.  Among the functions that cover PC it is the one
 * declared nearest before the line in that file.  If none is (code from a macro
 * of another file), it is the innermost one; but if the function itself is
 * declared in FILE, it is that.  NULL outside all functions.
 */
const struct fscope *scopes_find(const struct scopes *s, uint64_t pc, const char *file,
				 unsigned line);

/* Returns the outermost function of this name that covers PC, or NULL. */
const struct fscope *scopes_named(const struct scopes *s, uint64_t pc, const char *name);

#endif
