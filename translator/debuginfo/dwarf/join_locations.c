// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adapts location descriptions of joined units (join.h).
 *
 * DWARF operations may refer to other DIEs by offset, and these have changed.
 * Apart from that DWARF 5's location lists are kept.  GCC's lists for split
 * DWARF 4 units have a form that ordinary units don't allow: they are rewritten
 * as .debug_loc lists, with addresses instead of indices into the address
 * table.
 */
#include <dwarf.h>
#include <string.h>

#include "join.h"

#ifndef DW_LLE_GNU_view_pair		/* elfutils before 0.184 */
#define DW_LLE_GNU_view_pair 9
#endif

enum { NESTED_MAX = 8 };

/*
 * Returns the operands of an operation, a letter each: a size in bytes, 'a' an
 * address, 'u' a LEB128, 'b' and 'B' blocks (length of 1 byte, LEB128), 'r' a
 * reference to a DIE, 'e' a nested expression.
 */
static const char *operands(unsigned op)
{
	if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		return "u";
	switch (op) {
	case DW_OP_addr:
		return "a";
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_pick:
	case DW_OP_deref_size: case DW_OP_xderef_size:
		return "1";
	case DW_OP_const2u: case DW_OP_const2s: case DW_OP_skip: case DW_OP_bra: case DW_OP_call2:
		return "2";
	case DW_OP_const4u: case DW_OP_const4s: case DW_OP_call4: case DW_OP_GNU_parameter_ref:
		return "4";
	case DW_OP_const8u: case DW_OP_const8s:
		return "8";
	case DW_OP_constu: case DW_OP_consts: case DW_OP_plus_uconst: case DW_OP_fbreg:
	case DW_OP_regx: case DW_OP_piece: case DW_OP_addrx: case DW_OP_constx:
	case DW_OP_GNU_addr_index: case DW_OP_GNU_const_index:
	case DW_OP_convert: case DW_OP_GNU_convert:
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
		return "u";
	case DW_OP_bregx: case DW_OP_bit_piece:
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
		return "uu";
	case DW_OP_deref_type: case DW_OP_GNU_deref_type: case DW_OP_xderef_type:
		return "1u";
	case DW_OP_const_type: case DW_OP_GNU_const_type:
		return "ub";
	case DW_OP_implicit_value:
		return "B";
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return "e";
	case DW_OP_call_ref: case DW_OP_GNU_variable_value:
		return "r";
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return "ru";
	default:
		return "";
	}
}

static bool adapt(const struct join_part *p, const struct cu *cu, const unsigned char *ops,
		  size_t len, unsigned char *to, unsigned depth);

static bool operand(const struct join_part *p, const struct cu *cu, char kind, struct cursor *c,
		    const unsigned char *ops, unsigned char *to, unsigned depth)
{
	const unsigned char *from = c->p;
	uint64_t len;
	uint32_t ref;

	switch (kind) {
	case '1': case '2': case '4': case '8':
		cur_skip(c, kind - '0');
		return true;
	case 'a':
		cur_skip(c, cu->addr_size);
		return true;
	case 'b':
		cur_skip(c, cur_u(c, 1));
		return true;
	case 'B':
		cur_skip(c, cur_uleb(c));
		return true;
	case 'r':
		ref = cur_u(c, 4) + p->info;
		if (!c->bad)
			memcpy(to + (from - ops), &ref, sizeof(ref));
		return true;
	case 'e':
		len = cur_uleb(c);
		from = c->p;
		cur_skip(c, len);
		return !c->bad && adapt(p, cu, from, len, to + (from - ops), depth + 1);
	default:
		cur_uleb(c);
		return true;
	}
}

static bool adapt(const struct join_part *p, const struct cu *cu, const unsigned char *ops,
		  size_t len, unsigned char *to, unsigned depth)
{
	struct cursor c = { ops, ops + len, false };

	if (depth > NESTED_MAX)
		return false;
	while (c.p < c.end && !c.bad) {
		for (const char *k = operands(cur_u(&c, 1)); *k; k++)
			if (!operand(p, cu, *k, &c, ops, to, depth))
				return false;
	}
	return !c.bad;
}

bool join_expression(const struct join_part *p, const struct cu *cu, const unsigned char *ops,
		     size_t len, unsigned char *to)
{
	return adapt(p, cu, ops, len, to, 0);
}

/* ---- lists --------------------------------------------------------------- */

