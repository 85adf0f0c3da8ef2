// SPDX-License-Identifier: GPL-2.0-or-later
/* The drawing of histograms. */
#include "data/agg.h"
#include "text/items.h"
#include "unit.h"

static const struct st_stat_decl log_hist = { .hist = ST_HIST_LOG };

static struct st_agg *agg;

static void many(st_long value, int n)
{
	while (n--)
		st_agg_add(&unit_ctx, agg, value);
}

static void start(const struct st_stat_decl *d)
{
	unit_reset();
	agg = st_agg_new(d);
}

static void drawn(const struct st_stat_decl *d, int line, const char *want)
{
	const struct st_stat *st = st_agg_merge(&unit_ctx, agg);

	CHECK(st_print_hist(&unit_ctx, st, d, 0, 0) != NULL);
	st_print_buckets(&unit_ctx, st, d);
	unit_check_string(__FILE__, line, unit_output(), want);
	st_agg_free(agg);
}

#define RULE "|-------------------------------------------------- count\n"
#define BAR50 "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@"
#define NONE50 "                                                  "

/* The values that a bucket counts; LLONG_MIN, LLONG_MAX: it has no such limit. */
static void limits(const struct st_stat_decl *d, unsigned int i, st_long least, st_long greatest)
{
	st_long value;

	if (st_bucket_least(d, i, &value) || least != LLONG_MIN)
		CHECK_LONG(value, least);
	if (st_bucket_greatest(d, i, &value) || greatest != LLONG_MAX)
		CHECK_LONG(value, greatest);
}

static void test_limits(void)
{
	const struct st_stat_decl d = { .hist = ST_HIST_LINEAR, .lo = -5, .hi = 7, .step = 5 };
	const struct st_stat_decl all = { .hist = ST_HIST_LINEAR, .lo = LLONG_MIN, .hi = LLONG_MAX,
					  .step = 1ll << 62 };

	CHECK_LONG(st_hist_buckets(&d), 5);
	limits(&d, 0, LLONG_MIN, -6);
	limits(&d, 1, -5, -1);
	limits(&d, 3, 5, 9);
	limits(&d, 4, 10, LLONG_MAX);
	limits(&all, 4, 1ll << 62, LLONG_MAX);
	limits(&log_hist, 0, LLONG_MIN, LLONG_MIN);
	limits(&log_hist, ST_LOG_ZERO - 1, -1, -1);
	limits(&log_hist, ST_LOG_ZERO, 0, 0);
	limits(&log_hist, ST_LOG_ZERO + 1, 1, 1);
	limits(&log_hist, ST_LOG_BUCKETS - 1, 1ll << 62, LLONG_MAX);
}

/* What is read back is not believed. */
static void test_damaged(void)
{
	static const struct st_hist_head good = { .hist = ST_HIST_LINEAR, .width = 50, .elision = 2,
						  .lo = 0, .hi = 10, .step = 5 };
	struct st_hist_head bad[] = { good, good, good, good, good, good };
	struct st_bucket buckets[] = { { 4, 0, 1 }, { 5, 0, 1 }, { 0, 0, 0 }, { 0, 0, -1ull } };
	st_long counts[5] = { 0 };
	struct st_histogram h;

	bad[0].hist = ST_HIST_NONE;
	bad[1].width = ST_HIST_WIDTH_MOST + 1;
	bad[2].step = 0;
	bad[3].hi = bad[3].lo;
	bad[4].hi = 5ull * ST_BUCKETS_MOST;
	bad[5].width = 0;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK(!st_take_hist(&(struct st_items){ (char *)&bad[i], sizeof(good) }, &h));
	CHECK(!st_take_hist(&(struct st_items){ (char *)&good, sizeof(good) - 1 }, &h));
	CHECK(st_take_hist(&(struct st_items){ (char *)&good, sizeof(good) }, &h));
	h.bucket = counts;
	for (size_t i = 0; i < ARRAY_SIZE(buckets); i++)
		CHECK_LONG(st_take_bucket((struct st_str){ (char *)&buckets[i], sizeof(buckets[i]) },
					  &h), !i);
	CHECK(!st_take_bucket((struct st_str){ (char *)buckets, sizeof(*buckets) + 1 }, &h));
	CHECK_LONG(counts[4], 1);
}

