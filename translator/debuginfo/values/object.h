/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a variable's value is, and the terms that read and write it.
 *
 * A struct object is memory, a register, or what an optimiser left instead of
 * either.  A path makes one object out of another: a member, an element, the target
 * of a pointer.  At the end the object becomes terms (fetch.h).  For
 * $file->f_path.dentry in vfs_read: the register of $file, the memory it points to,
 * a member at offset 16 of that, a member at offset 8 of that; then a load of 8 bytes.
 *
 * Temporaries are numbered within one fetch, so that equal accesses have equal terms.
 */
#ifndef STAP_TARGET_OBJECT_H
#define STAP_TARGET_OBJECT_H

#include "fetch.h"
#include "types.h"

/* The place from which variables are seen; one for every fetch. */
struct view {
	struct dwfile *file;
	Dwarf_Die function;	/* subprogram or inlined subroutine; addr NULL: none */
	Dwarf_Addr pc, past_site;
	bool at_entry, calling;
	enum tracepoint_view tracepoint;	/* as in struct scope */
	bool outermost, go_return;
	Dwarf_Off label;
	bool within;		/* evaluating a location whose value another location uses */
	unsigned temps;		/* temporaries used up */
};

/* A value of the probed code, and where it is: 'where' says which members count. */
struct object {
	enum where {
		IN_MEMORY,	/* term: its address */
		IN_REGISTER,	/* reg */
		IS_VALUE,	/* term: its value */
		IS_BYTES,	/* bytes, nbytes: a constant */
		IN_PIECES,	/* pieces, npieces */
		IS_POINTER_TO,	/* a pointer optimised away, to the variable at 'die' */
		IS_NOWHERE,	/* a piece optimised away */
	} where;
	const struct term *term;
	int reg;
	const unsigned char *bytes;
	size_t nbytes;
	struct piece *pieces;
	size_t npieces;
	Dwarf_Die die;
	uint64_t offset;	/* in bytes, from the object's start */
	bool user;		/* it, or what it points to, is in user space's memory */
	bool part;		/* belongs to something larger: a store keeps the rest */
	bool is_bits;
	uint64_t bit_offset;	/* from 'offset' */
	unsigned bit_size;
};

/* Some bits of an object, from its bit 'from' on. */
struct piece {
	struct object object;
	uint64_t bits, from;
};

struct object object_memory(const struct term *address, bool user);
struct object object_value(const struct term *value, bool user);

/* Returns the vector register REG of a program. */
struct object object_vector(const struct arch *arch, unsigned reg);

/* Returns the run-time address of ADDRESS in the file's image; NULL if it is in no section. */
const struct term *image_address(struct dwfile *f, uint64_t address);

/* Return a part of an object. */
struct object object_at(const struct object *o, uint64_t offset);
struct object object_member(const struct object *o, const struct member *m);

/* Returns element INDEX, of SIZE bytes, of an object in memory. */
struct object object_indexed(const struct object *o, const struct term *index, uint64_t size);

/* Returns its address, or NULL with *WHY set. */
const struct term *object_address(const struct object *o, struct problem *why);

/*
 * Returns an integer-like value, extended by its size and sign, or a floating-point number
 * as a double's bits; NULL with *WHY set.
 */
const struct term *object_load(struct view *v, const struct object *o, const struct shape *s,
			       struct problem *why);

/* Returns the term that stores into it, or NULL if nothing can be stored. */
const struct term *object_store(struct view *v, const struct object *o, const struct shape *s);

#endif
