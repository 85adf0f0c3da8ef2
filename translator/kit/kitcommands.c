// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file of a kit's commands: a record for each, which is a letter for the field, the text, and a NUL.
 * Marks stand for paths that are others when the commands are replayed.
 */
#include <string.h>

#include "base/arena.h"
#include "internal.h"

static void add_record(struct sbuf *b, char kind, const char *text, const char *work, const text_list *kernel)
{
	size_t n = strlen(work);

	sbuf_putc(b, kind);
	while (*text) {
		size_t dir = kit_kernel_dir_at(kernel, text);

		if (!strncmp(text, work, n)) {
			sbuf_putc(b, KIT_WORK);
			text += n;
			continue;
		}
		if (dir)
			sbuf_putc(b, KIT_KERNEL);
		sbuf_add(b, text, dir ? dir : 1);
		text += dir ? dir : 1;
	}
	sbuf_putc(b, 0);
}

int kit_write_commands(const struct kit_commands *c, const char *work, const char *out)
{
	text_list kernel = kit_kernel_dirs(c, work);
	struct sbuf b = {};

	add_record(&b, 'd', c->cwd, work, &kernel);
	for (size_t i = 0; c->env.v[i]; i++)
		add_record(&b, 'e', c->env.v[i], work, &kernel);
	add_record(&b, 'c', c->compile, work, &kernel);
	add_record(&b, 'm', c->combine, work, &kernel);
	add_record(&b, 'l', c->link, work, &kernel);
	add_record(&b, 'o', c->objects, work, &kernel);
	return kit_write(arena_printf("%s/" KIT_COMMANDS, out), &b);
}

/* COPIES: the kernel's files are those of the kit, which are linked into WORK like all of the kit's files. */
static char *with_paths(const char *text, const char *work, bool copies)
{
	struct sbuf b = {};

	for (; *text; text++) {
		if (*text == KIT_WORK)
			sbuf_puts(&b, work);
		else if (*text != KIT_KERNEL)
			sbuf_putc(&b, *text);
		else if (copies)
			sbuf_printf(&b, "%s/" KIT_COPIES, work);
	}
	return sbuf_take(&b);
}

int kit_commands(const struct kit *k, const char *work, struct kit_commands *c)
{
	struct sbuf b = {};

	*c = (struct kit_commands){};
	if (file_read(arena_printf("%s/" KIT_COMMANDS, k->dir), &b)) {
		sbuf_free(&b);
		return -1;
	}
	for (const char *p = sbuf_str(&b), *end = p + b.len; p < end; p += strlen(p) + 1) {
		char *text = with_paths(p + 1, work, k->copies);

		switch (*p) {
		case 'd': c->cwd = text; break;
		case 'e': vec_push(&c->env, text); break;
		case 'c': c->compile = text; break;
		case 'm': c->combine = text; break;
		case 'l': c->link = text; break;
		case 'o': c->objects = text; break;
		}
	}
	sbuf_free(&b);
	vec_push(&c->env, NULL);
	return c->cwd && c->compile && c->combine && c->link && c->objects ? 0 : -1;
}
