// SPDX-License-Identifier: GPL-2.0-or-later
/* printf's rules (runtime/text/format.c). */
#include "text/format.h"
#include "unit.h"

/* The arguments, and how many they are. */
#define LONGS(...) (const union st_arg[]){ __VA_ARGS__ }, \
		   sizeof((const union st_arg[]){ __VA_ARGS__ }) / sizeof(union st_arg)
#define L(v) { .i = (v) }
#define S(v) { .s = { v, sizeof(v) - 1 } }

static void check(int line, const char *want, const char *fmt, const union st_arg *a,
		  unsigned int nargs)
{
	char buf[256];
	unsigned int n = st_format_all(buf, sizeof(buf) - 1, fmt, a, nargs);

	buf[n] = '\0';
	unit_check_string(__FILE__, line, buf, want);
}

#define FORMAT(want, fmt, ...) check(__LINE__, want, fmt, LONGS(__VA_ARGS__))

static void test_integers(void)
{
	FORMAT("0 1 9 10 99 100 12345", "%d %d %d %d %d %d %d",
	       L(0), L(1), L(9), L(10), L(99), L(100), L(12345));
	FORMAT("-9223372036854775808", "%d", L(-9223372036854775807 - 1));
	FORMAT("9223372036854775807", "%i", L(9223372036854775807));
	FORMAT("18446744073709551615", "%u", L(-1));
	FORMAT("[   42][42   ][00042][+42][ 42][-42]", "[%5d][%-5d][%05d][%+d][% d][%d]",
	       L(42), L(42), L(42), L(42), L(42), L(-42));
	FORMAT("[-0042][  +42]", "[%05d][%+05d]", L(-42), L(42));
	FORMAT("[  007][007  ]", "[%5.3d][%-5.3d]", L(7), L(7));
	FORMAT("7fa 7FA 0x7fa 0X7FA 0x0", "%x %X %#x %#X %#x",
	       L(0x7fa), L(0x7fa), L(0x7fa), L(0x7fa), L(0));
	FORMAT("610 01 00", "%o %#o %#o", L(392), L(1), L(0));
	FORMAT("0xffffffffffffffff", "%p", L(-1));
	FORMAT("0x0 [  0x1234][0x1234  ]", "%p [%8p][%-8p]", L(0), L(0x1234), L(0x1234));
	FORMAT("[    0x12]", "[%#08x]", L(0x12));
	FORMAT("[   ab]", "[%*x]", L(5), L(0xab));
	FORMAT("[ab]", "[%*x]", L(-5), L(0xab));
	FORMAT("[  0ab]", "[%*.*x]", L(5), L(3), L(0xab));
}

static void test_strings(void)
{
	FORMAT("alice", "%s", S("alice"));
	FORMAT("[  bob][bob  ][bo]", "[%5s][%-5s][%.2s]", S("bob"), S("bob"), S("bob"));
	FORMAT("[   bo]", "[%*.*s]", L(5), L(2), S("bob"));
	FORMAT("[]", "[%.0s]", S("bob"));
	FORMAT("100%", "100%%", L(0));
	FORMAT("%5%|", "%%%d%%|", L(5));
	FORMAT("616200ff [  61]", "%M [%4M]", S("ab\0\xff"), S("a"));
	FORMAT("ab", "%m", S("ab"));
	FORMAT("[  ab]", "[%4m]", S("ab"));
}

static void test_chars(void)
{
	char buf[8];

	FORMAT("a [  b][b  ]", "%c [%3c][%-3c]", L(97), L('b'), L('b'));
	FORMAT("\\000 \\t * \\n \\177 \\377", "%#c %#c %#c %#c %#c %#c",
	       L(0), L(9), L(42), L(10), L(127), L(255));
	FORMAT("\\' \\\\ \" '", "%#c %#c %#c %c", L('\''), L('\\'), L('"'), L('\''));
	CHECK(st_format_all(buf, 8, "%c", LONGS(L(0))) == 1 && buf[0] == 0);
}

static void test_binary(void)
{
	char buf[32];

	CHECK(st_format_all(buf, 32, "%b", LONGS(L(0x1234))) == 8);
	CHECK(buf[0] == 0x34 && buf[1] == 0x12 && buf[7] == 0);
	CHECK(st_format_all(buf, 32, "%1b%2b%4b%8b", LONGS(L(1), L(2), L(3), L(4))) == 15);
	CHECK(buf[0] == 1 && buf[1] == 2 && buf[3] == 3 && buf[7] == 4);
	CHECK(st_format_all(buf, 32, "%8.1b|%-4.2b|", LONGS(L('a'), L(0x4342))) == 14);
	CHECK(!memcmp(buf, "\0\0\0\0\0\0\0a|BC\0\0|", 14));
	FORMAT("aA!", "%1b%1b%1b", L(97), L(97 - 32), L(97 - 64));
}

/* What doesn't fit is cut, nothing is written behind. */
static void test_room(void)
{
	static const char whole[] = "ab  123|xyz  |0x1f";
	char buf[32];
	unsigned int room;

	for (room = 0; room < sizeof(whole); room++) {
		unsigned int n;

		memset(buf, '#', sizeof(buf));
		n = st_format_all(buf, room, "ab%5d|%-5s|%#x", LONGS(L(123), S("xyz"), L(31)));
		CHECK(n == min_t(unsigned int, room, sizeof(whole) - 1));
		CHECK(!memcmp(buf, whole, n) && buf[n] == '#');
	}
}

/* What is no directive stands for itself. */
static void test_malformed(void)
{
	FORMAT("50% yes%", "50% yes%", L(0));
	FORMAT("%y 7", "%y %d", L(7));
	FORMAT("", "", L(0));
}

/* From a directive that lacks an argument on, only text is written: what is left may be of another
 * kind. */
static void test_few(void)
{
	char buf[4];

	CHECK(st_format_all(buf, sizeof(buf), "a%s%s%d", NULL, 0) == 1 && buf[0] == 'a');
	FORMAT("7 bob  ", "%d %s %s %.1s", L(7), S("bob"));
	FORMAT("7 [] ", "%d [%*s] %s", L(7), L(5));
}

/* Against the C library, where it and the kernel agree. */
static void test_random(void)
{
	static const char *const formats[] = {
		"%lld", "%5lld", "%-20lld|", "%+lld", "% lld", "%llu", "%llx", "%22llX",
		"%022lld", "%.12lld", "%25.15lld", "%-25.15llx|", "%llo",
	};
	int i;

	for (i = 0; i < 20000; i++) {
		const char *theirs = formats[unit_random(sizeof(formats) / sizeof(*formats))];
		char ours[32], want[64], *o = ours;
		const char *t;
		st_long v = (u64)unit_random(~0u) << 32 | unit_random(~0u);

		v >>= unit_random(63);
		for (t = theirs; *t; t++)
			if (*t != 'l')
				*o++ = *t;
		*o = '\0';
		snprintf(want, sizeof(want), theirs, v);
		check(__LINE__, want, ours, LONGS(L(v)));
	}
}

int main(void)
{
	test_integers();
	test_strings();
	test_chars();
	test_binary();
	test_room();
	test_malformed();
	test_few();
	test_random();
	return unit_failures != 0;
}
