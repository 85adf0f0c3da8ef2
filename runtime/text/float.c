// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * IEEE 754 arithmetic on binary64 numbers, in integers.  Scripts hold such numbers as
 * 64-bit integers with the same bits.  Handlers may not use the FPU, whose registers
 * belong to the interrupted code.
 *
 * A finite number is unpacked into sign, integer m and exponent e: its value is m * 2^e, with bit
 * 63 of m set.  For instance 1.5 is m = 3 << 62, e = -63.  An operation works on integers so wide
 * that of the bits shifted out it only matters whether all are zero; if not, the lowest bit is set
 * ("sticky"). st_fp_pack() rounds once, to nearest, ties to even.
 */
#include "float.h"

#define FP_INVALID (FP_SIGN | FP_INFINITY | FP_QUIET)

struct fp_parts {
	u64 sign;			/* FP_SIGN or 0 */
	u64 m;			/* 0, or with bit 63 set */
	int e;				/* the number is m times 2 to this */
};

static bool fp_is_nan(u64 x)
{
	return (x & ~FP_SIGN) > FP_INFINITY;
}

static bool fp_is_infinite(u64 x)
{
	return (x & ~FP_SIGN) == FP_INFINITY;
}

static bool fp_is_zero(u64 x)
{
	return !(x & ~FP_SIGN);
}

/* Unpacks a finite number. */
static struct fp_parts fp_unpack(u64 x)
{
	unsigned int exponent = x >> 52 & 0x7ff, shift;
	struct fp_parts p = { .sign = x & FP_SIGN, .m = x & ((1ull << 52) - 1) };

	if (exponent)
		p.m |= 1ull << 52;
	else
		exponent = 1;
	if (!p.m)
		return p;
	shift = __builtin_clzll(p.m);
	p.m <<= shift;
	p.e = (int)exponent - 1075 - (int)shift;
	return p;
}

static u64 fp_shift(u64 m, unsigned int n)
{
	if (n > 63)
		return m != 0;
	return n ? m >> n | (m << (64 - n) != 0) : m;
}

/* Rounds m * 2^e to a number with BITS bits of fraction, without its sign. */
static u64 fp_round(u64 m, int e, unsigned int bits, int bias)
{
	unsigned int shift, out = 63 - bits;
	u64 rest, half = 1ull << (out - 1), kept;
	int biased;

	if (!m)
		return 0;
	shift = __builtin_clzll(m);
	m <<= shift;
	biased = e - (int)shift + 63 + bias;
	if (biased > 2 * bias)
		return (2 * (u64)bias + 1) << bits;
	if (biased <= 0) {
		m = fp_shift(m, 1 - biased);
		biased = 1;
	}
	rest = m & (2 * half - 1);
	kept = m >> out;
	if (rest > half || (rest == half && kept & 1))
		kept++;
	/* The highest bit of 'kept', and a carry from rounding, add to the exponent. */
	return ((u64)(biased - 1) << bits) + kept;
}

u64 st_fp_pack(u64 sign, u64 m, int e)
{
	return sign | fp_round(m, e, 52, 1023);
}

static u64 fp_quieted(u64 a, u64 b)
{
	return (fp_is_nan(a) ? a : b) | FP_QUIET;
}

/* ---- the operations --------------------------------------------------------- */

static u64 fp_add(u64 a, u64 b)
{
	struct fp_parts x, y;

	if (fp_is_nan(a) || fp_is_nan(b))
		return fp_quieted(a, b);
	if (fp_is_infinite(a))
		return fp_is_infinite(b) && a != b ? FP_INVALID : a;
	if (fp_is_infinite(b))
		return b;
	if (fp_is_zero(a) || fp_is_zero(b))
		return fp_is_zero(a) && fp_is_zero(b) ? a & b : fp_is_zero(a) ? b : a;
	if ((a & ~FP_SIGN) < (b & ~FP_SIGN))
		swap(a, b);
	x = fp_unpack(a);
	y = fp_unpack(b);
	/* Make room for the carry. */
	x.m >>= 1;
	y.m = fp_shift(y.m, 1 + x.e - y.e);
	x.e++;
	if (x.sign == y.sign)
		return st_fp_pack(x.sign, x.m + y.m, x.e);
	return x.m == y.m ? 0 : st_fp_pack(x.sign, x.m - y.m, x.e);
}

