// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes text printable (printable.h).  UTF-8 is as in RFC 3629. */
#include "printable.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many bytes a character takes that begins with byte FIRST; 0 if none does. */
static unsigned int announced(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

unsigned int utf8_length(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	unsigned int n = announced(p[0]);

	if (n > left)
		return 0;
	for (unsigned int i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Refuse overlong forms, surrogates, and numbers beyond the last character. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] >= 0xa0) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] >= 0x90))
		return 0;
	return n;
}

bool utf8_is_control(const char *text, unsigned int n)
{
	const unsigned char *p = (const unsigned char *)text;

	return n == 1 ? p[0] < ' ' || p[0] == 0x7f : n == 2 && p[0] == 0xc2 && p[1] < 0xa0;
}

static char *put_byte(char *to, unsigned char c)
{
	static const char digits[] = "0123456789abcdef";

	*to++ = '\\';
	*to++ = 'x';
	*to++ = digits[c >> 4];
	*to++ = digits[c & 15];
	return to;
}

char *printable_put(char *to, const char *text, size_t n, const char *keep)
{
	while (n) {
		unsigned int bytes = utf8_length(text, n);
		bool kept = bytes && (!utf8_is_control(text, bytes) || (*text && strchr(keep, *text)));

		bytes += !bytes;
		for (n -= bytes; bytes; bytes--, text++) {
			if (kept)
				*to++ = *text;
			else
				to = put_byte(to, *text);
		}
	}
	return to;
}

char *printable(const char *text, size_t n, const char *keep)
{
	char *copy = malloc(PRINTABLE_MOST * n + 1);

	if (copy)
		*printable_put(copy, text, n, keep) = '\0';
	return copy;
}

void printable_print(FILE *to, const char *text, const char *keep)
{
	char *copy = printable(text, strlen(text), keep);

	fputs(copy ? copy : "?", to);
	free(copy);
}
