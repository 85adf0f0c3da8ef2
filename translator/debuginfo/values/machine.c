/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stack machine of DWARF location descriptions: its stack and arithmetic.
 */
#include "machine.h"

#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"

enum { TEXT_MAX = 32768 };		/* of one operand */

bool mc_fail(struct machine *m, const char *why)
{
	if (!*m->why)
		*m->why = why;
	return false;
}

bool mc_corrupt(struct machine *m)
{
	return mc_fail(m, "has a location in the debug information that makes no sense");
}

/* ---- operands ---------------------------------------------------------- */

const char *mc_text(const struct operand *o)
{
	return o->text ? o->text : arena_printf("%#" PRIx64 "ul", o->value);
}

bool mc_push(struct machine *m, struct operand o)
{
	if (m->depth == STACK_MAX || (o.text && strlen(o.text) > TEXT_MAX))
		return mc_corrupt(m);
	m->stack[m->depth++] = o;
	return true;
}

bool mc_push_text(struct machine *m, const char *text)
{
	return mc_push(m, (struct operand){ .text = text });
}

bool mc_push_number(struct machine *m, uint64_t value)
{
	return mc_push(m, (struct operand){ .value = value });
}

bool mc_pop(struct machine *m, struct operand *o)
{
	if (!m->depth)
		return mc_corrupt(m);
	*o = m->stack[--m->depth];
	return true;
}

/* Makes an operand one that may be written twice. */
static void settle(struct machine *m, struct operand *o)
{
	unsigned t;

	if (!o->text)
		return;
	t = m->view->temps++;
	sbuf_printf(&m->before, "unsigned long st_t%u = %s; ", t, o->text);
	o->text = arena_printf("st_t%u", t);
}

/* The operand INDEX from the top, once more. */
static bool mc_pick(struct machine *m, uint64_t index)
{
	struct operand *o;

	if (index >= m->depth)
		return mc_corrupt(m);
	o = &m->stack[m->depth - 1 - index];
	settle(m, o);
	return mc_push(m, *o);
}

/* Text cut or extended to the width of a typed value. */
static const char *typed(const char *text, unsigned size, bool is_signed)
{
	switch (size) {
	case 1:
		return arena_printf("((unsigned long)(%s char)%s)",
				    is_signed ? "signed" : "unsigned", text);
	case 2:
		return arena_printf("((unsigned long)(%sshort)%s)", is_signed ? "" : "unsigned ",
				    text);
	case 4:
		return arena_printf("((unsigned long)(%sint)%s)", is_signed ? "" : "unsigned ",
				    text);
	default:
		return text;
	}
}

bool mc_push_typed(struct machine *m, const char *text, unsigned size, bool is_signed)
{
	return mc_push(m, (struct operand){ .text = typed(text, size, is_signed),
					 .size = size, .is_signed = is_signed });
}

