// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The verifier of intermediate programs: each kind of fault is refused, with a message
 * that names the body, the operation and the reason.  That it accepts what is right,
 * every other test sees: it runs on every compilation.
 */
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "ir/ir.h"
#include "check.h"

/* Globals and values that the bodies below have. */
enum { WORDS, TEXTS, STATS, NUMBER };
enum { W0, W1, S0, STAT0, TUPLE0, VALUES };

static struct ir_program *program;
static struct ir_body *body;
static struct ir_block *at;

static void add_global(const char *name, enum ir_type type, bool keyed)
{
	struct ir_global g = { .name = name, .type = type };

	if (keyed) {
		vec_push(&g.keys, IR_STRING);
		g.entries = 10;
	}
	vec_push(&program->globals, g);
}

/* A handler without operations, and script function f(word): word. */
static void begin(enum ir_body_kind kind)
{
	static const enum ir_type types[] = {
		[W0] = IR_WORD, [W1] = IR_WORD, [S0] = IR_STRING, [STAT0] = IR_STATISTIC,
		[TUPLE0] = IR_TUPLE,
	};
	struct ir_function f = { .name = "f", .type = IR_WORD };
	struct ir_body *of_f = arena_new(struct ir_body);
	struct ir_probe p = { .armed_by = IR_UNCONDITIONAL };

	program = arena_new(struct ir_program);
	program->limits = (struct ir_limits){
		.string = 512, .nesting = 10, .entries = 2048, .overload_interval = 1,
		.hist_width = 50,
	};
	body = arena_new(struct ir_body);
	body->kind = kind;
	add_global("words", IR_WORD, true);
	add_global("texts", IR_STRING, true);
	add_global("stats", IR_STATISTIC, true);
	add_global("number", IR_WORD, false);
	vec_push(&f.params, IR_WORD);
	vec_push(&of_f->locals, ((struct ir_local){ .name = "n", .type = IR_WORD }));
	of_f->type = IR_WORD;
	of_f->nparams = 1;
	f.body = of_f;
	vec_push(&program->functions, f);
	for (int i = 0; i < VALUES; i++)
		vec_push(&body->values, types[i]);
	vec_push(&body->locals, ((struct ir_local){ .name = "x", .type = IR_WORD }));
	vec_push(&body->locals, ((struct ir_local){ .name = "s", .type = IR_STRING }));
	vec_push(&body->locks, ((struct ir_lock){ NUMBER, true }));
	p.handler = body;
	vec_push(&program->probes, p);
	at = &body->block;
}

static struct ir_op *put(enum ir_opcode code, unsigned result, unsigned symbol)
{
	struct ir_op *op = ir_append(at, code);

	op->result = result;
	op->symbol = symbol;
	return op;
}

static struct ir_op *arg(struct ir_op *op, enum ir_operand_kind kind, enum ir_type type,
			 unsigned index)
{
	struct ir_operand o = { .kind = kind, .type = type, .index = index };

	if (kind == IR_NUMBER)
		o.number = index;
	if (kind == IR_LITERAL)
		o.text = "";
	vec_push(&op->args, o);
	return op;
}

static struct ir_op *value(struct ir_op *op, unsigned v)
{
	return arg(op, IR_VALUE, body->values.v[v], v);
}

static struct ir_op *word(struct ir_op *op)
{
	return arg(op, IR_NUMBER, IR_WORD, 1);
}

static struct ir_op *text(struct ir_op *op)
{
	return arg(op, IR_LITERAL, IR_STRING, 0);
}

/* TUPLE0 is a key, and RESULT the element of GLOBAL with it. */
static void lookup(enum ir_opcode code, unsigned result, unsigned global)
{
	text(put(IR_TUPLE_OF, TUPLE0, 0));
	value(put(code, result, global), TUPLE0);
}

static void enter(struct ir_op *region, int i)
{
	if (!region->blocks[i])
		region->blocks[i] = arena_new(struct ir_block);
	at = region->blocks[i];
}

