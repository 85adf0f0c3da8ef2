/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prometheus' text format, version 0.0.4: what scripts write is checked, put together and written anew, so or
 * in OpenMetrics' format, version 1.0.0.
 *
 * A script's handler writes the text, so it may be wrong: cut off where $value was full, or with the name of a
 * process that is no UTF-8.  Prometheus refuses a whole answer for one such line.  So what is wrong here
 * costs only its own line:
 *
 *	# TYPE reads counter
 *	reads{comm="cat"} 7		is kept
 *	reads{comm=cat} 7		is left out: a label without quotes
 *	reads{comm="\377\t"} 7		becomes reads{comm="\\377\\t"} 7
 *	reads{comm="sh"} 1		is left out if the page ends here without a newline: it may have been 17
 *
 * Lines of a metric stand together in an answer, under one HELP and one TYPE, also those of several scripts,
 * which a label tells apart:
 *
 *	struct metrics m = { 0 };
 *	struct metrics_page page = { .script = "reads.stp", .text = text, .len = len };
 *
 *	if (metrics_add(&m, &page))
 *		metrics_write(&m, f, METRICS_TEXT);	# TYPE reads counter
 *	metrics_free(&m);				reads{script="reads.stp",comm="cat"} 7
 *
 * Units and exemplars are OpenMetrics' only; a script writes them as they are there:
 *
 *	# TYPE read_seconds_total counter		# TYPE read_seconds counter
 *	# UNIT read_seconds_total seconds		# UNIT read_seconds seconds
 *	read_seconds_total 7 # {pid="17"} 0.1		read_seconds_total 7 # {pid="17"} 0.1
 */
#ifndef STAP_METRICS_H
#define STAP_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "line.h"

/* The prefix of the exporter's own metrics, which scripts can't have. */
#define METRICS_OWN "stap_exporter_"

/* What a script may have in its page at most, and all scripts in one answer. */
enum {
	METRICS_PAGE = 4 << 20,		/* bytes */
	METRICS_SERIES = 10000,
	METRICS_ALL_SERIES = 50000,
};

enum metrics_format { METRICS_TEXT, METRICS_OPEN };

struct metrics_page {
	const char *script;		/* the value of the label "script"; NULL: no such label */
	const char *text;		/* the caller's, until the metrics are freed */
	size_t len;
	bool own;			/* it is the exporter's own: it has those names, and no bounds */

	/* What metrics_add() says of it. */
	size_t series;			/* that were taken */
	size_t named;			/* metrics that it was the first to describe */
	size_t left_out;		/* lines that were not, and exemplars of those that were */
	size_t line;			/* the first of those, and what is wrong with it */
	const char *why;
};

/* A metric: the lines below one TYPE. */
struct metrics_family {
	struct span name, help, type, unit;	/* .p is NULL: not given */
	size_t first, last;		/* its series, or METRICS_NONE */
};

#define METRICS_NONE SIZE_MAX

struct metrics_series {
	const char *script;		/* of its page */
	struct line line;
	size_t next;			/* of this family, or METRICS_NONE */
};

/* Metrics of any number of pages.  A zeroed struct is empty. */
struct metrics {
	struct metrics_family *families;
	struct metrics_series *series;
	size_t nfamilies, family_room, nseries, series_room;
	size_t *slots;			/* families by the hash of their name: an index + 1, or 0 */
	size_t nslots;			/* a power of two */
};

/* Adds a page.  Returns false if there is no memory left. */
bool metrics_add(struct metrics *m, struct metrics_page *page);

/* Returns the family of this name that has series, or NULL. */
const struct metrics_family *metrics_family(const struct metrics *m, struct span name);

/* Writes all metrics, each with its HELP and TYPE, if scripts gave them. */
void metrics_write(const struct metrics *m, FILE *f, enum metrics_format format);

/* Writes a text as the inside of a label's value. */
void metrics_write_value(FILE *f, const char *text);

/* Returns the format that an HTTP client wants, by the header Accept, NULL if it has none. */
enum metrics_format metrics_accepted(const char *accept);

/* Returns a format's name in HTTP. */
const char *metrics_content_type(enum metrics_format format);

/* Frees all but the pages' texts. */
void metrics_free(struct metrics *m);

#endif
