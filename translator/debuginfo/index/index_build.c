// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a name index: one walk over each unit's top-level DIEs, those in its
 * namespaces and classes, and the inlined instances in its functions.
 *
 * A kernel repeats the types of its headers in each of its 2,000 units:
 * millions of DIEs for some ten thousand names.  So names are first looked up
 * by the address of the string, because the linker has merged equal strings,
 * and known types are skipped at once.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/progress.h"
#include "index_builder.h"
#include "session.h"

/* Bytes of .debug_info between two drops of pages. */
#define DROP_STEP (8u << 20)

#define CACHE_SIZE (1u << 16)

#define SCOPES_MAX 64		/* namespaces and classes in each other */

void *index_must(void *p)
{
	if (!p) {
		fputs("ERROR: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

void *heap_grow(void *v, size_t *room, size_t size)
{
	*room = *room ? *room * 2 : 1024;
	return index_must(realloc(v, *room * size));
}

/* ---- strings ------------------------------------------------------------------ */

static uint32_t strings_add(struct strings *t, const char *s)
{
	uint32_t hash = table_hash_string(s);

	table_for_each(&t->table, hash, i)
		if (!strcmp(t->v[i].s, s))
			return i;
	if (t->n == t->room) {
		t->room = t->room ? t->room * 2 : 4096;
		t->v = index_must(realloc(t->v, t->room * sizeof(*t->v)));
	}
	t->v[t->n] = (struct entry){ .s = s, .hash = hash };
	table_add(&t->table, hash, t->n);
	return t->n++;
}

static uint32_t name_id(struct builder *b, const char *s)
{
	size_t slot = ((uintptr_t)s * 0x9e3779b97f4a7c15u >> 40) & (CACHE_SIZE - 1);

	if (b->cache[slot].s != s) {
		b->cache[slot].s = s;
		b->cache[slot].id = strings_add(&b->names, s);
	}
	return b->cache[slot].id;
}

/* Returns the number of a string that is copied if it is new. */
static uint32_t copied_id(struct strings *t, const char *s)
{
	uint32_t n = t->n, id = strings_add(t, s);

	if (t->n > n)
		t->v[id].s = arena_strdup(s);
	return id;
}

/* Returns the id of a name in the current scope: "ns::Class::method". */
static uint32_t scoped_id(struct builder *b, const char *name)
{
	if (!b->scope.len)
		return name_id(b, name);
	b->name.len = 0;
	sbuf_add(&b->name, b->scope.s, b->scope.len);
	sbuf_puts(&b->name, name);
	return copied_id(&b->names, b->name.s);
}

/* Returns the id of the name of a DIE that is declared at another one, if DECLARED isn't 0. */
static uint32_t declared_id(struct builder *b, const char *name, uint64_t declared)
{
	if (!b->scoped || !declared)
		return scoped_id(b, name);
	b->name.len = 0;
	qualified_scope(&b->qualified, b->cu.sects, &b->cu, declared, &b->name);
	if (!b->name.len)
		return name_id(b, name);
	sbuf_puts(&b->name, name);
	return copied_id(&b->names, b->name.s);
}

/* ---- source files --------------------------------------------------------------- */

static uint32_t path_id(struct builder *b, const char *path)
{
	return copied_id(&b->paths, path);
}

/* Returns the path number of a file of the unit's line table. */
static uint32_t unit_file(struct builder *b, unsigned file)
{
	uint32_t id = INDEX_NO_FILE;

	if (!b->lines_read) {
		b->lines_read = true;
		b->lines_good = lines_open(&b->lines, &b->cu);
		if (b->file_ids_room < b->lines.nfiles) {
			b->file_ids_room = b->lines.nfiles * 2;
			b->file_ids = index_must(realloc(b->file_ids, b->file_ids_room *
						   sizeof(*b->file_ids)));
		}
		for (size_t i = 0; i < b->lines.nfiles; i++)
			b->file_ids[i] = 0;
	}
	if (!b->lines_good || file >= b->lines.nfiles)
		return INDEX_NO_FILE;
	if (b->file_ids[file])
		return b->file_ids[file] - 1;
	if (lines_path(&b->lines, file, &b->path))
		id = path_id(b, b->path.s);
	b->file_ids[file] = id + 1;
	return id;
}

/* ---- functions -------------------------------------------------------------------- */

/* Returns the path number of a file of the unit that origins_read() opened. */
static uint32_t other_file(struct builder *b, unsigned file)
{
	return origins_path(&b->origins, file, &b->path) ? path_id(b, b->path.s) : INDEX_NO_FILE;
}

/*
 * Completes a DIE from its DW_AT_abstract_origin or DW_AT_specification, and
 * from that one's, the last of which is *DECLARED; 0: it has none.  Returns the path
 * number of the declaration.
 */
static uint32_t follow_origin(struct builder *b, struct die *d, uint64_t *declared)
{
	uint64_t origin = d->origin;
	uint32_t file = d->decl_line ? unit_file(b, d->decl_file) : INDEX_NO_FILE;
	struct die o;

	*declared = 0;
	for (int hops = 0; origin && hops < 4; hops++) {
		bool own = die_read(&b->cu, origin, &o);

		if (!own && !origins_read(&b->origins, &b->file->sects, origin, &o))
			break;
		if (!d->name)
			d->name = o.name;
		if (!d->decl_line) {
			d->decl_line = o.decl_line;
			file = own ? unit_file(b, o.decl_file) : other_file(b, o.decl_file);
		}
		d->external |= o.external;
		*declared = origin;
		origin = o.origin;
	}
	return file;
}

struct place_row {
	uint64_t addr;
	struct line_row row;
	bool found;
};

static bool row_at(void *arg, const struct line_row *r)
{
	struct place_row *p = arg;

	if (r->addr != p->addr || r->end)
		return true;
	p->row = *r;
	p->found = true;
	return false;
}

/*
 * Assembler functions have no DW_AT_decl_line; takes the line of their first
 * instruction.
 */
static uint32_t line_of_code(struct builder *b, uint64_t addr, struct die *d)
{
	struct place_row p = { .addr = addr };

	unit_file(b, 0);
	if (!b->lines_good || !lines_walk(&b->lines, row_at, &p) || !p.found)
		return INDEX_NO_FILE;
	d->decl_line = p.row.line;
	return unit_file(b, p.row.file);
}

/* Adds a function.  INSIDE: it is in another function, not directly in the current scope. */
static void take_function(struct builder *b, struct die *d, bool inside)
{
	uint32_t unit = b->units.n - 1, name, file;
	uint64_t addr, declared;
	bool code = !d->declaration && die_entry(&b->cu, d, &addr);

	if (!code && !d->inlined)
		return;
	file = follow_origin(b, d, &declared);
	if (!d->name)
		return;
	if (code && !d->decl_line)
		file = line_of_code(b, addr, d);
	name = declared_id(b, d->name, declared ? declared : inside ? d->off : 0);
	b->names.v[name].seen |= SEEN_FUNCTION;
	if (code)
		heap_push(&b->funcs, ((struct index_func){
			.addr = addr, .die = d->off, .unit = unit, .name = name,
			.file = file, .line = d->decl_line,
			.external = d->external }));
	else
		heap_push(&b->inlines, ((struct index_inline){
			.die = d->off, .unit = unit, .name = name,
			.file = file, .line = d->decl_line }));
}

/* ---- types, variables, enumerators ------------------------------------------------- */

static unsigned seen_bit(unsigned tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return SEEN_STRUCT;
	case DW_TAG_union_type:
		return SEEN_UNION;
	case DW_TAG_enumeration_type:
		return SEEN_ENUM;
	case DW_TAG_typedef:
		return SEEN_TYPEDEF;
	default:
		return SEEN_BASE;
	}
}

/* Is this DIE, read by die_peek(), a type that is in the index? */
static bool is_known_type(struct builder *b, const struct die *d)
{
	uint32_t name;

	if (!d->name || d->tag == DW_TAG_subprogram || d->tag == DW_TAG_variable)
		return false;
	name = scoped_id(b, d->name);
	return b->names.v[name].seen & seen_bit(d->tag);
}

static void take_type(struct builder *b, const struct die *d)
{
	unsigned bit = seen_bit(d->tag);
	uint32_t name;

	if (!d->name || d->declaration)
		return;
	name = scoped_id(b, d->name);
	if (b->names.v[name].seen & bit)
		return;
	b->names.v[name].seen |= bit;
	heap_push(&b->types, ((struct index_die){ name, d->off, b->units.n - 1, d->tag }));
}

/*
 * Adds an enumeration's names.  If the first one is known, another unit had the same enumeration.
 */
static void take_enumerators(struct builder *b, const struct die *d)
{
	struct die e;
	uint64_t off = d->next;

	while (d->children && die_read(&b->cu, off, &e) && e.tag) {
		if (e.tag == DW_TAG_enumerator && e.name) {
			uint32_t name = name_id(b, e.name);

			if (b->names.v[name].seen & SEEN_ENUMERATOR) {
				if (off == d->next)
					return;
			} else {
				b->names.v[name].seen |= SEEN_ENUMERATOR;
				heap_push(&b->enumerators, ((struct index_enumerator){
					.value = e.const_value, .name = name }));
			}
		}
		off = die_after(&b->cu, &e);
		if (!off)
			return;
	}
}

static void take_variable(struct builder *b, struct die *d)
{
	uint64_t declared;

	if (d->declaration || (!d->has_location && !d->has_const))
		return;
	follow_origin(b, d, &declared);
	if (d->name)
		heap_push(&b->variables, ((struct index_die){
			declared_id(b, d->name, declared), d->off, b->units.n - 1, d->tag }));
}

/* ---- the walk ----------------------------------------------------------------------- */

static bool is_wanted(unsigned tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_enumeration_type:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_typedef:
	case DW_TAG_base_type:
	case DW_TAG_variable:
		return true;
	default:
		return false;
	}
}

static void take(struct builder *b, struct die *d)
{
	switch (d->tag) {
	case DW_TAG_subprogram:
		take_function(b, d, false);
		break;
	case DW_TAG_variable:
		take_variable(b, d);
		break;
	case DW_TAG_enumeration_type:
		take_enumerators(b, d);
		take_type(b, d);
		break;
	default:
		take_type(b, d);
	}
}

/*
 * Collects the instances inlined into a function, whose DIEs end at END, and the methods of
 * its local classes.  Children follow their parent, so no recursion is needed.
 */
static bool walk_body(struct builder *b, const struct die *function, uint64_t end)
{
	struct die d;
	uint64_t addr;

	for (uint64_t at = function->next; at < end; at = d.next) {
		if (!die_peek(&b->cu, at, &d))
			return false;
		if (d.tag != DW_TAG_inlined_subroutine &&
		    !(b->scoped && d.tag == DW_TAG_subprogram))
			continue;
		if (!die_read(&b->cu, at, &d))
			return false;
		if (d.tag == DW_TAG_subprogram)
			take_function(b, &d, true);
		else if (d.origin && d.origin <= UINT32_MAX && die_entry(&b->cu, &d, &addr))
			heap_push(&b->instances, ((struct seen_instance){
				.addr = addr, .die = at, .origin = d.origin }));
	}
	return true;
}

static bool has_body(const struct builder *b, const struct die *d)
{
	return !b->part && d->tag == DW_TAG_subprogram && d->children &&
	       (d->has_low || d->has_ranges);
}

static uint64_t walk_list(struct builder *b, uint64_t at, unsigned depth);

/* Walks what is declared in a namespace or class.  Returns the offset behind it. */
static uint64_t walk_scope(struct builder *b, const struct die *d, unsigned depth)
{
	size_t before = b->scope.len;
	uint64_t after;

	if (!d->children)
		return d->next;
	if (depth == SCOPES_MAX)
		return die_after(&b->cu, d);
	if (d->name || d->tag == DW_TAG_namespace)
		sbuf_printf(&b->scope, "%s::", d->name ? d->name : "(anonymous namespace)");
	after = walk_list(b, d->next, depth + 1);
	if (b->scope.s)
		b->scope.s[b->scope.len = before] = 0;
	return after;
}

/* Takes a DIE and what belongs to it.  Returns the offset behind it; 0: it is damaged. */
static uint64_t walk_die(struct builder *b, struct die *d, unsigned depth)
{
	bool inside = false;
	uint64_t after;

	if (b->scoped && d->tag == DW_TAG_namespace) {
		inside = die_read(&b->cu, d->off, d);
		if (!inside)
			return 0;
	} else if (is_wanted(d->tag) && !is_known_type(b, d)) {
		if (!die_read(&b->cu, d->off, d))
			return 0;
		take(b, d);
		inside = b->scoped && tag_is_scope(d->tag);
	}
	if (inside)
		return walk_scope(b, d, depth);
	after = die_after(&b->cu, d);
	return after && has_body(b, d) && !walk_body(b, d, after) ? 0 : after;
}

/* Walks a list of siblings.  Returns the offset behind its end; 0: it is damaged. */
static uint64_t walk_list(struct builder *b, uint64_t at, unsigned depth)
{
	struct die d;

	while (at && at < b->cu.end) {
		if (!die_peek(&b->cu, at, &d))
			return 0;
		if (!d.tag)
			return d.next;
		at = walk_die(b, &d, depth);
	}
	return at;
}

static bool walk_unit(struct builder *b, uint64_t off)
{
	struct die d;

	if (!cu_open(&b->cu, &b->file->sects, off))
		return false;
	b->lines_read = false;
	b->scoped = language_has_scopes(b->cu.language);
	heap_push(&b->units, ((struct index_unit){ .off = off }));
	b->units.v[b->units.n - 1].file = unit_file(b, 0);
	return die_read(&b->cu, b->cu.first, &d) && (!d.children || walk_list(b, d.next, 0));
}

static bool damaged(struct builder *b, uint64_t off, struct problem *why)
{
	why->text = arena_printf("debug information of '%s' is damaged (unit at 0x%llx of "
			    ".debug_info)", b->file->path, (unsigned long long)off);
	return false;
}

static bool walk_all(struct builder *b, struct problem *why)
{
	uint64_t dropped = 0;

	for (uint64_t off = 0; off < b->file->sects.info.n; off = b->cu.end) {
		if (session_interrupted()) {
			why->text = "interrupted";
			return false;
		}
		if (off > UINT32_MAX || !walk_unit(b, off))
			return damaged(b, off, why);
		progress("Indexing the names of %s: %u %%", b->file->path,
			 (unsigned)(off * 100 / b->file->sects.info.n));
		if (off - dropped > DROP_STEP) {
			dwfile_drop_pages(b->file);
			dropped = off;
		}
	}
	dwfile_drop_pages(b->file);
	return true;
}

static bool walk_some(struct builder *b, const uint64_t *units, size_t n, struct problem *why)
{
	for (size_t i = 0; i < n; i++)
		if (units[i] > UINT32_MAX || !walk_unit(b, units[i]))
			return damaged(b, units[i], why);
	return true;
}

static void release(struct builder *b)
{
	cu_release(&b->cu);
	lines_release(&b->lines);
	origins_release(&b->origins);
	sbuf_free(&b->path);
	sbuf_free(&b->scope);
	sbuf_free(&b->name);
	qualified_release(&b->qualified);
	free(b->cache);
	free(b->file_ids);
	free(b->names.v);
	free(b->paths.v);
	free(b->funcs.v);
	free(b->inlines.v);
	free(b->instances.v);
	free(b->units.v);
	free(b->types.v);
	free(b->variables.v);
	free(b->enumerators.v);
}

/* Builds the index of the N units at these offsets, or of all units if UNITS is NULL. */
static struct index_header *build(struct dwfile *f, const uint64_t *units, size_t n,
				  struct problem *why)
{
	struct builder b = { .file = f, .part = units };
	struct index_header *h = NULL;

	b.cache = index_must(calloc(CACHE_SIZE, sizeof(*b.cache)));
	path_id(&b, "");	/* INDEX_NO_FILE */
	if (units ? walk_some(&b, units, n, why) : walk_all(&b, why)) {
		h = index_lay_out(&b);
		if (!h)
			why->text = arena_printf("debug information of '%s' is too large", f->path);
	}
	release(&b);
	return h;
}

struct index_header *index_build(struct dwfile *f, struct problem *why)
{
	struct index_header *h = build(f, NULL, 0, why);

	progress_end();
	return h;
}

struct index_header *index_build_units(struct dwfile *f, const uint64_t *units, size_t n,
				       struct problem *why)
{
	return build(f, units, n, why);
}
