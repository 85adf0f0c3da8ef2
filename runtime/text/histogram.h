/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: which values a bucket counts, and how a histogram is drawn.  Like format.h it is used
 * by the runtime, for sprint(), and by stapio, for what is printed, and needs no other header.
 */
#ifndef STAP_HISTOGRAM_H
#define STAP_HISTOGRAM_H

#include "abi/stap_script.h"

#define ST_LOG_BUCKETS 128
#define ST_LOG_ZERO 64			/* the bucket of 0 */

/* A histogram to draw. */
struct st_histogram {
	struct st_stat_decl decl;	/* hist, lo, hi, step */
	int width, elision;		/* -D HIST_WIDTH, HIST_ELISION */
	st_long *bucket;		/* the caller's: st_hist_buckets(&decl) counts */
};

/* Return the least and the greatest value that bucket I counts in *VALUE; 0 if there is no such limit:
 * the first bucket of a linear histogram has no least, the last no greatest value. */
int st_bucket_least(const struct st_stat_decl *d, unsigned int i, st_long *value);
int st_bucket_greatest(const struct st_stat_decl *d, unsigned int i, st_long *value);

/*
 * Draws a histogram as SystemTap does.  PUT gets one line after the other, with newlines; the text is
 * gone when it returns.  Nothing is drawn if no bucket has values.
 */
void st_histogram_draw(const struct st_histogram *h, void (*put)(void *arg, struct st_str line),
		       void *arg);

#endif
