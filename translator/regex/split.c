// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where are the match and its groups?  A bimachine: a DFA that reads the
 * subject backwards, then one pass forwards.
 *
 * The state after reading backwards down to byte i says which nodes can consume
 * byte i and still reach the end of a match, and ranks them by how far that end
 * is.  A match begins at i if the start leads to such a node, or to a match's
 * end; the last such i that the pass meets is the leftmost.  For ab* on
 * "xabb":
 *
 *	i  byte  nodes that consume it and reach a match's end
 *	4  end   none
 *	3  b     b, to end 4
 *	2  b     b, to end 4, which outranks end 3
 *	1  a     a, to end 4: a match begins here
 *	0  x     none
 *
 * Then forwards from the match's beginning: at each position the state and the
 * node just left determine the next node, the preferred one among the nodes of
 * the highest rank, and the tags on the way to it.  Here these are a, b, b,
 * done.  All such steps are in a table.  So the match as a whole is POSIX's,
 * leftmost and longest; its division into groups goes by preference, earlier
 * alternatives and more repetitions first.
 */
#include <string.h>

#include "base/arena.h"
#include "internal.h"

/* A node to try, and the number of tags on the path before it. */
struct trial {
	unsigned node;
	size_t tags;
};

struct split {
	struct nfa *nfa;
	struct regex *re;
	struct states states, tag_sets;
	vec(unsigned short) next;
	vec(unsigned char) flags;
	vec(unsigned) rows;
	vec(struct st_regex_step) steps;
	vec(unsigned short) tags;
	vec(unsigned short) tag_lists;	/* [tag set]: start of its list in 'tags' */
	unsigned *before, *before_row;	/* nodes that lead to node n without a byte:
					   before[before_row[n]…] */
	/* the state in work */
	const unsigned short *ranks;	/* [byte node]: 0 if not in it; then: is this a match's
					   end? */
	unsigned *value;		/* [node]: 1 + the best rank it leads to; 1 for the end
					   of a match; 0 for nothing */
	/* scratch memory */
	unsigned short *made;		/* ranks of the state under construction */
	unsigned *count, *order;	/* for sorting by rank */
	unsigned *seen, round;		/* [node]: the round in which it was tried */
	vec(unsigned) stack;
	vec(struct trial) trials;
	vec(unsigned) path;		/* tags */
	unsigned char *tag_set;		/* [tag] */
};

/* ---- the NFA, backwards ------------------------------------------------ */

/* Returns the number of nodes that follow without a byte. */
static unsigned passes_on(const struct node *n)
{
	return n->kind == N_BYTE || n->kind == N_ACCEPT ? 0 : n->kind == N_FORK ? 2 : 1;
}

static void turn_round(struct split *b)
{
	size_t n = b->nfa->nodes.n;
	unsigned *row = b->before_row = arena_alloc((n + 2) * sizeof(*row));

	b->before = arena_alloc((2 * n + 1) * sizeof(*b->before));
	for (size_t i = 0; i < n; i++) {
		const struct node *node = &b->nfa->nodes.v[i];

		for (unsigned k = 0; k < passes_on(node); k++)
			row[(k ? node->other : node->next) + 2]++;
	}
	for (size_t i = 2; i < n + 2; i++)
		row[i] += row[i - 1];
	for (size_t i = 0; i < n; i++) {
		const struct node *node = &b->nfa->nodes.v[i];

		for (unsigned k = 0; k < passes_on(node); k++)
			b->before[row[(k ? node->other : node->next) + 1]++] = i;
	}
}

/* Gives VALUE to all nodes that lead to FROM and have no value yet. */
static void flood(struct split *b, unsigned from, unsigned value, bool begin)
{
	bool end = b->ranks[b->nfa->bytes.n];

	b->stack.n = 0;
	vec_push(&b->stack, from);
	while (b->stack.n) {
		unsigned i = b->stack.v[--b->stack.n];
		const struct node *n = &b->nfa->nodes.v[i];

		if (b->value[i] || (n->kind == N_BEGIN && !begin) || (n->kind == N_END && !end))
			continue;
		b->value[i] = value;
		for (unsigned k = b->before_row[i]; k < b->before_row[i + 1]; k++)
			vec_push(&b->stack, b->before[k]);
	}
}

