// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loops over arrays.
 *
 * An array must not change while a foreach iterates over it, neither in the
 * body nor in a function that the body calls, because the iteration relies on it.
 * It may be deleted as a whole, which ends the loop.  While a foreach iterates over
 * the histogram of an element, no element of that array may be deleted.  Each sorted
 * foreach has an order buffer of its own in the array's map, because loops can nest.
 */
#include <stdlib.h>

#include "program/uses.h"
#include "sema.h"

struct check {
	struct program *prog;
	const struct foreach *loop;
	const struct variable *array;	/* the array that it iterates over */
	unsigned forbidden;		/* USE_* bits that the body may not contain for it */
	bool *seen;			/* by function index: examined for this loop */
	bool found;
	int failed;
};

static void note_change(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct check *ck = arg;

	if (v != ck->array || !(how & ck->forbidden) || ck->found ||
	    (how & USE_CLEAR && !ck->loop->hist))
		return;
	ck->found = true;
	ck->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, e ? e->loc : ck->loop->array_loc,
		"variable '%s' modified during 'foreach' iteration: identifier '%s'",
		v->name, v->name);
	diag_also(ck->loop->array_loc, "the iteration is here");
}

static void note_call(struct function *f, void *arg)
{
	struct check *ck = arg;

	if (ck->seen[f->index])
		return;
	ck->seen[f->index] = true;
	find_function_uses(f, note_change, ck);
	find_calls(f->body, note_call, ck);
}

static void check_stmt(struct stmt **slot, void *arg);

static void skip(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

/* Returns the array that a loop's iteration relies on; NULL for a scalar's histogram. */
static const struct variable *array_of(const struct foreach *f)
{
	if (!f->hist)
		return f->var;
	return f->hist->a->kind == E_INDEX ? f->hist->a->var : NULL;
}

static void check_loop(struct check *ck, struct stmt *s)
{
	for (size_t i = 0; i < ck->prog->functions.n; i++)
		ck->seen[i] = false;
	ck->loop = s->foreach;
	ck->array = array_of(s->foreach);
	ck->forbidden = s->foreach->hist ? USE_WRITE : USE_WRITE | USE_ADD;
	ck->found = false;
	find_uses(s->then, note_change, ck);
	find_calls(s->then, note_call, ck);
}

static void check_stmt(struct stmt **slot, void *arg)
{
	if (!*slot)
		return;
	if ((*slot)->kind == S_FOREACH && array_of((*slot)->foreach))
		check_loop(arg, *slot);
	stmt_children(*slot, skip, check_stmt, arg);
}

static void check_body(struct stmt *s, void *arg)
{
	check_stmt(&s, arg);
}

int check_foreach(struct program *prog)
{
	struct check ck = {
		.prog = prog,
		.seen = calloc(prog->functions.n + 1, sizeof(bool)),
	};

	if (!ck.seen)
		return -1;
	for (size_t i = 0; i < prog->functions.n; i++)
		prog->functions.v[i]->index = i;
	walk_program(prog, check_body, &ck);
	free(ck.seen);
	return ck.failed;
}

/* ---- order buffers ------------------------------------------------------ */

static void number_sorter(struct stmt **slot, void *arg)
{
	struct stmt *s = *slot;

	if (!s)
		return;
	if (s->kind == S_FOREACH && s->foreach->sort_by && s->foreach->var)
		s->foreach->sorter = s->foreach->var->nsorters++;
	stmt_children(s, skip, number_sorter, arg);
}

static void number_body(struct stmt *s, void *arg)
{
	number_sorter(&s, arg);
}

void number_sorters(struct program *prog)
{
	walk_program(prog, number_body, NULL);
}
