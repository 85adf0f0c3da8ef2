// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Translates BTF to DWARF.
 *
 * BTF is a subset of DWARF: types, and the types and names of functions'
 * parameters.  Where parameters are at a function's entry follows from the
 * calling convention.  So instead of a second reader in everything that looks
 * up types and variables there is this translation, which takes some 50 milliseconds for a kernel
 * and is kept (kernel_btf.c).
 *
 * The first unit holds all types, in the order of their BTF ids.  Units of a
 * few hundred functions each follow, so that one function can be found without
 * reading them all.  Types refer to later types, so everything is written
 * twice, the second time with the offsets that the first produced.
 *
 * BTF may come from a damaged file: a reference to a type that doesn't exist
 * becomes void.
 */
#include "btf_dwarf.h"

#include <dwarf.h>
#include <elf.h>
#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/files/elf_write.h"
#include "libbpf.h"

enum {
	TEXT = 0x10000,		/* made-up address of the code */
	SPACING = 16,		/* bytes from one function to the next */
	FUNCTIONS_A_UNIT = 256,
	NAME_MOST = 512,	/* the kernel's own have 511 bytes at most (KSYM_NAME_LEN) */
};

/*
 * Abbreviations.  Each kind of entry has four, with and without a name and a
 * type.  An abbreviation's number is kind * VARIANTS + NAMED + TYPED + 1.
 */
enum { NAMED = 1, TYPED = 2, VARIANTS = 4 };

enum kind {
	UNIT, BASE_TYPE, TYPEDEF, POINTER, CONST, VOLATILE, RESTRICT, ARRAY, COUNT, NO_COUNT,
	STRUCT, UNION, FWD_STRUCT, FWD_UNION, MEMBER, BITS, ENUM, ENUMERATOR, PROTO, VARIADIC,
	FUNCTION, EXTERNAL, PARAM, PARAM_NOWHERE, KINDS
};

struct form {
	uint8_t at, form;	/* a DW_AT_… and its DW_FORM_… */
};

static const struct {
	uint8_t tag;
	bool children;
	struct form own[4];		/* behind name and type */
} kinds[KINDS] = {
	[UNIT] = { DW_TAG_compile_unit, true, { { 0, 0 } } },
	[BASE_TYPE] = { DW_TAG_base_type, false, { { DW_AT_encoding, DW_FORM_data1 },
						   { DW_AT_byte_size, DW_FORM_data4 } } },
	[TYPEDEF] = { DW_TAG_typedef, false, { { 0, 0 } } },
	[POINTER] = { DW_TAG_pointer_type, false, { { 0, 0 } } },
	[CONST] = { DW_TAG_const_type, false, { { 0, 0 } } },
	[VOLATILE] = { DW_TAG_volatile_type, false, { { 0, 0 } } },
	[RESTRICT] = { DW_TAG_restrict_type, false, { { 0, 0 } } },
	[ARRAY] = { DW_TAG_array_type, true, { { 0, 0 } } },
	[COUNT] = { DW_TAG_subrange_type, false, { { DW_AT_count, DW_FORM_data4 } } },
	[NO_COUNT] = { DW_TAG_subrange_type, false, { { 0, 0 } } },
	[STRUCT] = { DW_TAG_structure_type, true, { { DW_AT_byte_size, DW_FORM_data4 } } },
	[UNION] = { DW_TAG_union_type, true, { { DW_AT_byte_size, DW_FORM_data4 } } },
	[FWD_STRUCT] = { DW_TAG_structure_type, false,
			 { { DW_AT_declaration, DW_FORM_flag_present } } },
	[FWD_UNION] = { DW_TAG_union_type, false,
			{ { DW_AT_declaration, DW_FORM_flag_present } } },
	[MEMBER] = { DW_TAG_member, false, { { DW_AT_data_member_location, DW_FORM_data4 } } },
	[BITS] = { DW_TAG_member, false, { { DW_AT_bit_size, DW_FORM_data1 },
					   { DW_AT_data_bit_offset, DW_FORM_data4 } } },
	[ENUM] = { DW_TAG_enumeration_type, true, { { DW_AT_byte_size, DW_FORM_data4 } } },
	[ENUMERATOR] = { DW_TAG_enumerator, false, { { DW_AT_const_value, DW_FORM_sdata } } },
	[PROTO] = { DW_TAG_subroutine_type, true, { { DW_AT_prototyped, DW_FORM_flag_present } } },
	[VARIADIC] = { DW_TAG_unspecified_parameters, false, { { 0, 0 } } },
	[FUNCTION] = { DW_TAG_subprogram, true, { { DW_AT_low_pc, DW_FORM_addr },
						  { DW_AT_high_pc, DW_FORM_data4 },
						  { DW_AT_frame_base, DW_FORM_exprloc } } },
	[EXTERNAL] = { DW_TAG_subprogram, true, { { DW_AT_low_pc, DW_FORM_addr },
						  { DW_AT_high_pc, DW_FORM_data4 },
						  { DW_AT_frame_base, DW_FORM_exprloc },
						  { DW_AT_external, DW_FORM_flag_present } } },
	[PARAM] = { DW_TAG_formal_parameter, false, { { DW_AT_location, DW_FORM_exprloc } } },
	[PARAM_NOWHERE] = { DW_TAG_formal_parameter, false, { { 0, 0 } } },
};