/* Sorts the state's byte nodes by descending rank into 'order'; returns their number. */
static size_t by_rank(struct split *b)
{
	size_t n = b->nfa->bytes.n, sum = 0;

	memset(b->count, 0, (n + 1) * sizeof(*b->count));
	for (size_t i = 0; i < n; i++)
		b->count[b->ranks[i]]++;
	for (size_t r = n; r > 0; r--) {
		size_t here = b->count[r];

		b->count[r] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		if (b->ranks[i])
			b->order[b->count[b->ranks[i]]++] = i;
	return sum;
}

/* Computes the values of all nodes in the current state. */
static void evaluate(struct split *b, bool begin)
{
	size_t n = by_rank(b);

	memset(b->value, 0, b->nfa->nodes.n * sizeof(*b->value));
	for (size_t i = 0; i < n; i++)
		flood(b, b->nfa->bytes.v[b->order[i]], b->ranks[b->order[i]] + 1, begin);
	flood(b, 0, 1, begin);		/* the accepting node is the first */
}

/* ---- backwards: states ------------------------------------------------- */

/* Renumbers values to ranks 1, 2, 3… without gaps. */
static void close_up(struct split *b, unsigned short *ranks)
{
	size_t n = b->nfa->bytes.n;
	unsigned found = 0;

	memset(b->count, 0, (n + 2) * sizeof(*b->count));
	for (size_t i = 0; i < n; i++)
		b->count[ranks[i]] = 1;
	b->count[0] = 0;
	for (size_t v = 1; v < n + 2; v++)
		if (b->count[v])
			b->count[v] = ++found;
	for (size_t i = 0; i < n; i++)
		ranks[i] = b->count[ranks[i]];
}

/* Makes the state before a byte of the class, from the values in the state behind it. */
static unsigned make_state(struct split *b, unsigned class)
{
	size_t n = b->nfa->bytes.n;
	unsigned short *ranks = b->made;
	bool fresh;

	memset(ranks, 0, (n + 1) * sizeof(*ranks));
	for (size_t i = 0; i < n; i++) {
		const struct node *node = &b->nfa->nodes.v[b->nfa->bytes.v[i]];

		if (byteset_has(node->set, b->nfa->sample[class]))
			ranks[i] = b->value[node->next];
	}
	close_up(b, ranks);
	return states_add(&b->states, ranks, &fresh);
}

/* ---- forwards: steps --------------------------------------------------- */

/* Returns where the list of the path's tags is, each tag once. */
static unsigned tag_list(struct split *b)
{
	size_t n = 2 * b->re->tables.ngroups;
	unsigned number;
	bool fresh;

	memset(b->tag_set, 0, n);
	for (size_t i = 0; i < b->path.n; i++)
		b->tag_set[b->path.v[i]] = 1;
	number = states_add(&b->tag_sets, b->tag_set, &fresh);
	if (fresh) {
		vec_push(&b->tag_lists, b->tags.n);
		for (size_t i = 0; i < n; i++)
			if (b->tag_set[i])
				vec_push(&b->tags, i);
		vec_push(&b->tags, ST_RE_NO_TAG);
	}
	return b->tag_lists.v[number];
}

static void try(struct split *b, unsigned node, size_t tags)
{
	vec_push(&b->trials, ((struct trial){ node, tags }));
}

/*
 * Finds the preferred node among the best that FROM leads to, and leaves the
 * tags on the way in 'path'.
 */
static const struct node *preferred(struct split *b, unsigned from)
{
	unsigned best = b->value[from];

	b->round++;
	b->trials.n = b->path.n = 0;
	try(b, from, 0);
	while (b->trials.n) {
		struct trial t = b->trials.v[--b->trials.n];
		const struct node *n = &b->nfa->nodes.v[t.node];

		if (b->value[t.node] != best || b->seen[t.node] == b->round)
			continue;
		b->seen[t.node] = b->round;
		b->path.n = t.tags;
		if (n->kind == N_BYTE || n->kind == N_ACCEPT)
			return n;
		if (n->kind == N_TAG)
			vec_push(&b->path, n->tag);
		if (n->kind == N_FORK)
			try(b, n->other, b->path.n);
		try(b, n->next, b->path.n);
	}
	return NULL;
}

/*
 * Adds the step from NODE if it leads anywhere.  FROM is the step's name for
 * the node just left.
 */
static void add_step(struct split *b, unsigned node, unsigned from)
{
	const struct node *to = b->value[node] ? preferred(b, node) : NULL;

	if (to)
		vec_push(&b->steps, ((struct st_regex_step){
			.from = from,
			.to = to->kind == N_BYTE ? ST_RE_BEHIND + to->byte : ST_RE_DONE,
			.tags = tag_list(b),
		}));
}

/* ---- both -------------------------------------------------------------- */

/* Makes the row of state I in every table. */
static void make_row(struct split *b, size_t i)
{
	const struct nfa *nfa = b->nfa;
	unsigned flags = 0;

	b->ranks = b->states.list.v[i];
	vec_push(&b->rows, b->steps.n);
	evaluate(b, true);
	if (b->value[nfa->start])
		flags |= ST_RE_BEGINS_FIRST;
	add_step(b, nfa->start, ST_RE_FROM_FIRST);
	if (nfa->anchored)
		evaluate(b, false);
	if (b->value[nfa->start])
		flags |= ST_RE_BEGINS;
	add_step(b, nfa->start, ST_RE_FROM_START);
	vec_push(&b->flags, flags);
	for (size_t k = 0; k < nfa->bytes.n; k++)
		add_step(b, nfa->nodes.v[nfa->bytes.v[k]].next, ST_RE_BEHIND + k);
	for (unsigned class = 0; class < nfa->nclasses; class++)
		vec_push(&b->next, make_state(b, class));
}

static bool make_tables(struct split *b)
{
	bool fresh;

	b->made[b->nfa->bytes.n] = 1;
	states_add(&b->states, b->made, &fresh);	/* the subject's end */
	for (size_t i = 0; i < b->states.list.n; i++) {
		make_row(b, i);
		if (b->next.n > MAX_CELLS || b->steps.n > MAX_CELLS || b->tags.n > UINT16_MAX ||
		    states_too_many(&b->states))
			return false;
	}
	vec_push(&b->rows, b->steps.n);
	return true;
}

bool build_split(struct nfa *nfa, struct regex *re)
{
	size_t nodes = nfa->nodes.n, bytes = nfa->bytes.n, tags = 2 * re->tables.ngroups;
	struct split b = {
		.nfa = nfa, .re = re,
		.states.size = (bytes + 1) * sizeof(unsigned short), .tag_sets.size = tags,
		.made = arena_alloc((bytes + 1) * sizeof(unsigned short)),
		.count = arena_alloc((bytes + 2) * sizeof(unsigned)),
		.order = arena_alloc((bytes + 1) * sizeof(unsigned)),
		.value = arena_alloc(nodes * sizeof(unsigned)),
		.seen = arena_alloc(nodes * sizeof(unsigned)),
		.tag_set = arena_alloc(tags),
	};

	turn_round(&b);
	bool ok = make_tables(&b);

	re->tables.next = b.next.v;
	re->tables.flags = b.flags.v;
	re->tables.rows = b.rows.v;
	re->tables.steps = b.steps.v;
	re->tables.tags = b.tags.v;
	re->nstates = b.flags.n;
	re->nsteps = b.steps.n;
	re->ntags = b.tags.n;
	return ok;
}
