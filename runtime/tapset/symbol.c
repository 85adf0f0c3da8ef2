// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that name kernel addresses, and print those that the script kept of a stack.
 *
 * The kernel has its symbols only as text, "name+0x1/0x2 [module]", or the address in hex; that is parsed
 * here.
 */
#include "core/supply.h"
#include "core/walk.h"
#include "stack_text.h"
#include "symbol.h"

static unsigned long take_hex(struct st_ctx *c, const char *from)
{
	return st_fn_strtol(c, (struct st_str){ from, strlen(from) }, 16);
}

void st_symbol(struct st_ctx *c, unsigned long addr, struct st_symbol *s)
{
	char *text, *plus, *slash, *bracket;

	*s = (struct st_symbol){ .name = NULL };
	if (st_walk(c, ST_WALK_SYMBOL))
		return;
	text = st_kernels_symbol(c, addr);
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
	s->offset = take_hex(c, plus + 1);
	s->size = take_hex(c, slash + 1);
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
		return scnprintf(buf, room, "%s+0x%lx/0x%lx [%s]", s.name, s.offset, s.size, s.module);
	return scnprintf(buf, room, "%s+0x%lx [%s]", s.name, s.offset, s.module);
}

struct st_str st_hex_address(struct st_ctx *c, unsigned long addr)
{
	union st_arg a = { .i = addr };

	return st_format(c, "%p", &a, 1);
}

struct st_str st_dup_text(struct st_ctx *c, const char *s)
{
	return st_dup(c, (struct st_str){ s, strlen(s) });
}

struct st_str st_fn_symname(struct st_ctx *c, st_long addr)
{
	struct st_symbol s;

	st_symbol(c, addr, &s);
	return s.name ? st_dup_text(c, s.name) : st_hex_address(c, addr);
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
		return st_dup_text(c, s.module);
	st_error(c, "no module known at 0x%llx", addr);
	return ST_LIT("");
}

/* ---- stacks ---------------------------------------------------------------- */

/*
 * Prints in pieces: a symbol may exceed the longest string, and the stack has no room for it.
 */
void st_print_frame(struct st_ctx *c, unsigned long addr, const struct st_line *line)
{
	struct st_symbol s;
	char piece[128];

	st_symbol(c, addr, &s);
	st_print_text(c, (struct st_str){ piece, scnprintf(piece, sizeof(piece), " 0x%lx : ",
							   addr) });
	if (!s.name) {
		st_print_text(c, (struct st_str){ piece, scnprintf(piece, sizeof(piece),
								   "0x%lx\n", addr) });
		return;
	}
	st_print_text(c, (struct st_str){ s.name, strlen(s.name) });
	st_print_text(c, (struct st_str){ piece, scnprintf(piece, sizeof(piece), "+0x%lx/0x%lx",
							   s.offset, s.size) });
	if (line) {
		st_print_text(c, ST_LIT(" at "));
		st_print_text(c, (struct st_str){ line->file, strlen(line->file) });
		st_print_text(c, (struct st_str){ piece, scnprintf(piece, sizeof(piece), ":%u",
								   line->line) });
	}
	st_print_text(c, (struct st_str){ piece, scnprintf(piece, sizeof(piece), " [%s]\n",
							   s.module) });
}

/* ---- addresses the script kept -------------------------------------------- */

/* Prints as many addresses as a stack may have, because looking up a name takes time. */
void st_fn_print_stack(struct st_ctx *c, struct st_str addresses)
{
	unsigned long addr;
	unsigned int i;

	for (i = 0; i < ST_STACK_DEPTH && st_next_address(c, &addresses, &addr); i++)
		st_print_frame(c, addr, NULL);
}

/* Adds a frame in the form of st_print_frame(), without a source line. */
static void text_frame(struct st_lines_text *t, unsigned long addr)
{
	t->n += scnprintf(t->p + t->n, t->room - t->n, " 0x%lx : ", addr);
	t->n += st_symbol_text(t->c, addr, true, t->p + t->n, t->room - t->n);
	t->n += scnprintf(t->p + t->n, t->room - t->n, "\n");
}

struct st_str st_fn_sprint_stack(struct st_ctx *c, struct st_str addresses)
{
	unsigned long addr;
	struct st_lines_text t;
	unsigned int i;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	for (i = 0; i < ST_STACK_DEPTH && st_text_room(&t) &&
	     st_next_address(c, &addresses, &addr); i++)
		text_frame(&t, addr);
	return st_text_end(&t);
}
