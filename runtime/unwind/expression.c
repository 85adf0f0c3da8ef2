// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Evaluates DWARF expressions, as far as call frame information uses them: numbers, registers,
 * arithmetic, memory and branches.  For instance the CFA in a PLT entry, whose first instructions
 * push a word,
 *
 *	breg7 rsp+8, breg16 rip+0, lit15, and, lit11, ge, lit3, shl, plus
 *
 * is rsp + 8, or rsp + 16 in the last 5 bytes of 16.
 */
#include "internal.h"

enum {
	OP_ADDR = 0x03, OP_DEREF = 0x06, OP_CONST1U = 0x08, OP_CONST1S, OP_CONST2U, OP_CONST2S,
	OP_CONST4U, OP_CONST4S, OP_CONST8U, OP_CONST8S, OP_CONSTU, OP_CONSTS,
	OP_DUP = 0x12, OP_DROP, OP_OVER, OP_PICK, OP_SWAP, OP_ROT,
	OP_ABS = 0x19, OP_AND, OP_DIV, OP_MINUS, OP_MOD, OP_MUL, OP_NEG, OP_NOT, OP_OR, OP_PLUS,
	OP_PLUS_UCONST, OP_SHL, OP_SHR, OP_SHRA, OP_XOR,
	OP_BRA = 0x28, OP_EQ, OP_GE, OP_GT, OP_LE, OP_LT, OP_NE, OP_SKIP,
	OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_BREG0 = 0x70, OP_BREG31 = 0x8f, OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94, OP_NOP = 0x96,
};

/* An evaluation; its values are in u->operands. */
struct evaluation {
	struct st_unwind *u;
	struct st_cursor c;
	unsigned long begin;		/* the first operation's address */
	unsigned int n;			/* values on the stack */
};

static void spoil(struct evaluation *e, enum st_unwind_end why)
{
	if (!e->c.bad)
		e->c.bad = why;
}

static void push(struct evaluation *e, unsigned long v)
{
	if (e->n == ST_UNWIND_OPERANDS)
		spoil(e, ST_UNWIND_CORRUPT);
	else
		e->u->operands[e->n++] = v;
}

static unsigned long pop(struct evaluation *e)
{
	if (!e->n) {
		spoil(e, ST_UNWIND_CORRUPT);
		return 0;
	}
	return e->u->operands[--e->n];
}

/* Returns the value so many below the top. */
static unsigned long peek(struct evaluation *e, unsigned long below)
{
	if (below >= e->n) {
		spoil(e, ST_UNWIND_CORRUPT);
		return 0;
	}
	return e->u->operands[e->n - 1 - below];
}

static void push_register(struct evaluation *e, unsigned long reg)
{
	long offset = st_take_sleb(&e->c);

	if (reg >= ST_UNWIND_REGS)
		spoil(e, ST_UNWIND_CORRUPT);
	else
		push(e, e->u->regs[reg] + offset);
}

static void dereference(struct evaluation *e, unsigned int bytes)
{
	unsigned long at = pop(e), value = 0;

	if (bytes > sizeof(value))
		spoil(e, ST_UNWIND_CORRUPT);
	else if (!e->c.bad && !st_unwind_read(e->u, &value, at, bytes))
		spoil(e, ST_UNWIND_UNREADABLE);
	push(e, value);
}

static void branch(struct evaluation *e, bool taken)
{
	long offset = st_take_signed(&e->c, 2);
	unsigned long to = e->c.at + offset;

	if (!taken || e->c.bad)
		return;
	if (to < e->begin || to > e->c.end)
		spoil(e, ST_UNWIND_CORRUPT);
	else
		e->c.at = to;
}

/* Pushes the constant of OP_CONST1U to OP_CONST8S, which are unsigned and signed by turns. */
static void push_constant(struct evaluation *e, unsigned int op)
{
	unsigned int which = op - OP_CONST1U, bytes = 1u << which / 2;

	push(e, which & 1 ? (unsigned long)st_take_signed(&e->c, bytes) : st_take(&e->c, bytes));
}

/* Runs an operation that only pushes.  Returns false for any other. */
static bool constant(struct evaluation *e, unsigned int op)
{
	if (op >= OP_CONST1U && op <= OP_CONST8S)
		push_constant(e, op);
	else if (op == OP_ADDR)
		push(e, st_take(&e->c, 8));
	else if (op == OP_CONSTU)
		push(e, st_take_uleb(&e->c));
	else if (op == OP_CONSTS)
		push(e, st_take_sleb(&e->c));
	else if (op >= OP_LIT0 && op <= OP_LIT31)
		push(e, op - OP_LIT0);
	else if (op >= OP_BREG0 && op <= OP_BREG31)
		push_register(e, op - OP_BREG0);
	else if (op == OP_BREGX)
		push_register(e, st_take_uleb(&e->c));
	else
		return false;
	return true;
}