static void refused(int line, const char *whose, const char *want)
{
	const char *wrong = ir_verify(program);

	if (wrong && !strncmp(wrong, whose, strlen(whose)) && strstr(wrong, want))
		return;
	fprintf(stderr, "%s:%d: \"%s\" instead of \"…%s\"\n", __FILE__, line, wrong ? wrong : "", want);
	failures++;
}

#define REFUSED(want) refused(__LINE__, "handler 0: ", want)
#define REFUSED_TABLE(want) refused(__LINE__, want, want)
#define ACCEPTED() CHECK(!ir_verify(program))

/* ---- tables ------------------------------------------------------------ */

static void check_limits(void)
{
	begin(IR_HANDLER);
	ACCEPTED();
	program->limits.string = 15;
	REFUSED_TABLE("the length of strings (15) is out of bounds");

	begin(IR_HANDLER);
	program->limits.nesting = 1001;
	REFUSED_TABLE("the nesting of calls (1001) is out of bounds");

	begin(IR_HANDLER);
	program->limits.trylock = 10001;
	REFUSED_TABLE("the tries for a lock (10001) is out of bounds");
	program->limits.untimed = true;
	ACCEPTED();

	begin(IR_HANDLER);
	program->limits.hist_width = 0;
	REFUSED_TABLE("the width of a histogram (0) is out of bounds");
}

static void check_globals(void)
{
	begin(IR_HANDLER);
	program->globals.v[WORDS].entries = 0;
	REFUSED_TABLE("@words: its size (0) is out of bounds");

	begin(IR_HANDLER);
	for (int i = 0; i < 9; i++)
		vec_push(&program->globals.v[WORDS].keys, IR_WORD);
	REFUSED_TABLE("@words: the number of keys (10) is out of bounds");

	begin(IR_HANDLER);
	vec_push(&program->globals.v[WORDS].rooms, 512);
	ACCEPTED();
	program->globals.v[WORDS].rooms.v[0] = 513;
	REFUSED_TABLE("@words: the room of a key (513) is out of bounds");
	program->globals.v[WORDS].rooms.v[0] = 4;
	vec_push(&program->globals.v[WORDS].rooms, 4);
	REFUSED_TABLE("@words: it has room for a key that there isn't");

	begin(IR_HANDLER);
	program->functions.v[0].longest = -1;
	REFUSED_TABLE("f(): its string is as long as an argument that is none");
	program->functions.v[0].longest = INT32_MIN;
	REFUSED_TABLE("f(): its string is as long as an argument that is none");

	begin(IR_HANDLER);
	program->globals.v[WORDS].keys.v[0] = IR_TUPLE;
	REFUSED_TABLE("@words: a key is neither a word nor a string");

	begin(IR_HANDLER);
	program->globals.v[TEXTS].percpu = true;
	REFUSED_TABLE("@texts: a string is not kept in parts");

	begin(IR_HANDLER);
	program->globals.v[NUMBER].type = IR_VOID;
	REFUSED_TABLE("@number: it is neither a word, a string nor a statistic");

	begin(IR_HANDLER);
	program->globals.v[NUMBER].type = IR_STRING;
	REFUSED_TABLE("@number: it has no initial value");
	program->globals.v[NUMBER].text = "a text of 16 chs";
	ACCEPTED();
	program->limits.string = 16;
	REFUSED_TABLE("@number: its initial value is too long");
}