/* The translation in progress. */
struct writer {
	const struct btf *btf;
	const struct arch *arch;
	unsigned ntypes, first;		/* number of type ids; the first id whose functions are
					   wanted */
	bool *wanted;			/* by type id; NULL: all types */
	uint32_t *offsets;		/* by type id: its entry in .debug_info; 0: none */
	uint64_t nfunctions;
	struct sbuf info, abbrev, str, aranges, symtab, strtab, note;
};

/* ---- bytes -------------------------------------------------------------------------- */

static void put(struct sbuf *b, uint64_t value, unsigned bytes)
{
	value = htole64(value);
	sbuf_add(b, (const char *)&value, bytes);
}

static void put_uleb(struct sbuf *b, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		sbuf_putc(b, value | 0x80);
	sbuf_putc(b, value);
}

static void put_sleb(struct sbuf *b, int64_t value)
{
	for (; value < -0x40 || value >= 0x40; value >>= 7)
		sbuf_putc(b, value | 0x80);
	sbuf_putc(b, value & 0x7f);
}

/* Fills in a word that was left empty. */
static void fill(struct sbuf *b, size_t at, uint32_t value)
{
	value = htole32(value);
	memcpy(b->s + at, &value, sizeof(value));
}

static void write_abbrevs(struct sbuf *out)
{
	for (int kind = 0; kind < KINDS; kind++)
		for (int v = 0; v < VARIANTS; v++) {
			put_uleb(out, kind * VARIANTS + v + 1);
			put_uleb(out, kinds[kind].tag);
			sbuf_putc(out, kinds[kind].children);
			if (v & NAMED) {
				put_uleb(out, DW_AT_name);
				put_uleb(out, DW_FORM_strp);
			}
			if (v & TYPED) {
				put_uleb(out, DW_AT_type);
				put_uleb(out, DW_FORM_ref_addr);
			}
			for (int i = 0; i < 4 && kinds[kind].own[i].at; i++) {
				put_uleb(out, kinds[kind].own[i].at);
				put_uleb(out, kinds[kind].own[i].form);
			}
			put(out, 0, 2);
		}
	put(out, 0, 1);
}

/* ---- types -------------------------------------------------------------------------- */

static const struct btf_type *type_of(const struct writer *w, uint32_t id)
{
	return id && id < w->ntypes ? btf__type_by_id(w->btf, id) : NULL;
}

/*
 * A name that is too long counts as none: each member that has it gets a copy, and a file of 30 MB can have a
 * thousand with one name of that size.
 */
static const char *name_of(const struct writer *w, uint32_t off)
{
	const char *name = btf__name_by_offset(w->btf, off);

	return name && strnlen(name, NAME_MOST + 1) <= NAME_MOST ? name : "";
}

