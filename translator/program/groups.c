// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds groups of functions that call each other, by Tarjan's algorithm.
 *
 * Functions are numbered as a search from callers to callees meets them.  A function is open
 * until it is put into a group.  Its "low" is the lowest number of an open function that it is
 * known to reach.  A function that reaches none below itself closes its group, which is itself
 * and the functions opened after it.  The search's path is a list, because calls may be
 * thousands deep.
 */
#include "base/arena.h"
#include "groups.h"
#include "uses.h"

struct node {
	function_list callees;
	unsigned number, low;		/* 0: not met yet */
	bool open;
};

struct step {
	struct function *func;
	size_t next;			/* the callee to look at next */
};

struct search {
	struct node *nodes;		/* by function */
	unsigned met;
	vec(struct step) path;
	function_list open;
	call_group_list groups;
};

static void note_callee(struct function *f, void *arg)
{
	struct node *caller = arg;

	vec_push(&caller->callees, f);
}

static void enter(struct search *s, struct function *f)
{
	struct node *n = &s->nodes[f->index];

	n->number = n->low = ++s->met;
	n->open = true;
	vec_push(&s->open, f);
	vec_push(&s->path, ((struct step){ .func = f }));
	if (f->body)
		find_calls(f->body, note_callee, n);
}

static void reaches(struct node *n, unsigned number)
{
	n->low = number < n->low ? number : n->low;
}

/* Adds the callees in other groups, which are already closed, and notes calls within the group. */
static void add_callees(struct search *s, struct call_group *group, const struct function *f,
			unsigned first)
{
	const function_list *l = &s->nodes[f->index].callees;

	for (size_t i = 0; i < l->n; i++)
		if (s->nodes[l->v[i]->index].number >= first && s->nodes[l->v[i]->index].open)
			group->recursive = true;
		else
			vec_push(&group->callees, l->v[i]);
}

static void close_group(struct search *s, const struct node *first)
{
	struct call_group group = { 0 };
	size_t n = s->open.n;

	while (s->nodes[s->open.v[--n]->index].number != first->number)
		;
	for (size_t i = n; i < s->open.n; i++) {
		vec_push(&group.functions, s->open.v[i]);
		add_callees(s, &group, s->open.v[i], first->number);
	}
	for (size_t i = n; i < s->open.n; i++)
		s->nodes[s->open.v[i]->index].open = false;
	s->open.n = n;
	vec_push(&s->groups, group);
}

/* Leaves the path's last function, all of whose callees have been visited. */
static void leave(struct search *s)
{
	const struct node *n = &s->nodes[s->path.v[--s->path.n].func->index];

	if (s->path.n)
		reaches(&s->nodes[s->path.v[s->path.n - 1].func->index], n->low);
	if (n->low == n->number)
		close_group(s, n);
}

static void search_from(struct search *s, struct function *root)
{
	enter(s, root);
	while (s->path.n) {
		struct step *step = &s->path.v[s->path.n - 1];
		struct node *n = &s->nodes[step->func->index];
		struct function *callee;

		if (step->next == n->callees.n) {
			leave(s);
			continue;
		}
		callee = n->callees.v[step->next++];
		if (!s->nodes[callee->index].number)
			enter(s, callee);
		else if (s->nodes[callee->index].open)
			reaches(n, s->nodes[callee->index].number);
	}
}

call_group_list find_call_groups(const struct program *prog)
{
	struct search s = { .nodes = arena_alloc((prog->functions.n + 1) * sizeof(*s.nodes)) };

	for (size_t i = 0; i < prog->functions.n; i++)
		prog->functions.v[i]->index = i;
	for (size_t i = 0; i < prog->functions.n; i++)
		if (!s.nodes[i].number)
			search_from(&s, prog->functions.v[i]);
	return s.groups;
}
