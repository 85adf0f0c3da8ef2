// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Evaluates @const without kbuild.
 *
 * A script with embedded C goes through full kbuild, where @const is just one
 * more expression.  If @const is the only C in a script, all its expressions
 * are compiled once with the kernel's headers, and the values are kept in the
 * cache; the script then needs no kernel header.  An expression that is not a
 * compile-time constant, or that the compiler rejects, goes through kbuild: it
 * may work at run time, and an error message has its position.
 */
#include "base/arena.h"
#include "kit/kit.h"
#include "program/headers.h"
#include "sema.h"

typedef vec(struct expr *) nodes;

static void note_constant(struct expr **slot, void *arg)
{
	nodes *found = arg;

	if ((*slot)->kind == E_CONST)
		vec_push(found, *slot);
}

/* Returns the headers that embedded C gets, and the directives of top-level blocks. */
static const char *constant_includes(struct session *s, const struct program *prog)
{
	struct sbuf text = { 0 };

	headers_put_kernel(&text, s);
	for (size_t i = 0; i < prog->embeds.n; i++)
		if (prog->embeds.v[i]->directives)
			sbuf_printf(&text, "%s\n", prog->embeds.v[i]->code);
	return sbuf_take(&text);
}

bool fold_constants(struct session *s, struct program *prog)
{
	nodes found = { 0 };
	struct problem why = { 0 };
	const char **exprs;
	int64_t *values;

	walk_exprs(prog, note_constant, &found);
	exprs = arena_alloc((found.n + 1) * sizeof(*exprs));
	values = arena_alloc((found.n + 1) * sizeof(*values));
	for (size_t i = 0; i < found.n; i++)
		exprs[i] = found.v[i]->str;
	if (found.n && !kit_evaluate_constants(s, constant_includes(s, prog), exprs, found.n, values,
					       &why)) {
		if (s->verbose > 1)
			diag(DIAG_WARNING, "@const goes through full kbuild: %s", why.text);
		return false;
	}
	/* in place: places of target variables refer to the nodes of their indexes */
	for (size_t i = 0; i < found.n; i++)
		*found.v[i] = *expr_num(values[i], found.v[i]->loc);
	return true;
}
