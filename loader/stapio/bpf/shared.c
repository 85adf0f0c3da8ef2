// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shares the script's variables between the handlers in the kernel and those in this process.
 *
 * While handlers are attached, a handler here begins with what the kernel has, and the kernel gets what it
 * has changed.  What the kernel's handlers only add to needs no giving: the whole is here, and what they
 * have added since is added to it, from the halves that they no longer use (bpf.h).
 *
 *	kernel: n["a"] += 1		half 0: a 1
 *	here: a handler begins		half 1 is in use; no handler runs that uses half 0; whole: a 1, half 0: empty
 *	kernel: n["a"] += 1		half 1: a 1
 *	here: print n, delete n		prints 1; whole: empty
 *
 * All other variables are the kernel's own: they are copied here, and what differs afterwards is written
 * back, element by element.  Handlers there don't wait meanwhile, so where both change the same variable at
 * the same time, one of the changes is lost.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "core/state.h"
#include "data/agg.h"
#include "data/map.h"
#include "elements.h"
#include "internal.h"
#include "interpreter/run.h"
#include "port/user/engine.h"
#include "system.h"

/* A global that a probe's handler uses, and maybe changes. */
struct use {
	unsigned global;
	bool changes;
};

typedef vec(struct use) use_list;

/* An OWNED variable as the kernel had it when a handler here began. */
struct copy {
	st_long number;
	char *bytes;			/* a string: its length and text; a statistic: its words */
	struct elements elements;
};

static struct handlers *handlers;	/* that are attached; or NULL */
static use_list *uses;			/* by probe; of those that this process hits */
static struct copy *copies;

static const struct ir_global *meaning(unsigned global)
{
	return &handlers->plan->ir->globals.v[global];
}

/* ---- which handler uses what ------------------------------------------------- */

/* The uses of one handler after another. */
struct finding {
	const struct ir_program *ir;
	size_t *at;			/* by global: 1 + its place in the list; 0: not met yet */
	size_t *visited;		/* by function: 1 + the probe whose handler called it last */
	size_t probe;
	use_list list;
};

static void note_body(struct finding *f, const struct ir_body *b);

static void note_use(struct finding *f, unsigned global, bool changes)
{
	if (!f->at[global]) {
		vec_push(&f->list, ((struct use){ .global = global }));
		f->at[global] = f->list.n;
	}
	f->list.v[f->at[global] - 1].changes |= changes;
}

static void note_op(struct ir_op *op, void *arg)
{
	struct finding *f = arg;

	if (ir_opcodes[op->code].symbol == IR_OF_GLOBAL)
		note_use(f, op->symbol, ir_opcodes[op->code].traits & IR_WRITES);
	for (size_t i = 0; i < op->args.n; i++)
		if (op->args.v[i].kind == IR_GLOBAL)
			note_use(f, op->args.v[i].index, false);
	if (op->code == IR_CALL && f->visited[op->symbol] != f->probe + 1) {
		f->visited[op->symbol] = f->probe + 1;
		note_body(f, f->ir->functions.v[op->symbol].body);
	}
}

static void note_body(struct finding *f, const struct ir_body *b)
{
	if (b)
		ir_each(&b->block, note_op, f);
}

static void find_uses(const struct ir_program *ir)
{
	struct finding f = { .ir = ir };

	f.at = arena_alloc((ir->globals.n + 1) * sizeof(*f.at));
	f.visited = arena_alloc((ir->functions.n + 1) * sizeof(*f.visited));
	uses = arena_alloc((ir->probes.n + 1) * sizeof(*uses));
	for (f.probe = 0; f.probe < ir->probes.n; f.probe++) {
		if (bpf_is_kernels(&ir->probes.v[f.probe]))
			continue;
		f.list = (use_list){ 0 };
		note_body(&f, ir->probes.v[f.probe].handler);
		for (size_t i = 0; i < f.list.n; i++)
			f.at[f.list.v[i].global] = 0;
		uses[f.probe] = f.list;
	}
}

/* ---- what handlers only add to ---------------------------------------------------- */

