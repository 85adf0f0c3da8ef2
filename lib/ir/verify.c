// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verifies the bodies of an intermediate program.
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
 *
 * A handler that several probes share is walked with the first one's constants.  What it does with each
 * is noted (struct use), and the others' constants are compared with that.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "ir/ir.h"
#include "ir/verify.h"

enum state { NEW, DECLARED, DEFINED };

struct value {
	enum state state;
	bool has_source;		/* it is a slice, or a statistic, of 'global' */
	unsigned global, version;	/* the global, and its number then */
	vec(enum ir_type) kinds;	/* a tuple's values: IR_VOID for '*'; an area's, as HOLD stores them */
	size_t n;			/* how many it has, or is to have */
	const char *letters;		/* the same, as ir_letters(), once a format needs them */
};

/* What a handler does with a constant of its probe. */
struct use {
	const struct ir_op *op;		/* the first that uses it; NULL: none does */
	unsigned number;
	enum ir_type type;
	const char *text, *members;	/* what it takes as a format, and as one's members; or NULL */
	bool needs_members;
};

typedef vec(struct use) use_list;

/* What is known of the program, while body after body is verified. */
struct known {
	const struct ir_program *program;
	unsigned *changes, *accesses;	/* by global; they only grow */
	unsigned calls;			/* of functions that may change, and access, any global */
	struct ir_formats formats;
	use_list *uses;			/* of handlers, by their numbers */
};

struct verifier {
	const struct ir_program *program;
	const struct ir_body *body;
	const struct ir_probe *probe;	/* whose constants the body has, or NULL */
	struct known *known;
	use_list *uses;			/* a handler's */
	struct value *values;
	size_t unfilled;		/* values of areas that HOLD has not stored */
	vec(unsigned) declared;		/* values of open blocks, innermost last */
	vec(const struct ir_op *) regions;	/* the regions around, outermost first */
	const struct ir_op *catches;	/* the innermost that does */
	const struct ir_op *failed;	/* the operation whose failure is not checked yet, or
					   NULL */
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

/* ---- globals ----------------------------------------------------------- */

/* Return a number that differs from an earlier one if the global may have changed, or been accessed, since. */
static unsigned changes_of(const struct verifier *v, unsigned global)
{
	return v->known->changes[global] + v->known->calls;
}

static unsigned accesses_of(const struct verifier *v, unsigned global)
{
	return v->known->accesses[global] + v->known->calls;
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
		 value->version != changes_of(v, value->global))
		complain(v, "@%s may have changed since %%%u became a slice of it",
			 v->program->globals.v[value->global].name, index);
	else if (value->has_source && type == IR_STATISTIC &&
		 value->version != accesses_of(v, value->global))
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

/* Checks that a key or element has the type that its loop gives. */
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
	else if (o->kind == IR_GLOBAL && (type != IR_STRING || v->program->globals.v[o->index].keys.n))
		complain(v, "only strings are read where they are");
}

/* Checks that HOLD has stored the value of an area. */
static void check_slot(struct verifier *v, const struct ir_operand *o)
{
	const struct value *area = &v->values[v->wrong ? 0 : o->of];

	if (v->wrong)
		return;
	if (o->index >= area->n)
		complain(v, "the area has %zu places", area->n);
	else if (o->type == IR_VOID || o->index >= area->kinds.n || area->kinds.v[o->index] != o->type)
		complain(v, "the area holds no %s there", ir_type_name(o->type));
}

/* Notes that the handler uses constant INDEX.  Returns what it does with it. */
static struct use *note_use(struct verifier *v, unsigned index, enum ir_type type)
{
	struct use *use;

	while (v->uses->n <= index)
		vec_push(v->uses, (struct use){ 0 });
	use = &v->uses->v[index];
	if (!use->op)
		*use = (struct use){ .op = v->op, .number = v->number, .type = type };
	return use;
}