/* Type tags ("__user") are no DWARF types; returns the type they apply to. */
static uint32_t untagged(const struct writer *w, uint32_t id)
{
	const struct btf_type *t = type_of(w, id);

	for (int left = LIMIT_CHAIN; t && btf_is_type_tag(t) && left; left--)
		t = type_of(w, id = t->type);
	return t && !btf_is_type_tag(t) ? id : 0;
}

/* Begins an entry. */
static void entry(struct writer *w, enum kind kind, const char *name, uint32_t type)
{
	uint32_t off = 0;
	unsigned variant = *name ? NAMED : 0;

	type = untagged(w, type);
	if (type && (!w->wanted || w->wanted[type])) {
		off = w->offsets[type];
		variant |= TYPED;
	}
	put_uleb(&w->info, kind * VARIANTS + variant + 1);
	if (*name) {
		put(&w->info, w->str.len, 4);
		sbuf_add(&w->str, name, strlen(name) + 1);
	}
	if (variant & TYPED)
		put(&w->info, off, 4);
}

static void end_children(struct writer *w)
{
	put(&w->info, 0, 1);
}

/* DWARF distinguishes characters from numbers, BTF's encoding doesn't. */
static int int_encoding(const struct writer *w, const struct btf_type *t)
{
	const char *name = name_of(w, t->name_off);
	unsigned encoding = btf_int_encoding(t);
	bool is_char = t->size == 1 && strstr(name, "char");

	if (encoding & BTF_INT_BOOL)
		return DW_ATE_boolean;
	if (encoding & BTF_INT_SIGNED)
		return is_char ? DW_ATE_signed_char : DW_ATE_signed;
	/* a plain char is signed on x86 */
	return is_char ? !strcmp(name, "char") ? DW_ATE_signed_char : DW_ATE_unsigned_char
		       : DW_ATE_unsigned;
}

static void write_members(struct writer *w, const struct btf_type *t)
{
	const struct btf_member *m = btf_members(t);

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		uint32_t at = btf_member_bit_offset(t, i), bits = btf_member_bitfield_size(t, i);

		entry(w, bits || at % 8 ? BITS : MEMBER, name_of(w, m[i].name_off), m[i].type);
		if (bits || at % 8)
			put(&w->info, bits, 1);
		put(&w->info, bits || at % 8 ? at : at / 8, 4);
	}
	end_children(w);
}

static void write_enumerators(struct writer *w, const struct btf_type *t)
{
	for (unsigned i = 0; i < btf_vlen(t); i++) {
		bool wide = btf_is_enum64(t);
		uint32_t name = wide ? btf_enum64(t)[i].name_off : btf_enum(t)[i].name_off;

		entry(w, ENUMERATOR, name_of(w, name), 0);
		put_sleb(&w->info, wide ? (int64_t)btf_enum64_value(&btf_enum64(t)[i])
					: btf_enum(t)[i].val);
	}
	end_children(w);
}

static void write_proto(struct writer *w, const struct btf_type *t)
{
	const struct btf_param *p = btf_params(t);

	entry(w, PROTO, "", t->type);
	for (unsigned i = 0; i < btf_vlen(t); i++)
		entry(w, p[i].type || p[i].name_off ? PARAM_NOWHERE : VARIADIC, "", p[i].type);
	end_children(w);
}

static void write_array(struct writer *w, const struct btf_type *t)
{
	const struct btf_array *a = btf_array(t);

	entry(w, ARRAY, "", a->type);
	entry(w, a->nelems ? COUNT : NO_COUNT, "", 0);
	if (a->nelems)
		put(&w->info, a->nelems, 4);
	end_children(w);
}