st_long st_fn_fp_add(struct st_ctx *c, st_long a, st_long b)
{
	return fp_add(a, b);
}

st_long st_fn_fp_sub(struct st_ctx *c, st_long a, st_long b)
{
	return fp_add(a, fp_is_nan(b) ? (u64)b : b ^ FP_SIGN);
}

st_long st_fn_fp_mul(struct st_ctx *c, st_long a, st_long b)
{
	u64 sign = (a ^ b) & FP_SIGN;
	unsigned __int128 product;
	struct fp_parts x, y;

	if (fp_is_nan(a) || fp_is_nan(b))
		return fp_quieted(a, b);
	if (fp_is_infinite(a) || fp_is_infinite(b))
		return fp_is_zero(a) || fp_is_zero(b) ? FP_INVALID : sign | FP_INFINITY;
	x = fp_unpack(a);
	y = fp_unpack(b);
	product = (unsigned __int128)x.m * y.m;
	return st_fp_pack(sign, (u64)(product >> 64) | ((u64)product != 0), x.e + y.e + 64);
}

/* Divides bit by bit: 64 bits of quotient, the first of which is the units'. */
static u64 fp_quotient(u64 dividend, u64 divisor)
{
	u64 left = dividend, q = 0;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		bool carry = i && left & FP_SIGN;

		if (i)
			left <<= 1;
		q <<= 1;
		if (carry || left >= divisor) {
			left -= divisor;
			q |= 1;
		}
	}
	return q | (left != 0);
}

st_long st_fn_fp_div(struct st_ctx *c, st_long a, st_long b)
{
	u64 sign = (a ^ b) & FP_SIGN;
	struct fp_parts x, y;

	if (fp_is_nan(a) || fp_is_nan(b))
		return fp_quieted(a, b);
	if (fp_is_infinite(a))
		return fp_is_infinite(b) ? FP_INVALID : sign | FP_INFINITY;
	if (fp_is_infinite(b))
		return sign;
	if (fp_is_zero(b))
		return fp_is_zero(a) ? FP_INVALID : sign | FP_INFINITY;
	x = fp_unpack(a);
	y = fp_unpack(b);
	return x.m ? st_fp_pack(sign, fp_quotient(x.m, y.m), x.e - y.e - 63) : sign;
}

/*
 * Returns a - n * b, n being the integer nearest to a / b, by long division of a's bits, from the
 * top.
 */
st_long st_fn_fp_rem(struct st_ctx *c, st_long a, st_long b)
{
	struct fp_parts x, y;
	bool odd = false;
	u64 left;
	int i;

	if (fp_is_nan(a) || fp_is_nan(b))
		return fp_quieted(a, b);
	if (fp_is_infinite(a) || fp_is_zero(b))
		return FP_INVALID;
	if (fp_is_infinite(b) || fp_is_zero(a))
		return a;
	x = fp_unpack(a);
	y = fp_unpack(b);
	if (x.e < y.e - 1)
		return a;
	/* The lowest bits are 0: make room for a factor of two. */
	left = x.m >> 1;
	y.m >>= 1;
	if (x.e < y.e) {
		y.m <<= 1;
		y.e = x.e;
	}
	for (i = x.e; i >= y.e; i--) {
		if (i != x.e)
			left <<= 1;
		odd = left >= y.m;
		if (odd)
			left -= y.m;
	}
	if (left > y.m - left || (left == y.m - left && odd)) {
		left = y.m - left;
		x.sign ^= FP_SIGN;
	}
	return left ? st_fp_pack(x.sign, left, y.e + 1) : (u64)a & FP_SIGN;
}