static void check_shapes(void)
{
	struct ir_shape *shape;

	begin(IR_HANDLER);
	shape = &program->globals.v[STATS].shape;
	shape->shift = 63;
	REFUSED_TABLE("@stats: the fraction of a variance (63) is out of bounds");
	*shape = (struct ir_shape){ .extracts = 64 };
	REFUSED_TABLE("@stats: what is extracted (64) is out of bounds");
	*shape = (struct ir_shape){ .hist = IR_LINEAR, .hi = 10 };
	REFUSED_TABLE("@stats: its histogram's step (0) is out of bounds");
	*shape = (struct ir_shape){ .hist = IR_LINEAR, .lo = 10, .hi = 10, .step = 1 };
	REFUSED_TABLE("@stats: its histogram's end (10) is out of bounds");
	*shape = (struct ir_shape){ .hist = IR_LINEAR, .lo = INT64_MIN, .hi = INT64_MAX, .step = 9 };
	REFUSED_TABLE("@stats: its histogram's end");
	*shape = (struct ir_shape){ .hist = IR_LINEAR, .hi = 10, .step = 3 };
	ACCEPTED();
}

/* ---- operands ---------------------------------------------------------- */

static void check_operands(void)
{
	begin(IR_HANDLER);
	word(value(put(IR_ADD, W1, 0), W0));
	REFUSED("operation 1 (add): value %0 is not defined");

	begin(IR_HANDLER);
	text(word(put(IR_ADD, W0, 0)));
	REFUSED("operation 1 (add): argument 1 is a string");

	begin(IR_HANDLER);
	word(put(IR_ADD, W0, 0));
	REFUSED("argument 1 is missing");

	begin(IR_HANDLER);
	word(word(word(put(IR_ADD, W0, 0))));
	REFUSED("it takes 2 arguments, not 3");

	begin(IR_HANDLER);
	arg(put(IR_NEG, W0, 0), IR_VALUE, IR_WORD, 99);
	REFUSED("there is no value %99");

	begin(IR_HANDLER);
	arg(put(IR_NEG, W0, 0), IR_LOCAL, IR_WORD, 1);
	REFUSED("the variable is no word");

	begin(IR_HANDLER);
	arg(put(IR_NEG, W0, 0), IR_KEY, IR_WORD, 0);
	REFUSED("no loop 0 is around");

	begin(IR_HANDLER);
	word(put(IR_NEG, IR_NO_VALUE, 0));
	REFUSED("it has no result");

	begin(IR_HANDLER);
	word(put(IR_NEG, S0, 0));
	REFUSED("its result is no string");

	begin(IR_HANDLER);
	word(put(IR_NEG, W0, 0));
	word(put(IR_NEG, W0, 0));
	REFUSED("operation 2 (neg): value %0 is defined already");
}

/* Another probe, which has the first one's handler, and constants of its own. */
static struct ir_probe *share(void)
{
	struct ir_probe p = { .handler = body, .armed_by = IR_UNCONDITIONAL };

	vec_push(&program->probes, p);
	return &program->probes.v[1];
}

static void own(unsigned probe, enum ir_type type, int64_t number, const char *text)
{
	const struct ir_constant c = { type, number, text, type == IR_VOID ? "here" : NULL };

	vec_push(&program->probes.v[probe].constants, c);
}

static void check_constants(void)
{
	begin(IR_HANDLER);
	arg(put(IR_NEG, W0, 0), IR_OWN, IR_WORD, 0);
	REFUSED("operation 1 (neg): the probe has no constant 0");
	own(0, IR_STRING, 0, "x");
	REFUSED("operation 1 (neg): constant 0 of probe 0 is no word");
	program->probes.v[0].constants.v[0] = (struct ir_constant){ IR_WORD, .number = 7 };
	ACCEPTED();
	share();
	REFUSED("the probe has no constant 0");
	own(1, IR_VOID, 0, "x");
	REFUSED("constant 0 of probe 1 is no word");
	program->probes.v[1].constants.v[0].text = NULL;
	REFUSED_TABLE("probe 1: its constant 0 is none");
	program->probes.v[1].constants.v[0] = (struct ir_constant){ IR_WORD, .number = 8 };
	ACCEPTED();

	begin(IR_HANDLER);
	own(0, IR_WORD, 0, NULL);
	arg(ir_append(&((struct ir_body *)program->functions.v[0].body)->block, IR_RETURN), IR_OWN,
	    IR_WORD, 0);
	refused(__LINE__, "function 0: ", "the probe has no constant 0");

	begin(IR_HANDLER);
	own(0, IR_WORD, 0, NULL);
	word(put(IR_NEG, W0, 0))->near = 0;
	REFUSED("constant 0 of probe 0 is no place");

	begin(IR_HANDLER);
	own(0, IR_WORD, 0, NULL);
	word(put(IR_NEG, W0, 0))->format = 0;
	REFUSED("it has no format");
}

