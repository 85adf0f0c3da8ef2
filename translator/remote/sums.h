/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds up what hosts print as objects with a name (--merge): variables at the end, histograms.
 *
 *	web1:  … "name":"reads","key":["cat"],"value":12}
 *	web2:  … "name":"reads","key":["cat"],"value":30}
 *		{"hosts":2,"name":"reads","key":["cat"],"value":42}
 *
 * Of an element that a host prints again, as every second, the latest counts. Statistics are added
 * member by member, but for the least, the greatest and the average; histograms bucket by bucket.
 * Strings can't be added. Without --json the sums are printed as text (text.h).
 */
#ifndef STAP_REMOTE_SUMS_H
#define STAP_REMOTE_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct host;

/* A bucket of a histogram, or a statistic. */
struct part {
	bool has_min, has_max;
	int64_t min, max, count, sum;
};

/* A sum.  A number is the sum of its one part. */
enum kind { NUMBER, STATISTIC, HISTOGRAM };
struct sum {
	const char *id;			/* "name":"reads","key":["cat"] */
	enum kind kind;
	const struct part *parts;
	size_t n, hosts;
};

/* Returns the average of a statistic that has values. */
int64_t sums_average(const struct part *p);

/* Takes a line of JSON of the host's. Returns false if it is none that can be added, and is to be
 * printed. */
bool sums_take(const struct host *h, const char *line);

/* Calls PRINT for the sums, in the order in which the elements came, and forgets them. */
typedef void sums_printer(FILE *to, const struct sum *s);
void sums_print(FILE *to, sums_printer *print);

/* Prints a sum as JSON. */
void sums_json(FILE *to, const struct sum *s);

#endif
