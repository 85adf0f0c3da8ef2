/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack machine of DWARF location descriptions: its stack and arithmetic.
 */
#include "machine.h"

#include <dwarf.h>

#include "base/arena.h"

enum { NODES_MAX = 2000 };		/* of one operand */

bool mc_fail(struct machine *m, const char *why)
{
	if (!m->why->text)
		m->why->text = why;
	return false;
}

bool mc_corrupt(struct machine *m)
{
	return mc_fail(m, "has a location in the debug information that makes no sense");
}

/* ---- operands ---------------------------------------------------------- */

static bool push(struct machine *m, struct stack_entry o)
{
	if (m->depth == STACK_MAX || o.term->nodes > NODES_MAX)
		return mc_corrupt(m);
	m->stack[m->depth++] = o;
	return true;
}

bool mc_push(struct machine *m, const struct term *term)
{
	return push(m, (struct stack_entry){ .term = term });
}

bool mc_push_number(struct machine *m, uint64_t value)
{
	return mc_push(m, term_number(value));
}

bool mc_pop(struct machine *m, struct stack_entry *o)
{
	if (!m->depth)
		return mc_corrupt(m);
	*o = m->stack[--m->depth];
	return true;
}

/* Makes an operand usable twice: binds it to a temporary. */
static void settle(struct machine *m, struct stack_entry *o)
{
	struct binding *b;

	if (o->term->kind == TERM_NUMBER || o->term->kind == TERM_TEMPORARY)
		return;
	b = arena_new(struct binding);
	b->before = m->bindings;
	b->n = m->view->temps++;
	b->value = o->term;
	m->bindings = b;
	o->term = term_temporary(b->n);
}

const struct term *mc_bind(const struct machine *m, const struct term *term)
{
	for (const struct binding *b = m->bindings; b; b = b->before)
		term = term_let(b->n, b->value, term);
	return term;
}

/* Pushes a copy of the operand INDEX from the top. */
static bool mc_pick(struct machine *m, uint64_t index)
{
	struct stack_entry *o;

	if (index >= m->depth)
		return mc_corrupt(m);
	o = &m->stack[m->depth - 1 - index];
	settle(m, o);
	return push(m, *o);
}

bool mc_push_typed(struct machine *m, const struct term *term, unsigned size, bool is_signed)
{
	return push(m, (struct stack_entry){ .term = term_extend(term, size, is_signed),
					 .size = size, .is_signed = is_signed });
}

bool mc_stack_operation(struct machine *m, const Dwarf_Op *op)
{
	struct stack_entry *top = m->stack + m->depth, swap;

	switch (op->atom) {
	case DW_OP_dup:
		return mc_pick(m, 0);
	case DW_OP_over:
		return mc_pick(m, 1);
	case DW_OP_pick:
		return mc_pick(m, op->number);
	case DW_OP_drop:
		return mc_pop(m, &swap);
	case DW_OP_swap:
		if (m->depth < 2)
			return mc_corrupt(m);
		swap = top[-1];
		top[-1] = top[-2];
		top[-2] = swap;
		return true;
	default:			/* rot: the top moves below the next two */
		if (m->depth < 3)
			return mc_corrupt(m);
		swap = top[-1];
		top[-1] = top[-2];
		top[-2] = top[-3];
		top[-3] = swap;
		return true;
	}
}

/* ---- arithmetic -------------------------------------------------------- */

static bool is_comparison(unsigned atom)
{
	return atom == DW_OP_eq || atom == DW_OP_ne || atom == DW_OP_lt ||
	       atom == DW_OP_le || atom == DW_OP_gt || atom == DW_OP_ge;
}

static enum word_op operator_of(unsigned atom, bool is_signed)
{
	switch (atom) {
	case DW_OP_plus:
		return WORD_ADD;
	case DW_OP_minus:
		return WORD_SUB;
	case DW_OP_mul:
		return WORD_MUL;
	case DW_OP_div:
		return is_signed ? WORD_SIGNED_DIV : WORD_DIV;
	case DW_OP_mod:
		return WORD_MOD;
	case DW_OP_and:
		return WORD_AND;
	case DW_OP_or:
		return WORD_OR;
	case DW_OP_xor:
		return WORD_XOR;
	case DW_OP_shl:
		return WORD_SHL;
	case DW_OP_shr:
		return WORD_SHR;
	case DW_OP_shra:
		return WORD_SIGNED_SHR;
	case DW_OP_eq:
		return WORD_EQ;
	case DW_OP_ne:
		return WORD_NE;
	case DW_OP_lt:
		return is_signed ? WORD_SIGNED_LT : WORD_LT;
	case DW_OP_le:
		return is_signed ? WORD_SIGNED_LE : WORD_LE;
	case DW_OP_gt:
		return is_signed ? WORD_SIGNED_GT : WORD_GT;
	default:			/* ge */
		return is_signed ? WORD_SIGNED_GE : WORD_GE;
	}
}

static bool uses_second_twice(enum word_op op)
{
	return op == WORD_DIV || op == WORD_MOD || op == WORD_SHL || op == WORD_SHR ||
	       op == WORD_SIGNED_SHR;
}

/* Values of the generic type are unsigned, except where they are compared or divided. */
bool mc_binary(struct machine *m, unsigned atom)
{
	struct stack_entry a, b;
	const struct term *term;
	enum word_op op;

	if (!mc_pop(m, &b) || !mc_pop(m, &a))
		return false;
	op = operator_of(atom, a.size ? a.is_signed : is_comparison(atom) || atom == DW_OP_div);
	if (uses_second_twice(op))
		settle(m, &b);
	if (op == WORD_SHR)		/* for either sign */
		a.term = term_extend(a.term, a.size, false);
	term = term_binary(op, a.term, b.term);
	return is_comparison(atom) ? mc_push(m, term)
				   : mc_push_typed(m, term, a.size, a.is_signed);
}

bool mc_unary(struct machine *m, unsigned atom)
{
	struct stack_entry a;
	const struct term *term;

	if (!mc_pop(m, &a))
		return false;
	if (atom == DW_OP_abs) {
		settle(m, &a);
		term = term_choose(term_binary(WORD_SIGNED_LT, a.term, term_number(0)),
				   term_unary(WORD_NEG, a.term), a.term);
	} else {
		term = term_unary(atom == DW_OP_neg ? WORD_NEG : WORD_NOT, a.term);
	}
	return mc_push_typed(m, term, a.size, a.is_signed);
}

bool mc_add(struct machine *m, uint64_t n)
{
	return mc_push_number(m, n) && mc_binary(m, DW_OP_plus);
}
