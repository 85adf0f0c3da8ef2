// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sums of hosts' objects (sums.h).
 *
 * The lines are stapio's (sinks/json.c), read as strictly as it writes them: of a line that is
 * otherwise, since a host may send anything, nothing is taken. What names an element is its text from
 * "name" to the end of "key".
 */
#include "remote/sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/printable.h"
#include "base/table.h"
#include "base/vec.h"
#include "remote/host.h"

enum {
	ELEMENTS_MOST = 1 << 18,	/* more are not taken, but printed */
	BUCKETS_MOST = 4096,		/* of a histogram */
	KEPT_MOST = 256 << 20,		/* bytes of all names, keys and values */
};

/* What a host has printed of an element: a number is the sum of one part. */
struct reading {
	const struct host *host;
	struct reading *next;
	struct part *parts;		/* malloc'ed */
	size_t n;
};

struct element {
	const char *id;			/* "name":"reads","key":["cat"] */
	enum kind kind;
	struct reading *readings;	/* at most one of a host */
};

static vec(struct element) elements;
static struct table by_id;
static size_t kept_bytes;		/* of them */

/* ---- reading ---- */

static bool eat(const char **p, const char *text)
{
	size_t n = strlen(text);

	if (strncmp(*p, text, n))
		return false;
	*p += n;
	return true;
}

static bool eat_number(const char **p, int64_t *n)
{
	char *behind;

	if (!strchr("-0123456789", **p))
		return false;
	errno = 0;
	*n = strtoll(*p, &behind, 10);
	if (errno || behind == *p)
		return false;
	*p = behind;
	return true;
}

static bool eat_string(const char **p)
{
	if (!eat(p, "\""))
		return false;
	while (**p && **p != '"')
		*p += **p == '\\' && (*p)[1] ? 2 : 1;
	return eat(p, "\"");
}

/* [STRING-OR-NUMBER,…] */
static bool eat_key(const char **p)
{
	int64_t n;

	if (!eat(p, "["))
		return false;
	do {
		if (!eat_string(p) && !eat_number(p, &n))
			return false;
	} while (eat(p, ","));
	return eat(p, "]");
}

/* {"min":N,"max":N,"count":N,"sum":N,"avg":N}, in any order, with any of them. */
static bool eat_part(const char **p, struct part *part)
{
	int64_t avg;
	bool good;

	*part = (struct part){ 0 };
	if (!eat(p, "{"))
		return false;
	do {
		if (eat(p, "\"min\":"))
			good = part->has_min = eat_number(p, &part->min);
		else if (eat(p, "\"max\":"))
			good = part->has_max = eat_number(p, &part->max);
		else if (eat(p, "\"count\":"))
			good = eat_number(p, &part->count);
		else if (eat(p, "\"sum\":"))
			good = eat_number(p, &part->sum);
		else
			good = eat(p, "\"avg\":") && eat_number(p, &avg);
	} while (good && eat(p, ","));
	return good && eat(p, "}");
}

static bool eat_histogram(const char **p, struct reading *r)
{
	size_t room = 0;

	if (!eat(p, "["))
		return false;
	if (eat(p, "]"))
		return true;
	do {
		if (r->n == BUCKETS_MOST)
			return false;
		if (r->n == room) {
			struct part *more = realloc(r->parts, (room = 2 * room + 16) * sizeof(*more));

			if (!more)
				return false;
			r->parts = more;
		}
		if (!eat_part(p, &r->parts[r->n++]))
			return false;
	} while (eat(p, ","));
	return eat(p, "]");
}

/* What follows the name and the key. */
static bool eat_value(const char **p, enum kind *kind, struct reading *r)
{
	if (eat(p, ",\"histogram\":")) {
		*kind = HISTOGRAM;
		return eat_histogram(p, r);
	}
	r->parts = calloc(r->n = 1, sizeof(*r->parts));
	if (!r->parts || !eat(p, ",\"value\":"))
		return false;
	*kind = **p == '{' ? STATISTIC : NUMBER;
	return *kind == STATISTIC ? eat_part(p, r->parts) : eat_number(p, &r->parts->sum);
}

/* ---- elements ---- */

static struct element *find(const char *id, size_t n, enum kind kind)
{
	uint32_t hash = table_hash(id, n);

	table_for_each(&by_id, hash, i)
		if (elements.v[i].kind == kind && !strncmp(elements.v[i].id, id, n) && !elements.v[i].id[n])
			return &elements.v[i];
	if (elements.n == ELEMENTS_MOST || n > KEPT_MOST - kept_bytes)
		return NULL;
	kept_bytes += n;
	vec_push(&elements, ((struct element){ .id = arena_strndup(id, n), .kind = kind }));
	table_add(&by_id, hash, elements.n - 1);
	return &elements.v[elements.n - 1];
}

/* Keeps what the host has printed, in the place of what it did before. */
static bool keep(struct element *e, const struct reading *new)
{
	struct reading *r = e->readings;
	size_t bytes = sizeof(*r) + new->n * sizeof(*new->parts);

	while (r && r->host != new->host)
		r = r->next;
	if (bytes > KEPT_MOST - kept_bytes)
		return false;
	kept_bytes += bytes - (r ? sizeof(*r) + r->n * sizeof(*r->parts) : 0);
	if (!r) {
		r = calloc(1, sizeof(*r));
		if (!r)
			return false;
		r->next = e->readings;
		e->readings = r;
	}
	free(r->parts);
	r->host = new->host;
	r->parts = new->parts;
	r->n = new->n;
	return true;
}

