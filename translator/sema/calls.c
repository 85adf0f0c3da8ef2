// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the functions that a call means.
 *
 * A function is the script's or the tapset's.  Functions of one name and arity
 * form a chain by priority, through which 'next' continues, the tapset's behind
 * the script's.
 */
#include "lang/lang.h"
#include "sema.h"

const struct file *file_of(const struct session *s, const struct source *src)
{
	for (size_t i = 0; i < s->files.n; i++)
		if (s->files.v[i]->src == src)
			return s->files.v[i];
	for (size_t i = 0; i < s->library_files.n; i++)
		if (s->library_files.v[i]->src == src)
			return s->library_files.v[i];
	return NULL;
}

/* Does the file have a private function of this name, which hides all others there? */
static bool has_private(const struct file *f, const char *name)
{
	for (size_t i = 0; f && i < f->functions.n; i++)
		if (f->functions.v[i]->is_private && f->functions.v[i]->name == name)
			return true;
	return false;
}

static void candidates_in(const struct file *f, const struct expr *call, function_list *out,
			  bool *other_arity)
{
	for (size_t i = 0; i < f->functions.n; i++) {
		struct function *fn = f->functions.v[i];

		if (fn->name != call->name || (fn->is_private && f->src != call->loc.src))
			continue;
		if (fn->params.n == call->args.n)
			vec_push(out, fn);
		else
			*other_arity = true;
	}
}

static void skip_expr(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void look_for_next(struct stmt **slot, void *found)
{
	if (!*slot)
		return;
	if ((*slot)->kind == S_NEXT)
		*(bool *)found = true;
	stmt_children(*slot, skip_expr, look_for_next, found);
}

static bool has_next(struct function *f)
{
	bool found = f->embedded && f->embedded->nexts;

	look_for_next(&f->body, &found);
	return found;
}

/* Sorts by priority, lower numbers first, and else by declaration. */
static void chain_overloads(function_list *list)
{
	for (size_t i = 1; i < list->n; i++) {
		struct function *f = list->v[i];
		size_t at = i;

		for (; at > 0 && list->v[at - 1]->priority > f->priority; at--)
			list->v[at] = list->v[at - 1];
		list->v[at] = f;
	}
	for (size_t i = 0; i < list->n; i++)
		list->v[i]->next_overload = i + 1 < list->n ? list->v[i + 1] : NULL;
}

struct function *find_functions(struct session *s, const struct expr *call, bool *other_arity)
{
	const struct source *from = call->loc.src;
	const struct file *own = file_of(s, from);
	bool private = has_private(own, call->name), nexts = false;
	function_list found = { 0 };

	if (private)
		candidates_in(own, call, &found, other_arity);
	for (size_t i = 0; !private && i < s->files.n; i++)
		candidates_in(s->files.v[i], call, &found, other_arity);
	for (size_t i = 0; i < found.n; i++)
		nexts |= has_next(found.v[i]);
	if (!private && (!found.n || nexts)) {
		library_load(s, LIB_FUNCTION, call->name);
		for (size_t i = 0; i < s->library_files.n; i++)
			candidates_in(s->library_files.v[i], call, &found, other_arity);
	}
	for (size_t i = 0; i < found.n; i++)
		found.v[i]->nexts = has_next(found.v[i]);
	chain_overloads(&found);
	return found.n ? found.v[0] : NULL;
}

/* ---- values ---- */

static void look_for_value(struct stmt **slot, void *found)
{
	if (!*slot)
		return;
	if ((*slot)->kind == S_RETURN && (*slot)->expr)
		*(bool *)found = true;
	stmt_children(*slot, skip_expr, look_for_value, found);
}

bool returns_value(struct function *f)
{
	bool found = f->type_declared;

	look_for_value(&f->body, &found);
	return found;
}
