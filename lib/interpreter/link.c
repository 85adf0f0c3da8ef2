// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Before a program runs: formats are numbered, tuples get their places in the frame, errors' places
 * are written out, and scratch is sized.
 */
#include "base/arena.h"
#include "internal.h"

void run_each(const struct ir_block *block, void (*visit)(struct ir_op *op, void *arg), void *arg)
{
	for (size_t i = 0; block && i < block->ops.n; i++) {
		visit(block->ops.v[i], arg);
		run_each(block->ops.v[i]->blocks[0], visit, arg);
		run_each(block->ops.v[i]->blocks[1], visit, arg);
	}
}

/* Calls VISIT for each body. */
static void each_body(const struct ir_program *ir, void (*visit)(const struct ir_body *b, void *arg),
		      void *arg)
{
	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			visit(ir->functions.v[i].body, arg);
	for (size_t i = 0; i < ir->probes.n; i++) {
		visit(ir->probes.v[i].handler, arg);
		if (ir->probes.v[i].condition)
			visit(ir->probes.v[i].condition, arg);
	}
}

/* ---- what no process can do ------------------------------------------------ */

struct refusal {
	const struct ir_program *ir;
	const char *why;
};

/* An operation's meaning is the kernel's; NULL: it is not. */
static const char *kernels_own(enum ir_opcode code)
{
	switch (code) {
	case IR_KBYTES:
	case IR_UBYTES:
	case IR_KREAD:
	case IR_UREAD:
	case IR_FETCH:
	case IR_PUT:
		return "no memory of the kernel or of a probed program";
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

static void refuse(struct ir_op *op, void *arg)
{
	struct refusal *r = arg;
	const char *lacks = kernels_own(op->code);

	if (op->code == IR_CALL && r->ir->functions.v[op->symbol].written_in == IR_USERS_C)
		lacks = "no embedded C";
	if (op->code == IR_CALL && r->ir->functions.v[op->symbol].written_in == IR_BUILTIN &&
	    run_builtin_find(&r->ir->functions.v[op->symbol]) < 0)
		lacks = arena_printf("no builtin '%s'", r->ir->functions.v[op->symbol].name);
	if (lacks && !r->why)
		r->why = arena_printf("the interpreter in user space has %s%s%s%s%s", lacks,
				      op->what ? ": " : "", op->what ? op->what : "",
				      op->what ? " at " : "", op->what ? op->at : "");
}

static void refuse_in(const struct ir_body *b, void *arg)
{
	run_each(&b->block, refuse, arg);
}

const char *run_refuses(const struct ir_program *ir)
{
	struct refusal r = { .ir = ir };

	each_body(ir, refuse_in, &r);
	return r.why;
}

/* ---- formats, places, tuples ------------------------------------------------- */

struct linking {
	text_list formats;
	unsigned tuple_values;		/* of the body so far */
};

static unsigned format_number(text_list *formats, const char *text)
{
	for (size_t i = 0; i < formats->n; i++)
		if (!strcmp(formats->v[i], text))
			return i;
	vec_push(formats, text);
	return formats->n - 1;
}

static void link_op(struct ir_op *op, void *arg)
{
	struct linking *l = arg;

	if (op->what)
		op->what = arena_printf("near %s at %s", op->what, op->at);
	if (op->code == IR_PRINT)
		op->n = format_number(&l->formats, op->text);
	if (op->code == IR_TUPLE_OF) {
		op->n = l->tuple_values;
		l->tuple_values += op->args.n;
	}
}

static void link_body(const struct ir_body *b, void *arg)
{
	struct linking *l = arg;

	l->tuple_values = 0;
	run_each(&b->block, link_op, l);
}

static void count_tuple(struct ir_op *op, void *arg)
{
	if (op->code == IR_TUPLE_OF)
		*(unsigned *)arg += op->args.n;
}

unsigned run_tuple_values(const struct ir_body *b)
{
	unsigned n = 0;

	run_each(&b->block, count_tuple, &n);
	return n;
}

/* ---- scratch --------------------------------------------------------------------- */

enum { ALIGNING = 8, BUILTIN_STRINGS = 3 };

/* Bytes of one string. */
static unsigned long string_bytes(void)
{
	return run_program->st.maxstringlen + ALIGNING;
}

static unsigned long frame_bytes(const struct ir_body *b)
{
	unsigned long bytes = b->values.n * sizeof(union run_value) +
			      run_tuple_values(b) * sizeof(union st_arg) +
			      (b->locals.n + b->kept.n) * sizeof(union run_variable) + 8 * ALIGNING;

	for (size_t i = 0; i < b->locals.n; i++)
		bytes += b->locals.v[i].type == IR_STRING ? string_bytes() : 0;
	for (size_t i = 0; i < b->kept.n; i++)
		bytes += b->kept.v[i] == IR_STRING ? string_bytes() : 0;
	return bytes;
}

static unsigned long op_bytes(const struct ir_op *op)
{
	if (op->code == IR_AREA)
		return op->n * sizeof(union st_arg) + 2 * ALIGNING;
	if (op->code == IR_CALL)
		return BUILTIN_STRINGS * string_bytes();
	return ir_opcodes[op->code].traits & IR_MAKES ? string_bytes() : 0;
}

/* The most that a block holds at once; a statement gives back what it made. */
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

/* The needs of functions, with so many levels of calls below them. */
struct needs {
	unsigned long *own, *now, *next, below;
};

static void note_callee(struct ir_op *op, void *arg)
{
	struct needs *n = arg;

	if (op->code == IR_CALL)
		n->below = max(n->below, n->now[op->symbol]);
}

static unsigned long below(const struct ir_body *b, struct needs *n)
{
	n->below = 0;
	run_each(&b->block, note_callee, n);
	return n->below;
}

/* Allows one more level of calls; false: that changed nothing. */
static bool deepen(const struct ir_program *ir, struct needs *n)
{
	bool changed = false;

	for (size_t i = 0; i < ir->functions.n; i++) {
		const struct ir_body *b = ir->functions.v[i].body;

		n->next[i] = b ? n->own[i] + below(b, n) : 0;
		changed |= n->next[i] != n->now[i];
	}
	swap(n->now, n->next);
	return changed;
}

struct most {
	struct needs *needs;
	unsigned long bytes;
};

static void note_body(const struct ir_body *b, void *arg)
{
	struct most *m = arg;

	m->bytes = max(m->bytes, frame_bytes(b) + block_bytes(&b->block) + below(b, m->needs));
}

/* A handler's, and a condition's that it evaluates. */
static unsigned long scratch_of(const struct ir_program *ir)
{
	size_t bytes = (ir->functions.n + 1) * sizeof(unsigned long);
	struct needs n = { arena_alloc(bytes), arena_alloc(bytes), arena_alloc(bytes), 0 };
	struct most m = { &n, 0 };

	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].body)
			n.own[i] = frame_bytes(ir->functions.v[i].body) +
				   block_bytes(&ir->functions.v[i].body->block);
	for (unsigned level = 0; level <= run_program->st.maxnesting; level++)
		if (!deepen(ir, &n))
			break;
	each_body(ir, note_body, &m);
	return 2 * m.bytes + 2 * string_bytes();
}

unsigned long run_link(struct run_program *p)
{
	struct linking l = { .tuple_values = 0 };

	each_body(p->ir, link_body, &l);
	p->st.formats = l.formats.v;
	p->st.nformats = l.formats.n;
	return scratch_of(p->ir);
}
