// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time that reading and preparing a forged file takes is proportional to the file's size: in a file of
 * N parts that each name the same large thing, nothing looks at that thing N times.  Each kind of file is
 * made with N and with 16 N parts.  What is quadratic takes 256 times as long, what is linear 16 times, or
 * some more, because more memory is slower.  The time is the process's own, the least of several, so other
 * processes hardly count.
 */
#include <malloc.h>
#include <string.h>
#include <time.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "bpf/bpf.h"
#include "check.h"
#include "core/supply.h"
#include "fetch.h"
#include "interpreter/run.h"
#include "ir/file.h"
#include "ir/ir.h"
#include "port/user/engine.h"

enum { PARTS = 250, MORE = 16, TIMES_MOST = 100, TRIES = 4 };

static struct ir_program *program;
static struct ir_body *handler;

static struct ir_body *new_body(enum ir_body_kind kind, unsigned number)
{
	struct ir_body *b = arena_new(struct ir_body);

	b->kind = kind;
	b->number = number;
	b->at = "x.stp:1:1";
	return b;
}

static struct ir_probe *add_probe(struct ir_body *runs)
{
	struct ir_probe p = { .family = "begin", .armed_by = IR_UNCONDITIONAL, .at = "x.stp:1:1" };

	p.handler = runs ? runs : new_body(IR_HANDLER, program->probes.n);
	vec_push(&p.places, ((struct ir_place){ .pp = "begin", .pn = "begin", .func = "", .module = "", .from = "" }));
	vec_push(&program->probes, p);
	return &program->probes.v[program->probes.n - 1];
}

static void begin(void)
{
	program = arena_new(struct ir_program);
	program->limits = (struct ir_limits){
		.string = 512, .nesting = 10, .entries = 2048, .overload_interval = 1, .hist_width = 50,
	};
	handler = add_probe(NULL)->handler;
}

static struct ir_op *put(enum ir_opcode code, unsigned result)
{
	struct ir_op *op = ir_append(&handler->block, code);

	op->result = result;
	return op;
}

static void word(struct ir_op *op)
{
	vec_push(&op->args, ((struct ir_operand){ .kind = IR_NUMBER, .type = IR_WORD, .number = 1 }));
}

static unsigned new_value(enum ir_type type)
{
	vec_push(&handler->values, type);
	return handler->values.n - 1;
}

static const char *repeated(const char *text, size_t n)
{
	struct sbuf b = { 0 };

	while (n--)
		sbuf_puts(&b, text);
	return sbuf_take(&b);
}

/* ---- kinds of files ------------------------------------------------------ */

/* A handler of N operations, which N probes share; and its locals, and conditions that it decides. */
static void shared_handler(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		word(put(IR_NEG, new_value(IR_WORD)));
		vec_push(&handler->locals, ((struct ir_local){ .name = "x", .type = IR_WORD }));
		vec_push(&handler->decides, i + 1);
	}
	for (size_t i = 0; i < n; i++) {
		struct ir_probe *p = add_probe(handler);

		p->armed_by = i + 1;
		p->condition = new_body(IR_CONDITION, i + 1);
	}
}

/* 8 N calls, any of which may change 8 N globals; 8 N bodies. */
static void globals(size_t n)
{
	struct ir_function f = { .name = "f", .type = IR_VOID, .at = "x.stp:1:1" };

	for (size_t i = 0; i < 8 * n; i++) {
		vec_push(&program->globals, ((struct ir_global){ .name = "g", .type = IR_WORD, .at = "x.stp:1:1" }));
		f.body = new_body(IR_FUNCTION, i);
		vec_push(&program->functions, f);
		put(IR_CALL, IR_NO_VALUE)->symbol = i;
	}
}

/* A tuple of N values, which N operations format. */
static void formatted_tuple(size_t n)
{
	unsigned tuple = new_value(IR_TUPLE);
	const char *format = repeated("%d", n);
	struct ir_op *op = put(IR_TUPLE_OF, tuple);

	for (size_t i = 0; i < n; i++)
		word(op);
	for (size_t i = 0; i < n; i++) {
		op = put(IR_FORMAT, new_value(IR_STRING));
		op->text = format;
		op->n = n;
		vec_push(&op->args, ((struct ir_operand){ .kind = IR_VALUE, .type = IR_TUPLE, .index = tuple }));
		put(IR_CHECK, IR_NO_VALUE);
	}
}

/* A format of N bytes, which N probes have as their own, and print. */
static void own_format(size_t n)
{
	struct ir_op *op = put(IR_PRINT, IR_NO_VALUE);

	op->format = 0;
	vec_push(&program->formats, ((struct ir_format){ .text = repeated("x", 10 * n) }));
	vec_push(&program->probes.v[0].constants, ((struct ir_constant){ .type = IR_WORD }));
	for (size_t i = 0; i < 4 * n; i++) {
		struct ir_probe *p = add_probe(handler);

		vec_push(&p->constants, ((struct ir_constant){ .type = IR_WORD }));
	}
}

/* N operations whose errors are at places with a text of N bytes; calls of a builtin, NAME, and constants likewise. */
static void places_with(const char *name, const char *text, size_t n)
{
	struct ir_function f = { .name = name, .type = IR_VOID, .at = text, .written_in = IR_BUILTIN };

	vec_push(&program->functions, f);
	for (size_t i = 0; i < n; i++) {
		struct ir_op *op = put(IR_NEG, new_value(IR_WORD));

		word(op);
		op->what = op->at = text;
		put(IR_CALL, IR_NO_VALUE);
		op = put(IR_CHECK_CALL, IR_NO_VALUE);
		op->what = op->at = text;
		vec_push(&program->probes.v[0].constants,
			 ((struct ir_constant){ .type = IR_VOID, .text = text, .at = text }));
	}
}

