// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the programs: takes a frame, evaluates the probe's condition, runs the handler, outputs, gives the
 * frame back.
 */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

/* Bytes of the ring of records, a power of two. */
enum { RING_BYTES = 4 << 20 };

/* Calls that are followed from their entry to their return, of a probe's functions. */
enum { CALLS_MOST = 4096 };

/* ---- refusing ------------------------------------------------------------------- */

void refuse(struct gen *g, const char *what, ...)
{
	const struct ir_constant *own = !g->op || g->op->near == IR_NO_CONSTANT ? NULL :
					&g->probe->constants.v[g->op->near];
	const char *near = own ? own->text : g->op ? g->op->what : NULL, *text;
	const char *at = own ? own->at : near ? g->op->at : g->probe->at;
	va_list ap;

	if (g->why)
		return;
	va_start(ap, what);
	text = arena_vprintf(what, ap);
	va_end(ap);
	g->why = arena_printf("BPF has %s: %s%s%s", text, near ? near : "", near ? " at " : "in the probe at ", at);
}

bool bpf_is_kernels(const struct ir_probe *p)
{
	for (size_t i = 0; i < p->places.n; i++)
		if (p->places.v[i].event == IR_KERNELS)
			return true;
	return false;
}

bool bpf_is_for(const struct ir_program *ir)
{
	for (size_t i = 0; i < ir->probes.n; i++)
		if (bpf_is_kernels(&ir->probes.v[i]))
			return true;
	return false;
}

/* ---- a handler's frame ------------------------------------------------------------ */

void count_skipped(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, skipped));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

/* r0 = entry r1 of the table of frames */
static void look_up_frame(struct gen *g)
{
	code_store(g->c, BPF_W, R10, -4, R1);
	code_map(g->c, R1, BPF_FRAME_TABLE);
	code_op_reg(g->c, BPF_MOV, R2, R10);
	code_op(g->c, BPF_ADD, R2, -4);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
}

/* r9 = a free frame of the CPU's, whose number is r8; goes to NONE if there is none. */
static void take_frame(struct gen *g, unsigned none)
{
	unsigned taken = code_label(g->c);

	for (int i = 0; i < BPF_FRAMES; i++) {
		code_op_reg(g->c, BPF_MOV, R1, R8);
		code_op(g->c, BPF_MUL, R1, BPF_FRAMES);
		code_op(g->c, BPF_ADD, R1, i);
		code_op_reg(g->c, BPF_MOV, R7, R1);
		look_up_frame(g);
		code_jump_if(g->c, BPF_JEQ, R0, 0, none);
		code_op_reg(g->c, BPF_MOV, R9, R0);
		code_number(g->c, R1, 1);
		code_atomic(g->c, BPF_XCHG, R9, FRAME_BUSY, R1);
		code_jump_if(g->c, BPF_JEQ, R1, 0, taken);
	}
	code_jump(g->c, none);
	code_here(g->c, taken);
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, frame), R7);
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, cpu), R8);
}

/* r8 = this CPU's half that is in use, of its number r8 */
static void find_half(struct gen *g)
{
	unsigned half = g->plan->half, size = 2 * half;

	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, epoch));
	code_load(g->c, BPF_DW, R0, R1, 0);
	code_op(g->c, BPF_AND, R0, 1);
	code_store(g->c, BPF_DW, R9, FRAME_EPOCH, R0);
	code_op(g->c, BPF_MUL, R8, size);
	code_op(g->c, BPF_MUL, R0, half);
	code_op_reg(g->c, BPF_ADD, R8, R0);
	code_map_value(g->c, R0, BPF_WORDS, 0);
	code_op_reg(g->c, BPF_ADD, R8, R0);
	code_op(g->c, BPF_ADD, R8, g->plan->halves);
}

static void begin_handler(struct gen *g, unsigned out, unsigned skipped)
{
	code_op_reg(g->c, BPF_MOV, R6, R1);
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, running));
	code_load(g->c, BPF_DW, R1, R1, 0);
	code_jump_if(g->c, BPF_JNE, R1, 1, out);
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	code_jump_if(g->c, BPF_JGE, R8, g->plan->cpus, skipped);
	take_frame(g, skipped);
	find_half(g);
	save_registers(g);
	for (int at = FRAME_SITE; at <= FRAME_ROUNDS; at += 8)
		if (at != FRAME_EPOCH)
			code_store_number(g->c, BPF_DW, R9, at, 0);
	code_store_number(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, more), 0);
	if (g->counts) {
		code_number(g->c, R1, g->probe->budget < STATEMENTS_MOST ? g->probe->budget : STATEMENTS_MOST);
		code_store(g->c, BPF_DW, R9, FRAME_BUDGET, R1);
	}
}

