// SPDX-License-Identifier: GPL-2.0-or-later
/* A growing text buffer. */
#include "sbuf.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static void make_room(struct sbuf *b, size_t more)
{
	if (b->room - b->len > more)
		return;

	size_t room = b->room ? b->room : 256;

	while (room - b->len <= more)
		room *= 2;
	char *s = realloc(b->s, room);

	if (!s) {
		fputs("ERROR: out of memory\n", stderr);
		exit(1);
	}
	b->s = s;
	b->room = room;
}

void sbuf_add(struct sbuf *b, const char *s, size_t len)
{
	make_room(b, len);
	memcpy(b->s + b->len, s, len);
	b->len += len;
	b->s[b->len] = 0;
}

void sbuf_puts(struct sbuf *b, const char *s)
{
	sbuf_add(b, s, strlen(s));
}

void sbuf_putc(struct sbuf *b, char c)
{
	sbuf_add(b, &c, 1);
}

void sbuf_vprintf(struct sbuf *b, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);

	va_end(again);
	make_room(b, n);
	vsnprintf(b->s + b->len, n + 1, fmt, ap);
	b->len += n;
}

void sbuf_printf(struct sbuf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	sbuf_vprintf(b, fmt, ap);
	va_end(ap);
}

void sbuf_c_escape(struct sbuf *b, const char *s)
{
	for (const char *begin = s; *s; s++) {
		unsigned char ch = *s;
		int trigraph = ch == '?' && s > begin && s[-1] == '?';

		if (ch == '"' || ch == '\\')
			sbuf_printf(b, "\\%c", ch);
		else if (ch == '\n')
			sbuf_puts(b, "\\n");
		else if (ch < ' ' || ch > '~' || trigraph)
			sbuf_printf(b, "\\%03o", ch);
		else
			sbuf_putc(b, ch);
	}
}

void sbuf_format_escape(struct sbuf *b, const char *s)
{
	for (const char *percent; (percent = strchr(s, '%')); s = percent + 1) {
		sbuf_add(b, s, percent - s);
		sbuf_puts(b, "%%");
	}
	sbuf_puts(b, s);
}

const char *sbuf_str(const struct sbuf *b)
{
	return b->s ? b->s : "";
}

char *sbuf_take(struct sbuf *b)
{
	char *s = arena_strndup(sbuf_str(b), b->len);

	sbuf_free(b);
	return s;
}

void sbuf_free(struct sbuf *b)
{
	free(b->s);
	*b = (struct sbuf){ 0 };
}
