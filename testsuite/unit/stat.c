// SPDX-License-Identifier: GPL-2.0-or-later
/* Statistics, histogram buckets, scalar aggregates and counters. */
#include <pthread.h>

#include "data/agg.h"
#include "data/cpu_lock.h"
#include "unit.h"

static const struct st_stat_decl all = {
	.ops = 1 << ST_COUNT | 1 << ST_SUM | 1 << ST_MIN | 1 << ST_MAX | 1 << ST_AVG,
};

static struct st_agg *new_agg(const struct st_stat_decl *d)
{
	unit_reset();
	st_this_cpu_id = 0;
	return st_agg_new(d);
}

static void test_simple(void)
{
	struct st_agg *a = new_agg(&all);
	const struct st_stat *st;
	int i;

	st = st_agg_merge(&unit_ctx, a);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_COUNT), 0);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_SUM), 0);
	CHECK(!unit_ctx.error);
	st_stat_get(&unit_ctx, st, ST_AVG);
	CHECK_STRING(unit_error(), "empty aggregate");
	unit_reset();
	for (i = -3; i <= 10; i++) {
		st_this_cpu_id = (i + 3) % UNIT_CPUS;
		st_agg_add(&unit_ctx, a, i);
	}
	st = st_agg_merge(&unit_ctx, a);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_COUNT), 14);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_SUM), 49);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_MIN), -3);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_MAX), 10);
	CHECK_LONG(st_stat_get(&unit_ctx, st, ST_AVG), 3);
	st_agg_clear(&unit_ctx, a);
	CHECK_LONG(st_stat_get(&unit_ctx, st_agg_merge(&unit_ctx, a), ST_COUNT), 0);
	CHECK(!unit_ctx.error);
	st_agg_free(a);
}

/* The documented results of 1…5: 12 unscaled, 2 scaled by one bit. */
static void test_variance(void)
{
	static const st_long want[] = { 12, 2 };
	int shift, i;

	for (shift = 0; shift < 2; shift++) {
		struct st_stat_decl d = { .ops = 1 << ST_VARIANCE, .shift = shift };
		struct st_agg *a = new_agg(&d);

		for (i = 1; i <= 5; i++)
			st_agg_add(&unit_ctx, a, i);
		CHECK_LONG(st_stat_get(&unit_ctx, st_agg_merge(&unit_ctx, a), ST_VARIANCE), want[shift]);
		st_agg_free(a);
	}
}

/* Spread over CPUs and scaled well, it is the variance. */
static void test_variance_parts(void)
{
	struct st_stat_decl d = { .ops = 1 << ST_VARIANCE, .shift = 10 };
	struct st_agg *a = new_agg(&d);
	double sum = 0, squares = 0, variance;
	st_long got;
	int i, n = 1000;

	for (i = 0; i < n; i++) {
		int v = unit_random(2000);

		st_this_cpu_id = unit_random(UNIT_CPUS);
		st_agg_add(&unit_ctx, a, v);
		sum += v;
		squares += (double)v * v;
	}
	variance = (squares - sum * sum / n) / (n - 1);
	got = st_stat_get(&unit_ctx, st_agg_merge(&unit_ctx, a), ST_VARIANCE);
	CHECK(got > variance * 0.98 && got < variance * 1.02);
	st_agg_free(a);
}

static void test_log_buckets(void)
{
	struct st_stat_decl d = { .hist = ST_HIST_LOG };
	unsigned int i;

	CHECK_LONG(st_hist_buckets(&d), 128);
	CHECK_LONG(st_hist_value(&d, 64), 0);
	CHECK_LONG(st_hist_value(&d, 63), -1);
	CHECK_LONG(st_hist_value(&d, 62), -2);
	CHECK_LONG(st_hist_value(&d, 65), 1);
	CHECK_LONG(st_hist_value(&d, 0), LLONG_MIN);
	CHECK_LONG(st_hist_value(&d, 127), 1ll << 62);
	for (i = 0; i < 128; i++) {
		struct st_agg *a = new_agg(&d);
		st_long v = st_hist_value(&d, i);

		st_agg_add(&unit_ctx, a, v);
		CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, i), 1);
		/* and the last value of the bucket */
		if (v > 0) {
			st_agg_add(&unit_ctx, a, v + (v - 1));
			CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, i), 2);
		} else if (v < 0 && i > 0) {
			st_agg_add(&unit_ctx, a, v + (v + 1));
			CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, i), 2);
		}
		st_agg_free(a);
	}
}

