// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prepares a program to run: refuses what no process can do, gives tuples their places in the
 * frame, writes out the places of errors, and sizes scratch.
 */
#include "base/arena.h"
#include "base/table.h"
#include "fetch.h"
#include "internal.h"

/* Calls VISIT for each body, once if several probes share it. */
static void each_body(const struct ir_program *ir, void (*visit)(struct ir_body *b, void *arg), void *arg)
{
	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			visit((struct ir_body *)ir->functions.v[i].body, arg);
	for (size_t i = 0; i < ir->probes.n; i++) {
		if (ir->probes.v[i].handler->number == i)
			visit(ir->probes.v[i].handler, arg);
		if (ir->probes.v[i].condition)
			visit(ir->probes.v[i].condition, arg);
	}
}

/* ---- what no process can do ------------------------------------------------ */

struct refusal {
	const struct ir_program *ir;
	const struct ir_body *body;
	bool *visited, *handlers;	/* functions and handlers that were looked at */
	bool beside_kernel;
	const char *why;
};

/* Is it the input, which the handler of an input probe fetches? */
static bool is_input(const struct term *t)
{
	return t->kind == TERM_CALL && t->n == TERM_VALUE;
}

/* Does it store the contents of a file that is read? */
static bool is_contents(const struct ir_op *op)
{
	const struct term *t = op->term;

	return t->kind == TERM_CALL && (t->n == TERM_SET_VALUE || t->n == TERM_APPEND_VALUE) &&
	       t->a->kind == TERM_STORED && op->args.v[0].type == IR_STRING;
}

/* Can what the operation fetches be had here, or beside programs that the kernel runs? */
static bool is_fetched(const struct ir_op *op, const struct refusal *r)
{
	return is_input(op->term) ||
	       (r->beside_kernel && op->args.n <= RUN_INPUTS && run_has_term(op->term, r->ir->bases.n));
}

/* Returns what an operation needs that only the kernel has, or NULL. */
static const char *kernels_own(const struct ir_op *op, const struct refusal *r)
{
	switch (op->code) {
	case IR_KBYTES:
	case IR_UBYTES:
	case IR_KREAD:
	case IR_UREAD:
		return "no memory of the kernel or of a probed program";
	case IR_PUT:
		return is_contents(op) ? NULL : "no memory of the kernel or of a probed program";
	case IR_FETCH:
		return is_fetched(op, r) ? NULL : "no memory of the kernel or of a probed program";
	case IR_KREGISTER:
	case IR_UREGISTER:
		return "no registers";
	case IR_PERF:
		return "no performance counters";
	case IR_SAVE:
	case IR_SAVED:
		return "no return probes";
	case IR_FOREIGN:
	case IR_FOREIGN_VALUE:
		return "no embedded C";
	case IR_CONSTANT:
		return "no constants of the kernel's C";
	default:
		return NULL;
	}
}

/*
 * Returns ": WHAT at AT" of the operation; in a handler that several probes share, the first
 * probe's.
 */
static const char *where(const struct refusal *r, const struct ir_op *op)
{
	const struct ir_constant *own = op->near == IR_NO_CONSTANT ? NULL :
		&r->ir->probes.v[r->body->number].constants.v[op->near];
	const char *what = own ? own->text : op->what;

	return what ? arena_printf(": %s at %s", what, own ? own->at : op->at) : "";
}

static void refuse_in(struct ir_body *b, struct refusal *r);

static void refuse(struct ir_op *op, void *arg)
{
	struct refusal *r = arg;
	const char *lacks;

	if (r->why)
		return;
	if (op->code == IR_CALL && r->ir->functions.v[op->symbol].body && !r->visited[op->symbol]) {
		r->visited[op->symbol] = true;
		refuse_in((struct ir_body *)r->ir->functions.v[op->symbol].body, r);
	}
	lacks = kernels_own(op, r);
	if (op->code == IR_CALL && r->ir->functions.v[op->symbol].written_in == IR_USERS_C)
		lacks = "no embedded C";
	if (op->code == IR_CALL && r->ir->functions.v[op->symbol].written_in == IR_BUILTIN &&
	    (run_builtin_find(&r->ir->functions.v[op->symbol]) < 0 ||
	     (run_is_beside(&r->ir->functions.v[op->symbol]) && !r->beside_kernel)))
		lacks = arena_printf("no builtin '%s'", r->ir->functions.v[op->symbol].name);
	if (lacks)
		r->why = arena_printf("the interpreter in user space has %s%s", lacks, where(r, op));
}

