// SPDX-License-Identifier: GPL-2.0-or-later
/* A session of the interpreter (run.h): globals, conditions, handlers. */
#include <sys/resource.h>

#include "base/arena.h"
#include "core/report.h"
#include "internal.h"
#include "port/user/engine.h"

/* What of the C stack calls of the script's functions leave for those of the runtime; and what they
 * may take where the system sets no limit. */
enum { STACK_LEFT = 512 << 10, STACK_MOST = 64 << 20 };

struct run_program *run_program;
union run_variable *run_globals;

static unsigned long stack_end(void)
{
	unsigned long here = st_stack_pointer(), most = STACK_MOST;
	struct rlimit l;

	if (!getrlimit(RLIMIT_STACK, &l) && l.rlim_cur < most)
		most = l.rlim_cur;
	return here - (most > 2 * STACK_LEFT ? most - STACK_LEFT : most / 2);
}

static void handle(struct st_ctx *c)
{
	c->stack_end = stack_end();
	run_body(c, run_program->ir->probes.v[c->point->probe->index].handler);
}

static void evaluate(struct st_ctx *c)
{
	c->stack_end = stack_end();
	run_condition(c, c->point->probe->index);
}

/* A global's variable is the slot that the runtime fills; a string's buffer is here. */
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
		const struct st_probe probe = { .handler = evaluate, .index = i, .budget = LONG_MAX };
		const struct st_point point = { .probe = &probe, .pp = p->probes[i].where };

		if (p->ir->probes.v[i].condition)
			st_engine_run(&point, when);
	}
}

int run_open(struct run_program *p, const struct st_output *output)
{
	unsigned long scratch;
	int err;

	run_program = p;
	st_program = p->st;		/* st_assign() reads maxstringlen */
	scratch = run_link(p);
	if (scratch > UINT32_MAX / 2)
		return st_fail(-E2BIG, "the strings of one handler, with those of the functions it calls, "
			       "take %lu bytes", scratch);
	p->st.scratch = scratch;
	place_globals(p);
	for (size_t i = 0; i < p->ir->probes.n; i++)
		p->probes[i].handler = handle;
	err = st_engine_open(&p->st, output);
	if (!err)
		run_conditions(ST_STARTING);
	return err;
}

void run_close(void)
{
	st_engine_close();
}
