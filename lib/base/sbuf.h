/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text under construction.
 *
 *	struct sbuf b = { 0 };
 *
 *	sbuf_printf(&b, "%s(", name);
 *	sbuf_putc(&b, ')');
 *	return sbuf_take(&b);
 *
 * A zeroed struct is an empty buffer.  The text is malloc'ed, so that growing a
 * large one leaves no copies in the arena: end each buffer with sbuf_take() or
 * sbuf_free().  Once something was added, .s is NUL-terminated; sbuf_str() is
 * safe for an empty buffer too.
 */
#ifndef STAP_SBUF_H
#define STAP_SBUF_H

#include <stdarg.h>
#include <stddef.h>

/* A text buffer: LEN bytes at S, and a NUL. */
struct sbuf {
	char *s;
	size_t len, room;
};

void sbuf_putc(struct sbuf *b, char c);
void sbuf_puts(struct sbuf *b, const char *s);
void sbuf_add(struct sbuf *b, const char *s, size_t len);
void sbuf_printf(struct sbuf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void sbuf_vprintf(struct sbuf *b, const char *fmt, va_list ap);

/* Appends S escaped as the inside of a C string literal, without quotes. */
void sbuf_c_escape(struct sbuf *b, const char *s);

/* Appends S to a format (text/format.h) as text that means itself: "5%" becomes "5%%". */
void sbuf_format_escape(struct sbuf *b, const char *s);

/* Returns the text so far, "" for an empty buffer.  Valid until the next change. */
const char *sbuf_str(const struct sbuf *b);

/* sbuf_take() moves the text to the arena; both free the buffer and leave it empty. */
char *sbuf_take(struct sbuf *b);
void sbuf_free(struct sbuf *b);

#endif
