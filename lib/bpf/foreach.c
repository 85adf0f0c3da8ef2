// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * foreach in a handler of the kernel: a walk over the array copies what orders its elements, and their keys, to
 * slots; a heap of the slots' numbers gives the next one in each round.  So a loop with a limit sorts no more than it
 * shows.  Elements of the same order come as they were inserted.
 *
 *	foreach (k in a-)	slots: 0: 7 of "x", 1: 9 of "y"; heap: 1 0; rounds: "y", "x"
 *
 * Each loop has a table of slots, which its handlers share: they hold the array's lock.
 */
#include "base/arena.h"
#include "gen.h"

/* What a slot has. */
enum {
	SLOT_ORDER,			/* by which elements are sorted: the least comes first; */
	SLOT_NUMBER = 8,		/* then by their numbers in the order of insertion */
	SLOT_HEAP = 16,			/* of the heap's place with this slot's number: which slot is there */
	SLOT_KEY = 24,
};

/* Words of the frame that a loop uses. */
enum {
	COUNT,				/* slots in the heap */
	LEFT = 8,			/* rounds that the limit leaves, or -1 */
	START = 16,			/* places of the heap that are not in order yet */
	PLACE = 24, CHILD = 32, FIRST = 40, SECOND = 48, HERE = 56,	/* as a slot sinks into the heap */
	WORDS = 64,
};

/* A heap with more levels has more slots than a table can have. */
enum { LEVELS_MOST = 32 };

/* Bytes of a loop's slots: where a map's value ends for the verifier. */
enum { SLOTS_BYTES_MOST = BPF_VALUE_MOST };

/* A loop whose code is being made. */
struct loop {
	const struct ir_op *op;
	const struct ir_global *array;
	const struct bpf_global *shared;
	unsigned map, bytes;		/* the table of slots; of a slot */
	unsigned words;			/* in the frame */
	unsigned key;			/* in the frame: the round's key, as the map has it */
	unsigned sift;			/* the function that lets a slot sink */
};

static bool is_by_element_string(const struct ir_op *op, const struct ir_global *array)
{
	return op->order->by < 0 && array->type == IR_STRING;
}

static bool is_by_string(const struct loop *l)
{
	return is_by_element_string(l->op, l->array) ||
	       (l->op->order->by > 0 && l->array->keys.v[l->op->order->by - 1] == IR_STRING);
}

/* Returns where part I of a key begins. */
static unsigned part_at(const struct gen *g, const struct ir_global *array, size_t i)
{
	unsigned at = 0;

	for (size_t j = 0; j < i; j++)
		at += key_bytes(g, array, j);
	return at;
}

/* ---- slots ------------------------------------------------------------------------- */

static unsigned slot_bytes(const struct gen *g, const struct ir_op *op, const struct bpf_global *shared)
{
	bool by_element = is_by_element_string(op, &g->ir->globals.v[op->symbol]);

	return SLOT_KEY + shared->key + (by_element ? string_room(g, 0) : 0);
}

/* Returns the map of the loop's slots: one value, so that code reaches a slot without the kernel's help. */
static unsigned slots_of(struct gen *g, const struct loop *l)
{
	struct bpf_map m = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = l->bytes, .entries = 1 };

	for (size_t i = 0; i < g->plan->orders.n; i++)
		if (g->plan->orders.v[i].op == l->op)
			return g->plan->orders.v[i].map;
	if (l->array->entries > SLOTS_BYTES_MOST / l->bytes)
		refuse(g, "no foreach, in a probe of the kernel, over so large an array");
	else
		m.value *= l->array->entries;
	vec_push(&g->plan->maps, m);
	vec_push(&g->plan->orders, ((struct bpf_order){ l->op, g->plan->maps.n - 1 }));
	return g->plan->maps.n - 1;
}

/* r0 = slot REG; goes to NONE if there is none.  Changes r1. */
static void find_slot(struct gen *g, const struct loop *l, unsigned reg, unsigned none)
{
	code_jump_if(g->c, BPF_JGE, reg, l->array->entries, none);
	code_op_reg(g->c, BPF_MOV, R0, reg);
	code_op(g->c, BPF_MUL, R0, l->bytes);
	code_map_value(g->c, R1, l->map, 0);
	code_op_reg(g->c, BPF_ADD, R0, R1);
}

static void load_loops(struct gen *g, const struct loop *l, unsigned reg, unsigned word)
{
	code_load(g->c, BPF_DW, reg, R9, l->words + word);
}

static void store_loops(struct gen *g, const struct loop *l, unsigned word, unsigned reg)
{
	code_store(g->c, BPF_DW, R9, l->words + word, reg);
}

