// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics: count, sum, least, greatest, what a variance needs, and the buckets of a histogram, each a word.
 *
 * A statistic that is all zeroes is empty.  So least and greatest are kept as numbers that only grow: the
 * greatest with its highest bit inverted, which orders signed numbers as unsigned ones, and the least
 * likewise, with all bits inverted.  An interrupt may add to the statistic at any instant; each word is
 * changed by one instruction, the count last, so who reads a count finds the least and the greatest of as many.
 *
 * A variance's words change together, by the module's arithmetic (runtime/data/stat.h), so one of them says that a handler
 * is changing them; what another adds that interrupts it is left out, and counted as a skipped hit.  If handlers in the
 * kernel only add to the statistic, each CPU adds to its own, which a reader finds at rest; else all take its lock
 * (share.c).  In a frame's copy of a statistic the first of these words is the variance itself.
 */
#include "gen.h"

enum { COUNT, SUM = 8, LEAST = 16, GREATEST = 24 };

/* Words of a variance: 1 while a handler adds a value; mean and sum of squares, scaled. */
enum { BUSY = STATISTIC_BYTES, MEAN = BUSY + 8, SQUARES = BUSY + 16, VARIANCE = BUSY };

/* Words of FRAME_TEMPORARY. */
enum { VALUE = FRAME_TEMPORARY + 8, NUMBER = FRAME_TEMPORARY + 16 };

/* How often a word is tried again that an interrupt, or another CPU, has changed meanwhile. */
enum { TRIES = 8 };

/*
 * A logarithmic histogram (runtime/text/histogram.h): bucket 64 is for 0, 65 for 1, 66 for 2 and 3 …; 63
 * for -1 …
 */
enum { LOG_ZERO = 64, LOG_BUCKETS = 128 };

unsigned histogram_buckets(const struct ir_shape *s)
{
	if (s->hist == IR_NO_HIST)
		return 0;
	return s->hist == IR_LOG ? LOG_BUCKETS : ((uint64_t)s->hi - (uint64_t)s->lo) / s->step + 3;
}

bool has_variance(const struct ir_shape *s)
{
	return s->extracts & 1u << IR_VARIANCE;
}

unsigned buckets_at(const struct ir_shape *s)
{
	return STATISTIC_BYTES + (has_variance(s) ? VARIANCE_BYTES : 0);
}

unsigned statistic_bytes(const struct ir_shape *s)
{
	return buckets_at(s) + 8 * histogram_buckets(s);
}

/* Raises the word at r7 + AT to r1, as unsigned numbers; if others change it all the time, that is counted as skipped. */
static void put_raise(struct gen *g, int at)
{
	unsigned done = code_label(g->c);

	for (int i = 0; i < TRIES; i++) {
		code_load(g->c, BPF_DW, R0, R7, at);
		code_jump_if_reg(g->c, BPF_JGE, R0, R1, done);
		code_op_reg(g->c, BPF_MOV, R2, R0);
		code_atomic(g->c, BPF_CMPXCHG, R7, at, R1);
		code_jump_if_reg(g->c, BPF_JEQ, R0, R2, done);
	}
	code_store(g->c, BPF_DW, R9, NUMBER, R1);
	count_skipped(g);
	code_load(g->c, BPF_DW, R1, R9, NUMBER);
	code_here(g->c, done);
}

/* r3 = the number of r2's highest bit that is set; r2 is not 0 */
static void put_log2(struct gen *g)
{
	code_number(g->c, R3, 0);
	for (int bits = 32; bits; bits /= 2) {
		unsigned low = code_label(g->c);

		code_op_reg(g->c, BPF_MOV, R4, R2);
		code_op(g->c, BPF_RSH, R4, bits);
		code_jump_if(g->c, BPF_JEQ, R4, 0, low);
		code_op(g->c, BPF_ADD, R3, bits);
		code_op_reg(g->c, BPF_MOV, R2, R4);
		code_here(g->c, low);
	}
}