/* Returns the probe's constant if it is of this type, or NULL. */
static const struct ir_constant *own(struct verifier *v, unsigned index, enum ir_type type)
{
	const struct ir_constant *c;

	if (!v->probe || index >= v->probe->constants.n) {
		complain(v, "the probe has no constant %u", index);
		return NULL;
	}
	c = &v->probe->constants.v[index];
	if (c->type != type)
		complain(v, "constant %u of probe %zu is no %s", index,
			 (size_t)(v->probe - v->program->probes.v),
			 type == IR_VOID ? "place" : ir_type_name(type));
	if (c->type != type)
		return NULL;
	note_use(v, index, type);
	return c;
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
	case IR_OWN:
		own(v, o->index, o->type);
		break;
	case IR_VALUE:
		check_value(v, o->index, o->type);
		break;
	case IR_SLOT:
		check_value(v, o->of, IR_TUPLE);
		check_slot(v, o);
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

/* Checks the arguments of an operation against its line of ir.def. */
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
	if ((op->code == IR_FOREACH || op->code == IR_BUCKETS) && op->args.n != 2)
		complain(v, "it takes 2 arguments, of which some may be absent");
	for (; *want && i < op->args.n; i++)
		if (op->args.v[i].kind == IR_ABSENT ? op->code != IR_TUPLE_OF
						    : !is_of('x', op->args.v[i].type))
			complain(v, "argument %zu is neither a word nor a string", i);
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
	if (op->result < v->body->values.n)
		check_same(v, v->body->values.v[op->result], f->type, "the result");
}

/* Checks that the last argument of an assignment is of the variable's type. */
static void check_assigned(struct verifier *v, const struct ir_op *op, enum ir_type type)
{
	if (strchr(ir_opcodes[op->code].args, 'x') && op->args.n)
		check_same(v, op->args.v[op->args.n - 1].type, type, "what is assigned");
}

/*
 * Returns the type that the operation expects of the global's value or elements; TYPE itself if it
 * takes any.
 */
static enum ir_type element_of(enum ir_opcode code, enum ir_type type)
{
	switch (code) {
	case IR_LOAD:
	case IR_PLUS:
	case IR_MINUS:
	case IR_PLUS_AT:
	case IR_MINUS_AT:
		return IR_WORD;
	case IR_RECORD:
	case IR_RECORD_AT:
	case IR_STAT:
	case IR_STAT_AT:
	case IR_CLEAR_STAT:
		return IR_STATISTIC;
	default:
		return type;
	}
}

/* Checks that the keys of an access are of the array's types, or '*'. */
static void check_keys(struct verifier *v, const struct ir_op *op, const struct ir_global *g)
{
	const char *letter = strchr(ir_opcodes[op->code].args, 't');
	bool any = op->code == IR_HAS || op->code == IR_DELETE || op->code == IR_FOREACH;
	size_t at = op->code == IR_FOREACH ? 1 : 0;
	const struct value *tuple;

	if (!letter || v->wrong || op->args.v[at].kind == IR_ABSENT)
		return;
	tuple = &v->values[op->args.v[at].index];
	if (tuple->n != g->keys.n)
		complain(v, "@%s has %zu keys, not %zu", g->name, g->keys.n, tuple->n);
	for (size_t i = 0; i < tuple->n && !v->wrong; i++)
		if (!(any && op->n >> i & 1) && (i >= tuple->kinds.n || tuple->kinds.v[i] != g->keys.v[i]))
			complain(v, "key %zu of @%s is a %s", i, g->name, ir_type_name(g->keys.v[i]));
}

/* Returns the global that a statistic belongs to, or UINT32_MAX. */
static unsigned source_of(const struct verifier *v, const struct ir_operand *o)
{
	const struct ir_op *loop = o->kind == IR_ELEMENT ? loop_labelled(v, o->of) : NULL;

	if (loop)
		return loop->symbol;
	return o->kind == IR_VALUE && v->values[o->index].has_source ? v->values[o->index].global
								     : UINT32_MAX;
}

/* Checks that a histogram is used as its global describes it. */
static void check_hist(struct verifier *v, const struct ir_op *op, const struct ir_global *g)
{
	check_same(v, g->type, IR_STATISTIC, g->name);
	if (v->wrong)
		return;
	if (g->shape.hist == IR_NO_HIST)
		complain(v, "@%s has no histogram", g->name);
	else if (source_of(v, &op->args.v[0]) != op->symbol)
		complain(v, "the statistic is not of @%s", g->name);
}

