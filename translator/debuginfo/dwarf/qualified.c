// SPDX-License-Identifier: GPL-2.0-or-later
/* Qualified names: see qualified.h. */
#include "qualified.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEPTH_MAX = 64,			/* scopes in each other */
	ORIGINS_MAX = 8,		/* from a function to its declaration */
};

/* A DIE that contains others. */
struct node {
	uint64_t off, end;		/* the DIE with all that it contains */
	uint64_t origin;		/* of a function without a name */
	const char *name;
	size_t first, n;		/* the nodes directly in it, by offset */
	unsigned tag;
	bool grown;			/* 'first' and 'n' are set */
};

/* The tree of a unit; node 0 is the unit. */
struct scope_tree {
	uint64_t unit;
	struct node *nodes;
	size_t n, room;
};

bool language_has_scopes(unsigned language)
{
	switch (language) {
	case DW_LANG_C89: case DW_LANG_C: case DW_LANG_C99: case DW_LANG_C11:
	case DW_LANG_Go: case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}

bool tag_is_scope(unsigned tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Local classes are in functions, and their methods are declared in them. */
static bool may_contain_scopes(unsigned tag)
{
	return tag_is_scope(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_enumeration_type;
}

/* ---- growing --------------------------------------------------------------------- */

static bool add_node(struct scope_tree *t, struct node node)
{
	if (t->n == t->room) {
		size_t room = t->room ? t->room * 2 : 256;
		void *v = realloc(t->nodes, room * sizeof(*t->nodes));

		if (!v)
			return false;
		t->nodes = v;
		t->room = room;
	}
	t->nodes[t->n++] = node;
	return true;
}

/* Adds the nodes directly in node I.  On damage it keeps those before. */
static void grow(struct scope_tree *t, const struct cu *cu, size_t i)
{
	uint64_t end = t->nodes[i].end, at;
	size_t first = t->n;
	struct die d;

	t->nodes[i].grown = true;
	t->nodes[i].first = first;
	if (!die_peek(cu, t->nodes[i].off, &d) || !d.children)
		return;
	for (at = d.next; at && at < end; at = die_after(cu, &d)) {
		if (!die_peek(cu, at, &d) || !d.tag)
			break;
		if (!d.children || !may_contain_scopes(d.tag))
			continue;
		if (!die_read(cu, at, &d) ||
		    !add_node(t, (struct node){ .off = at, .end = die_after(cu, &d), .name = d.name,
						.origin = d.origin, .tag = d.tag }))
			break;
	}
	t->nodes[i].n = t->n - first;
}

/* Returns the node directly in node I that contains the DIE at OFF; 0: none. */
static size_t node_around(const struct scope_tree *t, size_t i, uint64_t off)
{
	size_t low = t->nodes[i].first, high = low + t->nodes[i].n, first = low;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (t->nodes[mid].off < off)
			low = mid + 1;
		else
			high = mid;
	}
	return low > first && off < t->nodes[low - 1].end ? low - 1 : 0;
}

/* ---- the trees of units ----------------------------------------------------------- */

static void tree_start(struct scope_tree *t, const struct cu *cu)
{
	t->unit = cu->off;
	t->n = 0;
	add_node(t, (struct node){ .off = cu->first, .end = cu->end, .tag = DW_TAG_compile_unit });
}

static struct scope_tree *own_tree(struct qualified *q, const struct cu *cu)
{
	if (!q->own)
		q->own = calloc(1, sizeof(*q->own));
	if (q->own && (!q->own->n || q->own->unit != cu->off))
		tree_start(q->own, cu);
	return q->own;
}

static struct scope_tree *other_tree(struct qualified *q, const struct cu *cu)
{
	size_t low = 0, high = q->nothers;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (q->others[mid].unit < cu->off)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < q->nothers && q->others[low].unit == cu->off)
		return &q->others[low];
	if (q->nothers == q->room) {
		size_t room = q->room ? q->room * 2 : 64;
		void *v = realloc(q->others, room * sizeof(*q->others));

		if (!v)
			return NULL;
		q->others = v;
		q->room = room;
	}
	memmove(&q->others[low + 1], &q->others[low], (q->nothers++ - low) * sizeof(*q->others));
	q->others[low] = (struct scope_tree){ 0 };
	tree_start(&q->others[low], cu);
	return &q->others[low];
}

/* ---- names ------------------------------------------------------------------------ */

static void scope_of(struct qualified *q, const struct cu *own, uint64_t off, struct sbuf *out,
		     unsigned hops);

/* Finds the unit of the DIE at OFF: CU itself if that isn't NULL, or another one. */
static const struct cu *unit_of(struct qualified *q, const struct cu *cu, uint64_t off)
{
	struct die d;

	if (cu && off >= cu->first && off < cu->end)
		return cu;
	return origins_read(&q->units, q->sects, off, &d) ? &q->units.cu : NULL;
}

/* Appends the name and scope of a function's origin, which replaces what is known so far. */
static void put_origin(struct qualified *q, const struct cu *own, uint64_t off, struct sbuf *out,
		       size_t start, unsigned hops)
{
	const struct cu *cu = unit_of(q, own, off);
	struct die d;

	if (!cu || hops == ORIGINS_MAX || !die_read(cu, off, &d))
		return;
	if (!d.name && d.origin) {
		put_origin(q, own, d.origin, out, start, hops + 1);
		return;
	}
	if (out->s)
		out->s[out->len = start] = 0;
	scope_of(q, own, off, out, hops + 1);
	if (d.name) {
		sbuf_puts(out, d.name);
		sbuf_puts(out, "::");
	}
}

static void put_node(struct qualified *q, const struct cu *own, const struct node *node,
		     struct sbuf *out, size_t start, unsigned hops)
{
	if (node->name) {
		sbuf_puts(out, node->name);
		sbuf_puts(out, "::");
	} else if (node->tag == DW_TAG_namespace) {
		sbuf_puts(out, "(anonymous namespace)::");
	} else if (node->tag == DW_TAG_subprogram && node->origin) {
		put_origin(q, own, node->origin, out, start, hops);
	}
}

static void scope_of(struct qualified *q, const struct cu *own, uint64_t off, struct sbuf *out,
		     unsigned hops)
{
	const struct cu *cu = unit_of(q, own, off);
	struct scope_tree *t;
	size_t start = out->len, i = 0;

	if (!cu || hops == ORIGINS_MAX || !language_has_scopes(cu->language))
		return;
	t = cu == own ? own_tree(q, cu) : other_tree(q, cu);
	for (unsigned depth = 0; t && t->n && depth < DEPTH_MAX; depth++) {
		struct node node;

		if (!t->nodes[i].grown)
			grow(t, cu, i);
		i = node_around(t, i, off);
		if (!i)
			break;
		node = t->nodes[i];	/* a copy: an origin's name may move the trees */
		put_node(q, own, &node, out, start, hops);
		if (cu != own) {
			cu = unit_of(q, own, off);
			t = cu ? other_tree(q, cu) : NULL;
		}
	}
}

void qualified_scope(struct qualified *q, const struct dwsects *sects, const struct cu *cu,
		     uint64_t off, struct sbuf *out)
{
	q->sects = sects;
	scope_of(q, cu, off, out, 0);
}

void qualified_release(struct qualified *q)
{
	if (q->own)
		free(q->own->nodes);
	free(q->own);
	for (size_t i = 0; i < q->nothers; i++)
		free(q->others[i].nodes);
	free(q->others);
	origins_release(&q->units);
	*q = (struct qualified){ 0 };
}