static void places(size_t n)
{
	places_with("exit", repeated("x", 20 * n), n);
}

/* The same with a builtin that there isn't. */
static void refused_builtins(size_t n)
{
	const char *name = repeated("x", 20 * n);

	places_with(name, name, n);
}

/* Areas of N values each. */
static void areas(size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put(IR_AREA, new_value(IR_TUPLE))->n = n;
		put(IR_CHECK, IR_NO_VALUE);
	}
}

/* N patterns, none of which has groups. */
static void patterns(size_t n)
{
	static const unsigned char classes[256], flags[1];
	static const unsigned short next[1];
	static const struct st_regex tables = { .nclasses = 1, .classes = classes, .next = next, .flags = flags };

	for (size_t i = 0; i < n; i++)
		vec_push(&program->patterns, ((struct ir_pattern){ .text = "x", .tables = &tables, .nstates = 1 }));
}

/* ---- times --------------------------------------------------------------- */

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void nothing(void *arg, unsigned short kind, struct st_str piece)
{
	(void)arg, (void)kind, (void)piece;
}

/* Reads a file and prepares to run it, as far as it is allowed. */
static void take_file(const struct sbuf *file)
{
	static const struct st_output output = { nothing, NULL };
	const char *why;
	struct ir_program *p = ir_read(file->s, file->len, &why);

	if (p)
		bpf_refuses(p);
	if (p && !run_refuses(p, false) && !run_open(p, &output))
		run_close();
}

/* Returns the time that a file with N parts takes. */
static double time_of(void (*make)(size_t n), size_t n)
{
	struct sbuf file = { 0 };
	double least = 1e9, began;

	begin();
	make(n);
	CHECK(!ir_write(&file, program));
	arena_free_all();
	for (int i = 0; i < TRIES; i++) {
		began = seconds();
		take_file(&file);
		if (seconds() - began < least)
			least = seconds() - began;
		arena_free_all();
	}
	sbuf_free(&file);
	return least;
}

static void is_linear(const char *name, void (*make)(size_t n), size_t n)
{
	double one = time_of(make, n), many = time_of(make, MORE * n);

	if (many < TIMES_MOST * one)
		return;
	fprintf(stderr, "%s: %.6f s, and %.6f s for %d times as many\n", name, one, many, MORE);
	failures++;
}

/* ---- memory -------------------------------------------------------------- */

/* Makes the head of a file fit the rest. */
static void seal(struct sbuf *file)
{
	enum { HEAD = 24, CHECK_AT = 12, LENGTH_AT = 16 };
	uint32_t hash = ir_checksum(file->s + HEAD, file->len - HEAD);
	uint64_t length = file->len - HEAD;

	for (int i = 0; i < 4; i++)
		file->s[CHECK_AT + i] = hash >> 8 * i;
	for (int i = 0; i < 8; i++)
		file->s[LENGTH_AT + i] = length >> 8 * i;
}

/* Each of the nested terms claims 65536 arguments, of which the first is the next term. */
static void check_nested_claims(void)
{
	static const char one[] = { TERM_FORMAT, SORT_STRING, 0, 0, 0, 0, 0 }, many[] = { 0x80, 0x80, 4 };
	enum { DEPTH = 3000, AT_COUNT = sizeof(one) + 1, LEFT = 200000 };
	struct sbuf file = { 0 }, forged = { 0 };
	const char *why, *end, *p;
	size_t claims = 0, before;

	begin();
	put(IR_FETCH, new_value(IR_STRING))->term = term_text("x");
	for (int i = 0; i < DEPTH; i++) {
		term_list args = { 0 };

		vec_push(&args, handler->block.ops.v[0]->term);
		handler->block.ops.v[0]->term = term_format("%s", &args);
	}
	put(IR_CHECK, IR_NO_VALUE);
	CHECK(!ir_write(&file, program));
	CHECK(ir_read(file.s, file.len, &why) != NULL);
	for (p = file.s, end = p + file.len; p < end; p++) {
		if ((size_t)(end - p) > sizeof(one) && !memcmp(p, one, sizeof(one)) && claims) {
			sbuf_add(&forged, p, AT_COUNT);
			sbuf_add(&forged, many, sizeof(many));
			p += AT_COUNT;
			claims++;
		} else {
			sbuf_putc(&forged, *p);
			claims += !memcmp(p, "%s", 2);	/* the text, at its first use */
		}
	}
	for (int i = 0; i < LEFT; i++)
		sbuf_putc(&forged, 0);
	CHECK(claims >= DEPTH);
	seal(&forged);
	arena_free_all();
	before = mallinfo2().uordblks + mallinfo2().hblkhd;
	CHECK(!ir_read(forged.s, forged.len, &why));
	CHECK(mallinfo2().uordblks + mallinfo2().hblkhd - before < 100 * forged.len);
	sbuf_free(&file);
	sbuf_free(&forged);
	arena_free_all();
}

int main(void)
{
	is_linear("a shared handler", shared_handler, PARTS);
	is_linear("globals", globals, PARTS);
	is_linear("a formatted tuple", formatted_tuple, PARTS);
	is_linear("a format of its own", own_format, PARTS);
	is_linear("places", places, PARTS / 2);
	is_linear("builtins that there aren't", refused_builtins, PARTS / 2);
	is_linear("areas", areas, PARTS);
	is_linear("patterns", patterns, PARTS);
	check_nested_claims();
	return failures != 0;
}
