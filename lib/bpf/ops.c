// SPDX-License-Identifier: GPL-2.0-or-later
/* Operations on words and variables; others are made in files of their own. */
#include "gen.h"

/* ---- words ----------------------------------------------------------------- */

/* r0 = r1 OP r2, counts of 0 to 63; others shift by 0 */
static void put_shift(struct gen *g, unsigned shift)
{
	unsigned out = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_jump_if(g->c, BPF_JGT, R2, 63, out);
	code_op_reg(g->c, shift, R0, R2);
	code_here(g->c, out);
}

/* REG = its absolute value */
static void put_absolute(struct gen *g, unsigned reg)
{
	unsigned positive = code_label(g->c);

	code_jump_if(g->c, BPF_JSGE, reg, 0, positive);
	code_op(g->c, BPF_NEG, reg, 0);
	code_here(g->c, positive);
}

/*
 * r0 = r1 / r2 or r1 % r2.  BPF divides unsigned numbers only: the quotient is negative if the signs
 * differ, the remainder if the dividend is.
 */
static void put_division(struct gen *g, bool remainder)
{
	unsigned zero = code_label(g->c), done = code_label(g->c);

	code_number(g->c, R0, 0);
	code_jump_if(g->c, BPF_JEQ, R2, 0, zero);
	code_op_reg(g->c, BPF_MOV, R3, R1);
	if (!remainder)
		code_op_reg(g->c, BPF_XOR, R3, R2);
	put_absolute(g, R1);
	put_absolute(g, R2);
	code_op_reg(g->c, remainder ? BPF_MOD : BPF_DIV, R1, R2);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_jump_if(g->c, BPF_JSGE, R3, 0, done);
	code_op(g->c, BPF_NEG, R0, 0);
	code_jump(g->c, done);
	code_here(g->c, zero);
	fail(g, "division by 0");
	code_number(g->c, R0, 0);
	code_here(g->c, done);
}

/* Is the operand a number that an instruction has room for? */
static bool is_immediate(const struct ir_operand *o)
{
	return o->kind == IR_NUMBER && o->number == (int32_t)o->number;
}

static void put_comparison(struct gen *g, const struct ir_op *op)
{
	static const unsigned jumps[] = {
		[IR_EQ] = BPF_JEQ, [IR_NE] = BPF_JNE, [IR_LT] = BPF_JSLT, [IR_GT] = BPF_JSGT, [IR_LE] = BPF_JSLE,
		[IR_GE] = BPF_JSGE,
	};
	const struct ir_operand *other = &op->args.v[1];

	take_word(g, R1, &op->args.v[0]);
	if (is_immediate(other)) {
		code_truth(g->c, jumps[op->code], R1, other->number);
	} else {
		take_word(g, R2, other);
		code_truth_reg(g->c, jumps[op->code], R1, R2);
	}
	store_word(g, op, R0);
}

static const unsigned plain[] = {
	[IR_ADD] = BPF_ADD, [IR_SUB] = BPF_SUB, [IR_MUL] = BPF_MUL, [IR_AND] = BPF_AND, [IR_OR] = BPF_OR, [IR_XOR] = BPF_XOR,
};

/* r0 = r0 / N or r0 % N, a number above 0: the result has the sign of r0 */
static void put_division_by(struct gen *g, unsigned op, int32_t n)
{
	unsigned positive = code_label(g->c), done = code_label(g->c);

	code_jump_if(g->c, BPF_JSGE, R0, 0, positive);
	code_op(g->c, BPF_NEG, R0, 0);
	code_op(g->c, op, R0, n);
	code_op(g->c, BPF_NEG, R0, 0);
	code_jump(g->c, done);
	code_here(g->c, positive);
	code_op(g->c, op, R0, n);
	code_here(g->c, done);
}

/* r0 = the first operand OP the number N; returns false if that takes two registers. */
static bool put_word_and_number(struct gen *g, const struct ir_op *op, int64_t n)
{
	bool divides = op->code == IR_DIV || op->code == IR_MOD, shifts = op->code == IR_SHL || op->code == IR_SHR;

	if ((divides && n <= 0) || (shifts && (n < 0 || n > 63)))
		return false;
	take_word(g, R0, &op->args.v[0]);
	if (divides)
		put_division_by(g, op->code == IR_MOD ? BPF_MOD : BPF_DIV, n);
	else
		code_op(g->c, !shifts ? plain[op->code] : op->code == IR_SHL ? BPF_LSH : BPF_ARSH, R0, n);
	return true;
}

