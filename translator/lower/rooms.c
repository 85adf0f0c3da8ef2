// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long an array's keys get: a map has room for the longest string in each string key of each
 * element, unless no longer one than
 *
 *	n[execname(), "read"] <<< 1
 *
 * stores is ever stored: 16 bytes and 5, with the NULs, instead of 512 each.  Keys that are only looked for
 * don't count.
 *
 * In a body, each value, local and kept value is as long as the longest that is assigned to it anywhere.  What
 * gets longer with each look, as in "s = s . s", is taken to be as long as a string can be.
 */
#include <string.h>

#include "base/arena.h"
#include "lowering.h"

/* From this many looks at a body on, what still grows grows without end. */
enum { LOOKS = 4 };

struct rooms {
	struct ir_program *ir;
	unsigned most;			/* room for any string */
	/* of the body looked at: the room that its strings need */
	unsigned *values, *locals, *kept;
	const struct ir_op **tuples;	/* the operation that makes the tuple that is a value */
	unsigned look;
	bool changed;
};

static void raise_to(struct rooms *r, unsigned *room, unsigned to)
{
	if (*room == r->most || to <= *room)
		return;
	*room = to < r->most && r->look < LOOKS ? to : r->most;
	r->changed = true;
}

static unsigned room_of(const struct rooms *r, const struct ir_operand *o)
{
	switch (o->kind) {
	case IR_LITERAL:
		return strnlen(o->text, r->most - 1) + 1;
	case IR_VALUE:
		return r->values[o->index];
	case IR_LOCAL:
		return r->locals[o->index];
	case IR_KEPT:
		return r->kept[o->index];
	default:
		return r->most;
	}
}

static unsigned room_of_call(const struct rooms *r, const struct ir_op *op)
{
	int longest = r->ir->functions.v[op->symbol].longest;

	if (longest < 0)
		return room_of(r, &op->args.v[-longest - 1]);
	return longest ? (unsigned)longest : r->most;
}

/* The room that a string needs which OP makes. */
static unsigned room_of_result(const struct rooms *r, const struct ir_op *op)
{
	switch (op->code) {
	case IR_CALL:
		return room_of_call(r, op);
	case IR_COPY:
	case IR_DUP:
		return room_of(r, &op->args.v[0]);
	case IR_CONCAT:
		return room_of(r, &op->args.v[0]) + room_of(r, &op->args.v[1]) - 1;
	default:
		return r->most;
	}
}

static void look_at_op(struct ir_op *op, void *arg)
{
	struct rooms *r = arg;

	if (op->code == IR_TUPLE_OF)
		r->tuples[op->result] = op;
	else if (op->code == IR_STORE_LOCAL && op->args.v[0].type == IR_STRING)
		raise_to(r, &r->locals[op->symbol], room_of(r, &op->args.v[0]));
	else if (op->code == IR_KEEP && op->args.v[0].type == IR_STRING)
		raise_to(r, &r->kept[op->symbol], room_of(r, &op->args.v[0]));
	else if (op->code == IR_TRY && op->args.n && op->args.v[0].kind == IR_LOCAL)
		raise_to(r, &r->locals[op->args.v[0].index], r->most);
	else if (op->result != IR_NO_VALUE && !(ir_opcodes[op->code].traits & IR_REGION))
		raise_to(r, &r->values[op->result], room_of_result(r, op));
}

/* ---- keys ------------------------------------------------------------------ */

/* MADE makes the tuple of keys; NULL: they may be any. */
static void store_keys(struct rooms *r, unsigned global, const struct ir_op *made)
{
	struct ir_global *g = &r->ir->globals.v[global];

	for (size_t i = 0; i < g->keys.n; i++)
		if (g->keys.v[i] == IR_STRING)
			raise_to(r, &g->rooms.v[i], made ? room_of(r, &made->args.v[i]) : r->most);
}

static void store_written(struct rooms *r, const struct ir_foreign *f)
{
	for (size_t i = 0; f && i < f->writes.n; i++)
		store_keys(r, f->writes.v[i], NULL);
}

static void look_at_keys(struct ir_op *op, void *arg)
{
	struct rooms *r = arg;

	if (op->code == IR_SET || op->code == IR_PLUS_AT || op->code == IR_MINUS_AT ||
	    op->code == IR_RECORD_AT)
		store_keys(r, op->symbol, r->tuples[op->args.v[0].index]);
	store_written(r, op->foreign);
}

static unsigned *rooms_for(size_t n)
{
	unsigned *rooms = arena_alloc((n + 1) * sizeof(*rooms));

	for (size_t i = 0; i < n; i++)
		rooms[i] = 1;
	return rooms;
}

static void look_at_body(struct rooms *r, const struct ir_body *b)
{
	if (!b)
		return;
	r->values = rooms_for(b->values.n);
	r->locals = rooms_for(b->locals.n);
	r->kept = rooms_for(b->kept.n);
	r->tuples = arena_alloc((b->values.n + 1) * sizeof(*r->tuples));
	for (size_t i = 0; i < b->nparams; i++)
		r->locals[i] = r->most;
	r->look = 0;
	do {
		r->changed = false;
		ir_each(&b->block, look_at_op, r);
		r->look++;
	} while (r->changed);
	r->look = 0;
	ir_each(&b->block, look_at_keys, r);
}

static bool has_string_keys(const struct ir_program *ir)
{
	for (size_t i = 0; i < ir->globals.n; i++)
		for (size_t j = 0; j < ir->globals.v[i].keys.n; j++)
			if (ir->globals.v[i].keys.v[j] == IR_STRING)
				return true;
	return false;
}

/* A string key has room for "" at first; rooms for any string are left out in the end. */
static void begin_rooms(struct ir_global *g)
{
	for (size_t i = 0; i < g->keys.n; i++)
		vec_push(&g->rooms, g->keys.v[i] == IR_STRING);
}

static void end_rooms(struct ir_global *g, unsigned most)
{
	for (size_t i = 0; i < g->rooms.n; i++)
		if (g->rooms.v[i] == most)
			g->rooms.v[i] = 0;
}

void find_rooms(struct ir_program *ir)
{
	struct rooms r = { .ir = ir, .most = ir->limits.string };

	if (!has_string_keys(ir))
		return;
	for (size_t i = 0; i < ir->globals.n; i++)
		begin_rooms(&ir->globals.v[i]);
	for (size_t i = 0; i < ir->functions.n; i++) {
		look_at_body(&r, ir->functions.v[i].body);
		store_written(&r, ir->functions.v[i].foreign);
	}
	for (size_t i = 0; i < ir->probes.n; i++) {
		look_at_body(&r, ir->probes.v[i].condition);
		look_at_body(&r, ir->probes.v[i].entry);
		look_at_body(&r, ir->probes.v[i].handler);
	}
	for (size_t i = 0; i < ir->globals.n; i++)
		end_rooms(&ir->globals.v[i], r.most);
}