static void check_shared(void)
{
	struct ir_op *op;

	begin(IR_HANDLER);
	vec_push(&program->formats, ((struct ir_format){ .text = "%d" }));
	vec_push(&program->formats, ((struct ir_format){ .text = "%s" }));
	own(0, IR_WORD, 0, NULL);
	word(put(IR_PRINT, IR_NO_VALUE, 99))->format = 0;
	ACCEPTED();
	share();
	own(1, IR_WORD, 1, NULL);
	REFUSED("operation 1 (print): the format does not fit its values");
	program->probes.v[1].constants.v[0].number = 2;
	REFUSED("operation 1 (print): the format does not fit its values");
	program->probes.v[1].constants.v[0].number = 1ll << 32;
	REFUSED("operation 1 (print): the format does not fit its values");

	begin(IR_HANDLER);
	own(0, IR_STRING, 0, "%s");
	word(put(IR_TUPLE_OF, TUPLE0, 0));
	op = value(put(IR_FORMAT, S0, 0), TUPLE0);
	op->n = 1;
	op->format = 0;
	put(IR_CHECK, IR_NO_VALUE, 0);
	REFUSED("operation 2 (format): the format does not fit its values");
	program->probes.v[0].constants.v[0].text = "%d";
	ACCEPTED();

	begin(IR_HANDLER);
	program->probes.v[0].handler = arena_new(struct ir_body);
	program->probes.v[0].handler->kind = IR_HANDLER;
	share();
	REFUSED_TABLE("probe 1: it has no handler");
	body->number = 1;
	ACCEPTED();
	program->probes.v[0].handler = body;
	REFUSED_TABLE("probe 0: it has no handler");
}

static void calls(unsigned caller, unsigned callee)
{
	ir_append(&((struct ir_body *)program->functions.v[caller].body)->block, IR_CALL)->symbol =
		callee;
}

/* a and b call each other, a calls c, and the handler calls b inside of a region. */
static void check_needs(void)
{
	enum { A, B, C };
	const int64_t own[] = { [A] = 2, [B] = 20, [C] = 1 };
	struct ir_function f = { .name = "g", .type = IR_WORD };
	const int64_t *needs;

	begin(IR_HANDLER);
	f.body = arena_new(struct ir_body);
	vec_push(&program->functions, f);
	f.body = arena_new(struct ir_body);
	vec_push(&program->functions, f);
	calls(A, B);
	calls(A, C);
	calls(B, A);
	word(put(IR_IF, IR_NO_VALUE, 0));
	enter(body->block.ops.v[0], 0);
	put(IR_CALL, IR_NO_VALUE, B);
	program->limits.nesting = 2;
	needs = ir_needs(program, own);
	CHECK(needs[A] == 2 + 20 + 2 && needs[B] == 20 + 2 + 20 && needs[C] == 1);
	CHECK(ir_need_below(body, needs) == 42);
	CHECK(ir_need_below(NULL, needs) == 0);
	program->limits.nesting = 1;
	CHECK(ir_needs(program, own)[A] == 22);
}

