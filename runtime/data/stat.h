/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A statistic: '<<<' adds values to it.  It lies in a map's node or in a CPU's part
 * of a scalar aggregate; its declaration (struct st_stat_decl), which is elsewhere,
 * says which members are kept.
 *
 * Variance is computed by Welford's algorithm, from a running mean and the sum of
 * squared deviations, in integers scaled by 2^shift.  The parts of several CPUs are
 * pooled by the exact identity
 *
 *	Σ nᵢ(meanᵢ − mean)² + Σ (nᵢ − 1)·varianceᵢ
 *	  = Σ nᵢmeanᵢ² − 2·mean·Σ nᵢmeanᵢ + n·mean² + Σ (nᵢ − 1)·varianceᵢ
 *
 * of which a pooled statistic keeps three sums; parts can be added to them in any order.
 */
#ifndef STAP_STAT_H
#define STAP_STAT_H

#include "port/port.h"

/* What is kept of the values of a statistic, with the buckets of its histogram if it has one. */
struct st_stat {
	st_long count, sum, min, max;
	union {
		struct {
			st_long mean, squares;
		};
		struct {		/* pooled */
			st_long n_mean2, n_mean, n_variance;
		};
	};
	int shift;
	bool pooled;
	st_long bucket[];		/* st_hist_buckets() of them */
};

static inline bool st_keeps(const struct st_stat_decl *d, enum st_stat_op op)
{
	return d->ops & 1u << op;
}

/* Returns the bytes of a statistic; for absurdly many buckets, more than can be allocated. */
u64 st_stat_size(const struct st_stat_decl *d);

/* Adds to a number, which wraps around. */
static inline void st_add_wrapping(st_long *number, st_long v)
{
	*number = (unsigned long long)*number + (unsigned long long)v;
}

/* Adds a value, which is counted, to the variance or the histogram. */
void st_stat_spread(struct st_stat *st, const struct st_stat_decl *d, st_long v);

/* Adds a value.  An empty statistic is all zeros. */
static inline void st_stat_add(struct st_stat *st, const struct st_stat_decl *d, st_long v)
{
	if (st->count++ == 0) {
		st->min = v;
		st->max = v;
		st->shift = d->shift;
	} else {
		if (v < st->min)
			st->min = v;
		if (v > st->max)
			st->max = v;
	}
	st_add_wrapping(&st->sum, v);
	if (st_keeps(d, ST_VARIANCE) || d->hist != ST_HIST_NONE)
		st_stat_spread(st, d, v);
}

/* Adds the values in 'from' to a pooled or empty statistic. */
void st_stat_pool(struct st_stat *to, const struct st_stat *from, const struct st_stat_decl *d);

/* Extracts a value; 0 from an empty statistic. */
st_long st_stat_value(const struct st_stat *st, enum st_stat_op op);

#endif
