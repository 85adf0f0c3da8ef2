// SPDX-License-Identifier: GPL-2.0-or-later
/* Implements dwread.h: forms, units, abbreviations, DIEs. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "dwread.h"

#define MAX_ABBREV_CODE 0x10000	/* compilers count from 1; larger codes are damage */

/* ---- forms ---------------------------------------------------------------- */

static void indexed_string(const struct cu *cu, struct cursor *c, struct value *v,
			   unsigned width)
{
	uint64_t index = width ? cur_u(c, width) : cur_uleb(c);
	bool bad = false;
	uint64_t off = sect_entry(&cu->sects->str_offsets, cu->str_offsets_base, index,
				   cu->off_size, &bad);

	v->str = bad ? NULL : sect_string(&cu->sects->str, off);
}

static void indexed_address(const struct cu *cu, struct cursor *c, struct value *v,
			    unsigned width)
{
	uint64_t index = width ? cur_u(c, width) : cur_uleb(c);
	bool bad = false;

	v->u = sect_entry(&cu->sects->addr, cu->addr_base, index, cu->addr_size, &bad);
}

/* Skips a block, whose contents no caller needs; any other form is damage. */
static void skip_block_form(struct cursor *c, unsigned form)
{
	switch (form) {
	case DW_FORM_block1:
		cur_skip(c, cur_u(c, 1));
		break;
	case DW_FORM_block2:
		cur_skip(c, cur_u(c, 2));
		break;
	case DW_FORM_block4:
		cur_skip(c, cur_u(c, 4));
		break;
	case DW_FORM_block: case DW_FORM_exprloc:
		cur_skip(c, cur_uleb(c));
		break;
	default:
		c->bad = true;
	}
}

/* Reads a string, or skips a block. */
static void read_string_form(const struct cu *cu, struct cursor *c, unsigned form, struct value *v)
{
	switch (form) {
	case DW_FORM_string:
		v->str = cur_string(c);
		break;
	case DW_FORM_strp:
		v->str = sect_string(&cu->sects->str, cur_u(c, cu->off_size));
		break;
	case DW_FORM_line_strp:
		v->str = sect_string(&cu->sects->line_str, cur_u(c, cu->off_size));
		break;
	case DW_FORM_strx: case DW_FORM_GNU_str_index:
		indexed_string(cu, c, v, 0);
		break;
	case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3:
		indexed_string(cu, c, v, form - DW_FORM_strx1 + 1);
		break;
	case DW_FORM_strx4:
		indexed_string(cu, c, v, 4);
		break;
	default:
		skip_block_form(c, form);
	}
}

void form_read(const struct cu *cu, struct cursor *c, const struct abbrev_spec *spec,
	       struct value *v)
{
	unsigned form = spec->form;

	v->str = NULL;
	v->u = 0;
	for (int hops = 0; form == DW_FORM_indirect && hops < 4; hops++)
		form = cur_uleb(c);
	v->form = form;

	switch (form) {
	case DW_FORM_data1: case DW_FORM_flag:
		v->u = cur_u(c, 1);
		break;
	case DW_FORM_data2:
		v->u = cur_u(c, 2);
		break;
	case DW_FORM_data4:
		v->u = cur_u(c, 4);
		break;
	case DW_FORM_data8: case DW_FORM_ref_sig8:
		v->u = cur_u(c, 8);
		break;
	case DW_FORM_data16:
		cur_skip(c, 16);
		break;
	case DW_FORM_udata: case DW_FORM_loclistx: case DW_FORM_rnglistx:
		v->u = cur_uleb(c);
		break;
	case DW_FORM_sdata:
		v->u = cur_sleb(c);
		break;
	case DW_FORM_implicit_const:
		v->u = spec->implicit;
		break;
	case DW_FORM_flag_present:
		v->u = 1;
		break;
	case DW_FORM_addr:
		v->u = cur_u(c, cu->addr_size);
		break;
	case DW_FORM_addrx: case DW_FORM_GNU_addr_index:
		indexed_address(cu, c, v, 0);
		break;
	case DW_FORM_addrx1: case DW_FORM_addrx2: case DW_FORM_addrx3:
		indexed_address(cu, c, v, form - DW_FORM_addrx1 + 1);
		break;
	case DW_FORM_addrx4:
		indexed_address(cu, c, v, 4);
		break;
	case DW_FORM_ref1:
		v->u = cu->off + cur_u(c, 1);
		break;
	case DW_FORM_ref2:
		v->u = cu->off + cur_u(c, 2);
		break;
	case DW_FORM_ref4:
		v->u = cu->off + cur_u(c, 4);
		break;
	case DW_FORM_ref8:
		v->u = cu->off + cur_u(c, 8);
		break;
	case DW_FORM_ref_udata:
		v->u = cu->off + cur_uleb(c);
		break;
	case DW_FORM_ref_addr:
		v->u = cur_u(c, cu->version == 2 ? cu->addr_size : cu->off_size);
		break;
	case DW_FORM_sec_offset: case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt:
	case DW_FORM_strp_sup:
		v->u = cur_u(c, cu->off_size);
		break;
	case DW_FORM_ref_sup4:
		v->u = cur_u(c, 4);
		break;
	case DW_FORM_ref_sup8:
		v->u = cur_u(c, 8);
		break;
	default:
		read_string_form(cu, c, form, v);
	}
}

