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
#include "base/arena.h"
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

/* Adds 1 to the lock at r1, if it is even; else, or if another CPU does so, goes to HELD. */
static void put_try_lock(struct gen *g, unsigned held)
{
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

/* Where a word of the frame says which lock is tried for again. */
enum { AGAIN = FRAME_TEMPORARY };

/* Makes the function that tries once for that lock, and ends the loop that calls it if it gets it.  A program has one. */
static unsigned try_again_function(struct gen *g)
{
	unsigned most = g->plan->maps.v[BPF_WORDS].value - sizeof(uint64_t), held;
	struct function *outer;

	if (g->tries_again)
		return g->tries_again;
	g->tries_again = begin_function(g, &outer);
	held = code_label(g->c);
	code_load(g->c, BPF_DW, R2, R9, AGAIN);
	code_jump_if(g->c, BPF_JGT, R2, most, held);
	code_op(g->c, BPF_AND, R2, -(int)sizeof(uint64_t));	/* aligned, as the verifier sees */
	code_map_value(g->c, R1, BPF_WORDS, 0);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	put_try_lock(g, held);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 1);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, held);
	end_function(g, outer);
	return g->tries_again;
}

/* Goes to TAKEN with V's lock, or goes on behind this without it, counted, if that takes too long. */
static void put_lock(struct gen *g, const struct bpf_global *v, unsigned taken)
{
	int64_t tries = LOCK_TRIES * g->ir->limits.trylock;
	unsigned held = code_label(g->c);

	code_map_value(g->c, R1, BPF_WORDS, v->lock);
	put_try_lock(g, held);
	code_jump(g->c, taken);
	code_here(g->c, held);
	code_store_number(g->c, BPF_DW, R9, AGAIN, v->lock);
	note_call(g, 1);
	put_loop_calls(g, try_again_function(g), tries < ROUNDS_MOST ? tries : ROUNDS_MOST);
	code_load(g->c, BPF_DW, R1, R9, FRAME_WAY);
	code_store_number(g->c, BPF_DW, R9, FRAME_WAY, 0);
	code_jump_if(g->c, BPF_JNE, R1, 0, taken);
	code_map_value(g->c, R1, BPF_WORDS, v->lock + sizeof(uint64_t));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

/* A lock that is not to be had leads to where those before it are given back, behind the unlocking of the others. */
void lock_variables(struct gen *g)
{
	size_t n = g->body->locks.n;
	unsigned *without = arena_alloc((n + 1) * sizeof(*without)), taken, all = code_label(g->c);

	may_wait(g, false);
	while (n && !locked(g, n - 1))
		n--;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		without[i] = code_label(g->c);
		if (!locked(g, i))
			continue;
		taken = code_label(g->c);
		put_lock(g, locked(g, i), taken);
		code_jump(g->c, without[i]);
		code_here(g->c, taken);
	}
	code_jump(g->c, all);
	while (n-- > 0) {
		if (locked(g, n))
			unlock(g, locked(g, n));
		code_here(g->c, without[n]);
	}
	may_wait(g, true);
	leave(g, WAY_SKIPPED, NULL);
	code_here(g->c, all);
}

void unlock_variables(struct gen *g)
{
	for (size_t i = g->body->locks.n; i-- > 0;)
		if (locked(g, i))
			unlock(g, locked(g, i));
	may_wait(g, true);
}

/*
 * The variable that the addition OP needs to lock; NULL if it needs none, or the handler has its lock: then it has it
 * wherever it uses the variable, in functions too.
 */
static const struct bpf_global *unlocked_variable(const struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = &g->plan->globals[op->symbol];

	if (v->share != BPF_OWNED || !v->loses)
		return NULL;
	for (size_t i = 0; i < g->root->locks.n; i++)
		if (g->root->locks.v[i].global == op->symbol)
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
