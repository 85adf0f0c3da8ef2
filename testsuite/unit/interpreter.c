// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interpreter ends programs that the verifier accepts and that loop, call or catch for ever without a
 * statement that counts: no translator makes them, but a file may hold them.  The clock here goes on by its
 * looks, so that no machine is too slow.
 */
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "check.h"
#include "core/supply.h"
#include "interpreter/run.h"
#include "ir/ir.h"
#include "port/user/engine.h"
#include "port/user/internal.h"

enum { LOOKS_MOST = 8 };

static unsigned looks;
static char printed[4096];
static struct ir_program *program;

void st_time_begin(void)
{
	looks = 0;
}

bool st_time_is_over(struct st_ctx *c)
{
	if (++looks <= LOOKS_MOST)
		return false;
	st_error(c, "the handler takes too long");
	return true;
}

static void take(void *arg, unsigned short kind, struct st_str piece)
{
	(void)arg;
	(void)kind;
	snprintf(printed, sizeof(printed), "%.*s", (int)piece.len, piece.p);
}

/* A begin probe and a function f(), both without operations; returns the probe's block. */
static struct ir_block *begin(void)
{
	struct ir_function f = { .name = "f", .type = IR_VOID, .at = "x.stp:1:1" };
	struct ir_body *of_f = arena_new(struct ir_body), *handler = arena_new(struct ir_body);
	struct ir_probe probe = { .armed_by = IR_UNCONDITIONAL, .budget = INT64_MAX, .at = "x.stp:2:1" };

	program = arena_new(struct ir_program);
	program->limits = (struct ir_limits){
		.string = 512, .nesting = 1000, .entries = 2048, .overload_interval = 1, .hist_width = 50,
	};
	of_f->kind = IR_FUNCTION;
	f.body = of_f;
	vec_push(&program->functions, f);
	handler->kind = IR_HANDLER;
	probe.handler = handler;
	vec_push(&probe.places, ((struct ir_place){ .pp = "begin", .pn = "begin", .func = "", .module = "",
						    .from = "", .event = IR_BEGIN }));
	vec_push(&program->probes, probe);
	return &handler->block;
}

/* Appends a region; returns its first block. */
static struct ir_block *region(struct ir_block *at, enum ir_opcode code)
{
	struct ir_op *op = ir_append(at, code);

	op->result = IR_NO_VALUE;
	op->blocks[0] = op->blocks[0] ? op->blocks[0] : arena_new(struct ir_block);
	if (code == IR_TRY)
		op->blocks[1] = arena_new(struct ir_block);
	return op->blocks[0];
}

static void call_f(struct ir_block *at)
{
	ir_append(at, IR_CALL)->result = IR_NO_VALUE;
}

/* try { f() } catch { } */
static void try_f(struct ir_block *at)
{
	struct ir_block *inside = region(at, IR_TRY);

	call_f(inside);
	ir_append(inside, IR_CHECK)->way = at->ops.v[at->ops.n - 1];
}

static void ends(int line)
{
	const struct st_output output = { take, NULL };
	const char *wrong = ir_verify(program);

	if (!wrong)
		wrong = run_refuses(program, false);
	if (!wrong && run_open(program, &output))
		wrong = "it can't be opened";
	if (wrong) {
		fprintf(stderr, "%s:%d: %s\n", __FILE__, line, wrong);
		failures++;
		return;
	}
	printed[0] = '\0';
	run_all(ST_STARTING);
	if (looks <= LOOKS_MOST || !strstr(printed, "the handler takes too long")) {
		fprintf(stderr, "%s:%d: %u looks, '%s'\n", __FILE__, line, looks, printed);
		failures++;
	}
	run_close();
}

#define ENDS() ends(__LINE__)

int main(void)
{
	struct ir_block *at, *f;

	at = begin();			/* while (1) ; */
	region(at, IR_LOOP);
	ENDS();

	at = begin();			/* while (1) try { while (1) ; } catch { } */
	region(region(region(at, IR_LOOP), IR_TRY), IR_LOOP);
	ENDS();

	at = begin();			/* what is worked out ahead costs nothing, and its errors are dropped */
	region(region(region(at, IR_LOOP), IR_AHEAD), IR_LOOP);
	ENDS();

	at = begin();
	region(region(region(at, IR_LOOP), IR_TOUCH), IR_LOOP);
	ENDS();

	at = begin();			/* 2^1000 calls */
	f = (struct ir_block *)&program->functions.v[0].body->block;
	try_f(f);
	try_f(f);
	call_f(at);
	ENDS();

	at = begin();			/* loops in a function that a loop calls */
	f = (struct ir_block *)&program->functions.v[0].body->block;
	region(f, IR_LOOP);
	call_f(region(at, IR_LOOP));
	ENDS();
	arena_free_all();
	return failures != 0;
}
