// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks for a string in another (find.h), by Crochemore's and Perrin's two-way algorithm, which
 * needs no memory, and whose time grows with the sum of the lengths, not with their product.
 *
 * The part is cut where its left and right halves repeat least.  The right half is compared first,
 * forwards: where it differs, no place up to there can be right.  Then the left half, backwards:
 * where it differs, no place before the next period of the part can be.
 */
#include "port/port.h"
#include "find.h"

/* Finds where the greatest of all ends of S begins, by the order of bytes or by its reverse, and
 * the period of that end. */
static unsigned int greatest_end(struct st_str s, bool reverse, unsigned int *period)
{
	unsigned int best = 0, next = 1, same = 0;

	*period = 1;
	while (next + same < s.len) {
		unsigned char a = s.p[best + same], b = s.p[next + same];

		if (a == b) {
			if (++same == *period) {
				next += same;
				same = 0;
			}
		} else if (reverse ? b > a : b < a) {
			next += same + 1;
			same = 0;
			*period = next - best;
		} else {
			best = next++;
			same = 0;
			*period = 1;
		}
	}
	return best;
}

/* Returns the critical factorisation of PART; sets *PERIOD to the right half's period. */
static unsigned int cut(struct st_str part, unsigned int *period)
{
	unsigned int other, a = greatest_end(part, false, period),
		     b = greatest_end(part, true, &other);

	if (b > a)
		*period = other;
	return max(a, b);
}

st_long st_find(struct st_str s, struct st_str part)
{
	unsigned int at = 0, known = 0, keep = 0, period, middle, i;

	if (!part.len)
		return 0;
	middle = cut(part, &period);
	/* If that is the whole part's period, what is left of it after a move is known to be equal. */
	if (!memcmp(part.p, part.p + period, middle))
		keep = part.len - period;
	else
		period = max(middle, part.len - middle) + 1;
	while (part.len <= s.len - at) {
		const char *p = s.p + at;

		for (i = max(middle, known); i < part.len && part.p[i] == p[i]; i++)
			;
		if (i < part.len) {
			at += i - middle + 1;
			known = 0;
			continue;
		}
		for (i = middle; i > known && part.p[i - 1] == p[i - 1]; i--)
			;
		if (i <= known)
			return at;
		at += period;
		known = keep;
	}
	return -1;
}
