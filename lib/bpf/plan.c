// SPDX-License-Identifier: GPL-2.0-or-later
/* Plans the programs and maps of a script, and links the functions of a program. */
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "gen.h"

/* Bytes of the ring of records, a power of two. */
enum { RING_BYTES = 4 << 20 };

/* Calls that are followed from their entry to their return, of a probe's functions. */
enum { CALLS_MOST = 16384 };

/* Functions of a program: the kernel's limit. */
enum { FUNCTIONS_MOST = 256 };

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

bool bpf_walks_at_tracepoint(const struct ir_program *ir)
{
	bool walks = false, at_tracepoint = false;

	for (size_t i = 0; i < ir->functions.n; i++)
		walks |= walks_stack(&ir->functions.v[i]);
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			at_tracepoint |= ir->probes.v[i].places.v[j].attach == IR_AT_TRACEPOINT;
	return walks && at_tracepoint;
}

/* ---- linking --------------------------------------------------------------------- */

/*
 * Numbers the functions that function N calls, and N, as they will lie; the kernel refuses what nothing
 * calls.
 */
static void reach(struct gen *g, unsigned n, int *order, struct bpf_program *p)
{
	struct code *c = &g->code.v[n]->code;
	unsigned begins = p->insns.n;

	if (order[n] >= 0)
		return;
	order[n] = p->functions.n;
	vec_push(&p->functions, ((struct bpf_function){ p->insns.n, g->code.v[n]->alone }));
	if (!code_finish(c))
		refuse(g, "no handlers of so many instructions");
	for (size_t i = 0; i < c->insns.n; i++)
		vec_push(&p->insns, c->insns.v[i]);
	for (size_t i = 0; i < c->references.n; i++) {
		struct code_reference r = c->references.v[i];

		r.at += begins;
		vec_push(&p->references, r);
	}
	for (size_t i = 0; i < c->frames.n; i++)
		vec_push(&p->of_frames, begins + c->frames.v[i]);
	for (size_t i = 0; i < c->calls.n; i++)
		reach(g, c->calls.v[i].to, order, p);
}

static void link_functions(struct gen *g, struct bpf_program *p)
{
	int *order = arena_alloc(g->code.n * sizeof(*order));

	memset(order, -1, g->code.n * sizeof(*order));
	reach(g, 0, order, p);
	g->op = NULL;
	if (p->functions.n > FUNCTIONS_MOST)
		refuse(g, "no handlers with more than %d functions, loops, and builtins that loop", FUNCTIONS_MOST);
	for (size_t n = 0; n < g->code.n; n++) {
		const struct code *c = &g->code.v[n]->code;

		for (size_t i = 0; order[n] >= 0 && i < c->calls.n; i++) {
			unsigned at = p->functions.v[order[n]].at + c->calls.v[i].at;

			p->insns.v[at].imm = (int)p->functions.v[order[c->calls.v[i].to]].at - (int)at - 1;
		}
	}
}

/* Links the code of a program, and adds it to the plan.  Returns why not, or NULL. */
const char *finish_program(struct gen *g, struct bpf_program *p)
{
	struct bpf_plan *plan = g->plan;

	if (!g->why)
		link_functions(g, p);
	plan->insns += p->insns.n;
	if (plan->insns > INSNS_MOST)
		refuse(g, "no scripts of so many instructions");
	vec_push(&plan->programs, *p);
	return g->why;
}

/* ---- programs -------------------------------------------------------------------- */

static void find_loop(struct ir_op *op, void *found)
{
	*(bool *)found |= op->code == IR_LOOP;
}

static void find_rounds(struct ir_op *op, void *found)
{
	*(bool *)found |= op->code == IR_LOOP || op->code == IR_FOREACH || op->code == IR_BUCKETS;
}

/* Does FIND find an operation in any function or handler?  KERNELS: in handlers that the kernel runs only. */
static bool has_op(const struct ir_program *ir, bool kernels, void (*find)(struct ir_op *op, void *found))
{
	bool found = false, *looked = arena_alloc(ir->probes.n * sizeof(*looked));

	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			ir_each(&ir->functions.v[i].body->block, find, &found);
	for (size_t i = 0; i < ir->probes.n; i++) {
		const struct ir_probe *probe = &ir->probes.v[i];

		if (looked[probe->handler->number] || (kernels && !bpf_is_kernels(probe)))
			continue;
		looked[probe->handler->number] = true;	/* for all probes that share it */
		ir_each(&probe->handler->block, find, &found);
	}
	return found;
}

/* Does any function call others so often, or itself, that it may take as long as a loop? */
static bool has_many_calls(struct bpf_plan *p)
{
	bool many = false;

	for (size_t i = 0; i < p->ir->functions.n; i++)
		if (p->ir->functions.v[i].body)
			many |= bpf_depth(p, i)->calls == CALLS_MANY;
	return many;
}