static char *half_of(unsigned cpu, unsigned epoch)
{
	const struct bpf_plan *p = handlers->plan;

	return handlers->words + p->halves + (2 * cpu + epoch) * p->half;
}

static void add_number(unsigned global, st_long n)
{
	const struct st_global *g = &st_program.globals[global];

	if (g->kind == ST_G_COUNTER)
		st_counter_add(*(struct st_counter **)g->slot, n);
	else
		*(st_long *)g->slot += (unsigned long long)n;
}

/* Adds the CPUs' parts of a scalar to the whole, and clears them. */
static void drain_scalar(unsigned global, unsigned epoch)
{
	const struct st_global *g = &st_program.globals[global];
	unsigned at = handlers->plan->globals[global].at, bytes;

	for (unsigned cpu = 0; cpu < handlers->plan->cpus; cpu++) {
		char *part = half_of(cpu, epoch) + at;

		if (meaning(global)->type == IR_STATISTIC) {
			struct st_stat *st = decoded_statistic(part, &g->stat);

			bytes = encoded_bytes(&g->stat);
			if (st->count)
				st_agg_pool(*(struct st_agg **)g->slot, st);
		} else {
			bytes = 8;
			add_number(global, *(st_long *)part);
		}
		memset(part, 0, bytes);
	}
}

static void drain_array(struct st_ctx *c, unsigned global, unsigned epoch)
{
	const struct bpf_global *g = &handlers->plan->globals[global];
	struct elements e = { 0 };

	if (elements_read(&e, handlers, global, handlers->maps[g->map + epoch], true))
		elements_add(c, &e, *(struct st_map **)st_program.globals[global].slot);
	elements_free(&e);
}

/* How long a reader waits for handlers in programs, which may be waiting for memory, in ms. */
enum { PATIENCE_MS = 100 };

/* Is this half free of handlers that may wait?  RCU tells of the others. */
static bool is_left(unsigned epoch)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	unsigned cpu = 0;

	for (unsigned waited = 0; handlers->plan->waits && waited < PATIENCE_MS; waited++) {
		while (cpu < handlers->plan->cpus &&
		       !__atomic_load_n((uint64_t *)half_of(cpu, epoch), __ATOMIC_ACQUIRE))
			cpu++;
		if (cpu == handlers->plan->cpus)
			break;
		nanosleep(&ms, NULL);
	}
	return !handlers->plan->waits || cpu == handlers->plan->cpus;
}

/*
 * Adds what the kernel's handlers have added to the whole, once none of them uses this half any more.  If one
 * still does, the half is left as it is until the next time but one.
 */
static void drain(struct st_ctx *c)
{
	volatile struct bpf_control *words = control(handlers);
	unsigned epoch = words->epoch;
	const struct bpf_plan *p = handlers->plan;

	__atomic_store_n(&words->epoch, !epoch, __ATOMIC_SEQ_CST);
	system_wait();
	if (!is_left(epoch))
		return;
	for (size_t i = 0; i < p->ir->globals.n; i++) {
		if (p->globals[i].share != BPF_ADDED)
			continue;
		if (meaning(i)->keys.n)
			drain_array(c, i, epoch);
		else
			drain_scalar(i, epoch);
	}
}

/* ---- what the kernel owns ------------------------------------------------------------ */

/* Copies a string of the kernel's, unless a handler is changing it. */
static void read_text(char *to, unsigned global, unsigned bytes)
{
	const struct bpf_global *g = &handlers->plan->globals[global];
	const uint64_t *lock = (const uint64_t *)(handlers->words + g->lock);

	for (int tries = 0; tries < 1000; tries++) {
		uint64_t before = __atomic_load_n(lock, __ATOMIC_ACQUIRE);

		memcpy(to, handlers->words + g->at, bytes);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(before & 1) && before == __atomic_load_n(lock, __ATOMIC_RELAXED))
			break;
	}
}

/*
 * Takes the lock of a statistic that somebody deletes, or that has a variance: its words change together.  Handlers in the
 * kernel hold it for some instructions, and wait as long as MAXTRYLOCK says for this process, which may be preempted; their
 * hits are counted as skipped then.  Returns false, after some time, if another holds it: the words may be half changed.
 */
