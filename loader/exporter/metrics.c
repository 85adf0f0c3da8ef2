// SPDX-License-Identifier: GPL-2.0-or-later
/* Puts the lines of pages together (metrics.h). */
#include "metrics.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"

/* ---- families ---- */

/* Returns the slot that has the family of a name, or is free for it. */
static size_t *find_slot(const struct metrics *m, struct span name)
{
	size_t i = table_hash(name.p, name.n);

	while (m->slots[i & (m->nslots - 1)] &&
	       !span_equal(m->families[m->slots[i & (m->nslots - 1)] - 1].name, name))
		i++;
	return &m->slots[i & (m->nslots - 1)];
}

/* Makes an array longer if it is full.  Returns false if there is no memory. */
static bool make_room(void *array, size_t n, size_t *room, size_t size)
{
	void **v = array, *more;
	size_t wanted = *room ? 2 * *room : 64;

	if (n < *room)
		return true;
	more = realloc(*v, wanted * size);
	if (!more)
		return false;
	*v = more;
	*room = wanted;
	return true;
}

/* Makes room for one more family: at most half of the slots are taken. */
static bool make_slots(struct metrics *m)
{
	size_t wanted = m->nslots ? 2 * m->nslots : 256, *old = m->slots;

	if (2 * (m->nfamilies + 1) <= m->nslots)
		return true;
	m->slots = calloc(wanted, sizeof(*m->slots));
	if (!m->slots) {
		m->slots = old;
		return false;
	}
	free(old);
	m->nslots = wanted;
	for (size_t i = 0; i < m->nfamilies; i++)
		*find_slot(m, m->families[i].name) = i + 1;
	return true;
}

/* Returns the family of this name, a new one if there is none; NULL without memory. */
static struct metrics_family *take_family(struct metrics *m, struct span name)
{
	size_t *slot;

	if (!make_slots(m) || !make_room(&m->families, m->nfamilies, &m->family_room, sizeof(*m->families)))
		return NULL;
	slot = find_slot(m, name);
	if (!*slot) {
		m->families[m->nfamilies] = (struct metrics_family){
			name, .first = METRICS_NONE, .last = METRICS_NONE };
		*slot = ++m->nfamilies;
	}
	return &m->families[*slot - 1];
}

const struct metrics_family *metrics_family(const struct metrics *m, struct span name)
{
	size_t slot = m->nslots ? *find_slot(m, name) : 0;

	return slot && m->families[slot - 1].first != METRICS_NONE ? &m->families[slot - 1] : NULL;
}

/*
 * Returns the family of a line: lines of the histogram "time" are called time_bucket, time_sum and
 * time_count, those of a summary time_sum and time_count too.
 */
static struct metrics_family *family_of_line(struct metrics *m, struct span name)
{
	static const char *const ends[] = { "_bucket", "_sum", "_count" };

	for (size_t i = 0; m->nslots && i < sizeof(ends) / sizeof(*ends); i++) {
		struct span end = { ends[i], strlen(ends[i]) }, type = { 0 };
		size_t slot;

		if (!span_ends(name, end))
			continue;
		slot = *find_slot(m, (struct span){ name.p, name.n - end.n });
		if (slot && m->families[slot - 1].type.p)
			type = m->families[slot - 1].type;
		if (type.p && (span_is(type, "histogram") || span_is(type, "summary")))
			return &m->families[slot - 1];
	}
	return take_family(m, name);
}

/* ---- a page ---- */

static bool is_own(struct span name)
{
	return name.n >= strlen(METRICS_OWN) && !memcmp(name.p, METRICS_OWN, strlen(METRICS_OWN));
}

static void leave_out(struct metrics_page *page, size_t line, const char *why)
{
	if (!page->left_out++) {
		page->line = line;
		page->why = why;
	}
}

static bool is_type(struct span type)
{
	static const char *const types[] = { "counter", "gauge", "histogram", "summary", "untyped" };

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (span_is(type, types[i]))
			return true;
	return false;
}

