// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places a body's variables in the frame.
 *
 * A string's room is what the longest string that is stored there needs: execname()'s have 16 bytes, not
 * 512.  A variable may be assigned from another that comes later, so its room is found by going over the
 * body until nothing grows; rooms are bounded, and so is that.
 */
#include <string.h>

#include "base/arena.h"
#include "gen.h"

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

unsigned operand_room(const struct gen *g, const struct ir_operand *o)
{
	const struct layout *l = g->layout;
	const char *text = literal_text(g, o);

	if (text)
		return rounded(strlen(text) + 1);
	switch (o->kind) {
	case IR_VALUE:
		return l->value_rooms[o->index];
	case IR_LOCAL:
		return l->local_rooms[o->index];
	case IR_KEPT:
		return l->kept_rooms[o->index];
	case IR_SLOT:
		return l->areas[o->of] ? l->areas[o->of]->rooms[o->index] : string_room(g, 0);
	default:
		return string_room(g, 0);
	}
}

/* Returns the room of what a call returns. */
static unsigned call_room(const struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];

	if (f->written_in != IR_BUILTIN || !f->longest)
		return string_room(g, 0);
	return f->longest < 0 ? operand_room(g, &op->args.v[-f->longest - 1]) : string_room(g, f->longest);
}

/* Returns the room of the string that an operation makes. */
static unsigned made_room(const struct gen *g, const struct ir_op *op)
{
	unsigned all = string_room(g, 0), made;

	switch (op->code) {
	case IR_COPY:
	case IR_DUP:
		return operand_room(g, &op->args.v[0]);
	case IR_CONCAT:
		made = operand_room(g, &op->args.v[0]) + operand_room(g, &op->args.v[1]);
		return made < all ? made : all;
	case IR_CALL:
		return call_room(g, op);
	default:
		return all;
	}
}

struct walk {
	struct gen *g;
	bool grew;
};

static void grow(struct walk *w, unsigned *room, unsigned to)
{
	unsigned all = string_room(w->g, 0);

	to = to < all ? to : all;
	if (*room >= to)
		return;
	*room = to;
	w->grew = true;
}

/* Makes an area, or notes what it holds. */
static void measure_area(struct walk *w, const struct ir_op *op)
{
	struct layout *l = w->g->layout;
	struct area *a = l->areas[op->code == IR_AREA ? op->result : op->args.v[0].index];

	if (op->code == IR_AREA && !a) {
		a = l->areas[op->result] = arena_new(struct area);
		a->n = op->n;
		a->at = arena_alloc(a->n * sizeof(*a->at));
		a->rooms = arena_alloc(a->n * sizeof(*a->rooms));
		a->types = arena_alloc(a->n * sizeof(*a->types));
	} else if (op->code == IR_HOLD && a && op->n < a->n) {
		a->types[op->n] = op->args.v[1].type;
		if (op->args.v[1].type == IR_STRING)
			grow(w, &a->rooms[op->n], operand_room(w->g, &op->args.v[1]));
	}
}

static void measure_op(struct ir_op *op, void *arg)
{
	struct walk *w = arg;
	struct layout *l = w->g->layout;
	const struct ir_body *b = w->g->body;

	if (op->result != IR_NO_VALUE && b->values.v[op->result] == IR_STRING &&
	    !(ir_opcodes[op->code].traits & IR_REGION))
		grow(w, &l->value_rooms[op->result], made_room(w->g, op));
	if (op->code == IR_STORE_LOCAL && b->locals.v[op->symbol].type == IR_STRING)
		grow(w, &l->local_rooms[op->symbol], operand_room(w->g, &op->args.v[0]));
	if (op->code == IR_AREA || op->code == IR_HOLD)
		measure_area(w, op);
	if (op->code == IR_TRY && op->args.n && op->args.v[0].kind == IR_LOCAL)
		grow(w, &l->local_rooms[op->args.v[0].index], string_room(w->g, 0));
	if (op->code == IR_KEEP && b->kept.v[op->symbol] == IR_STRING)
		grow(w, &l->kept_rooms[op->symbol], operand_room(w->g, &op->args.v[0]));
	if (op->code == IR_BUCKET || op->code == IR_BUCKETS || op->code == IR_PRINT_HIST) {
		if (op->args.v[0].kind == IR_VALUE)
			l->histogram_of[op->args.v[0].index] = op->symbol + 1;
		else
			l->element_histograms = true;
	}
	for (size_t i = 0; i < op->args.n && ir_opcodes[op->code].symbol == IR_OF_GLOBAL; i++)
		if (op->args.v[i].kind == IR_VALUE && op->args.v[i].type == IR_TUPLE)
			l->tuple_of[op->args.v[i].index] = op->symbol + 1;
}

static void count_uses(struct ir_op *op, void *arg)
{
	struct layout *l = arg;

	for (size_t i = 0; i < op->args.n; i++) {
		if (op->args.v[i].kind != IR_VALUE)
			continue;
		l->uses[op->args.v[i].index]++;
		l->measured[op->args.v[i].index] |= op->code != IR_TUPLE_OF || !l->tuple_of[op->result];
	}
}

/* Takes bytes of the frame: those behind r9 first, then those before it. */
unsigned take(struct gen *g, unsigned bytes)
{
	unsigned most = g->plan->low ? 2 * FRAME_LOW : FRAME_MOST, at;

	if (g->frame <= FRAME_MOST && g->frame + rounded(bytes) > FRAME_MOST)
		g->frame = FRAME_LOW;
	at = g->frame;
	g->frame += rounded(bytes);
	if (g->frame > g->frame_end)
		g->frame_end = g->frame;
	if (g->frame > most) {
		g->plan->too_small = true;
		refuse(g, "no handlers whose variables take more than %d bytes", most);
	}
	return at < FRAME_LOW ? at : at - 2 * FRAME_LOW;
}

