// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds statements: from source lines to addresses.
 *
 * A line's place in a function, or in one of its inlined instances, is the
 * lowest address there that the line table assigns to the line.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/aranges.h"
#include "debuginfo/dwarf/source.h"
#include "debuginfo/symbols/match.h"
#include "places.h"
#include "scopes.h"
#include "session.h"

/* A row of a line table that matches, and its function. */
struct hit {
	size_t scope;
	unsigned line;
	uint64_t addr;
	const char *file;
};

typedef vec(struct hit) hit_list;

struct statements {
	struct search *search;
	const char *text;		/* the query's, without blanks; NULL: any */
	struct scopes scopes;
	hit_list hits;
	/* the lines with code next to one without; 0: none */
	int below, above;
	const char *near_file;
	int near_line;			/* the line asked for */
	/* search by address */
	uint64_t wanted, before;
	struct line_row row;
	bool found;
};

/* ---- by line ---------------------------------------------------------------------- */

static bool is_asked_line(const struct place_query *q, const struct fscope *f, int line)
{
	switch (q->line_kind) {
	case LINE_ABSOLUTE:
		return line == q->line;
	case LINE_RELATIVE:
		return line == (int)f->line + q->line;
	case LINE_LIST:
		for (size_t i = 0; i < q->nlines; i++)
			if (line >= q->lines[i].first && line <= q->lines[i].last)
				return true;
		return false;
	default:
		return true;
	}
}

/*
 * Lines given by number in a function named in full may belong to code inlined
 * there.  With a pattern, they are found in the function where they were
 * written.
 */
static bool is_enough_within(const struct place_query *q)
{
	return (q->line_kind == LINE_ABSOLUTE || q->line_kind == LINE_LIST) && !q->nearest &&
	       !q->text && !is_glob(q->function);
}

/* Wildcards in "operator[]" or "main.Map[...]" are ordinary characters if that is its name. */
static bool is_named(const struct place_query *q, const char *name)
{
	bool glob = is_glob(q->function);

	return match_name(q->function, name, !glob) || (glob && match_name(q->function, name, true));
}

static bool is_asked_text(struct statements *st, const char *file, int line)
{
	const char *text;

	if (!st->text)
		return true;
	text = source_line(st->search->file, file, line);
	if (!text && !st->search->sourceless)
		st->search->sourceless = file;
	return text && match_glob(st->text, source_squeeze(text));
}

static void note_near(struct statements *st, const struct fscope *f, const char *file, int line)
{
	const struct place_query *q = st->search->q;
	int wanted = q->nlines ? q->lines[0].first : q->line;

	if (q->line_kind == LINE_RELATIVE)
		wanted += f->line;
	st->near_line = wanted;
	if (line < wanted && line > st->below)
		st->below = line;
	if (line > wanted && (!st->above || line < st->above))
		st->above = line;
	st->near_file = file;
}

/* Is it a row of no length, left where the compiler moved its code away? */
static bool is_stray(const struct fscope *f, const char *file, unsigned line)
{
	return f->file == file && line < f->line;
}

static bool take_row(void *arg, const struct line_row *r)
{
	struct statements *st = arg;
	const struct place_query *q = st->search->q;
	const struct fscope *f;
	const char *file;

	if (r->end || !r->line)
		return true;
	if (places_full(st->search, st->hits.n))
		return false;
	file = scopes_path(&st->scopes, r->file);
	if (!file || (q->file && !match_path(q->file, file)))
		return true;
	f = scopes_find(&st->scopes, r->addr, file, r->line);
	if (!f)
		return true;
	if (is_stray(f, file, r->line) || !is_named(q, f->name)) {
		f = is_enough_within(q) ? scopes_named(&st->scopes, r->addr, q->function) : NULL;
		if (!f || !is_asked_line(q, f, r->line))
			return true;
	}
	if (is_asked_text(st, file, r->line) && (q->nearest || is_asked_line(q, f, r->line)))
		vec_push(&st->hits, ((struct hit){ f - st->scopes.v.v, r->line, r->addr, file }));
	else
		note_near(st, f, file, r->line);
	return true;
}

static int by_statement(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->scope != y->scope)
		return x->scope < y->scope ? -1 : 1;
	if (x->file != y->file)
		return strcmp(x->file, y->file);
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* ---- the nearest line -------------------------------------------------------------- */

static int distance(const struct hit *h, int line)
{
	return abs((int)h->line - line);
}

/*
 * Returns, of the hits of one function in one file, sorted by line, the one
 * nearest to a line within it; the later of two.
 */
static const struct hit *nearest_hit(struct statements *st, const struct hit *hits, size_t n,
				     int line)
{
	const struct fscope *f = &st->scopes.v.v[hits->scope];
	int first = f->file == hits->file ? (int)f->line : (int)hits->line;
	const struct hit *best = hits;

	if (line < first || line > (int)hits[n - 1].line)
		return NULL;
	for (size_t i = 1; i < n; i++)
		if (distance(&hits[i], line) < distance(best, line) ||
		    (hits[i].line > best->line && distance(&hits[i], line) == distance(best, line)))
			best = &hits[i];
	return best;
}

