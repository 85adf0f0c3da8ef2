/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside the compiler of regular expressions: pattern → tree (parse.c) → NFA
 * (nfa.c) → tables (search.c, split.c), through regex_compile() (regex.c).
 */
#ifndef STAP_REGEX_INTERNAL_H
#define STAP_REGEX_INTERNAL_H

#include <stdint.h>

#include "base/table.h"
#include "base/vec.h"
#include "regex.h"

/* Limits of what a pattern may come to; beyond them it is refused. */
enum {
	MAX_OPEN = 500,			/* parentheses within each other */
	MAX_TREE = 4 * MAX_OPEN,	/* its depth, repetitions among it */
	MAX_REPEAT = 1000,		/* {n} */
	MAX_GROUPS = 255,
	MAX_NODES = 8192,		/* of the NFA */
	MAX_CELLS = 1 << 18,		/* of a table: states by classes, steps */
	MAX_CONTENT = 1 << 26,		/* bytes of what the states stand for */
};

/* ---- the tree ---------------------------------------------------------- */

/* A set of bytes. */
struct byteset {
	uint64_t bits[4];
};

static inline bool byteset_has(const struct byteset *s, unsigned c)
{
	return s->bits[c / 64] >> (c % 64) & 1;
}

static inline void byteset_add(struct byteset *s, unsigned c)
{
	s->bits[c / 64] |= UINT64_C(1) << (c % 64);
}

struct tree {
	enum tree_kind {
		RE_SET,			/* one byte of .set */
		RE_BEGIN, RE_END,	/* ^ $ */
		RE_CAT, RE_ALT,		/* .kids; an empty RE_CAT matches nothing */
		RE_REPEAT,		/* .kids[0], .min to .max times; max < 0: no limit */
		RE_GROUP,		/* .kids[0], number .group */
	} kind;
	struct byteset set;
	vec(struct tree *) kids;
	int min, max;
	unsigned group;
	unsigned depth;			/* of the tree below, itself included */
};

/* NULL with *error filled.  *ngroups: how many, the whole one counted. */
struct tree *regex_parse(const char *pattern, unsigned *ngroups, struct regex_issue *error,
			 struct regex_issue *odd);

/* What a bracket expression holds; *s is behind '[', and is left behind ']'.  False
 * with *error filled, relative to pattern. */
bool regex_bracket(const char *pattern, const char **s, struct byteset *set,
		   struct regex_issue *error);

/* ---- the NFA ----------------------------------------------------------- */

/*
 * Thompson's: a node consumes a byte, or passes on without.  Of a fork's two
 * ways .next is preferred.  A tag notes where it is passed: 2n where group n
 * begins, 2n + 1 where it ends.
 */
struct node {
	enum node_kind { N_BYTE, N_FORK, N_TAG, N_BEGIN, N_END, N_ACCEPT } kind;
	unsigned next, other;
	unsigned tag;			/* N_TAG */
	unsigned byte;			/* N_BYTE: its number among those */
	const struct byteset *set;	/* N_BYTE */
};

struct nfa {
	vec(struct node) nodes;
	vec(unsigned) bytes;		/* the N_BYTE nodes */
	unsigned start;
	bool anchored;			/* there is a ^ in it */
	unsigned nclasses;
	unsigned char classes[256];	/* bytes that no set tells apart have one class */
	unsigned char sample[256];	/* a byte of each class */
};

/* NULL: too large. */
struct nfa *nfa_build(const struct tree *tree, bool groups);

/* ---- sets of states ---------------------------------------------------- */

/* States by their contents: SIZE bytes each, numbered as they come. */
struct states {
	size_t size;
	vec(void *) list;
	struct table table;
};

/* Its number; *fresh: it is new, and was copied. */
unsigned states_add(struct states *s, const void *content, bool *fresh);
/* More than an automaton may have. */
bool states_too_many(const struct states *s);

/* ---- the automata ------------------------------------------------------ */

/* Fill re->tables; false: too large. */
bool build_search(struct nfa *nfa, struct regex *re);
bool build_split(struct nfa *nfa, struct regex *re);

#endif
