/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prometheus' text format, version 0.0.4: what scripts write is checked, put together and written anew.
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
 *		metrics_write(&m, f);		# TYPE reads counter
 *	metrics_free(&m);			reads{script="reads.stp",comm="cat"} 7
 */
#ifndef STAP_METRICS_H
#define STAP_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The prefix of the exporter's own metrics, which scripts can't have. */
#define METRICS_OWN "stap_exporter_"

/* What a script may have in its page at most, and all scripts in one answer. */
enum {
	METRICS_PAGE = 4 << 20,		/* bytes */
	METRICS_SERIES = 10000,
	METRICS_ALL_SERIES = 50000,
	METRICS_LABELS = 32,		/* of one series */
};

/* A piece of a page's text. */
struct span {
	const char *p;
	size_t n;
};

struct metrics_page {
	const char *script;		/* the value of the label "script"; NULL: no such label */
	const char *text;		/* the caller's, until the metrics are freed */
	size_t len;

	/* What metrics_add() says of it. */
	size_t series;			/* that were taken */
	size_t left_out;		/* lines that were not */
	size_t line;			/* the first of those, and what is wrong with it */
	const char *why;
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

/* Writes all metrics, each with its HELP and TYPE, if scripts gave them. */
void metrics_write(const struct metrics *m, FILE *f);

/* Writes a text as the inside of a label's value. */
void metrics_write_value(FILE *f, const char *text);

/* Frees all but the pages' texts. */
void metrics_free(struct metrics *m);

#endif
