// SPDX-License-Identifier: GPL-2.0-or-later
/* Strings in scratch, and the tapset functions on strings. */
#include "unit.h"

static void check(int line, struct st_str got, const char *want)
{
	CHECK(got.p[got.len] == '\0');
	unit_check_string(__FILE__, line, got.p, want);
}

#define IS(got, want) check(__LINE__, got, want)

static struct st_str long_string(void)
{
	static char s[200];

	memset(s, 'x', sizeof(s) - 1);
	return unit_str(s);
}

/* Every length, of which some are copied in another way; nothing behind them changes. */
static void test_copies(void)
{
	char from[300], to[300];

	for (unsigned int i = 0; i < sizeof(from); i++)
		from[i] = i * 7 + 1;
	for (unsigned int n = 0; n < sizeof(to); n++) {
		memset(to, 0, sizeof(to));
		st_copy_text(to, from, n);
		CHECK(!memcmp(to, from, n) && !to[n]);
	}
}

static void test_scratch(void)
{
	struct st_ctx *c = &unit_ctx;
	char buf[128], *mark;
	struct st_strvar v = { .buf = buf };
	struct st_str s;

	unit_reset();
	IS(st_concat(c, unit_str("ab"), unit_str("cd")), "abcd");
	IS(st_concat(c, unit_str(""), unit_str("")), "");
	CHECK_LONG(st_concat(c, long_string(), unit_str("cd")).len, 127);
	mark = c->sp;
	st_dup(c, unit_str("garbage"));
	s = st_concat(c, unit_str("kept "), unit_str("string"));
	s = st_keep(c, mark, s);
	IS(s, "kept string");
	CHECK(s.p == mark && c->sp == mark + s.len + 1);
	st_assign(&v, s);
	IS(v.s, "kept string");
	st_assign(&v, (struct st_str){ v.s.p + 5, 6 });
	IS(v.s, "string");
	st_assign(&v, long_string());
	CHECK_LONG(v.s.len, 127);
	CHECK(st_compare(unit_str("a"), unit_str("b")) < 0);
	CHECK(st_compare(unit_str("ab"), unit_str("a")) > 0);
	CHECK(st_compare(unit_str("\xff"), unit_str("a")) > 0);
	CHECK_LONG(st_compare(unit_str("ab"), unit_str("ab")), 0);
}

static void test_scratch_end(void)
{
	struct st_ctx *c = &unit_ctx;
	char small[10];

	unit_reset();
	c->sp = small;
	c->sp_end = small + sizeof(small);
	IS(st_dup(c, unit_str("123456789")), "123456789");
	CHECK(!c->error);
	IS(st_dup(c, unit_str("")), "");
	CHECK(c->error);
	IS(st_dup(c, unit_str("after an error")), "");
}

static void test_substr(void)
{
	struct st_ctx *c = &unit_ctx;

	unit_reset();
	IS(st_fn_substr(c, unit_str("abcdef"), 1, 3), "bcd");
	IS(st_fn_substr(c, unit_str("abcdef"), 4, 100), "ef");
	IS(st_fn_substr(c, unit_str("abcdef"), 0, 6), "abcdef");
	IS(st_fn_substr(c, unit_str("abcdef"), 6, 1), "");
	IS(st_fn_substr(c, unit_str("abcdef"), -1, 2), "");
	IS(st_fn_substr(c, unit_str("abcdef"), 1, -2), "");
	CHECK_LONG(st_fn_stringat(c, unit_str("a\xff"), 1), 255);
	CHECK(!c->error);
	st_fn_stringat(c, unit_str("a"), 1);
	CHECK(c->error);
	c->error = NULL;
	st_fn_stringat(c, unit_str("a"), -1);
	CHECK(c->error);
	c->error = NULL;
	CHECK_LONG(st_fn_strpos(c, unit_str("hello"), unit_str("l")), 2);
	CHECK_LONG(st_fn_strpos(c, unit_str("hello"), unit_str("lo")), 3);
	CHECK_LONG(st_fn_strpos(c, unit_str("hello"), unit_str("lox")), -1);
	CHECK_LONG(st_fn_strpos(c, unit_str("hello"), unit_str("")), 0);
	CHECK_LONG(st_fn_strpos(c, unit_str(""), unit_str("")), 0);
	CHECK_LONG(st_fn_strpos(c, unit_str(""), unit_str("a")), -1);
}

static void test_strtol(void)
{
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("123"), 10), 123);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("-123abc"), 10), -123);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("ff"), 16), 255);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("0xFF"), 16), 255);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("0x10"), 0), 16);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("010"), 0), 8);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("10"), 0), 10);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("0x"), 16), 0);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("102"), 2), 2);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str(""), 10), 0);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("-"), 0), 0);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("z"), 36), 0);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("7"), 99), 0);
	CHECK_LONG(st_fn_strtol(&unit_ctx, unit_str("-9223372036854775808"), 10), LLONG_MIN);
}

static long found_simply(struct st_str s, struct st_str part)
{
	for (unsigned int i = 0; i + part.len <= s.len; i++)
		if (!memcmp(s.p + i, part.p, part.len))
			return i;
	return -1;
}

/* Writes the bits of N as letters; the highest only says how many. */
static struct st_str letters(char *to, unsigned int n)
{
	unsigned int len = 0;