/* Loop's word TO = the slot at the heap's place REG */
static void load_heap(struct gen *g, const struct loop *l, unsigned to, unsigned reg, unsigned none)
{
	find_slot(g, l, reg, none);
	code_load(g->c, BPF_DW, R1, R0, SLOT_HEAP);
	store_loops(g, l, to, R1);
}

/* The heap's place in the loop's word AT = the slot in its word FROM */
static void store_heap(struct gen *g, const struct loop *l, unsigned at, unsigned from, unsigned none)
{
	load_loops(g, l, R1, at);
	find_slot(g, l, R1, none);
	load_loops(g, l, R1, from);
	code_store(g->c, BPF_DW, R0, SLOT_HEAP, R1);
}

/* ---- collecting ----------------------------------------------------------------------- */

/* In the walk's function: r1 = the number by which the element is sorted */
static void put_order(struct gen *g, const struct loop *l)
{
	const struct ir_order *order = l->op->order;

	if (!order->by || is_by_string(l)) {
		code_number(g->c, R1, 0);
		return;
	}
	if (order->by > 0) {
		load_key(g, R2);
		code_load(g->c, BPF_DW, R1, R2, part_at(g, l->array, order->by - 1));
	} else if (l->array->type == IR_STATISTIC && order->of == IR_VARIANCE) {
		load_variance(g, R7, 8, &l->array->shape);
	} else if (l->array->type == IR_STATISTIC) {
		code_op_reg(g->c, BPF_MOV, R3, R7);
		code_op(g->c, BPF_ADD, R3, 8);
		load_extract(g, order->of);
	} else {
		code_load(g->c, BPF_DW, R1, R7, 8);
	}
	if (order->descending)
		code_op(g->c, BPF_XOR, R1, -1);
}

