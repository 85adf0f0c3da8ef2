/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects as terms: loads, stores, addresses.
 *
 * A load takes some bytes of the object as a word (raw), then extends them by size
 * and sign, or shifts them twice for a bit field.  A bit field in memory is read in
 * the smallest aligned unit that holds it, which lies inside its struct, and a store
 * changes that unit only.  Byte order is little-endian throughout.
 */
#include "object.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"

struct object object_memory(const struct term *address, bool user)
{
	return (struct object){ .where = IN_MEMORY, .term = address, .user = user };
}

struct object object_value(const struct term *value, bool user)
{
	return (struct object){ .where = IS_VALUE, .term = value, .user = user };
}

/* Makes an object of a vector register, whose words are its pieces. */
struct object object_vector(const struct arch *arch, unsigned reg)
{
	struct object o = { .where = IN_PIECES, .npieces = arch->vector_size / arch->word };

	o.pieces = arena_alloc(o.npieces * sizeof(*o.pieces));
	for (size_t i = 0; i < o.npieces; i++) {
		const struct term *word = term_call(TERM_VECTOR, term_number(reg),
						    term_number(i));

		o.pieces[i] = (struct piece){ object_value(word, true), arch->word * 8, 0 };
	}
	return o;
}

struct object object_at(const struct object *o, uint64_t offset)
{
	struct object at = *o;

	at.offset += offset;
	return at;
}

struct object object_member(const struct object *o, const struct member *m)
{
	struct object at = object_at(o, m->offset);

	at.part = true;
	at.is_bits = m->is_bits;
	at.bit_offset = m->bit_offset;
	at.bit_size = m->bit_size;
	return at;
}

struct object object_indexed(const struct object *o, const struct term *index, uint64_t size)
{
	struct object at = *o;

	at.term = term_binary(WORD_ADD, term_plus(o->term, o->offset),
			      term_binary(WORD_MUL, index, term_number(size)));
	at.offset = 0;
	return at;
}

const struct term *object_address(const struct object *o, struct problem *why)
{
	if (o->is_bits) {
		why->text = "cannot take the address of a bit field";
		return NULL;
	}
	switch (o->where) {
	case IN_MEMORY:
		return term_plus(o->term, o->offset);
	case IN_REGISTER:
	case IN_PIECES:
		why->text = "cannot take address of object in register";
		return NULL;
	default:
		why->text = "cannot take address of a value the compiler keeps nowhere in memory";
		return NULL;
	}
}

/* ---- reading ----------------------------------------------------------- */