/* ---- units ---------------------------------------------------------------- */

bool cu_header(struct cu *cu, const struct dwsects *sects, uint64_t off)
{
	struct cursor c = sect_at(&sects->info, off);
	uint64_t length = cur_u(&c, 4);
	unsigned type = DW_UT_compile;

	cu->sects = sects;
	cu->off = off;
	cu->off_size = 4;
	if (length == 0xffffffff) {
		cu->off_size = 8;
		length = cur_u(&c, 8);
	}
	if (c.bad || length > (uint64_t)(c.end - c.p))
		return false;
	cu->end = (c.p - sects->info.p) + length;
	cu->version = cur_u(&c, 2);
	if (cu->version < 2 || cu->version > 5)
		return false;
	if (cu->version >= 5) {
		type = cur_u(&c, 1);
		cu->addr_size = cur_u(&c, 1);
		cur_skip(&c, cu->off_size);
	} else {
		cur_skip(&c, cu->off_size);
		cu->addr_size = cur_u(&c, 1);
	}
	if (type == DW_UT_skeleton || type == DW_UT_split_compile)
		cur_skip(&c, 8);
	cu->type_unit = type == DW_UT_type || type == DW_UT_split_type;
	if (cu->type_unit)
		cur_skip(&c, 8 + cu->off_size);
	cu->first = c.p - sects->info.p;
	return !c.bad && cu->first < cu->end && (cu->addr_size == 8 || cu->addr_size == 4);
}

uint64_t cu_abbrev_off(const struct cu *cu)
{
	struct cursor c = sect_at(&cu->sects->info, cu->off);

	cur_skip(&c, cu->off_size == 8 ? 12 : 4);
	cur_skip(&c, cu->version >= 5 ? 4 : 2);
	return cur_u(&c, cu->off_size);
}

static bool spec_push(struct cu *cu, struct abbrev_spec spec)
{
	if (cu->nspecs == cu->spec_room) {
		size_t room = cu->spec_room ? cu->spec_room * 2 : 1024;
		void *v = realloc(cu->specs, room * sizeof(*cu->specs));

		if (!v)
			return false;
		cu->specs = v;
		cu->spec_room = room;
	}
	cu->specs[cu->nspecs++] = spec;
	return true;
}

static struct abbrev *abbrev_slot(struct cu *cu, uint64_t code)
{
	if (code >= MAX_ABBREV_CODE)
		return NULL;
	if (code >= cu->abbrev_room) {
		size_t room = cu->abbrev_room ? cu->abbrev_room : 256;
		void *v;

		while (room <= code)
			room *= 2;
		v = realloc(cu->abbrevs, room * sizeof(*cu->abbrevs));
		if (!v)
			return NULL;
		cu->abbrevs = v;
		cu->abbrev_room = room;
	}
	for (; cu->nabbrevs <= code; cu->nabbrevs++)
		cu->abbrevs[cu->nabbrevs] = (struct abbrev){ 0 };
	return &cu->abbrevs[code];
}

/* Returns the size of a form's values if it is constant, else -1. */
static int form_size(const struct cu *cu, unsigned form)
{
	switch (form) {
	case DW_FORM_implicit_const: case DW_FORM_flag_present:
		return 0;
	case DW_FORM_data1: case DW_FORM_flag: case DW_FORM_ref1:
		return 1;
	case DW_FORM_data2: case DW_FORM_ref2:
		return 2;
	case DW_FORM_data4: case DW_FORM_ref4:
		return 4;
	case DW_FORM_data8: case DW_FORM_ref8: case DW_FORM_ref_sig8:
		return 8;
	case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_sec_offset:
		return cu->off_size;
	case DW_FORM_addr:
		return cu->addr_size;
	default:
		return -1;
	}
}

