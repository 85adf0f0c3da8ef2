// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges handlers that differ only in constants.
 *
 * An alias for each system call, all ending in the script's one handler, makes hundreds of bodies
 * that differ only in names and in the positions that messages give.  An engine's compile time
 * grows with the number of bodies.  So in a script with many probes, such bodies become one, the
 * first, and where they differ it has a constant of the probe's own.  Of
 *
 *	probe a { n["a"]++ }		tuple "a"; plus @n %0 1	; near … at input:1:11
 *	probe b { n["b"]++ }		tuple "b"; plus @n %0 1	; near … at input:2:11
 *
 * remains "tuple own.0; plus @n %0 1 ; near own.1", and probe b has
 * own.0 = "b" and own.1 = near … at input:2:11.
 */
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "lowering.h"

/*
 * Handlers are merged from this many probes on, because few bodies run faster with their constants
 * inside.
 */
enum { MANY_PROBES = 64 };

/* ---- what may differ ---------------------------------------------------- */

/* A place in a body that has a constant. */
struct slot {
	enum { OPERAND, NEAR, FORMAT } kind;
	struct ir_op *op;
	struct ir_operand *operand;	/* OPERAND: a number or literal */
};

typedef vec(struct slot) slot_list;

static bool has_format(const struct ir_op *op)
{
	return op->code == IR_PRINT || op->code == IR_PRINT_HIST || op->code == IR_FORMAT;
}

/*
 * Must the constant stay in the body?  Division by a number can't fail, and the compiler chooses a
 * read by its number of bytes.
 */
static bool is_fixed(const struct ir_op *op, size_t argument)
{
	return ((op->code == IR_DIV || op->code == IR_MOD) && argument == 1) ||
	       ((op->code == IR_KREAD || op->code == IR_UREAD) && argument == 0);
}

static bool is_constant(const struct ir_op *op, size_t argument)
{
	enum ir_operand_kind kind = op->args.v[argument].kind;

	return kind == IR_LITERAL || (kind == IR_NUMBER && !is_fixed(op, argument));
}

static void add_slots(slot_list *out, const struct ir_block *block)
{
	for (size_t i = 0; block && i < block->ops.n; i++) {
		struct ir_op *op = block->ops.v[i];

		if (op->what)
			vec_push(out, ((struct slot){ NEAR, op, NULL }));
		if (has_format(op))
			vec_push(out, ((struct slot){ FORMAT, op, NULL }));
		for (size_t j = 0; j < op->args.n; j++)
			if (is_constant(op, j))
				vec_push(out, ((struct slot){ OPERAND, op, &op->args.v[j] }));
		add_slots(out, op->blocks[0]);
		add_slots(out, op->blocks[1]);
	}
}

static slot_list slots_of(const struct ir_body *b)
{
	slot_list slots = { 0 };

	add_slots(&slots, &b->block);
	return slots;
}

static struct ir_constant constant_in(const struct slot *s)
{
	const struct ir_op *op = s->op;

	if (s->kind == NEAR)
		return (struct ir_constant){ IR_VOID, .text = op->what, .at = op->at };
	if (s->kind == FORMAT && op->code == IR_FORMAT)
		return (struct ir_constant){ IR_STRING, .text = op->text };
	if (s->kind == FORMAT)
		return (struct ir_constant){ IR_WORD, .number = op->code == IR_PRINT ? op->symbol
									      : op->n };
	if (s->operand->kind == IR_LITERAL)
		return (struct ir_constant){ IR_STRING, .text = s->operand->text };
	return (struct ir_constant){ IR_WORD, .number = s->operand->number };
}

/* Puts the probe's constant INDEX in the place of the slot's constant. */
static void make_own(const struct slot *s, unsigned index)
{
	struct ir_op *op = s->op;

	switch (s->kind) {
	case OPERAND:
		*s->operand = (struct ir_operand){ IR_OWN, s->operand->type, .index = index };
		break;
	case NEAR:
		op->near = index;
		op->what = op->at = NULL;
		break;
	case FORMAT:
		op->format = index;
		if (op->code == IR_FORMAT)
			op->text = NULL;
		else if (op->code == IR_PRINT)
			op->symbol = 0;
		else
			op->n = 0;
	}
}

/* ---- what must agree ----------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_operand(const struct ir_operand *a, const struct ir_operand *b)
{
	if (a->kind != b->kind || a->type != b->type)
		return false;
	switch (a->kind) {
	case IR_NUMBER:
		return a->number == b->number;
	case IR_LITERAL:
		return same_text(a->text, b->text);
	case IR_SLOT:
	case IR_KEY:
	case IR_ELEMENT:
		return a->index == b->index && a->of == b->of;
	default:
		return a->index == b->index;
	}
}

static bool same_args(const struct ir_op *a, const struct ir_op *b)
{
	if (a->args.n != b->args.n)
		return false;
	for (size_t i = 0; i < a->args.n; i++) {
		const struct ir_operand *x = &a->args.v[i], *y = &b->args.v[i];

		if (is_constant(a, i) ? x->kind != y->kind : !same_operand(x, y))
			return false;
	}
	return true;
}

static bool same_order(const struct ir_order *a, const struct ir_order *b)
{
	return a == b || (a && b && a->by == b->by && a->descending == b->descending &&
			  a->of == b->of && a->sorter == b->sorter);
}

static bool same_way(const struct ir_op *a, const struct ir_op *b)
{
	return a == b || (a && b && a->code == b->code && a->label == b->label);
}

/* Do two operations agree in their numbers and text, except for the format? */
static bool same_numbers(const struct ir_op *a, const struct ir_op *b)
{
	if (!has_format(a))
		return a->symbol == b->symbol && a->n == b->n && same_text(a->text, b->text);
	return (a->code == IR_PRINT || a->symbol == b->symbol) &&
	       (a->code == IR_PRINT_HIST || a->n == b->n);
}

