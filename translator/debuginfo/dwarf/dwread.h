/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small DWARF reader for fast walks over .debug_info.
 *
 * libdw is right for questions about one DIE.  A walk over all 2,000 units of a
 * kernel needs three other properties: memory that doesn't grow with the number
 * of DIEs visited, no file pages kept once they were read, and no shared state.
 * So this reader decodes the few attributes that name and locate functions,
 * variables and types, in one pass over a DIE, directly from the sections.
 * Offsets are the same as libdw's, so a DIE found here can be opened there.
 *
 *	for (uint64_t off = 0; cu_open(&cu, sects, off); off = cu.end)
 *		if (die_read(&cu, cu.first, &d))
 *			…
 *	cu_release(&cu);
 *
 * All accesses are bounds-checked: on damaged DWARF a call returns false.  It
 * reads DWARF 2 to 5 in the 32-bit and 64-bit formats, in the host's byte
 * order.
 */
#ifndef STAP_DWREAD_H
#define STAP_DWREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unread part of a section. 'bad' is set by a read beyond its end. */
struct cursor {
	const unsigned char *p, *end;
	bool bad;
};

uint64_t cur_u(struct cursor *c, unsigned bytes);	/* 1, 2, 3, 4 or 8 */
uint64_t cur_uleb(struct cursor *c);
int64_t cur_sleb(struct cursor *c);
const char *cur_string(struct cursor *c);		/* NULL if it is not terminated */
void cur_skip(struct cursor *c, uint64_t n);

/* The debug sections of a file; an absent one has n == 0. */
struct dwsects {
	struct dwsect {
		const unsigned char *p;
		size_t n;
	} info, abbrev, str, line_str, line, str_offsets, addr, ranges, rnglists, loc, loclists,
	  aranges, frame;
	const char *comp_dir;	/* for units without DW_AT_comp_dir, or NULL */
};

/* Returns a section from an offset on; empty and bad if that is outside. */
struct cursor sect_at(const struct dwsect *s, uint64_t off);

/* Returns a string of a string section, or NULL. */
const char *sect_string(const struct dwsect *s, uint64_t off);

/*
 * Returns entry INDEX of a table of offsets or addresses that starts at BASE,
 * each WIDTH bytes.  Sets *BAD if it is outside.
 */
uint64_t sect_entry(const struct dwsect *s, uint64_t base, uint64_t index, unsigned width,
		    bool *bad);

/* An abbreviation.  Its attributes are specs[first] to specs[first + n - 1]. */
struct abbrev {
	uint32_t first, n;
	uint16_t tag;		/* 0: the code is unused */
	bool children;
	/*
	 * For DIEs whose attributes all have fixed sizes: 1 + the size of the
	 * attributes, and 1 + the offsets from the first attribute of
	 * DW_AT_sibling and DW_AT_name, if these are 4 bytes.  0: unknown.
	 */
	uint16_t size, sibling, name;
};

/* One attribute of an abbreviation. */
struct abbrev_spec {
	uint16_t attr, form;
	int64_t implicit;	/* the value of DW_FORM_implicit_const */
};

/*
 * An open compilation unit.  One object, zeroed at first, can be reused for one
 * unit after another; cu_release() frees its memory.
 */
struct cu {
	const struct dwsects *sects;
	uint64_t off, end;	/* offsets in .debug_info */
	uint64_t first;		/* the unit's own DIE */
	unsigned version, addr_size, off_size;
	bool type_unit;

	struct abbrev *abbrevs;	/* by code */
	size_t nabbrevs, abbrev_room;
	struct abbrev_spec *specs;
	size_t nspecs, spec_room;

	/* from the unit's own DIE */
	const char *name, *comp_dir;
	uint64_t low_pc, stmt_list;
	unsigned language;	/* DW_LANG_…; 0: unknown */
	bool has_lines;
	uint64_t str_offsets_base, addr_base, rnglists_base;
};

/*
 * Reads a unit's header: off, end, first and the format.  Returns false at the
 * end of the section and on damage.
 */
bool cu_header(struct cu *cu, const struct dwsects *sects, uint64_t off);

/* Reads header, abbreviations and the unit's own DIE. */
bool cu_open(struct cu *cu, const struct dwsects *sects, uint64_t off);

/*
 * Return the offset of the unit's abbreviations in .debug_abbrev; and the
 * abbreviation of a code, or NULL.
 */
uint64_t cu_abbrev_off(const struct cu *cu);
const struct abbrev *cu_abbrev(const struct cu *cu, uint64_t code);

/*
 * An attribute's value: 'u' for numbers, addresses and offsets, 'str' for
 * strings.  References are offsets in .debug_info.
 */
struct value {
	uint64_t u;
	const char *str;
	unsigned form;
};

/* Reads one attribute.  Sets the cursor's 'bad' on an unknown form. */
void form_read(const struct cu *cu, struct cursor *c, const struct abbrev_spec *spec,
	       struct value *v);
void cu_release(struct cu *cu);

/* The attributes of a DIE that walks need; absent ones are 0. */
struct die {
	uint64_t off;
	uint16_t tag;		/* 0: end of a list of siblings */
	bool children;
	uint64_t next;		/* offset of the next DIE: the first child, if any */
	uint64_t sibling;	/* 0: no DW_AT_sibling */

	const char *name;
	uint64_t origin;	/* DW_AT_abstract_origin or DW_AT_specification, in .debug_info */
	bool is_specification;
	unsigned decl_file, decl_line;
	bool external, declaration, has_location, has_const, has_size;
	bool inlined;		/* DW_AT_inline: may have inlined instances */
	int64_t const_value;

	bool has_low, has_high, high_is_size, has_ranges, has_entry, entry_is_offset;
	bool ranges_indexed;
	uint64_t low, high, entry, ranges;
};

/* Reads the DIE at OFF.  Returns false on damage. */
bool die_read(const struct cu *cu, uint64_t off, struct die *d);

/*
 * Reads only off, tag, children, next and sibling, mostly without decoding the
 * rest; and the name if that is cheap, else NULL.
 */
bool die_peek(const struct cu *cu, uint64_t off, struct die *d);

/* Returns the offset of the DIE behind D and its children, 0 on damage. */
uint64_t die_after(const struct cu *cu, const struct die *d);

/*
 * Gives the address of a function's or inlined instance's first instruction.
 * Returns false if the DIE has no code.
 */
bool die_entry(const struct cu *cu, const struct die *d, uint64_t *entry);

/*
 * die_ranges() calls FN for each address range of a DIE until it returns false;
 * die_covers() tells whether PC is in one.
 */
bool die_ranges(const struct cu *cu, const struct die *d,
		bool (*fn)(void *arg, uint64_t low, uint64_t high), void *arg);
bool die_covers(const struct cu *cu, const struct die *d, uint64_t pc);

#endif
