// SPDX-License-Identifier: GPL-2.0-or-later
/* Quotes a string in kernel or user memory, for pretty-printed values. */
#include "abi/data.h"

struct st_str st_quoted_at(struct st_ctx *c, unsigned long addr, unsigned int max)
{
	static const struct st_str none = { NULL, 0 };
	char *mark = c->sp;
	struct st_str s = st_fn_string(c, ST_KERNEL, addr, max, &none);

	s = s.p ? st_fn_text(c, s, 0, 1) : st_fn_quoted(c, ST_USER, addr, max, 0);
	return st_keep(c, mark, s);
}
