// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does an intermediate program mean something?
 *
 * One walk over each body's tree.  A value is in one of three states:
 *
 *	NEW		nothing has declared it, or its block has ended
 *	DECLARED	by a region around: operations inside define it
 *	DEFINED		it may be used
 *
 * so the states need no copies where the way divides: a value ends with its block, and
 * what a region declares is looked at where each of its blocks ends.
 *
 * A slice of an element and an element's statistic remember how often their global
 * had been changed, or accessed, when they were made.  If it has been since, they are
 * no longer valid.  A call of the script's own functions may change any global.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/bounds.h"
#include "base/arena.h"
#include "ir/ir.h"

enum state { NEW, DECLARED, DEFINED };

struct value {
	enum state state;
	bool has_source;		/* it is a slice, or a statistic, of 'global' */
	unsigned global, version;	/* the global, and its number then */
	bool *strings;			/* a tuple's values: is each a string? */
	size_t n;
};

struct verifier {
	const struct ir_program *program;
	const struct ir_body *body;
	struct value *values;
	unsigned *changes, *accesses;	/* by global */
	vec(unsigned) declared;		/* values of open blocks, innermost last */
	vec(const struct ir_op *) regions;	/* those around, outermost first */
	const struct ir_op *catches;	/* the innermost that does */
	const struct ir_op *failed;	/* what may have failed, unchecked; or NULL */
	bool reachable;
	unsigned number;		/* of the operation */
	const struct ir_op *op;
	const char *wrong;		/* the first fault, or NULL */
};

