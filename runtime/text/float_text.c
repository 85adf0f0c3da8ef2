// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts binary64 numbers (float.c) to and from decimal text, exactly, rounding once.
 *
 * Both work on an integer of thousands of bits: a number's integer times a power of two
 * or ten, or the digits of a text.
 */
#include "core/walk.h"
#include "float.h"

/* Words for 2^1024 times 10^MOST_DIGITS, and 9 digits more. */
#define BIG_WORDS 68
#define MOST_DIGITS 300
#define MOST_EXPONENT 400
#define BIG_PIECE 1000000000u		/* 10^9 */

struct big {
	unsigned int n;			/* words used */
	u32 words[BIG_WORDS];		/* lowest first */
};

static void big_set(struct big *b, u64 v)
{
	for (b->n = 0; v; v >>= 32)
		b->words[b->n++] = v;
}

static void big_multiply(struct big *b, u32 factor, u32 carry)
{
	u64 sum = carry;
	unsigned int i;

	for (i = 0; i < b->n; i++, sum >>= 32) {
		sum += (u64)b->words[i] * factor;
		b->words[i] = sum;
	}
	if (sum && b->n < BIG_WORDS)
		b->words[b->n++] = sum;
}

/* Divides in place; returns the remainder. */
static u32 big_divide(struct big *b, u32 divisor)
{
	u64 left = 0;
	unsigned int i;

	for (i = b->n; i--;) {
		left = left << 32 | b->words[i];
		b->words[i] = left / divisor;
		left %= divisor;
	}
	while (b->n && !b->words[b->n - 1])
		b->n--;
	return left;
}

static void big_times_ten(struct big *b, unsigned int power)
{
	for (; power >= 9; power -= 9)
		big_multiply(b, BIG_PIECE, 0);
	for (; power; power--)
		big_multiply(b, 10, 0);
}

static void big_shift_left(struct big *b, unsigned int n)
{
	for (; n >= 31; n -= 31)
		big_multiply(b, 1u << 31, 0);
	big_multiply(b, 1u << n, 0);
}

static bool big_bit(const struct big *b, unsigned int n)
{
	return n / 32 < b->n && b->words[n / 32] >> n % 32 & 1;
}

static bool big_below(const struct big *b, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n && i / 32 < b->n; i += 32)
		if (b->words[i / 32] << (n - i < 32 ? 32 - (n - i) : 0))
			return true;
	return false;
}

/* Shifts right, and rounds to nearest, ties to even. */
static void big_shift_right(struct big *b, unsigned int n)
{
	bool half = n && big_bit(b, n - 1), more = n > 1 && big_below(b, n - 1);
	unsigned int i, words = n / 32, bits = n % 32;

	for (i = 0; i + words < b->n; i++) {
		u64 two = b->words[i + words];

		if (i + words + 1 < b->n)
			two |= (u64)b->words[i + words + 1] << 32;
		b->words[i] = two >> bits;
	}
	b->n = i;
	if (half && (more || big_bit(b, 0))) {
		if (!b->n)
			b->words[b->n++] = 0;
		big_multiply(b, 1, 1);
	}
	while (b->n && !b->words[b->n - 1])
		b->n--;
}

/* ---- to text ------------------------------------------------------------------ */

/* Writes the digits backwards, ending before 'end', with a point before the last 'digits'. */
static char *put_digits(char *end, struct big *b, unsigned int digits)
{
	unsigned int put = 0, i;
	char *p = end;

	while (b->n || put <= digits) {
		u32 piece = big_divide(b, BIG_PIECE);

		for (i = 0; i < 9 && (piece || b->n || put <= digits); i++, piece /= 10) {
			if (put++ == digits && digits)
				*--p = '.';
			*--p = '0' + piece % 10;
		}
	}
	return p;
}

/*
 * Writes the digits of m * 2^(exponent - 1075) in front of END; returns the first.  Not inlined: what
 * the caller calls besides need not have the number's 280 bytes below it on the stack.
 */