static void write_type(struct writer *w, uint32_t id)
{
	static const enum kind plain[NR_BTF_KINDS] = {
		[BTF_KIND_TYPEDEF] = TYPEDEF, [BTF_KIND_PTR] = POINTER, [BTF_KIND_CONST] = CONST,
		[BTF_KIND_VOLATILE] = VOLATILE, [BTF_KIND_RESTRICT] = RESTRICT,
	};
	const struct btf_type *t = type_of(w, id);
	const char *name = name_of(w, t->name_off);

	w->offsets[id] = w->info.len;
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_FLOAT:
		entry(w, BASE_TYPE, name, 0);
		put(&w->info, btf_is_float(t) ? DW_ATE_float : int_encoding(w, t), 1);
		put(&w->info, t->size, 4);
		break;
	case BTF_KIND_TYPEDEF: case BTF_KIND_PTR: case BTF_KIND_CONST: case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
		entry(w, plain[btf_kind(t)], name, t->type);
		break;
	case BTF_KIND_ARRAY:
		write_array(w, t);
		break;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		entry(w, btf_is_struct(t) ? STRUCT : UNION, name, 0);
		put(&w->info, t->size, 4);
		write_members(w, t);
		break;
	case BTF_KIND_FWD:
		entry(w, btf_kflag(t) ? FWD_UNION : FWD_STRUCT, name, 0);
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		entry(w, ENUM, name, 0);
		put(&w->info, t->size, 4);
		write_enumerators(w, t);
		break;
	case BTF_KIND_FUNC_PROTO:
		write_proto(w, t);
		break;
	default:		/* functions, variables and sections are no types */
		w->offsets[id] = 0;
	}
}

/* ---- locations of parameters ------------------------------------------------- */

/* The parameters passed so far. */
struct passing {
	unsigned regs;			/* used */
	unsigned stack;			/* bytes */
};

static uint64_t size_of(const struct writer *w, uint32_t id, bool *floats)
{
	const struct btf_type *t = type_of(w, id);

	for (int left = LIMIT_CHAIN; t && left; left--) {
		if (!btf_is_mod(t) && !btf_is_typedef(t))
			break;
		t = type_of(w, t->type);
	}
	if (!t)
		return 0;
	*floats = btf_is_float(t);
	if (btf_is_ptr(t))
		return w->arch->word;
	return btf_is_composite(t) || btf_is_any_enum(t) || btf_is_int(t) || btf_is_float(t)
		? t->size : 0;
}

static void in_register(const struct writer *w, struct sbuf *ops, unsigned n)
{
	int reg = w->arch->reg_dwarf(w->arch->arg_reg(n));

	if (reg < 32) {
		sbuf_putc(ops, DW_OP_reg0 + reg);
	} else {
		sbuf_putc(ops, DW_OP_regx);
		put_uleb(ops, reg);
	}
}

/* Offsets are from the frame address, where the caller's stack ends. */
static void on_stack(struct sbuf *ops, unsigned at)
{
	sbuf_putc(ops, DW_OP_fbreg);
	put_sleb(ops, at);
}

/*
 * Appends the DWARF operations that locate the next parameter; none if the
 * calling convention doesn't determine it here (floating point, very large).
 */
static void place_parameter(const struct writer *w, struct passing *p, uint32_t type,
			    struct sbuf *ops)
{
	unsigned word = w->arch->word, words;
	bool floats = false;
	uint64_t size = size_of(w, type, &floats);

	words = (size + word - 1) / word;
	if (!size || floats)
		return;
	if (words <= 2 && w->arch->arg_reg(p->regs + words - 1) >= 0) {
		for (unsigned i = 0; i < words; i++) {
			in_register(w, ops, p->regs++);
			if (words > 1) {
				sbuf_putc(ops, DW_OP_piece);
				put_uleb(ops, i + 1 < words ? word : size - i * word);
			}
		}
		return;
	}
	if (size > UINT16_MAX)
		return;
	on_stack(ops, p->stack);
	p->stack += words * word;
}

/* ---- functions ------------------------------------------------------------------------ */

static void write_parameters(struct writer *w, const struct btf_type *proto)
{
	const struct btf_param *p = btf_params(proto);
	struct passing passed = { 0 };

	for (unsigned i = 0; i < btf_vlen(proto); i++) {
		struct sbuf ops = { 0 };

		if (!p[i].type && !p[i].name_off) {
			entry(w, VARIADIC, "", 0);
			continue;
		}
		place_parameter(w, &passed, p[i].type, &ops);
		entry(w, ops.len ? PARAM : PARAM_NOWHERE, name_of(w, p[i].name_off), p[i].type);
		if (ops.len) {
			put_uleb(&w->info, ops.len);
			sbuf_add(&w->info, ops.s, ops.len);
		}
		sbuf_free(&ops);
	}
}