static bool lock_statistic(unsigned global)
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	uint64_t *lock = (uint64_t *)(handlers->words + handlers->plan->globals[global].lock);

	if (!handlers->plan->globals[global].loses)
		return false;
	for (unsigned waited = 0; waited < PATIENCE_MS; waited++) {
		uint64_t free = __atomic_load_n(lock, __ATOMIC_RELAXED) & ~1ull;

		if (__atomic_compare_exchange_n(lock, &free, free + 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

static void unlock_statistic(unsigned global)
{
	__atomic_fetch_add((uint64_t *)(handlers->words + handlers->plan->globals[global].lock), 1, __ATOMIC_RELEASE);
}

static unsigned text_bytes(void)
{
	return 8 + (st_program.maxstringlen + 7) / 8 * 8;
}

/* A word that handlers mostly add to has a counter here, others a number. */
static st_long number_of(const struct st_global *g)
{
	return g->kind == ST_G_COUNTER ? st_counter_sum(*(struct st_counter **)g->slot) : *(st_long *)g->slot;
}

static void set_number(const struct st_global *g, st_long n)
{
	if (g->kind == ST_G_COUNTER)
		st_counter_set(*(struct st_counter **)g->slot, n);
	else
		*(st_long *)g->slot = n;
}

static void take_statistic(struct st_ctx *c, unsigned global, struct copy *copy)
{
	const struct st_global *g = &st_program.globals[global];
	struct st_agg *to = *(struct st_agg **)g->slot;
	unsigned bytes = encoded_bytes(&g->stat);
	struct st_stat *st;
	bool locked;

	if (!copy->bytes)
		copy->bytes = arena_alloc(bytes);
	locked = lock_statistic(global);
	memcpy(copy->bytes, handlers->words + handlers->plan->globals[global].at, bytes);
	if (locked)
		unlock_statistic(global);
	settle_statistic(copy->bytes, &g->stat);
	st = decoded_statistic(copy->bytes, &g->stat);
	st_agg_clear(c, to);
	if (st->count)
		st_agg_pool(to, st);
}

static void take_scalar(struct st_ctx *c, unsigned global, struct copy *copy)
{
	const struct st_global *g = &st_program.globals[global];
	struct st_str s;

	if (meaning(global)->type == IR_STATISTIC) {
		take_statistic(c, global, copy);
		return;
	}
	if (meaning(global)->type != IR_STRING) {
		copy->number = *(st_long *)(handlers->words + handlers->plan->globals[global].at);
		set_number(g, copy->number);
		return;
	}
	if (!copy->bytes)
		copy->bytes = arena_alloc(text_bytes());
	read_text(copy->bytes, global, text_bytes());
	s = (struct st_str){ copy->bytes + 8, strnlen(copy->bytes + 8, st_program.maxstringlen - 1) };
	st_assign((struct st_strvar *)g->slot, s);
}

/* Writes a string or a statistic of so many BYTES to the kernel's words, unless that is what they were BEFORE. */
static void give_bytes(unsigned global, const char *now, const char *before, unsigned bytes)
{
	if (!before || memcmp(now, before, bytes))
		memcpy(handlers->words + handlers->plan->globals[global].at, now, bytes);
}

static void give_text(unsigned global, struct st_str s, const char *before)
{
	unsigned bytes = text_bytes();
	char *text = calloc(1, bytes);

	if (!text)
		return;
	*(uint64_t *)text = s.len;
	memcpy(text + 8, s.p, s.len);
	give_bytes(global, text, before, bytes);
	free(text);
}

static void give_statistic(struct st_ctx *c, unsigned global, const char *before)
{
	const struct st_global *g = &st_program.globals[global];
	unsigned bytes = encoded_bytes(&g->stat);
	char *words = calloc(1, bytes);
	bool locked;

	if (!words)
		return;
	encode_statistic(words, st_agg_merge(c, *(struct st_agg **)g->slot), &g->stat);
	locked = lock_statistic(global);
	give_bytes(global, words, before, bytes);
	if (locked)
		unlock_statistic(global);
	free(words);
}

/* Writes a scalar to the kernel's words if it differs from COPY, NULL: whatever it is. */
static void give_scalar(struct st_ctx *c, unsigned global, const struct copy *copy)
{
	const struct st_global *g = &st_program.globals[global];

	if (meaning(global)->type == IR_STRING)
		give_text(global, ((const struct st_strvar *)g->slot)->s, copy ? copy->bytes : NULL);
	else if (meaning(global)->type == IR_STATISTIC)
		give_statistic(c, global, copy ? copy->bytes : NULL);
	else if (!copy || number_of(g) != copy->number)
		*(st_long *)(handlers->words + handlers->plan->globals[global].at) = number_of(g);
}

static void take_owned(struct st_ctx *c, unsigned global)
{
	const struct bpf_global *g = &handlers->plan->globals[global];
	struct copy *copy = &copies[global];
	struct st_map *m;

	if (!meaning(global)->keys.n) {
		take_scalar(c, global, copy);
		return;
	}
	m = *(struct st_map **)st_program.globals[global].slot;
	elements_free(&copy->elements);
	if (!elements_read(&copy->elements, handlers, global, handlers->maps[g->map], false))
		return;
	st_map_clear(c, m);
	elements_add(c, &copy->elements, m);
}

static void give_owned(struct st_ctx *c, unsigned global, struct copy *copy)
{
	const struct bpf_global *g = &handlers->plan->globals[global];
	struct elements none = { 0 };

	if (meaning(global)->keys.n)
		elements_write(c, copy ? &copy->elements : &none, handlers, global, handlers->maps[g->map]);
	else
		give_scalar(c, global, copy);
}

/* ---- around handlers -------------------------------------------------------------------- */

static void take(struct st_ctx *c, unsigned probe)
{
	const struct bpf_plan *p = handlers->plan;
	bool added = false;

	for (size_t i = 0; i < uses[probe].n; i++) {
		unsigned global = uses[probe].v[i].global;

		added |= p->globals[global].share == BPF_ADDED;
		if (p->globals[global].share == BPF_OWNED)
			take_owned(c, global);
	}
	if (added)
		drain(c);
}

/* An error of the handler is set aside meanwhile. */
static void give(struct st_ctx *c, unsigned probe)
{
	const struct bpf_plan *p = handlers->plan;
	struct st_pending pending = { .error = NULL };

	if (c->error)
		st_set_aside(c, &pending);
	for (size_t i = 0; i < uses[probe].n; i++) {
		const struct use *use = &uses[probe].v[i];

		if (use->changes && p->globals[use->global].share == BPF_OWNED)
			give_owned(c, use->global, &copies[use->global]);
	}
	if (pending.error)
		st_take_back(c, &pending);
}

void share_with(struct handlers *h)
{
	static const struct run_sharing sharing = { .take = take, .give = give };

	run_share(h ? &sharing : NULL);
}

static void give_everything(struct st_ctx *c)
{
	for (size_t i = 0; i < handlers->plan->ir->globals.n; i++)
		if (handlers->plan->globals[i].share == BPF_OWNED)
			give_owned(c, i, NULL);
}

static void take_everything(struct st_ctx *c)
{
	for (size_t i = 0; i < handlers->plan->ir->globals.n; i++)
		if (handlers->plan->globals[i].share == BPF_OWNED)
			take_owned(c, i);
	drain(c);
	if (handlers->plan->waits)
		drain(c);		/* the half that was left as it was */
}

/* Runs a function as a handler: what reads and changes variables needs a handler's context. */
static void as_handler(void (*run)(struct st_ctx *c))
{
	const struct st_probe probe = { .handler = run, .budget = LONG_MAX, .where = "" };
	const struct st_point point = { .probe = &probe, .pp = "the session" };

	st_engine_run(&point, st_state);
}

void give_all(struct handlers *h)
{
	handlers = h;
	find_uses(h->plan->ir);
	copies = arena_alloc((h->plan->ir->globals.n + 1) * sizeof(*copies));
	as_handler(give_everything);
}

void take_all(struct handlers *h)
{
	handlers = h;
	as_handler(take_everything);
	for (size_t i = 0; i < h->plan->ir->globals.n; i++)
		elements_free(&copies[i].elements);
}
