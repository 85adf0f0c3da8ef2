/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One file's debug information out of several.
 *
 * What a compiler or dwz has spread over files is copied into one image, as if it
 * had never been: readers, libdw among them, then see plain DWARF.  A unit keeps its
 * size, and so every distance in it; only what it says of other sections changes,
 * by where those have gone.
 */
#ifndef STAP_JOIN_H
#define STAP_JOIN_H

#include "base/sbuf.h"
#include "base/table.h"
#include "dwread.h"

/* The image's sections so far. */
struct joint {
	struct sbuf info, abbrev, str, line_str, line, str_offsets, addr, ranges, rnglists, loc,
		    loclists, aranges, frame;
	struct table strings;		/* the strings in str, by their offsets */
	struct {
		const struct dwsects *from;
		uint64_t off, at;
	} tables[64];			/* of abbreviations that many units use */
};

/* What the skeleton of a split unit says about it. */
struct skeleton {
	uint64_t off;			/* of the skeleton itself */
	uint64_t id;
	const char *name, *comp_dir;	/* the file that has the rest */
	uint64_t low_pc, addr_base, ranges_base, stmt_list;
	bool has_lines;
};

/* A file some of whose units are joined, and by what their references grow. */
struct join_part {
	const struct dwsects *from;
	uint64_t info, str, line_str, line, ranges, rnglists, loc, loclists;
	uint64_t alt_info, alt_str;	/* of dwz's common file */
	const struct skeleton *skeleton;	/* of split units, or NULL */
	uint64_t str_offsets;		/* of those */
};

/* Copies the sections of a file, for its units to stay as they are. */
void join_sections(struct joint *j, const struct dwsects *from);

/* Copies the tables that split units of a version of DWARF refer to; sets where they are. */
void join_tables(struct joint *j, struct join_part *p, unsigned version);

/* Appends the unit at an offset of the part's .debug_info; false on damage. */
bool join_unit(struct joint *j, struct join_part *p, uint64_t off);

void join_free(struct joint *j);

/* A 32-bit word of what was copied. */
void join_put(struct sbuf *b, uint64_t at, uint64_t value);

/* The location list that an attribute of a unit refers to: what is in it about other
 * places is adapted.  Up to DWARF 4 the list is written anew: its new offset, 0 on
 * damage; else returns OFF. */
uint64_t join_location_list(struct joint *j, const struct join_part *p, const struct cu *cu,
			    uint64_t off);

/* The references in LEN bytes of operations at OPS, whose copies are at TO. */
bool join_expression(const struct join_part *p, const struct cu *cu, const unsigned char *ops,
		     size_t len, unsigned char *to);

#endif