static void measure(const struct cu *cu, struct abbrev *a)
{
	unsigned size = 1;

	a->size = a->sibling = a->name = 0;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct abbrev_spec *s = &cu->specs[a->first + i];
		int n = form_size(cu, s->form);

		if (n < 0 || size > 1000 || (s->attr == DW_AT_sibling && s->form != DW_FORM_ref4))
			return;
		if (s->attr == DW_AT_sibling)
			a->sibling = size;
		if (s->attr == DW_AT_name && s->form == DW_FORM_strp && n == 4)
			a->name = size;
		size += n;
	}
	a->size = size;
}

static bool read_abbrevs(struct cu *cu)
{
	struct cursor c = sect_at(&cu->sects->abbrev, cu_abbrev_off(cu));
	uint64_t code;

	cu->nabbrevs = cu->nspecs = 0;
	while ((code = cur_uleb(&c)) != 0) {
		struct abbrev *a = abbrev_slot(cu, code);

		if (!a)
			return false;
		a->tag = cur_uleb(&c);
		a->children = cur_u(&c, 1);
		a->first = cu->nspecs;
		for (;;) {
			struct abbrev_spec spec = { .attr = cur_uleb(&c) };

			spec.form = cur_uleb(&c);
			if (spec.form == DW_FORM_implicit_const)
				spec.implicit = cur_sleb(&c);
			if (c.bad)
				return false;
			if (!spec.attr && !spec.form)
				break;
			if (!spec_push(cu, spec))
				return false;
		}
		a->n = cu->nspecs - a->first;
		measure(cu, a);
	}
	return !c.bad;
}

const struct abbrev *cu_abbrev(const struct cu *cu, uint64_t code)
{
	return code < cu->nabbrevs && cu->abbrevs[code].tag ? &cu->abbrevs[code] : NULL;
}

/*
 * Reads the unit's DIE twice: the first pass finds the bases through which
 * other attributes are read in the second.
 */
static bool read_unit_die(struct cu *cu)
{
	for (int pass = 0; pass < 2; pass++) {
		struct cursor c = sect_at(&cu->sects->info, cu->first);
		uint64_t code = cur_uleb(&c);
		const struct abbrev *a;

		c.end = cu->sects->info.p + cu->end;
		a = cu_abbrev(cu, code);
		if (!a)
			return false;
		for (uint32_t i = 0; i < a->n; i++) {
			const struct abbrev_spec *spec = &cu->specs[a->first + i];
			struct value v;

			form_read(cu, &c, spec, &v);
			if (c.bad)
				return false;
			switch (spec->attr) {
			case DW_AT_str_offsets_base:
				cu->str_offsets_base = v.u;
				break;
			case DW_AT_addr_base:
			case DW_AT_GNU_addr_base:
				cu->addr_base = v.u;
				break;
			case DW_AT_rnglists_base:
				cu->rnglists_base = v.u;
				break;
			case DW_AT_name:
				cu->name = v.str;
				break;
			case DW_AT_comp_dir:
				cu->comp_dir = v.str;
				break;
			case DW_AT_low_pc:
				cu->low_pc = v.u;
				break;
			case DW_AT_language:
				cu->language = v.u;
				break;
			case DW_AT_stmt_list:
				cu->stmt_list = v.u;
				cu->has_lines = true;
				break;
			}
		}
	}
	return true;
}

bool cu_open(struct cu *cu, const struct dwsects *sects, uint64_t off)
{
	if (!cu_header(cu, sects, off))
		return false;
	cu->name = cu->comp_dir = NULL;
	cu->low_pc = cu->stmt_list = 0;
	cu->language = 0;
	cu->has_lines = false;
	/* bases are behind the section's header (DWARF 5) */
	cu->rnglists_base = cu->off_size == 8 ? 20 : 12;
	cu->str_offsets_base = cu->addr_base = cu->version < 5 ? 0 : cu->off_size == 8 ? 16 : 8;
	return read_abbrevs(cu) && read_unit_die(cu);
}

void cu_release(struct cu *cu)
{
	free(cu->abbrevs);
	free(cu->specs);
	memset(cu, 0, sizeof(*cu));
}

/* ---- DIEs ----------------------------------------------------------------- */