/* Lets no other handler begin if the session ends by this handler's error. */
static void stop_on_error(struct gen *g)
{
	unsigned fine = code_label(g->c);

	if (!g->fails || g->ir->limits.errors || g->ir->limits.suppress_errors)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	stop_handlers(g);
	code_here(g->c, fine);
}

/* Outputs what there is to tell. */
static void end_handler(struct gen *g)
{
	unsigned silent = code_label(g->c);

	stop_on_error(g);

	code_load(g->c, BPF_DW, R1, R9, FRAME_OUT);
	code_load(g->c, BPF_DW, R2, R9, FRAME_SITE);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_DW, R2, R9, FRAME_EXITS);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_W, R2, R9, FRAME_RECORD + offsetof(struct bpf_record, more));
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_jump_if(g->c, BPF_JEQ, R1, 0, silent);
	put_output(g);
	code_here(g->c, silent);
}

static void put_one_body(struct gen *g, const struct ir_body *b, struct region *top)
{
	lay_out(g, b);
	put_body(g, b, top);
}

/* Makes the main function. */
static void put_handler(struct gen *g, const struct bpf_program *p)
{
	struct function *outer;
	struct region top = { .op = NULL };
	unsigned out, skipped, free, failed;

	begin_function(g, &outer);
	out = code_label(g->c);
	skipped = code_label(g->c);
	free = code_label(g->c);
	failed = code_label(g->c);
	top.skipped = code_label(g->c);
	begin_handler(g, out, skipped);
	/* What was saved is taken from the map whether the probe is armed or not. */
	if (p->saved && !p->saves)
		find_saved(g, p->saved, free);
	if (g->probe->armed_by != IR_UNCONDITIONAL && !p->saves) {
		put_one_body(g, g->ir->probes.v[g->probe->armed_by].condition, &top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		code_load(g->c, BPF_DW, R1, R9, FRAME_ARMED);
		code_jump_if(g->c, BPF_JEQ, R1, 0, free);
	}
	if (p->saves) {
		put_one_body(g, g->probe->entry, &top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		keep_saved(g, p->saved);
	} else {
		put_one_body(g, g->probe->handler, &top);
	}
	code_here(g->c, failed);
	end_handler(g);
	code_jump(g->c, free);
	code_here(g->c, top.skipped);
	count_skipped(g);
	code_here(g->c, free);
	code_store_number(g->c, BPF_DW, R9, FRAME_BUSY, 0);
	code_jump(g->c, out);
	code_here(g->c, skipped);
	count_skipped(g);
	code_here(g->c, out);
	end_function(g, outer);
}

/* ---- linking --------------------------------------------------------------------- */

/*
 * Numbers the functions that function N calls, and N, as they will lie; the kernel refuses what nothing
 * calls.
 */
static void reach(struct gen *g, unsigned n, int *order, struct bpf_program *p)
{
	struct code *c = &g->code.v[n]->code;

	if (order[n] >= 0)
		return;
	order[n] = p->functions.n;
	vec_push(&p->functions, p->insns.n);
	if (!code_finish(c))
		refuse(g, "no handlers of so many instructions");
	for (size_t i = 0; i < c->insns.n; i++)
		vec_push(&p->insns, c->insns.v[i]);
	for (size_t i = 0; i < c->calls.n; i++)
		reach(g, c->calls.v[i].to, order, p);
}

static void link_functions(struct gen *g, struct bpf_program *p)
{
	int *order = arena_alloc(g->code.n * sizeof(*order));

	memset(order, -1, g->code.n * sizeof(*order));
	reach(g, 0, order, p);
	for (size_t n = 0; n < g->code.n; n++) {
		const struct code *c = &g->code.v[n]->code;

		for (size_t i = 0; order[n] >= 0 && i < c->calls.n; i++) {
			unsigned at = p->functions.v[order[n]] + c->calls.v[i].at;

			p->insns.v[at].imm = (int)p->functions.v[order[c->calls.v[i].to]] - (int)at - 1;
		}
	}
}

/* ---- programs -------------------------------------------------------------------- */

static void find_loop(struct ir_op *op, void *found)
{
	if (op->code == IR_LOOP)
		*(bool *)found = true;
}

/* Does any function or handler have a loop? */
static bool has_loops(const struct ir_program *ir)
{
	bool found = false;

	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			ir_each(&ir->functions.v[i].body->block, find_loop, &found);
	for (size_t i = 0; i < ir->probes.n; i++)
		if (ir->probes.v[i].handler->number == i)	/* the first that has this handler */
			ir_each(&ir->probes.v[i].handler->block, find_loop, &found);
	return found;
}

static unsigned largest_value(const struct bpf_plan *plan)
{
	unsigned bytes = 8;

	for (size_t i = BPF_FIRST_ARRAY; i < plan->maps.n; i++)
		bytes = plan->maps.v[i].value > bytes ? plan->maps.v[i].value : bytes;
	return bytes;
}

/* Makes the program of N places of a probe from the place FIRST on.  Returns why not, or NULL. */
static const char *add_program(struct bpf_plan *plan, const struct bpf_system *on, struct bpf_program p)
{
	struct gen g = { .plan = plan, .ir = plan->ir, .on = on, .probe = &plan->ir->probes.v[p.probe],
			 .probe_number = p.probe, .point = p.point, .frame = FRAME_REST };

	g.place = p.n == 1 ? &g.probe->places.v[p.first] : NULL;
	g.of_trace = p.attach == IR_AT_TRACEPOINT;
	g.counts = g.probe->budget != INT64_MAX || plan->has_loops;
	g.functions = arena_alloc((plan->ir->functions.n + 1) * sizeof(*g.functions));
	g.fresh = take(&g, largest_value(plan));
	if (p.attach == IR_BY_OTHER)
		refuse(&g, "no probe point '%s'", g.probe->places.v[p.first].pp);
	if (p.saved)
		place_saved(&g);
	if (!g.why)
		put_handler(&g, &p);
	if (!g.why)
		link_functions(&g, &p);
	plan->insns += p.insns.n;
	if (plan->insns > INSNS_MOST)
		refuse(&g, "no scripts of so many instructions");
	if (plan->maps.v[BPF_FRAME_TABLE].value < g.frame + STRING_MOST)
		plan->maps.v[BPF_FRAME_TABLE].value = g.frame + STRING_MOST;
	vec_push(&plan->programs, p);
	return g.why;
}

static void find_place(struct ir_op *op, void *arg)
{
	struct { const struct ir_program *ir; bool found; } *f = arg;

	if (op->code == IR_CALL && names_place(&f->ir->functions.v[op->symbol]))
		f->found = true;
}

/* Does a body, which may be NULL, ask for the name of the place that is hit? */
static bool has_place(const struct ir_program *ir, const struct ir_body *b)
{
	struct { const struct ir_program *ir; bool found; } f = { .ir = ir };

	ir_each(b ? &b->block : NULL, find_place, &f);
	return f.found;
}

static bool asks_for_place(const struct bpf_plan *plan, const struct ir_probe *p)
{
	bool armed = p->armed_by != IR_UNCONDITIONAL;

	return plan->names_places || has_place(plan->ir, p->handler) || has_place(plan->ir, p->entry) ||
	       has_place(plan->ir, armed ? plan->ir->probes.v[p->armed_by].condition : NULL);
}

/* Finds out what decides how each program is made. */
static void look_at_all(struct bpf_plan *p)
{
	const struct ir_program *ir = p->ir;

	p->has_loops = has_loops(ir);
	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			p->names_places |= has_place(ir, ir->functions.v[i].body);
}

/* Adds the map of what is saved for calls that have not returned. */
static unsigned add_saved_map(struct bpf_plan *plan, const struct ir_probe *p)
{
	const struct bpf_map m = {
		.type = BPF_MAP_TYPE_LRU_HASH, .key = SAVED_KEY, .value = saved_bytes(plan->ir, p), .entries = CALLS_MOST,
	};

	vec_push(&plan->maps, m);
	return plan->maps.n - 1;
}

static const char *add_programs(struct bpf_plan *plan, const struct bpf_system *on, unsigned probe,
				unsigned point)
{
	const struct ir_probe *p = &plan->ir->probes.v[probe];
	/* The places of one program are attached in one way. */
	bool each = asks_for_place(plan, p) || p->places.v[0].attach == IR_AT_TRACEPOINT;
	unsigned saved = p->entry ? add_saved_map(plan, p) : 0;
	const char *why = NULL;

	for (size_t i = 0; i < p->places.n; i++)
		each |= p->places.v[i].attach != p->places.v[0].attach;
	for (size_t i = 0; i < p->places.n && !why; i += each ? 1 : p->places.n) {
		struct bpf_program program = {
			.probe = probe, .point = point + i, .first = i, .n = each ? 1 : p->places.n,
			.attach = p->places.v[i].attach, .saved = saved,
		};

		why = add_program(plan, on, program);
		program.attach = IR_AT_ADDRESS;
		program.saves = true;
		if (saved && !why)
			why = add_program(plan, on, program);
	}
	return why;
}

static void add_own_maps(struct bpf_plan *p)
{
	const struct bpf_map own[BPF_FIRST_ARRAY] = {
		[BPF_WORDS] = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .entries = 1, .flags = BPF_F_MMAPABLE },
		[BPF_FRAME_TABLE] = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .entries = BPF_FRAMES * p->cpus },
		[BPF_TEXTS] = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .entries = 1, .flags = BPF_F_RDONLY_PROG },
		[BPF_RECORDS] = { .type = BPF_MAP_TYPE_RINGBUF, .entries = RING_BYTES },
	};

	for (size_t i = 0; i < BPF_FIRST_ARRAY; i++)
		vec_push(&p->maps, own[i]);
}

