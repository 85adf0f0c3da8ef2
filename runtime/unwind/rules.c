// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs call frame instructions, DW_CFA_*: first the CIE's, whose row DW_CFA_restore goes back
 * to, then the entry's, up to the address of interest.
 */
#include "internal.h"

enum {
	CFA_ADVANCE_LOC = 1, CFA_OFFSET = 2, CFA_RESTORE = 3,	/* the upper two bits */
	CFA_NOP = 0x00, CFA_SET_LOC = 0x01, CFA_ADVANCE_LOC1 = 0x02, CFA_ADVANCE_LOC2 = 0x03,
	CFA_ADVANCE_LOC4 = 0x04, CFA_OFFSET_EXTENDED = 0x05, CFA_RESTORE_EXTENDED = 0x06,
	CFA_UNDEFINED = 0x07, CFA_SAME_VALUE = 0x08, CFA_REGISTER = 0x09,
	CFA_REMEMBER_STATE = 0x0a, CFA_RESTORE_STATE = 0x0b, CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d, CFA_DEF_CFA_OFFSET = 0x0e, CFA_DEF_CFA_EXPRESSION = 0x0f,
	CFA_EXPRESSION = 0x10, CFA_OFFSET_EXTENDED_SF = 0x11, CFA_DEF_CFA_SF = 0x12,
	CFA_DEF_CFA_OFFSET_SF = 0x13, CFA_VAL_OFFSET = 0x14, CFA_VAL_OFFSET_SF = 0x15,
	CFA_VAL_EXPRESSION = 0x16, CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

/* A run of instructions. */
struct cfa_run {
	struct st_unwind *u;
	struct st_cursor c;
	unsigned long pc, at;		/* the address of interest; the current row's first */
	unsigned int steps, depth;	/* instructions so far; rows remembered */
};

static void corrupt(struct cfa_run *r)
{
	if (!r->c.bad)
		r->c.bad = ST_UNWIND_CORRUPT;
}

static void set_rule(struct cfa_run *r, unsigned long reg, enum st_rule kind, long value)
{
	if (reg >= ST_UNWIND_REGS)
		return;
	r->u->row.kinds[reg] = kind;
	r->u->row.values[reg] = value;
}

static void set_cfa(struct cfa_run *r, unsigned long reg, long offset)
{
	if (reg >= ST_UNWIND_REGS) {
		corrupt(r);
		return;
	}
	r->u->row.cfa_register = reg;
	r->u->row.cfa_expression = false;
	r->u->row.cfa = offset;
}

static void restore(struct cfa_run *r, unsigned long reg)
{
	if (reg < ST_UNWIND_REGS)
		set_rule(r, reg, r->u->first.kinds[reg], r->u->first.values[reg]);
}

static void remember_row(struct cfa_run *r)
{
	if (r->depth == ST_UNWIND_REMEMBERED)
		corrupt(r);
	else
		r->u->remembered[r->depth++] = r->u->row;
}

static void recall_row(struct cfa_run *r)
{
	if (!r->depth)
		corrupt(r);
	else
		r->u->row = r->u->remembered[--r->depth];
}

/* Takes an expression and its length; returns its address. */
static unsigned long take_block(struct cfa_run *r)
{
	unsigned long at = r->c.at, length = st_take_uleb(&r->c);

	st_pass(&r->c, length);
	return at;
}

static long take_factored(struct cfa_run *r)
{
	return st_take_uleb(&r->c) * r->u->entry.data_align;
}

static long take_factored_signed(struct cfa_run *r)
{
	return (unsigned long)st_take_sleb(&r->c) * r->u->entry.data_align;
}

static void advance(struct cfa_run *r, unsigned long delta)
{
	r->at += delta * r->u->entry.code_align;
}

/* Runs an instruction that defines the CFA. Returns false for any other. */
static bool define_cfa(struct cfa_run *r, unsigned int op)
{
	unsigned long reg;

	switch (op) {
	case CFA_DEF_CFA:
		reg = st_take_uleb(&r->c);
		set_cfa(r, reg, st_take_uleb(&r->c));
		return true;
	case CFA_DEF_CFA_SF:
		reg = st_take_uleb(&r->c);
		set_cfa(r, reg, take_factored_signed(r));
		return true;
	case CFA_DEF_CFA_REGISTER:
		set_cfa(r, st_take_uleb(&r->c), r->u->row.cfa);
		return true;
	case CFA_DEF_CFA_OFFSET:
		r->u->row.cfa = st_take_uleb(&r->c);
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		r->u->row.cfa = take_factored_signed(r);
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		r->u->row.cfa_expression = true;
		r->u->row.cfa = take_block(r);
		return true;
	}
	return false;
}

/* Runs an instruction that gives a register's rule. Returns false for any other. */
static bool define_rule(struct cfa_run *r, unsigned int op)
{
	unsigned long reg;

	if ((op < CFA_OFFSET_EXTENDED || op > CFA_REGISTER) && op != CFA_EXPRESSION &&
	    op != CFA_OFFSET_EXTENDED_SF && (op < CFA_VAL_OFFSET || op > CFA_VAL_EXPRESSION) &&
	    op != CFA_GNU_NEGATIVE_OFFSET_EXTENDED)
		return false;
	reg = st_take_uleb(&r->c);
	switch (op) {
	case CFA_OFFSET_EXTENDED:
		set_rule(r, reg, ST_RULE_OFFSET, take_factored(r));
		break;
	case CFA_OFFSET_EXTENDED_SF:
		set_rule(r, reg, ST_RULE_OFFSET, take_factored_signed(r));
		break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		set_rule(r, reg, ST_RULE_OFFSET, 0ul - take_factored(r));
		break;
	case CFA_VAL_OFFSET:
		set_rule(r, reg, ST_RULE_VAL_OFFSET, take_factored(r));
		break;
	case CFA_VAL_OFFSET_SF:
		set_rule(r, reg, ST_RULE_VAL_OFFSET, take_factored_signed(r));
		break;
	case CFA_REGISTER:
		set_rule(r, reg, ST_RULE_REGISTER, st_take_uleb(&r->c));
		break;
	case CFA_EXPRESSION:
		set_rule(r, reg, ST_RULE_EXPRESSION, take_block(r));
		break;
	case CFA_VAL_EXPRESSION:
		set_rule(r, reg, ST_RULE_VAL_EXPRESSION, take_block(r));
		break;
	case CFA_RESTORE_EXTENDED:
		restore(r, reg);
		break;
	default:
		set_rule(r, reg, op == CFA_UNDEFINED ? ST_RULE_UNDEFINED : ST_RULE_SAME, 0);
	}
	return true;
}

static void other_instruction(struct cfa_run *r, unsigned int op)
{
	switch (op) {
	case CFA_NOP:
		return;
	case CFA_SET_LOC:
		r->at = st_take_encoded(&r->c, r->u->entry.encoding);
		return;
	case CFA_ADVANCE_LOC1:
		advance(r, st_take(&r->c, 1));
		return;
	case CFA_ADVANCE_LOC2:
		advance(r, st_take(&r->c, 2));
		return;
	case CFA_ADVANCE_LOC4:
		advance(r, st_take(&r->c, 4));
		return;
	case CFA_REMEMBER_STATE:
		remember_row(r);
		return;
	case CFA_RESTORE_STATE:
		recall_row(r);
		return;
	case CFA_GNU_ARGS_SIZE:
		st_take_uleb(&r->c);
		return;
	}
	if (!define_cfa(r, op) && !define_rule(r, op))
		corrupt(r);
}

static void instruction(struct cfa_run *r)
{
	unsigned int op = st_take(&r->c, 1), low = op & 0x3f;

	switch (op >> 6) {
	case CFA_ADVANCE_LOC:
		advance(r, low);
		break;
	case CFA_OFFSET:
		set_rule(r, low, ST_RULE_OFFSET, take_factored(r));
		break;
	case CFA_RESTORE:
		restore(r, low);
		break;
	default:
		other_instruction(r, op);
	}
}

/* Runs the instructions between two addresses, until they are about code behind the pc. */
static bool run_instructions(struct cfa_run *r, unsigned long from, unsigned long to)
{
	r->c = (struct st_cursor){ r->u, from, to, ST_UNWIND_GOES_ON };
	while (r->c.at < to && r->at <= r->pc && !r->c.bad) {
		if (++r->steps > ST_UNWIND_STEPS || ++r->u->steps > ST_UNWIND_STEPS_ALL)
			corrupt(r);
		else
			instruction(r);
	}
	return !r->c.bad || st_unwind_stop(r->u, r->c.bad);
}

bool st_unwind_rules(struct st_unwind *u, unsigned long pc)
{
	const struct st_unwind_entry *e = &u->entry;
	struct cfa_run r = { .u = u, .pc = pc, .at = e->start };

	memset(&u->row, 0, sizeof(u->row));
	if (!run_instructions(&r, e->initial, e->initial_end))
		return false;
	u->first = u->row;
	r.at = e->start;
	return run_instructions(&r, e->program, e->program_end);
}
