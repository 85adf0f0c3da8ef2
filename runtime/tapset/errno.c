// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions on error numbers. */
#include "core/walk.h"
#include "names/names.h"

st_long st_fn_errno_number(struct st_ctx *c, struct st_str name)
{
	const unsigned int longest = 40;
	st_long number;

	if (st_walk(c, st_errnos.n / 8))
		return 0;
	number = st_numbered_find(&st_errnos, name);
	if (number >= 0)
		return number;
	st_error(c, "there is no error called '%.*s'", (int)min(name.len, longest), name.p);
	return 0;
}

struct st_str st_fn_errno(struct st_ctx *c, st_long err)
{
	const char *name = st_numbered_name(&st_errnos, err < 0 ? -(unsigned long)err : (unsigned long)err);

	return name ? (struct st_str){ name, strlen(name) } : ST_LIT("");
}
