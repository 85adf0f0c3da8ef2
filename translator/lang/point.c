// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probe points.  The parser expands alternatives, so the tree has only plain
 * points: a.{b,c}("x") becomes a.b("x") and a.c("x").
 */
#include "base/arena.h"
#include "parser.h"

enum {
	MAX_POINTS = 10000,	/* of one list of alternatives */
	MAX_PARTS = 16,		/* keeps the search for "**" small: it tries every run of parts */
};

static struct point_list *list_of(struct probe_point *point)
{
	struct point_list *list = arena_new(struct point_list);

	vec_push(list, point);
	return list;
}

struct point_list *point_part(const char *name, struct expr *arg, struct loc at)
{
	struct probe_point *point = arena_new(struct probe_point);
	struct point_part part = { .name = name, .has_arg = arg, .arg = arg, .loc = at };

	point->loc = at;
	vec_push(&point->parts, part);
	return list_of(point);
}

static struct probe_point *join(const struct probe_point *a, const struct probe_point *b)
{
	struct probe_point *point = arena_new(struct probe_point);

	point->loc = a->loc;
	point->optional = a->optional || b->optional;
	point->sufficient = a->sufficient || b->sufficient;
	for (size_t i = 0; i < a->parts.n; i++)
		vec_push(&point->parts, a->parts.v[i]);
	for (size_t i = 0; i < b->parts.n; i++)
		vec_push(&point->parts, b->parts.v[i]);
	return point;
}

static size_t most_parts(const struct point_list *list)
{
	size_t most = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i]->parts.n > most)
			most = list->v[i]->parts.n;
	return most;
}

struct point_list *point_join(struct parser *p, struct point_list *head,
			      struct point_list *tail)
{
	struct point_list *list = arena_new(struct point_list);

	if (head->n * tail->n > MAX_POINTS) {
		parse_error(p, tail->v[0]->loc, "alternatives stand for more than %d "
			    "probe points", MAX_POINTS);
		return head;
	}
	if (most_parts(head) + most_parts(tail) > MAX_PARTS) {
		parse_error(p, tail->v[0]->loc, "a probe point has at most %d parts", MAX_PARTS);
		return head;
	}
	if (head->n * tail->n == 1) {	/* the usual case, without copying */
		for (size_t i = 0; i < tail->v[0]->parts.n; i++)
			vec_push(&head->v[0]->parts, tail->v[0]->parts.v[i]);
		head->v[0]->optional |= tail->v[0]->optional;
		head->v[0]->sufficient |= tail->v[0]->sufficient;
		return head;
	}
	for (size_t i = 0; i < head->n; i++)
		for (size_t j = 0; j < tail->n; j++)
			vec_push(list, join(head->v[i], tail->v[j]));
	return list;
}

/* Marks points with '?' or '!'.  With either, failing to resolve the point is no error. */
void point_qualify(struct point_list *list, int mark)
{
	for (size_t i = 0; i < list->n; i++) {
		list->v[i]->optional |= mark != 0;
		list->v[i]->sufficient |= mark == '!';
	}
}

void point_condition(struct point_list *list, struct expr *condition)
{
	for (size_t i = 0; i < list->n; i++)
		list->v[i]->condition = i ? expr_copy(condition) : condition;
}