static __attribute__((__noinline__)) char *exact_digits(char *end, u64 m, unsigned int exponent,
						    unsigned int digits)
{
	struct big b;

	big_set(&b, m);
	big_times_ten(&b, digits);
	if (exponent >= 1075)
		big_shift_left(&b, exponent - 1075);
	else
		big_shift_right(&b, 1075 - exponent);
	return put_digits(end, &b, digits);
}

/* Returns the most words of exact_digits()'s number; a digit behind the point takes 10/3 bits. */
static unsigned int words_of(unsigned int exponent, unsigned int digits)
{
	return (53 + digits * 10 / 3 + (exponent > 1075 ? exponent - 1075 : 0)) / 32 + 1;
}

/*
 * Writes a finite number in front of END, with its sign; returns the first character, or NULL if it
 * would take too long.
 */
static inline char *put_decimal(struct st_ctx *c, char *end, st_long x, unsigned int digits)
{
	unsigned int exponent = x >> 52 & 0x7ff, words = words_of(exponent, digits);
	u64 m = x & ((1ull << 52) - 1);
	char *p;

	/* each nine digits are a division of all words */
	if (st_walk(c, words * words / 8))
		return NULL;
	p = exact_digits(end, exponent ? m | 1ull << 52 : m, exponent ?: 1, digits);
	if (x < 0)
		*--p = '-';
	return p;
}

static bool is_finite(st_long x)
{
	return (x & FP_INFINITY) != FP_INFINITY;
}

static struct st_str not_finite(st_long x)
{
	return x & ((1ull << 52) - 1) ? ST_LIT("NaN") : x < 0 ? ST_LIT("-Infinity") : ST_LIT("Infinity");
}

static struct st_str text_from(struct st_ctx *c, const char *p, const char *end)
{
	return p ? st_dup(c, (struct st_str){ p, end - p }) : ST_LIT("");
}

struct st_str st_fn_fp_to_string(struct st_ctx *c, st_long x, st_long precision)
{
	char text[MOST_DIGITS + 330], *end = text + sizeof(text);

	if (!is_finite(x))
		return not_finite(x);
	return text_from(c, put_decimal(c, end, x, clamp_t(st_long, precision, 0, MOST_DIGITS)), end);
}

/* A number as people write it: digits, SHOWN of them, times 10^exponent. */
struct fp_leading {
	u64 digits;
	int exponent;
};

#define SHOWN 7
#define SHOWN_LIMIT 10000000u		/* 10^SHOWN */
/* The smallest number has its first digit at place 324 behind the point; here the last of interest. */
#define BEHIND (324 + SHOWN + 10)

static __attribute__((__noinline__)) bool leading_digits(struct st_ctx *c, st_long x,
						      struct fp_leading *to)
{
	unsigned int i, behind = (x >> 52 & 0x7ff) < 1023 ? BEHIND : 0;
	char text[BEHIND + 20], *end = text + sizeof(text), *p;

	p = put_decimal(c, end, x & ~FP_SIGN, behind);
	if (!p)
		return false;
	if (behind)
		for (p += 2; *p == '0'; p++)
			;
	to->exponent = (int)(end - p) - (int)behind - SHOWN;
	for (to->digits = i = 0; i <= SHOWN; i++)
		to->digits = to->digits * 10 + p[i] - '0';
	to->digits = (to->digits + 5) / 10;
	if (to->digits == SHOWN_LIMIT) {
		to->digits /= 10;
		to->exponent++;
	}
	return true;
}

/*
 * Returns a number as people write it.  One below 2^-13, or from 2^50 on, has an exponent:
 * 4.940656e-324.
 */
struct st_str st_float_shown(struct st_ctx *c, st_long x)
{
	unsigned int exponent = x >> 52 & 0x7ff;
	char text[32], *end = text + sizeof(text);
	struct fp_leading n;
	union st_arg args[5];

	if (!is_finite(x))
		return not_finite(x);
	if (!(x & ~FP_SIGN) || (exponent >= 1023 - 13 && exponent < 1023 + 50))
		return text_from(c, put_decimal(c, end, x, SHOWN - 1), end);
	if (!leading_digits(c, x, &n))
		return ST_LIT("");
	args[0].s = x < 0 ? ST_LIT("-") : ST_LIT("");
	args[1].i = n.digits / (SHOWN_LIMIT / 10);
	args[2].i = n.digits % (SHOWN_LIMIT / 10);
	n.exponent += SHOWN - 1;
	args[3].s = n.exponent < 0 ? ST_LIT("-") : ST_LIT("+");
	args[4].i = abs(n.exponent);
	return st_format(c, "%s%d.%06de%s%02d", args, 5);
}

