// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does the pattern match anywhere?  The subset construction, reading forwards.
 * A DFA state is the set of NFA nodes that wait for a byte; it always includes
 * those reachable from the start, because a match may begin anywhere.  Two
 * state numbers are reserved: ST_RE_DEAD, after which nothing can match, and
 * ST_RE_MATCHED.
 *
 * For /ab/ the states are {a} at the start and {a, b} after an 'a'; in the
 * latter 'b' leads to ST_RE_MATCHED, 'a' to {a, b}, any other byte to {a}.
 */
#include <string.h>

#include "base/arena.h"
#include "internal.h"

struct search {
	struct nfa *nfa;
	struct regex *re;
	struct states states;
	vec(unsigned short) next;
	vec(unsigned char) flags;
	/* the state under construction */
	unsigned char *content;		/* [node]: 1 if it waits; [nodes.n]: flags */
	unsigned *seen, round;		/* [node]: the round in which it was reached */
	vec(unsigned) stack;
	bool accepts;
};

/*
 * Follows all paths from a node that consume no byte.  Adds the byte nodes they
 * reach to 'content', except for END, the subject's end, where only 'accepts'
 * matters.
 */
static void reach(struct search *b, unsigned from, bool begin, bool end)
{
	b->stack.n = 0;
	vec_push(&b->stack, from);
	while (b->stack.n) {
		unsigned i = b->stack.v[--b->stack.n];
		const struct node *n = &b->nfa->nodes.v[i];

		if (b->seen[i] == b->round)
			continue;
		b->seen[i] = b->round;
		if (n->kind == N_ACCEPT)
			b->accepts = true;
		else if (n->kind == N_BYTE)
			b->content[i] |= !end;
		if (n->kind == N_ACCEPT || n->kind == N_BYTE || (n->kind == N_BEGIN && !begin) ||
		    (n->kind == N_END && !end))
			continue;
		vec_push(&b->stack, n->next);
		if (n->kind == N_FORK)
			vec_push(&b->stack, n->other);
	}
}

/*
 * Follows the paths from the start, and from behind each node of state FROM
 * (NULL: none) that consumes a byte of the class.
 */
static void reach_all(struct search *b, const unsigned char *from, unsigned class, bool end)
{
	unsigned byte = b->nfa->sample[class];

	b->accepts = false;
	b->round++;
	reach(b, b->nfa->start, !from, end);
	for (size_t i = 0; from && i < b->nfa->bytes.n; i++) {
		unsigned at = b->nfa->bytes.v[i];
		const struct node *n = &b->nfa->nodes.v[at];

		if (from[at] && byteset_has(n->set, byte))
			reach(b, n->next, false, end);
	}
}

static unsigned make_state(struct search *b, const unsigned char *from, unsigned class)
{
	size_t n = b->nfa->nodes.n;
	unsigned number;
	bool fresh;

	memset(b->content, 0, n + 1);
	reach_all(b, from, class, true);
	b->content[n] = b->accepts ? ST_RE_AT_END : 0;
	reach_all(b, from, class, false);
	if (b->accepts)
		return ST_RE_MATCHED;
	if (!b->content[n] && !memchr(b->content, 1, n))
		return ST_RE_DEAD;
	number = states_add(&b->states, b->content, &fresh);
	if (fresh)
		vec_push(&b->flags, b->content[n]);
	return number + ST_RE_FIRST;
}

static bool make_table(struct search *b)
{
	unsigned nclasses = b->nfa->nclasses;

	for (unsigned i = 0; i < ST_RE_FIRST; i++) {
		vec_push(&b->flags, i == ST_RE_MATCHED ? ST_RE_AT_END : 0);
		for (unsigned class = 0; class < nclasses; class++)
			vec_push(&b->next, i);
	}
	b->re->tables.start = make_state(b, NULL, 0);
	for (size_t i = 0; i < b->states.list.n; i++) {
		for (unsigned class = 0; class < nclasses; class++)
			vec_push(&b->next, make_state(b, b->states.list.v[i], class));
		if (b->next.n > MAX_CELLS || states_too_many(&b->states))
			return false;
	}
	return true;
}

bool build_search(struct nfa *nfa, struct regex *re)
{
	struct search b = {
		.nfa = nfa, .re = re, .states.size = nfa->nodes.n + 1,
		.content = arena_alloc(nfa->nodes.n + 1),
		.seen = arena_alloc(nfa->nodes.n * sizeof(unsigned)),
	};
	bool ok = make_table(&b);

	re->tables.next = b.next.v;
	re->tables.flags = b.flags.v;
	re->nstates = b.flags.n;
	return ok;
}
