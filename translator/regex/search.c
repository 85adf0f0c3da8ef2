// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does it match anywhere?  The subset construction, forwards: a state is the set
 * of nodes that wait for a byte, with the start's among them always, for a match
 * may begin anywhere.  Two numbers are set aside: ST_RE_DEAD, from which nothing
 * matches any more, and ST_RE_MATCHED.
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
	/* the state being made */
	unsigned char *content;		/* [node]: waits here; [nodes.n]: its flags */
	unsigned *seen, round;		/* [node]: the round it was reached in */
	vec(unsigned) stack;
	bool accepts;
};

/* What can be reached from a node without a byte: waiting nodes go to content,
 * unless .accepts is all that matters (at the subject's end). */
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

/* From the start, and from behind the nodes of state 'from' (NULL: none) that
 * take a byte of the class. */
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
