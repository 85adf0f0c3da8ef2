// SPDX-License-Identifier: GPL-2.0-or-later
/* Functions whose parameters lie wherever a calling convention and a compiler put them. */
#include <alloca.h>
#include <stdarg.h>
#include <string.h>

#define F __attribute__((noinline, noipa))

struct small { int x, y; };
struct large { long x, y, z; };

volatile long sink;

F int plain(int a, int b) { return a + b; }

F long many(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return a + b * c + d * e + f * g + h;
}

F long values(struct small s, struct large l, int n)
{
	return s.x + s.y + l.x + l.z + n;
}

F long loops(int n, const char *text)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += text[i];
	return sum;
}

F long frame(int n, char c)
{
	char room[3000];

	memset(room, c, sizeof(room));
	sink += room[n];
	return room[n + 1] + n;
}

F long moves(int n, char c)
{
	char *room = alloca(n);

	memset(room, c, n);
	sink += room[n / 2];
	return n + c;
}

F int tail(int a, int b)
{
	return plain(b + sink, a);
}

F long more(int n, ...)
{
	va_list ap;
	long sum = n;

	va_start(ap, n);
	sum += va_arg(ap, long);
	va_end(ap);
	return sum;
}

F int early(int a, int b)
{
	if (a < 0)
		return 0;
	sink = b;
	return a + b;
}

F void fill(int *p)
{
	*p += sink;
}

F int taken(int a, int b)
{
	fill(&a);
	return a + b;
}

int main(void)
{
	sink = many(21, 22, 23, 24, 25, 26, 27, 28);
	sink = values((struct small){ 31, 32 }, (struct large){ 33, 34, 35 }, 36);
	sink = loops(4, "text");
	sink = frame(51, 'b');
	sink = moves(61, 'c');
	sink = 0;
	sink = tail(71, 72);
	sink = more(81, 82L);
	sink = early(91, 92);
	sink = taken(101, 102);
	return 0;
}
