// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds functions of a unit by address.
 *
 * DIEs are in source order, and inlined instances follow their function.  So
 * one pass suffices, and the scopes of a function that cover an address, in
 * this order, are the chain of inlined calls there.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/symbols/match.h"
#include "scopes.h"

const char *scopes_path(struct scopes *s, unsigned file)
{
	struct sbuf path = { 0 };

	if (!s->have_lines || file >= s->lines.nfiles)
		return NULL;
	if (!s->paths[file] && lines_path(&s->lines, file, &path))
		s->paths[file] = intern(sbuf_str(&path));
	sbuf_free(&path);
	return s->paths[file];
}

static bool add_range(void *arg, uint64_t low, uint64_t high)
{
	struct scopes *s = arg;

	if (low < high)
		vec_push(&s->ranges, ((struct code_range){ low, high, s->v.n }));
	return true;
}

static const char *other_path(struct scopes *s, unsigned file)
{
	struct sbuf path = { 0 };
	const char *found = origins_path(&s->origins, file, &path) ? intern(sbuf_str(&path)) : NULL;

	sbuf_free(&path);
	return found;
}

/* Puts the names of namespaces and classes around the declaration in front of the name. */
static void qualify(struct scopes *s, uint64_t declaration, struct fscope *f)
{
	struct sbuf name = { 0 };

	qualified_scope(&s->qualified, s->cu.sects, &s->cu, declaration, &name);
	if (name.len) {
		sbuf_puts(&name, f->name);
		f->name = intern(name.s);
	}
	sbuf_free(&name);
}

/* Sets name and declaration, from the DIE or from its origin. */
static void describe(struct scopes *s, const struct die *d, struct fscope *f)
{
	struct die o = *d;
	uint64_t declaration = d->off;
	bool own = true;

	for (int hops = 0; hops < 4; hops++) {
		uint64_t origin = o.origin;

		if (!f->name)
			f->name = o.name;
		if (!f->line && o.decl_line) {
			f->line = o.decl_line;
			f->file = own ? scopes_path(s, o.decl_file) : other_path(s, o.decl_file);
		}
		if (!origin)
			break;
		own = die_read(&s->cu, origin, &o);
		if (!own && !origins_read(&s->origins, s->cu.sects, origin, &o))
			break;
		declaration = origin;
	}
	if (f->name && language_has_scopes(s->cu.language))
		qualify(s, declaration, f);
}

static void add_scope(struct scopes *s, const struct die *d)
{
	struct fscope f = {
		.die = d->off,
		.inlined = d->tag == DW_TAG_inlined_subroutine,
		.first_range = s->ranges.n,
	};

	if (d->declaration || !die_entry(&s->cu, d, &f.entry) ||
	    !die_ranges(&s->cu, d, add_range, s))
		return;
	describe(s, d, &f);
	f.nranges = s->ranges.n - f.first_range;
	if (!f.name)
		return;
	for (size_t i = 0; !f.inlined && i < f.nranges; i++)
		vec_push(&s->functions, s->ranges.v[f.first_range + i]);
	vec_push(&s->v, f);
}

static int by_low(const void *a, const void *b)
{
	const struct code_range *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

bool scopes_read(struct scopes *s, const struct dwsects *sects, uint64_t unit)
{
	struct die d;
	size_t end;

	s->v.n = s->ranges.n = s->functions.n = 0;
	if (!cu_open(&s->cu, sects, unit))
		return false;
	s->have_lines = lines_open(&s->lines, &s->cu);
	s->paths = arena_alloc((s->lines.nfiles + 1) * sizeof(*s->paths));
	for (uint64_t at = s->cu.first; at < s->cu.end; at = d.next) {
		if (!die_peek(&s->cu, at, &d))
			return false;
		if (d.tag != DW_TAG_subprogram && d.tag != DW_TAG_inlined_subroutine)
			continue;
		if (!die_read(&s->cu, at, &d))
			return false;
		add_scope(s, &d);
	}
	end = s->v.n;
	for (size_t i = s->v.n; i-- > 0; ) {
		s->v.v[i].end = end;
		if (!s->v.v[i].inlined)
			end = i;
	}
	if (s->functions.n)
		qsort(s->functions.v, s->functions.n, sizeof(*s->functions.v), by_low);
	return true;
}

void scopes_release(struct scopes *s)
{
	cu_release(&s->cu);
	lines_release(&s->lines);
	origins_release(&s->origins);
	qualified_release(&s->qualified);
}

static bool covers(const struct scopes *s, const struct fscope *f, uint64_t pc)
{
	for (size_t i = 0; i < f->nranges; i++) {
		const struct code_range *r = &s->ranges.v[f->first_range + i];

		if (pc >= r->low && pc < r->high)
			return true;
	}
	return false;
}

/* Returns the function whose code contains an address, or NULL. */
static const struct fscope *function_at(const struct scopes *s, uint64_t pc)
{
	size_t low = 0, high = s->functions.n;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct code_range *r = &s->functions.v[mid];

		if (pc < r->low)
			high = mid;
		else if (pc >= r->high)
			low = mid + 1;
		else
			return &s->v.v[r->scope];
	}
	return NULL;
}

const struct fscope *scopes_find(const struct scopes *s, uint64_t pc, const char *file,
				 unsigned line)
{
	const struct fscope *function = function_at(s, pc), *best = NULL, *inner = function;

	if (!function)
		return NULL;
	for (const struct fscope *f = function; f < &s->v.v[function->end]; f++) {
		if (!covers(s, f, pc))
			continue;
		inner = f;
		if (f->file == file && f->line <= line && (!best || f->line >= best->line))
			best = f;
	}
	if (best)
		return best;
	return function->file == file ? function : inner;
}

const struct fscope *scopes_named(const struct scopes *s, uint64_t pc, const char *name)
{
	const struct fscope *function = function_at(s, pc);

	for (const struct fscope *f = function; f && f < &s->v.v[function->end]; f++)
		if (match_name(name, f->name, true) && covers(s, f, pc))
			return f;
	return NULL;
}