	for (; n > 1; n >>= 1)
		to[len++] = n & 1 ? '\xe4' : 'a';
	return (struct st_str){ to, len };
}

/* All parts of up to 7 letters a and ä, in all strings of up to 12. */
static void test_find(void)
{
	char text[16], wanted[16];

	for (unsigned int i = 1; i < 1u << 13; i++)
		for (unsigned int k = 1; k < 1u << 8; k++) {
			struct st_str s = letters(text, i), part = letters(wanted, k);

			CHECK_LONG(st_fn_strpos(&unit_ctx, s, part), found_simply(s, part));
		}
}

static void test_replace(void)
{
	struct st_ctx *c = &unit_ctx;

	unit_reset();
	IS(st_fn_replace(c, unit_str("a-b-c"), unit_str("-"), unit_str("+++")), "a+++b+++c");
	IS(st_fn_replace(c, unit_str("aaa"), unit_str("aa"), unit_str("b")), "ba");
	IS(st_fn_replace(c, unit_str("abc"), unit_str("abc"), unit_str("")), "");
	IS(st_fn_replace(c, unit_str("abc"), unit_str(""), unit_str("x")), "abc");
	IS(st_fn_replace(c, unit_str("abc"), unit_str("d"), unit_str("x")), "abc");
	CHECK_LONG(st_fn_replace(c, long_string(), unit_str("x"), unit_str("yyy")).len, 127);
}

static void test_tokens(void)
{
	struct st_str s = unit_str("  one,two ,, "), delim = unit_str(" ,");
	static const int want[][2] = { { 2, 5 }, { 6, 9 }, { 13, 13 } };
	st_long at = 0;
	int i;

	for (i = 0; i < 3; i++) {
		at = st_fn_token_begin(&unit_ctx, s, at, delim);
		CHECK_LONG(at, want[i][0]);
		at = st_fn_token_end(&unit_ctx, s, at, delim);
		CHECK_LONG(at, want[i][1]);
	}
	CHECK_LONG(st_fn_token_end(&unit_ctx, unit_str("a\xff\x80"), 0, unit_str("\x80")), 2);
	CHECK_LONG(st_fn_token_begin(&unit_ctx, s, 1000, delim), 13);
	CHECK_LONG(st_fn_token_end(&unit_ctx, s, -5, unit_str("")), 13);
}

static void test_text(void)
{
	struct st_ctx *c = &unit_ctx;
	unsigned int n;

	unit_reset();
	IS(st_fn_text(c, unit_str("a\tb\n\"c\"\\\x01\xc3"), 0, 0),
	   "a\\tb\\n\\\"c\\\"\\\\\\001\\303");
	IS(st_fn_text(c, unit_str("hello"), 0, 1), "\"hello\"");
	IS(st_fn_text(c, unit_str("hello"), 7, 1), "\"hello\"");
	IS(st_fn_text(c, unit_str("hello you"), 8, 1), "\"hel\"...");
	IS(st_fn_text(c, unit_str("hello"), 3, 0), "hel");
	IS(st_fn_text(c, unit_str("h\001llo"), 3, 0), "h");
	IS(st_fn_text(c, unit_str(""), 0, 1), "\"\"");
	for (n = 1; n < 140; n++) {
		struct st_str s = st_fn_text(c, long_string(), n, 1);

		CHECK(s.len <= max(n, 6u) && s.len <= 127);
		CHECK(!strcmp(s.p + s.len - 4, "\"..."));
		unit_reset();
	}
}

/* A string much longer than a result, so long that looking through it is more than one slice. */
static struct st_str longest_string(void)
{
	static char s[ST_WALK_SLICE * ST_WALK_BYTES + 1];

	memset(s, '7', sizeof(s) - 1);
	return unit_str(s);
}

/* Did the call in VALUE use up the handler's time, which is one slice? */
#define ENDS(value) do {					\
	unit_reset();						\
	unit_slices = 1;					\
	(void)(value);						\
	CHECK_STRING(unit_error(), "the handler takes too long");	\
} while (0)

static void test_time(void)
{
	struct st_ctx *c = &unit_ctx;
	struct st_str s = longest_string();

	ENDS(st_fn_strpos(c, s, unit_str("x")));
	ENDS(st_fn_strpos(c, unit_str("x"), s));
	ENDS(st_fn_strtol(c, s, 10));
	ENDS(st_fn_replace(c, s, unit_str("x"), unit_str("y")));
	ENDS(st_fn_token_begin(c, s, 0, unit_str("7")));
	ENDS(st_fn_token_end(c, s, 0, unit_str("x")));
	ENDS(st_fn_token_end(c, unit_str("x"), 0, s));
	ENDS(st_fn_text(c, s, 0, 1));
	IS(st_fn_text(c, s, 0, 1), "");
	unit_reset();
	unit_slices = 1;
	for (unsigned int i = 0; i < 2000; i++)
		st_fn_strpos(c, unit_str("short"), unit_str("or"));
	CHECK(!c->error);
}

int main(void)
{
	test_copies();
	test_scratch();
	test_scratch_end();
	test_substr();
	test_strtol();
	test_find();
	test_replace();
	test_tokens();
	test_text();
	test_time();
	return unit_failures != 0;
}
