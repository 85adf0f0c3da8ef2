/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A statistic: what '<<<' adds to.  It lies in a map's node or in a CPU's part
 * of a scalar aggregate; its declaration (struct st_stat_decl) lies elsewhere
 * and says which members are kept.
 *
 * Variance is Welford's running mean and squared deviations, in integers
 * scaled by 2^shift.  Parts gathered on several CPUs are pooled by the exact
 * identity
 *
 *	Σ nᵢ(meanᵢ − mean)² + Σ (nᵢ − 1)·varianceᵢ
 *	  = Σ nᵢmeanᵢ² − 2·mean·Σ nᵢmeanᵢ + n·mean² + Σ (nᵢ − 1)·varianceᵢ
 *
 * so that what is pooled is three sums, added in any order.
 */
#ifndef STAP_STAT_H
#define STAP_STAT_H

#include "abi/data.h"

#define ST_LOG_BUCKETS 128
#define ST_LOG_ZERO 64			/* the bucket of 0 */

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

/* Bytes of a statistic; of one with absurdly many buckets more than can be had. */
u64 st_stat_size(const struct st_stat_decl *d);

/* Adds a value.  A cleared statistic is all zeros. */
void st_stat_add(struct st_stat *st, const struct st_stat_decl *d, st_long v);

/* Adds the values gathered in 'from' to a pooled (or all zero) statistic. */
void st_stat_pool(struct st_stat *to, const struct st_stat *from, const struct st_stat_decl *d);

/* What is extracted, 0 of an empty statistic. */
st_long st_stat_value(const struct st_stat *st, enum st_stat_op op);

#endif
