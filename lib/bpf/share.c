// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds what the kernel's handlers do with each global, and gives it a place in the words or a map.
 *
 * A half of what handlers only add to is whole cache lines, so that CPUs don't share one.
 */
#include "base/arena.h"
#include "gen.h"

enum { LINE = 64 };

struct sharing {
	struct bpf_plan *plan;
	bool *visited, *handlers;	/* functions and handlers that were looked at */
};

/* What a handler in the process does: its deletes of a statistic lock it, and so do additions then (locks.c). */
static void visit_process_op(struct ir_op *op, void *arg)
{
	struct sharing *s = arg;

	if (op->code == IR_CLEAR_STAT)
		s->plan->globals[op->symbol].loses = true;
	if (op->code == IR_CALL && !s->visited[op->symbol] && s->plan->ir->functions.v[op->symbol].body) {
		s->visited[op->symbol] = true;
		ir_each(&s->plan->ir->functions.v[op->symbol].body->block, visit_process_op, s);
	}
}

static bool only_adds(const struct ir_op *op)
{
	switch (op->code) {
	case IR_PLUS:
	case IR_MINUS:
	case IR_PLUS_AT:
	case IR_MINUS_AT:
	case IR_RECORD:
	case IR_RECORD_AT:
		return true;
	default:
		return false;
	}
}

static void note(struct sharing *s, unsigned global, bool adds)
{
	struct bpf_global *g = &s->plan->globals[global];

	if (!adds || s->plan->ir->globals.v[global].wraps)
		g->share = BPF_OWNED;
	else if (g->share == BPF_NOT_USED)
		g->share = BPF_ADDED;
}

static void visit_body(struct sharing *s, const struct ir_body *b);

static void visit_op(struct ir_op *op, void *arg)
{
	struct sharing *s = arg;

	if (ir_opcodes[op->code].symbol == IR_OF_GLOBAL) {
		note(s, op->symbol, only_adds(op));
		s->plan->globals[op->symbol].changes |= ir_opcodes[op->code].traits & IR_WRITES ||
							op->code == IR_FOREACH;
		s->plan->globals[op->symbol].loses |= op->code == IR_DELETE || op->code == IR_CLEAR ||
							op->code == IR_CLEAR_STAT;
	}
	for (size_t i = 0; i < op->args.n; i++)
		if (op->args.v[i].kind == IR_GLOBAL)
			note(s, op->args.v[i].index, false);
	if (op->code == IR_CALL && !s->visited[op->symbol]) {
		s->visited[op->symbol] = true;
		visit_body(s, s->plan->ir->functions.v[op->symbol].body);
	}
}

static void visit_body(struct sharing *s, const struct ir_body *b)
{
	if (b)
		ir_each(&b->block, visit_op, s);
}

/* ---- layout -------------------------------------------------------------- */

static unsigned all_key_bytes(const struct bpf_plan *p, const struct ir_global *g)
{
	unsigned bytes = 0;

	for (size_t i = 0; i < g->keys.n; i++)
		bytes += g->keys.v[i] != IR_STRING ? 8 :
			 rounded(i < g->rooms.n && g->rooms.v[i] ? g->rooms.v[i] : (unsigned)p->ir->limits.string);
	return bytes;
}

static unsigned scalar_bytes(const struct bpf_plan *p, const struct ir_global *g)
{
	return g->type == IR_STRING ? STRING_BYTES + rounded(p->ir->limits.string) :
	       g->type == IR_STATISTIC ? statistic_bytes(&g->shape) : 8;
}

static void add_map(struct bpf_plan *p, const struct bpf_map *m)
{
	vec_push(&p->maps, *m);
}

/* Makes the map of an array, or two if handlers only add to it. */
static void place_array(struct bpf_plan *p, struct bpf_global *to, const struct ir_global *g)
{
	struct bpf_map m = {
		.type = to->share == BPF_ADDED ? BPF_MAP_TYPE_PERCPU_HASH : BPF_MAP_TYPE_HASH,
		.key = all_key_bytes(p, g), .value = 8 + scalar_bytes(p, g), .entries = g->entries,
	};

	to->map = p->maps.n;
	to->key = m.key;
	to->value = m.value;
	add_map(p, &m);
	if (to->share == BPF_ADDED)
		add_map(p, &m);
}

/* Places a global; *WORDS and *HALF are how many bytes the words and a half have so far. */
static void place_global(struct bpf_plan *p, unsigned i, uint64_t *words, uint64_t *half)
{
	const struct ir_global *g = &p->ir->globals.v[i];
	struct bpf_global *to = &p->globals[i];
	uint64_t *bytes = to->share == BPF_ADDED ? half : words;

	if (to->share == BPF_OWNED) {
		to->lock = *words;
		*words += 2 * sizeof(uint64_t);
	}
	if (g->keys.n) {
		place_array(p, to, g);
	} else {
		to->at = *bytes;
		*bytes += scalar_bytes(p, g);
	}
}

static void visit_process(struct bpf_plan *p)
{
	struct sharing s = { .plan = p, .visited = arena_alloc(p->ir->functions.n + 1),
			     .handlers = arena_alloc(p->ir->probes.n + 1) };

	for (size_t i = 0; i < p->ir->probes.n; i++) {
		const struct ir_body *handler = p->ir->probes.v[i].handler;

		if (bpf_is_kernels(&p->ir->probes.v[i]) || s.handlers[handler->number])
			continue;
		s.handlers[handler->number] = true;
		ir_each(&handler->block, visit_process_op, &s);
	}
}

/* A variance's words change together, so whoever reads the kernel's own locks it, and so do additions (locks.c). */
static void lock_variance(struct bpf_plan *p, unsigned i)
{
	const struct ir_global *v = &p->ir->globals.v[i];

	if (p->globals[i].share == BPF_OWNED && v->type == IR_STATISTIC && has_variance(&v->shape))
		p->globals[i].changes = p->globals[i].loses = true;
}

void share_globals(struct bpf_plan *p)
{
	struct sharing s = { .plan = p, .visited = arena_alloc(p->ir->functions.n + 1),
			     .handlers = arena_alloc(p->ir->probes.n + 1) };
	uint64_t words = sizeof(struct bpf_control), half = p->waits ? sizeof(uint64_t) : 0, all;

	for (size_t i = 0; i < p->ir->probes.n; i++) {
		const struct ir_probe *probe = &p->ir->probes.v[i];

		if (!bpf_is_kernels(probe))
			continue;
		if (!s.handlers[probe->handler->number])
			visit_body(&s, probe->handler);
		s.handlers[probe->handler->number] = true;
		visit_body(&s, probe->entry);
		if (probe->armed_by != IR_UNCONDITIONAL)
			visit_body(&s, p->ir->probes.v[probe->armed_by].condition);
	}
	visit_process(p);
	for (size_t i = 0; i < p->ir->globals.n; i++) {
		lock_variance(p, i);
		if (p->globals[i].share != BPF_NOT_USED)
			place_global(p, i, &words, &half);
	}
	words = (words + LINE - 1) / LINE * LINE;
	half = (half + LINE - 1) / LINE * LINE;
	all = words + 2 * half * (p->cpu_mask + 1) + LINE;
	p->halves = words;
	p->half = half;
	p->maps.v[BPF_WORDS].value = all > BPF_VALUE_MOST ? BPF_VALUE_MOST + 1 : all;	/* is refused */
}
