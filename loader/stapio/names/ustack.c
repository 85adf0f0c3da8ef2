// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the lines of a user stack, in the form of print_backtrace():
 *
 *	 0x401136 : main+0x16/0x40 [/usr/bin/prog]			full
 *	 0x401136 : main+0x16/0x40 at prog.c:12 [/usr/bin/prog]		with source lines;
 *	 0x401136 : square (inlined) at shape.c:7 [/usr/bin/prog]	inlined functions precede it
 *	main+0x16							brief
 *	;_start;main;shape;area_[i];square_[i]				folded, for flame graphs
 *
 * Without a symbol: " 0x7f12b7c2724a : 0x7f12b7c2724a [/usr/lib/libfoo.so.1+0x2724a]".
 */
#include "ustack.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "abi/bounds.h"
#include "abi/transport.h"
#include "inlined.h"
#include "stapio/sinks/output.h"
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

static void print_symbol(struct output *o, const struct st_uframe *f, const struct usymbol *s)
{
	if (s->name) {
		print_text(o, s->name);
		print(o, "+0x%" PRIx64 "/0x%" PRIx64, s->offset, s->size);
	} else {
		print(o, "0x%" PRIx64, f->address);
	}
}

/* Prints a line for a frame, or for PLACE, one of its inlined functions and source lines, unless PLACE is
 * NULL. */
static void print_line(struct output *o, const struct st_uframe *f, const struct usymbol *s,
		       const struct place *place)
{
	bool inlined = place && place->function;

	print(o, " 0x%" PRIx64 " : ", f->address);
	if (inlined) {
		print_text(o, place->function);
		print_text(o, " (inlined)");
	} else {
		print_symbol(o, f, s);
	}
	if (place) {
		print_text(o, " at ");
		print_text(o, place->source);
		print(o, ":%d", place->line);
	}
	if (s->file) {
		print_text(o, " [");
		print_text(o, s->file);
		if (!s->name && !inlined)
			print(o, "+0x%" PRIx64, s->in_file);
		print_text(o, "]");
	}
	print_text(o, "\n");
}

static void print_lines(struct output *o, const struct st_uframe *f, const struct usymbol *s)
{
	for (unsigned int i = 0; i < s->nplaces; i++)
		print_line(o, f, s, &s->places[i]);
	if (!s->nplaces)
		print_line(o, f, s, NULL);
}

/* Prints a name in a folded line, with ':' for the characters that separate names and lines. */
static void print_folded(struct output *o, const char *name, const char *suffix)
{
	char *to = output_room(o, strlen(name) + 1), *p = to;

	if (!to)
		return;
	*p++ = ';';
	for (; *name; name++)
		*p++ = *name == ';' || *name == '\n' ? ':' : *name;
	output_took(o, p - to);
	print_text(o, suffix);
}

/* Prints the functions of a frame, outermost first; the file's name if there is no symbol. */
static void print_functions(struct output *o, const struct usymbol *s)
{
	const char *slash = s->file ? strrchr(s->file, '/') : NULL;
	char file[300];

	snprintf(file, sizeof(file), "[%s]", slash ? slash + 1 : s->file ? s->file : "unknown");
	print_folded(o, s->name ? s->name : file, "");
	for (unsigned int i = s->nplaces; i-- > 0;)
		if (s->places[i].function)
			print_folded(o, s->places[i].function, "_[i]");
}

static void print_frame(struct output *o, struct usymbols *u, const struct st_uframe *f,
			unsigned int style)
{
	uint64_t code = f->address - f->called;
	bool lines = style == ST_STACK_LINES || style == ST_STACK_FOLDED;
	struct usymbol s;

	usymbols_find(u, f->file, (uint64_t)f->page * PAGE + code % PAGE, f->called, lines, &s);
	if (style == ST_STACK_BRIEF)
		print_brief(o, f, &s);
	else if (style == ST_STACK_FOLDED)
		print_functions(o, &s);
	else if (lines)
		print_lines(o, f, &s);
	else
		print_line(o, f, &s, NULL);
}

/* Prints N frames, which are innermost first; a folded line has them outermost first. */
static bool print_frames(struct output *o, struct usymbols *u, uint32_t style, const char *frames, size_t n)
{
	struct st_uframe frame;

	for (size_t i = 0; i < n; i++) {
		size_t which = style == ST_STACK_FOLDED ? n - 1 - i : i;

		memcpy(&frame, frames + which * sizeof(frame), sizeof(frame));
		if (frame.called > 1)
			return false;
		print_frame(o, u, &frame, style);
	}
	return true;
}

bool ustack_print(struct output *o, struct usymbols *u, const void *item, size_t bytes)
{
	struct st_ustack head;

	if (bytes < sizeof(head) || (bytes - sizeof(head)) % sizeof(struct st_uframe))
		return false;
	memcpy(&head, item, sizeof(head));
	return print_frames(o, u, head.style, (const char *)item + sizeof(head),
			    (bytes - sizeof(head)) / sizeof(struct st_uframe));
}

bool ustack_print_raw(struct output *o, struct usymbols *u, uint64_t time, const void *item, size_t bytes)
{
	struct st_uframe frames[ST_USER_DEPTH];
	uint32_t style;
	unsigned int n;

	if (bytes < sizeof(style))
		return false;
	memcpy(&style, item, sizeof(style));
	n = usymbols_unwind(u, item, bytes, time, frames);
	return print_frames(o, u, style, (const char *)frames, n);
}