/* Returns the bytes of the largest element that any array has. */
static unsigned largest_element(const struct bpf_plan *plan)
{
	unsigned bytes = 8;

	for (size_t i = 0; i < plan->ir->globals.n; i++)
		bytes = plan->globals[i].value > bytes ? plan->globals[i].value : bytes;
	return bytes;
}

/*
 * Does the program need no context of a raw tracepoint?  What a process does, and a system call's arguments, are in the
 * process's registers, too.  The kernel walks a stack by the context.
 */
static bool is_context_free(const struct bpf_plan *plan, const struct gen *g, const struct bpf_program *p)
{
	return (p->attach == IR_OF_PROCESS && p->role != BPF_TELLS) ||
	       (p->attach == IR_AT_TRACEPOINT && is_at_call(g) && !bpf_walks_at_tracepoint(plan->ir));
}

/* Makes the program of N places of a probe from the place FIRST on.  Returns why not, or NULL. */
const char *add_program(struct bpf_plan *plan, const struct bpf_system *on, struct bpf_program p)
{
	struct gen g = { .plan = plan, .ir = plan->ir, .on = on, .probe = &plan->ir->probes.v[p.probe],
			 .probe_number = p.probe, .point = p.point, .attach = p.attach,
			 .tracepoint = p.tracepoint, .waits = bpf_may_wait(&p), .frame = FRAME_REST };

	g.place = p.n == 1 ? &g.probe->places.v[p.first] : NULL;
	if (p.attach == IR_AT_TRACEPOINT)
		p.tracepoint = g.tracepoint = g.place->tracepoint;
	g.context_free = p.context_free = is_context_free(plan, &g, &p);
	if (g.place)
		g.offset = p.role == BPF_SAVES && p.opened ? g.place->body.offset : g.place->at.offset;
	g.counts = g.probe->budget != INT64_MAX || plan->has_loops;
	g.functions = arena_alloc((plan->ir->functions.n + 1) * sizeof(*g.functions));
	plan->fresh_bytes = largest_element(plan);
	plan->fresh = take(&g, plan->fresh_bytes);
	if (p.attach == IR_BY_OTHER)
		refuse(&g, "no probe point '%s'%s", g.probe->places.v[p.first].pp, strcmp(g.probe->family, "procfs") ? "" :
		       ", as the kernel asks no process before a file is written: what is written to stap's standard input "
		       "comes by input.line");
	place_match(&g);
	if (p.saved)
		place_saved(&g);
	if (!g.why)
		put_handler(&g, &p);
	p.walks = g.walks || (g.place && g.place->caller);
	if (plan->low)
		g.frame_end = 2 * FRAME_LOW;
	if (plan->frame < rounded(g.frame_end + STRING_MOST))
		plan->frame = rounded(g.frame_end + STRING_MOST);
	return finish_program(&g, &p);
}

static void find_address(const struct term *t, void *found)
{
	*(bool *)found |= t->kind == TERM_PROGRAM;
}

static void find_place(struct ir_op *op, void *arg)
{
	struct { const struct ir_program *ir; bool found; } *f = arg;

	if (op->code == IR_CALL && names_place(&f->ir->functions.v[op->symbol]))
		f->found = true;
	term_walk(op->code == IR_FETCH ? op->term : NULL, find_address, &f->found);
}

/* Does a body, which may be NULL, ask for the place that is hit, by its name or as where its program lies? */
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

static void look_at_place(struct bpf_plan *p, const struct ir_place *place)
{
	p->returns |= place->attach == IR_AT_PROGRAMS_RETURN;
	p->waits |= ir_in_program(place->attach);
	p->processes |= place->attach == IR_OF_PROCESS;
}

/* Finds out what decides how each program is made. */
static void look_at_all(struct bpf_plan *p)
{
	const struct ir_program *ir = p->ir;

	p->has_loops = has_op(ir, false, find_loop);
	p->has_rounds = has_op(ir, true, find_rounds);
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			look_at_place(p, &ir->probes.v[i].places.v[j]);
	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			p->names_places |= has_place(ir, ir->functions.v[i].body);
	p->has_loops |= has_many_calls(p);
}

/* Adds a map for calls that have not returned. */
static unsigned add_calls_map(struct bpf_plan *plan, unsigned key, unsigned value)
{
	const struct bpf_map m = {
		.type = BPF_MAP_TYPE_LRU_HASH, .key = key, .value = value, .entries = CALLS_MOST,
	};

	vec_push(&plan->maps, m);
	return plan->maps.n - 1;
}

/* Adds the programs at the entry, for the handler P at the return. */
static const char *add_entry_programs(struct bpf_plan *plan, const struct bpf_system *on,
				      struct bpf_program p)
{
	bool in_program = ir_in_program(p.attach);
	const char *why;

	p.attach = in_program ? IR_IN_PROGRAM : IR_AT_ADDRESS;
	p.role = BPF_SAVES;
	why = add_program(plan, on, p);
	p.role = BPF_OPENS;
	return why || !p.opened ? why : add_program(plan, on, p);
}