static void refuse_in(struct ir_body *b, struct refusal *r)
{
	const struct ir_body *around = r->body;

	r->body = b;
	ir_each(&b->block, refuse, r);
	r->body = around;
}

static const char *refuse_place(const struct ir_probe *probe, const struct ir_place *p)
{
	return p->event != IR_KERNELS ? NULL :
	       arena_printf("the interpreter in user space has no probe point '%s': at %s", p->pp,
			    probe->at);
}

static bool is_kernels(const struct ir_probe *p)
{
	return p->places.n && p->places.v[0].event == IR_KERNELS;
}

const char *run_refuses(const struct ir_program *ir, bool beside_kernel)
{
	struct refusal r = { .ir = ir, .visited = arena_alloc(ir->functions.n + 1),
			     .handlers = arena_alloc(ir->probes.n + 1),
			     .beside_kernel = beside_kernel };

	for (size_t i = 0; i < ir->probes.n && !r.why; i++) {
		const struct ir_probe *p = &ir->probes.v[i];

		if (beside_kernel && is_kernels(p)) {
			if (p->condition)		/* which is evaluated here too */
				refuse_in(p->condition, &r);
			continue;
		}
		for (size_t j = 0; j < p->places.n && !r.why; j++)
			r.why = refuse_place(p, &p->places.v[j]);
		if (!r.handlers[p->handler->number])
			refuse_in(p->handler, &r);
		r.handlers[p->handler->number] = true;
		if (p->condition)
			refuse_in(p->condition, &r);
	}
	return r.why;
}

static void note_fetch(struct ir_op *op, void *arg)
{
	bool *asks = arg;

	*asks |= op->code == IR_FETCH && !is_input(op->term);
}

bool run_asks_kernel(const struct ir_program *ir)
{
	bool asks = false;

	for (size_t i = 0; i < ir->functions.n; i++) {
		asks |= run_is_beside(&ir->functions.v[i]);
		if (ir->functions.v[i].body)
			ir_each(&ir->functions.v[i].body->block, note_fetch, &asks);
	}
	for (size_t i = 0; i < ir->probes.n; i++)
		if (!is_kernels(&ir->probes.v[i]))
			ir_each(&ir->probes.v[i].handler->block, note_fetch, &asks);
	return asks;
}

/* ---- places of errors, tuples --------------------------------------------- */

/* Bytes of all places.  A file's texts are shared, so without a bound a small one may ask for terabytes. */
enum { PLACES_MOST = 64 << 20 };

/* The places of errors, written out once, because a script may catch errors at any rate. */
struct place {
	const char *format, *what, *at;
	const char *text;
};

struct linking {
	struct table by_texts;
	vec(struct place) places;
	size_t bytes;
	size_t values;			/* that the body's tuples have so far */
};

static bool is_same_place(const struct place *a, const struct place *b)
{
	return a->format == b->format && a->what == b->what && a->at == b->at;
}

/* Returns the text of "near WHAT at AT"; FORMAT is IN_WORDS or OF_BUILTIN. */
static const char *place(struct linking *l, const char *format, const char *what, const char *at)
{
	const char *const texts[] = { format, what, at };
	uint32_t hash = table_hash(texts, sizeof(texts));
	struct place new = { .format = format, .what = what, .at = at };

	table_for_each(&l->by_texts, hash, i)
		if (is_same_place(&l->places.v[i], &new))
			return l->places.v[i].text;
	if (l->bytes < PLACES_MOST)
		l->bytes += strlen(what) + strlen(at);
	new.text = l->bytes < PLACES_MOST ? arena_printf(format, what, at) : "near a place beyond the limit of places";
	vec_push(&l->places, new);
	table_add(&l->by_texts, hash, l->places.n - 1);
	return new.text;
}

static const char in_words[] = "near %s at %s", of_builtin[] = "near identifier '%s' at %s";

