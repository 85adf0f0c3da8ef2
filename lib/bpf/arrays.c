// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on arrays: a key is made in the frame as the map has it, each string with zeroes up to its room.
 *
 * A new element begins as zeroes, with its number in the order of insertion; two handlers may add the same
 * one at the same time, so it is looked up again.  A string that is longer than the room of the key's
 * strings is in no element (lower/rooms.c); cut to that room it has no NUL, as the key of no element.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

/* Error numbers of the kernel's that updating an element may give. */
enum { IS_THERE_ALREADY = -17 };

unsigned key_bytes(const struct gen *g, const struct ir_global *array, size_t i)
{
	return array->keys.v[i] != IR_STRING ? 8 : string_room(g, i < array->rooms.n ? array->rooms.v[i] : 0);
}

/* Returns the bytes of an element as loops have it: without a histogram, unless one is read. */
unsigned element_bytes(const struct gen *g, const struct ir_global *array)
{
	return array->type == IR_STRING ? STRING_BYTES + string_room(g, 0) :
	       array->type != IR_STATISTIC ? 8 :
	       g->layout->element_histograms ? statistic_bytes(&array->shape) : buckets_at(&array->shape);
}

static const struct bpf_global *array(const struct gen *g, const struct ir_op *op)
{
	return &g->plan->globals[op->symbol];
}

static const struct ir_global *meaning(const struct gen *g, const struct ir_op *op)
{
	return &g->ir->globals.v[op->symbol];
}

/* ---- keys ------------------------------------------------------------------- */

/* Copies the bytes of a string to a key, cut to ROOM. */
static void put_key_string(struct gen *g, unsigned at, unsigned room, const struct ir_operand *o)
{
	unsigned from, from_room, n;

	from = string_at(g, o);
	from_room = operand_room(g, o);
	n = from_room < room ? from_room : room;
	copy_bytes(g, at, from + STRING_BYTES, n);
	clear_bytes(g, at + n, room - n);
}

void put_tuple(struct gen *g, const struct ir_op *op)
{
	unsigned global = g->layout->tuple_of[op->result], at = g->layout->values[op->result], room;
	const struct ir_global *array;

	if (!global)
		return;			/* of a format */
	array = &g->ir->globals.v[global - 1];
	if (key_in_place(g, op) == at)
		return;
	/* The number of a value may be another tuple's in another block. */
	if (op->args.n != array->keys.n || key_in_place(g, op)) {
		refuse(g, "no such tuple");
		return;
	}
	for (size_t i = 0; i < op->args.n; i++) {
		room = key_bytes(g, array, i);
		if (op->args.v[i].kind == IR_ABSENT) {
			clear_bytes(g, at, room);	/* '*' */
		} else if (op->args.v[i].type != array->keys.v[i]) {
			refuse(g, "no such tuple");
		} else if (array->keys.v[i] == IR_STRING) {
			put_key_string(g, at, room, &op->args.v[i]);
		} else {
			load_word(g, R0, &op->args.v[i]);
			code_store(g->c, BPF_DW, R9, at, R0);
		}
		at += room;
	}
}

/* r1, r2 = the map, or the half of it that is in use, and the operation's key */
static void pass_key(struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = array(g, op);
	unsigned first = code_label(g->c), both = code_label(g->c);

	if (v->share == BPF_ADDED) {
		code_load(g->c, BPF_DW, R1, R9, FRAME_EPOCH);
		code_jump_if(g->c, BPF_JEQ, R1, 0, first);
		code_map(g->c, R1, v->map + 1);
		code_jump(g->c, both);
		code_here(g->c, first);
	}
	code_map(g->c, R1, v->map);
	code_here(g->c, both);
	pass_frame(g, R2, operand_at(g, &op->args.v[0]));
}

static void look_up_in(struct gen *g, const struct ir_op *op, unsigned map)
{
	code_map(g->c, R1, map);
	pass_frame(g, R2, operand_at(g, &op->args.v[0]));
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
}

/* r0 = the operation's element, or 0.  For each half its own call: the kernel makes one better if it is always of one map. */
static void look_up(struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *v = array(g, op);
	unsigned first = code_label(g->c), both = code_label(g->c);

	if (v->share == BPF_ADDED) {
		code_load(g->c, BPF_DW, R1, R9, FRAME_EPOCH);
		code_jump_if(g->c, BPF_JEQ, R1, 0, first);
		look_up_in(g, op, v->map + 1);
		code_jump(g->c, both);
		code_here(g->c, first);
	}
	look_up_in(g, op, v->map);
	code_here(g->c, both);
}

/* ---- adding -------------------------------------------------------------------- */

/* r0 = 0 if the element at 'fresh' was added */
static void add_fresh(struct gen *g, const struct ir_op *op)
{
	pass_key(g, op);
	pass_frame(g, R3, g->plan->fresh);
	code_number(g->c, R4, BPF_NOEXIST);
	code_helper(g->c, BPF_FUNC_map_update_elem);
}

/*
 * r7 = the operation's element, added if it is not there; goes to FAILED, with the error set, if that
 * fails.
 */
