/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types from DWARF.
 *
 * DWARF describes a type as a chain of entries: const -> typedef -> pointer ->
 * struct.  This file answers two questions about a chain: what a value of it is made
 * of (ctype_shape), and where a member lies (ctype_member).  type_names.c says how it
 * is written.
 *
 * A struct that a compilation unit only declares is defined in another one: the name
 * index finds it, in the same file or, for a module, in the kernel.
 */
#include "types.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/limits.h"
#include "base/sbuf.h"
#include "debuginfo/renamed.h"

enum {
	NESTING_MAX = 16,		/* anonymous structs inside each other */
	MEMBERS_MAX = 20000,
	DIMENSIONS_MAX = 32,
	FEW_MEMBERS = 16,		/* members listed in a message */
};

/* ---- links ------------------------------------------------------------- */

struct ctype ctype_of(struct dwfile *f, Dwarf_Die *die)
{
	struct ctype t = { .file = f };
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) ||
	    !dwarf_formref_die(&attr, &t.die))
		t.die.addr = NULL;
	return t;
}

struct ctype ctype_pointer_to(const struct ctype *t)
{
	struct ctype p = *t;

	p.stars++;
	return p;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
	       tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

static bool is_composite(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_class_type;
}

bool ctype_is_reference(const struct ctype *t)
{
	struct ctype bare = ctype_bare(t);

	return !bare.stars && (die_is(&bare.die, DW_TAG_reference_type) ||
			       die_is(&bare.die, DW_TAG_rvalue_reference_type));
}

bool ctype_is_composite(const struct ctype *t)
{
	struct ctype c = *t;

	return !c.stars && c.die.addr && is_composite(dwarf_tag(&c.die));
}

const char *die_keyword(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_enumeration_type:
		return "enum";
	case DW_TAG_class_type:
		return "class";
	default:
		return "struct";
	}
}

/* Skips typedefs and qualifiers; false if the chain has no end. */
static bool unqualified(struct ctype *t, unsigned *depth)
{
	while (t->die.addr && is_qualifier(dwarf_tag(&t->die)) && (*depth)++ < LIMIT_CHAIN)
		t->die = ctype_of(t->file, &t->die).die;
	return *depth <= LIMIT_CHAIN;
}

struct ctype ctype_bare(const struct ctype *t)
{
	struct ctype bare = *t;
	unsigned depth = 0;

	if (!t->stars)
		unqualified(&bare, &depth);
	return bare;
}

/* ---- shape ------------------------------------------------------------- */

/* Finds the definition of an incomplete struct or enum. */
static bool complete(struct ctype *t, struct problem *why)
{
	Dwarf_Attribute attr;
	bool declared = false;
	struct dwfile *kernel;
	struct problem ignored = { 0 };
	const char *name, *full;

	if (dwarf_attr(&t->die, DW_AT_declaration, &attr))
		dwarf_formflag(&attr, &declared);
	if (!declared)
		return true;
	name = dwarf_diename(&t->die);
	if (!name) {
		why->text = "the debug information declares a type without name or definition";
		return false;
	}
	full = arena_printf("%s %s", die_keyword(&t->die), dwfile_name(t->file, &t->die));
	if (index_find_type(t->file, full, &t->die))
		return true;
	if (!t->file->is_kernel && !t->file->is_user) {
		kernel = target_file(t->file->target, "kernel", &ignored);
		if (kernel && kernel->dw && index_find_type(kernel, full, &t->die)) {
			t->file = kernel;
			return true;
		}
	}
	why->text = arena_printf("the debug information of %s has no definition of '%s'",
			    t->file->module, full);
	return false;
}

static bool unsigned_attr(Dwarf_Die *die, unsigned name, uint64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &word) != 0)
		return false;
	*out = word;
	return true;
}