static void put_two_words(struct gen *g, const struct ir_op *op)
{
	if (is_immediate(&op->args.v[1]) && put_word_and_number(g, op, op->args.v[1].number)) {
		store_word(g, op, R0);
		return;
	}
	take_word(g, R1, &op->args.v[0]);
	take_word(g, R2, &op->args.v[1]);
	switch (op->code) {
	case IR_DIV:
	case IR_MOD:
		put_division(g, op->code == IR_MOD);
		break;
	case IR_SHL:
	case IR_SHR:
		put_shift(g, op->code == IR_SHL ? BPF_LSH : BPF_ARSH);
		break;
	default:
		code_op_reg(g->c, BPF_MOV, R0, R1);
		code_op_reg(g->c, plain[op->code], R0, R2);
	}
	store_word(g, op, R0);
}

static void put_one_word(struct gen *g, const struct ir_op *op)
{
	unsigned fine = code_label(g->c);

	take_word(g, R1, &op->args.v[0]);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	switch (op->code) {
	case IR_NEG:
		code_op(g->c, BPF_NEG, R0, 0);
		break;
	case IR_COMPLEMENT:
		code_op(g->c, BPF_XOR, R0, -1);
		break;
	case IR_NOT:
		code_truth(g->c, BPF_JEQ, R1, 0);
		break;
	case IR_TRUTH:
		code_truth(g->c, BPF_JNE, R1, 0);
		break;
	default:			/* IR_LIMIT */
		code_jump_if(g->c, BPF_JSGE, R0, 0, fine);
		code_number(g->c, R0, 0);
	}
	code_here(g->c, fine);
	store_word(g, op, R0);
}

/* ---- variables --------------------------------------------------------------- */

/* Copies a word or string to a place in the frame. */
void put_copy(struct gen *g, enum ir_type type, unsigned at, unsigned room, const struct ir_operand *from)
{
	if (type == IR_STRING) {
		put_string(g, at, room, from);
		return;
	}
	take_word(g, R0, from);
	code_store(g->c, BPF_DW, R9, at, R0);
}

static void put_copy_value(struct gen *g, const struct ir_op *op)
{
	if (op->result != IR_NO_VALUE)
		put_copy(g, g->body->values.v[op->result], g->layout->values[op->result],
			 g->layout->value_rooms[op->result], &op->args.v[0]);
}

static void put_hold(struct gen *g, const struct ir_op *op)
{
	const struct area *a = g->layout->areas[op->args.v[0].index];

	if (!a || op->n >= a->n)
		refuse(g, "no such operand here");
	else
		put_copy(g, a->types[op->n], a->at[op->n], a->rooms[op->n], &op->args.v[1]);
}

static void put_add_local(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->layout->locals[op->symbol];

	if (is_immediate(&op->args.v[0])) {
		code_load(g->c, BPF_DW, R0, R9, at);
		code_op(g->c, op->code == IR_PLUS_LOCAL ? BPF_ADD : BPF_SUB, R0, op->args.v[0].number);
	} else {
		load_word(g, R1, &op->args.v[0]);
		code_load(g->c, BPF_DW, R0, R9, at);
		code_op_reg(g->c, op->code == IR_PLUS_LOCAL ? BPF_ADD : BPF_SUB, R0, R1);
	}
	code_store(g->c, BPF_DW, R9, at, R0);
}

/* Stores a string in the words: it is made in the frame, then copied as it is. */
static void store_global_string(struct gen *g, unsigned at, const struct ir_operand *from)
{
	unsigned made = spare_string(g), room = string_room(g, 0);

	put_string(g, made, room, from);
	code_map_value(g->c, R1, BPF_WORDS, at);
	code_number(g->c, R2, STRING_BYTES + room);
	pass_frame(g, R3, made);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

static void put_store(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->plan->globals[op->symbol].at;

	if (g->ir->globals.v[op->symbol].type == IR_STRING) {
		store_global_string(g, at, &op->args.v[0]);
		return;
	}
	take_word(g, R2, &op->args.v[0]);
	code_map_value(g->c, R1, BPF_WORDS, at);
	code_store(g->c, BPF_DW, R1, 0, R2);
}

static void put_load(struct gen *g, const struct ir_op *op)
{
	code_map_value(g->c, R1, BPF_WORDS, g->plan->globals[op->symbol].at);
	code_load(g->c, BPF_DW, R0, R1, 0);
	store_word(g, op, R0);
}

/* Adds to a number: to the CPU's part of it, or, if handlers also read it, to the one that all see. */
static void put_add(struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = &g->plan->globals[op->symbol];

	take_word(g, R2, &op->args.v[0]);
	if (op->code == IR_MINUS)
		code_op(g->c, BPF_NEG, R2, 0);
	if (v->share == BPF_ADDED && v->at <= INT16_MAX) {
		use_half(g);
		code_atomic(g->c, BPF_ADD, R8, v->at, R2);
	} else if (v->share == BPF_ADDED) {
		pass_half(g, R1, v->at);
		code_atomic(g->c, BPF_ADD, R1, 0, R2);
	} else {
		code_map_value(g->c, R1, BPF_WORDS, v->at);
		code_atomic(g->c, BPF_ADD, R1, 0, R2);
	}
}

/* ---- all ---------------------------------------------------------------------- */

/* Appends the second string to a copy of the first, as far as there is room. */
static void put_concat(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];

	put_string(g, at, room, &op->args.v[0]);
	put_append(g, at, room, string_at(g, &op->args.v[1]), operand_room(g, &op->args.v[1]));
}