/* r3 = the bucket of r1 in a logarithmic histogram */
static void put_log_bucket(struct gen *g)
{
	unsigned zero = code_label(g->c), positive = code_label(g->c), done = code_label(g->c);

	code_number(g->c, R3, LOG_ZERO);
	code_jump_if(g->c, BPF_JEQ, R1, 0, zero);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_jump_if(g->c, BPF_JSGT, R1, 0, positive);
	code_op(g->c, BPF_NEG, R2, 0);
	code_here(g->c, positive);
	put_log2(g);
	code_jump_if(g->c, BPF_JSGT, R1, 0, done);
	code_op(g->c, BPF_NEG, R3, 0);
	code_op(g->c, BPF_ADD, R3, LOG_ZERO - 1);
	code_jump(g->c, zero);
	code_here(g->c, done);
	code_op(g->c, BPF_ADD, R3, LOG_ZERO + 1);
	code_here(g->c, zero);
}

/* r3 = the bucket of r1 in a linear histogram: 0 for what is below, the last for what is above */
static void put_linear_bucket(struct gen *g, const struct ir_shape *s)
{
	unsigned done = code_label(g->c), within = code_label(g->c), last = histogram_buckets(s) - 1;

	code_number(g->c, R3, 0);
	code_number(g->c, R2, s->lo);
	code_jump_if_reg(g->c, BPF_JSLT, R1, R2, done);
	code_op_reg(g->c, BPF_MOV, R3, R1);
	code_op_reg(g->c, BPF_SUB, R3, R2);
	code_number(g->c, R2, s->step);
	code_op_reg(g->c, BPF_DIV, R3, R2);
	code_op(g->c, BPF_ADD, R3, 1);
	code_jump_if(g->c, BPF_JLE, R3, last, within);
	code_number(g->c, R3, last);
	code_here(g->c, within);
	code_here(g->c, done);
}

static void put_bucket(struct gen *g, const struct ir_shape *s)
{
	unsigned none = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, VALUE);
	if (s->hist == IR_LOG)
		put_log_bucket(g);
	else
		put_linear_bucket(g, s);
	/* From memory, so that the verifier does not follow how the number came about. */
	code_store(g->c, BPF_DW, R9, NUMBER, R3);
	code_load(g->c, BPF_DW, R3, R9, NUMBER);
	code_jump_if(g->c, BPF_JGE, R3, histogram_buckets(s), none);
	code_op(g->c, BPF_LSH, R3, 3);
	code_op_reg(g->c, BPF_ADD, R7, R3);
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R7, buckets_at(s), R2);
	code_here(g->c, none);
}

/* r1 = r1 / r2, a count that is not 0; towards 0 */
static void put_average(struct gen *g)
{
	unsigned negative = code_label(g->c), done = code_label(g->c);

	code_jump_if(g->c, BPF_JSLT, R1, 0, negative);
	code_op_reg(g->c, BPF_DIV, R1, R2);
	code_jump(g->c, done);
	code_here(g->c, negative);
	code_op(g->c, BPF_NEG, R1, 0);
	code_op_reg(g->c, BPF_DIV, R1, R2);
	code_op(g->c, BPF_NEG, R1, 0);
	code_here(g->c, done);
}

/* Adds the value VALUE to the mean and the squares, as one more than COUNT. */
static void put_variance(struct gen *g, const struct ir_shape *s)
{
	code_load(g->c, BPF_DW, R1, R9, VALUE);
	code_op(g->c, BPF_LSH, R1, s->shift);
	code_load(g->c, BPF_DW, R3, R7, MEAN);
	code_op_reg(g->c, BPF_MOV, R4, R1);
	code_op_reg(g->c, BPF_SUB, R4, R3);
	code_op_reg(g->c, BPF_MOV, R1, R4);
	code_load(g->c, BPF_DW, R2, R7, COUNT);
	code_op(g->c, BPF_ADD, R2, 1);
	put_average(g);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	code_store(g->c, BPF_DW, R7, MEAN, R3);
	code_load(g->c, BPF_DW, R1, R9, VALUE);
	code_op(g->c, BPF_LSH, R1, s->shift);
	code_op_reg(g->c, BPF_SUB, R1, R3);
	code_op_reg(g->c, BPF_MUL, R4, R1);
	code_load(g->c, BPF_DW, R3, R7, SQUARES);
	code_op_reg(g->c, BPF_ADD, R3, R4);
	code_store(g->c, BPF_DW, R7, SQUARES, R3);
}

