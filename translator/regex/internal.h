/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of the compiler of regular expressions: pattern → tree (parse.c) →
 * NFA (nfa.c) → tables (search.c, split.c). regex_compile() in regex.c runs
 * them.
 */
#ifndef STAP_REGEX_INTERNAL_H
#define STAP_REGEX_INTERNAL_H

#include <stdint.h>

#include "base/table.h"
#include "base/vec.h"
#include "regex.h"

/* Larger patterns are refused. */
enum {
	MAX_OPEN = 500,			/* nested parentheses */
	MAX_TREE = 4 * MAX_OPEN,	/* depth of the tree, with repetitions */
	MAX_REPEAT = 1000,		/* {n} */
	MAX_GROUPS = 255,
	MAX_NODES = 8192,		/* of the NFA */
	MAX_CELLS = 1 << 18,		/* of one table: states × classes, or steps */
	MAX_CONTENT = 1 << 26,		/* bytes that identify all states of an automaton */
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

/*
 * A node of the parsed pattern.  "a(b|c)*" is RE_CAT of RE_SET a and RE_REPEAT
 * 0…-1 of RE_GROUP 1 of RE_ALT of RE_SET b, RE_SET c.
 */
struct tree {
	enum tree_kind {
		RE_SET,			/* one byte of .set */
		RE_BEGIN, RE_END,	/* ^ $ */
		RE_CAT, RE_ALT,		/* .kids; an empty RE_CAT matches "" */
		RE_REPEAT,		/* .kids[0], .min to .max times; max < 0: no limit */
		RE_GROUP,		/* .kids[0], number .group */
	} kind;
	struct byteset set;
	vec(struct tree *) kids;
	int min, max;
	unsigned group;
	unsigned depth;			/* of the tree from here down; a leaf's is 1 */
};

/*
 * Parses a pattern. *NGROUPS is the number of groups, the whole match included.
 * Returns NULL and fills *ERROR, or fills *ODD with a warning.
 */
struct tree *regex_parse(const char *pattern, unsigned *ngroups, struct regex_issue *error,
			 struct regex_issue *odd);

/*
 * Reads a bracket expression into SET. *S points behind the '[', and then
 * behind the ']'.  Returns false and fills *ERROR if it is malformed; positions
 * are relative to PATTERN.
 */
bool regex_bracket(const char *pattern, const char **s, struct byteset *set,
		   struct regex_issue *error);

/* ---- the NFA ----------------------------------------------------------- */

/*
 * A node of Thompson's NFA.  N_BYTE consumes a byte of 'set' and goes to
 * 'next'; the others go on without one.  N_FORK prefers 'next' to 'other'.
 * N_TAG records the position: tag 2n is the beginning of group n, 2n + 1 its
 * end.
 */
struct node {
	enum node_kind { N_BYTE, N_FORK, N_TAG, N_BEGIN, N_END, N_ACCEPT } kind;
	unsigned next, other;
	unsigned tag;			/* N_TAG */
	unsigned byte;			/* N_BYTE: its index in nfa.bytes */
	const struct byteset *set;	/* N_BYTE */
};

/* The automaton of a pattern. */
struct nfa {
	vec(struct node) nodes;
	vec(unsigned) bytes;		/* the N_BYTE nodes */
	unsigned start;
	bool anchored;			/* the pattern has a ^ */
	unsigned nclasses;
	unsigned char classes[256];	/* bytes that all sets treat alike share a class */
	unsigned char sample[256];	/* one byte of each class */
};

/* Builds the NFA, with tags if GROUPS is set.  Returns NULL if it is too large. */
struct nfa *nfa_build(const struct tree *tree, bool groups);

/* ---- tables of states --------------------------------------------------- */

/*
 * The states of a DFA under construction.  A state is identified by 'size'
 * bytes of content, and numbered in order of appearance.
 */
struct states {
	size_t size;
	vec(void *) list;
	struct table table;
};

/*
 * Returns the number of the state with this content.  A new content is copied,
 * and *FRESH set.
 */
unsigned states_add(struct states *s, const void *content, bool *fresh);
/* Are there more states than an automaton may have? */
bool states_too_many(const struct states *s);

/* ---- the automata ------------------------------------------------------ */

/* Fill RE->tables.  Return false if a table is too large. */
bool build_search(struct nfa *nfa, struct regex *re);
bool build_split(struct nfa *nfa, struct regex *re);

#endif
