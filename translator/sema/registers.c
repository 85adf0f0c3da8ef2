// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the probes whose handlers read only the registers that carry arguments.
 *
 * At a function's entry ftrace passes the argument registers for free; saving all
 * registers costs time at every hit.  The argument registers suffice if the terms of
 * the handler's target variables read no others and set none, and if no function it
 * calls reads others.  Tapset functions that read others are marked "registers"; users'
 * embedded C is assumed to.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "program/uses.h"
#include "sema.h"

struct look {
	const struct arch *arch;
	bool *seen;			/* by function */
	bool all;			/* all registers are needed */
};

static bool free_register(const struct arch *arch, int i)
{
	if (i == arch->stack_reg || i == arch->pc_reg)
		return true;
	for (unsigned n = 0; n < 6; n++)
		if (arch->arg_reg(n) == i)
			return true;
	return false;
}

static void look_at_term(const struct term *t, void *arg)
{
	struct look *l = arg;

	if (t->kind == TERM_REGISTER)
		l->all |= !free_register(l->arch, t->n);
	else if (t->kind == TERM_SET_REGISTER)
		l->all = true;
}

static void look_at_expr(struct expr **slot, void *arg)
{
	struct look *l = arg;
	const struct expr *e = *slot;

	if (e->kind == E_TARGET && e->access)
		term_walk(e->access->fetch.load, look_at_term, l);
	else if ((e->kind == E_ASSIGN || e->kind == E_INCDEC) && e->a->kind == E_TARGET)
		term_walk(e->a->access->fetch.store, look_at_term, l);
	else if (e->kind == E_REGISTER && !e->user)
		l->all |= !free_register(l->arch, l->arch->dwarf_reg(e->a->num));
}

static void look_at_function(struct function *f, void *arg)
{
	struct look *l = arg;

	if (l->seen[f->index])
		return;
	l->seen[f->index] = true;
	if (!f->body) {
		l->all |= f->embedded || function_is(f, FN_REGISTERS);
		return;
	}
	l->all |= has_embedded_c(f->body);
	walk_stmt(f->body, look_at_expr, l);
	find_calls(f->body, look_at_function, l);
}

static void look_at_body(struct look *l, const struct probe *p)
{
	l->all |= has_embedded_c(p->body);
	walk_stmt(p->body, look_at_expr, l);
	find_calls(p->body, look_at_function, l);
}

/* Looks only at what a return probe evaluates at entry; a return has all registers anyway. */
static void look_at_entry(struct look *l, const struct probe *p)
{
	for (size_t i = 0; i < p->saved.n; i++) {
		walk_expr(&p->saved.v[i]->expr, look_at_expr, l);
		find_expr_calls(p->saved.v[i]->expr, look_at_function, l);
	}
}

void note_registers(const struct session *s, struct program *prog)
{
	const size_t functions = prog->functions.n * sizeof(bool);
	struct look l = { .arch = arch_find(s->kernel->arch), .seen = arena_alloc(functions + 1) };

	for (size_t i = 0; l.arch && i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		l.all = false;
		memset(l.seen, 0, functions);
		if (probe_is_return(p))
			look_at_entry(&l, p);
		else
			look_at_body(&l, p);
		p->args_only = !l.all;
	}
}
