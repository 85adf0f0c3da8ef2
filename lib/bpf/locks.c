// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Takes and gives back the locks of variables that handlers in the kernel change: of each a word, which is odd while a
 * handler holds it.
 *
 * The IR has no lock for a handler that only adds to an array, as a module's arrays need none.  Here the kernel may
 * give an element that one handler deletes to another key while a second handler adds to it:
 *
 *	CPU 0: n[1]++			CPU 1: delete n[1]	CPU 2: n[2] = 5
 *	finds the element of 1
 *					frees it
 *								takes it for 2
 *	adds 1 to it: n[2] is 6
 *
 * So additions to an array of which handlers delete, or to a statistic that they delete, take its lock, each for itself.
 */
#include "gen.h"

/* Tries for a lock that another CPU holds, each of some 10 ns, for one of MAXTRYLOCK's, of 10 us. */
enum { LOCK_TRIES = 256 };

/* Returns the global of the body's lock I, if handlers in the kernel change what others see; else NULL. */
static const struct bpf_global *locked(const struct gen *g, size_t i)
{
	const struct bpf_global *v = &g->plan->globals[g->body->locks.v[i].global];

	return v->share == BPF_OWNED && v->changes ? v : NULL;
}

/* Notes whether the handler may wait for memory: not while it holds locks. */
static void may_wait(struct gen *g, bool may)
{
	if (g->waits)
		code_store_number(g->c, BPF_DW, R9, FRAME_MAY_WAIT, may);
}

static void unlock(struct gen *g, const struct bpf_global *v)
{
	code_map_value(g->c, R1, BPF_WORDS, v->lock);
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

/* Gives back the body's first N locks. */
static void unlock_first(struct gen *g, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (locked(g, i))
			unlock(g, locked(g, i));
	may_wait(g, true);
}

/* Adds 1 to the lock at AT of the words, if it is even; else, or if another CPU does so, goes to HELD. */
static void put_try_lock(struct gen *g, unsigned at, unsigned held)
{
	code_map_value(g->c, R1, BPF_WORDS, at);
	code_load(g->c, BPF_DW, R0, R1, 0);
	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_op(g->c, BPF_AND, R3, 1);
	code_jump_if(g->c, BPF_JNE, R3, 0, held);
	code_op_reg(g->c, BPF_MOV, R2, R0);
	code_op_reg(g->c, BPF_MOV, R4, R0);
	code_op(g->c, BPF_ADD, R2, 1);
	code_atomic(g->c, BPF_CMPXCHG, R1, 0, R2);
	code_jump_if_reg(g->c, BPF_JNE, R0, R4, held);
}

/* Makes the function that tries once for the lock, and ends the loop that calls it if it gets it. */
static unsigned put_try_lock_again(struct gen *g, unsigned at)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), held = code_label(g->c);

	put_try_lock(g, at, held);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 1);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, held);
	end_function(g, outer);
	return number;
}

/* Goes on at DONE with V's lock, or behind this without it, if that takes too long. */
static void put_lock(struct gen *g, const struct bpf_global *v, unsigned done)
{
	int64_t tries = LOCK_TRIES * g->ir->limits.trylock;
	unsigned held = code_label(g->c);

	put_try_lock(g, v->lock, held);
	code_jump(g->c, done);
	code_here(g->c, held);
	put_rounds(g, put_try_lock_again(g, v->lock), tries < ROUNDS_MOST ? tries : ROUNDS_MOST);
	code_load(g->c, BPF_DW, R1, R9, FRAME_WAY);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 0);
	code_jump_if(g->c, BPF_JNE, R1, 0, done);
}

void lock_variables(struct gen *g)
{
	may_wait(g, false);
	for (size_t i = 0; i < g->body->locks.n; i++) {
		unsigned done = code_label(g->c);

		if (!locked(g, i))
			continue;
		put_lock(g, locked(g, i), done);
		unlock_first(g, i);
		leave(g, WAY_SKIPPED, NULL);
		code_here(g->c, done);
	}
}

void unlock_variables(struct gen *g)
{
	unlock_first(g, g->body->locks.n);
}

/* The variable that the addition OP needs to lock; NULL if it needs none, or the body has its lock, or a function's caller. */
static const struct bpf_global *unlocked_variable(const struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = &g->plan->globals[op->symbol];

	if (v->share != BPF_OWNED || !v->loses || g->body->kind == IR_FUNCTION)
		return NULL;
	for (size_t i = 0; i < g->body->locks.n; i++)
		if (g->body->locks.v[i].global == op->symbol)
			return NULL;
	return v;
}

void lock_addition(struct gen *g, const struct ir_op *op)
{
	unsigned done = code_label(g->c);

	if (!unlocked_variable(g, op))
		return;
	put_lock(g, unlocked_variable(g, op), done);
	leave(g, WAY_SKIPPED, NULL);
	code_here(g->c, done);
}

void unlock_addition(struct gen *g, const struct ir_op *op)
{
	if (unlocked_variable(g, op))
		unlock(g, unlocked_variable(g, op));
}