void put_op(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_EQ ... IR_GE:
		put_comparison(g, op);
		break;
	case IR_ADD ... IR_XOR:
		put_two_words(g, op);
		break;
	case IR_NEG ... IR_LIMIT:
		put_one_word(g, op);
		break;
	case IR_STREQ ... IR_STRGE:
		put_compare(g, op);
		break;
	case IR_MATCH:
	case IR_NOMATCH:
		put_match_of(g, op);
		break;
	case IR_CONCAT:
		put_concat(g, op);
		break;
	case IR_FORMAT:
		put_sprintf(g, op);
		break;
	case IR_COPY:
	case IR_DUP:
		put_copy_value(g, op);
		break;
	case IR_STORE_LOCAL:
		put_copy(g, g->body->locals.v[op->symbol].type, g->layout->locals[op->symbol],
			 g->layout->local_rooms[op->symbol], &op->args.v[0]);
		break;
	case IR_KEEP:
		put_copy(g, g->body->kept.v[op->symbol], g->layout->kept[op->symbol],
			 g->layout->kept_rooms[op->symbol], &op->args.v[0]);
		break;
	case IR_PLUS_LOCAL:
	case IR_MINUS_LOCAL:
		put_add_local(g, op);
		break;
	case IR_LOAD:
		put_load(g, op);
		break;
	case IR_STORE:
		put_store(g, op);
		break;
	case IR_PLUS:
	case IR_MINUS:
		put_add(g, op);
		break;
	case IR_AREA:
	case IR_FILLED:
		break;
	case IR_HOLD:
		put_hold(g, op);
		break;
	case IR_ARM:
		load_word(g, R0, &op->args.v[0]);
		code_store(g->c, BPF_DW, R9, FRAME_ARMED, R0);
		break;
	case IR_TUPLE_OF:
		put_tuple(g, op);
		break;
	case IR_GET:
	case IR_HAS:
	case IR_SET:
	case IR_PLUS_AT:
	case IR_MINUS_AT:
	case IR_DELETE:
	case IR_RECORD_AT:
	case IR_STAT_AT:
		put_array_op(g, op);
		break;
	case IR_RECORD:
	case IR_STAT:
	case IR_CLEAR_STAT:
		put_scalar_statistic(g, op);
		break;
	case IR_FETCH:
		put_fetch(g, op);
		break;
	case IR_KREAD:
	case IR_UREAD:
		load_word(g, R3, &op->args.v[1]);
		put_sized_read(g, &op->args.v[0], op->code == IR_UREAD);
		store_word(g, op, R0);
		break;
	case IR_KREGISTER:
	case IR_UREGISTER:
		put_numbered_register(g, op);
		break;
	case IR_RAISE:
		fail(g, op->text);
		break;
	case IR_PRINT:
		put_print(g, op);
		break;
	case IR_SAVE:
	case IR_SAVED:
		put_save(g, op);
		break;
	case IR_CLEAR:
		put_clear(g, op);
		break;
	case IR_EXTRACT:
		put_extract(g, op);
		break;
	case IR_BUCKET:
		put_bucket_count(g, op);
		break;
	case IR_PRINT_HIST:
		put_print_hist(g, op);
		break;
	case IR_FORMAT_HIST:
		refuse(g, "no histograms as strings in a probe of the kernel");
		break;
	case IR_KBYTES:
	case IR_UBYTES:
		put_raw_bytes(g, op);
		break;
	case IR_PUT:
		refuse(g, "no writing to variables of the kernel or a program");
		break;
	case IR_FOREIGN:
	case IR_FOREIGN_VALUE:
	case IR_CONSTANT:
		refuse(g, "no embedded C");
		break;
	default:
		refuse(g, "no '%s' in a probe of the kernel", ir_opcodes[op->code].name);
	}
}