static void base_shape(Dwarf_Die *die, struct shape *out)
{
	uint64_t encoding = 0;

	unsigned_attr(die, DW_AT_encoding, &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		out->kind = CK_BOOL;
		break;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		out->kind = CK_CHAR;
		out->is_signed = encoding == DW_ATE_signed_char;
		break;
	case DW_ATE_signed:
	case DW_ATE_unsigned:
	case DW_ATE_address:
	case DW_ATE_UTF:
		out->kind = CK_INTEGER;
		out->is_signed = encoding == DW_ATE_signed;
		break;
	case DW_ATE_float:
		out->kind = out->size == 4 || out->size == 8 ? CK_FLOAT : CK_OTHER;
		break;
	default:
		out->kind = CK_OTHER;
	}
}

/* Is one of an enum's constants negative?  Then an enum without an underlying type is signed. */
static bool has_negative_enumerator(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;
	Dwarf_Die child;
	unsigned left = MEMBERS_MAX;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_attr(&child, DW_AT_const_value, &attr) &&
		    dwarf_whatform(&attr) == DW_FORM_sdata &&
		    dwarf_formsdata(&attr, &value) == 0 && value < 0)
			return true;
	} while (--left && dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool shape_at(const struct ctype *t, struct shape *out, unsigned depth,
		     struct problem *why);

static bool enum_shape(const struct ctype *t, struct shape *out, unsigned depth,
		       struct problem *why)
{
	struct ctype under = ctype_of(t->file, &out->type.die);
	struct shape base;

	out->kind = CK_ENUM;
	if (!under.die.addr) {
		out->is_signed = has_negative_enumerator(&out->type.die);
		return true;
	}
	if (!shape_at(&under, &base, depth + 1, why))
		return false;
	out->is_signed = base.is_signed;
	if (!out->size)
		out->size = base.size;
	return true;
}

/* Counts the elements of the dimensions from FROM on; 0 if unknown or absurd. */
static uint64_t element_count(Dwarf_Die *array, unsigned from, unsigned *dims)
{
	Dwarf_Attribute attr;
	Dwarf_Sword upper;
	uint64_t n, total = 1;
	unsigned left = DIMENSIONS_MAX;
	Dwarf_Die child;

	*dims = 0;
	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		if (!die_is(&child, DW_TAG_subrange_type))
			continue;
		if ((*dims)++ < from)
			continue;
		if (unsigned_attr(&child, DW_AT_count, &n))
			;
		else if (dwarf_attr(&child, DW_AT_upper_bound, &attr) &&
			 dwarf_formsdata(&attr, &upper) == 0 && upper >= 0)
			n = (uint64_t)upper + 1;
		else
			n = 0;
		if (__builtin_mul_overflow(total, n, &total))
			total = 0;
	} while (--left && dwarf_siblingof(&child, &child) == 0);
	return *dims ? total : 0;
}

static bool array_shape(struct shape *out, unsigned depth, struct problem *why)
{
	struct ctype element = ctype_of(out->type.file, &out->type.die);
	struct shape s;
	unsigned dims;
	uint64_t n = element_count(&out->type.die, out->type.dims, &dims);

	/* an element of the last dimension is of the element type itself */
	if (out->type.dims && out->type.dims >= dims)
		return shape_at(&element, out, depth + 1, why);
	out->kind = CK_ARRAY;
	if (!shape_at(&element, &s, depth + 1, why))
		return false;
	if (__builtin_mul_overflow(n, s.size, &out->size))
		out->size = 0;
	return true;
}

static bool shape_at(const struct ctype *t, struct shape *out, unsigned depth,
		     struct problem *why)
{
	uint64_t size = 0;
	int tag;

	*out = (struct shape){ .type = *t };
	if (t->stars) {
		out->kind = CK_POINTER;
		out->size = t->file->arch->word;
		return true;
	}
	if (!unqualified(&out->type, &depth)) {
		why->text = "the debug information has a type that refers to itself";
		return false;
	}
	if (!out->type.die.addr)
		return true;
	tag = dwarf_tag(&out->type.die);
	if ((is_composite(tag) || tag == DW_TAG_enumeration_type) && !complete(&out->type, why))
		return false;
	unsigned_attr(&out->type.die, DW_AT_byte_size, &size);
	out->size = size;
	if (is_composite(tag)) {
		out->kind = CK_STRUCT;
		return true;
	}
	switch (tag) {
	case DW_TAG_base_type:
		base_shape(&out->type.die, out);
		return true;
	case DW_TAG_enumeration_type:
		return enum_shape(&out->type, out, depth, why);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		out->kind = CK_POINTER;
		out->size = t->file->arch->word;
		return true;
	case DW_TAG_array_type:
		return array_shape(out, depth, why);
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		out->kind = CK_FUNCTION;
		return true;
	case DW_TAG_unspecified_type:
		return true;
	default:
		out->kind = CK_OTHER;
		return true;
	}
}