static void find_shared(struct ir_op *op, void *arg)
{
	struct { const struct bpf_plan *plan; bool found; } *f = arg;

	if (ir_opcodes[op->code].symbol == IR_OF_GLOBAL && f->plan->globals[op->symbol].share != BPF_NOT_USED)
		f->found = true;
	for (size_t i = 0; i < op->args.n; i++)
		if (op->args.v[i].kind == IR_GLOBAL &&
		    f->plan->globals[op->args.v[i].index].share != BPF_NOT_USED)
			f->found = true;
}

/* Returns what the program asks of both halves that they can't do together, or NULL. */
static const char *why_not(const struct bpf_plan *p)
{
	struct { const struct bpf_plan *plan; bool found; } f = { .plan = p };

	if (p->maps.v[BPF_WORDS].value > BPF_WORDS_MOST)
		return "BPF has no variables that take so much memory in all";
	if (p->ir->limits.string % 8)
		return "BPF has strings only of a multiple of 8 bytes (-D MAXSTRINGLEN)";
	if (p->ir->timed)
		return "BPF has no times of handlers (-t)";
	for (size_t i = 0; i < p->ir->probes.n; i++) {
		const struct ir_probe *probe = &p->ir->probes.v[i];

		if (probe->armed_by == IR_UNCONDITIONAL || bpf_is_kernels(probe))
			continue;
		ir_each(&p->ir->probes.v[probe->armed_by].condition->block, find_shared, &f);
		if (f.found)
			return arena_printf("BPF has no conditions of a probe in a process on what handlers in the "
					    "kernel change: in the probe at %s",
					    probe->at);
	}
	return NULL;
}