static void write_symbol(struct writer *w, const char *name, uint64_t addr)
{
	put(&w->symtab, w->strtab.len, 4);
	sbuf_putc(&w->symtab, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC));
	sbuf_putc(&w->symtab, STV_DEFAULT);
	put(&w->symtab, 1, 2);			/* .text */
	put(&w->symtab, addr, 8);
	put(&w->symtab, SPACING, 8);
	sbuf_add(&w->strtab, name, strlen(name) + 1);
}

static void write_function(struct writer *w, const struct btf_type *f)
{
	const struct btf_type *proto = type_of(w, f->type);
	uint64_t addr = TEXT + w->nfunctions++ * SPACING;
	const char *name = name_of(w, f->name_off);

	entry(w, btf_vlen(f) == BTF_FUNC_STATIC ? FUNCTION : EXTERNAL, name, proto->type);
	put(&w->info, addr, 8);
	put(&w->info, SPACING, 4);
	put(&w->info, 1, 1);
	put(&w->info, DW_OP_call_frame_cfa, 1);
	write_parameters(w, proto);
	end_children(w);
	write_symbol(w, name, addr);
}

static bool is_function(const struct writer *w, uint32_t id)
{
	const struct btf_type *f = type_of(w, id), *proto;

	if (!f || !btf_is_func(f) || !*name_of(w, f->name_off))
		return false;
	proto = type_of(w, f->type);
	return proto && btf_is_func_proto(proto);
}

/* ---- units ---------------------------------------------------------------------------- */

static size_t unit_begin(struct writer *w, const char *name)
{
	size_t at = w->info.len;

	put(&w->info, 0, 4);			/* length */
	put(&w->info, 4, 2);			/* DWARF 4 */
	put(&w->info, 0, 4);			/* offset of the abbreviations */
	put(&w->info, w->arch->word, 1);
	entry(w, UNIT, name, 0);
	return at;
}

static void unit_end(struct writer *w, size_t at)
{
	end_children(w);
	fill(&w->info, at, w->info.len - at - 4);
}

/* Describes the address range of a unit's functions. */
static void write_range(struct writer *w, size_t unit, uint64_t first)
{
	put(&w->aranges, 44, 4);
	put(&w->aranges, 2, 2);
	put(&w->aranges, unit, 4);
	put(&w->aranges, w->arch->word, 1);
	put(&w->aranges, 0, 1);
	put(&w->aranges, 0, 4);			/* padding to a multiple of two words */
	put(&w->aranges, TEXT + first * SPACING, 8);
	put(&w->aranges, (w->nfunctions - first) * SPACING, 8);
	put(&w->aranges, 0, 8);
	put(&w->aranges, 0, 8);
}

static void write_functions(struct writer *w)
{
	uint64_t first = 0;
	size_t unit = 0;

	for (uint32_t id = w->first; id < w->ntypes; id++) {
		if (!is_function(w, id))
			continue;
		if (w->nfunctions == first)
			unit = unit_begin(w, "functions");
		write_function(w, type_of(w, id));
		if (w->nfunctions - first == FUNCTIONS_A_UNIT) {
			unit_end(w, unit);
			write_range(w, unit, first);
			first = w->nfunctions;
		}
	}
	if (w->nfunctions > first) {
		unit_end(w, unit);
		write_range(w, unit, first);
	}
}

static void write_all(struct writer *w)
{
	size_t unit;

	w->info.len = w->str.len = w->aranges.len = w->symtab.len = w->strtab.len = 0;
	w->nfunctions = 0;
	put(&w->str, 0, 1);
	put(&w->strtab, 0, 1);
	for (int i = 0; i < 24; i++)
		put(&w->symtab, 0, 1);		/* the first symbol is empty */
	unit = unit_begin(w, "types");
	for (uint32_t id = 1; id < w->ntypes; id++)
		if (!w->wanted || w->wanted[id])
			write_type(w, id);
	unit_end(w, unit);
	write_functions(w);
}