bool ctype_shape(const struct ctype *t, struct shape *out, struct problem *why)
{
	return shape_at(t, out, 0, why);
}

struct ctype ctype_pointee(const struct shape *s)
{
	struct ctype t = s->type;

	if (t.stars) {
		t.stars--;
		return t;
	}
	return ctype_of(t.file, &t.die);
}

struct ctype ctype_element(const struct shape *s)
{
	struct ctype t = s->type;
	unsigned dims;

	element_count(&t.die, 0, &dims);
	if (t.dims + 1 < dims) {
		t.dims++;
		return t;
	}
	return ctype_of(t.file, &t.die);
}

/* ---- members ----------------------------------------------------------- */

/* Is it a member that each object has?  DWARF 4 declares a class's static members the same way. */
static bool is_member(Dwarf_Die *die)
{
	return (die_is(die, DW_TAG_member) && !dwarf_hasattr(die, DW_AT_declaration)) ||
	       die_is(die, DW_TAG_inheritance);
}

static bool member_skip(struct member_iter *it)
{
	while (it->left-- > 0) {
		if (is_member(&it->die))
			return true;
		if (dwarf_siblingof(&it->die, &it->die) != 0)
			return false;
	}
	return false;
}

bool member_first(const struct shape *of, struct member_iter *it)
{
	struct ctype t = of->type;

	it->of = of;
	it->left = MEMBERS_MAX;
	return dwarf_child(&t.die, &it->die) == 0 && member_skip(it);
}

bool member_next(struct member_iter *it)
{
	return dwarf_siblingof(&it->die, &it->die) == 0 && member_skip(it);
}

/* Reads DW_AT_data_member_location: a number, or (DWARF 2) "plus_uconst N". */
static bool member_offset(Dwarf_Die *die, uint64_t *out)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;
	Dwarf_Op *ops;
	size_t n;

	*out = 0;
	if (!dwarf_attr(die, DW_AT_data_member_location, &attr))
		return true;		/* a union's member, or one that is given in bits */
	if (dwarf_formudata(&attr, &word) == 0) {
		*out = word;
		return true;
	}
	if (dwarf_getlocation(&attr, &ops, &n) == 0 && n == 1 &&
	    (ops[0].atom == DW_OP_plus_uconst || ops[0].atom == DW_OP_constu)) {
		*out = ops[0].number;
		return true;
	}
	return false;
}

bool member_get(struct member_iter *it, struct member *out, struct problem *why)
{
	uint64_t bits, from, unit = 0;
	struct shape s;

	*out = (struct member){ .name = dwarf_diename(&it->die),
				.base = die_is(&it->die, DW_TAG_inheritance) };
	out->type = ctype_of(it->of->type.file, &it->die);
	if (!member_offset(&it->die, &out->offset)) {
		why->text = arena_printf("the place of member '%s' in its struct is not a constant",
				    out->name ? out->name : "");
		return false;
	}
	if (!unsigned_attr(&it->die, DW_AT_bit_size, &bits))
		return true;
	if (bits == 0 || bits > 64)
		goto bad;
	out->is_bits = true;
	out->bit_size = bits;
	if (unsigned_attr(&it->die, DW_AT_data_bit_offset, &from)) {
		out->bit_offset = out->offset * 8 + from;
	} else if (unsigned_attr(&it->die, DW_AT_bit_offset, &from)) {
		/* counted from the storage unit's most significant bit */
		if (!unsigned_attr(&it->die, DW_AT_byte_size, &unit)) {
			if (!ctype_shape(&out->type, &s, why))
				return false;
			unit = s.size;
		}
		if (from > UINT32_MAX || unit > 16)
			goto bad;
		out->bit_offset = out->offset * 8 + unit * 8 - from - bits;
	} else {
		out->bit_offset = out->offset * 8;
	}
	out->offset = 0;
	if (out->bit_offset < UINT64_C(1) << 40)
		return true;
bad:
	why->text = arena_printf("the debug information of bit field '%s' makes no sense",
			    out->name ? out->name : "");
	return false;
}