struct bpf_plan *bpf_plan(const struct ir_program *ir, const struct bpf_system *on, const char **why)
{
	struct bpf_plan *p = arena_new(struct bpf_plan);
	unsigned point = 0;

	p->ir = ir;
	p->cpus = on->cpus;
	p->globals = arena_alloc((ir->globals.n + 1) * sizeof(*p->globals));
	add_own_maps(p);
	share_globals(p);
	look_at_all(p);
	*why = why_not(p);
	if (ir->limits.string > STRING_MOST)
		*why = arena_printf("BPF has no strings of more than %d bytes (-D MAXSTRINGLEN)", STRING_MOST);
	for (size_t i = 0; i < ir->probes.n && !*why; i++) {
		if (bpf_is_kernels(&ir->probes.v[i]))
			*why = add_programs(p, on, i, point);
		point += ir->probes.v[i].places.n;
	}
	sbuf_putc(&p->texts, '\0');	/* no map is empty */
	p->maps.v[BPF_TEXTS].value = p->texts.len;
	if (!*why)
		return p;
	sbuf_free(&p->texts);
	return NULL;
}

const char *bpf_refuses(const struct ir_program *ir)
{
	const struct bpf_system any = { .cpus = 1 };
	const char *why;
	struct bpf_plan *p = bpf_plan(ir, &any, &why);

	if (p)
		sbuf_free(&p->texts);
	return why;
}