static void complain(struct verifier *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void complain(struct verifier *v, const char *fmt, ...)
{
	va_list ap;

	if (v->wrong)
		return;
	va_start(ap, fmt);
	v->wrong = arena_vprintf(fmt, ap);
	va_end(ap);
	if (v->op)
		v->wrong = arena_printf("operation %u (%s): %s", v->number,
					ir_opcodes[v->op->code].name, v->wrong);
	v->wrong = arena_printf("%s: %s", ir_body_name(v->body), v->wrong);
}

/* ---- operands ---------------------------------------------------------- */

static void check_value(struct verifier *v, unsigned index, enum ir_type type)
{
	const struct value *value;

	if (index >= v->body->values.n) {
		complain(v, "there is no value %%%u", index);
		return;
	}
	value = &v->values[index];
	if (v->body->values.v[index] != type)
		complain(v, "value %%%u is no %s", index, ir_type_name(type));
	else if (value->state != DEFINED)
		complain(v, "value %%%u is not defined", index);
	else if (value->has_source && type == IR_STRING &&
		 value->version != v->changes[value->global])
		complain(v, "@%s may have changed since %%%u became a slice of it",
			 v->program->globals.v[value->global].name, index);
	else if (value->has_source && type == IR_STATISTIC &&
		 value->version != v->accesses[value->global])
		complain(v, "@%s was accessed after its statistic %%%u was",
			 v->program->globals.v[value->global].name, index);
}

static const struct ir_op *loop_labelled(const struct verifier *v, unsigned label)
{
	for (size_t i = v->regions.n; i > 0; i--) {
		const struct ir_op *r = v->regions.v[i - 1];

		if ((r->code == IR_FOREACH || r->code == IR_BUCKETS) && r->label == label)
			return r;
	}
	return NULL;
}

/* A key's or element's type is what its loop gives. */
static void check_round(struct verifier *v, const struct ir_operand *o)
{
	const struct ir_op *loop = loop_labelled(v, o->of);
	enum ir_type type = IR_WORD;

	if (!loop) {
		complain(v, "no loop %u is around", o->of);
		return;
	}
	if (loop->code == IR_FOREACH) {
		const struct ir_global *g = &v->program->globals.v[loop->symbol];

		if (o->kind == IR_KEY && o->index >= g->keys.n) {
			complain(v, "@%s has no key %u", g->name, o->index);
			return;
		}
		type = o->kind == IR_KEY ? g->keys.v[o->index] : g->type;
	}
	if (o->type != type)
		complain(v, "what loop %u gives is a %s", o->of, ir_type_name(type));
}

static void check_variable(struct verifier *v, const struct ir_operand *o)
{
	size_t n = o->kind == IR_LOCAL ? v->body->locals.n
		   : o->kind == IR_GLOBAL ? v->program->globals.n : v->body->kept.n;
	enum ir_type type;

	if (o->index >= n) {
		complain(v, "there is no variable %u of this kind", o->index);
		return;
	}
	type = o->kind == IR_LOCAL ? v->body->locals.v[o->index].type
	       : o->kind == IR_GLOBAL ? v->program->globals.v[o->index].type
	       : v->body->kept.v[o->index];
	if (o->type != type)
		complain(v, "the variable is no %s", ir_type_name(o->type));
}

static void check_operand(struct verifier *v, const struct ir_operand *o)
{
	switch (o->kind) {
	case IR_ABSENT:
		break;
	case IR_NUMBER:
	case IR_LITERAL:
		if (o->type != (o->kind == IR_NUMBER ? IR_WORD : IR_STRING))
			complain(v, "a constant is no %s", ir_type_name(o->type));
		break;
	case IR_VALUE:
		check_value(v, o->index, o->type);
		break;
	case IR_SLOT:
		check_value(v, o->of, IR_TUPLE);
		break;
	case IR_LOCAL:
	case IR_GLOBAL:
	case IR_KEPT:
		check_variable(v, o);
		break;
	case IR_KEY:
	case IR_ELEMENT:
		check_round(v, o);
		break;
	}
}

static bool is_of(char letter, enum ir_type type)
{
	switch (letter) {
	case 'w':
		return type == IR_WORD;
	case 's':
		return type == IR_STRING;
	case 'S':
		return type == IR_STATISTIC;
	case 't':
		return type == IR_TUPLE;
	case 'v':
		return type != IR_TUPLE && type != IR_VOID;
	default:
		return type == IR_WORD || type == IR_STRING;
	}
}

/* The arguments of an operation against its line of ir.def. */
static void check_args(struct verifier *v, const struct ir_op *op)
{
	const char *want = ir_opcodes[op->code].args;
	size_t i = 0;

	for (; *want && *want != '*'; want++, i++) {
		bool optional = want[1] == '?';

		if (i >= op->args.n || op->args.v[i].kind == IR_ABSENT) {
			if (!optional)
				complain(v, "argument %zu is missing", i);
		} else if (!is_of(*want, op->args.v[i].type)) {
			complain(v, "argument %zu is a %s", i, ir_type_name(op->args.v[i].type));
		}
		want += optional;
	}
	if (!*want && i < op->args.n)
		complain(v, "it takes %zu arguments, not %zu", i, op->args.n);
	for (size_t j = 0; j < op->args.n; j++)
		check_operand(v, &op->args.v[j]);
}

/* ---- symbols ----------------------------------------------------------- */

static void check_same(struct verifier *v, enum ir_type is, enum ir_type want, const char *what)
{
	if (is != want)
		complain(v, "%s is a %s, not a %s", what, ir_type_name(is), ir_type_name(want));
}

static void check_call(struct verifier *v, const struct ir_op *op)
{
	const struct ir_function *f = &v->program->functions.v[op->symbol];

	if (op->args.n != f->params.n) {
		complain(v, "%s() takes %zu arguments, not %zu", f->name, f->params.n, op->args.n);
		return;
	}
	for (size_t i = 0; i < op->args.n; i++)
		check_same(v, op->args.v[i].type, f->params.v[i], "an argument");
	if (f->type == IR_VOID && op->result != IR_NO_VALUE)
		complain(v, "%s() has no result", f->name);
}

/* The last argument of what assigns is of the variable's type. */
static void check_assigned(struct verifier *v, const struct ir_op *op, enum ir_type type)
{
	if (strchr(ir_opcodes[op->code].args, 'x') && op->args.n)
		check_same(v, op->args.v[op->args.n - 1].type, type, "what is assigned");
}

/* Is a global an array or not, as the operation has it? */
static void check_shape(struct verifier *v, const struct ir_op *op)
{
	const struct ir_global *g = &v->program->globals.v[op->symbol];
	bool keyed = strchr(ir_opcodes[op->code].args, 't') || op->code == IR_CLEAR;

	if (op->code == IR_BUCKET || op->code == IR_PRINT_HIST || op->code == IR_PRINT_BUCKETS ||
	    op->code == IR_FORMAT_HIST || op->code == IR_BUCKETS) {
		check_same(v, g->type, IR_STATISTIC, g->name);
		return;
	}
	if (keyed != (g->keys.n > 0))
		complain(v, "@%s is %s array", g->name, keyed ? "no" : "an");
	if (op->code == IR_GET && op->result != IR_NO_VALUE)
		check_same(v, v->body->values.v[op->result], g->type, "the result");
	if (op->code == IR_LOAD)
		check_same(v, g->type, IR_WORD, g->name);
	check_assigned(v, op, g->type);
}

static void check_symbol(struct verifier *v, const struct ir_op *op)
{
	static const char *const names[] = {
		[IR_OF_GLOBAL] = "global", [IR_OF_LOCAL] = "local", [IR_OF_FUNCTION] = "function",
		[IR_OF_REGEX] = "pattern", [IR_OF_KEPT] = "kept value", [IR_OF_SAVED] = "saved value",
	};
	const struct ir_body *b = v->body;
	enum ir_symbol of = ir_opcodes[op->code].symbol;
	const size_t sizes[] = {
		[IR_OF_GLOBAL] = v->program->globals.n, [IR_OF_LOCAL] = b->locals.n,
		[IR_OF_FUNCTION] = v->program->functions.n, [IR_OF_REGEX] = v->program->regexes.n,
		[IR_OF_KEPT] = b->kept.n, [IR_OF_SAVED] = UINT32_MAX,
	};

	if (of == IR_OF_NOTHING)
		return;
	if (op->symbol >= sizes[of])
		complain(v, "there is no %s %u", names[of], op->symbol);
	else if (of == IR_OF_GLOBAL)
		check_shape(v, op);
	else if (of == IR_OF_LOCAL)
		check_assigned(v, op, b->locals.v[op->symbol].type);
	else if (of == IR_OF_KEPT)
		check_assigned(v, op, b->kept.v[op->symbol]);
	else if (op->code == IR_CALL)
		check_call(v, op);
}

/* ---- ways -------------------------------------------------------------- */

static const struct ir_op *innermost_loop(const struct verifier *v)
{
	for (size_t i = v->regions.n; i > 0; i--)
		if (ir_opcodes[v->regions.v[i - 1]->code].traits & IR_LOOPS)
			return v->regions.v[i - 1];
	return NULL;
}

static void check_way(struct verifier *v, const struct ir_op *op)
{
	if (!(ir_opcodes[op->code].traits & IR_TAKES_WAY))
		return;
	if (op->code != IR_BREAK && op->code != IR_CONTINUE && op->code != IR_EXIT_UNLESS) {
		if (op->way != v->catches)
			complain(v, "its way out is not the innermost region that catches");
	} else if (!op->way) {
		complain(v, "it is in no loop");
	} else if (op->way != innermost_loop(v)) {
		complain(v, "it leaves a loop that is not the innermost");
	}
}

/* A failure is checked before its block ends or divides. */
static void check_checked(struct verifier *v)
{
	const struct ir_op *op = v->op;

	if (!v->failed)
		return;
	v->op = v->failed;
	complain(v, "it may fail, and no check follows");
	v->op = op;
	v->failed = NULL;
}

static void note_failure(struct verifier *v, const struct ir_op *op)
{
	unsigned traits = ir_opcodes[op->code].traits;

	if (op->code == IR_CHECK || op->code == IR_CHECK_CALL)
		v->failed = NULL;
	if (traits & (IR_REGION | IR_LEAVES))
		check_checked(v);
	else if (op->may_fail)
		v->failed = op;
}

static bool is_inside(const struct verifier *v, enum ir_opcode code)
{
	for (size_t i = 0; i < v->regions.n; i++)
		if (v->regions.v[i]->code == code)
			return true;
	return false;
}

/* Locks are taken where nothing catches or repeats, and never within each other. */
static void check_locked(struct verifier *v)
{
	if (v->body->kind != IR_HANDLER || !v->body->locks.n)
		complain(v, "this body has no locks to take");
	for (size_t i = 0; i < v->regions.n; i++)
		if (v->regions.v[i]->code != IR_IF)
			complain(v, "locks are taken inside '%s'",
				 ir_opcodes[v->regions.v[i]->code].name);
}

/* What only some kinds of bodies and places have. */
static void check_place(struct verifier *v, const struct ir_op *op)
{
	enum ir_body_kind kind = v->body->kind;

	if (op->code == IR_LOCKED)
		check_locked(v);
	if (op->code == IR_RETURN && kind != IR_FUNCTION)
		complain(v, "only functions return");
	if (op->code == IR_RETURN && op->args.n)
		check_same(v, op->args.v[0].type, v->body->type, "the result");
	if (op->code == IR_NEXT && kind != IR_FUNCTION && kind != IR_HANDLER)
		complain(v, "neither a handler nor a function");
	if (op->code == IR_SAVE && kind != IR_ENTRY)
		complain(v, "only entries save values");
	if (op->code == IR_ARM && kind != IR_CONDITION)
		complain(v, "only conditions arm probes");
	if (op->code == IR_REWIND && !is_inside(v, IR_STATEMENT))
		complain(v, "it is in no statement");
	if ((op->code == IR_FETCH || op->code == IR_PUT) && !op->term)
		complain(v, "it has no term");
}

/* ---- tuples and formats ------------------------------------------------ */

static bool *kinds_of(const ir_operands *args)
{
	bool *strings = arena_alloc(args->n + 1);

	for (size_t i = 0; i < args->n; i++)
		strings[i] = args->v[i].type == IR_STRING;
	return strings;
}

/* What the tuples hold that FORMAT formats. */
static void note_tuple(struct verifier *v, const struct ir_op *op)
{
	struct value *area;

	if (op->code == IR_TUPLE_OF || op->code == IR_AREA) {
		area = &v->values[op->result];
		area->n = op->code == IR_AREA ? op->n : op->args.n;
		area->strings = op->code == IR_AREA ? arena_alloc(op->n + 1) : kinds_of(&op->args);
	} else if (op->code == IR_HOLD) {
		area = &v->values[op->args.v[0].index];
		if (op->n < area->n)
			area->strings[op->n] = op->args.v[1].type == IR_STRING;
		else
			complain(v, "the area has %zu places", area->n);
	}
}

static void check_format(struct verifier *v, const struct ir_op *op)
{
	const struct value *tuple;
	bool fits;

	if (op->code == IR_PRINT) {
		fits = op->text && ir_format_fits(op->text, kinds_of(&op->args), op->args.n);
	} else if (op->code == IR_FORMAT) {
		tuple = &v->values[op->args.v[0].index];
		fits = op->text && op->n <= tuple->n &&
		       ir_format_fits(op->text, tuple->strings, op->n);
	} else {
		return;
	}
	if (!fits)
		complain(v, "the format does not fit its values");
}

/* ---- values ------------------------------------------------------------ */

static void check_result(struct verifier *v, const struct ir_op *op)
{
	const struct ir_opcode_info *info = &ir_opcodes[op->code];
	bool optional = op->code == IR_CALL || info->traits & IR_REGION;

	if (op->result == IR_NO_VALUE) {
		if (info->result != '-' && !optional)
			complain(v, "it has no result");
		return;
	}
	if (op->result >= v->body->values.n)
		complain(v, "there is no value %%%u", op->result);
	else if (info->result == '-')
		complain(v, "it gives no value");
	else if (!is_of(info->result, v->body->values.v[op->result]))
		complain(v, "its result is no %s", ir_type_name(v->body->values.v[op->result]));
	else if (v->values[op->result].state == DEFINED && !(info->traits & IR_AGAIN))
		complain(v, "value %%%u is defined already", op->result);
	else if (v->values[op->result].state != DEFINED && op->code == IR_PASSED)
		complain(v, "value %%%u is not defined", op->result);
}

static void declare(struct verifier *v, unsigned value)
{
	if (v->values[value].state == NEW)
		vec_push(&v->declared, value);
}

/* What the value is a slice or statistic of. */
static void note_source(struct verifier *v, const struct ir_op *op)
{
	struct value *value = &v->values[op->result];

	value->has_source = false;
	if (op->code == IR_GET || op->code == IR_STAT || op->code == IR_STAT_AT) {
		value->has_source = true;
		value->global = op->symbol;
		value->version = op->code == IR_GET ? v->changes[op->symbol]
						    : v->accesses[op->symbol];
	} else if (op->code == IR_COPY && op->args.v[0].kind == IR_GLOBAL) {
		value->has_source = true;
		value->global = op->args.v[0].index;
		value->version = v->changes[value->global];
	} else if (op->code == IR_COPY && op->args.v[0].kind == IR_VALUE) {
		const struct value *from = &v->values[op->args.v[0].index];

		value->has_source = from->has_source;
		value->global = from->global;
		value->version = from->version;
	}
}

static void define(struct verifier *v, const struct ir_op *op)
{
	if (op->result == IR_NO_VALUE || v->wrong)
		return;
	declare(v, op->result);
	v->values[op->result].state = DEFINED;
	note_source(v, op);
}

/* What the operation changes and accesses. */
static void note_changes(struct verifier *v, const struct ir_op *op)
{
	const struct ir_opcode_info *info = &ir_opcodes[op->code];

	if (op->code == IR_CALL && v->program->functions.v[op->symbol].written_in == IR_SCRIPT) {
		for (size_t i = 0; i < v->program->globals.n; i++) {
			v->changes[i]++;
			v->accesses[i]++;
		}
	}
	if (info->symbol != IR_OF_GLOBAL)
		return;
	v->changes[op->symbol] += (info->traits & IR_WRITES) != 0;
	v->accesses[op->symbol] += !strchr(info->args, 'S');
}

/* ---- blocks ------------------------------------------------------------ */

static void verify_op(struct verifier *v, const struct ir_op *op);

/* Walks a block; its values end with it.  Returns whether its end is reached. */
static bool verify_block(struct verifier *v, const struct ir_block *block)
{
	size_t outer = v->declared.n;

	v->reachable = true;
	for (size_t i = 0; i < block->ops.n && !v->wrong; i++)
		verify_op(v, block->ops.v[i]);
	check_checked(v);
	for (; v->declared.n > outer; v->declared.n--)
		v->values[v->declared.v[v->declared.n - 1]].state = NEW;
	return v->reachable;
}

/* At the end of one of OP's blocks: has it defined what OP declares?  What may be defined again has a
 * value without that. */
static void check_defined(struct verifier *v, const struct ir_op *op, bool reached)
{
	struct value *value;

	if (op->result == IR_NO_VALUE || v->wrong)
		return;
	value = &v->values[op->result];
	v->op = op;
	if (reached && value->state != DEFINED && !(ir_opcodes[op->code].traits & IR_AGAIN))
		complain(v, "a way through leaves value %%%u undefined", op->result);
	value->state = DECLARED;
}

/* Before a region's block: its result. */
static void declare_result(struct verifier *v, const struct ir_op *op)
{
	if (op->result == IR_NO_VALUE)
		return;
	declare(v, op->result);
	v->values[op->result].state = op->code == IR_BUCKETS ? DEFINED : DECLARED;
}

/* The blocks of a region. */
static void verify_region(struct verifier *v, const struct ir_op *op)
{
	const struct ir_op *catches = v->catches;
	unsigned traits = ir_opcodes[op->code].traits;
	bool reached, other = !op->blocks[1] || traits & IR_LOOPS;

	if (op->code == IR_STATEMENT && op->result != IR_NO_VALUE &&
	    v->body->values.v[op->result] != IR_WORD)
		complain(v, "its strings end with it");
	if ((op->code == IR_TRY) > (op->blocks[1] != NULL))
		complain(v, "it has nothing that catches");
	declare_result(v, op);
	vec_push(&v->regions, op);
	if (traits & IR_CATCHES)
		v->catches = op;
	reached = verify_block(v, op->blocks[0]);
	check_defined(v, op, reached);
	if (op->code != IR_FOREACH)
		v->catches = catches;
	if (op->blocks[1]) {
		other = verify_block(v, op->blocks[1]);
		check_defined(v, op, other);
	}
	v->catches = catches;
	v->regions.n--;
	v->reachable = reached || other || traits & (IR_LOOPS | IR_CATCHES);
	if (op->result != IR_NO_VALUE && !v->wrong)
		v->values[op->result].state = op->code == IR_BUCKETS ? NEW : DEFINED;
}

static void verify_op(struct verifier *v, const struct ir_op *op)
{
	v->op = op;
	v->number++;
	check_args(v, op);
	check_symbol(v, op);
	check_result(v, op);
	check_way(v, op);
	check_place(v, op);
	note_failure(v, op);
	if (v->wrong)
		return;
	check_format(v, op);
	note_changes(v, op);
	if (ir_opcodes[op->code].traits & IR_REGION)
		verify_region(v, op);
	else
		define(v, op);
	note_tuple(v, op);
	if (ir_opcodes[op->code].traits & IR_LEAVES)
		v->reachable = false;
}

static const char *verify_body(const struct ir_program *p, const struct ir_body *b)
{
	struct verifier v = { .program = p, .body = b };

	if (!b)
		return NULL;
	v.values = arena_alloc((b->values.n + 1) * sizeof(*v.values));
	v.changes = arena_alloc((p->globals.n + 1) * sizeof(*v.changes));
	v.accesses = arena_alloc((p->globals.n + 1) * sizeof(*v.accesses));
	for (size_t i = 0; i < b->locks.n; i++)
		if (b->locks.v[i].global >= p->globals.n)
			complain(&v, "it locks global %u, which there isn't", b->locks.v[i].global);
	if (!v.wrong)
		verify_block(&v, &b->block);
	return v.wrong;
}

/* ---- tables ------------------------------------------------------------ */

static const char *out_of_bounds(const char *what, int64_t n)
{
	return arena_printf("%s (%" PRId64 ") is out of bounds", what, n);
}

/* An engine allocates by these numbers, and divides by some. */
static const char *verify_limits(const struct ir_limits *l)
{
	const struct { const char *what; int64_t n, least, most; } bounds[] = {
		{ "the length of strings", l->string, ST_STRING_LEAST, ST_STRING_MOST },
		{ "the nesting of calls", l->nesting, 1, ST_NESTING_MOST },
		{ "the number of errors", l->errors, 0, UINT32_MAX },
		{ "the number of skipped probes", l->skipped, 0, UINT32_MAX },
		{ "the size of arrays", l->entries, 1, ST_ENTRIES_MOST },
		{ "the statements of a handler", l->action, 0, INT64_MAX },
		{ "the statements of a handler", l->action_interruptible, 0, INT64_MAX },
		{ "the tries for a lock", l->trylock, 0,
		  l->untimed ? ST_TRIES_UNTIMED : ST_TRIES_MOST },
		{ "the time between looks at the load", l->overload_interval, 1, INT64_MAX },
		{ "the most load", l->overload_threshold, 0, INT64_MAX },
		{ "the number of calls followed to their return", l->kretactive, 0,
		  ST_ACTIVE_MOST },
		{ "the width of a histogram", l->hist_width, 1, ST_HIST_WIDTH_MOST },
		{ "the rows beside a histogram's gap", l->hist_elision, INT32_MIN, INT32_MAX },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (bounds[i].n < bounds[i].least || bounds[i].n > bounds[i].most)
			return out_of_bounds(bounds[i].what, bounds[i].n);
	return NULL;
}

static const char *verify_shape(const struct ir_shape *s)
{
	if (s->extracts >> (IR_VARIANCE + 1))
		return out_of_bounds("what is extracted", s->extracts);
	if (s->shift > ST_SHIFT_MOST)
		return out_of_bounds("the fraction of a variance", s->shift);
	if (s->hist > IR_LINEAR)
		return out_of_bounds("the kind of its histogram", s->hist);
	if (s->hist != IR_LINEAR)
		return NULL;
	if (s->step < 1)
		return out_of_bounds("its histogram's step", s->step);
	if (s->hi <= s->lo ||
	    ((uint64_t)s->hi - (uint64_t)s->lo) / s->step >= ST_BUCKETS_MOST)
		return out_of_bounds("its histogram's end", s->hi);
	return NULL;
}

static const char *verify_array(const struct ir_global *g)
{
	if (g->keys.n > ST_MAX_KEYS)
		return out_of_bounds("the number of keys", g->keys.n);
	for (size_t i = 0; i < g->keys.n; i++)
		if (g->keys.v[i] != IR_WORD && g->keys.v[i] != IR_STRING)
			return "a key is neither a word nor a string";
	if (g->entries < 1 || g->entries > ST_ENTRIES_MOST)
		return out_of_bounds("its size", g->entries);
	return NULL;
}

static const char *verify_global(const struct ir_program *p, const struct ir_global *g)
{
	const char *wrong = NULL;

	if (g->type != IR_WORD && g->type != IR_STRING && g->type != IR_STATISTIC)
		wrong = "it is neither a word, a string nor a statistic";
	else if (g->percpu && g->type == IR_STRING)
		wrong = "a string is not kept in parts";
	else if (g->keys.n)
		wrong = verify_array(g);
	else if (g->type == IR_STRING && !g->text)
		wrong = "it has no initial value";
	else if (g->type == IR_STRING && strlen(g->text) >= (size_t)p->limits.string)
		wrong = "its initial value is too long";
	if (!wrong && g->type == IR_STATISTIC)
		wrong = verify_shape(&g->shape);
	return wrong ? arena_printf("@%s: %s", g->name, wrong) : NULL;
}

static const char *verify_tables(const struct ir_program *p)
{
	const char *wrong = verify_limits(&p->limits);

	for (size_t i = 0; i < p->globals.n && !wrong; i++)
		wrong = verify_global(p, &p->globals.v[i]);
	return wrong;
}

const char *ir_verify(const struct ir_program *p)
{
	const char *wrong = verify_tables(p);

	for (size_t i = 0; i < p->functions.n && !wrong; i++)
		wrong = verify_body(p, p->functions.v[i].body);
	for (size_t i = 0; i < p->probes.n && !wrong; i++) {
		const struct ir_probe *probe = &p->probes.v[i];
		const struct ir_body *const bodies[] = {
			probe->condition, probe->entry, probe->handler
		};

		for (size_t j = 0; j < sizeof(bodies) / sizeof(bodies[0]) && !wrong; j++)
			wrong = verify_body(p, bodies[j]);
	}
	return wrong;
}