/* Is it a virtual base, whose place in an object only the object itself tells? */
static bool is_virtual_base(Dwarf_Die *die)
{
	return die_is(die, DW_TAG_inheritance) && dwarf_hasattr(die, DW_AT_virtuality);
}

/* Finds a member by name.  It hides inherited members of the same name. */
static bool find_member(const struct shape *of, const char *name, struct member *out,
			unsigned depth, struct problem *why)
{
	struct member_iter it;
	struct member m;
	struct shape inner;

	if (depth > NESTING_MAX)
		return false;
	for (bool more = member_first(of, &it); more; more = member_next(&it)) {
		const char *own = dwarf_diename(&it.die);

		if (own && *own && strcmp(own, name) == 0)
			return member_get(&it, out, why);
	}
	for (bool more = member_first(of, &it); more; more = member_next(&it)) {
		const char *own = dwarf_diename(&it.die);

		if ((own && *own) || is_virtual_base(&it.die))
			continue;
		if (!member_get(&it, &m, why) || m.is_bits ||
		    !ctype_shape(&m.type, &inner, why) || inner.kind != CK_STRUCT)
			continue;
		if (find_member(&inner, name, out, depth + 1, why)) {
			if (out->is_bits)
				out->bit_offset += m.offset * 8;
			else
				out->offset += m.offset;
			return true;
		}
	}
	return false;
}

typedef vec(const char *) name_list;

static void list_members(const struct shape *of, name_list *names, unsigned depth)
{
	struct problem ignored = { 0 };
	struct member_iter it;
	struct member m;
	struct shape inner;

	if (depth > NESTING_MAX)
		return;
	for (bool more = member_first(of, &it); more; more = member_next(&it)) {
		const char *own = dwarf_diename(&it.die);

		if (own && *own)
			vec_push(names, own);
		else if (member_get(&it, &m, &ignored) &&
			 ctype_shape(&m.type, &inner, &ignored) && inner.kind == CK_STRUCT)
			list_members(&inner, names, depth + 1);
	}
}

const char *name_hint(const char *name, const char *prefix, const char *const *names, size_t n)
{
	const char *near = diag_nearest(name, names, n, 1);

	return near ? arena_printf("did you mean '%s%s'?", prefix, near) : NULL;
}

static const char *renamed_member(const struct ctype *of, const char *name)
{
	const char *tag = of->die.addr ? dwarf_diename((Dwarf_Die *)&of->die) : NULL;
	const char *now = !tag || of->file->is_program ? NULL :
			  renamed(of->file->target->session, RENAMED_MEMBER,
				  arena_printf("%s.%s", tag, name));

	return now ? arena_printf("did you mean: %s", now) : NULL;
}

bool ctype_member(const struct shape *of, const char *name, struct member *out,
		  struct problem *why)
{
	struct sbuf text = { 0 };
	name_list names = { 0 };

	why->text = NULL;
	if (find_member(of, name, out, 0, why))
		return true;
	if (why->text)
		return false;
	list_members(of, &names, 0);
	why->hint = renamed_member(&of->type, name) ?: name_hint(name, "", names.v, names.n);
	sbuf_printf(&text, "unable to find member '%s' for %s", name, ctype_text(&of->type));
	if (names.n && names.n <= FEW_MEMBERS) {
		for (size_t i = 0; i < names.n; i++)
			sbuf_printf(&text, "%s%s", i ? ", " : " (alternatives: ", names.v[i]);
		sbuf_putc(&text, ')');
	} else {
		const char *near = diag_nearest(name, names.v, names.n, 5);

		if (near)
			sbuf_printf(&text, " (alternatives: %s, ...)", near);
	}
	why->text = sbuf_take(&text);
	return false;
}