/* ---- from text ---------------------------------------------------------------- */

/*
 * Returns the highest 64 bits, the lowest of which is sticky; *out is how many bits were left out.
 */
static u64 big_top(const struct big *b, unsigned int *out)
{
	unsigned int bits = b->n * 32 - __builtin_clz(b->words[b->n - 1]), i;
	u64 top = 0;

	*out = bits > 64 ? bits - 64 : 0;
	for (i = bits; i-- > *out;)
		top = top << 1 | big_bit(b, i);
	return top | big_below(b, *out);
}

/* A number in decimal: digits * 10^exponent. */
struct decimal {
	u64 digits;
	bool more;			/* there were nonzero digits after these 19 */
	int exponent;
};

static bool digit_at(struct st_str s, unsigned int i)
{
	return i < s.len && s.p[i] >= '0' && s.p[i] <= '9';
}

static int written_exponent(struct st_str s, unsigned int i)
{
	bool negative = false;
	int e = 0;

	if (i >= s.len || (s.p[i] | 0x20) != 'e')
		return 0;
	i++;
	if (i < s.len && (s.p[i] == '-' || s.p[i] == '+'))
		negative = s.p[i++] == '-';
	for (; digit_at(s, i); i++)
		e = min(e * 10 + s.p[i] - '0', 10000);
	return negative ? -e : e;
}

static bool read_decimal(struct st_str s, unsigned int i, struct decimal *d)
{
	bool point = false, any = false;

	*d = (struct decimal){ 0 };
	for (; digit_at(s, i) || (i < s.len && s.p[i] == '.' && !point); i++) {
		if (s.p[i] == '.') {
			point = true;
			continue;
		}
		any = true;
		if (d->digits < 1000000000000000000ull) {
			d->digits = d->digits * 10 + s.p[i] - '0';
			d->exponent -= point;
		} else {
			d->more |= s.p[i] != '0';
			d->exponent += !point;
		}
	}
	d->exponent += written_exponent(s, i);
	return any;
}

/*
 * Converts from text.  Text that doesn't begin with a number is an error; text behind the number is
 * ignored.
 */
st_long st_fn_fp_from_string(struct st_ctx *c, struct st_str s)
{
	unsigned int i = 0, shift = 0, out;
	struct decimal d;
	u64 sign = 0, top;
	struct big b;
	int down;

	while (i < s.len && (s.p[i] == ' ' || (s.p[i] >= '\t' && s.p[i] <= '\r')))
		i++;
	if (i < s.len && (s.p[i] == '-' || s.p[i] == '+'))
		sign = s.p[i++] == '-' ? FP_SIGN : 0;
	if (st_walk_text(c, s.len))
		return 0;
	if (!read_decimal(s, i, &d)) {
		st_error(c, "invalid format");
		return 0;
	}
	if (!d.digits || d.exponent < -MOST_EXPONENT)
		return sign;
	if (d.exponent > MOST_EXPONENT)
		return sign | FP_INFINITY;
	big_set(&b, d.digits);
	if (d.exponent >= 0) {
		big_times_ten(&b, d.exponent);
	} else {
		/* Get more than 64 bits of quotient: ten is less than 2^(10/3). */
		if (st_walk(c, -d.exponent / 8))
			return 0;
		shift = 80 + -d.exponent * 10 / 3;
		big_shift_left(&b, shift);
		for (down = -d.exponent; down; down -= min(down, 9)) {
			u32 divisor = 1, n;

			for (n = 0; n < 9 && n < (u32)down; n++)
				divisor *= 10;
			d.more |= big_divide(&b, divisor) != 0;
		}
	}
	top = big_top(&b, &out);
	return st_fp_pack(sign, top | d.more, (int)out - (int)shift);
}
