// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables that a probe's own block writes.
 *
 * An alias asks with @probewrite(x) whether the block of the probe that uses it writes
 * x.  And in guru mode, what a block assigns to a variable is written to the kernel, if
 * the alias set the variable by calling a function that has a "setter":
 *
 *	probe syscall.kill = … { … sig = __sys_int(2); … }
 *	probe syscall.kill { if (sig == 9) sig = 0 }
 *
 * The block is followed by __set_sys_arg(2, sig), which __sys_int names as its setter.
 */
#include "base/arena.h"
#include "sema.h"

struct written {
	const char *name;
	bool found;
};

static void note_written(struct expr **slot, void *arg)
{
	const struct expr *e = *slot;
	struct written *w = arg;

	if (e->kind != E_ASSIGN && e->kind != E_INCDEC)
		return;
	if (e->a->kind == E_SYMBOL || e->a->kind == E_INDEX)
		w->found |= e->a->name == w->name;
	else if (e->a->kind == E_TARGET)
		w->found |= e->a->target->name == w->name;
}

bool block_writes(struct stmt *block, const char *name)
{
	struct written w = { name, false };

	walk_stmt(block, note_written, &w);
	return w.found;
}

/* Does the probe's own block write NAME? */
static bool is_written(const struct derived *d, const char *name)
{
	return block_writes(d->decl->body, name);
}

static void fold_probewrite(struct expr **slot, void *arg)
{
	if ((*slot)->kind == E_PROBEWRITE)
		*slot = expr_num(is_written(arg, (*slot)->name), (*slot)->loc);
}

void fold_probewrites(const struct derived *d, struct stmt *body)
{
	walk_stmt(body, fold_probewrite, (void *)d);
}

/* ---- variables with setters ---------------------------------------------------- */

/* Returns the setter of the variable that an alias's statement sets, or NULL. */
static const char *setter_of(struct session *s, const struct stmt *st)
{
	const struct expr *e = st->kind == S_EXPR ? st->expr : NULL;
	bool other_arity;

	if (!e || e->kind != E_ASSIGN || e->op != OP_NONE || e->a->kind != E_SYMBOL ||
	    e->b->kind != E_CALL)
		return NULL;

	const struct function *f = find_functions(s, e->b, &other_arity);

	return f && f->builtin && f->builtin->setter ? intern(f->builtin->setter) : NULL;
}

/* Returns SETTER(arguments of the call, variable). */
static struct stmt *call_setter(const char *setter, const struct expr *assignment)
{
	struct stmt *st = stmt_new(S_EXPR, assignment->loc);
	struct expr *call = expr_copy(assignment->b);

	call->name = setter;
	vec_push(&call->args, expr_copy(assignment->a));
	st->expr = call;
	return st;
}

static void write_back_block(struct session *s, const struct derived *d,
			     const struct stmt *block, struct stmt *body)
{
	for (size_t i = 0; i < block->body.n; i++) {
		const struct stmt *st = block->body.v[i];
		const char *setter;

		if (st->kind != S_EXPR || st->expr->kind != E_ASSIGN ||
		    !is_written(d, st->expr->a->name))
			continue;
		setter = setter_of(s, st);
		if (setter)
			vec_push(&body->body, call_setter(setter, st->expr));
	}
}

void write_back(struct session *s, const struct derived *d, struct stmt *body)
{
	for (size_t i = 0; s->options.guru && i < d->before.n; i++)
		write_back_block(s, d, d->before.v[i], body);
}