static void check_symbols(void)
{
	begin(IR_HANDLER);
	put(IR_LOAD, W0, 99);
	REFUSED("operation 1 (load): there is no global 99");

	begin(IR_HANDLER);
	put(IR_LOAD, W0, WORDS);
	REFUSED("@words is an array");

	begin(IR_HANDLER);
	text(put(IR_STORE, IR_NO_VALUE, NUMBER));
	REFUSED("what is assigned is a string, not a word");

	begin(IR_HANDLER);
	lookup(IR_GET, W0, TEXTS);
	REFUSED("the result is a word, not a string");

	begin(IR_HANDLER);
	text(put(IR_CALL, W0, 0));
	REFUSED("an argument is a string, not a word");

	begin(IR_HANDLER);
	vec_push(&program->formats, ((struct ir_format){ .text = "%d" }));
	put(IR_PRINT, IR_NO_VALUE, 0);
	REFUSED("operation 1 (print): the format does not fit its values");
}

/* ---- validity ---------------------------------------------------------- */

static void check_sources(void)
{
	begin(IR_HANDLER);
	lookup(IR_GET, S0, TEXTS);
	text(value(put(IR_SET, IR_NO_VALUE, TEXTS), TUPLE0));
	put(IR_CHECK, IR_NO_VALUE, 0);
	value(put(IR_STORE_LOCAL, IR_NO_VALUE, 1), S0);
	REFUSED("operation 5 (store): @texts may have changed since %2 became a slice of it");

	begin(IR_HANDLER);
	lookup(IR_GET, S0, TEXTS);
	word(put(IR_CALL, W0, 0));
	value(put(IR_STORE_LOCAL, IR_NO_VALUE, 1), S0);
	REFUSED("@texts may have changed");

	begin(IR_HANDLER);
	lookup(IR_STAT_AT, STAT0, STATS);
	value(put(IR_DELETE, IR_NO_VALUE, STATS), TUPLE0);
	value(put(IR_EXTRACT, W0, 0), STAT0);
	REFUSED("operation 4 (extract): @stats was accessed after its statistic %3 was");

	begin(IR_HANDLER);
	lookup(IR_GET, S0, TEXTS);
	value(put(IR_STORE_LOCAL, IR_NO_VALUE, 1), S0);
	ACCEPTED();
}

static void check_scopes(void)
{
	struct ir_op *op;

	begin(IR_HANDLER);
	enter(put(IR_BLOCK, IR_NO_VALUE, 0), 0);
	word(put(IR_NEG, W0, 0));
	at = &body->block;
	value(put(IR_NEG, W1, 0), W0);
	REFUSED("operation 3 (neg): value %0 is not defined");

	begin(IR_HANDLER);
	op = word(put(IR_IF, W0, 0));
	enter(op, 0);
	word(put(IR_COPY, W0, 0));
	enter(op, 1);
	at = &body->block;
	REFUSED("a way through leaves value %0 undefined");

	begin(IR_HANDLER);
	op = word(put(IR_IF, W0, 0));
	enter(op, 0);
	word(put(IR_COPY, W0, 0));
	enter(op, 1);
	put(IR_NEXT, IR_NO_VALUE, 0);
	at = &body->block;
	value(put(IR_NEG, W1, 0), W0);
	ACCEPTED();

	/* A way around would leave the statistic of another array. */
	begin(IR_HANDLER);
	text(put(IR_TUPLE_OF, TUPLE0, 0));
	enter(put(IR_BLOCK, STAT0, 0), 0);
	enter(word(put(IR_IF, IR_NO_VALUE, 0)), 0);
	value(put(IR_STAT_AT, STAT0, STATS), TUPLE0);
	REFUSED("a way around may leave value %3 undefined");

	begin(IR_HANDLER);
	text(put(IR_COPY, W0, 0));
	REFUSED("the result is a word, not a string");

	begin(IR_HANDLER);
	op = put(IR_FOREACH, IR_NO_VALUE, 99);
	arg(op, IR_ABSENT, IR_WORD, 0);
	arg(op, IR_ABSENT, IR_TUPLE, 0);
	REFUSED("there is no global 99");

	begin(IR_HANDLER);
	enter(put(IR_STATEMENT, S0, 0), 0);
	text(put(IR_COPY, S0, 0));
	REFUSED("its result is no string");

	begin(IR_HANDLER);
	put(IR_REWIND, IR_NO_VALUE, 0);
	REFUSED("it is in no statement");
}

