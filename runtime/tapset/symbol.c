// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that name kernel addresses.
 *
 * The kernel exports its symbol lookup only in the form of text, "name+0x1/0x2
 * [module]", or the address in hex; that is parsed here.
 */
#include <linux/kallsyms.h>

#include "core/walk.h"
#include "handler/context.h"
#include "probes/bases.h"
#include "symbol.h"

static unsigned long take_hex(char *from)
{
	return simple_strtoull(from, NULL, 16);
}

void st_symbol(struct st_ctx *c, unsigned long addr, struct st_symbol *s)
{
	char *text = st_context_of(c)->symbol, *plus, *slash, *bracket;

	*s = (struct st_symbol){ .name = NULL };
	if (st_walk(c, ST_WALK_SYMBOL))
		return;
	sprint_symbol(text, addr);
	plus = strchr(text, '+');
	slash = plus ? strchr(plus, '/') : NULL;
	if (!slash)
		return;
	bracket = strchr(slash, '[');
	s->module = "kernel";
	if (bracket) {
		st_walk(c, ST_WALK_MODULE);
		s->module = bracket + 1;
		bracket[strcspn(bracket, "] ")] = '\0';
	}
	s->offset = take_hex(plus + 1);
	s->size = take_hex(slash + 1);
	*plus = '\0';
	s->name = text;
}

unsigned int st_symbol_text(struct st_ctx *c, unsigned long addr, bool size, char *buf,
			    unsigned int room)
{
	struct st_symbol s;

	st_symbol(c, addr, &s);
	if (!s.name)
		return scnprintf(buf, room, "0x%lx", addr);
	if (size)
		return scnprintf(buf, room, "%s+%#lx/%#lx [%s]", s.name, s.offset, s.size, s.module);
	return scnprintf(buf, room, "%s+%#lx [%s]", s.name, s.offset, s.module);
}

static struct st_str hex_address(struct st_ctx *c, unsigned long addr)
{
	union st_arg a = { .i = addr };

	return st_format(c, "%p", &a, 1);
}

/* Copies a string, cut to the longest length, to scratch. */
static struct st_str keep(struct st_ctx *c, const char *s)
{
	return st_dup(c, (struct st_str){ s, strlen(s) });
}

bool st_source_line(struct st_ctx *c, unsigned long addr, struct st_line *line)
{
	unsigned int i;

	if (st_walk(c, st_program.nlines))
		return false;
	for (i = 0; i < st_program.nlines; i++) {
		const struct st_lines_of *l = &st_program.lines[i];
		unsigned long base;

		if (st_base_address(l->base, &base) &&
		    st_lines_find(l->lines, addr - base, line))
			return true;
	}
	return false;
}

struct st_str st_fn_symname(struct st_ctx *c, st_long addr)
{
	struct st_symbol s;

	st_symbol(c, addr, &s);
	return s.name ? keep(c, s.name) : hex_address(c, addr);
}

struct st_str st_fn_symdata(struct st_ctx *c, st_long addr)
{
	unsigned int room = st_program.maxstringlen;
	char *p = st_scratch(c, room - 1);
	unsigned int n;

	if (!p)
		return ST_LIT("");
	n = st_symbol_text(c, addr, true, p, room);
	c->sp = p + n + 1;
	return (struct st_str){ p, n };
}

struct st_str st_fn_modname(struct st_ctx *c, st_long addr)
{
	struct st_symbol s;

	st_symbol(c, addr, &s);
	if (s.name)
		return keep(c, s.module);
	st_error(c, "no module known at 0x%llx", addr);
	return ST_LIT("");
}

struct st_str st_fn_symfile(struct st_ctx *c, st_long addr)
{
	struct st_line line;

	return st_source_line(c, addr, &line) ? keep(c, line.file) : hex_address(c, addr);
}

struct st_str st_fn_symline(struct st_ctx *c, st_long addr)
{
	struct st_line line;
	union st_arg a;

	if (!st_source_line(c, addr, &line))
		return hex_address(c, addr);
	a.i = line.line;
	return st_format(c, "%d", &a, 1);
}

struct st_str st_fn_symfileline(struct st_ctx *c, st_long addr)
{
	struct st_line line;
	union st_arg a[2];

	if (!st_source_line(c, addr, &line))
		return hex_address(c, addr);
	a[0].s = (struct st_str){ line.file, strlen(line.file) };
	a[1].i = line.line;
	return st_format(c, "%s:%d", a, 2);
}