/* A metric's name ends in its unit; only _total may follow. */
static bool is_unit(struct span unit, struct span name)
{
	static const struct span total = { "_total", 6 };

	if (span_ends(name, total) && !span_ends(name, unit))
		name.n -= total.n;
	return unit.n && span_ends(name, unit) && name.p[name.n - unit.n - 1] == '_';
}

/*
 * Reads what follows "# ": the first HELP, TYPE and UNIT of a metric count, TYPE only before its values.
 * Returns false if there is no memory left.
 */
static bool add_comment(struct metrics *m, struct metrics_page *page, size_t number, struct span left)
{
	struct span what, name;
	struct metrics_family *family;

	line_skip_blanks(&left);
	what = line_take_word(&left);
	name = line_take_name(&left, true);
	if (!name.n || (!span_is(what, "HELP") && !span_is(what, "TYPE") && !span_is(what, "UNIT")) ||
	    (left.n && *left.p != ' ' && *left.p != '\t') || (is_own(name) && !page->own))
		return true;
	line_skip_blanks(&left);
	if (!page->own && !(m->nslots && *find_slot(m, name)) && page->named++ >= METRICS_SERIES) {
		leave_out(page, number, "too many metrics");
		return true;
	}
	family = take_family(m, name);
	if (!family)
		return false;
	if (span_is(what, "HELP")) {
		if (!family->help.p)
			family->help = left;
		return true;
	}
	left = line_take_word(&left);
	if (span_is(what, "UNIT") && !is_unit(left, name))
		leave_out(page, number, "a unit in which the metric's name doesn't end");
	else if (span_is(what, "UNIT") && !family->unit.p)
		family->unit = left;
	else if (span_is(what, "TYPE") && is_type(left) && !family->type.p && family->first == METRICS_NONE)
		family->type = left;
	return true;
}

/* Adds a line to a family.  Returns false if there is no memory left. */
static bool add_series(struct metrics *m, struct metrics_family *family, const struct metrics_series *s)
{
	if (!make_room(&m->series, m->nseries, &m->series_room, sizeof(*m->series)))
		return false;
	m->series[m->nseries] = *s;
	if (family->first == METRICS_NONE)
		family->first = m->nseries;
	else
		m->series[family->last].next = m->nseries;
	family->last = m->nseries++;
	return true;
}

/* Adds a line that has no newline any more.  Returns false if there is no memory left. */
static bool add_line(struct metrics *m, struct metrics_page *page, size_t number, struct span line)
{
	struct metrics_series s = { .script = page->script, .next = METRICS_NONE };
	struct metrics_family *family;
	const char *why;

	line_skip_blanks(&line);
	while (line.n && memchr(" \t\r", line.p[line.n - 1], 3))
		line.n--;
	if (!line.n)
		return true;
	if (line_take_char(&line, '#'))
		return add_comment(m, page, number, line);
	why = line_read(line, page->script, &s.line);
	if (!why && !page->own && is_own(s.line.name))
		why = "the name is one of stap-exporter's own";
	if (!why && !page->own && (page->series == METRICS_SERIES || m->nseries >= METRICS_ALL_SERIES))
		why = "too many series";
	if (why) {
		leave_out(page, number, why);
		return true;
	}
	family = family_of_line(m, s.line.name);
	if (!family)
		return false;
	if (family->type.p && span_is(family->type, "histogram") && span_equal(family->name, s.line.name)) {
		leave_out(page, number, "a histogram's line that is not its _bucket, _sum or _count");
		return true;
	}
	if (s.line.exemplar.why)
		leave_out(page, number, s.line.exemplar.why);
	page->series++;
	return add_series(m, family, &s);
}

bool metrics_add(struct metrics *m, struct metrics_page *page)
{
	const char *p = page->text, *end = p + page->len;
	size_t number = 0;

	while (p < end) {
		const char *newline = memchr(p, '\n', end - p);

		number++;
		if (!newline) {
			leave_out(page, number, "the page ends within the line");
			return true;
		}
		if (!add_line(m, page, number, (struct span){ p, newline - p }))
			return false;
		p = newline + 1;
	}
	return true;
}

void metrics_free(struct metrics *m)
{
	free(m->families);
	free(m->series);
	free(m->slots);
	*m = (struct metrics){ 0 };
}