/* ---- ways -------------------------------------------------------------- */

static void check_ways(void)
{
	struct ir_op *try, *loop;

	begin(IR_HANDLER);
	text(put(IR_DUP, S0, 0));
	REFUSED("operation 1 (dup): it may fail, and no check follows");

	begin(IR_HANDLER);
	text(put(IR_DUP, S0, 0));
	put(IR_NEXT, IR_NO_VALUE, 0);
	REFUSED("(dup): it may fail, and no check follows");

	begin(IR_HANDLER);
	try = put(IR_TRY, IR_NO_VALUE, 0);
	enter(try, 1);
	enter(try, 0);
	put(IR_CHECK, IR_NO_VALUE, 0);
	REFUSED("operation 2 (check): its way out is not the innermost region that catches");

	begin(IR_HANDLER);
	put(IR_TRY, IR_NO_VALUE, 0);
	REFUSED("it has nothing that catches");

	begin(IR_HANDLER);
	put(IR_BREAK, IR_NO_VALUE, 0);
	REFUSED("operation 1 (break): it is in no loop");

	begin(IR_HANDLER);
	loop = put(IR_LOOP, IR_NO_VALUE, 0);
	enter(loop, 0);
	enter(put(IR_LOOP, IR_NO_VALUE, 0), 0);
	put(IR_BREAK, IR_NO_VALUE, 0)->way = loop;
	REFUSED("it leaves a loop that is not the innermost");
}

static void check_locks(void)
{
	begin(IR_HANDLER);
	enter(put(IR_LOOP, IR_NO_VALUE, 0), 0);
	put(IR_LOCKED, IR_NO_VALUE, 0);
	REFUSED("operation 2 (locked): locks are taken inside 'loop'");

	begin(IR_HANDLER);
	enter(put(IR_LOCKED, IR_NO_VALUE, 0), 0);
	put(IR_LOCKED, IR_NO_VALUE, 0);
	REFUSED("locks are taken inside 'locked'");

	begin(IR_HANDLER);
	body->locks.n = 0;
	put(IR_LOCKED, IR_NO_VALUE, 0);
	REFUSED("this body has no locks to take");

	begin(IR_HANDLER);
	body->locks.v[0].global = 99;
	REFUSED("it locks global 99, which there isn't");

	begin(IR_HANDLER);
	put(IR_LOCKED, IR_NO_VALUE, 0);
	put(IR_LOCKED, IR_NO_VALUE, 0);
	ACCEPTED();
}

static void check_bodies(void)
{
	begin(IR_HANDLER);
	put(IR_RETURN, IR_NO_VALUE, 0);
	REFUSED("operation 1 (return): only functions return");

	begin(IR_HANDLER);
	word(put(IR_SAVE, IR_NO_VALUE, 0));
	REFUSED("only entries save values");

	begin(IR_HANDLER);
	word(put(IR_ARM, IR_NO_VALUE, 0));
	REFUSED("only conditions arm probes");

	begin(IR_HANDLER);
	put(IR_FETCH, W0, 0);
	REFUSED("it has no term");

	begin(IR_HANDLER);
	put(IR_CHECK_CALL, IR_NO_VALUE, 0);
	REFUSED("it has no place");
}

/* ---- fetches, areas ------------------------------------------------------ */

static void fetch(unsigned result, const struct term *t)
{
	begin(IR_HANDLER);
	put(IR_FETCH, result, 0)->term = t;
	put(IR_CHECK, IR_NO_VALUE, 0);
}