static bool same_block(const struct ir_block *a, const struct ir_block *b);

static bool same_op(const struct ir_op *a, const struct ir_op *b)
{
	return a->code == b->code && a->may_fail == b->may_fail && a->result == b->result &&
	       !a->what == !b->what && a->foreign == b->foreign && a->label == b->label &&
	       same_numbers(a, b) && same_args(a, b) && same_order(a->order, b->order) &&
	       same_way(a->way, b->way) && term_equal(a->term, b->term) &&
	       same_block(a->blocks[0], b->blocks[0]) && same_block(a->blocks[1], b->blocks[1]);
}

static bool same_block(const struct ir_block *a, const struct ir_block *b)
{
	if (!a || !b)
		return a == b;
	if (a->ops.n != b->ops.n)
		return false;
	for (size_t i = 0; i < a->ops.n; i++)
		if (!same_op(a->ops.v[i], b->ops.v[i]))
			return false;
	return true;
}

/* Are two lists of one type equal, as SAME compares elements? */
#define same_list(a, b, same) ({						\
	size_t i_ = 0;								\
										\
	while (i_ < (a)->n && i_ < (b)->n && same((a)->v[i_], (b)->v[i_]))	\
		i_++;								\
	i_ == (a)->n && i_ == (b)->n;						\
})
#define same_element(x, y)	((x) == (y))
#define same_local(x, y)	((x).type == (y).type)
#define same_lock(x, y)		((x).global == (y).global && (x).write == (y).write)

/* Do two bodies differ in constants only?  Variables may have other names. */
static bool same_shape(const struct ir_body *a, const struct ir_body *b)
{
	return same_list(&a->locals, &b->locals, same_local) &&
	       same_list(&a->values, &b->values, same_element) &&
	       same_list(&a->kept, &b->kept, same_element) &&
	       same_list(&a->locks, &b->locks, same_lock) &&
	       same_list(&a->decides, &b->decides, same_element) && same_block(&a->block, &b->block);
}

/* ---- groups --------------------------------------------------------------- */

/* The probes whose handlers have one shape. */
struct group {
	struct ir_body *first;
	vec(unsigned) probes;
};

struct groups {
	vec(struct group) list;
	struct table by_shape;
};

/* Appends a text that is equal for blocks of one shape, and rarely equal for others. */
static void put_shape(struct sbuf *out, const struct ir_block *block)
{
	for (size_t i = 0; block && i < block->ops.n; i++) {
		const struct ir_op *op = block->ops.v[i];

		sbuf_printf(out, "%u %u %zu ", op->code, op->code == IR_PRINT ? 0 : op->symbol,
			    op->args.n);
		term_key(out, op->term);
		put_shape(out, op->blocks[0]);
		put_shape(out, op->blocks[1]);
	}
}

static uint32_t hash_shape(const struct ir_body *b)
{
	struct sbuf shape = { 0 };
	uint32_t hash;

	put_shape(&shape, &b->block);
	hash = table_hash_string(sbuf_str(&shape));
	sbuf_free(&shape);
	return hash;
}

static void add_probe(struct groups *all, struct ir_body *handler, unsigned probe)
{
	struct group group = { .first = handler };
	uint32_t hash = hash_shape(handler);

	table_for_each(&all->by_shape, hash, i)
		if (same_shape(all->list.v[i].first, handler)) {
			vec_push(&all->list.v[i].probes, probe);
			return;
		}
	vec_push(&group.probes, probe);
	vec_push(&all->list, group);
	table_add(&all->by_shape, hash, all->list.n - 1);
}

static bool same_constant(const struct slot *a, const struct slot *b)
{
	struct ir_constant x = constant_in(a), y = constant_in(b);

	return x.number == y.number && same_text(x.text, y.text) && same_text(x.at, y.at);
}

/*
 * Sets DIFFERS for each slot of the first handler whose constant another handler of the group has
 * otherwise.
 */
static void find_differences(const struct ir_program *ir, const struct group *g,
			     const slot_list *first, bool *differs)
{
	for (size_t i = 1; i < g->probes.n; i++) {
		slot_list slots = slots_of(ir->probes.v[g->probes.v[i]].handler);

		for (size_t j = 0; j < slots.n; j++)
			differs[j] |= !same_constant(&slots.v[j], &first->v[j]);
	}
}

static void take_constants(struct ir_probe *p, const bool *differs)
{
	slot_list slots = slots_of(p->handler);

	for (size_t i = 0; i < slots.n; i++)
		if (differs[i])
			vec_push(&p->constants, constant_in(&slots.v[i]));
}

static void merge_group(struct ir_program *ir, const struct group *g)
{
	slot_list slots = slots_of(g->first);
	bool *differs = arena_alloc(slots.n + 1);
	unsigned constants = 0;

	find_differences(ir, g, &slots, differs);
	for (size_t i = 0; i < g->probes.n; i++) {
		take_constants(&ir->probes.v[g->probes.v[i]], differs);
		ir->probes.v[g->probes.v[i]].handler = g->first;
	}
	for (size_t i = 0; i < slots.n; i++)
		if (differs[i])
			make_own(&slots.v[i], constants++);
}

void merge_handlers(struct ir_program *ir)
{
	struct groups all = { 0 };

	if (ir->probes.n < MANY_PROBES)
		return;
	for (size_t i = 0; i < ir->probes.n; i++)
		add_probe(&all, ir->probes.v[i].handler, i);
	for (size_t i = 0; i < all.list.n; i++)
		if (all.list.v[i].probes.n > 1)
			merge_group(ir, &all.list.v[i]);
}
