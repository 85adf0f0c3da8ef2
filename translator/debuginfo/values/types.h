/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types as debug information describes them.
 *
 * A struct ctype names a type; a struct shape says what a value of it is made
 * of once typedefs, qualifiers and incomplete declarations are out of the way.
 * Debug information comes from files: every walk here is bounded, and one that
 * leads nowhere is an error with a message, never a loop.
 */
#ifndef STAP_TARGET_TYPES_H
#define STAP_TARGET_TYPES_H

#include "debuginfo/internal.h"

struct ctype {
	struct dwfile *file;
	Dwarf_Die die;		/* addr NULL: void */
	unsigned dims;		/* leading dimensions of an array already indexed */
	unsigned stars;		/* pointers on top of all that */
};

enum ckind {
	CK_VOID, CK_BOOL, CK_CHAR, CK_INTEGER, CK_ENUM, CK_POINTER,
	CK_ARRAY,
	CK_STRUCT,		/* unions too */
	CK_FUNCTION,
	CK_OTHER,		/* floating point and other things scripts can't hold */
};

struct shape {
	enum ckind kind;
	bool is_signed;
	uint64_t size;		/* bytes; 0: void, functions, arrays of unknown length */
	struct ctype type;	/* under typedefs and qualifiers, complete */
};

/* One member of a struct or union, or one found in its anonymous members. */
struct member {
	const char *name;	/* NULL: anonymous */
	struct ctype type;
	uint64_t offset;	/* bytes from the start; 0 for a bit field */
	bool is_bits;
	uint64_t bit_offset;	/* bits from the start, in memory order */
	unsigned bit_size;
};

enum { CTYPE_CHAIN_MAX = 64 };	/* links in a type's chain before it is a loop */

static inline bool die_is(Dwarf_Die *die, int tag)
{
	return die->addr && dwarf_tag(die) == tag;
}

/* "struct", "union", "enum", "class" of such a DIE. */
const char *die_keyword(Dwarf_Die *die);

/* The type of a variable, member or function (DW_AT_type, also from its
 * abstract origin); void when it has none. */
struct ctype ctype_of(struct dwfile *f, Dwarf_Die *die);

/* false with *why: corrupt, or its definition can't be found. */
bool ctype_shape(const struct ctype *t, struct shape *out, const char **why);

/* What a pointer points to, what an array is made of. */
struct ctype ctype_pointee(const struct shape *s);
struct ctype ctype_element(const struct shape *s);

/* Without typedefs and qualifiers; a struct may stay one that is only declared. */
struct ctype ctype_bare(const struct ctype *t);

/* Is it a struct or union itself? */
bool ctype_is_composite(const struct ctype *t);

/* A pointer to it. */
struct ctype ctype_pointer_to(const struct ctype *t);

/* The members of a CK_STRUCT in order:
 *	for (bool more = member_first(&s, &it); more; more = member_next(&it)) */
struct member_iter {
	const struct shape *of;
	Dwarf_Die die;
	unsigned left;		/* bound against chains that never end */
};
bool member_first(const struct shape *of, struct member_iter *it);
bool member_next(struct member_iter *it);
bool member_get(struct member_iter *it, struct member *out, const char **why);

/* The member of that name, anonymous structs and unions searched through.
 * false with *why (naming the members when they are few) and *hint. */
bool ctype_member(const struct shape *of, const char *name, struct member *out,
		  const char **why, const char **hint);

/* A type by the name a script gives it: "struct file", "file", "unsigned long",
 * "char *".  module: names joined by ':', or NULL: the kernel. */
bool ctype_named(struct target *t, const char *name, const char *module,
		 struct ctype *out, const char **why);

/* "fs/read_write.c:450" of a DIE's declaration, or NULL. */
const char *die_place(Dwarf_Die *die);

/* "did you mean 'x'?" for the name among names, or NULL. */
const char *name_hint(const char *name, const char *prefix, const char *const *names, size_t n);

#endif