/* ---- types that split BTF refers to -------------------------------------------- */

struct wanting {
	struct writer *w;
	vec(uint32_t) queue;
};

static void want(struct wanting *q, uint32_t id)
{
	if (!type_of(q->w, id) || q->w->wanted[id])
		return;
	q->w->wanted[id] = true;
	vec_push(&q->queue, id);
}

static void want_referred(struct wanting *q, const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		for (unsigned i = 0; i < btf_vlen(t); i++)
			want(q, btf_members(t)[i].type);
		break;
	case BTF_KIND_ARRAY:
		want(q, btf_array(t)->type);
		break;
	case BTF_KIND_FUNC_PROTO:
		for (unsigned i = 0; i < btf_vlen(t); i++)
			want(q, btf_params(t)[i].type);
		want(q, t->type);
		break;
	case BTF_KIND_PTR: case BTF_KIND_TYPEDEF: case BTF_KIND_CONST: case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT: case BTF_KIND_TYPE_TAG: case BTF_KIND_FUNC:
		want(q, t->type);
		break;
	}
}

static void find_wanted(struct writer *w)
{
	struct wanting q = { .w = w };

	w->wanted = arena_alloc(w->ntypes);
	for (uint32_t id = w->first; id < w->ntypes; id++)
		want(&q, id);
	for (size_t i = 0; i < q.queue.n; i++)
		want_referred(&q, type_of(w, q.queue.v[i]));
}

/* ---- the file --------------------------------------------------------------------------- */

enum { STRTAB_NUMBER = 7 };	/* section number of .strtab */

/* Makes the note of a build-id: the sizes of its name and of the id, its kind, its name, the id. */
static void write_note(struct writer *w, const char *build_id)
{
	unsigned char id[64];
	size_t n = build_id ? build_id_bytes(build_id, id, sizeof(id)) : 0;

	if (!n)
		return;
	put(&w->note, 4, 4);
	put(&w->note, n, 4);
	put(&w->note, NT_GNU_BUILD_ID, 4);
	sbuf_add(&w->note, "GNU", 4);
	sbuf_add(&w->note, (const char *)id, n);
}

static void write_elf(struct writer *w, struct sbuf *out)
{
	const struct elf_section sections[] = {
		{ ".text", NULL, { .sh_type = SHT_NOBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				   .sh_addr = TEXT, .sh_size = (w->nfunctions + 1) * SPACING } },
		{ ".debug_info", &w->info, { 0 } },
		{ ".debug_abbrev", &w->abbrev, { 0 } },
		{ ".debug_str", &w->str, { 0 } },
		{ ".debug_aranges", &w->aranges, { 0 } },
		{ ".symtab", &w->symtab, { .sh_type = SHT_SYMTAB, .sh_link = STRTAB_NUMBER,
					   .sh_info = 1, .sh_entsize = sizeof(Elf64_Sym),
					   .sh_addralign = 8 } },
		{ ".strtab", &w->strtab, { .sh_type = SHT_STRTAB } },
		{ ".note.gnu.build-id", &w->note, { .sh_type = SHT_NOTE, .sh_addralign = 4 } },
	};

	elf_write(w->arch, sections, sizeof(sections) / sizeof(*sections), out);
}

void btf_to_dwarf(const struct btf *btf, const struct btf *base, const struct arch *arch,
		  const char *build_id, struct sbuf *elf)
{
	struct writer w = {
		.btf = btf, .arch = arch, .ntypes = btf__type_cnt(btf),
		.first = base ? btf__type_cnt(base) : 1,
	};

	w.offsets = arena_alloc(w.ntypes * sizeof(*w.offsets));
	if (base)
		find_wanted(&w);
	write_abbrevs(&w.abbrev);
	write_all(&w);
	write_all(&w);
	write_note(&w, build_id);
	write_elf(&w, elf);
	sbuf_free(&w.info);
	sbuf_free(&w.abbrev);
	sbuf_free(&w.str);
	sbuf_free(&w.aranges);
	sbuf_free(&w.symtab);
	sbuf_free(&w.strtab);
	sbuf_free(&w.note);
}