/* Checks that a global is an array, or isn't one, as the operation requires. */
static void check_shape(struct verifier *v, const struct ir_op *op)
{
	const struct ir_global *g = &v->program->globals.v[op->symbol];
	bool keyed = strchr(ir_opcodes[op->code].args, 't') || op->code == IR_CLEAR;

	if (op->code == IR_BUCKET || op->code == IR_PRINT_HIST || op->code == IR_FORMAT_HIST ||
	    op->code == IR_BUCKETS) {
		check_hist(v, op, g);
		return;
	}
	if (keyed != (g->keys.n > 0))
		complain(v, "@%s is %s array", g->name, keyed ? "no" : "an");
	if (op->code == IR_GET && op->result < v->body->values.n)
		check_same(v, v->body->values.v[op->result], g->type, "the result");
	check_same(v, g->type, element_of(op->code, g->type), g->name);
	check_keys(v, op, g);
	check_assigned(v, op, g->type);
}

static void check_symbol(struct verifier *v, const struct ir_op *op)
{
	static const char *const names[] = {
		[IR_OF_GLOBAL] = "global", [IR_OF_LOCAL] = "local", [IR_OF_FUNCTION] = "function",
		[IR_OF_REGEX] = "pattern", [IR_OF_KEPT] = "kept value", [IR_OF_SAVED] = "saved value",
		[IR_OF_FORMAT] = "format",
	};
	const struct ir_body *b = v->body;
	enum ir_symbol of = ir_opcodes[op->code].symbol;
	const size_t sizes[] = {
		[IR_OF_GLOBAL] = v->program->globals.n, [IR_OF_LOCAL] = b->locals.n,
		[IR_OF_FUNCTION] = v->program->functions.n, [IR_OF_REGEX] = v->program->patterns.n,
		[IR_OF_KEPT] = b->kept.n, [IR_OF_SAVED] = UINT32_MAX,
		[IR_OF_FORMAT] = v->program->formats.n,
	};

	if (of == IR_OF_NOTHING || (of == IR_OF_FORMAT && op->format != IR_NO_CONSTANT))
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

/* Checks that a failure is looked at by a CHECK before its block ends or divides. */
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

/* Checks that locks are taken where nothing catches or repeats, and never within each other. */
static void check_locked(struct verifier *v)
{
	if (v->body->kind != IR_HANDLER || !v->body->locks.n)
		complain(v, "this body has no locks to take");
	for (size_t i = 0; i < v->regions.n; i++)
		if (v->regions.v[i]->code != IR_IF)
			complain(v, "locks are taken inside '%s'",
				 ir_opcodes[v->regions.v[i]->code].name);
}

static void check_order(struct verifier *v, const struct ir_op *op)
{
	const struct ir_global *g = &v->program->globals.v[op->symbol];
	const struct ir_order *o = op->order;

	if (!o || o->by < -1 || o->by > (int)g->keys.n || o->of > IR_VARIANCE)
		complain(v, "it has no order");
	else if (o->by && o->sorter >= g->sorters)
		complain(v, "@%s has no order buffer %u", g->name, o->sorter);
}

/* Must the operation have a result? */
static bool needs_result(enum ir_opcode code)
{
	return code == IR_AND_THEN || code == IR_OR_ELSE || code == IR_BUCKETS;
}

static bool needs_text(enum ir_opcode code)
{
	return code == IR_FORMAT || code == IR_RAISE || code == IR_CONSTANT;
}

/* Checks that a fetch's term gives what the operation's result is, and a store's term nothing. */
static void check_term(struct verifier *v, const struct ir_op *op)
{
	bool stores = op->code == IR_PUT;
	const char *wrong;

	if (!op->term)
		complain(v, "it has no term");
	if (v->wrong)
		return;
	wrong = ir_verify_term(&v->known->formats, op->term, op->args.n - stores);
	if (wrong)
		complain(v, "%s", wrong);
	else if (stores != (op->term->sort == SORT_STORE))
		complain(v, stores ? "its term stores nothing" : "its term gives nothing");
	else if (!stores)
		check_same(v, v->body->values.v[op->result],
			   op->term->sort == SORT_STRING ? IR_STRING : IR_WORD, "the result");
}

/* Checks the members that only some operations have. */
static void check_members(struct verifier *v, const struct ir_op *op)
{
	enum ir_operand_kind caught = op->code == IR_TRY && op->args.n ? op->args.v[0].kind : IR_LOCAL;

	if (op->code == IR_FOREACH && !v->wrong)
		check_order(v, op);
	if (op->code == IR_COPY && !v->wrong)
		check_same(v, v->body->values.v[op->result], op->args.v[0].type, "the result");
	if (op->code == IR_RETURN && op->args.n && op->args.v[0].kind == IR_ABSENT)
		complain(v, "its result is absent");
	if (needs_result(op->code) && op->result == IR_NO_VALUE)
		complain(v, "it has no result");
	if (op->near != IR_NO_CONSTANT)
		own(v, op->near, IR_VOID);
	if (op->code == IR_CHECK_CALL && !op->what && op->near == IR_NO_CONSTANT)
		complain(v, "it has no place");
	if (needs_text(op->code) && !op->text && op->format == IR_NO_CONSTANT)
		complain(v, "it has no text");
	if (op->code == IR_AREA && op->n > IR_AREA_MOST)
		complain(v, "the area is too large");
	if (op->code == IR_FETCH || op->code == IR_PUT)
		check_term(v, op);
	if (op->code == IR_EXTRACT && op->n > IR_VARIANCE)
		complain(v, "a statistic has no such value");
	if (op->blocks[1] && op->code != IR_IF && op->code != IR_TRY &&
	    !(ir_opcodes[op->code].traits & IR_LOOPS))
		complain(v, "it has one block only");
	if (caught != IR_LOCAL && caught != IR_GLOBAL)
		complain(v, "a message is assigned to a variable");
}

/* Checks that the operation is allowed in this kind of body, and at this place in it. */
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
	if (op->code == IR_STEP && op->n > INT32_MAX)
		complain(v, "it counts too many statements");
	if (op->code == IR_SAVE && kind != IR_ENTRY)
		complain(v, "only entries save values");
	if (op->code == IR_ARM && kind != IR_CONDITION)
		complain(v, "only conditions arm probes");
	if (op->code == IR_REWIND && !is_inside(v, IR_STATEMENT))
		complain(v, "it is in no statement");
}

