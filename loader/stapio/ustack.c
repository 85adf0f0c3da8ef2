// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The lines of a user stack, in the form of print_backtrace()'s:
 *
 *	 0x401136 : main+0x16/0x40 [/usr/bin/prog]			full
 *	 0x401136 : main+0x16/0x40 at prog.c:12 [/usr/bin/prog]		with source lines
 *	main+0x16							brief
 *
 * Without a symbol: " 0x7f12b7c2724a : 0x7f12b7c2724a [/usr/lib/libfoo.so.1+0x2724a]".
 */
#include "ustack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi/transport.h"
#include "output.h"
#include "usymbols.h"

#define PAGE 4096u

static void __attribute__((format(printf, 2, 3))) print(struct output *o, const char *fmt, ...)
{
	char piece[64];
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(piece, sizeof(piece), fmt, args);
	va_end(args);
	output_bytes(o, piece, n);
}

static void print_text(struct output *o, const char *s)
{
	output_bytes(o, s, strlen(s));
}

static void print_brief(struct output *o, const struct st_uframe *f, const struct usymbol *s)
{
	if (!s->name) {
		print(o, "0x%" PRIx64 "\n", f->address);
		return;
	}
	print_text(o, s->name);
	print(o, "+0x%" PRIx64 "\n", s->offset);
}

static void print_full(struct output *o, const struct st_uframe *f, const struct usymbol *s,
		       bool lines)
{
	print(o, " 0x%" PRIx64 " : ", f->address);
	if (s->name) {
		print_text(o, s->name);
		print(o, "+0x%" PRIx64 "/0x%" PRIx64, s->offset, s->size);
	} else {
		print(o, "0x%" PRIx64, f->address);
	}
	if (lines && s->source) {
		print_text(o, " at ");
		print_text(o, s->source);
		print(o, ":%d", s->line);
	}
	if (s->file) {
		print_text(o, " [");
		print_text(o, s->file);
		if (!s->name)
			print(o, "+0x%" PRIx64, s->in_file);
		print_text(o, "]");
	}
	print_text(o, "\n");
}

static void print_frame(struct output *o, struct usymbols *u, const struct st_uframe *f,
			unsigned int style)
{
	uint64_t code = f->address - f->called;
	struct usymbol s;

	usymbols_find(u, f->file, (uint64_t)f->page * PAGE + code % PAGE, f->called, &s);
	if (style == ST_STACK_BRIEF)
		print_brief(o, f, &s);
	else
		print_full(o, f, &s, style == ST_STACK_LINES);
}

bool ustack_print(struct output *o, struct usymbols *u, const void *item, size_t bytes)
{
	struct st_ustack head;
	struct st_uframe frame;
	const char *p = item;

	if (bytes < sizeof(head) || (bytes - sizeof(head)) % sizeof(frame))
		return false;
	memcpy(&head, p, sizeof(head));
	for (p += sizeof(head); p < (const char *)item + bytes; p += sizeof(frame)) {
		memcpy(&frame, p, sizeof(frame));
		if (frame.called > 1)
			return false;
		print_frame(o, u, &frame, head.style);
	}
	return true;
}