static void check_fetches(void)
{
	const struct term *string = term_call(TERM_VALUE, NULL, NULL), *n = term_register(1);
	struct term t = *term_read(n, 4, false);
	term_list args = { 0 };

	fetch(S0, string);
	ACCEPTED();
	fetch(W0, string);
	REFUSED("operation 1 (fetch): the result is a word, not a string");
	fetch(S0, n);
	REFUSED("the result is a string, not a word");
	fetch(W0, term_write(n, n, 4, false));
	REFUSED("its term gives nothing");
	fetch(W0, term_read(string, 4, false));
	REFUSED("an operand of a term is of the wrong sort");
	fetch(W0, term_plus(term_input(0), 1));
	REFUSED("a term has no input 0");
	t.size = 3;
	fetch(W0, &t);
	REFUSED("a term has 3 bytes");
	t = *string;
	t.sort = SORT_WORD;
	fetch(W0, &t);
	REFUSED("a term is of another sort than its kind");
	t = *term_unary(WORD_NEG, n);
	t.op = WORD_ADD;
	fetch(W0, &t);
	REFUSED("a term has too few or too many operands for its operator");
	vec_push(&args, n);
	fetch(S0, term_format("%d", &args));
	ACCEPTED();
	fetch(S0, term_attempt(term_format("%s", &args)));
	REFUSED("the format of a term does not fit its values");
	fetch(S0, term_format("%d %d", &args));
	REFUSED("the format of a term does not fit its values");
	fetch(S0, term_format("", &args));
	REFUSED("the format of a term does not fit its values");
}

static void check_areas(void)
{
	struct ir_op *op;

	begin(IR_HANDLER);
	put(IR_AREA, TUPLE0, 0)->n = 2;
	put(IR_CHECK, IR_NO_VALUE, 0);
	word(value(put(IR_HOLD, IR_NO_VALUE, 0), TUPLE0));
	REFUSED("1 values of areas are missing");
	word(value(put(IR_HOLD, IR_NO_VALUE, 0), TUPLE0));
	REFUSED("operation 4 (hold): value 1 of the area is the next, not 0");
	body->block.ops.v[3]->n = 1;
	ACCEPTED();
	op = value(put(IR_FORMAT, S0, 0), TUPLE0);
	op->text = "%d %d";
	op->n = 2;
	put(IR_CHECK, IR_NO_VALUE, 0);
	ACCEPTED();
	op->n = 1;
	REFUSED("the format does not fit its values");
}

static void check_decides(void)
{
	begin(IR_HANDLER);
	vec_push(&body->decides, 0);
	REFUSED_TABLE("probe 0: it decides a condition that there isn't");
	program->probes.v[0].condition = arena_new(struct ir_body);
	program->probes.v[0].condition->kind = IR_CONDITION;
	program->probes.v[0].armed_by = 0;
	ACCEPTED();
	vec_push(&body->decides, 0);
	REFUSED_TABLE("probe 0: it decides conditions out of order");
}

static void check_places(void)
{
	const struct ir_place place = { .event = IR_KERNELS, .attach = IR_AT_EVENT, .base = 1 };

	begin(IR_HANDLER);
	vec_push(&program->bases, ((struct ir_base){ .module = "" }));
	vec_push(&program->probes.v[0].places, place);
	ACCEPTED();
	program->probes.v[0].places.v[0].performance.watched = 8;
	REFUSED_TABLE("probe 0: its address has no base");
	program->probes.v[0].places.v[0].base = 0;
	ACCEPTED();
	program->probes.v[0].places.v[0] = (struct ir_place){ .event = IR_KERNELS, .attach = IR_AT_ADDRESS, .base = 1 };
	REFUSED_TABLE("probe 0: its address has no base");
}

int main(void)
{
	check_limits();
	check_globals();
	check_shapes();
	check_operands();
	check_constants();
	check_shared();
	check_needs();
	check_symbols();
	check_sources();
	check_scopes();
	check_ways();
	check_locks();
	check_bodies();
	check_fetches();
	check_areas();
	check_decides();
	check_places();
	arena_free_all();
	return failures != 0;
}
