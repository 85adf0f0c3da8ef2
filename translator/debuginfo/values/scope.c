/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which variables are visible from a place.
 *
 * A function's DIE has its parameters and variables as children, and lexical blocks with more of
 * them.  A block's variables are in scope at its addresses, but not where the function begins.  For
 * a label they are in scope too although, at the end of a block, the label's address may belong to
 * the code that follows.
 *
 * An inlined function's scope ends at that function: the source does not see its
 * caller's variables there.
 */
#include "scope.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"

enum { IMPORTS_MAX = 8 };	/* units in units */

static bool is_variable(int tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

static void each(struct view *v, Dwarf_Die *block, scope_fn *fn, void *arg, unsigned depth);

/* Tells whether the view's label lies in the block. */
static bool has_label(const struct view *v, Dwarf_Die *block)
{
	Dwarf_Die next;

	return dwarf_dieoffset(block) < v->label &&
	       (dwarf_siblingof(block, &next) != 0 || dwarf_dieoffset(&next) > v->label);
}

static bool is_within(const struct view *v, Dwarf_Die *block)
{
	return dwarf_haspc(block, v->pc) == 1 || (v->label && has_label(v, block));
}

static void each_block(struct view *v, Dwarf_Die *child, scope_fn *fn, void *arg, unsigned depth)
{
	if (dwarf_tag(child) == DW_TAG_lexical_block && is_within(v, child))
		each(v, child, fn, arg, depth + 1);
}

static void each_variable(Dwarf_Die *child, scope_fn *fn, void *arg)
{
	int tag = dwarf_tag(child);
	const char *name = is_variable(tag) ? dwarf_diename(child) : NULL;

	if (name)
		fn(name, child, tag == DW_TAG_formal_parameter, arg);
}

static void each(struct view *v, Dwarf_Die *block, scope_fn *fn, void *arg, unsigned depth)
{
	Dwarf_Die first, child;
	unsigned left;

	if (depth > LIMIT_BLOCKS || dwarf_child(block, &first) != 0)
		return;
	child = first;
	left = v->outermost ? 0 : LIMIT_CHILDREN;
	while (left--) {
		each_block(v, &child, fn, arg, depth);
		if (dwarf_siblingof(&child, &child) != 0)
			break;
	}
	child = first;
	for (left = LIMIT_CHILDREN; left--;) {
		each_variable(&child, fn, arg);
		if (dwarf_siblingof(&child, &child) != 0)
			break;
	}
}

/* Visits a tracepoint's arguments: the function's parameters after its own first one. */
struct after_first {
	scope_fn *fn;
	void *arg;
	bool numbered;
	unsigned passed;
};

static void skip_first(const char *name, Dwarf_Die *die, bool is_param, void *arg)
{
	struct after_first *a = arg;

	if (is_param && a->passed)
		a->fn(a->numbered ? arena_printf("arg%u", a->passed) : name, die, true, a->arg);
	a->passed += is_param;
}

void scope_each(struct view *v, scope_fn *fn, void *arg)
{
	struct after_first a = { fn, arg, v->tracepoint == TRACEPOINT_NUMBERS, 0 };

	if (!v->function.addr)
		return;
	if (v->tracepoint)
		each(v, &v->function, skip_first, &a, 0);
	else
		each(v, &v->function, fn, arg, 0);
}

/* ---- by name ------------------------------------------------------------ */

struct search {
	const char *name;
	Dwarf_Die die;
	bool found;
};

/* Takes the first match, because inner blocks come before the names that they hide. */
static void match(const char *name, Dwarf_Die *die, bool is_param, void *arg)
{
	struct search *s = arg;

	(void)is_param;
	if (!s->found && strcmp(name, s->name) == 0) {
		s->die = *die;
		s->found = true;
	}
}

static bool is_declaration(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool flag = false;

	if (dwarf_attr(die, DW_AT_declaration, &attr))
		dwarf_formflag(&attr, &flag);
	return flag;
}

/* Finds the definition, in another source file, of a variable that this one only declares. */
static bool elsewhere(struct view *v, const char *name, Dwarf_Die *out)
{
	struct dwfile *kernel;
	struct problem ignored = { 0 };

	if (index_find_variable(v->file, name, NULL, out))
		return true;
	if (v->file->is_kernel || v->file->is_user)
		return false;
	kernel = target_file(v->file->target, "kernel", &ignored);
	if (!kernel || !kernel->dw || !index_find_variable(kernel, name, NULL, out))
		return false;
	v->file = kernel;
	return true;
}

/* Is NAME nowhere, by the name index if that is open?  This saves a walk. */
static bool is_nowhere(struct view *v, const char *name)
{
	Dwarf_Die die;

	return v->file->is_kernel && v->file->index &&
	       !index_find_variable(v->file, name, NULL, &die);
}

struct global_search {
	const char *name;
	Dwarf_Die *out;
	unsigned left;
	bool declared;
};

static bool find_in_unit(struct global_search *s, Dwarf_Die *unit, unsigned depth);

/* Searches a unit into which dwz has moved entries that several units share. */
static bool find_imported(struct global_search *s, Dwarf_Die *import, unsigned depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;

	return depth < IMPORTS_MAX && dwarf_attr(import, DW_AT_import, &attr) &&
	       dwarf_formref_die(&attr, &unit) && find_in_unit(s, &unit, depth + 1);
}

static bool find_in_unit(struct global_search *s, Dwarf_Die *unit, unsigned depth)
{
	Dwarf_Die child;

	if (dwarf_child(unit, &child) != 0)
		return false;
	do {
		const char *own;

		if (dwarf_tag(&child) == DW_TAG_imported_unit && find_imported(s, &child, depth))
			return true;
		if (dwarf_tag(&child) != DW_TAG_variable)
			continue;
		own = dwarf_diename(&child);
		if (!own || strcmp(own, s->name) != 0)
			continue;
		if (!is_declaration(&child)) {
			*s->out = child;
			return true;
		}
		s->declared = true;
	} while (s->left && --s->left && dwarf_siblingof(&child, &child) == 0);
	return false;
}

bool scope_find_global(struct view *v, const char *name, Dwarf_Die *out)
{
	struct global_search s = { .name = name, .out = out, .left = LIMIT_CHILDREN * 10 };
	Dwarf_Die cu;

	if (is_nowhere(v, name) || !dwarf_diecu(&v->function, &cu, NULL, NULL))
		return false;
	return find_in_unit(&s, &cu, 0) || (s.declared && elsewhere(v, name, out));
}

bool scope_find(struct view *v, const char *name, Dwarf_Die *out)
{
	struct search s = { .name = name };

	scope_each(v, match, &s);
	if (!s.found)
		return !v->tracepoint && scope_find_global(v, name, out);
	*out = s.die;
	return !is_declaration(&s.die) || elsewhere(v, name, out);
}

static void add_name(const char *name, Dwarf_Die *die, bool is_param, void *arg)
{
	struct variable_names *names = arg;

	(void)die;
	(void)is_param;
	vec_push(names, name);
}

void scope_names(struct view *v, struct variable_names *out)
{
	scope_each(v, add_name, out);
}
