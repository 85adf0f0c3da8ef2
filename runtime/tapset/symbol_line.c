// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the source lines of kernel addresses, which the module contains if the script asks
 * for them.
 */
#include <linux/kallsyms.h>

#include "core/supply.h"
#include "core/walk.h"
#include "handler/context.h"
#include "probes/bases.h"
#include "symbol.h"

char *st_kernels_symbol(struct st_ctx *c, unsigned long addr)
{
	char *text = st_context_of(c)->symbol;

	sprint_symbol(text, addr);
	return text;
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

struct st_str st_fn_symfile(struct st_ctx *c, st_long addr)
{
	struct st_line line;

	return st_source_line(c, addr, &line) ? st_dup_text(c, line.file) : st_hex_address(c, addr);
}

struct st_str st_fn_symline(struct st_ctx *c, st_long addr)
{
	struct st_line line;
	union st_arg a;

	if (!st_source_line(c, addr, &line))
		return st_hex_address(c, addr);
	a.i = line.line;
	return st_format(c, "%d", &a, 1);
}

struct st_str st_fn_symfileline(struct st_ctx *c, st_long addr)
{
	struct st_line line;
	union st_arg a[2];

	if (!st_source_line(c, addr, &line))
		return st_hex_address(c, addr);
	a[0].s = (struct st_str){ line.file, strlen(line.file) };
	a[1].i = line.line;
	return st_format(c, "%s:%d", a, 2);
}