/* stapio escapes what isn't: a host that has sent such bytes means them for a terminal. */
static bool is_printable(const char *text, size_t n)
{
	char *shown = printable(text, n, "");
	bool same = shown && strlen(shown) == n && !memcmp(shown, text, n);

	free(shown);
	return same;
}

bool sums_take(const struct host *h, const char *line)
{
	/* Within a string the quotes would be escaped. */
	const char *p = strstr(line, ",\"name\":\""), *id = p ? p + 1 : NULL;
	struct reading r = { .host = h };
	struct element *e = NULL;
	enum kind kind;
	size_t n = 0;
	bool good = p && eat(&p, ",\"name\":") && eat_string(&p) && (!eat(&p, ",\"key\":") || eat_key(&p));

	if (good) {
		n = p - id;
		good = is_printable(id, n) && eat_value(&p, &kind, &r) && !strcmp(p, "}\n");
	}
	if (good)
		e = find(id, n, kind);
	if (e && keep(e, &r))
		return true;
	free(r.parts);
	return false;
}

/* ---- sums ---- */

/* As the script's numbers, sums wrap around. */
static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t minus(int64_t a)
{
	return (int64_t)(0 - (uint64_t)a);
}

/* Adds B to the statistic A. */
static void add(struct part *a, const struct part *b)
{
	if (b->has_min && (!a->has_min || b->min < a->min))
		a->min = b->min;
	if (b->has_max && (!a->has_max || b->max > a->max))
		a->max = b->max;
	a->has_min |= b->has_min;
	a->has_max |= b->has_max;
	a->count = plus(a->count, b->count);
	a->sum = plus(a->sum, b->sum);
}

/* The order of buckets: the first one may have no least value. */
static int by_bounds(const void *left, const void *right)
{
	const struct part *a = left, *b = right;

	if (a->has_min != b->has_min)
		return a->has_min - b->has_min;
	if (a->min != b->min)
		return a->min < b->min ? -1 : 1;
	if (a->has_max != b->has_max)
		return b->has_max - a->has_max;
	return (a->max > b->max) - (a->max < b->max);
}

int64_t sums_average(const struct part *p)
{
	return p->count == -1 ? minus(p->sum) : p->sum / p->count;
}

static void print_part(FILE *to, const struct part *p, bool statistic)
{
	const char *comma = "";

	putc('{', to);
	if (statistic)
		fprintf(to, "\"count\":%" PRId64, p->count), comma = ",";
	if (p->has_min)
		fprintf(to, "%s\"min\":%" PRId64, comma, p->min), comma = ",";
	if (p->has_max)
		fprintf(to, "%s\"max\":%" PRId64, comma, p->max), comma = ",";
	if (!statistic)
		fprintf(to, "%s\"count\":%" PRId64, comma, p->count);
	else if (p->count)
		fprintf(to, ",\"sum\":%" PRId64 ",\"avg\":%" PRId64, p->sum, sums_average(p));
	putc('}', to);
}

void sums_json(FILE *to, const struct sum *s)
{
	fprintf(to, "{\"hosts\":%zu,%s,\"%s\":", s->hosts, s->id, s->kind == HISTOGRAM ? "histogram" : "value");
	if (s->kind == HISTOGRAM)
		putc('[', to);
	for (size_t i = 0; i < s->n; i++) {
		if (i)
			putc(',', to);
		if (s->kind == NUMBER)
			fprintf(to, "%" PRId64, s->parts[i].sum);
		else
			print_part(to, &s->parts[i], s->kind == STATISTIC);
	}
	fputs(s->kind == HISTOGRAM ? "]}\n" : "}\n", to);
}

/* Adds up buckets, in their order.  Returns how many there are. */
static size_t add_buckets(struct part *all, size_t n)
{
	size_t kept = 0;

	qsort(all, n, sizeof(*all), by_bounds);
	for (size_t i = 0; i < n; i++)
		if (kept && !by_bounds(&all[kept - 1], &all[i]))
			all[kept - 1].count = plus(all[kept - 1].count, all[i].count);
		else
			all[kept++] = all[i];
	return kept;
}

static void print_element(FILE *to, const struct element *e, sums_printer *print)
{
	struct sum sum = { .id = e->id, .kind = e->kind, .n = 1 };
	struct part one = { 0 }, *all = NULL;
	size_t n = 0;

	for (const struct reading *r = e->readings; r; r = r->next, sum.hosts++)
		n += r->n;
	if (e->kind == HISTOGRAM && !(all = calloc(n + 1, sizeof(*all))))
		return;
	n = 0;
	for (const struct reading *r = e->readings; r; r = r->next)
		for (size_t i = 0; i < r->n; i++)
			if (all)
				all[n++] = r->parts[i];
			else
				add(&one, &r->parts[i]);
	sum.parts = all ? all : &one;
	if (all)
		sum.n = add_buckets(all, n);
	print(to, &sum);
	free(all);
}

void sums_print(FILE *to, sums_printer *print)
{
	for (size_t i = 0; i < elements.n; i++) {
		struct reading *r = elements.v[i].readings, *next;

		if (r)
			print_element(to, &elements.v[i], print);
		for (; r; r = next) {
			next = r->next;
			free(r->parts);
			free(r);
		}
	}
	elements.n = 0;
	by_id = (struct table){ 0 };
}