/* The manual's example: one below, three buckets, one above. */
static void test_linear_buckets(void)
{
	static const int values[] = { -100, 1, 2, 3, 100 };
	struct st_stat_decl d = { .hist = ST_HIST_LINEAR, .lo = 1, .hi = 3, .step = 1 };
	struct st_agg *a = new_agg(&d);
	int i;

	CHECK_LONG(st_hist_buckets(&d), 5);
	for (i = 0; i < 5; i++)
		st_agg_add(&unit_ctx, a, values[i]);
	for (i = 0; i < 5; i++)
		CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, i), 1);
	CHECK(!unit_ctx.error);
	st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, 5);
	CHECK(unit_ctx.error);
	st_agg_free(a);

	d = (struct st_stat_decl){ .hist = ST_HIST_LINEAR, .lo = LLONG_MIN, .hi = 0, .step = 1 };
	CHECK(!st_agg_new(&d));
	d = (struct st_stat_decl){ .hist = ST_HIST_LINEAR, .lo = -50, .hi = 49, .step = 10 };
	a = new_agg(&d);
	CHECK_LONG(st_hist_buckets(&d), 12);
	st_agg_add(&unit_ctx, a, LLONG_MIN);
	st_agg_add(&unit_ctx, a, -51);
	st_agg_add(&unit_ctx, a, -50);
	st_agg_add(&unit_ctx, a, 49);
	st_agg_add(&unit_ctx, a, 50);
	st_agg_add(&unit_ctx, a, LLONG_MAX);
	CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, 0), 2);
	CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, 1), 1);
	CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, 10), 1);
	CHECK_LONG(st_hist_count(&unit_ctx, st_agg_merge(&unit_ctx, a), &d, 11), 2);
	CHECK_LONG(st_hist_value(&d, 1), -50);
	CHECK_LONG(st_hist_value(&d, 10), 40);
	st_agg_free(a);
}

static void test_counter(void)
{
	struct st_counter *k = st_counter_new(7);

	CHECK_LONG(st_counter_sum(k), 7);
	for (st_this_cpu_id = 0; st_this_cpu_id < UNIT_CPUS; st_this_cpu_id++)
		st_counter_add(k, 10);
	st_this_cpu_id = 0;
	CHECK_LONG(st_counter_sum(k), 57);
	st_counter_add(k, -60);
	CHECK_LONG(st_counter_sum(k), -3);
	st_counter_set(k, 5);
	CHECK_LONG(st_counter_sum(k), 5);
	st_counter_free(k);
}

/* Adding on all CPUs while one reads: nothing is lost. */
#define ADDS 100000

static struct st_agg *shared;

static void *adder(void *cpu)
{
	struct st_ctx c = { .error = NULL };
	int i;

	st_this_cpu_id = (long)cpu;
	for (i = 0; i < ADDS; i++)
		st_agg_add(&c, shared, i);
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[UNIT_CPUS];
	long cpu;
	int i;

	shared = new_agg(&all);
	st_program.maxtrylock = ~0u;	/* nobody gives up, however slow the machine */
	for (cpu = 1; cpu < UNIT_CPUS; cpu++)
		pthread_create(&threads[cpu], NULL, adder, (void *)cpu);
	for (i = 0; i < 1000; i++)
		st_agg_merge(&unit_ctx, shared);
	for (cpu = 1; cpu < UNIT_CPUS; cpu++)
		pthread_join(threads[cpu], NULL);
	CHECK_LONG(st_stat_value(st_agg_merge(&unit_ctx, shared), ST_COUNT),
		   (UNIT_CPUS - 1) * ADDS);
	CHECK_LONG(st_stat_value(st_agg_merge(&unit_ctx, shared), ST_MAX), ADDS - 1);
	st_agg_free(shared);
}

/* An NMI in the midst of an addition gives up and says so. */
static void test_nmi(void)
{
	struct st_cpu_lock lock = { 0 };
	long before = unit_skips();

	st_this_cpu_id = 2;
	CHECK(st_cpu_trylock(&lock, 2));
	CHECK(!st_cpu_trylock(&lock, 2));
	CHECK_LONG(unit_skips(), before + 1);
	st_cpu_unlock(&lock);
	CHECK(st_cpu_trylock(&lock, 2));
	st_this_cpu_id = 0;
}

int main(void)
{
	test_simple();
	test_variance();
	test_variance_parts();
	test_log_buckets();
	test_linear_buckets();
	test_counter();
	test_nmi();
	test_threads();
	CHECK_LONG(unit_allocations, 0);
	return unit_failures != 0;
}