st_long st_fn_fp_sqrt(struct st_ctx *c, st_long a)
{
	unsigned __int128 left, root = 0, bit = (unsigned __int128)1 << 126;
	struct fp_parts x;

	if (fp_is_nan(a))
		return a | FP_QUIET;
	if (fp_is_zero(a) || a == (st_long)FP_INFINITY)
		return a;
	if (a & FP_SIGN)
		return FP_INVALID;
	x = fp_unpack(a);
	left = (unsigned __int128)x.m << 64;
	x.e -= 64;
	if (x.e & 1) {
		left >>= 1;
		x.e++;
	}
	for (; bit; bit >>= 2) {
		if (left >= root + bit) {
			left -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return st_fp_pack(0, (u64)root | (left != 0), x.e / 2);
}

/* ---- comparing -------------------------------------------------------------- */

/* Maps numbers to integers of the same order; 0 and -0 to the same one. */
static st_long fp_order(u64 x)
{
	return x & FP_SIGN ? -(st_long)(x & ~FP_SIGN) : (st_long)x;
}

st_long st_fn_fp_eq(struct st_ctx *c, st_long a, st_long b)
{
	return !fp_is_nan(a) && !fp_is_nan(b) && fp_order(a) == fp_order(b);
}

st_long st_fn_fp_le(struct st_ctx *c, st_long a, st_long b)
{
	return !fp_is_nan(a) && !fp_is_nan(b) && fp_order(a) <= fp_order(b);
}

st_long st_fn_fp_lt(struct st_ctx *c, st_long a, st_long b)
{
	return !fp_is_nan(a) && !fp_is_nan(b) && fp_order(a) < fp_order(b);
}

/* ---- to and from integers --------------------------------------------------- */

st_long st_fn_fp_from_long(struct st_ctx *c, st_long v)
{
	return st_fp_pack(v & FP_SIGN, v < 0 ? -(u64)v : (u64)v, 0);
}

st_long st_fn_fp_from_32(struct st_ctx *c, st_long v)
{
	unsigned int exponent = v >> 23 & 0xff;
	u64 sign = v & 0x80000000 ? FP_SIGN : 0, fraction = v & 0x7fffff;

	if (exponent == 0xff)
		return sign | FP_INFINITY | (fraction ? fraction << 29 | FP_QUIET : 0);
	if (exponent)
		return st_fp_pack(sign, fraction | 0x800000, (int)exponent - 150);
	return st_fp_pack(sign, fraction, -149);
}

/* Converts a number back to binary32. */
st_long st_fp_to_32(st_long v)
{
	u64 sign = v & FP_SIGN ? 0x80000000 : 0;
	struct fp_parts p;

	if (fp_is_nan(v))
		return sign | 0x7fc00000 | ((u64)v >> 29 & 0x3fffff);
	if (fp_is_infinite(v))
		return sign | 0x7f800000;
	p = fp_unpack(v);
	return sign | fp_round(p.m, p.e, 23, 127);
}

enum fp_rounding { FP_TO_EVEN, FP_TO_ZERO, FP_DOWN, FP_UP, FP_AWAY, FP_TO_ODD = 6 };

/* Does rounding increase the truncated magnitude by one?  WHOLE is that, REST the fraction. */
static bool fp_one_more(enum fp_rounding how, bool negative, u64 whole, u64 rest)
{
	switch (how) {
	case FP_TO_EVEN:
		return rest > FP_SIGN || (rest == FP_SIGN && whole & 1);
	case FP_TO_ZERO:
		return false;
	case FP_DOWN:
		return rest && negative;
	case FP_UP:
		return rest && !negative;
	case FP_AWAY:
		return rest >= FP_SIGN;
	default:
		return rest && !(whole & 1);
	}
}

/* Converts to an integer.  Numbers that don't fit give the highest or lowest one, NaNs 0. */
st_long st_fn_fp_to_long(struct st_ctx *c, st_long x, st_long how, st_long exact)
{
	u64 whole, rest;
	struct fp_parts p;

	if (fp_is_nan(x))
		return 0;
	p = fp_unpack(x);
	if (fp_is_infinite(x) || p.e > 0)
		return x < 0 ? FP_SIGN : FP_SIGN - 1;
	whole = p.e <= -64 ? 0 : p.m >> -p.e;
	rest = !p.m || !p.e ? 0 : p.e < -64 ? fp_shift(p.m, -p.e - 64) : p.m << (64 + p.e);
	whole += fp_one_more(how, p.sign, whole, rest);
	if (p.sign)
		return whole > FP_SIGN ? FP_SIGN : -whole;
	return whole >= FP_SIGN ? FP_SIGN - 1 : whole;
}