static uint64_t mask_of(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static const struct term *masked(const struct term *word, uint64_t mask)
{
	return term_binary(WORD_AND, word, term_number(mask));
}

static const struct term *shifted(enum word_op op, const struct term *word, unsigned bits)
{
	return term_binary(op, word, term_number(bits));
}

static bool word_sized(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static const struct term *part_of_word(const struct term *word, uint64_t offset, unsigned size)
{
	if (offset >= 8 || offset + size > 8)
		return NULL;
	word = shifted(WORD_SHR, word, offset * 8);
	if (offset + size == 8)
		return word;
	return word_sized(size) ? term_extend(word, size, false) : masked(word, mask_of(size * 8));
}

static const struct term *raw(struct view *v, const struct object *o, uint64_t offset,
			      unsigned size, struct problem *why);
static const struct term *load_bits(struct view *v, const struct object *o, bool is_signed,
				    struct problem *why);

static const struct term *raw_bytes(const struct object *o, uint64_t offset, unsigned size)
{
	uint64_t value = 0;

	if (offset > o->nbytes || size > o->nbytes - offset)
		return NULL;
	memcpy(&value, o->bytes + offset, size);
	return term_number(value);
}

/* Reads N bits of a piece, from its bit AT on. */
static const struct term *raw_piece(struct view *v, const struct piece *p, uint64_t at, unsigned n,
				    struct problem *why)
{
	struct object in = p->object;

	at += p->from;
	if (at % 8 == 0 && n % 8 == 0 && (in.where != IN_MEMORY || word_sized(n / 8)))
		return raw(v, &in, at / 8, n / 8, why);
	in.is_bits = true;
	in.bit_offset = at;
	in.bit_size = n;
	return load_bits(v, &in, false, why);
}

static const struct term *raw_pieces(struct view *v, const struct object *o, uint64_t offset,
				     unsigned size, struct problem *why)
{
	const struct term *word = NULL;
	uint64_t first = offset * 8, end = first + size * 8, start = 0;
	unsigned found = 0;

	for (size_t i = 0; i < o->npieces && offset < 1 << 24; start += o->pieces[i++].bits) {
		const struct piece *p = &o->pieces[i];
		uint64_t from = first > start ? first : start;
		uint64_t to = end < start + p->bits ? end : start + p->bits;
		const struct term *part;

		if (from >= to)
			continue;
		part = raw_piece(v, p, from - start, to - from, why);
		if (!part)
			return NULL;
		part = shifted(WORD_SHL, part, from - first);
		word = word ? term_binary(WORD_OR, word, part) : part;
		found += to - from;
	}
	if (found == size * 8)
		return word;
	why->text = "is partly optimised out";
	return NULL;
}

/* Reads SIZE bytes at OFFSET, zero-extended. */
static const struct term *raw(struct view *v, const struct object *o, uint64_t offset,
			      unsigned size, struct problem *why)
{
	const struct term *word = NULL;

	if (o->where != IN_MEMORY && __builtin_add_overflow(offset, o->offset, &offset))
		offset = UINT64_MAX;
	switch (o->where) {
	case IN_MEMORY:
		return term_read(term_plus(o->term, o->offset + offset), size, o->user);
	case IN_REGISTER:
		word = part_of_word(term_register(o->reg), offset, size);
		break;
	case IS_VALUE:
		word = part_of_word(o->term, offset, size);
		break;
	case IS_BYTES:
		word = raw_bytes(o, offset, size);
		break;
	case IN_PIECES:
		return raw_pieces(v, o, offset, size, why);
	case IS_POINTER_TO:
		why->text = "is a pointer the compiler has optimised out (what it points to can be read)";
		return NULL;
	case IS_NOWHERE:
		why->text = "is optimised out";
		return NULL;
	}
	if (!word)
		why->text = "is described by the debug information as smaller than its type";
	return word;
}

/* The unit in which a bit field is accessed; 'start' in bytes from the object's start. */
struct unit {
	uint64_t start;
	unsigned size, shift;
};

static bool bits_unit(const struct object *o, struct unit *u)
{
	for (u->size = 1; u->size <= 8; u->size *= 2) {
		u->start = o->bit_offset / (u->size * 8) * u->size;
		u->shift = o->bit_offset - u->start * 8;
		if (u->shift + o->bit_size <= u->size * 8)
			return true;
	}
	/* packed across units: as many bytes as needed */
	u->start = o->bit_offset / 8;
	u->shift = o->bit_offset % 8;
	u->size = (u->shift + o->bit_size + 7) / 8;
	return u->size <= 8;
}

/* Reads a unit of any number of bytes; memory is read byte by byte. */
static const struct term *container(struct view *v, const struct object *o, const struct unit *u,
				    struct problem *why)
{
	const struct term *address, *word = NULL;
	unsigned t;

	if (o->where != IN_MEMORY || (u->size & (u->size - 1)) == 0)
		return raw(v, o, u->start, u->size, why);
	t = v->temps++;
	address = term_temporary(t);
	for (unsigned i = 0; i < u->size; i++) {
		const struct term *byte = term_read(term_plus(address, i), 1, o->user);

		word = i ? term_binary(WORD_OR, word, shifted(WORD_SHL, byte, i * 8)) : byte;
	}
	return term_let(t, term_plus(o->term, o->offset + u->start), word);
}

static const struct term *load_bits(struct view *v, const struct object *o, bool is_signed,
				    struct problem *why)
{
	const struct term *word;
	struct unit u;

	if (!bits_unit(o, &u)) {
		why->text = "is a bit field too wide to be read";
		return NULL;
	}
	word = container(v, o, &u, why);
	if (!word)
		return NULL;
	if (is_signed)
		return shifted(WORD_SIGNED_SHR,
			       shifted(WORD_SHL, word, 64 - u.shift - o->bit_size),
			       64 - o->bit_size);
	return masked(shifted(WORD_SHR, word, u.shift), mask_of(o->bit_size));
}

const struct term *object_load(struct view *v, const struct object *o, const struct shape *s,
			       struct problem *why)
{
	const struct term *word;

	if (o->is_bits)
		return load_bits(v, o, s->is_signed, why);
	if (!word_sized(s->size)) {
		why->text = arena_printf("is of type %s, %" PRIu64 " bytes long: too wide to be read",
				    ctype_text(&s->type), s->size);
		return NULL;
	}
	word = raw(v, o, 0, s->size, why);
	if (word && s->kind == CK_FLOAT && s->size == 4)
		return term_call(TERM_WIDENED, word, NULL);
	return word && s->is_signed ? term_extend(word, s->size, true) : word;
}

/* ---- writing ----------------------------------------------------------- */

/* Returns OLD with the bits of MASK << SHIFT replaced by VALUE. */
static const struct term *merged(const struct term *old, const struct term *value, uint64_t mask,
				 unsigned shift)
{
	return term_binary(WORD_OR, masked(old, ~(mask << shift)),
			   shifted(WORD_SHL, masked(value, mask), shift));
}

static const struct term *store_bits(struct view *v, const struct object *o,
				     const struct term *value)
{
	const struct term *address, *old;
	struct unit u;
	unsigned t;

	if (!bits_unit(o, &u) || !word_sized(u.size))
		return NULL;
	t = v->temps++;
	address = term_temporary(t);
	old = term_read(address, u.size, o->user);
	value = merged(old, value, mask_of(o->bit_size), u.shift);
	return term_let(t, term_plus(o->term, o->offset + u.start),
			term_write(address, value, u.size, o->user));
}

/*
 * Stores into a register.  A whole one is written as the CPU would write it: narrow values are
 * extended to 32 bits by their sign, which callers and callees may rely on, and the rest is
 * cleared.  A store to a part keeps the rest.
 */
static const struct term *store_register(const struct object *o, const struct shape *s,
					 const struct term *value)
{
	unsigned bits = o->is_bits ? o->bit_size : s->size * 8;
	uint64_t shift = o->offset * 8 + (o->is_bits ? o->bit_offset : 0);

	if (bits > 64 || shift > 64 - bits)
		return NULL;
	if (o->part && bits < 64)
		value = merged(term_register(o->reg), value, mask_of(bits), shift);
	else if (s->size < 8)
		value = term_extend(term_extend(value, s->size, s->is_signed), 4, false);
	return term_set_register(o->reg, value);
}

static const struct term *store_piece(struct view *v, const struct object *o,
				      const struct shape *s)
{
	uint64_t start = 0, size;

	if (o->is_bits)
		return NULL;
	for (size_t i = 0; i < o->npieces; start += size) {
		const struct piece *p = &o->pieces[i++];
		struct object in = p->object;

		size = p->bits / 8;
		if (p->bits % 8 || p->from % 8)
			return NULL;
		if (o->offset < start || o->offset + s->size > start + size)
			continue;
		in.offset += o->offset - start + p->from / 8;
		in.part = p->from || s->size < size;
		return object_store(v, &in, s);
	}
	return NULL;
}

const struct term *object_store(struct view *v, const struct object *o, const struct shape *s)
{
	const struct term *value = term_stored();

	if (!word_sized(s->size))
		return NULL;
	if (s->kind == CK_FLOAT && s->size == 4)
		value = term_call(TERM_NARROWED, value, NULL);
	if (s->kind == CK_BOOL)
		value = term_binary(WORD_NE, value, term_number(0));
	switch (o->where) {
	case IN_MEMORY:
		if (o->is_bits)
			return store_bits(v, o, value);
		return term_write(term_plus(o->term, o->offset), value, s->size, o->user);
	case IN_REGISTER:
		return store_register(o, s, value);
	case IN_PIECES:
		return store_piece(v, o, s);
	default:
		return NULL;
	}
}