/* A histogram that is read, at most: as much as a page has. */
enum { READ_MOST = 8192 };

/* Returns the bytes of value I, a statistic. */
static unsigned statistic_room(struct gen *g, unsigned global)
{
	unsigned bytes = global ? statistic_bytes(&g->ir->globals.v[global - 1].shape) : STATISTIC_BYTES + VARIANCE_BYTES;

	if (bytes > READ_MOST)
		refuse(g, "no reading of a histogram of so many buckets in a probe of the kernel");
	return bytes;
}

static unsigned place(struct gen *g, enum ir_type type, unsigned *room)
{
	if (type == IR_STRING)
		*room = most(*room, 8);
	return take(g, type == IR_STRING ? STRING_BYTES + *room : 8);
}

static unsigned place_value(struct gen *g, enum ir_type type, struct layout *l, unsigned i)
{
	struct area *a = l->areas[i];

	for (unsigned j = 0; a && j < a->n; j++)
		a->at[j] = place(g, a->types[j], &a->rooms[j]);
	if (type == IR_TUPLE)
		return l->tuple_of[i] ? take(g, g->plan->globals[l->tuple_of[i] - 1].key) : 0;
	if (type == IR_STATISTIC)
		return take(g, statistic_room(g, l->histogram_of[i]));
	return place(g, type, &l->value_rooms[i]);
}

unsigned key_in_place(const struct gen *g, const struct ir_op *op)
{
	const struct ir_operand *key = op->code == IR_TUPLE_OF && op->args.n == 1 ? &op->args.v[0] : NULL;
	unsigned global = key && key->kind == IR_VALUE && key->type == IR_STRING ? g->layout->tuple_of[op->result] : 0;
	const struct ir_global *array = global ? &g->ir->globals.v[global - 1] : NULL;
	unsigned at = array ? g->layout->values[key->index] : 0;

	return at && array->keys.n == 1 && array->keys.v[0] == IR_STRING &&
	       key_bytes(g, array, 0) <= g->layout->value_rooms[key->index] ? at + STRING_BYTES : 0;
}

/* The placing of a body's values: the open block that declares each, or 'ended'; and where the last one ends. */
struct placing {
	struct gen *g;
	const struct ir_block **declared;
	unsigned end;
};

static const struct ir_block ended;

/*
 * Places the values that a block declares.  They end with it, so blocks behind one another have the same bytes.  The
 * translator numbers each value once.
 */
static void place_values(struct placing *p, const struct ir_block *block)
{
	struct gen *g = p->g;
	unsigned begin = g->frame;

	for (size_t i = 0; block && i < block->ops.n; i++) {
		const struct ir_op *op = block->ops.v[i];
		unsigned n = op->result;

		if (n != IR_NO_VALUE && p->declared[n] == &ended)
			refuse(g, "no values of the same number");
		if (n != IR_NO_VALUE && !p->declared[n]) {
			p->declared[n] = block;
			g->layout->values[n] = key_in_place(g, op);
			if (!g->layout->values[n])
				g->layout->values[n] = place_value(g, g->body->values.v[n], g->layout, n);
		}
		place_values(p, op->blocks[0]);
		place_values(p, op->blocks[1]);
	}
	for (size_t i = 0; block && i < block->ops.n; i++)
		if (block->ops.v[i]->result != IR_NO_VALUE && p->declared[block->ops.v[i]->result] == block)
			p->declared[block->ops.v[i]->result] = &ended;
	p->end = most(p->end, g->frame);
	g->frame = begin;
}

struct layout *lay_out(struct gen *g, const struct ir_body *b)
{
	struct layout *l = arena_new(struct layout);
	struct walk w = { .g = g };
	struct placing placing = { .g = g, .declared = arena_alloc((b->values.n + 1) * sizeof(*placing.declared)) };

#define NUMBERS(n) arena_alloc(((n) + 1) * sizeof(unsigned))
	l->values = NUMBERS(b->values.n);
	l->value_rooms = NUMBERS(b->values.n);
	l->tuple_of = NUMBERS(b->values.n);
	l->uses = NUMBERS(b->values.n);
	l->measured = arena_alloc(b->values.n + 1);
	l->areas = arena_alloc((b->values.n + 1) * sizeof(*l->areas));
	l->histogram_of = NUMBERS(b->values.n);
	l->locals = NUMBERS(b->locals.n);
	l->local_rooms = NUMBERS(b->locals.n);
	l->kept = NUMBERS(b->kept.n);
	l->kept_rooms = NUMBERS(b->kept.n);
#undef NUMBERS
	g->body = b;
	g->layout = l;
	if (b->values.n + b->locals.n + b->kept.n > FRAME_MOST / 8) {
		refuse(g, "no handlers of so many variables");
		return l;
	}
	for (size_t i = 0; i < b->nparams; i++)
		if (b->locals.v[i].type == IR_STRING)
			l->local_rooms[i] = string_room(g, 0);
	do {
		w.grew = false;
		ir_each(&b->block, measure_op, &w);
	} while (w.grew);
	ir_each(&b->block, count_uses, l);
	for (size_t i = 0; i < b->locals.n; i++)
		l->locals[i] = place(g, b->locals.v[i].type, &l->local_rooms[i]);
	for (size_t i = 0; i < b->kept.n; i++)
		l->kept[i] = place(g, b->kept.v[i], &l->kept_rooms[i]);
	l->result_room = b->type == IR_STRING ? string_room(g, 0) : 0;
	l->result = place(g, b->type, &l->result_room);
	place_values(&placing, &b->block);
	g->frame = most(g->frame, placing.end);
	return l;
}
