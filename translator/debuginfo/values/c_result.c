// SPDX-License-Identifier: GPL-2.0-or-later
/* Classifies the words of a result: see c_result.h. */
#include "c_result.h"

#include <dwarf.h>

#include "base/arena.h"

enum {
	WORDS = 2,
	PARTS_MAX = 1000,		/* members and elements that are looked at, in all */
};

struct words {
	unsigned word;			/* bytes */
	unsigned left;			/* how many more parts may be looked at */
	unsigned numbers;		/* seen, and whether two of them share a word */
	bool shared, array;
	enum { NOTHING, FLOATS, INTEGERS } class[WORDS];
};

/* Adds SIZE bytes at OFFSET.  Returns false if they lie elsewhere than words are loaded from. */
static bool add(struct words *w, uint64_t offset, uint64_t size, bool is_float)
{
	uint64_t align = size < w->word ? size : w->word, room = WORDS * w->word;

	if (!size || size > room || offset > room - size || offset % align)
		return false;
	w->numbers++;
	w->shared |= w->class[offset / w->word] != NOTHING;
	for (uint64_t at = offset; at < offset + size; at += align)
		if (!is_float)
			w->class[at / w->word] = INTEGERS;
		else if (w->class[at / w->word] == NOTHING)
			w->class[at / w->word] = FLOATS;
	return true;
}

static bool classify(struct words *w, uint64_t offset, const struct ctype *t);

static bool classify_struct(struct words *w, uint64_t offset, const struct shape *s)
{
	struct problem ignored = { 0 };
	struct member_iter it;
	struct member m;

	for (bool more = member_first(s, &it); more; more = member_next(&it)) {
		if (!member_get(&it, &m, &ignored))
			return false;
		if (m.is_bits ? !add(w, offset + m.bit_offset / 8, 1, false)
			      : !classify(w, offset + m.offset, &m.type))
			return false;
	}
	return true;
}

/* Is it a vector type (SIMD)?  Its elements are passed together, unlike an array's. */
static bool is_vector(const struct shape *s)
{
	struct ctype t = s->type;

	return dwarf_hasattr(&t.die, DW_AT_GNU_vector);
}

static bool classify_array(struct words *w, uint64_t offset, const struct shape *s)
{
	struct ctype element = ctype_element(s);
	struct problem ignored = { 0 };
	struct shape one;

	if (is_vector(s) || s->size > WORDS * w->word || !ctype_shape(&element, &one, &ignored) ||
	    !one.size)
		return false;
	w->array = true;
	for (uint64_t at = 0; at < s->size; at += one.size)
		if (!classify(w, offset + at, &element))
			return false;
	return true;
}

/* Is it an object that only its class's code can copy? */
static bool is_by_reference(const struct shape *s)
{
	struct ctype t = s->type;
	Dwarf_Attribute attr;
	Dwarf_Word how;

	return dwarf_attr(&t.die, DW_AT_calling_convention, &attr) &&
	       dwarf_formudata(&attr, &how) == 0 && how == DW_CC_pass_by_reference;
}

static bool classify(struct words *w, uint64_t offset, const struct ctype *t)
{
	struct problem ignored = { 0 };
	struct shape s;

	if (!w->left || !ctype_shape(t, &s, &ignored))
		return false;
	w->left--;
	switch (s.kind) {
	case CK_STRUCT:
		return !is_by_reference(&s) && s.size <= WORDS * w->word &&
		       classify_struct(w, offset, &s);
	case CK_ARRAY:
		return classify_array(w, offset, &s);
	case CK_VOID:
	case CK_FUNCTION:
	case CK_OTHER:
		return false;
	default:
		return add(w, offset, s.size, s.kind == CK_FLOAT);
	}
}

/* Is it an array?  Rust's functions can return one, and no rule says where. */
static bool type_is_array(const struct ctype *t)
{
	struct problem ignored = { 0 };
	struct shape s;

	return ctype_shape(t, &s, &ignored) && s.kind == CK_ARRAY;
}

/*
 * Rust's compiler puts each of two numbers in a register of its own, also if they share a word.
 * It has changed its mind about where other values with floating-point numbers, or of several
 * words, are.
 */
static bool is_unlike_rust(struct view *v, const struct words *w)
{
	bool plain = w->numbers <= 2 && !w->shared && !w->array;
	Dwarf_Die unit;

	if (!v->function.addr || !dwarf_diecu(&v->function, &unit, NULL, NULL) ||
	    dwarf_srclang(&unit) != DW_LANG_Rust)
		return false;
	return !plain && (w->numbers == 2 || w->class[0] == FLOATS || w->class[1] != NOTHING);
}

bool c_result(struct view *v, const struct ctype *t, struct object *out)
{
	const struct arch *arch = v->file->arch;
	struct words w = { .word = arch->word, .left = PARTS_MAX };
	struct object in[WORDS];
	unsigned n = 0, integers = 0, floats = 0;

	if (type_is_array(t) || !classify(&w, 0, t) || is_unlike_rust(v, &w))
		return false;
	for (unsigned i = 0; i < WORDS; i++) {
		if (w.class[i] == FLOATS && !v->file->is_program)
			return false;
		in[i] = (struct object){ .where = IS_NOWHERE };
		if (w.class[i] != NOTHING)
			n = i + 1;
		if (w.class[i] == FLOATS)
			in[i] = object_vector(arch, floats++);
		if (w.class[i] == INTEGERS)
			in[i] = (struct object){ .where = IN_REGISTER,
						 .reg = arch->return_regs[integers++],
						 .user = v->file->is_program };
	}
	*out = in[0];
	if (n < 2)
		return true;
	*out = (struct object){ .where = IN_PIECES, .npieces = n, .user = v->file->is_program };
	out->pieces = arena_alloc(n * sizeof(*out->pieces));
	for (unsigned i = 0; i < n; i++)
		out->pieces[i] = (struct piece){ in[i], w.word * 8, 0 };
	return true;
}
