// SPDX-License-Identifier: GPL-2.0-or-later
/* The drawing of histograms. */
#include "data/agg.h"
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
	st_print_hist(&unit_ctx, st_agg_merge(&unit_ctx, agg), d);
	unit_check_string(__FILE__, line, unit_output(), want);
	st_agg_free(agg);
}

#define RULE "|-------------------------------------------------- count\n"
#define BAR50 "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@"
#define NONE50 "                                                  "

static void listed(const struct st_stat_decl *d, int line, const char *want)
{
	st_print_buckets(&unit_ctx, st_agg_merge(&unit_ctx, agg), d);
	unit_check_string(__FILE__, line, unit_output(), want);
	st_agg_free(agg);
}

/* As objects: each bucket has the values that it counts, also at the ends of what there is. */
static void test_buckets(void)
{
	struct st_stat_decl d = { .hist = ST_HIST_LINEAR, .lo = -5, .hi = 7, .step = 5 };

	start(&d);
	listed(&d, __LINE__, "[]");
	start(&d);
	many(-6, 2);
	many(-5, 1);
	many(6, 1);
	many(9, 1);
	many(10, 3);
	listed(&d, __LINE__, "[{\"max\":-6,\"count\":2},{\"min\":-5,\"max\":-1,\"count\":1},"
	       "{\"min\":5,\"max\":9,\"count\":2},{\"min\":10,\"count\":3}]");
	start(&log_hist);
	many((st_long)(1ull << 63), 1);
	many(-1, 1);
	many(0, 2);
	many(1, 1);
	many((st_long)(~0ull >> 1), 4);
	listed(&log_hist, __LINE__,
	       "[{\"min\":-9223372036854775808,\"max\":-9223372036854775808,\"count\":1},"
	       "{\"min\":-1,\"max\":-1,\"count\":1},{\"min\":0,\"max\":0,\"count\":2},"
	       "{\"min\":1,\"max\":1,\"count\":1},"
	       "{\"min\":4611686018427387904,\"max\":9223372036854775807,\"count\":4}]");
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
	test_buckets();
	test_linear();
	test_log();
	test_tilde_in_log();
	test_outside();
	test_extremes();
	test_string();
	return unit_failures != 0;
}
