// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics: adding a value, pooling the parts of several CPUs, extracting.
 * Only the members needed for what the script extracts are kept.
 *
 * Buckets.  A logarithmic histogram has a bucket for 0, one for each power of
 * two from 1 upwards and one for each from -1 downwards.  A linear one has the
 * buckets it declares, before them one for all lower values, and behind them one
 * for all higher values.
 */
#include "stat.h"
#include "text/histogram.h"

u64 st_stat_size(const struct st_stat_decl *d)
{
	u64 steps = 0;

	if (d->hist == ST_HIST_LINEAR)
		steps = ((u64)d->hi - (u64)d->lo) / (u64)d->step;
	if (steps > INT_MAX)
		return U64_MAX;
	return sizeof(struct st_stat) + (u64)st_hist_buckets(d) * sizeof(st_long);
}

/* Returns the index of the highest bit set; v is not 0. */
static unsigned int log2_of(unsigned long long v)
{
	return 63 - __builtin_clzll(v);
}

static unsigned int bucket_of(const struct st_stat_decl *d, st_long v)
{
	unsigned long long distance;

	if (d->hist == ST_HIST_LOG) {
		if (v == 0)
			return ST_LOG_ZERO;
		if (v > 0)
			return ST_LOG_ZERO + 1 + log2_of(v);
		return ST_LOG_ZERO - 1 - log2_of(-(unsigned long long)v);
	}
	if (v < d->lo)
		return 0;
	distance = (unsigned long long)v - (unsigned long long)d->lo;
	distance = distance / (unsigned long long)d->step + 1;
	if (v > d->hi)
		return min_t(unsigned long long, distance, st_hist_buckets(d) - 1);
	return distance;
}

/* ---- integers that wrap ------------------------------------------------- */

static st_long add(st_long a, st_long b)
{
	return (unsigned long long)a + (unsigned long long)b;
}

static st_long sub(st_long a, st_long b)
{
	return (unsigned long long)a - (unsigned long long)b;
}

static st_long mul(st_long a, st_long b)
{
	return (unsigned long long)a * (unsigned long long)b;
}

static st_long scale(st_long v, int shift)
{
	return (unsigned long long)v << shift;
}

/* Divides by a count, which is neither 0 nor -1. */
static st_long divide(st_long a, st_long count)
{
	return count > 0 ? a / count : 0;
}

/* ---- gathering ---------------------------------------------------------- */

static void variance_add(struct st_stat *st, st_long v)
{
	st_long delta;

	v = scale(v, st->shift);
	delta = sub(v, st->mean);
	st->mean = add(st->mean, divide(delta, st->count));
	st->squares = add(st->squares, mul(delta, sub(v, st->mean)));
}

void st_stat_spread(struct st_stat *st, const struct st_stat_decl *d, st_long v)
{
	if (st_keeps(d, ST_VARIANCE))
		variance_add(st, v);
	if (d->hist != ST_HIST_NONE)
		st->bucket[bucket_of(d, v)]++;
}

static st_long sample_variance(st_long squares, st_long count)
{
	return count > 1 ? squares / (count - 1) : 0;
}

static void variance_pool(struct st_stat *to, const struct st_stat *from)
{
	st_long n_mean = mul(from->count, from->mean);

	to->n_mean = add(to->n_mean, n_mean);
	to->n_mean2 = add(to->n_mean2, mul(n_mean, from->mean));
	to->n_variance = add(to->n_variance,
			     mul(from->count - 1, sample_variance(from->squares, from->count)));
}

void st_stat_pool(struct st_stat *to, const struct st_stat *from, const struct st_stat_decl *d)
{
	unsigned int i, n = st_hist_buckets(d);

	if (from->count == 0)
		return;
	if (to->count == 0 || from->min < to->min)
		to->min = from->min;
	if (to->count == 0 || from->max > to->max)
		to->max = from->max;
	to->count += from->count;
	to->sum = add(to->sum, from->sum);
	to->shift = from->shift;
	to->pooled = true;
	if (st_keeps(d, ST_VARIANCE))
		variance_pool(to, from);
	for (i = 0; i < n; i++)
		to->bucket[i] += from->bucket[i];
}

/* ---- extracting --------------------------------------------------------- */

static st_long variance(const struct st_stat *st)
{
	struct st_stat one = { 0 };
	st_long mean, total;

	if (!st->pooled) {
		variance_pool(&one, st);
		one.count = st->count;
		one.sum = st->sum;
		one.shift = st->shift;
		st = &one;
	}
	mean = divide(scale(st->sum, st->shift), st->count);
	total = sub(st->n_mean2, mul(mul(2, mean), st->n_mean));
	total = add(total, mul(st->count, mul(mean, mean)));
	total = add(total, st->n_variance);
	return sample_variance(total, st->count) >> min(2 * st->shift, 63);
}

st_long st_stat_value(const struct st_stat *st, enum st_stat_op op)
{
	if (!st || st->count == 0)
		return 0;
	switch (op) {
	case ST_COUNT:
		return st->count;
	case ST_SUM:
		return st->sum;
	case ST_MIN:
		return st->min;
	case ST_MAX:
		return st->max;
	case ST_AVG:
		return st->sum / st->count;
	case ST_VARIANCE:
		return variance(st);
	}
	return 0;
}

st_long st_stat_get(struct st_ctx *c, const struct st_stat *st, enum st_stat_op op)
{
	if (op != ST_COUNT && op != ST_SUM && (!st || st->count == 0)) {
		st_error(c, "empty aggregate");
		return 0;
	}
	return st_stat_value(st, op);
}

st_long st_hist_bucket(const struct st_stat *st, unsigned int i)
{
	return st ? st->bucket[i] : 0;
}

st_long st_hist_count(struct st_ctx *c, const struct st_stat *st,
		      const struct st_stat_decl *d, st_long i)
{
	if (!st || st->count == 0) {
		st_error(c, "empty aggregate");
		return 0;
	}
	if (i < 0 || i >= st_hist_buckets(d)) {
		st_error(c, "histogram index out of range");
		return 0;
	}
	return st_hist_bucket(st, i);
}
