/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins debug information from several files into one.
 *
 * Compilers (-gsplit-dwarf) and dwz spread DWARF over files.  Their units are
 * copied into one image, as if they had never been apart, so that all readers,
 * libdw included, see plain DWARF.  A unit keeps its size, and so all offsets
 * within it; only its references to other units and sections are adapted.
 */
#ifndef STAP_JOIN_H
#define STAP_JOIN_H

#include "base/sbuf.h"
#include "base/table.h"
#include "dwread.h"

/* The image so far. */
struct joint {
	struct sbuf info, abbrev, str, line_str, line, str_offsets, addr, ranges, rnglists, loc,
		    loclists, aranges, frame;
	struct table strings;		/* of strings, by text; an element is an offset in 'str' */
	struct {
		const struct dwsects *from;
		uint64_t off, at;
	} tables[64];			/* abbreviation tables that many units share */
};

/* The skeleton of a split unit, which is in the linked file. */
struct skeleton {
	uint64_t off;			/* offset of the skeleton unit */
	uint64_t id;			/* DW_AT_GNU_dwo_id, or from a DWARF 5 header */
	const char *name, *comp_dir;	/* name of the .dwo file, and where it was compiled */
	uint64_t low_pc, addr_base, ranges_base, stmt_list;
	bool has_lines;
};

/*
 * A file whose units are being joined, and the offsets that its references to
 * each section grow by.
 */
struct join_part {
	const struct dwsects *from;
	uint64_t info, str, line_str, line, ranges, rnglists, loc, loclists;
	uint64_t alt_info, alt_str;	/* the same for references to dwz's common file */
	const struct skeleton *skeleton;	/* for a split unit; else NULL */
	uint64_t str_offsets;		/* of the split unit's table */
};

/* Copies the sections of a file whose units stay as they are. */
void join_sections(struct joint *j, const struct dwsects *from);

/*
 * Copies the tables that a split unit refers to by index, and notes in P where
 * they are.
 */
void join_tables(struct joint *j, struct join_part *p, unsigned version);

/* Appends the unit at offset OFF of the part's .debug_info.  Returns false on damage. */
bool join_unit(struct joint *j, struct join_part *p, uint64_t off);

void join_free(struct joint *j);

/* Overwrites a 32-bit word of the copy. */
void join_put(struct sbuf *b, uint64_t at, uint64_t value);

/*
 * Adapts the location list that an attribute refers to.  DWARF 5 lists are
 * adapted in place; returns OFF.  Older ones are written anew; returns the new
 * offset.  Returns 0 on damage.
 */
uint64_t join_location_list(struct joint *j, const struct join_part *p, const struct cu *cu,
			    uint64_t off);

/*
 * Adapts the references in LEN bytes of DWARF operations at OPS; their copies
 * are at TO.  Returns false on damage.
 */
bool join_expression(const struct join_part *p, const struct cu *cu, const unsigned char *ops,
		     size_t len, unsigned char *to);

#endif