/* Copies the string that is the element at r7 behind the key of the last slot. */
static void put_order_string(struct gen *g, const struct loop *l, unsigned none)
{
	load_loops(g, l, R1, COUNT);
	code_op(g->c, BPF_SUB, R1, 1);
	find_slot(g, l, R1, none);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_op(g->c, BPF_ADD, R1, SLOT_KEY + l->shared->key);
	code_number(g->c, R2, string_room(g, 0));
	code_op_reg(g->c, BPF_MOV, R3, R7);
	code_op(g->c, BPF_ADD, R3, 8 + STRING_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Makes the walk's function: copies an element's key and order to the next slot. */
static unsigned put_collect(struct gen *g, const struct loop *l)
{
	struct function *outer;
	unsigned number = begin_walk(g, &outer), other = code_label(g->c), full = code_label(g->c);

	if (l->op->args.v[1].kind != IR_ABSENT)
		put_matches(g, l->op->symbol, operand_at(g, &l->op->args.v[1]), l->op->n, other);
	put_order(g, l);
	store_loops(g, l, HERE, R1);
	load_loops(g, l, R1, COUNT);
	find_slot(g, l, R1, full);
	code_load(g->c, BPF_DW, R1, R7, 0);
	code_store(g->c, BPF_DW, R0, SLOT_NUMBER, R1);
	load_loops(g, l, R1, HERE);
	code_store(g->c, BPF_DW, R0, SLOT_ORDER, R1);
	load_loops(g, l, R1, COUNT);
	code_store(g->c, BPF_DW, R0, SLOT_HEAP, R1);
	code_op(g->c, BPF_ADD, R1, 1);
	store_loops(g, l, COUNT, R1);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_op(g->c, BPF_ADD, R1, SLOT_KEY);
	code_number(g->c, R2, l->shared->key);
	load_key(g, R3);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	if (is_by_element_string(l->op, l->array))
		put_order_string(g, l, full);
	code_here(g->c, other);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, full);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* ---- the heap --------------------------------------------------------------------------- */

/* Goes to YES if the slot at r7 comes before that at r0. */
static void put_before(struct gen *g, const struct loop *l, unsigned yes)
{
	unsigned differ = code_label(g->c), no = code_label(g->c);
	bool by_element = is_by_element_string(l->op, l->array);
	unsigned key = l->op->order->by - 1, at, bytes;

	if (is_by_string(l)) {
		at = SLOT_KEY + (by_element ? l->shared->key : part_at(g, l->array, key));
		bytes = by_element ? string_room(g, 0) : key_bytes(g, l->array, key);
		for (unsigned i = 0; i < bytes; i += 8) {
			code_load(g->c, BPF_DW, R1, R7, at + i);
			code_load(g->c, BPF_DW, R2, R0, at + i);
			code_jump_if_reg(g->c, BPF_JNE, R1, R2, differ);
		}
	} else {
		code_load(g->c, BPF_DW, R1, R7, SLOT_ORDER);
		code_load(g->c, BPF_DW, R2, R0, SLOT_ORDER);
		code_jump_if_reg(g->c, BPF_JSLT, R1, R2, yes);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, no);
	}
	code_load(g->c, BPF_DW, R1, R7, SLOT_NUMBER);
	code_load(g->c, BPF_DW, R2, R0, SLOT_NUMBER);
	code_jump_if_reg(g->c, BPF_JLT, R1, R2, yes);
	code_jump(g->c, no);
	code_here(g->c, differ);
	code_big_endian(g->c, R1);
	code_big_endian(g->c, R2);
	code_jump_if_reg(g->c, l->op->order->descending ? BPF_JGT : BPF_JLT, R1, R2, yes);
	code_here(g->c, no);
}

/* Goes to YES if the slot in the loop's word A comes before that in its word B. */
static void compare_slots(struct gen *g, const struct loop *l, unsigned a, unsigned b, unsigned yes, unsigned none)
{
	load_loops(g, l, R1, a);
	find_slot(g, l, R1, none);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	load_loops(g, l, R1, b);
	find_slot(g, l, R1, none);
	put_before(g, l, yes);
}

/*
 * Makes the function that lets the slot at a place of the heap sink by one: it changes places with the first of
 * the two below it, unless it comes before both.
 */
static unsigned put_sift(struct gen *g, const struct loop *l)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);
	unsigned second = code_label(g->c), chosen = code_label(g->c), sinks = code_label(g->c);

	load_loops(g, l, R1, PLACE);
	code_op(g->c, BPF_LSH, R1, 1);
	code_op(g->c, BPF_ADD, R1, 1);
	store_loops(g, l, CHILD, R1);
	load_loops(g, l, R2, COUNT);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, over);
	load_heap(g, l, FIRST, R1, over);
	load_loops(g, l, R1, CHILD);
	code_op(g->c, BPF_ADD, R1, 1);
	load_loops(g, l, R2, COUNT);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, chosen);
	load_heap(g, l, SECOND, R1, over);
	compare_slots(g, l, SECOND, FIRST, second, over);
	code_jump(g->c, chosen);
	code_here(g->c, second);
	load_loops(g, l, R1, SECOND);
	store_loops(g, l, FIRST, R1);
	load_loops(g, l, R1, CHILD);
	code_op(g->c, BPF_ADD, R1, 1);
	store_loops(g, l, CHILD, R1);
	code_here(g->c, chosen);
	load_loops(g, l, R1, PLACE);
	load_heap(g, l, HERE, R1, over);
	compare_slots(g, l, FIRST, HERE, sinks, over);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, sinks);
	store_heap(g, l, PLACE, FIRST, over);
	store_heap(g, l, CHILD, HERE, over);
	load_loops(g, l, R1, CHILD);
	store_loops(g, l, PLACE, R1);
	end_function(g, outer);
	return number;
}

/* Makes the function that brings one more place of the heap in order, from the last that has others below. */
static unsigned put_heapify(struct gen *g, const struct loop *l)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), more = code_label(g->c);

	load_loops(g, l, R1, START);
	code_jump_if(g->c, BPF_JNE, R1, 0, more);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, more);
	code_op(g->c, BPF_SUB, R1, 1);
	store_loops(g, l, START, R1);
	store_loops(g, l, PLACE, R1);
	put_rounds(g, l->sift, LEVELS_MOST);
	note_call(g, 1);
	end_function(g, outer);
	return number;
}

/* ---- rounds ------------------------------------------------------------------------------ */

/* Takes the first slot out of the heap, and its key to the frame; goes to OVER if there is none. */
static void put_next_slot(struct gen *g, const struct loop *l, unsigned over)
{
	unsigned last = code_label(g->c);

	load_loops(g, l, R1, COUNT);
	code_jump_if(g->c, BPF_JEQ, R1, 0, over);
	code_op(g->c, BPF_SUB, R1, 1);
	store_loops(g, l, COUNT, R1);
	load_heap(g, l, HERE, R1, over);
	code_number(g->c, R1, 0);
	store_loops(g, l, PLACE, R1);
	load_heap(g, l, FIRST, R1, over);
	load_loops(g, l, R1, FIRST);
	find_slot(g, l, R1, over);
	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_op(g->c, BPF_ADD, R3, SLOT_KEY);
	pass_frame(g, R1, l->key);
	code_number(g->c, R2, l->shared->key);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	load_loops(g, l, R1, COUNT);
	code_jump_if(g->c, BPF_JEQ, R1, 0, last);
	store_heap(g, l, PLACE, HERE, over);
	put_rounds(g, l->sift, LEVELS_MOST);
	note_call(g, 1);
	code_here(g->c, last);
}

