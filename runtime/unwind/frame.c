// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Goes from a frame to its caller: by call frame information; where there is none, past the
 * kernel's signal frame or by the frame pointer.
 *
 * The ip of a caller is behind its call, which may be the last instruction of a function that
 * doesn't return; so the rules looked up are for the byte before.  Where a frame was
 * interrupted (the innermost one, and whatever a signal handler returns to) it is that at ip.
 */
#include "internal.h"
#include "known.h"

/* Finds the mapping of an address, and makes it u->map.  Most frames are in the same mapping as the last. */
static bool find_map(struct st_unwind *u, unsigned long addr)
{
	if (addr - u->map.start < u->map.end - u->map.start)
		return true;
	u->map.start = u->map.end = 0;
	return st_unwind_find(u, addr, &u->map);
}

static bool is_code(struct st_unwind *u, unsigned long addr)
{
	return find_map(u, addr) && u->map.executable;
}

/* Returns the real return address that lay at an address. */
static unsigned long real_return(const struct st_unwind *u, unsigned long ip, unsigned long at)
{
	return u->replaced ? st_unwind_real_return(ip, at) : ip;
}

/* ---- by call frame information ---- */

static bool find_cfa(struct st_unwind *u, unsigned long *cfa)
{
	const struct st_unwind_row *row = &u->row;

	if (row->cfa_expression)
		return st_unwind_evaluate(u, row->cfa, NULL, cfa);
	*cfa = u->regs[row->cfa_register] + row->cfa;
	return true;
}

/* Finds a register of the caller by its rule. */
static bool find_register(struct st_unwind *u, unsigned int reg, unsigned long cfa)
{
	unsigned long value = u->row.values[reg], at = cfa + value, *to = &u->callers[reg];

	switch (u->row.kinds[reg]) {
	case ST_RULE_SAME:
		*to = u->regs[reg];
		return true;
	case ST_RULE_UNDEFINED:
		*to = 0;
		return true;
	case ST_RULE_VAL_OFFSET:
		*to = at;
		return true;
	case ST_RULE_REGISTER:
		*to = value < ST_UNWIND_REGS ? u->regs[value] : 0;
		return true;
	case ST_RULE_VAL_EXPRESSION:
		return st_unwind_evaluate(u, value, &cfa, to);
	case ST_RULE_EXPRESSION:
		if (!st_unwind_evaluate(u, value, &cfa, &at))
			return false;
		break;
	}
	return st_unwind_word(u, at, to);
}

/* Makes the caller's registers, found by the row, the current ones. */
static bool apply(struct st_unwind *u)
{
	unsigned long cfa, sp = u->regs[ST_UNWIND_SP];
	unsigned int reg;

	if (u->row.kinds[ST_UNWIND_IP] == ST_RULE_UNDEFINED)
		return st_unwind_stop(u, ST_UNWIND_OUTERMOST);
	if (!find_cfa(u, &cfa))
		return false;
	for (reg = 0; reg < ST_UNWIND_REGS; reg++)
		if (reg != ST_UNWIND_SP && !find_register(u, reg, cfa))
			return false;
	u->callers[ST_UNWIND_SP] = cfa;
	if (u->row.kinds[ST_UNWIND_SP] != ST_RULE_SAME && !find_register(u, ST_UNWIND_SP, cfa))
		return false;
	/* A signal handler may have a stack of its own, anywhere. */
	if (!u->entry.signal && u->callers[ST_UNWIND_SP] - sp - 1 >= ST_UNWIND_FRAME_MOST)
		return st_unwind_stop(u, ST_UNWIND_CORRUPT);
	memcpy(u->regs, u->callers, sizeof(u->regs));
	u->interrupted = u->entry.signal;
	return true;
}

enum by_rules { STEPPED, ENDED, NO_RULES };

static enum by_rules step_by_rules(struct st_unwind *u, struct st_unwind_map *map,
				   unsigned long pc)
{
	const struct st_unwind_known *known = st_unwind_known(u, map, pc);
	const struct st_unwind_table *table;
	unsigned long at;

	if (known)
		return st_unwind_apply_known(u, known) ? STEPPED : ENDED;
	table = st_unwind_image(u, map) ? st_unwind_table(u, map) : NULL;
	if (!table)
		return u->end ? ENDED : NO_RULES;
	at = st_unwind_lookup(u, table, pc);
	if (u->end || !st_unwind_entry(u, at))
		return ENDED;
	if (pc - u->entry.start >= u->entry.size)
		return NO_RULES;
	if (!st_unwind_rules(u, pc))
		return ENDED;
	st_unwind_keep(u, map, pc);
	return apply(u) ? STEPPED : ENDED;
}

