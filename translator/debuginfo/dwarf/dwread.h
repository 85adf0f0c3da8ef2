/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small DWARF reader for walking much of .debug_info quickly.
 *
 * libdw is right for questions about one DIE.  A walk over all 2,000 CUs of a
 * kernel wants three other things: no allocation that grows with what was
 * visited, no page of the file kept after it was read, and no shared state.
 * So this reader decodes the few attributes that name and place functions,
 * variables and types, in one pass over a DIE, straight from the sections.
 * Offsets are the same as libdw's, so a DIE found here is opened there.
 *
 * Everything is bounds-checked: broken DWARF makes a call return false, never
 * a wild read.  DWARF 2 to 5, 32- and 64-bit format, the host's byte order.
 */
#ifndef STAP_DWREAD_H
#define STAP_DWREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of a section that is still to be read; bad after an overrun. */
struct cursor {
	const unsigned char *p, *end;
	bool bad;
};

uint64_t cur_u(struct cursor *c, unsigned bytes);	/* 1, 2, 3, 4 or 8 */
uint64_t cur_uleb(struct cursor *c);
int64_t cur_sleb(struct cursor *c);
const char *cur_string(struct cursor *c);		/* NULL when not terminated */
void cur_skip(struct cursor *c, uint64_t n);

/* The debug sections of a file; an absent one is empty. */
struct dwsects {
	struct dwsect {
		const unsigned char *p;
		size_t n;
	} info, abbrev, str, line_str, line, str_offsets, addr, ranges, rnglists, loc, loclists,
	  aranges, frame;
	const char *comp_dir;	/* where units that don't say so were compiled, or NULL */
};

/* The rest of a section from an offset; empty and bad when outside. */
struct cursor sect_at(const struct dwsect *s, uint64_t off);

/* A string of a string section, or NULL. */
const char *sect_string(const struct dwsect *s, uint64_t off);

/* Entry INDEX of a table of offsets or addresses, WIDTH bytes each, that starts
 * at BASE; *bad is set when there is no such entry. */
uint64_t sect_entry(const struct dwsect *s, uint64_t base, uint64_t index, unsigned width,
		    bool *bad);

/* One abbreviation: its attributes are specs[first … first + n). */
struct abbrev {
	uint32_t first, n;
	uint16_t tag;		/* 0: no such code */
	bool children;
	/* where DIEs of it are all of one size: that of the attributes, and where
	 * among them the sibling and the name are, offsets of 4 bytes; all of them
	 * plus 1, 0: not so */
	uint16_t size, sibling, name;
};

struct abbrev_spec {
	uint16_t attr, form;
	int64_t implicit;
};

/*
 * A compilation unit that is open.  One object can be used for one unit after
 * the other; cu_release() gives its memory back.
 */
struct cu {
	const struct dwsects *sects;
	uint64_t off, end;	/* of the unit in .debug_info */
	uint64_t first;		/* its own DIE */
	unsigned version, addr_size, off_size;
	bool type_unit;

	struct abbrev *abbrevs;	/* by code */
	size_t nabbrevs, abbrev_room;
	struct abbrev_spec *specs;
	size_t nspecs, spec_room;

	/* from its own DIE */
	const char *name, *comp_dir;
	uint64_t low_pc, stmt_list;
	bool has_lines;
	uint64_t str_offsets_base, addr_base, rnglists_base;
};

/* The header alone: off, end, first and the format; false at the end and on damage. */
bool cu_header(struct cu *cu, const struct dwsects *sects, uint64_t off);

/* Header, abbreviations and the unit's own DIE. */
bool cu_open(struct cu *cu, const struct dwsects *sects, uint64_t off);

/* Where in .debug_abbrev its abbreviations are; that of a code, or NULL. */
uint64_t cu_abbrev_off(const struct cu *cu);
const struct abbrev *cu_abbrev(const struct cu *cu, uint64_t code);

/* A decoded attribute: u for numbers, addresses and offsets, str for strings. */
struct value {
	uint64_t u;
	const char *str;
	unsigned form;
};

/* Reads one attribute's value; marks the cursor bad on an unknown form. */
void form_read(const struct cu *cu, struct cursor *c, const struct abbrev_spec *spec,
	       struct value *v);
void cu_release(struct cu *cu);

/* What a walk wants to know of a DIE; absent attributes are 0. */
struct die {
	uint64_t off;
	uint16_t tag;		/* 0: the end of a list of siblings */
	bool children;
	uint64_t next;		/* offset of what follows: first child if it has any */
	uint64_t sibling;	/* 0: not given */

	const char *name;
	uint64_t origin;	/* abstract origin or specification, a section offset */
	bool is_specification;
	unsigned decl_file, decl_line;
	bool external, declaration, has_location, has_const, has_size;
	bool inlined;		/* DW_AT_inline: there may be inlined instances */
	int64_t const_value;

	bool has_low, has_high, high_is_size, has_ranges, has_entry, entry_is_offset;
	bool ranges_indexed;
	uint64_t low, high, entry, ranges;
};

bool die_read(const struct cu *cu, uint64_t off, struct die *d);

/*
 * off, tag, children, next, sibling alone, and the name if that is to be had
 * cheaply (else NULL): mostly without decoding the rest.
 */
bool die_peek(const struct cu *cu, uint64_t off, struct die *d);

/* Offset of the DIE after D and its children; 0 on damage. */
uint64_t die_after(const struct cu *cu, const struct die *d);

/* First and last+1 address; the first range's start and the span for a DIE with
 * ranges.  False when it has no code. */
bool die_entry(const struct cu *cu, const struct die *d, uint64_t *entry);

/* Calls fn for each address range of a DIE until it returns false. */
bool die_ranges(const struct cu *cu, const struct die *d,
		bool (*fn)(void *arg, uint64_t low, uint64_t high), void *arg);
bool die_covers(const struct cu *cu, const struct die *d, uint64_t pc);

#endif