static bool is_address(unsigned form)
{
	return form == DW_FORM_addr || form == DW_FORM_addrx || form == DW_FORM_GNU_addr_index ||
	       (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4);
}

static void take_attribute(struct die *d, unsigned attr, const struct value *v)
{
	switch (attr) {
	case DW_AT_sibling:
		d->sibling = v->u;
		break;
	case DW_AT_name:
		d->name = v->str;
		break;
	case DW_AT_abstract_origin:
		d->origin = v->u;
		break;
	case DW_AT_specification:
		d->origin = v->u;
		d->is_specification = true;
		break;
	case DW_AT_decl_file:
		d->decl_file = v->u;
		break;
	case DW_AT_decl_line:
		d->decl_line = v->u;
		break;
	case DW_AT_external:
		d->external = v->u;
		break;
	case DW_AT_declaration:
		d->declaration = v->u;
		break;
	case DW_AT_inline:
		d->inlined = v->u == DW_INL_inlined || v->u == DW_INL_declared_inlined;
		break;
	case DW_AT_location:
		d->has_location = true;
		break;
	case DW_AT_byte_size:
		d->has_size = true;
		break;
	case DW_AT_const_value:
		d->has_const = true;
		d->const_value = v->u;
		break;
	case DW_AT_low_pc:
		d->has_low = true;
		d->low = v->u;
		break;
	case DW_AT_high_pc:
		d->has_high = true;
		d->high_is_size = !is_address(v->form);
		d->high = v->u;
		break;
	case DW_AT_ranges:
		d->has_ranges = true;
		d->ranges_indexed = v->form == DW_FORM_rnglistx;
		d->ranges = v->u;
		break;
	case DW_AT_entry_pc:
		d->has_entry = true;
		d->entry_is_offset = !is_address(v->form);
		d->entry = v->u;
		break;
	}
}

bool die_read(const struct cu *cu, uint64_t off, struct die *d)
{
	struct cursor c = { cu->sects->info.p + off, cu->sects->info.p + cu->end, false };
	const struct abbrev *a;
	uint64_t code;

	if (off < cu->first || off >= cu->end)
		return false;
	memset(d, 0, sizeof(*d));
	d->off = off;
	code = cur_uleb(&c);
	d->next = c.p - cu->sects->info.p;
	if (!code)
		return !c.bad;
	a = cu_abbrev(cu, code);
	if (!a)
		return false;
	d->tag = a->tag;
	d->children = a->children;
	for (uint32_t i = 0; i < a->n; i++) {
		const struct abbrev_spec *spec = &cu->specs[a->first + i];
		struct value v;

		form_read(cu, &c, spec, &v);
		take_attribute(d, spec->attr, &v);
	}
	d->next = c.p - cu->sects->info.p;
	return !c.bad;
}

static uint32_t peek_word(const struct cursor *c, unsigned skip)
{
	struct cursor at = *c;

	cur_skip(&at, skip);
	return cur_u(&at, 4);
}

bool die_peek(const struct cu *cu, uint64_t off, struct die *d)
{
	struct cursor c = { cu->sects->info.p + off, cu->sects->info.p + cu->end, false };
	const struct abbrev *a;
	uint64_t code;

	if (off < cu->first || off >= cu->end)
		return false;
	code = cur_uleb(&c);
	if (!code || code >= cu->nabbrevs || !cu->abbrevs[code].size)
		return die_read(cu, off, d);
	a = &cu->abbrevs[code];
	d->off = off;
	d->tag = a->tag;
	d->children = a->children;
	d->sibling = a->sibling ? cu->off + peek_word(&c, a->sibling - 1) : 0;
	d->name = a->name ? sect_string(&cu->sects->str, peek_word(&c, a->name - 1)) : NULL;
	cur_skip(&c, a->size - 1);
	d->next = c.p - cu->sects->info.p;
	return !c.bad;
}

uint64_t die_after(const struct cu *cu, const struct die *d)
{
	uint64_t off = d->next;
	struct die child;
	int depth = 1;

	if (!d->children)
		return off;
	if (d->sibling)
		return d->sibling > d->off && d->sibling < cu->end ? d->sibling : 0;
	while (depth && depth < LIMIT_NESTING) {
		if (!die_peek(cu, off, &child))
			return 0;
		off = child.next;
		if (!child.tag)
			depth--;
		else if (child.children && child.sibling > child.off && child.sibling < cu->end)
			off = child.sibling;
		else if (child.children)
			depth++;
	}
	return depth ? 0 : off;
}