static const char *place_of_builtin(struct linking *l, const struct ir_op *op)
{
	const struct ir_function *called = &run_program->ir->functions.v[op->symbol];

	return called->written_in == IR_SCRIPT ? NULL : place(l, of_builtin, called->name, called->at);
}

static void link_op(struct ir_op *op, void *arg)
{
	struct linking *l = arg;

	if (op->code == IR_CHECK_CALL)
		op->text = place_of_builtin(l, op);
	if (op->what)
		op->what = place(l, in_words, op->what, op->at);
	if (op->code == IR_TUPLE_OF) {
		op->n = l->values;
		l->values += op->args.n;
	} else if (op->code == IR_AREA) {
		op->symbol = l->values;		/* of no other use */
		l->values += op->n;
	}
}

static void link_body(struct ir_body *b, void *arg)
{
	struct linking *l = arg;

	l->values = 0;
	ir_each(&b->block, link_op, l);
	b->tuple_values = l->values;
}

/* Writes out the places of errors among P's constants. */
static void link_constants(struct linking *l, const struct ir_probe *p)
{
	for (size_t i = 0; i < p->constants.n; i++) {
		struct ir_constant *c = &p->constants.v[i];

		if (c->type == IR_VOID)
			c->text = place(l, in_words, c->text, c->at);
	}
}

/* ---- scratch --------------------------------------------------------------------- */

enum { ALIGNING = 8, BUILTIN_STRINGS = 3 };

/* Returns the bytes of one string. */
static unsigned long string_bytes(void)
{
	return run_program->st.maxstringlen + ALIGNING;
}

static unsigned long frame_bytes(const struct ir_body *b)
{
	unsigned long bytes = b->values.n * sizeof(union run_value) +
			      b->tuple_values * sizeof(union st_arg) +
			      (b->locals.n + b->kept.n) * sizeof(union run_variable) + 8 * ALIGNING;

	for (size_t i = 0; i < b->locals.n; i++)
		bytes += b->locals.v[i].type == IR_STRING ? string_bytes() : 0;
	for (size_t i = 0; i < b->kept.n; i++)
		bytes += b->kept.v[i] == IR_STRING ? string_bytes() : 0;
	return bytes;
}

static unsigned long op_bytes(const struct ir_op *op)
{
	if (op->code == IR_CALL)
		return BUILTIN_STRINGS * string_bytes();
	return ir_opcodes[op->code].traits & IR_MAKES ? string_bytes() : 0;
}

/* Returns the most scratch that a block holds at once; a statement gives back what it made. */
static unsigned long block_bytes(const struct ir_block *block)
{
	unsigned long held = 0, most = 0;

	for (size_t i = 0; block && i < block->ops.n; i++) {
		const struct ir_op *op = block->ops.v[i];
		unsigned long inner = block_bytes(op->blocks[0]) + block_bytes(op->blocks[1]);

		held += op_bytes(op);
		most = max(most, held + inner);
		held += op->code == IR_STATEMENT ? 0 : inner;
	}
	return most;
}

struct most {
	const int64_t *needs;		/* of functions, with those that they call */
	unsigned long bytes;
};

static void note_body(struct ir_body *b, void *arg)
{
	struct most *m = arg;

	m->bytes = max(m->bytes, frame_bytes(b) + block_bytes(&b->block) + (unsigned long)ir_need_below(b, m->needs));
}

/* Returns the scratch that a handler needs, with a condition that it evaluates. */
static unsigned long scratch_of(const struct ir_program *ir)
{
	int64_t *own = arena_alloc((ir->functions.n + 1) * sizeof(*own));
	struct most m = { 0 };

	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			own[i] = frame_bytes(ir->functions.v[i].body) +
				 block_bytes(&ir->functions.v[i].body->block);
	m.needs = ir_needs(ir, own);
	each_body(ir, note_body, &m);
	return 2 * m.bytes + 2 * string_bytes();
}

unsigned long run_link(struct run_program *p)
{
	struct linking l = { 0 };

	each_body(p->ir, link_body, &l);
	for (size_t i = 0; i < p->ir->probes.n; i++)
		link_constants(&l, &p->ir->probes.v[i]);
	return scratch_of(p->ir);
}
