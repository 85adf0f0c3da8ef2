/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the value of a variable is, and the terms that read and write it.
 *
 * A struct object is a place: memory, a register, or what an optimiser left
 * instead of one.  Paths are followed by making one object out of another
 * (member, element, what a pointer points to); at the end the object is turned
 * into terms (fetch.h).  Temporaries are numbered within one fetch, so that the
 * same access has equal terms.
 */
#ifndef STAP_TARGET_OBJECT_H
#define STAP_TARGET_OBJECT_H

#include "fetch.h"
#include "types.h"

/* From where variables are seen; one for every fetch. */
struct view {
	struct dwfile *file;
	Dwarf_Die function;	/* subprogram or inlined subroutine; addr NULL: none */
	Dwarf_Addr pc, past_site;
	bool at_entry, calling;
	enum tracepoint_view tracepoint;	/* as in struct scope */
	bool outermost;
	Dwarf_Off label;
	bool within;		/* in a location that another one takes the value of */
	unsigned temps;		/* temporaries used up */
};

struct object {
	enum where {
		IN_MEMORY,	/* term: its address */
		IN_REGISTER,	/* reg */
		IS_VALUE,	/* term: its value */
		IS_BYTES,	/* bytes, nbytes: a constant */
		IN_PIECES,	/* pieces, npieces */
		IS_POINTER_TO,	/* a pointer optimised away, to the variable at die */
		IS_NOWHERE,	/* a piece optimised away */
	} where;
	const struct term *term;
	int reg;
	const unsigned char *bytes;
	size_t nbytes;
	struct piece *pieces;
	size_t npieces;
	Dwarf_Die die;
	uint64_t offset;	/* bytes into all that */
	bool user;		/* its memory, or what it points to, is user space's */
	bool part;		/* of something larger: a store keeps the rest */
	bool is_bits;
	uint64_t bit_offset;	/* from offset */
	unsigned bit_size;
};

/* So many bits of an object, from its bit 'from' on. */
struct piece {
	struct object object;
	uint64_t bits, from;
};

struct object object_memory(const struct term *address, bool user);
struct object object_value(const struct term *value, bool user);

/* An address in the file's image, as it is now; NULL: in no section. */
const struct term *image_address(struct dwfile *f, uint64_t address);

/* A part of an object. */
struct object object_at(const struct object *o, uint64_t offset);
struct object object_member(const struct object *o, const struct member *m);

/* The element INDEX of SIZE bytes from an object in memory. */
struct object object_indexed(const struct object *o, const struct term *index, uint64_t size);

/* Its address; NULL with *why when it has none. */
const struct term *object_address(const struct object *o, const char **why);

/* An integer-like value, extended by its size and sign; NULL with *why. */
const struct term *object_load(struct view *v, const struct object *o, const struct shape *s,
			       const char **why);

/* What stores into it; NULL: can't be done. */
const struct term *object_store(struct view *v, const struct object *o, const struct shape *s);

#endif
