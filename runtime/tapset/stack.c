// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the kernel stack.
 *
 * If the probe has registers and the kernel lets a module unwind from them, the
 * first frame is the probed place itself.  Else the current stack is used, without
 * our own frames.  A return probe's first frame is the address to which the function
 * returns, which a kretprobe replaces on the stack while the function runs.
 */
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>

#include "port/port.h"
#include "handler/compat.h"
#include "handler/context.h"
#include "probes/code_address.h"
#include "stack_text.h"
#include "symbol.h"

#ifdef ST_HAVE_UNWIND_START
#include <asm/unwind.h>

/* Unwinds from REGS.  The unwinder's first frame is the caller of the one that REGS belong to. */
static unsigned int unwind(struct pt_regs *regs, unsigned long *to, unsigned int max)
{
	struct unwind_state state;
	unsigned int n = 1;

	to[0] = instruction_pointer(regs);
	for (unwind_start(&state, current, regs, NULL);
	     n < max && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long addr = unwind_get_return_address(&state);

		if (!addr)
			break;
		to[n++] = addr;
	}
	return n;
}

static unsigned int walk_regs(struct st_context *x)
{
	struct pt_regs regs = *(struct pt_regs *)x->c.regs;
	unsigned int n;

	if (x->return_address)
		instruction_pointer_set(&regs, x->return_address);
	n = unwind(&regs, x->stack, ST_STACK_DEPTH);
	x->stack[0] = st_fn_addr(&x->c);
	return n;
}
#else
static unsigned int walk_regs(struct st_context *x)
{
	return 0;
}
#endif

static unsigned int walk_here(struct st_context *x)
{
	unsigned int n = stack_trace_save(x->stack, ST_STACK_DEPTH, 0), own = 0;

	while (own < n && within_module(x->stack[own], THIS_MODULE))
		own++;
	memmove(x->stack, x->stack + own, (n - own) * sizeof(*x->stack));
	return n - own;
}

unsigned int st_stack_walk(struct st_ctx *c)
{
	struct st_context *x = st_context_of(c);
	unsigned int n = 0;

	if (c->error || x->user_regs || st_walk(c, ST_STACK_DEPTH))
		return 0;
	if (st_fn_addr(c))
		n = walk_regs(x);
	return n ? n : walk_here(x);
}

/* ---- as text ------------------------------------------------------------- */

static void text_symbol(struct st_lines_text *t, unsigned long addr)
{
	t->n += st_symbol_text(t->c, addr, false, t->p + t->n, t->room - t->n);
	t->n += scnprintf(t->p + t->n, t->room - t->n, "\n");
}

/* Prints a frame, with the source line of CODE unless that is 0. */
static void print_frame(struct st_ctx *c, unsigned long addr, unsigned long code)
{
	struct st_line line;
	bool known = code && st_source_line(c, code, &line);

	st_print_frame(c, addr, known ? &line : NULL);
}

void st_fn_print_backtrace(struct st_ctx *c, int lines)
{
	struct st_context *x = st_context_of(c);
	unsigned int i, n = st_stack_walk(c);
	bool called = false;
	unsigned long place = st_code_address(c->point);

	if (x->return_address && n) {
		st_print_text(c, ST_LIT("Returning from: "));
		print_frame(c, place, lines ? place : 0);
		st_print_text(c, ST_LIT("Returning to  : "));
		called = true;
	}
	/* A caller's address is behind its call; the byte before it belongs to the call's line. */
	for (i = 0; i < n && !c->error; i++, called = true)
		print_frame(c, x->stack[i], lines ? x->stack[i] - called : 0);
}

struct st_str st_fn_sprint_backtrace(struct st_ctx *c)
{
	struct st_context *x = st_context_of(c);
	unsigned int i, n = st_stack_walk(c);
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	for (i = 0; i < n && st_text_room(&t); i++)
		text_symbol(&t, x->stack[i]);
	return st_text_end(&t);
}

struct st_str st_fn_callers(struct st_ctx *c, st_long n)
{
	struct st_context *x = st_context_of(c);
	unsigned int i, frames = st_stack_walk(c);
	struct st_lines_text t;

	if (n >= 0 && n < frames)
		frames = n + 1;
	if (!st_text_begin(&t, c))
		return ST_LIT("");
	for (i = 0; i < frames; i++)
		st_text_address(&t, x->stack[i]);
	return st_text_end(&t);
}

struct st_str st_fn_backtrace(struct st_ctx *c)
{
	return st_fn_callers(c, -1);
}

st_long st_fn_stack(struct st_ctx *c, st_long depth)
{
	unsigned int n = st_stack_walk(c);

	return depth >= 0 && depth < n ? st_context_of(c)->stack[depth] : 0;
}

st_long st_fn_caller_addr(struct st_ctx *c)
{
	return st_fn_stack(c, 1);
}

static bool names_it(struct st_str pattern, const char *name)
{
	unsigned int len = strlen(name);

	if (pattern.len && pattern.p[pattern.len - 1] == '*')
		len = min(len, --pattern.len);
	return len == pattern.len && !memcmp(name, pattern.p, len);
}

/*
 * Looks for a caller by name.  A caller's address is behind its call, which may be the function's
 * last instruction.
 */
st_long st_fn_called_from(struct st_ctx *c, struct st_str name)
{
	struct st_context *x = st_context_of(c);
	unsigned int n = st_stack_walk(c), i;
	struct st_symbol s;

	for (i = !x->return_address; i < n && !c->error; i++) {
		st_symbol(c, x->stack[i] - 1, &s);
		if (s.name && (names_it(name, s.name) || names_it(name, s.module)))
			return 1;
	}
	return 0;
}