/* Are the two places attached in one way, by one program? */
static bool is_alike(const struct ir_place *a, const struct ir_place *b)
{
	return a->attach == b->attach && !a->body.offset == !b->body.offset;
}

static const char *add_programs(struct bpf_plan *plan, const struct bpf_system *on, unsigned probe,
				unsigned point)
{
	const struct ir_probe *p = &plan->ir->probes.v[probe];
	/* The places of one program are attached in one way. */
	bool each = asks_for_place(plan, p) || p->places.v[0].attach == IR_AT_TRACEPOINT, prologue = false;
	unsigned saved = p->entry ? add_calls_map(plan, SAVED_KEY, saved_bytes(plan->ir, p)) : 0, opened;
	const char *why = NULL;

	for (size_t i = 0; i < p->places.n; i++) {
		each |= p->places.v[i].pid || p->places.v[i].caller || !is_alike(&p->places.v[i], &p->places.v[0]);
		prologue |= p->places.v[i].body.offset;
	}
	opened = saved && prologue ? add_calls_map(plan, OPENED_KEY, 8) : 0;
	for (size_t i = 0; i < p->places.n && !why; i += each ? 1 : p->places.n) {
		struct bpf_program program = {
			.probe = probe, .point = point + i, .first = i, .n = each ? 1 : p->places.n,
			.attach = p->places.v[i].attach, .saved = saved,
			.opened = p->places.v[i].body.offset ? opened : 0,
		};

		why = add_program(plan, on, program);
		if (saved && !why)
			why = add_entry_programs(plan, on, program);
	}
	return why;
}

static void add_own_maps(struct bpf_plan *p)
{
	const struct bpf_map own[BPF_FIRST_ARRAY] = {
		[BPF_WORDS] = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .entries = 1, .flags = BPF_F_MMAPABLE },
		[BPF_FRAME_TABLE] = { .type = BPF_MAP_TYPE_ARRAY, .key = 4, .entries = 1 },
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

	if (p->maps.v[BPF_WORDS].value > BPF_VALUE_MOST)
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

/* Makes room for the frames, of whose bytes the programs are told.  Returns why not, or NULL. */
static const char *size_frames(struct bpf_plan *p)
{
	uint64_t bytes = (uint64_t)p->frames * p->frame;

	if (bytes > BPF_VALUE_MOST)
		return "BPF has no variables of handlers for so many CPUs";
	p->maps.v[BPF_FRAME_TABLE].value = bytes;
	for (size_t i = 0; i < p->programs.n; i++)
		for (size_t j = 0; j < p->programs.v[i].of_frames.n; j++)
			p->programs.v[i].insns.v[p->programs.v[i].of_frames.v[j]].imm *= p->frame;
	return NULL;
}

static struct bpf_plan *make_plan(const struct ir_program *ir, const struct bpf_system *on, bool large, const char **why)
{
	struct bpf_plan *p = arena_new(struct bpf_plan);
	unsigned point = 0;

	p->ir = ir;
	p->low = large ? FRAME_LOW : 0;
	p->cpus = on->cpus;
	while (p->cpu_mask + 1 < p->cpus)
		p->cpu_mask = 2 * p->cpu_mask + 1;
	p->globals = arena_alloc((ir->globals.n + 1) * sizeof(*p->globals));
	look_at_all(p);
	p->cpu_frames = BPF_FRAMES + (p->waits ? BPF_WAITING_FRAMES : 0);
	p->frames = p->cpus * p->cpu_frames;
	add_own_maps(p);
	share_globals(p);
	if ((p->waits || p->processes) && on->target)
		add_target(p);
	if (p->processes)
		add_processes(p);
	if (bpf_names_kept_code(ir))
		add_walked(p);
	*why = why_not(p);
	if (ir->limits.string > STRING_MOST)
		*why = arena_printf("BPF has no strings of more than %d bytes (-D MAXSTRINGLEN)", STRING_MOST);
	if (!*why && p->threads)
		*why = follow_target(p, on);
	if (!*why && p->processes)
		*why = follow_processes(p, on);
	for (size_t i = 0; i < ir->probes.n && !*why; i++) {
		if (bpf_is_kernels(&ir->probes.v[i]) && ir->probes.v[i].places.v[0].attach != IR_OF_PROCESS)
			*why = add_programs(p, on, i, point);
		point += ir->probes.v[i].places.n;
	}
	if (!*why && p->processes)
		*why = add_process_programs(p, on);
	if (p->messages && p->sites.n)
		p->maps.v[p->messages].entries = p->sites.n;
	if (!*why)
		*why = size_frames(p);
	sbuf_putc(&p->texts, '\0');	/* no map is empty */
	p->maps.v[BPF_TEXTS].value = p->texts.len;
	if (!*why)
		return p;
	sbuf_free(&p->texts);
	return p->too_small && !large ? make_plan(ir, on, true, why) : NULL;
}

struct bpf_plan *bpf_plan(const struct ir_program *ir, const struct bpf_system *on, const char **why)
{
	return make_plan(ir, on, false, why);
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
