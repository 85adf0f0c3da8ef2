// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Callees: functions that are inlined into a function, and those it calls.
 *
 * A function's DIE contains a DW_TAG_inlined_subroutine for each inlined body,
 * and a DW_TAG_call_site for each call, with the return address and, if it is
 * known, the function called.  A call is probed at the call instruction, where
 * the arguments are already in place for the callee; so calls from elsewhere
 * are not seen, and no stack has to be examined.
 *
 * A tail call is a jump.  It is probed at the jump; the callee then returns to
 * the caller's caller, so its return can't be attributed to the caller.  Other
 * returns are attributed by the address they go to.
 */
#include "callees.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "debuginfo/symbols/match.h"

enum { FUNCTIONS_MAX = 20000 };	/* functions to examine, at any depth */

/* A function, or an inlined instance, whose callees are wanted. */
struct caller {
	struct place place;
	Dwarf_Off die;	/* of its DIE */
	unsigned depth;			/* depth of its callees */
};

struct calls {
	struct search *search;
	vec(struct caller) callers;	/* all so far; those at the end are still to be walked */
	const struct caller *now;
};

static void note_caller(struct calls *c, const struct place *p, Dwarf_Off die, unsigned depth)
{
	if (depth > c->search->q->depth || c->callers.n == FUNCTIONS_MAX)
		return;
	for (size_t i = 0; i < c->callers.n; i++)
		if (c->callers.v[i].die == die)
			return;
	vec_push(&c->callers, ((struct caller){ *p, die, depth }));
}

static bool is_asked(const struct place_query *q, const struct place *p)
{
	return match_name(q->callee, p->function, false) &&
	       (!q->callee_file || (p->file && match_path(q->callee_file, p->file))) &&
	       (!q->callee_line || q->callee_line == p->line);
}

/* Makes the place of a callee of the current function. */
static struct place callee_place(const struct calls *c, uint32_t name, uint32_t file, int line)
{
	return (struct place){
		.function = index_name(c->search->ix, name),
		.file = index_path(c->search->ix, file),
		.line = line,
		.caller = c->now->place.function,
		.caller_file = c->now->place.file,
		.caller_line = c->now->place.line,
	};
}

/* Finds a function's name in the index. */
static bool lookup(struct search *s, Dwarf_Die *function, uint32_t *name)
{
	const char *text = dwfile_name(s->file, function);

	return text && index_lookup(s->ix, text, name);
}

/* ---- inlined ------------------------------------------------------------ */

static void take_inlined(struct calls *c, Dwarf_Die *instance)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	uint32_t name;
	Dwarf_Addr pc;
	size_t n;

	if (!dwarf_attr(instance, DW_AT_abstract_origin, &attr) ||
	    !dwarf_formref_die(&attr, &origin) || dwarf_entrypc(instance, &pc) != 0 ||
	    !lookup(c->search, &origin, &name))
		return;

	const struct index_inline *in = index_inlines(c->search->ix, name, &n);

	for (size_t i = 0; i < n; i++) {
		struct place p;

		if (in[i].die != dwarf_dieoffset(&origin))
			continue;
		p = callee_place(c, name, in[i].file, in[i].line);
		p.is_inline = true;
		if (is_asked(c->search->q, &p))
			places_add(c->search, p, pc, dwarf_dieoffset(instance));
		note_caller(c, &p, dwarf_dieoffset(instance), c->now->depth + 1);
		return;
	}
}

/* ---- called ------------------------------------------------------------- */

/* Finds the function of this name that a unit calls: its own, or the external one. */
static const struct index_func *function_called(struct search *s, uint32_t name, Dwarf_Off origin)
{
	size_t n;
	const struct index_func *fn = index_funcs(s->ix, name, &n), *found = NULL;

	for (size_t i = 0; i < n; i++) {
		uint64_t unit = index_unit(s->ix, fn[i].unit)->off;
		uint64_t next = fn[i].unit + 1 < index_units(s->ix)
				? index_unit(s->ix, fn[i].unit + 1)->off : UINT64_MAX;

		if (origin >= unit && origin < next)
			return &fn[i];
		if (fn[i].external || n == 1)
			found = &fn[i];
	}
	return found;
}

static bool flag(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	bool set;

	return dwarf_attr(die, name, &attr) && dwarf_formflag(&attr, &set) == 0 && set;
}