/* Adds the value VALUE, r1 too, to the words of the statistic at r7 that all have. */
static void put_summary(struct gen *g, const struct ir_shape *s)
{
	code_atomic(g->c, BPF_ADD, R7, SUM, R1);
	code_number(g->c, R2, INT64_MIN);
	code_op_reg(g->c, BPF_XOR, R1, R2);
	if (s->extracts & 1u << IR_MAX)
		put_raise(g, GREATEST);
	code_op(g->c, BPF_XOR, R1, -1);
	if (s->extracts & 1u << IR_MIN)
		put_raise(g, LEAST);
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R7, COUNT, R2);
}

/* Adds r1 to the statistic at r7, unless that has a variance, which an interrupted handler is changing.  Changes r7. */
void put_statistic(struct gen *g, const struct ir_shape *s)
{
	unsigned done = code_label(g->c), free = code_label(g->c);

	code_store(g->c, BPF_DW, R9, VALUE, R1);
	if (has_variance(s)) {
		code_number(g->c, R2, 1);
		code_atomic(g->c, BPF_XCHG, R7, BUSY, R2);
		code_jump_if(g->c, BPF_JEQ, R2, 0, free);
		count_skipped(g);
		code_jump(g->c, done);
		code_here(g->c, free);
		put_variance(g, s);
		code_load(g->c, BPF_DW, R1, R9, VALUE);
	}
	put_summary(g, s);
	if (has_variance(s))
		code_store_number(g->c, BPF_DW, R7, BUSY, 0);
	if (s->hist != IR_NO_HIST)
		put_bucket(g, s);
	code_here(g->c, done);
}

/* ---- scalars ------------------------------------------------------------------- */

/* r7 = the operation's statistic */
static void find_statistic(struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = &g->plan->globals[op->symbol];

	if (v->share == BPF_OWNED) {
		code_map_value(g->c, R7, BPF_WORDS, v->at);
		return;
	}
	pass_half(g, R7, v->at);
}

static void put_record(struct gen *g, const struct ir_op *op)
{
	lock_addition(g, op);
	find_statistic(g, op);
	load_word(g, R1, &op->args.v[0]);
	put_statistic(g, &g->ir->globals.v[op->symbol].shape);
	unlock_addition(g, op);
}

/* Returns how many bytes of a statistic the operation's result has: all, if its histogram is read. */
unsigned copied_bytes(struct gen *g, const struct ir_op *op)
{
	const struct ir_shape *s = &g->ir->globals.v[op->symbol].shape;

	return g->layout->histogram_of[op->result] ? statistic_bytes(s) : buckets_at(s);
}

/* r1 = the variance of the statistic at REG + FROM, by the module's arithmetic; 0 if it has fewer than two values */
void load_variance(struct gen *g, unsigned reg, int from, const struct ir_shape *s)
{
	unsigned few = code_label(g->c), done = code_label(g->c);

	code_load(g->c, BPF_DW, R2, reg, from + COUNT);
	code_jump_if(g->c, BPF_JSLE, R2, 1, few);
	code_load(g->c, BPF_DW, R1, reg, from + SUM);
	code_op(g->c, BPF_LSH, R1, s->shift);
	put_average(g);
	code_load(g->c, BPF_DW, R3, reg, from + MEAN);
	code_op_reg(g->c, BPF_SUB, R3, R1);
	code_op_reg(g->c, BPF_MUL, R3, R3);
	code_op_reg(g->c, BPF_MUL, R3, R2);
	code_load(g->c, BPF_DW, R1, reg, from + SQUARES);
	code_op(g->c, BPF_SUB, R2, 1);
	put_average(g);
	code_op_reg(g->c, BPF_MUL, R1, R2);
	code_op_reg(g->c, BPF_ADD, R1, R3);
	put_average(g);
	code_op(g->c, BPF_ARSH, R1, s->shift < 32 ? 2 * s->shift : 63);
	code_jump(g->c, done);
	code_here(g->c, few);
	code_number(g->c, R1, 0);
	code_here(g->c, done);
}