bool mc_stack_operation(struct machine *m, const Dwarf_Op *op)
{
	struct operand *top = m->stack + m->depth, swap;

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
	default:			/* rot: the top goes below the next two */
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

static bool fold(unsigned atom, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (atom) {
	case DW_OP_plus:
		*out = a + b;
		return true;
	case DW_OP_minus:
		*out = a - b;
		return true;
	case DW_OP_mul:
		*out = a * b;
		return true;
	case DW_OP_and:
		*out = a & b;
		return true;
	case DW_OP_or:
		*out = a | b;
		return true;
	default:
		return false;
	}
}

static const char *operator_of(unsigned atom)
{
	switch (atom) {
	case DW_OP_plus:
		return "+";
	case DW_OP_minus:
		return "-";
	case DW_OP_mul:
		return "*";
	case DW_OP_and:
		return "&";
	case DW_OP_or:
		return "|";
	case DW_OP_xor:
		return "^";
	case DW_OP_eq:
		return "==";
	case DW_OP_ne:
		return "!=";
	case DW_OP_lt:
		return "<";
	case DW_OP_le:
		return "<=";
	case DW_OP_gt:
		return ">";
	case DW_OP_ge:
		return ">=";
	default:
		return NULL;
	}
}

static bool is_comparison(unsigned atom)
{
	return atom == DW_OP_eq || atom == DW_OP_ne || atom == DW_OP_lt ||
	       atom == DW_OP_le || atom == DW_OP_gt || atom == DW_OP_ge;
}

static const char *unguarded(unsigned atom)
{
	switch (atom) {
	case DW_OP_div:
		return "/";
	case DW_OP_mod:
		return "%";
	case DW_OP_shl:
		return "<<";
	default:
		return ">>";
	}
}

/* Shifts and divisions, kept away from what C leaves undefined. */
static const char *guarded(struct machine *m, unsigned atom, struct operand *a,
			   struct operand *b, bool is_signed)
{
	const char *x = mc_text(a), *y;

	if (atom == DW_OP_div && is_signed)
		return arena_printf("(unsigned long)st_div(c, (st_long)%s, (st_long)%s)", x,
				    mc_text(b));
	if (!b->text && b->value && b->value < 64)
		return arena_printf(atom == DW_OP_shra ? "(unsigned long)((st_long)%s %s %u)"
				    : "%s %s %u", atom == DW_OP_shr ? typed(x, a->size, false) : x,
				    unguarded(atom), (unsigned)b->value);
	settle(m, b);
	y = mc_text(b);
	switch (atom) {
	case DW_OP_div:
		return arena_printf("(%s ? %s / %s : 0ul)", y, x, y);
	case DW_OP_mod:
		return arena_printf("(%s ? %s %% %s : 0ul)", y, x, y);
	case DW_OP_shl:
		return arena_printf("(%s < 64 ? %s << %s : 0ul)", y, x, y);
	case DW_OP_shr:
		return arena_printf("(%s < 64 ? %s >> %s : 0ul)", y, typed(x, a->size, false), y);
	case DW_OP_shra:
		return arena_printf("(unsigned long)((st_long)%s >> (%s < 64 ? %s : 63ul))", x, y, y);
	default:
		return NULL;
	}
}

bool mc_binary(struct machine *m, unsigned atom)
{
	struct operand a, b;
	const char *op = operator_of(atom), *text;
	bool is_signed;
	uint64_t value;

	if (!mc_pop(m, &b) || !mc_pop(m, &a))
		return false;
	if (!a.text && !b.text && !a.size && fold(atom, a.value, b.value, &value))
		return mc_push_number(m, value);
	is_signed = a.size ? a.is_signed : is_comparison(atom) || atom == DW_OP_div;
	if (!op)
		text = guarded(m, atom, &a, &b, is_signed);
	else if (is_comparison(atom) && is_signed)
		text = arena_printf("(unsigned long)((st_long)%s %s (st_long)%s)", mc_text(&a), op,
				    mc_text(&b));
	else
		text = arena_printf("(unsigned long)(%s %s %s)", mc_text(&a), op, mc_text(&b));
	if (!text)
		return mc_corrupt(m);
	text = arena_printf("(%s)", text);
	return is_comparison(atom) ? mc_push_text(m, text) : mc_push_typed(m, text, a.size, a.is_signed);
}

bool mc_unary(struct machine *m, unsigned atom)
{
	struct operand a;
	const char *text;

	if (!mc_pop(m, &a))
		return false;
	if (atom == DW_OP_abs) {
		settle(m, &a);
		text = arena_printf("((st_long)%s < 0 ? -%s : %s)", mc_text(&a), mc_text(&a),
				    mc_text(&a));
	} else {
		text = arena_printf("(%s%s)", atom == DW_OP_neg ? "-" : "~", mc_text(&a));
	}
	return mc_push_typed(m, text, a.size, a.is_signed);
}

bool mc_add(struct machine *m, uint64_t n)
{
	return mc_push_number(m, n) && mc_binary(m, DW_OP_plus);
}
