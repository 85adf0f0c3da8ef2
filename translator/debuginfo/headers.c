// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types from header files: @cast(p, "task_struct", "kernel<linux/sched.h>").
 *
 * The headers are compiled in the given order, and the object is one more debug
 * file.  Without "kernel" they are a program's headers and describe user space.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "kit/kit.h"
#include "internal.h"

/* Returns the length of one "<name>" at P with its brackets, 0 if there is none. */
static size_t header_name(const char *p)
{
	size_t n = 1;

	if (*p != '<')
		return 0;
	while (isalnum((unsigned char)p[n]) || (p[n] && strchr("/._+-", p[n])))
		n++;
	return n > 1 && p[n] == '>' ? n + 1 : 0;
}

struct dwfile *headers_file(struct target *t, const char *spec, struct problem *why)
{
	bool kernel = strncmp(spec, "kernel", 6) == 0;
	const char *p = kernel ? spec + 6 : spec, *object;
	struct sbuf text = { 0 };
	struct dwfile *f;
	size_t n;

	for (; (n = header_name(p)); p += n)
		sbuf_printf(&text, "#include %.*s\n", (int)n, p);
	if (*p || !text.len) {
		why->text = arena_printf("'%s' is not kernel<header.h> or <header.h>", spec);
		sbuf_free(&text);
		return NULL;
	}
	object = kit_compile_snippet(t->session, sbuf_str(&text), kernel, why);
	sbuf_free(&text);
	if (!object) {
		why->text = arena_printf("can't compile '%s': %s", spec, why->text);
		return NULL;
	}
	f = open_relocatable(t, spec, object, why);
	if (!f && !why->text)
		why->text = arena_printf("'%s' can't be read", object);
	if (f)
		f->is_user = !kernel;
	return f;
}