/* The manual's example, as far as it goes. */
static void test_linear(void)
{
	struct st_stat_decl d = { .hist = ST_HIST_LINEAR, .lo = 0, .hi = 10240, .step = 200 };

	start(&d);
	many(100, 1650);
	many(250, 8);
	many(1500, 1);
	drawn(&d, __LINE__,
	      "value " RULE
	      "    0 |" BAR50 " 1650\n"
	      "  200 |" NONE50 "    8\n"
	      "  400 |" NONE50 "    0\n"
	      "  600 |" NONE50 "    0\n"
	      "      ~\n"
	      " 1000 |" NONE50 "    0\n"
	      " 1200 |" NONE50 "    0\n"
	      " 1400 |" NONE50 "    1\n"
	      " 1600 |" NONE50 "    0\n"
	      " 1800 |" NONE50 "    0\n\n");
}

static void test_log(void)
{
	start(&log_hist);
	many(33, 1601);
	many(64, 52);
	many(1024, 2033);
	drawn(&log_hist, __LINE__,
	      "value " RULE
	      "    8 |" NONE50 "    0\n"
	      "   16 |" NONE50 "    0\n"
	      "   32 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@            1601\n"
	      "   64 |@                                                    52\n"
	      "  128 |" NONE50 "    0\n"
	      "  256 |" NONE50 "    0\n"
	      "  512 |" NONE50 "    0\n"
	      " 1024 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  2033\n"
	      " 2048 |" NONE50 "    0\n"
	      " 4096 |" NONE50 "    0\n\n");
}

static void test_tilde_in_log(void)
{
	start(&log_hist);
	many(-1, 1);
	many(1024, 3);
	drawn(&log_hist, __LINE__,
	      "value " RULE
	      "   -4 |" NONE50 " 0\n"
	      "   -2 |" NONE50 " 0\n"
	      "   -1 |@                                                  1\n"
	      "    0 |" NONE50 " 0\n"
	      "    1 |" NONE50 " 0\n"
	      "      ~\n"
	      "  256 |" NONE50 " 0\n"
	      "  512 |" NONE50 " 0\n"
	      " 1024 |@@@                                                3\n"
	      " 2048 |" NONE50 " 0\n"
	      " 4096 |" NONE50 " 0\n\n");
}

static void test_outside(void)
{
	struct st_stat_decl d = { .hist = ST_HIST_LINEAR, .lo = 100, .hi = 102, .step = 1 };

	start(&d);
	many(-5, 1);
	many(101, 2);
	many(50000, 1);
	drawn(&d, __LINE__,
	      "value " RULE
	      " <100 |@                                                  1\n"
	      "  100 |" NONE50 " 0\n"
	      "  101 |@@                                                 2\n"
	      "  102 |" NONE50 " 0\n"
	      " >102 |@                                                  1\n\n");
}

static void test_extremes(void)
{
	start(&log_hist);
	many(LLONG_MIN, 1);
	drawn(&log_hist, __LINE__,
	      "               value " RULE
	      "-9223372036854775808 |@                                                  1\n"
	      "-4611686018427387904 |" NONE50 " 0\n"
	      "-2305843009213693952 |" NONE50 " 0\n\n");
	start(&log_hist);
	many(LLONG_MAX, 1);
	drawn(&log_hist, __LINE__,
	      "              value " RULE
	      "1152921504606846976 |" NONE50 " 0\n"
	      "2305843009213693952 |" NONE50 " 0\n"
	      "4611686018427387904 |@                                                  1\n\n");
	start(&log_hist);
	drawn(&log_hist, __LINE__, "");
}

/* As a string it is cut like every string. */
static void test_string(void)
{
	struct st_str s;

	start(&log_hist);
	many(5, 1);
	s = st_format_hist(&unit_ctx, st_agg_merge(&unit_ctx, agg), &log_hist);
	CHECK_LONG(s.len, 127);
	CHECK(s.p[s.len] == '\0');
	CHECK(!strncmp(s.p, "value " RULE "    1 |", 70));
	s = st_format_hist(&unit_ctx, NULL, &log_hist);
	CHECK_LONG(s.len, 0);
	st_agg_free(agg);
}

int main(void)
{
	test_limits();
	test_damaged();
	test_linear();
	test_log();
	test_tilde_in_log();
	test_outside();
	test_extremes();
	test_string();
	return unit_failures != 0;
}
