// SPDX-License-Identifier: GPL-2.0-or-later
/* Floating-point numbers everywhere: parameters, results, members, elements, globals, marks. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "mark.h"

#define OUT __attribute__((noinline, noclone, noipa))
#ifdef __clang__
#undef OUT
#define OUT __attribute__((noinline))
#endif

struct point { double x; float y; int n; };
struct pair { double a, b; };
struct small { float x, y; };
struct mixed { double d; long l; };
struct deep { int id; struct point at; float row[3]; };

double total = 2.5;
float narrow = -0.125f;
double grid[2][2] = { { 1, 2 }, { 3, 4.75 } };
struct deep kept = { 7, { 1e300, 0.1f, 3 }, { 0.5f, 1.5f, 2.5f } };
volatile double sink;

OUT double scale(double x, float y, int n, double z)
{
	sink += x * y + n + z;
	return x * 2;
}

OUT float half(float x)
{
	sink += x;
	return x / 2;
}

OUT double sum(const struct point *p, const double *v)
{
	sink += p->x + v[1];
	return p->x + v[1];
}

OUT struct pair both(double a, double b)
{
	sink += a;
	return (struct pair){ b, a };
}

OUT struct small twins(float x)
{
	sink += x;
	return (struct small){ x, x + 1 };
}

OUT struct mixed mix(double d, long l)
{
	sink += d;
	return (struct mixed){ d * 2, l * 2 };
}

OUT double many(double a, double b, double c, double d, double e, double f, double g, double h,
		double i)
{
	sink += a + b + c + d + e + f + g + h + i;
	return i;
}

OUT long double wide(long double x)
{
	sink += x;
	return x;
}

OUT void marked(double d, float f)
{
	MARK("app", "vectors", "8f@%0 4f@%1", "x"(d), "x"(f));
	sink += d + f;
}

int main(void)
{
	static const double odd[] = { NAN, INFINITY, -INFINITY, -0.0, DBL_TRUE_MIN, DBL_MAX };
	struct point p = { 1.25, -3.5f, 4 };
	double v[] = { 1, 10.0625 };

	scale(1.5, 0.25f, 3, -7.75);
	half(3);
	half(FLT_TRUE_MIN);
	half(-INFINITY);
	for (unsigned int i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		scale(odd[i], (float)odd[i], i, i);
	sum(&p, v);
	both(1.5, 2.5);
	twins(0.5f);
	mix(0.75, 21);
	many(1, 2, 3, 4, 5, 6, 7, 8, 9.5);
	wide(1);
	marked(6.5, 0.75f);
	return 0;
}
