// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that use the target variables of the probes that call them.
 *
 *	function size() { if (@defined($count)) return $count; return -1 }
 *	probe vfs.read, vfs.open { println(size()) }
 *
 * Such a function is copied for each probe, and resolved there as the probe's own
 * body is (context_vars.c).  So is a function with @var or @cast that name no module,
 * if the probe is in a program or a kernel module, which is searched first.
 *
 * The library's own functions take what they need as arguments, so they aren't
 * searched, and calls of them cost nothing here.
 */
#include <string.h>

#include "base/arena.h"
#include "sema.h"

struct search {
	struct session *s;
	bool in_module;			/* the probe is not in the kernel's image */
	unsigned number;		/* of this search */
	function_list seen;
	bool found;
};

/*
 * Marks F as visited.  Returns false if it was before, or if an earlier search found that neither F
 * nor its callees use target variables.
 */
static bool is_first_visit(struct search *q, struct function *f)
{
	if (f->visited == q->number || f->needs_no_copy[q->in_module])
		return false;
	f->visited = q->number;
	return true;
}

static struct search new_search(struct session *s, bool in_module)
{
	static unsigned number;

	return (struct search){ .s = s, .in_module = in_module, .number = ++number };
}

static void look_at_expr(struct expr **slot, void *arg);

/* Searches the bodies in q->seen, which grows meanwhile; remembers them if none uses any. */
static bool end_search(struct search *q)
{
	for (size_t i = 0; i < q->seen.n && !q->found; i++)
		walk_stmt(q->seen.v[i]->body, look_at_expr, q);
	for (size_t i = 0; i < q->seen.n && !q->found; i++)
		q->seen.v[i]->needs_no_copy[q->in_module] = true;
	return q->found;
}

/* Queues F in q->seen, unless it is there or is known to need no copy. */
static void look_at_function(struct search *q, struct function *f)
{
	if (f->body && !f->loc.src->tapset && is_first_visit(q, f))
		vec_push(&q->seen, f);
}

static void look_at_call(struct search *q, const struct expr *call)
{
	bool other_arity;

	if (call->loc.src && call->loc.src->tapset)
		return;
	for (struct function *f = find_functions(q->s, call, &other_arity); f;
	     f = f->next_overload)
		look_at_function(q, f);
}

static void look_at_expr(struct expr **slot, void *arg)
{
	const struct expr *e = *slot;
	struct search *q = arg;

	if (e->kind == E_TARGET && e->target->kind == TV_DOLLAR)
		q->found = true;
	else if (e->kind == E_TARGET && !needs_ctype(e->target) && !e->target->module)
		q->found |= q->in_module;
	else if (e->kind == E_ENTRY)
		q->found = true;
	else if (e->kind == E_CALL && !q->found)
		look_at_call(q, e);
}

bool needs_copies(struct session *s, const struct probe *p, const struct expr *call)
{
	const char *module = own_module(p);
	struct search q = new_search(s, module && strcmp(module, "kernel"));

	look_at_call(&q, call);
	return end_search(&q);
}

bool uses_target_variables(struct session *s, struct function *f)
{
	struct search q = new_search(s, false);

	look_at_function(&q, f);
	return end_search(&q);
}

static struct variable *copy_parameter(const struct variable *v)
{
	struct variable *copy = arena_new(struct variable);

	*copy = *v;
	return copy;
}

struct function *copy_function(const struct function *f)
{
	struct function *copy = arena_new(struct function);

	*copy = *f;
	copy->used = false;
	memset(&copy->params, 0, sizeof(copy->params));
	for (size_t i = 0; i < f->params.n; i++)
		vec_push(&copy->params, copy_parameter(f->params.v[i]));
	if (f->body)
		copy->body = stmt_copy(f->body);
	return copy;
}