/* A DW_TAG_call_site. */
struct call {
	bool is_jump;			/* a tail call: the callee returns to the caller's caller */
	Dwarf_Addr back;		/* return address */
	Dwarf_Die origin;		/* the callee's DIE */
};

static bool read_call_site(Dwarf_Die *site, struct call *call)
{
	bool gnu = dwarf_tag(site) == DW_TAG_GNU_call_site;
	Dwarf_Attribute at, to;

	call->is_jump = flag(site, gnu ? DW_AT_GNU_tail_call : DW_AT_call_tail_call);
	return dwarf_attr(site, gnu ? DW_AT_low_pc : DW_AT_call_return_pc, &at) &&
	       dwarf_formaddr(&at, &call->back) == 0 &&
	       dwarf_attr(site, gnu ? DW_AT_abstract_origin : DW_AT_call_origin, &to) &&
	       dwarf_formref_die(&to, &call->origin);
}

/* Returns the address of the call instruction, or 0 if it is of an unknown kind. */
static uint64_t instruction_of(struct dwfile *f, const struct call *call)
{
	const struct section *sect = dwfile_section(f, call->back - 1);
	uint64_t offset;
	unsigned size;

	if (!sect || !sect->data)
		return 0;
	offset = call->back - sect->addr;
	size = (call->is_jump ? f->arch->jump_before : f->arch->call_before)(sect->data, offset);
	return size ? call->back - size : 0;
}

/* Adds the call instruction as a place.  Its scope is the callee's entry. */
static void add_call(struct search *s, struct place p, const struct call *call,
		     const struct index_func *fn)
{
	uint64_t pc = instruction_of(s->file, call);
	size_t before = s->found.n;

	if (pc)
		places_add(s, p, pc, fn->die);
	if (s->found.n > before) {
		struct scope *scope = s->found.v[before].scope;

		scope->pc = fn->addr;
		scope->at_entry = true;
		scope->calling = !call->is_jump;
	}
}

/* Probes the callee's return only when it returns to this call site. */
static void add_call_return(struct search *s, struct place p, const struct call *call,
			    const struct index_func *fn)
{
	const struct section *sect = dwfile_section(s->file, call->back);
	bool relative = !s->file->is_kernel;

	if (call->is_jump || !sect)
		return;
	p.is_entry = true;
	if (s->file->is_program) {
		if (!program_offset(s->file, call->back, &p.returns_to))
			return;
	} else {
		p.returns_to = relative ? call->back - sect->addr : call->back;
		p.returns_section = relative ? sect->name : NULL;
	}
	places_add(s, p, fn->addr, fn->die);
}

static void take_call(struct calls *c, Dwarf_Die *site)
{
	struct search *s = c->search;
	const struct index_func *fn;
	struct call call;
	struct place p;
	uint32_t name;

	if (!read_call_site(site, &call) || !lookup(s, &call.origin, &name))
		return;
	fn = function_called(s, name, dwarf_dieoffset(&call.origin));
	if (!fn)
		return;
	p = callee_place(c, name, fn->file, fn->line);
	if (is_asked(s->q, &p))
		(s->q->to_return ? add_call_return : add_call)(s, p, &call, fn);
	note_caller(c, &p, fn->die, c->now->depth + 1);
}

/* ---- the walk ----------------------------------------------------------- */

static void walk(struct calls *c, Dwarf_Die *block, unsigned depth)
{
	unsigned left = LIMIT_CHILDREN;
	Dwarf_Die child;

	if (depth > LIMIT_BLOCKS || dwarf_child(block, &child) != 0)
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_inlined_subroutine:
			if (!c->search->q->called)
				take_inlined(c, &child);
			break;
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			take_call(c, &child);
			break;
		case DW_TAG_lexical_block:
			walk(c, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (--left && dwarf_siblingof(&child, &child) == 0);
}

void callees_replace(struct search *s, size_t first)
{
	struct calls c = { .search = s };
	Dwarf_Die die;

	for (size_t i = first; i < s->found.n; i++)
		if (s->found.v[i].scope)
			note_caller(&c, &s->found.v[i], s->found.v[i].scope->die, 1);
	s->found.n = first;
	for (size_t i = 0; i < c.callers.n; i++) {
		struct caller now = c.callers.v[i];	/* a copy: the list may grow and move */

		c.now = &now;
		if (dwfile_die(s->file, now.die, &die))
			walk(&c, &die, 0);
	}
}
