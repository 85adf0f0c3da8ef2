// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * @const without the kernel's build system.
 *
 * A script with C of a user's goes through full kbuild, and @const is one more
 * expression of it.  Where @const is all there is, the values are had by
 * compiling them with the kernel's headers, for all at once and kept in the
 * cache, and the script needs no header any more.  What is no constant for the
 * compiler, or unknown to it, goes through kbuild: it may be one at run time,
 * and its message has the place.
 */
#include "base/arena.h"
#include "kit/kit.h"
#include "program/headers.h"
#include "sema.h"

typedef vec(struct expr **) slots;

static void note_constant(struct expr **slot, void *arg)
{
	slots *found = arg;

	if ((*slot)->kind == E_CONST)
		vec_push(found, slot);
}

/* The headers that embedded C finds, and what top-level blocks include and define. */
static const char *constant_includes(struct session *s, const struct program *prog)
{
	struct sbuf text = { 0 };

	put_kernel_headers(&text, s);
	for (size_t i = 0; i < prog->embeds.n; i++)
		if (prog->embeds.v[i]->directives)
			sbuf_printf(&text, "%s\n", prog->embeds.v[i]->code);
	return sbuf_take(&text);
}

bool fold_constants(struct session *s, struct program *prog)
{
	slots found = { 0 };
	const char **exprs, *why;
	int64_t *values;

	walk_exprs(prog, note_constant, &found);
	exprs = arena_alloc((found.n + 1) * sizeof(*exprs));
	values = arena_alloc((found.n + 1) * sizeof(*values));
	for (size_t i = 0; i < found.n; i++)
		exprs[i] = (*found.v[i])->str;
	if (found.n && !evaluate_constants(s, constant_includes(s, prog), exprs, found.n, values,
					   &why)) {
		if (s->verbose > 1)
			diag(DIAG_WARNING, "@const goes through full kbuild: %s", why);
		return false;
	}
	for (size_t i = 0; i < found.n; i++)
		*found.v[i] = expr_num(values[i], (*found.v[i])->loc);
	return true;
}
