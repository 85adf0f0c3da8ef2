// SPDX-License-Identifier: GPL-2.0-or-later
/* A session of the interpreter (run.h): globals, conditions, handlers. */
#include <pthread.h>

#include "base/arena.h"
#include "core/report.h"
#include "internal.h"
#include "port/user/engine.h"

/*
 * The part of the C stack that calls of the script's functions leave to the runtime; and the most
 * that they use if the system sets no limit.
 */
enum { STACK_LEFT = 512 << 10, STACK_MOST = 64 << 20 };

struct run_program *run_program;
union run_variable *run_globals;
static unsigned long stack;		/* where it ends for handlers */

/* Returns where the thread's C stack ends for handlers. */
static unsigned long stack_end(void)
{
	unsigned long here = st_stack_pointer(), left = 0;
	pthread_attr_t attr;
	size_t size;
	void *low;

	if (!pthread_getattr_np(pthread_self(), &attr)) {
		if (!pthread_attr_getstack(&attr, &low, &size))
			left = here - (unsigned long)low;
		pthread_attr_destroy(&attr);
	}
	left = min(left, (unsigned long)STACK_MOST);
	return here - (left > 2 * STACK_LEFT ? left - STACK_LEFT : left / 2);
}

static const struct run_sharing *sharing;

void run_share(const struct run_sharing *s)
{
	sharing = s;
}

static void handle(struct st_ctx *c)
{
	unsigned probe = c->point->probe->index;

	c->stack_end = stack;
	if (sharing)
		sharing->take(c, probe);
	run_begin();
	run_body(c, run_program->ir->probes.v[probe].handler);
	if (sharing)
		sharing->give(c, probe);
}

static void evaluate(struct st_ctx *c)
{
	c->stack_end = stack;
	run_begin();
	run_condition(c, run_program->ir->probes.v[c->point->probe->index].armed_by);
}

/* Gives each global its slot, which the runtime fills, and a string its buffer. */
static void place_globals(struct run_program *p)
{
	struct st_global *globals = arena_alloc((p->st.nglobals + 1) * sizeof(*globals));

	run_globals = arena_alloc((p->st.nglobals + 1) * sizeof(*run_globals));
	for (unsigned i = 0; i < p->st.nglobals; i++) {
		globals[i] = p->st.globals[i];
		if (globals[i].kind == ST_G_STRING) {
			run_globals[i].s.buf = arena_alloc(p->st.maxstringlen);
			st_assign(&run_globals[i].s, *(const struct st_str *)globals[i].slot);
		} else if (globals[i].kind == ST_G_LONG) {
			run_globals[i].i = globals[i].init;
		}
		globals[i].slot = &run_globals[i];
	}
	p->st.globals = globals;
}

void run_conditions(enum st_state when)
{
	const struct run_program *p = run_program;

	for (size_t i = 0; i < p->ir->probes.n; i++) {
		const struct st_point point = { .probe = &p->probes[i], .pp = p->probes[i].where };

		if (p->ir->probes.v[i].condition)	/* each once */
			st_engine_evaluate(&point, when);
	}
}

int run_open(struct ir_program *ir, const struct st_output *output)
{
	struct run_program *p = arena_new(struct run_program);
	unsigned long scratch;
	int err;

	p->ir = ir;
	stack = stack_end();
	run_make_tables(p);
	run_program = p;
	st_program = p->st;		/* st_assign() reads maxstringlen */
	scratch = run_link(p);
	if (scratch > ST_SCRATCH_MOST)
		return st_fail(-E2BIG, "the strings of one handler, with those of the functions it calls, "
			       "take %lu bytes", scratch);
	p->st.scratch = scratch;
	place_globals(p);
	for (size_t i = 0; i < p->ir->probes.n; i++) {
		p->probes[i].handler = handle;
		if (p->ir->probes.v[i].armed_by != IR_UNCONDITIONAL)
			p->probes[i].condition = evaluate;
	}
	err = st_engine_open(&p->st, output);
	if (!err)
		run_conditions(ST_STARTING);
	return err;
}

void run_close(void)
{
	st_engine_close();
}
