// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that print messages. */
#include "port/port.h"

void st_fn_log(struct st_ctx *c, struct st_str s)
{
	st_print_text(c, st_concat(c, s, ST_LIT("\n")));
}

/* Removes a final newline, because stapio adds one to warnings and errors. */
static struct st_str without_newline(struct st_str s)
{
	if (s.len && s.p[s.len - 1] == '\n')
		s.len--;
	return s;
}

void st_fn_warn(struct st_ctx *c, struct st_str s)
{
	if (!c->error)
		st_warn(c, without_newline(s));
}

void st_warn_instead(struct st_ctx *c)
{
	struct st_str text = { .p = c->error };

	if (!text.p)
		return;
	text.len = strlen(text.p);
	st_catch(c, NULL);
	st_fn_warn(c, text);
}

void st_fn_error(struct st_ctx *c, struct st_str s)
{
	st_error_text(c, without_newline(s));
}
