// SPDX-License-Identifier: GPL-2.0-or-later
/* Floating point without an FPU (runtime/text/float.c, float_text.c), beside the FPU. */
#include <math.h>

#include "text/float.h"
#include "unit.h"

static const double specials[] = {
	0.0, -0.0, 1, -1, 0.5, 1.5, 2.5, -2.5, 3, 0.1, 1e308, -1.7976931348623157e308, 5e-324,
	-5e-324, 2.2250738585072014e-308, 2.2250738585072009e-308, 9007199254740993.0, 4294967296.0,
	9223372036854775807.0, -9223372036854775808.0, 9223372036854774784.0, INFINITY, -INFINITY, NAN,
};

#define SPECIALS (sizeof(specials) / sizeof(specials[0]))

static st_long bits(double d)
{
	st_long v;

	memcpy(&v, &d, sizeof(v));
	return v;
}

static double number(st_long v)
{
	double d;

	memcpy(&d, &v, sizeof(d));
	return d;
}

static u64 random_bits(void)
{
	static u64 x = 88172645463325252ull;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Any number, one of few bits, one near another. */
static double random_number(double near)
{
	u64 x = random_bits();

	switch (x >> 60 & 3) {
	case 0:
		return specials[x % SPECIALS];
	case 1:
		return (double)(st_long)(x << 8 >> 40) / 1024;
	case 2:
		return number(bits(near) + x % 7 - 3);
	default:
		return number(x);
	}
}

static void same(const char *what, double a, double b, st_long got, double want)
{
	if (isnan(want) ? isnan(number(got)) : got == bits(want))
		return;
	fprintf(stderr, "%s %a %a: %a, not %a\n", what, a, b, number(got), want);
	exit(1);
}

static void test_pair(double a, double b)
{
	same("add", a, b, st_fn_fp_add(NULL, bits(a), bits(b)), a + b);
	same("sub", a, b, st_fn_fp_sub(NULL, bits(a), bits(b)), a - b);
	same("mul", a, b, st_fn_fp_mul(NULL, bits(a), bits(b)), a * b);
	same("div", a, b, st_fn_fp_div(NULL, bits(a), bits(b)), a / b);
	same("rem", a, b, st_fn_fp_rem(NULL, bits(a), bits(b)), remainder(a, b));
	same("sqrt", a, b, st_fn_fp_sqrt(NULL, bits(a)), sqrt(a));
	CHECK(st_fn_fp_eq(NULL, bits(a), bits(b)) == (a == b));
	CHECK(st_fn_fp_le(NULL, bits(a), bits(b)) == (a <= b));
	CHECK(st_fn_fp_lt(NULL, bits(a), bits(b)) == (a < b));
}

static st_long to_long(double d)
{
	if (isnan(d))
		return 0;
	return d >= 0x1p63 ? LLONG_MAX : d < -0x1p63 ? LLONG_MIN : (st_long)d;
}

static void test_integers(double d)
{
	st_long x = bits(d);

	CHECK(st_fn_fp_to_long(NULL, x, 0, 0) == to_long(rint(d)));
	CHECK(st_fn_fp_to_long(NULL, x, 1, 0) == to_long(trunc(d)));
	CHECK(st_fn_fp_to_long(NULL, x, 2, 0) == to_long(floor(d)));
	CHECK(st_fn_fp_to_long(NULL, x, 3, 0) == to_long(ceil(d)));
	CHECK(st_fn_fp_to_long(NULL, x, 4, 0) == to_long(round(d)));
	same("from long", d, 0, st_fn_fp_from_long(NULL, x), (double)x);
	CHECK(isnan(d) || st_fp_to_32(bits(d)) == (union { float f; u32 i; }){ d }.i);
	same("from 32", d, 0, st_fn_fp_from_32(NULL, (u32)x), (double)(union { u32 i; float f; }){ x }.f);
}

static void test_text(double d, int precision)
{
	char want[1024], got[1024];
	struct st_str s;

	unit_reset();
	s = st_fn_fp_to_string(&unit_ctx, bits(d), precision);
	snprintf(got, sizeof(got), "%.*s", (int)s.len, s.p);
	if (isinf(d))
		snprintf(want, sizeof(want), "%sInfinity", d < 0 ? "-" : "");
	else if (isnan(d))
		snprintf(want, sizeof(want), "NaN");
	else
		snprintf(want, sizeof(want), "%.*f", precision, d);
	if (strlen(want) < 128)
		unit_check_string(__FILE__, __LINE__, got, want);
	snprintf(want, sizeof(want), "%.17g", d);
	if (isfinite(d))
		same(want, d, 0, st_fn_fp_from_string(&unit_ctx, unit_str(want)), d);
}

/* C's "%f", or "%e" where that has too many digits; a tie at the last digit may differ. */
static void test_shown(double d)
{
	bool plain = d == 0 || (fabs(d) >= 0x1p-13 && fabs(d) < 0x1p50);
	char want[64], got[64];
	struct st_str s;

	if (!isfinite(d))
		return;
	unit_reset();
	s = st_float_shown(&unit_ctx, bits(d));
	snprintf(got, sizeof(got), "%.*s", (int)s.len, s.p);
	snprintf(want, sizeof(want), plain ? "%.6f" : "%.6e", d);
	unit_check_string(__FILE__, __LINE__, got, want);
}

static void test_strings(void)
{
	static const char *const texts[] = {
		"", "-", "abc", "1", "+3", " 7", "12abc", ".5", "5.", "1e3", "1E-3", "1e", "-0", "1e400",
		"1e-400", "-1e99999999999", "99999999999999999999", "0.1", "123456789.123",
		"9007199254740993", "9007199254740992.9999999999999999", "2.4703282292062327e-324",
		"2.4703282292062328e-324", "1.7976931348623158e308", "1.7976931348623159e308",
		"0.000000000000000000000000000000000000000000000000000000000000000000001",
		"1000000000000000000000000000000000000000000000000000000000000000000000",
		"3.14159265358979323846264338327950288419716939937510", "1.2.3",
	};
	unsigned int i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		same(texts[i], 0, 0, st_fn_fp_from_string(&unit_ctx, unit_str(texts[i])),
		     strtod(texts[i], NULL));
}

int main(void)
{
	double a = 1, b = 1;
	unsigned int i, j;

	for (i = 0; i < SPECIALS; i++) {
		for (j = 0; j < SPECIALS; j++)
			test_pair(specials[i], specials[j]);
		test_integers(specials[i]);
		test_text(specials[i], i);
		test_shown(specials[i]);
	}
	for (i = 0; i < 200000; i++) {
		a = random_number(b);
		b = random_number(a);
		test_pair(a, b);
		test_integers(a);
	}
	for (i = 0; i < 5000; i++) {
		test_text(a = random_number(a), i % 60);
		test_shown(number(random_bits()));
		test_shown(number(random_bits() & ~(0x7ffull << 52)));
	}
	test_strings();
	return unit_failures != 0;
}