/* The copy of a statistic's words at AT of the frame gets its variance. */
void finish_copy(struct gen *g, unsigned at, const struct ir_shape *s)
{
	if (!has_variance(s))
		return;
	load_variance(g, R9, at, s);
	code_store(g->c, BPF_DW, R9, at + VARIANCE, R1);
}

/* Copies what the result of OP has of the statistic at REG + FROM. */
void copy_statistic(struct gen *g, const struct ir_op *op, unsigned reg, int from)
{
	const struct ir_shape *s = &g->ir->globals.v[op->symbol].shape;
	unsigned at = g->layout->values[op->result], words = buckets_at(s);

	for (unsigned i = 0; i < words; i += 8) {
		code_load(g->c, BPF_DW, R1, reg, from + i);
		code_store(g->c, BPF_DW, R9, at + i, R1);
	}
	if (copied_bytes(g, op) > words) {
		code_op_reg(g->c, BPF_MOV, R3, reg);
		code_op(g->c, BPF_ADD, R3, from + words);
		code_number(g->c, R2, copied_bytes(g, op) - words);
		pass_frame(g, R1, at + words);
		code_helper(g->c, BPF_FUNC_probe_read_kernel);
	}
	finish_copy(g, at, s);
}

static void put_read_statistic(struct gen *g, const struct ir_op *op)
{
	find_statistic(g, op);
	copy_statistic(g, op, R7, 0);
}

/* The bytes of a statistic that are cleared one word after another: those of a logarithmic histogram. */
enum { CLEARED_MOST = STATISTIC_BYTES + VARIANCE_BYTES + 8 * LOG_BUCKETS };

static void put_clear_statistic(struct gen *g, const struct ir_op *op)
{
	unsigned bytes = statistic_bytes(&g->ir->globals.v[op->symbol].shape);

	if (bytes > CLEARED_MOST)
		refuse(g, "no deleting of a histogram of more than %d buckets in a probe of the kernel", LOG_BUCKETS);
	find_statistic(g, op);
	for (unsigned i = 0; i < bytes && i < CLEARED_MOST; i += 8)
		code_store_number(g->c, BPF_DW, R7, i, 0);
}

void put_scalar_statistic(struct gen *g, const struct ir_op *op)
{
	if (op->code == IR_RECORD)
		put_record(g, op);
	else if (op->code == IR_STAT)
		put_read_statistic(g, op);
	else
		put_clear_statistic(g, op);
}

/* ---- reading ------------------------------------------------------------------- */

/* r1 = what is extracted of the statistic at r3; its variance only of a frame's copy */
void load_extract(struct gen *g, enum ir_extract of)
{
	static const unsigned words[] = {
		[IR_COUNT] = COUNT, [IR_SUM] = SUM, [IR_MIN] = LEAST, [IR_MAX] = GREATEST, [IR_AVG] = SUM,
		[IR_VARIANCE] = VARIANCE,
	};

	code_load(g->c, BPF_DW, R1, R3, words[of]);
	code_number(g->c, R2, INT64_MIN);
	if (of == IR_MIN)
		code_op(g->c, BPF_XOR, R1, -1);
	if (of == IR_MIN || of == IR_MAX)
		code_op_reg(g->c, BPF_XOR, R1, R2);
	code_load(g->c, BPF_DW, R2, R3, COUNT);
	if (of == IR_AVG)
		put_average(g);
}

void put_extract(struct gen *g, const struct ir_op *op)
{
	unsigned fine = code_label(g->c), none = code_label(g->c), at = operand_at(g, &op->args.v[0]);

	if (!at) {
		refuse(g, "no such operand here");
		return;
	}
	pass_frame(g, R3, at);
	if (op->n != IR_COUNT && op->n != IR_SUM) {
		code_load(g->c, BPF_DW, R1, R3, COUNT);
		code_jump_if(g->c, BPF_JEQ, R1, 0, none);
	}
	load_extract(g, op->n);
	code_jump(g->c, fine);
	code_here(g->c, none);
	fail(g, "empty aggregate");
	code_number(g->c, R1, 0);
	code_here(g->c, fine);
	store_word(g, op, R1);
}
