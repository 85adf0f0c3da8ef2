// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies units into one image.
 *
 * One pass over a unit's DIEs finds offsets into other sections and references
 * to other units, and adapts them.  Abbreviations are written anew for each
 * unit, because forms may change (a reference to another file becomes one to
 * this file), and because a split unit's own DIE gets attributes of its
 * skeleton:
 *
 *	DW_AT_addr_base and the other bases become constants in the abbreviation,
 *	so they take no room in the unit;
 *
 *	DW_AT_low_pc and DW_AT_stmt_list must be in the unit itself for libdw. They
 *	take the 8 bytes of the unit's id, which is no longer needed.
 */
#include "join.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/index/index_build.h"

#define SPLIT_HEADER 20		/* DWARF 5, with the id of 8 bytes */
#define PLAIN_HEADER 12

/* ---- writing ------------------------------------------------------------- */

static void put(struct sbuf *b, uint64_t v, unsigned width)
{
	sbuf_add(b, (const char *)&v, width);
}

static void put_uleb(struct sbuf *b, uint64_t v)
{
	do {
		sbuf_putc(b, (v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		v >>= 7;
	} while (v);
}

static void put_sleb(struct sbuf *b, int64_t v)
{
	bool more;

	do {
		unsigned char byte = v & 0x7f;

		v >>= 7;
		more = v != (byte & 0x40 ? -1 : 0);
		sbuf_putc(b, byte | (more ? 0x80 : 0));
	} while (more);
}

void join_put(struct sbuf *b, uint64_t at, uint64_t value)
{
	uint32_t word = value;

	memcpy(b->s + at, &word, sizeof(word));
}

static void add_section(struct sbuf *to, const struct dwsect *from)
{
	if (from->n)
		sbuf_add(to, (const char *)from->p, from->n);
}

void join_sections(struct joint *j, const struct dwsects *from)
{
	add_section(&j->info, &from->info);
	add_section(&j->abbrev, &from->abbrev);
	add_section(&j->str, &from->str);
	add_section(&j->line_str, &from->line_str);
	add_section(&j->line, &from->line);
	add_section(&j->str_offsets, &from->str_offsets);
	add_section(&j->addr, &from->addr);
	add_section(&j->ranges, &from->ranges);
	add_section(&j->rnglists, &from->rnglists);
	add_section(&j->loc, &from->loc);
	add_section(&j->loclists, &from->loclists);
	add_section(&j->aranges, &from->aranges);
	add_section(&j->frame, &from->frame);
}

void join_free(struct joint *j)
{
	struct sbuf *all[] = { &j->info, &j->abbrev, &j->str, &j->line_str, &j->line,
			       &j->str_offsets, &j->addr, &j->ranges, &j->rnglists, &j->loc,
			       &j->loclists, &j->aranges, &j->frame };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		sbuf_free(all[i]);
}

/* ---- strings of split units ---------------------------------------------- */

/* Adds a string, once, because each split unit has its own copy of all names. */
static uint64_t add_string(struct joint *j, const char *s)
{
	if (!s || j->str.len > UINT32_MAX / 2)
		return 0;

	uint32_t hash = table_hash_string(s);

	table_for_each(&j->strings, hash, at)
		if (!strcmp(j->str.s + at, s))
			return at;
	table_add(&j->strings, hash, j->str.len);
	sbuf_add(&j->str, s, strlen(s) + 1);
	return j->str.len - strlen(s) - 1;
}

static void add_string_offsets(struct joint *j, const struct dwsects *from, unsigned version)
{
	struct cursor c = sect_at(&from->str_offsets, 0);

	if (version >= 5)		/* a header */
		put(&j->str_offsets, cur_u(&c, 8), 8);
	while (c.end - c.p >= 4)
		put(&j->str_offsets, add_string(j, sect_string(&from->str, cur_u(&c, 4))), 4);
}

void join_tables(struct joint *j, struct join_part *p, unsigned version)
{
	p->str_offsets = j->str_offsets.len;
	p->rnglists = j->rnglists.len;
	p->loclists = j->loclists.len;
	add_string_offsets(j, p->from, version);
	add_section(&j->rnglists, &p->from->rnglists);
	add_section(&j->loclists, &p->from->loclists);
}

/* ---- abbreviations ------------------------------------------------------- */

static unsigned new_form(unsigned form)
{
	switch (form) {
	case DW_FORM_GNU_ref_alt: case DW_FORM_ref_sup4:
		return DW_FORM_ref_addr;
	case DW_FORM_GNU_strp_alt: case DW_FORM_strp_sup:
		return DW_FORM_strp;
	default:
		return form;
	}
}

static void put_constant(struct sbuf *b, unsigned attr, uint64_t value)
{
	put_uleb(b, attr);
	put_uleb(b, DW_FORM_implicit_const);
	put_sleb(b, value);
}

/* Writes the two attributes that replace the id. */
static void put_own(struct sbuf *b, const struct skeleton *s)
{
	put_uleb(b, DW_AT_low_pc);
	put_uleb(b, DW_FORM_addrx4);
	put_uleb(b, s->has_lines ? DW_AT_stmt_list : DW_AT_hi_user);
	put_uleb(b, s->has_lines ? DW_FORM_sec_offset : DW_FORM_data4);
}

static void put_bases(struct sbuf *b, const struct join_part *p, const struct cu *cu)
{
	put_constant(b, DW_AT_addr_base, p->skeleton->addr_base);
	put_constant(b, DW_AT_str_offsets_base, p->str_offsets + (cu->version < 5 ? 0 : 8));
	if (cu->version < 5)
		return;
	put_constant(b, DW_AT_rnglists_base, p->rnglists + 12);
	put_constant(b, DW_AT_loclists_base, p->loclists + 12);
}

static void put_abbrev(struct sbuf *b, const struct join_part *p, const struct cu *cu,
		       uint64_t code, bool own)
{
	const struct abbrev *a = &cu->abbrevs[code];

	put_uleb(b, code);
	put_uleb(b, own && a->tag == DW_TAG_skeleton_unit ? DW_TAG_compile_unit : a->tag);
	sbuf_putc(b, a->children);
	if (own && cu->version >= 5 && !cu->type_unit)
		put_own(b, p->skeleton);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct abbrev_spec *s = &cu->specs[a->first + i];

		if (own && s->attr == DW_AT_GNU_dwo_id) {
			put_own(b, p->skeleton);
			continue;
		}
		put_uleb(b, s->attr);
		put_uleb(b, new_form(s->form));
		if (s->form == DW_FORM_implicit_const)
			put_sleb(b, s->implicit);
	}
	if (own)
		put_bases(b, p, cu);
	put(b, 0, 2);
}

static uint64_t put_abbrevs(struct joint *j, const struct join_part *p, const struct cu *cu,
			    uint64_t own)
{
	uint64_t at = j->abbrev.len, off = cu_abbrev_off(cu);
	size_t slot = off * 0x9e3779b97f4a7c15u >> 58;

	if (!p->skeleton && j->tables[slot].from == p->from && j->tables[slot].off == off)
		return j->tables[slot].at;
	if (!p->skeleton) {
		j->tables[slot].from = p->from;
		j->tables[slot].off = off;
		j->tables[slot].at = at;
	}
	for (uint64_t code = 1; code < cu->nabbrevs; code++)
		if (cu->abbrevs[code].tag)
			put_abbrev(&j->abbrev, p, cu, code, p->skeleton && code == own);
	put(&j->abbrev, 0, 1);
	return at;
}

/* ---- attributes ---------------------------------------------------------- */

struct copy {
	struct joint *j;
	struct join_part *p;
	const struct cu *cu;
	bool bad;
};

static uint64_t at_new(const struct copy *k, const unsigned char *p)
{
	return p - k->p->from->info.p + k->p->info;
}

/* Adds BY to an offset. */
static void grow(struct copy *k, const unsigned char *p, uint64_t by)
{
	struct cursor c = { p, p + 4, false };

	if (by)
		join_put(&k->j->info, at_new(k, p), cur_u(&c, 4) + by);
}

static void move_list(struct copy *k, const unsigned char *p)
{
	struct cursor c = { p, p + 4, false };
	uint64_t off;

	if (!k->p->skeleton)
		return;
	off = join_location_list(k->j, k->p, k->cu, cur_u(&c, 4));
	k->bad |= !off;
	join_put(&k->j->info, at_new(k, p), k->cu->version < 5 ? off : off + k->p->loclists);
}

static void section_offset(struct copy *k, unsigned attr, const unsigned char *p)
{
	switch (attr) {
	case DW_AT_stmt_list:
		grow(k, p, k->p->line);
		break;
	case DW_AT_ranges:
	case DW_AT_start_scope:
		grow(k, p, k->cu->version >= 5 ? k->p->rnglists : k->p->skeleton
					       ? k->p->skeleton->ranges_base : k->p->ranges);
		break;
	case DW_AT_location: case DW_AT_frame_base: case DW_AT_string_length:
	case DW_AT_return_addr: case DW_AT_static_link: case DW_AT_use_location:
	case DW_AT_data_member_location: case DW_AT_vtable_elem_location:
		move_list(k, p);
		break;
	}
}

/* Adapts the list that an index refers to. */
static void indexed_list(struct copy *k, uint64_t index)
{
	const struct dwsect *s = &k->p->from->loclists;
	bool bad = false;
	uint64_t off = sect_entry(s, 12, index, 4, &bad);

	if (bad || !join_location_list(k->j, k->p, k->cu, 12 + off))
		k->bad = true;
}

static void operations(struct copy *k, const unsigned char *p, const unsigned char *end, bool block,
		       unsigned width)
{
	struct cursor c = { p, end, false };
	uint64_t len = block && width ? cur_u(&c, width) : cur_uleb(&c);

	if (!k->p->skeleton && !k->p->info)
		return;
	if (c.bad || len > (uint64_t)(end - c.p) ||
	    !join_expression(k->p, k->cu, c.p, len,
			     (unsigned char *)k->j->info.s + at_new(k, c.p)))
		k->bad = true;
}

static void attribute(struct copy *k, const struct abbrev_spec *s, const unsigned char *p,
		      const unsigned char *end, const struct value *v)
{
	switch (v->form) {
	case DW_FORM_ref_addr:
		grow(k, p, k->p->info);
		break;
	case DW_FORM_GNU_ref_alt: case DW_FORM_ref_sup4:
		grow(k, p, k->p->alt_info);
		break;
	case DW_FORM_GNU_strp_alt: case DW_FORM_strp_sup:
		grow(k, p, k->p->alt_str);
		break;
	case DW_FORM_strp:
		grow(k, p, k->p->str);
		break;
	case DW_FORM_line_strp:
		grow(k, p, k->p->line_str);
		break;
	case DW_FORM_sec_offset:
		section_offset(k, s->attr, p);
		break;
	case DW_FORM_data4:
		if (k->cu->version < 4)
			section_offset(k, s->attr, p);
		break;
	case DW_FORM_loclistx:
		if (k->p->skeleton)
			indexed_list(k, v->u);
		break;
	case DW_FORM_exprloc:
		operations(k, p, end, false, 0);
		break;
	case DW_FORM_block1:
		if (k->cu->version < 4 && s->attr == DW_AT_location)
			operations(k, p, end, true, 1);
		break;
	}
}

static bool copy_dies(struct copy *k)
{
	const struct cu *cu = k->cu;
	const unsigned char *info = cu->sects->info.p;
	struct cursor c = { info + cu->first, info + cu->end, false };

	while (c.p < c.end && !k->bad) {
		uint64_t code = cur_uleb(&c);
		const struct abbrev *a;

		if (!code)
			continue;
		a = cu_abbrev(cu, code);
		if (!a)
			return false;
		for (uint32_t i = 0; i < a->n && !c.bad; i++) {
			const struct abbrev_spec *s = &cu->specs[a->first + i];
			const unsigned char *from = c.p;
			struct value v;

			form_read(cu, &c, s, &v);
			if (!c.bad)
				attribute(k, s, from, c.p, &v);
		}
		if (c.bad)
			return false;
	}
	return !k->bad;
}

/* ---- units --------------------------------------------------------------- */

/* Sets the values of the two attributes, at offset AT of the image. */
static void put_own_values(struct joint *j, const struct skeleton *s, uint64_t at)
{
	while ((j->addr.len - s->addr_base) % 8)
		sbuf_putc(&j->addr, 0);
	join_put(&j->info, at, (j->addr.len - s->addr_base) / 8);
	put(&j->addr, s->low_pc, 8);
	join_put(&j->info, at + 4, s->stmt_list);
}

/* Turns the copy of a split unit, at AT, into an ordinary one. */
static bool unsplit(struct joint *j, const struct join_part *p, const struct cu *cu, uint64_t at)
{
	const unsigned char *from = cu->sects->info.p + cu->first;
	struct cursor c = { from, cu->sects->info.p + cu->end, false };
	const struct abbrev *a = cu_abbrev(cu, cur_uleb(&c));
	size_t code = c.p - from;
	struct value v;

	if (cu->version >= 5) {
		j->info.s[at + 6] = cu->type_unit ? DW_UT_type : DW_UT_compile;
		if (cu->type_unit)
			return true;
		memmove(j->info.s + at + PLAIN_HEADER, j->info.s + at + SPLIT_HEADER, code);
		put_own_values(j, p->skeleton, at + PLAIN_HEADER + code);
		return true;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		if (cu->specs[a->first + i].attr == DW_AT_GNU_dwo_id) {
			put_own_values(j, p->skeleton, at + (c.p - cu->sects->info.p) - cu->off);
			return cu->specs[a->first + i].form == DW_FORM_data8;
		}
		form_read(cu, &c, &cu->specs[a->first + i], &v);
	}
	return false;
}

bool join_unit(struct joint *j, struct join_part *p, uint64_t off)
{
	struct cu cu = { 0 };
	struct copy k = { .j = j, .p = p, .cu = &cu };
	uint64_t at = j->info.len, abbrevs;
	struct cursor c;
	bool good;

	good = cu_open(&cu, p->from, off) && cu.off_size == 4 && cu.addr_size == 8 &&
	       at + (cu.end - cu.off) < UINT32_MAX && j->addr.len < UINT32_MAX &&
	       (!p->skeleton || p->skeleton->addr_base <= j->addr.len);
	if (good) {
		p->info = at - off;
		sbuf_add(&j->info, (const char *)p->from->info.p + off, cu.end - off);
		c = sect_at(&p->from->info, cu.first);
		abbrevs = put_abbrevs(j, p, &cu, cur_uleb(&c));
		join_put(&j->info, at + (cu.version >= 5 ? 8 : 6), abbrevs);
		good = copy_dies(&k) && (!p->skeleton || unsplit(j, p, &cu, at));
	}
	if (!good && j->info.len > at)
		j->info.len = at;
	cu_release(&cu);
	return good;
}
