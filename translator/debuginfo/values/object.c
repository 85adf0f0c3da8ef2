/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects as C text: loads, stores, addresses.
 *
 * Whatever an object is, reading it comes down to some bytes of it as an
 * unsigned word (raw), then its width and sign by a cast, or by two shifts for
 * a bit field.  A bit field in memory is read in the smallest aligned unit
 * that holds it, which is inside its struct, and written by changing that unit
 * alone.  Byte order is little-endian throughout.
 */
#include "object.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"

struct object object_memory(const char *address, bool user)
{
	return (struct object){ .where = IN_MEMORY, .text = address, .user = user };
}

struct object object_value(const char *value, bool user)
{
	return (struct object){ .where = IS_VALUE, .text = value, .user = user };
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

static const char *plus(const char *text, uint64_t offset)
{
	return offset ? arena_printf("(%s + %#" PRIx64 "ul)", text, offset) : text;
}

struct object object_indexed(const struct object *o, const char *index, uint64_t size)
{
	struct object at = *o;

	at.text = arena_printf("(%s + (unsigned long)%s * %" PRIu64 "ul)",
			       plus(o->text, o->offset), index, size);
	at.offset = 0;
	return at;
}

const char *object_address(const struct object *o, const char **why)
{
	if (o->is_bits) {
		*why = "cannot take the address of a bit field";
		return NULL;
	}
	switch (o->where) {
	case IN_MEMORY:
		return plus(o->text, o->offset);
	case IN_REGISTER:
	case IN_PIECES:
		*why = "cannot take address of object in register";
		return NULL;
	default:
		*why = "cannot take address of a value the compiler keeps nowhere in memory";
		return NULL;
	}
}

/* ---- reading ----------------------------------------------------------- */

static uint64_t mask_of(unsigned bits)
{
	return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static const char *part_of_word(const char *word, uint64_t offset, unsigned size)
{
	if (offset)
		word = arena_printf("(%s >> %u)", word, (unsigned)offset * 8);
	if (offset + size < 8)
		word = arena_printf("(%s & %#" PRIx64 "ul)", word, mask_of(size * 8));
	return word;
}

static const char *raw(struct view *v, const struct object *o, uint64_t offset, unsigned size,
		       const char **why);
static const char *load_bits(struct view *v, const struct object *o, bool is_signed,
			     const char **why);

static bool word_sized(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static const char *raw_bytes(const struct object *o, uint64_t offset, unsigned size)
{
	uint64_t value = 0;

	if (offset > o->nbytes || size > o->nbytes - offset)
		return NULL;
	memcpy(&value, o->bytes + offset, size);
	return arena_printf("%#" PRIx64 "ul", value);
}

/* N bits of a piece, from its bit AT on. */
static const char *raw_piece(struct view *v, const struct piece *p, uint64_t at, unsigned n,
			     const char **why)
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

static const char *raw_pieces(struct view *v, const struct object *o, uint64_t offset,
			      unsigned size, const char **why)
{
	struct sbuf text = { 0 };
	uint64_t first = offset * 8, end = first + size * 8, start = 0;
	unsigned found = 0;

	for (size_t i = 0; i < o->npieces && offset < 1 << 24; start += o->pieces[i++].bits) {
		const struct piece *p = &o->pieces[i];
		uint64_t from = first > start ? first : start;
		uint64_t to = end < start + p->bits ? end : start + p->bits;
		const char *part;

		if (from >= to)
			continue;
		part = raw_piece(v, p, from - start, to - from, why);
		if (!part) {
			sbuf_free(&text);
			return NULL;
		}
		sbuf_printf(&text, found ? " | ((unsigned long)%s << %u)"
				 : "((unsigned long)%s << %u)", part, (unsigned)(from - first));
		found += to - from;
	}
	if (found == size * 8)
		return arena_printf("(%s)", sbuf_take(&text));
	sbuf_free(&text);
	*why = "is partly optimised out";
	return NULL;
}

static char whose(const struct object *o)
{
	return o->user ? 'u' : 'k';
}

static const char *read_memory(const struct object *o, uint64_t offset, unsigned size)
{
	return arena_printf("st_%cread(c, %s, %u)", whose(o), plus(o->text, o->offset + offset),
			    size);
}

/* SIZE bytes at OFFSET, zero-extended. */
static const char *raw(struct view *v, const struct object *o, uint64_t offset, unsigned size,
		       const char **why)
{
	const char *text = NULL;

	if (o->where != IN_MEMORY && __builtin_add_overflow(offset, o->offset, &offset))
		offset = UINT64_MAX;
	switch (o->where) {
	case IN_MEMORY:
		return arena_printf("(unsigned long)%s", read_memory(o, offset, size));
	case IN_REGISTER:
		if (offset < 8 && offset + size <= 8)
			text = part_of_word(arena_printf("st_reg(c, %d)", o->reg), offset, size);
		break;
	case IS_VALUE:
		if (offset < 8 && offset + size <= 8)
			text = part_of_word(arena_printf("(%s)", o->text), offset, size);
		break;
	case IS_BYTES:
		text = raw_bytes(o, offset, size);
		break;
	case IN_PIECES:
		return raw_pieces(v, o, offset, size, why);
	case IS_POINTER_TO:
		*why = "is a pointer the compiler has optimised out (what it points to can be read)";
		return NULL;
	case IS_NOWHERE:
		*why = "is optimised out";
		return NULL;
	}
	if (!text)
		*why = "is described by the debug information as smaller than its type";
	return text;
}

static const char *widened(const char *word, unsigned size, bool is_signed)
{
	static const char *const types[2][9] = {
		{ [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int" },
		{ [1] = "signed char", [2] = "short", [4] = "int" },
	};

	if (size == 8)
		return arena_printf("(st_long)%s", word);
	return arena_printf("(st_long)(%s)%s", types[is_signed][size], word);
}

/* The unit a bit field is accessed in: bytes from the object's start, size. */
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
	/* packed across units: as many bytes as it takes */
	u->start = o->bit_offset / 8;
	u->shift = o->bit_offset % 8;
	u->size = (u->shift + o->bit_size + 7) / 8;
	return u->size <= 8;
}

/* A container of any number of bytes, in memory read one by one. */
static const char *container(struct view *v, const struct object *o, const struct unit *u,
			     const char **why)
{
	struct sbuf text = { 0 };
	unsigned t;

	if (o->where != IN_MEMORY || (u->size & (u->size - 1)) == 0)
		return raw(v, o, u->start, u->size, why);
	t = v->temps++;
	sbuf_printf(&text, "({ unsigned long st_t%u = %s; ", t,
		    plus(o->text, o->offset + u->start));
	for (unsigned i = 0; i < u->size; i++)
		sbuf_printf(&text, "%s(unsigned long)st_%cread(c, st_t%u + %u, 1) << %u",
			    i ? " | " : "", whose(o), t, i, i * 8);
	sbuf_puts(&text, "; })");
	return sbuf_take(&text);
}

static const char *load_bits(struct view *v, const struct object *o, bool is_signed,
			     const char **why)
{
	const char *word;
	struct unit u;

	if (!bits_unit(o, &u)) {
		*why = "is a bit field too wide to be read";
		return NULL;
	}
	word = container(v, o, &u, why);
	if (!word)
		return NULL;
	if (is_signed)
		return arena_printf("((st_long)((%s) << %u) >> %u)", word,
				    64 - u.shift - o->bit_size, 64 - o->bit_size);
	return arena_printf("(st_long)(((%s) >> %u) & %#" PRIx64 "ul)", word, u.shift,
			    mask_of(o->bit_size));
}

const char *object_load(struct view *v, const struct object *o, const struct shape *s,
			const char **why)
{
	const char *word;

	if (o->is_bits)
		return load_bits(v, o, s->is_signed, why);
	if (!word_sized(s->size)) {
		*why = arena_printf("is of type %s, %" PRIu64 " bytes long: too wide to be read",
				    ctype_text(&s->type), s->size);
		return NULL;
	}
	word = o->where == IN_MEMORY ? read_memory(o, 0, s->size) : raw(v, o, 0, s->size, why);
	if (!word || (o->where == IN_MEMORY && (!s->is_signed || s->size == 8)))
		return word;
	return widened(word, s->size, s->is_signed);
}

/* ---- writing ----------------------------------------------------------- */

static const char *merged(const char *old, const char *value, uint64_t mask, unsigned shift)
{
	return arena_printf("(%s & %#" PRIx64 "ul) | (((unsigned long)%s & %#" PRIx64 "ul) << %u)",
			    old, ~(mask << shift), value, mask, shift);
}

static const char *store_bits(struct view *v, const struct object *o, const char *value)
{
	const char *old;
	struct unit u;
	unsigned t;

	if (!bits_unit(o, &u) || !word_sized(u.size))
		return NULL;
	t = v->temps++;
	old = arena_printf("(unsigned long)st_%cread(c, st_t%u, %u)", whose(o), t, u.size);
	return arena_printf("{ unsigned long st_t%u = %s; st_%cwrite(c, st_t%u, %u, (st_long)(%s)); }",
			    t, plus(o->text, o->offset + u.start), whose(o), t, u.size,
			    merged(old, value, mask_of(o->bit_size), u.shift));
}

/*
 * A whole register is written as the processor would: narrow values extended
 * to 32 bits by their sign (callers and callees may count on it), the rest
 * cleared.  A part of one keeps what is around it.
 */
static const char *store_register(const struct object *o, const struct shape *s,
				  const char *value)
{
	unsigned bits = o->is_bits ? o->bit_size : s->size * 8;
	uint64_t shift = o->offset * 8 + (o->is_bits ? o->bit_offset : 0);

	if (bits > 64 || shift > 64 - bits)
		return NULL;
	if (o->part && bits < 64) {
		const char *old = arena_printf("st_reg(c, %d)", o->reg);

		return arena_printf("st_set_reg(c, %d, %s);", o->reg,
				    merged(old, value, mask_of(bits), shift));
	}
	return arena_printf("st_set_reg(c, %d, (unsigned long)%s%s);", o->reg,
			    s->size < 8 ? "(unsigned int)" : "",
			    widened(value, s->size, s->is_signed));
}

static const char *store_piece(struct view *v, const struct object *o, const struct shape *s)
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

const char *object_store(struct view *v, const struct object *o, const struct shape *s)
{
	const char *value = s->kind == CK_BOOL ? "(v != 0)" : "v";

	if (!word_sized(s->size))
		return NULL;
	switch (o->where) {
	case IN_MEMORY:
		if (o->is_bits)
			return store_bits(v, o, value);
		return arena_printf("st_%cwrite(c, %s, %u, %s);", whose(o),
				    plus(o->text, o->offset), (unsigned)s->size, value);
	case IN_REGISTER:
		return store_register(o, s, value);
	case IN_PIECES:
		return store_piece(v, o, s);
	default:
		return NULL;
	}
}