/* Keeps the nearest hit for each line of the query. */
static void nearest_of_function(struct statements *st, const struct hit *hits, size_t n,
				hit_list *kept)
{
	const struct place_query *q = st->search->q;
	struct line_range one = { q->line, q->line };
	const struct line_range *lines = q->line_kind == LINE_LIST ? q->lines : &one;
	size_t nlines = q->line_kind == LINE_LIST ? q->nlines : 1;

	if (q->line_kind == LINE_RELATIVE)
		one.first = one.last = st->scopes.v.v[hits->scope].line + q->line;
	for (size_t i = 0; i < nlines; i++) {
		int last = lines[i].last < (int)hits[n - 1].line ? lines[i].last
								 : (int)hits[n - 1].line;

		for (int line = lines[i].first; line <= last; line++) {
			const struct hit *h = nearest_hit(st, hits, n, line);

			if (h)
				vec_push(kept, *h);
		}
	}
}

static void keep_nearest(struct statements *st)
{
	hit_list all = st->hits, kept = { 0 };
	size_t end;

	if (st->search->q->line_kind == LINE_WILD)
		return;
	for (size_t i = 0; i < all.n; i = end) {
		for (end = i + 1; end < all.n && all.v[end].scope == all.v[i].scope &&
		     all.v[end].file == all.v[i].file; end++)
			;
		nearest_of_function(st, &all.v[i], end - i, &kept);
	}
	st->hits = kept;
}

/* ---- a unit ------------------------------------------------------------------------ */

static void add_statement(struct statements *st, const struct hit *h)
{
	const struct fscope *f = &st->scopes.v.v[h->scope];

	places_add(st->search, (struct place){
		.function = f->name,
		.file = h->file,
		.line = h->line,
		.function_line = f->file == h->file ? (int)f->line : 0,
		.is_entry = !f->inlined && h->addr == f->entry,
		.is_inline = f->inlined,
	}, h->addr, f->die);
}

static bool statements_of_unit(struct statements *st, uint64_t unit)
{
	st->hits.n = 0;
	if (!scopes_read(&st->scopes, &st->search->file->sects, unit))
		return false;
	if (!st->scopes.have_lines)
		return true;
	if (!lines_walk(&st->scopes.lines, take_row, st))
		return false;
	if (st->hits.n)
		qsort(st->hits.v, st->hits.n, sizeof(*st->hits.v), by_statement);
	if (st->search->q->nearest)
		keep_nearest(st);
	for (size_t i = 0; i < st->hits.n; i++) {
		const struct hit *h = &st->hits.v[i];

		if (!i || h[-1].scope != h->scope || h[-1].file != h->file ||
		    h[-1].line != h->line)
			add_statement(st, h);
	}
	return true;
}

int search_statements(struct search *s, const unsigned char *units)
{
	struct statements st = { .search = s };
	const char *text = s->q->text;
	size_t before = s->found.n;
	bool good = true;

	st.text = text ? source_squeeze(text) : NULL;
	for (size_t u = 0; good && u < index_units(s->ix) && !session_interrupted(); u++) {
		if (!units[u])
			continue;
		good = statements_of_unit(&st, index_unit(s->ix, u)->off);
		dwfile_drop_pages(s->file);
	}
	scopes_release(&st.scopes);
	if (!good && !s->why.text)
		s->why.text = arena_printf("debug information of '%s' is damaged", s->file->path);
	else if (s->found.n == before && s->q->text)
		s->nothing = s->sourceless
			? arena_printf("can't find the source of %s: looked for %s",
				       s->sourceless, source_places(s->file, s->sourceless))
			: "no source line there matches the text";
	else if (s->found.n == before && st.near_file)
		s->nothing = arena_printf(
			"no line records for %s:%d%s%s%s", st.near_file, st.near_line,
			st.below ? arena_printf(" (try :%d", st.below) : "",
			st.above ? arena_printf("%s:%d", st.below ? " or " : " (try ",
						st.above) : "",
			st.below || st.above ? ")" : "");
	return good ? 0 : -1;
}

/* ---- by address ------------------------------------------------------------------- */

/* Finds the row at the address, or the last before it. */
static bool find_row(void *arg, const struct line_row *r)
{
	struct statements *st = arg;

	if (r->end)
		return true;
	if (r->addr == st->wanted) {
		st->row = *r;
		st->found = true;
	} else if (r->addr < st->wanted && r->addr > st->before) {
		st->before = r->addr;
	}
	return true;
}

int search_address(struct search *s, uint64_t addr)
{
	struct statements st = { .search = s, .wanted = addr };
	const struct fscope *f;
	const char *file;
	uint64_t unit;

	aranges_find(s->file, &addr, &unit, 1);
	if (unit == ARANGES_NONE)
		return 0;
	if (!scopes_read(&st.scopes, &s->file->sects, unit) ||
	    (st.scopes.have_lines && !lines_walk(&st.scopes.lines, find_row, &st))) {
		s->why.text = arena_printf("debug information of '%s' is damaged", s->file->path);
		scopes_release(&st.scopes);
		return -1;
	}
	if (st.found) {
		file = scopes_path(&st.scopes, st.row.file);
		f = scopes_find(&st.scopes, addr, file, st.row.line);
		places_add(s, (struct place){
			.function = f ? f->name : "",
			.file = file,
			.line = st.row.line,
			.is_entry = f && !f->inlined && addr == f->entry,
			.is_inline = f && f->inlined,
		}, addr, f ? f->die : 0);
	} else {
		s->nothing = arena_printf("address 0x%llx does not match the beginning of a "
					  "statement%s", (unsigned long long)s->q->address,
					  st.before ? arena_printf(" (try 0x%llx)",
					  (unsigned long long)(s->q->address - (addr - st.before)))
					  : "");
	}
	scopes_release(&st.scopes);
	return 0;
}
