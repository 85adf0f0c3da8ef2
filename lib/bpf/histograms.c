// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads histograms: prints one as a module does, by its buckets that have values, which stapio draws; takes a
 * bucket's count; and goes over all buckets.
 */
#include <stddef.h>
#include <string.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "base/arena.h"
#include "gen.h"

/* Words of the frame that rounds share: the next bucket, and what it counts. */
enum { NEXT = FRAME_TEMPORARY, COUNTED = NEXT + 8 };

/* An item that is a bucket, and the one behind the last. */
enum {
	LENGTH = sizeof(uint16_t),
	BUCKET = LENGTH + sizeof(uint32_t),
	END = BUCKET,
	ITEM = BUCKET + sizeof(struct st_bucket),
};

static const struct ir_shape *shape_of(const struct gen *g, const struct ir_op *op)
{
	return &g->ir->globals.v[op->symbol].shape;
}

/* r0 = what bucket r1 counts, below their number, of the operation's statistic at AT in the frame.  Changes r2. */
static void load_bucket(struct gen *g, const struct ir_op *op, unsigned at)
{
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_LSH, R2, 3);
	code_op_reg(g->c, BPF_ADD, R2, R9);
	code_load(g->c, BPF_DW, R0, R2, at + buckets_at(shape_of(g, op)));
}

/* ---- printing ------------------------------------------------------------------ */

/* Makes the function that prints the next bucket. */
static unsigned put_bucket_item(struct gen *g, const struct ir_op *op, unsigned at, unsigned n)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), none = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, NEXT);
	code_jump_if(g->c, BPF_JGE, R1, n, over);
	load_bucket(g, op, at);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, NEXT, R1);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	code_store(g->c, BPF_DW, R9, COUNTED, R0);
	make_room(g, ITEM);
	code_store_number(g->c, BPF_H, R7, 0, ST_FMT_BUCKET);
	code_store_number(g->c, BPF_W, R7, LENGTH, sizeof(struct st_bucket));
	code_load(g->c, BPF_DW, R1, R9, NEXT);
	code_op(g->c, BPF_SUB, R1, 1);
	code_store(g->c, BPF_DW, R7, BUCKET + offsetof(struct st_bucket, number), R1);
	code_load(g->c, BPF_DW, R1, R9, COUNTED);
	code_store(g->c, BPF_DW, R7, BUCKET + offsetof(struct st_bucket, count), R1);
	end_item(g, ITEM);
	code_here(g->c, none);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

void put_buckets(struct gen *g, const struct ir_op *op)
{
	unsigned at = operand_at(g, &op->args.v[0]), n = histogram_buckets(shape_of(g, op));

	code_store_number(g->c, BPF_DW, R9, NEXT, 0);
	put_rounds(g, put_bucket_item(g, op, at, n), n);
	make_room(g, END);
	code_store_number(g->c, BPF_H, R7, 0, ST_FMT_BUCKET);
	code_store_number(g->c, BPF_W, R7, LENGTH, 0);
	end_item(g, END);
}

void put_hist_head(struct gen *g, const struct ir_op *op, int at)
{
	const struct ir_shape *s = shape_of(g, op);
	const struct st_hist_head head = {
		.hist = s->hist == IR_LOG ? ST_HIST_LOG : ST_HIST_LINEAR, .width = g->ir->limits.hist_width,
		.elision = g->ir->limits.hist_elision, .lo = s->lo, .hi = s->hi, .step = s->step,
	};
	int64_t words[sizeof(head) / sizeof(int64_t)];

	memcpy(words, &head, sizeof(words));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		code_number(g->c, R0, words[i]);
		code_store(g->c, BPF_DW, R7, at + 8 * i, R0);
	}
}

/* ---- one bucket ------------------------------------------------------------------ */

void put_bucket_count(struct gen *g, const struct ir_op *op)
{
	unsigned at = operand_at(g, &op->args.v[0]);
	unsigned some = code_label(g->c), in_range = code_label(g->c);
	unsigned failed = code_label(g->c), done = code_label(g->c);

	code_load(g->c, BPF_DW, R0, R9, at);
	code_jump_if(g->c, BPF_JNE, R0, 0, some);
	fail(g, "empty aggregate");
	code_jump(g->c, failed);
	code_here(g->c, some);
	load_word(g, R1, &op->args.v[1]);
	code_jump_if(g->c, BPF_JLT, R1, histogram_buckets(shape_of(g, op)), in_range);
	fail(g, "histogram index out of range");
	code_here(g->c, failed);
	code_number(g->c, R0, 0);
	code_jump(g->c, done);
	code_here(g->c, in_range);
	load_bucket(g, op, at);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* ---- all buckets ------------------------------------------------------------------ */

struct search {
	unsigned global;
	bool calls, writes;
};

static void find_write(struct ir_op *op, void *arg)
{
	struct search *s = arg;

	s->calls |= op->code == IR_CALL;
	s->writes |= ir_opcodes[op->code].symbol == IR_OF_GLOBAL && op->symbol == s->global &&
		     ir_opcodes[op->code].traits & IR_WRITES;
}

/* May the loop's body change the statistic? */
static bool changes(const struct gen *g, const struct ir_op *op)
{
	struct search s = { .global = op->symbol };

	ir_each(op->blocks[0], find_write, &s);
	for (size_t i = 0; s.calls && i < g->ir->functions.n; i++)
		if (g->ir->functions.v[i].body)
			ir_each(&g->ir->functions.v[i].body->block, find_write, &s);
	return s.writes;
}

struct round *begin_buckets(struct gen *g, const struct ir_op *op)
{
	struct round *r = arena_new(struct round);

	if (changes(g, op))
		refuse(g, "no foreach over a histogram that its body changes");
	r->label = op->label;
	r->element = take(g, 8);
	r->buckets = take(g, 16);
	code_store_number(g->c, BPF_DW, R9, r->buckets, 0);
	if (op->args.v[1].kind == IR_ABSENT)
		code_number(g->c, R0, -1);
	else
		load_word(g, R0, &op->args.v[1]);
	code_store(g->c, BPF_DW, R9, r->buckets + 8, R0);
	return r;
}

void begin_bucket(struct gen *g, const struct ir_op *op, const struct round *r, unsigned over)
{
	unsigned left = r->buckets + 8;

	code_load(g->c, BPF_DW, R1, R9, left);
	code_jump_if(g->c, BPF_JEQ, R1, 0, over);
	code_op(g->c, BPF_SUB, R1, 1);
	code_store(g->c, BPF_DW, R9, left, R1);
	code_load(g->c, BPF_DW, R1, R9, r->buckets);
	code_jump_if(g->c, BPF_JGE, R1, histogram_buckets(shape_of(g, op)), over);
	store_word(g, op, R1);
	load_bucket(g, op, operand_at(g, &op->args.v[0]));
	code_store(g->c, BPF_DW, R9, r->element, R0);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, r->buckets, R1);
}
