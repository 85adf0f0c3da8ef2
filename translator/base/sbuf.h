/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text under construction: append, then take .s (always NUL-terminated) and
 * .len.  All zero is empty.  The text is in malloc'ed memory, so that a large
 * one does not leave its smaller selves in the arena; sbuf_free() gives it
 * back, sbuf_take() moves it into the arena.
 */
#ifndef STAP_SBUF_H
#define STAP_SBUF_H

#include <stdarg.h>
#include <stddef.h>

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

/* Appends S as the inside of a C string literal (no quotes), escaped. */
void sbuf_c_escape(struct sbuf *b, const char *s);

/* The text so far, never NULL. */
const char *sbuf_str(const struct sbuf *b);

/* An arena copy of the text; the buffer is emptied and freed. */
char *sbuf_take(struct sbuf *b);
void sbuf_free(struct sbuf *b);

#endif