/* Divides signed numbers, without the cases that trap. */
static unsigned long quotient(struct evaluation *e, long a, long b)
{
	if (!b) {
		spoil(e, ST_UNWIND_CORRUPT);
		return 0;
	}
	return b == -1 ? 0ul - a : (unsigned long)(a / b);
}

static unsigned long modulus(struct evaluation *e, unsigned long a, unsigned long b)
{
	if (!b)
		spoil(e, ST_UNWIND_CORRUPT);
	return b ? a % b : 0;
}

/* Runs an operation on the two topmost values, b above a.  Returns false for any other. */
static bool binary(struct evaluation *e, unsigned int op)
{
	unsigned long b = peek(e, 0), a = peek(e, 1), v;

	switch (op) {
	case OP_AND: v = a & b; break;
	case OP_OR: v = a | b; break;
	case OP_XOR: v = a ^ b; break;
	case OP_PLUS: v = a + b; break;
	case OP_MINUS: v = a - b; break;
	case OP_MUL: v = a * b; break;
	case OP_DIV: v = quotient(e, a, b); break;
	case OP_MOD: v = modulus(e, a, b); break;
	case OP_SHL: v = b < 64 ? a << b : 0; break;
	case OP_SHR: v = b < 64 ? a >> b : 0; break;
	case OP_SHRA: v = (long)a >> (b < 64 ? b : 63); break;
	case OP_EQ: v = a == b; break;
	case OP_NE: v = a != b; break;
	case OP_GE: v = (long)a >= (long)b; break;
	case OP_GT: v = (long)a > (long)b; break;
	case OP_LE: v = (long)a <= (long)b; break;
	case OP_LT: v = (long)a < (long)b; break;
	default: return false;
	}
	pop(e);
	pop(e);
	push(e, v);
	return true;
}

static void rotate(struct evaluation *e)
{
	unsigned long top = pop(e), second = pop(e), third = pop(e);

	push(e, top);
	push(e, third);
	push(e, second);
}

static void swap_top(struct evaluation *e)
{
	unsigned long top = pop(e), second = pop(e);

	push(e, top);
	push(e, second);
}

static void other_operation(struct evaluation *e, unsigned int op)
{
	unsigned long v;

	switch (op) {
	case OP_NOP: break;
	case OP_DUP: push(e, peek(e, 0)); break;
	case OP_OVER: push(e, peek(e, 1)); break;
	case OP_PICK: push(e, peek(e, st_take(&e->c, 1))); break;
	case OP_DROP: pop(e); break;
	case OP_SWAP: swap_top(e); break;
	case OP_ROT: rotate(e); break;
	case OP_DEREF: dereference(e, 8); break;
	case OP_DEREF_SIZE: dereference(e, st_take(&e->c, 1)); break;
	case OP_NEG: push(e, 0ul - pop(e)); break;
	case OP_NOT: push(e, ~pop(e)); break;
	case OP_ABS:
		v = pop(e);
		push(e, (long)v < 0 ? 0ul - v : v);
		break;
	case OP_PLUS_UCONST:
		v = pop(e);
		push(e, v + st_take_uleb(&e->c));
		break;
	case OP_BRA: branch(e, pop(e)); break;
	case OP_SKIP: branch(e, true); break;
	default: spoil(e, ST_UNWIND_CORRUPT);
	}
}

static bool is_binary(unsigned int op)
{
	return op == OP_AND || (op >= OP_DIV && op <= OP_MUL) || op == OP_OR || op == OP_PLUS ||
	       (op >= OP_SHL && op <= OP_XOR) || (op >= OP_EQ && op <= OP_NE);
}

bool st_unwind_evaluate(struct st_unwind *u, unsigned long at, const unsigned long *first,
			unsigned long *value)
{
	struct evaluation e = { .u = u, .c = { u, at, at + 10, ST_UNWIND_GOES_ON } };
	unsigned long length = st_take_uleb(&e.c);
	unsigned int steps;

	e.begin = e.c.at;
	e.c.end = e.begin + length;
	if (first)
		push(&e, *first);
	for (steps = 0; e.c.at < e.c.end && !e.c.bad; steps++) {
		unsigned int op = st_take(&e.c, 1);

		if (steps == ST_UNWIND_OPERATIONS || ++u->steps > ST_UNWIND_STEPS_ALL)
			spoil(&e, ST_UNWIND_CORRUPT);
		else if (is_binary(op))
			binary(&e, op);
		else if (!constant(&e, op))
			other_operation(&e, op);
	}
	*value = pop(&e);
	return !e.c.bad || st_unwind_stop(u, e.c.bad);
}