/* Skips the part of an entry before its operations. *LOCATED says whether it has any. */
static bool new_entry(const struct cu *cu, struct cursor *c, bool *end, bool *located)
{
	*end = false;
	*located = true;
	switch (cur_u(c, 1)) {
	case DW_LLE_end_of_list:
		*end = true;
		*located = false;
		return true;
	case DW_LLE_base_addressx:
		cur_uleb(c);
		*located = false;
		return true;
	case DW_LLE_base_address:
		cur_skip(c, cu->addr_size);
		*located = false;
		return true;
	case DW_LLE_startx_endx: case DW_LLE_startx_length: case DW_LLE_offset_pair:
		cur_uleb(c);
		cur_uleb(c);
		return true;
	case DW_LLE_default_location:
		return true;
	case DW_LLE_start_end:
		cur_skip(c, 2 * cu->addr_size);
		return true;
	case DW_LLE_start_length:
		cur_skip(c, cu->addr_size);
		cur_uleb(c);
		return true;
	case DW_LLE_GNU_view_pair:
		cur_uleb(c);
		cur_uleb(c);
		*located = false;
		return true;
	default:
		return false;
	}
}

static uint64_t new_list(struct joint *j, const struct join_part *p, const struct cu *cu,
			 uint64_t off)
{
	const struct dwsect *s = &p->from->loclists;
	struct cursor c = sect_at(s, off);
	bool end = false, located;

	while (!end) {
		uint64_t len;

		if (!new_entry(cu, &c, &end, &located) || c.bad)
			return 0;
		if (!located)
			continue;
		len = cur_uleb(&c);
		if (c.bad || len > (uint64_t)(c.end - c.p) ||
		    !join_expression(p, cu, c.p, len, (unsigned char *)j->loclists.s +
				     p->loclists + (c.p - s->p)))
			return 0;
		cur_skip(&c, len);
	}
	return off;
}

static void put_pair(struct joint *j, uint64_t a, uint64_t b)
{
	sbuf_add(&j->loc, (const char *)&a, 8);
	sbuf_add(&j->loc, (const char *)&b, 8);
}

/* Reads an index and returns the address it has in the skeleton's table. */
static uint64_t address(struct joint *j, const struct join_part *p, struct cursor *c, bool *bad)
{
	const struct dwsect table = { (const unsigned char *)sbuf_str(&j->addr), j->addr.len };

	return sect_entry(&table, p->skeleton->addr_base, cur_uleb(c), 8, bad);
}

static uint64_t old_list(struct joint *j, const struct join_part *p, const struct cu *cu,
			 uint64_t off)
{
	struct cursor c = sect_at(&p->from->loc, off);
	uint64_t at, low, high, len;
	bool bad = false;

	if (!j->loc.len)
		put_pair(j, 0, 0);	/* offset 0 means failure */
	at = j->loc.len;
	put_pair(j, UINT64_MAX, 0);
	for (;;) {
		unsigned kind = cur_u(&c, 1);

		if (kind == DW_LLE_GNU_end_of_list_entry || c.bad || bad || j->loc.len > UINT32_MAX / 2)
			break;
		low = address(j, p, &c, &bad);
		if (kind == DW_LLE_GNU_base_address_selection_entry)
			continue;	/* later entries have absolute addresses */
		if (kind != DW_LLE_GNU_start_end_entry &&
		    kind != DW_LLE_GNU_start_length_entry)
			return 0;
		high = kind == DW_LLE_GNU_start_end_entry ? address(j, p, &c, &bad)
							  : low + cur_u(&c, 4);
		len = cur_u(&c, 2);
		if (c.bad || bad || len > (uint64_t)(c.end - c.p))
			return 0;
		put_pair(j, low, high);
		sbuf_add(&j->loc, (const char *)&len, 2);
		sbuf_add(&j->loc, (const char *)c.p, len);
		if (!join_expression(p, cu, c.p, len,
				     (unsigned char *)j->loc.s + j->loc.len - len))
			return 0;
		cur_skip(&c, len);
	}
	put_pair(j, 0, 0);
	return c.bad || bad ? 0 : at;
}

uint64_t join_location_list(struct joint *j, const struct join_part *p, const struct cu *cu,
			    uint64_t off)
{
	return cu->version >= 5 ? new_list(j, p, cu, off) : old_list(j, p, cu, off);
}