/* ---- tuples and formats ------------------------------------------------ */

/* Stores the next value of an area.  Each way to use the area has stored all of them. */
static void hold(struct verifier *v, const struct ir_op *op, struct value *area)
{
	if (op->n != area->kinds.n || op->n >= area->n) {
		complain(v, "value %zu of the area is the next, not %u", area->kinds.n, op->n);
		return;
	}
	vec_push(&area->kinds, op->args.v[1].type);
	v->unfilled--;
}

/* Notes the types in a tuple that FORMAT formats. */
static void note_tuple(struct verifier *v, const struct ir_op *op)
{
	struct value *tuple;

	if (v->wrong)
		return;
	if (op->code == IR_TUPLE_OF || op->code == IR_AREA) {
		tuple = &v->values[op->result];
		tuple->n = op->code == IR_AREA ? op->n : op->args.n;
		tuple->kinds.n = 0;
		tuple->letters = NULL;
		for (size_t i = 0; i < op->args.n; i++)
			vec_push(&tuple->kinds, op->args.v[i].kind == IR_ABSENT ? IR_VOID : op->args.v[i].type);
		v->unfilled += tuple->n - tuple->kinds.n;
	} else if (op->code == IR_HOLD) {
		hold(v, op, &v->values[op->args.v[0].index]);
	}
}

/* Returns the letters of a tuple whose values are all there, or NULL. */
static const char *letters_of_tuple(struct value *tuple)
{
	if (!tuple->letters && tuple->kinds.n == tuple->n)
		tuple->letters = ir_letters(tuple->kinds.v, tuple->n);
	return tuple->letters;
}

/* Returns the letters of the arguments from FIRST on. */
static const char *letters_of(const ir_operands *args, size_t first)
{
	vec(enum ir_type) types = { 0 };

	for (size_t i = first; i < args->n; i++)
		vec_push(&types, args->v[i].type);
	return ir_letters(types.v, types.n);
}

/* Does constant C, as a format, take what a handler prints with it? */
static bool fits_use(struct verifier *v, const struct ir_constant *c, const struct use *use)
{
	struct ir_formats *formats = &v->known->formats;
	const struct ir_format *f;

	if (c->type == IR_STRING)
		return ir_format_takes(formats, c->text) == use->text;
	if ((uint64_t)c->number >= v->program->formats.n)
		return false;
	f = &v->program->formats.v[c->number];
	if (use->text && ir_format_takes(formats, f->text) != use->text)
		return false;
	return f->members ? ir_format_takes(formats, f->members) == use->members : !use->needs_members;
}

