// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetches (fetch.h) of handlers in a process that shares a script with BPF programs: words of the kernel's memory, such
 * as what a pointer leads to that a handler in the kernel has kept.
 *
 *	probe end { println(file->f_inode->i_ino) }
 */
#include "fetch.h"
#include "internal.h"
#include "port/user/engine.h"

/* LETs within each other, at most; and terms. */
enum { LETS = 16, NODES_MOST = 1000 };

const uint64_t *run_bases;

/* A fetch that is evaluated. */
struct fetching {
	struct st_ctx *c;
	const union run_value *inputs;
	uint64_t let[LETS];
};

bool run_has_term(const struct term *t, size_t nbases)
{
	if (!t)
		return true;
	if (t->nodes > NODES_MOST || t->sort != SORT_WORD)
		return false;
	switch (t->kind) {
	case TERM_NUMBER:
	case TERM_INPUT:
		return true;
	case TERM_IMAGE:
		return t->n < nbases;
	case TERM_READ:
		return !t->user && run_has_term(t->a, nbases);
	case TERM_LET:
	case TERM_TEMPORARY:
		if (t->n >= LETS)
			return false;
		/* fall through */
	case TERM_UNARY:
	case TERM_EXTEND:
	case TERM_BINARY:
	case TERM_CHOOSE:
		return t->op != WORD_SIGNED_DIV && run_has_term(t->a, nbases) && run_has_term(t->b, nbases) &&
		       run_has_term(t->c, nbases);
	default:
		return false;
	}
}

static uint64_t read_kernel(struct fetching *f, uint64_t address, unsigned size)
{
	uint64_t word = 0;

	if (!f->c->error && st_engine_read(address, &word, size) && !st_program.skip_badvars)
		st_error(f->c, "read fault [man error::fault] at 0x%016llx", (unsigned long long)address);
	return word;
}

static uint64_t extend(uint64_t word, const struct term *t)
{
	unsigned unused = 64 - 8 * t->size;

	return t->is_signed ? (uint64_t)((int64_t)(word << unused) >> unused) : word << unused >> unused;
}

static uint64_t compute(enum word_op op, uint64_t a, uint64_t b)
{
	switch (op) {
	case WORD_ADD:
		return a + b;
	case WORD_SUB:
		return a - b;
	case WORD_MUL:
		return a * b;
	case WORD_DIV:
		return b ? a / b : 0;
	case WORD_MOD:
		return b ? a % b : a;
	case WORD_AND:
		return a & b;
	case WORD_OR:
		return a | b;
	case WORD_XOR:
		return a ^ b;
	case WORD_SHL:
		return b < 64 ? a << b : 0;
	case WORD_SHR:
		return b < 64 ? a >> b : 0;
	case WORD_SIGNED_SHR:
		return (int64_t)a >> (b < 64 ? b : 63);
	case WORD_EQ:
		return a == b;
	case WORD_NE:
		return a != b;
	case WORD_LT:
		return a < b;
	case WORD_LE:
		return a <= b;
	case WORD_GT:
		return a > b;
	case WORD_GE:
		return a >= b;
	case WORD_SIGNED_LT:
		return (int64_t)a < (int64_t)b;
	case WORD_SIGNED_LE:
		return (int64_t)a <= (int64_t)b;
	case WORD_SIGNED_GT:
		return (int64_t)a > (int64_t)b;
	default:			/* WORD_SIGNED_GE: run_has_term() takes no other */
		return (int64_t)a >= (int64_t)b;
	}
}

static uint64_t evaluate(struct fetching *f, const struct term *t)
{
	uint64_t word;

	switch (t->kind) {
	case TERM_NUMBER:
		return t->number;
	case TERM_INPUT:
		return f->inputs[t->n].i;
	case TERM_IMAGE:
		return run_bases[t->n] + t->number;
	case TERM_READ:
		return read_kernel(f, evaluate(f, t->a), t->size);
	case TERM_UNARY:
		word = evaluate(f, t->a);
		return t->op == WORD_NEG ? -word : ~word;
	case TERM_EXTEND:
		return extend(evaluate(f, t->a), t);
	case TERM_CHOOSE:
		return evaluate(f, evaluate(f, t->a) ? t->b : t->c);
	case TERM_LET:
		f->let[t->n] = evaluate(f, t->a);
		return evaluate(f, t->b);
	case TERM_TEMPORARY:
		return f->let[t->n];
	default:
		word = evaluate(f, t->a);
		return compute(t->op, word, evaluate(f, t->b));
	}
}

st_long run_term(struct st_ctx *c, const struct term *t, const union run_value *inputs)
{
	struct fetching f = { .c = c, .inputs = inputs };

	return evaluate(&f, t);
}