/* ---- without ---- */

/* Is this where a signal handler returns to? */
static bool at_sigreturn(struct st_unwind *u)
{
	unsigned char there[sizeof(st_arch_sigreturn)];

	return u->word == 8 && !u->interrupted &&
	       st_unwind_read(u, there, u->regs[ST_UNWIND_IP], sizeof(there)) &&
	       !memcmp(there, st_arch_sigreturn, sizeof(there));
}

static bool step_by_sigreturn(struct st_unwind *u)
{
	unsigned long at = u->regs[ST_UNWIND_SP] + ST_ARCH_SIGNAL_REGISTERS;
	unsigned int i;

	for (i = 0; i < sizeof(st_arch_signal_order); i++, at += 8)
		if (!st_unwind_word(u, at, &u->callers[st_arch_signal_order[i]]))
			return false;
	memcpy(u->regs, u->callers, sizeof(u->regs));
	u->interrupted = true;
	return true;
}

/* Goes up by the frame pointer, which points to the caller's; above that is the return address. */
static bool step_by_frame_pointer(struct st_unwind *u)
{
	unsigned long bp = u->regs[ST_UNWIND_BP], above, ip;

	if (!bp)
		return st_unwind_stop(u, ST_UNWIND_OUTERMOST);
	if (bp - u->regs[ST_UNWIND_SP] >= ST_UNWIND_FRAME_MOST || bp % u->word)
		return st_unwind_stop(u, ST_UNWIND_CORRUPT);
	if (!st_unwind_word(u, bp, &above) || !st_unwind_word(u, bp + u->word, &ip))
		return false;
	ip = real_return(u, ip, bp + u->word);
	if (ip && !is_code(u, ip))
		return st_unwind_stop(u, ST_UNWIND_CORRUPT);
	u->regs[ST_UNWIND_BP] = above;
	u->regs[ST_UNWIND_SP] = bp + 2 * u->word;
	u->regs[ST_UNWIND_IP] = ip;
	u->interrupted = false;
	return true;
}

/* Goes back from a call to where there is no code: its return address is on top of the stack. */
static bool step_back_from_nowhere(struct st_unwind *u)
{
	unsigned long ip;

	if (!u->interrupted)
		return st_unwind_stop(u, ST_UNWIND_UNMAPPED);
	if (!st_unwind_word(u, u->regs[ST_UNWIND_SP], &ip))
		return false;
	if (!is_code(u, ip))
		return st_unwind_stop(u, ST_UNWIND_UNMAPPED);
	u->regs[ST_UNWIND_IP] = ip;
	u->regs[ST_UNWIND_SP] += u->word;
	u->interrupted = false;
	return true;
}

static bool step(struct st_unwind *u)
{
	unsigned long pc = u->regs[ST_UNWIND_IP] - !u->interrupted;

	if (!is_code(u, pc))
		return step_back_from_nowhere(u);
	if (u->word == 8) {
		enum by_rules how = step_by_rules(u, &u->map, pc);

		if (how != NO_RULES)
			return how == STEPPED;
		if (at_sigreturn(u))
			return step_by_sigreturn(u);
	}
	return step_by_frame_pointer(u);
}

/* Makes the caller's registers the current ones; false with u->end at the end of the stack. */
static bool step_up(struct st_unwind *u)
{
	unsigned long *ip = &u->regs[ST_UNWIND_IP];

	u->end = ST_UNWIND_GOES_ON;
	if (!step(u))
		return false;
	if (!u->interrupted)
		*ip = real_return(u, *ip, u->regs[ST_UNWIND_SP] - u->word);
	return *ip || st_unwind_stop(u, ST_UNWIND_OUTERMOST);
}

unsigned int st_unwind(struct st_unwind *u, struct st_frame *frames, unsigned int most)
{
	unsigned int n = 0;

	u->interrupted = true;
	u->tables_window.filled = u->stack_window.filled = 0;
	u->steps = 0;
	u->map.start = u->map.end = 0;
	while (n < most) {
		frames[n++] = (struct st_frame){ u->regs[ST_UNWIND_IP], !u->interrupted };
		if (!step_up(u))
			return n;
		/* No call is before the code that a signal handler returns to. */
		if (u->interrupted)
			frames[n - 1].called = false;
	}
	u->end = ST_UNWIND_DEEP;
	return n;
}