/* Notes that constant INDEX is the format of an operation.  Returns whether it fits. */
static bool fits_own(struct verifier *v, unsigned index, const struct ir_constant *c, const struct use *as)
{
	struct use *use = c ? note_use(v, index, c->type) : NULL;

	if (!use || !fits_use(v, c, as))
		return false;
	use->text = as->text ? as->text : use->text;
	use->members = as->members ? as->members : use->members;
	use->needs_members |= as->needs_members;
	return true;
}

static void check_format(struct verifier *v, const struct ir_op *op)
{
	struct ir_constant format = { .type = IR_WORD };
	struct use use = { 0 };
	bool fits;

	if (op->code == IR_PRINT) {
		use.text = use.members = letters_of(&op->args, 0);
		format.number = op->symbol;
	} else if (op->code == IR_PRINT_HIST) {
		use.members = letters_of(&op->args, 1);
		use.needs_members = true;
		format.number = op->n;
	} else if (op->code == IR_FORMAT) {
		struct value *tuple = &v->values[op->args.v[0].index];

		use.text = op->n == tuple->n ? letters_of_tuple(tuple) : NULL;
		format = (struct ir_constant){ .type = IR_STRING, .text = op->text };
	} else {
		if (op->format != IR_NO_CONSTANT)
			complain(v, "it has no format");
		return;
	}
	if (op->format == IR_NO_CONSTANT)
		fits = fits_use(v, &format, &use);
	else
		fits = fits_own(v, op->format, own(v, op->format, format.type), &use);
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

/* Notes what the value is a slice or statistic of. */
static void note_source(struct verifier *v, const struct ir_op *op)
{
	struct value *value = &v->values[op->result];

	value->has_source = false;
	if (op->code == IR_GET || op->code == IR_STAT || op->code == IR_STAT_AT) {
		value->has_source = true;
		value->global = op->symbol;
		value->version = op->code == IR_GET ? changes_of(v, op->symbol)
						    : accesses_of(v, op->symbol);
	} else if (op->code == IR_COPY && op->args.v[0].kind == IR_GLOBAL) {
		value->has_source = true;
		value->global = op->args.v[0].index;
		value->version = changes_of(v, value->global);
	} else if (op->code == IR_COPY && op->args.v[0].kind == IR_VALUE) {
		const struct value *from = &v->values[op->args.v[0].index];

		value->has_source = from->has_source;
		value->global = from->global;
		value->version = from->version;
	}
}

/*
 * Checks that a statistic is defined in the region that declares it, not further inside: a way around
 * that would leave the value what it was, a statistic of another shape.
 */
static void check_direct(struct verifier *v, unsigned value)
{
	if (v->values[value].state == DECLARED && v->body->values.v[value] == IR_STATISTIC &&
	    (!v->regions.n || v->regions.v[v->regions.n - 1]->result != value))
		complain(v, "a way around may leave value %%%u undefined", value);
}

static void define(struct verifier *v, const struct ir_op *op)
{
	if (op->result == IR_NO_VALUE || v->wrong)
		return;
	check_direct(v, op->result);
	declare(v, op->result);
	v->values[op->result].state = DEFINED;
	note_source(v, op);
}

/* Notes what the operation changes and accesses. */
static void note_changes(struct verifier *v, const struct ir_op *op)
{
	const struct ir_opcode_info *info = &ir_opcodes[op->code];

	if (op->code == IR_CALL && v->program->functions.v[op->symbol].written_in == IR_SCRIPT)
		v->known->calls++;
	if (info->symbol != IR_OF_GLOBAL)
		return;
	v->known->changes[op->symbol] += (info->traits & IR_WRITES) != 0;
	v->known->accesses[op->symbol] += !strchr(info->args, 'S');
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

/*
 * Checks that a block of OP, at its end, has defined what OP declares.  A result that may be
 * defined again has a value anyway.
 */
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

/* Declares a region's result, before its block is walked. */
static void declare_result(struct verifier *v, const struct ir_op *op)
{
	if (op->result == IR_NO_VALUE)
		return;
	check_direct(v, op->result);
	declare(v, op->result);
	v->values[op->result].state = op->code == IR_BUCKETS ? DEFINED : DECLARED;
}

/* Verifies the blocks of a region. */
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
	if ((op->code == IR_FOREACH || op->code == IR_BUCKETS) && loop_labelled(v, op->label))
		complain(v, "a loop around has label %u, too", op->label);
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
	check_members(v, op);
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

/* ---- bodies ------------------------------------------------------------ */

static void check_body(struct verifier *v)
{
	const struct ir_program *p = v->program;
	const struct ir_body *b = v->body;

	for (size_t i = 0; i < b->values.n; i++)
		if (b->values.v[i] == IR_VOID)
			complain(v, "value %%%zu is none", i);
	for (size_t i = 0; i < b->locks.n; i++)
		if (b->locks.v[i].global >= p->globals.n)
			complain(v, "it locks global %u, which there isn't", b->locks.v[i].global);
		else if (i && b->locks.v[i].global <= b->locks.v[i - 1].global)
			complain(v, "it locks @%s out of order", p->globals.v[b->locks.v[i].global].name);
	if (!v->wrong)
		verify_block(v, &b->block);
	if (v->unfilled)
		complain(v, "%zu values of areas are missing", v->unfilled);
}

/* Verifies a body, which may be NULL; a handler with the constants of PROBE. */
static const char *verify_body(struct known *k, const struct ir_body *b, const struct ir_probe *probe)
{
	struct verifier v = { .program = k->program, .body = b, .probe = probe, .known = k };

	if (!b)
		return NULL;
	if (probe)
		v.uses = &k->uses[b->number];
	v.values = arena_alloc((b->values.n + 1) * sizeof(*v.values));
	check_body(&v);
	return v.wrong;
}

/* Verifies that PROBE has what the handler, which is an earlier probe's, does with its constants. */
static const char *verify_constants(struct known *k, const struct ir_probe *probe)
{
	use_list *uses = &k->uses[probe->handler->number];
	struct verifier v = { .program = k->program, .body = probe->handler, .probe = probe,
			      .known = k, .uses = uses };

	for (size_t i = 0; i < uses->n && !v.wrong; i++) {
		const struct use *use = &uses->v[i];
		const struct ir_constant *c;

		if (!use->op)
			continue;
		v.op = use->op;
		v.number = use->number;
		c = own(&v, i, use->type);
		if (c && (use->text || use->members) && !fits_use(&v, c, use))
			complain(&v, "the format does not fit its values");
	}
	return v.wrong;
}

static const char *verify_probe(struct known *k, size_t number)
{
	const struct ir_probe *probe = &k->program->probes.v[number];
	const char *wrong = verify_body(k, probe->condition, NULL);

	if (!wrong)
		wrong = verify_body(k, probe->entry, NULL);
	if (wrong)
		return wrong;
	return probe->handler->number == number ? verify_body(k, probe->handler, probe)
						: verify_constants(k, probe);
}

/* Returns how many inputs the term of a fact of tasks has. */
static unsigned inputs_of(enum task_fact fact)
{
	static const enum task_fact of_two[] = { TASK_OPENED, TREE_SLOT, TASK_LIMIT, TASK_FILE, TASK_RESIDENT };

	for (size_t i = 0; i < sizeof(of_two) / sizeof(*of_two); i++)
		if (of_two[i] == fact)
			return 2;
	return 1;
}

/* Verifies how facts of tasks are read, which places of processes may need. */
static const char *verify_tasks(struct known *k)
{
	const struct term *const *tasks = k->program->tasks;
	const char *wrong = NULL;

	for (size_t i = 0; i < TASK_FACTS && !wrong; i++)
		if (tasks[i] && tasks[i]->sort != SORT_WORD)
			wrong = "a fact of tasks is no word";
		else if (tasks[i])
			wrong = ir_verify_term(&k->formats, tasks[i], inputs_of(i));
	return wrong;
}

const char *ir_verify(const struct ir_program *p)
{
	struct known k = { .program = p };
	const char *wrong = ir_verify_tables(p);

	if (wrong)
		return wrong;
	wrong = verify_tasks(&k);
	k.changes = arena_alloc((p->globals.n + 1) * sizeof(*k.changes));
	k.accesses = arena_alloc((p->globals.n + 1) * sizeof(*k.accesses));
	k.uses = arena_alloc((p->probes.n + 1) * sizeof(*k.uses));
	for (size_t i = 0; i < p->functions.n && !wrong; i++)
		wrong = verify_body(&k, p->functions.v[i].body, NULL);
	for (size_t i = 0; i < p->probes.n && !wrong; i++)
		wrong = verify_probe(&k, i);
	return wrong;
}
