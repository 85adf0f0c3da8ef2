/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types as debug information describes them.
 *
 * A struct ctype names a type; a struct shape says what a value of it is made of,
 * with typedefs, qualifiers and incomplete declarations resolved.  For "umode_t",
 * the ctype is the typedef's entry, the shape an unsigned integer of 2 bytes.
 *
 * Debug information comes from files and may be damaged: every walk is bounded, and a
 * chain that leads nowhere is an error with a message, never a loop.
 */
#ifndef STAP_TARGET_TYPES_H
#define STAP_TARGET_TYPES_H

#include "debuginfo/internal.h"

/*
 * A type, by the DIE that describes it.  For names[1], where names is "char *names[4][2]", that is
 * the array's DIE with 'dims' 1; for &names, the same DIE with 'stars' 1.
 */
struct ctype {
	struct dwfile *file;
	Dwarf_Die die;		/* addr NULL: void */
	unsigned dims;		/* leading dimensions of the array that are indexed already */
	unsigned stars;		/* pointers to the type, on top */
};

/* What the value of a type is, as far as scripts can tell. */
enum ckind {
	CK_VOID, CK_BOOL, CK_CHAR, CK_INTEGER, CK_ENUM, CK_POINTER,
	CK_FLOAT,		/* C's double, which scripts hold as its bits, and float */
	CK_ARRAY,
	CK_STRUCT,		/* unions too */
	CK_FUNCTION,
	CK_OTHER,		/* long double and other types that scripts can't hold */
};

/* What a value is made of: the type, resolved. */
struct shape {
	enum ckind kind;
	bool is_signed;
	uint64_t size;		/* bytes; 0: void, functions, arrays of unknown length */
	struct ctype type;	/* without typedefs and qualifiers; complete */
};

/*
 * A member of a struct or union, or of an anonymous struct or union inside it.  A base of a
 * class is one without a name.
 */
struct member {
	const char *name;	/* NULL: anonymous */
	struct ctype type;
	uint64_t offset;	/* bytes from the start; 0 for a bit field */
	bool is_bits;
	uint64_t bit_offset;	/* bits from the start, in memory order */
	unsigned bit_size;
	bool base;		/* a base of a class */
};

static inline bool die_is(Dwarf_Die *die, int tag)
{
	return die->addr && dwarf_tag(die) == tag;
}

/* Returns "struct", "union", "enum" or "class" for such a DIE. */
const char *die_keyword(Dwarf_Die *die);

/*
 * Returns the type of a variable, member or function (DW_AT_type, also from its abstract
 * origin); void if it has none.
 */
struct ctype ctype_of(struct dwfile *f, Dwarf_Die *die);

/* Returns false with *WHY set: the type is corrupt, or its definition can't be found. */
bool ctype_shape(const struct ctype *t, struct shape *out, struct problem *why);

/* Return the target of a pointer, the element of an array. */
struct ctype ctype_pointee(const struct shape *s);
struct ctype ctype_element(const struct shape *s);

/* Skips typedefs and qualifiers; the result may be a struct that is only declared. */
struct ctype ctype_bare(const struct ctype *t);

/* Is it a reference of C++ (T&, T&&)?  Its shape is a pointer's. */
bool ctype_is_reference(const struct ctype *t);

/* Is it a struct or union itself? */
bool ctype_is_composite(const struct ctype *t);

/* Returns a pointer to it. */
struct ctype ctype_pointer_to(const struct ctype *t);

/* The members of a CK_STRUCT in order:
 *	for (bool more = member_first(&s, &it); more; more = member_next(&it)) */
struct member_iter {
	const struct shape *of;
	Dwarf_Die die;
	unsigned left;		/* bound for chains that never end */
};
bool member_first(const struct shape *of, struct member_iter *it);
bool member_next(struct member_iter *it);
bool member_get(struct member_iter *it, struct member *out, struct problem *why);

/*
 * Finds the member NAME, also in anonymous structs and unions and in base classes.  Returns false with *WHY
 * (which lists the members if they are few) and *HINT set.
 */
bool ctype_member(const struct shape *of, const char *name, struct member *out,
		  struct problem *why);

/*
 * Finds a type by the name that a script gives it: "struct file", "file", "unsigned long",
 * "char *".  MODULE: names joined by ':', or NULL for the kernel.
 */
bool ctype_named(struct target *t, const char *name, const char *module,
		 struct ctype *out, struct problem *why);

/* Returns "fs/read_write.c:450", the place of a DIE's declaration, or NULL. */
const char *die_place(Dwarf_Die *die);

/* Returns "did you mean 'x'?" with the nearest of the N names, or NULL. */
const char *name_hint(const char *name, const char *prefix, const char *const *names, size_t n);

#endif