static void find_or_add(struct gen *g, const struct ir_op *op, unsigned failed)
{
	const struct ir_global *m = meaning(g, op);
	unsigned found = code_label(g->c), full = code_label(g->c), added = code_label(g->c);

	look_up(g, op);
	code_jump_if(g->c, BPF_JNE, R0, 0, found);
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, sequence));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD | BPF_FETCH, R1, 0, R2);
	code_store(g->c, BPF_DW, R9, g->plan->fresh, R2);
	add_fresh(g, op);
	code_jump_if(g->c, BPF_JEQ, R0, 0, added);
	code_jump_if(g->c, BPF_JEQ, R0, IS_THERE_ALREADY, added);
	if (m->wraps) {
		put_evict(g, op->symbol);
		add_fresh(g, op);
		code_jump_if(g->c, BPF_JEQ, R0, 0, added);
	}
	code_jump(g->c, full);
	code_here(g->c, added);
	look_up(g, op);
	code_jump_if(g->c, BPF_JNE, R0, 0, found);
	code_here(g->c, full);
	if (m->sized)
		fail(g, arena_printf("Array overflow, check size limit (%" PRId64 ")", m->entries));
	else
		fail(g, "Array overflow, check MAXMAPENTRIES");
	code_jump(g->c, failed);
	code_here(g->c, found);
	code_op_reg(g->c, BPF_MOV, R7, R0);
}

/* r7 + 8 is the element's value. */
enum { ELEMENT = 8 };

static void put_add_at(struct gen *g, const struct ir_op *op)
{
	unsigned failed = code_label(g->c);

	find_or_add(g, op, failed);
	load_word(g, R2, &op->args.v[1]);
	if (op->code == IR_MINUS_AT)
		code_op(g->c, BPF_NEG, R2, 0);
	code_atomic(g->c, BPF_ADD, R7, ELEMENT, R2);
	code_here(g->c, failed);
}

static void put_set(struct gen *g, const struct ir_op *op)
{
	unsigned failed = code_label(g->c), room = string_room(g, 0), made;

	if (meaning(g, op)->type != IR_STRING) {
		find_or_add(g, op, failed);
		load_word(g, R2, &op->args.v[1]);
		code_store(g->c, BPF_DW, R7, ELEMENT, R2);
	} else {
		made = spare_string(g);
		put_string(g, made, room, &op->args.v[1]);
		find_or_add(g, op, failed);
		code_op_reg(g->c, BPF_MOV, R1, R7);
		code_op(g->c, BPF_ADD, R1, ELEMENT);
		code_number(g->c, R2, STRING_BYTES + room);
		pass_frame(g, R3, made);
		code_helper(g->c, BPF_FUNC_probe_read_kernel);
	}
	code_here(g->c, failed);
}

static void put_record_at(struct gen *g, const struct ir_op *op)
{
	unsigned failed = code_label(g->c);

	find_or_add(g, op, failed);
	code_op(g->c, BPF_ADD, R7, ELEMENT);
	load_word(g, R1, &op->args.v[1]);
	put_statistic(g, &meaning(g, op)->shape);
	code_here(g->c, failed);
}

/* ---- reading, deleting ------------------------------------------------------------ */

static void put_get_string(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->layout->values[op->result], room = string_room(g, 0);
	unsigned absent = code_label(g->c), done = code_label(g->c);

	if (g->layout->value_rooms[op->result] != room)
		refuse(g, "no such use of an array's string");
	look_up(g, op);
	code_jump_if(g->c, BPF_JEQ, R0, 0, absent);
	pass_frame(g, R1, at);
	code_number(g->c, R2, STRING_BYTES + room);
	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_op(g->c, BPF_ADD, R3, ELEMENT);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_jump(g->c, done);
	code_here(g->c, absent);
	clear_bytes(g, at, STRING_BYTES + room);
	code_here(g->c, done);
}

/* r0 = the element's value, or 0; or for 'in', whether there is one */
static void put_get(struct gen *g, const struct ir_op *op)
{
	unsigned absent = code_label(g->c);

	look_up(g, op);
	code_jump_if(g->c, BPF_JEQ, R0, 0, absent);
	if (op->code == IR_HAS)
		code_number(g->c, R0, 1);
	else
		code_load(g->c, BPF_DW, R0, R0, ELEMENT);
	code_here(g->c, absent);
	store_word(g, op, R0);
}

/* Copies an element that is a statistic; one that is not there is empty. */
static void put_stat_at(struct gen *g, const struct ir_op *op)
{
	unsigned absent = code_label(g->c);

	if (op->n)
		refuse(g, "no statistics of several elements");
	clear_bytes(g, g->layout->values[op->result], copied_bytes(g, op));
	look_up(g, op);
	code_jump_if(g->c, BPF_JEQ, R0, 0, absent);
	copy_statistic(g, op, R0, ELEMENT);
	code_here(g->c, absent);
}

void put_array_op(struct gen *g, const struct ir_op *op)
{
	if ((op->code == IR_HAS || op->code == IR_DELETE) && op->n) {
		put_match(g, op);
		return;
	}
	switch (op->code) {
	case IR_PLUS_AT:
	case IR_MINUS_AT:
		lock_addition(g, op);
		put_add_at(g, op);
		unlock_addition(g, op);
		break;
	case IR_SET:
		put_set(g, op);
		break;
	case IR_RECORD_AT:
		lock_addition(g, op);
		put_record_at(g, op);
		unlock_addition(g, op);
		break;
	case IR_STAT_AT:
		put_stat_at(g, op);
		break;
	case IR_DELETE:
		pass_key(g, op);
		code_helper(g->c, BPF_FUNC_map_delete_elem);
		break;
	default:			/* IR_GET, IR_HAS */
		if (op->code == IR_GET && meaning(g, op)->type == IR_STRING)
			put_get_string(g, op);
		else
			put_get(g, op);
	}
}
