// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trees to NFAs.  They are built from the end: each piece is given the node
 * that follows it. r* is built as (r+)?, so that an r that matches "" is passed
 * once and sets the tags of its groups. r{2,3} becomes copies: r, r, r?.
 */
#include "base/arena.h"
#include "internal.h"

struct building {
	struct nfa *nfa;
	bool groups;
	unsigned pieces;		/* pieces so far, also those without a node */
	bool too_large;
};

static unsigned add(struct building *b, struct node node)
{
	if (b->nfa->nodes.n >= MAX_NODES) {
		b->too_large = true;
		return 0;
	}
	vec_push(&b->nfa->nodes, node);
	return b->nfa->nodes.n - 1;
}

static unsigned add_fork(struct building *b, unsigned preferred, unsigned other)
{
	return add(b, (struct node){ .kind = N_FORK, .next = preferred, .other = other });
}

static unsigned build(struct building *b, const struct tree *t, unsigned next);

static unsigned build_set(struct building *b, const struct tree *t, unsigned next)
{
	unsigned node = add(b, (struct node){
		.kind = N_BYTE, .next = next, .set = &t->set, .byte = b->nfa->bytes.n,
	});

	if (!b->too_large)
		vec_push(&b->nfa->bytes, node);
	return node;
}

static unsigned build_group(struct building *b, const struct tree *t, unsigned next)
{
	struct node tag = { .kind = N_TAG, .tag = 2 * t->group + 1, .next = next };

	if (!b->groups)
		return build(b, t->kids.v[0], next);
	tag.next = build(b, t->kids.v[0], add(b, tag));
	tag.tag--;
	return add(b, tag);
}

static unsigned build_alternatives(struct building *b, const struct tree *t, unsigned next)
{
	size_t i = t->kids.n - 1;
	unsigned way = build(b, t->kids.v[i], next);

	while (i-- > 0)
		way = add_fork(b, build(b, t->kids.v[i], next), way);
	return way;
}

/* Builds one or more repetitions. */
static unsigned build_loop(struct building *b, const struct tree *t, unsigned next)
{
	unsigned again = add_fork(b, next, next), body = build(b, t, again);

	b->nfa->nodes.v[again].next = body;
	return body;
}

static unsigned build_repeat(struct building *b, const struct tree *t, unsigned next)
{
	const struct tree *what = t->kids.v[0];
	unsigned after = next;

	for (int i = t->min; i < t->max && !b->too_large; i++)
		next = add_fork(b, build(b, what, next), after);
	if (t->max < 0) {
		next = build_loop(b, what, next);
		if (!t->min)
			return add_fork(b, next, after);
	}
	for (int i = t->max < 0 ? 1 : 0; i < t->min && !b->too_large; i++)
		next = build(b, what, next);
	return next;
}

/* Builds a piece that goes on to NEXT; returns its first node. */
static unsigned build(struct building *b, const struct tree *t, unsigned next)
{
	if (b->too_large || ++b->pieces > 16 * MAX_NODES) {
		b->too_large = true;
		return 0;
	}
	switch (t->kind) {
	case RE_SET:
		return build_set(b, t, next);
	case RE_BEGIN:
		b->nfa->anchored = true;
		return add(b, (struct node){ .kind = N_BEGIN, .next = next });
	case RE_END:
		return add(b, (struct node){ .kind = N_END, .next = next });
	case RE_CAT:
		for (size_t i = t->kids.n; i-- > 0;)
			next = build(b, t->kids.v[i], next);
		break;
	case RE_ALT:
		return build_alternatives(b, t, next);
	case RE_REPEAT:
		return build_repeat(b, t, next);
	case RE_GROUP:
		return build_group(b, t, next);
	}
	return next;
}

/*
 * Splits the classes that contain both bytes of SET and others. *N is the
 * number of classes.
 */
static void refine(const struct byteset *set, unsigned *class, unsigned *n)
{
	unsigned renamed[2 * 256] = { 0 };	/* number + 1 */
	unsigned found = 0;

	for (unsigned c = 0; c < 256; c++) {
		unsigned old = byteset_has(set, c) ? *n + class[c] : class[c];

		if (!renamed[old])
			renamed[old] = ++found;
		class[c] = renamed[old] - 1;
	}
	*n = found;
}

static void classify(struct nfa *nfa)
{
	unsigned class[256] = { 0 };

	nfa->nclasses = 1;
	for (size_t i = 0; i < nfa->bytes.n; i++)
		refine(nfa->nodes.v[nfa->bytes.v[i]].set, class, &nfa->nclasses);
	for (unsigned c = 0; c < 256; c++) {
		nfa->classes[c] = class[c];
		nfa->sample[class[c]] = c;
	}
}

struct nfa *nfa_build(const struct tree *tree, bool groups)
{
	struct building b = { .nfa = arena_new(struct nfa), .groups = groups };
	unsigned accept = add(&b, (struct node){ .kind = N_ACCEPT });

	b.nfa->start = build(&b, tree, accept);
	if (b.too_large)
		return NULL;
	classify(b.nfa);
	return b.nfa;
}
