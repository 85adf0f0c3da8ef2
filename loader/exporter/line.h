/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line of Prometheus' text format, taken apart; behind it there may be what OpenMetrics calls an exemplar,
 * one of the events that were counted:
 *
 *	reads_total{comm="cat"} 7 1700000000000 # {pid="17"} 1
 *	name        labels      value  time      exemplar: labels, value
 *
 * All spans are of the text that was read.
 */
#ifndef STAP_EXPORTER_LINE_H
#define STAP_EXPORTER_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	LINE_LABELS = 32,		/* that a line may have */
	LINE_EXEMPLAR = 128,		/* characters of an exemplar's labels, names and values, as in OpenMetrics */
};

/* A piece of a page's text. */
struct span {
	const char *p;
	size_t n;
};

struct line {
	struct span name, labels;	/* labels without their braces */
	struct span value, time;	/* the time in ms; .n is 0: none */
	struct {
		struct span labels, value;	/* .value.n is 0: there is none that is right */
		struct span time;		/* in s; .n is 0: none */
		const char *why;		/* what is wrong with it, or NULL */
	} exemplar;
};

bool span_equal(struct span a, struct span b);
bool span_is(struct span a, const char *text);

/* Does it end so, with something in front? */
bool span_ends(struct span a, struct span end);

/* These move the front of what is left of a line. */
void line_skip_blanks(struct span *left);
bool line_take_char(struct span *left, char c);
struct span line_take_word(struct span *left);
struct span line_take_name(struct span *left, bool metric);	/* the name of a metric, or of a label */

/* Takes a label and the comma behind it.  Returns NULL, or what is wrong. */
const char *line_take_label(struct span *left, struct span *name, struct span *value);

/*
 * Reads a line with a value.  Returns NULL, or what is wrong.  RENAMES: a label "script" will be written as
 * "exported_script", which then is no other's name.
 */
const char *line_read(struct span left, bool renames, struct line *line);

/* Returns what Prometheus calls a value that is no number, or NULL. */
const char *line_no_number(struct span value);

#endif