/* Takes the parts of the key apart. */
static void put_keys(struct gen *g, const struct loop *l, const struct round *r)
{
	unsigned room = string_room(g, 0), at = l->key;

	for (size_t i = 0; i < l->array->keys.n; i++) {
		unsigned bytes = key_bytes(g, l->array, i);

		if (l->array->keys.v[i] != IR_STRING) {
			copy_bytes(g, r->keys[i], at, 8);
		} else {
			clear_bytes(g, r->keys[i], STRING_BYTES + room);
			pass_frame(g, R1, r->keys[i] + STRING_BYTES);
			code_number(g->c, R2, bytes);
			pass_frame(g, R3, at);
			code_helper(g->c, BPF_FUNC_probe_read_kernel_str);
			code_op(g->c, BPF_SUB, R0, 1);
			code_store(g->c, BPF_DW, R9, r->keys[i], R0);
		}
		at += bytes;
	}
}

/* Copies the element; goes to OVER if it is there no more: the body has cleared the array. */
static void put_element(struct gen *g, const struct loop *l, const struct round *r, unsigned over)
{
	unsigned bytes = element_bytes(g, l->array);

	code_map(g->c, R1, l->shared->map);
	pass_frame(g, R2, l->key);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, over);
	code_op_reg(g->c, BPF_MOV, R3, R0);
	code_op(g->c, BPF_ADD, R3, 8);
	pass_frame(g, R1, r->element);
	code_number(g->c, R2, bytes);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	if (l->array->type == IR_STATISTIC)
		finish_copy(g, r->element, &l->array->shape);
}

static void put_limit(struct gen *g, const struct loop *l, unsigned over)
{
	if (l->op->args.v[0].kind == IR_ABSENT)
		return;
	load_loops(g, l, R1, LEFT);
	code_jump_if(g->c, BPF_JEQ, R1, 0, over);
	code_op(g->c, BPF_SUB, R1, 1);
	store_loops(g, l, LEFT, R1);
}

/* Makes what a round begins with; goes to OVER behind the last. */
void begin_round(struct gen *g, const struct round *r, unsigned over)
{
	const struct loop *l = r->loop;

	put_limit(g, l, over);
	put_next_slot(g, l, over);
	put_element(g, l, r, over);
	put_keys(g, l, r);
}

static struct round *take_round(struct gen *g, const struct ir_op *op, const struct ir_global *array)
{
	struct round *r = arena_new(struct round);

	r->label = op->label;
	r->keys = arena_alloc((array->keys.n + 1) * sizeof(*r->keys));
	for (size_t i = 0; i < array->keys.n; i++)
		r->keys[i] = take(g, array->keys.v[i] == IR_STRING ? STRING_BYTES + string_room(g, 0) : 8);
	r->element = take(g, element_bytes(g, array));
	return r;
}

/* Is the array locked while the handler's code runs? */
static bool is_locked(const struct gen *g, unsigned global)
{
	const struct ir_body *b = g->probe->handler;

	for (size_t i = 0; i < b->locks.n; i++)
		if (b->locks.v[i].global == global)
			return true;
	return false;
}

/* Makes the loop's code before its rounds.  Returns the loop, and where a round finds its element. */
struct round *begin_foreach(struct gen *g, const struct ir_op *op)
{
	const struct bpf_global *shared = &g->plan->globals[op->symbol];
	const struct ir_global *array = &g->ir->globals.v[op->symbol];
	struct loop *l = arena_new(struct loop);
	struct round *r = take_round(g, op, array);
	unsigned collect;

	*l = (struct loop){ .op = op, .array = array, .shared = shared, .bytes = slot_bytes(g, op, shared) };
	r->loop = l;
	if (!is_locked(g, op->symbol))
		refuse(g, "no foreach, in a probe of the kernel, over an array that handlers don't change");
	l->map = slots_of(g, l);
	l->words = take(g, WORDS);
	l->key = take(g, shared->key);
	if (op->args.v[0].kind != IR_ABSENT) {
		load_word(g, R1, &op->args.v[0]);
		store_loops(g, l, LEFT, R1);
	}
	code_store_number(g->c, BPF_DW, R9, l->words + COUNT, 0);
	collect = put_collect(g, l);
	put_walk(g, shared->map, collect);
	l->sift = put_sift(g, l);
	load_loops(g, l, R1, COUNT);
	code_op(g->c, BPF_RSH, R1, 1);
	store_loops(g, l, START, R1);
	put_rounds(g, put_heapify(g, l), array->entries);
	return r;
}
