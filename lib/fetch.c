// SPDX-License-Identifier: GPL-2.0-or-later
/* Terms: made, compared, walked. */
#include "fetch.h"

#include <string.h>

#include "base/arena.h"

/* ---- making ------------------------------------------------------------ */

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void add_operand(struct term *t, const struct term *operand)
{
	if (!operand)
		return;
	t->nodes += operand->nodes;
	t->strings = most(t->strings, operand->strings);
}

/* Adds a format's arguments.  Strings among them are in scratch until the result is made. */
static void add_arguments(struct term *t)
{
	unsigned held = 0;

	for (size_t i = 0; i < t->n; i++) {
		t->nodes += t->args[i]->nodes;
		t->strings = most(t->strings, held + t->args[i]->strings);
		held += t->args[i]->sort == SORT_STRING;
	}
	t->strings = most(t->strings, held + 1);
}

void term_measure(struct term *t)
{
	t->nodes = 1;
	t->strings = 0;
	add_operand(t, t->a);
	add_operand(t, t->b);
	add_operand(t, t->c);
	if (t->kind == TERM_FORMAT)
		add_arguments(t);
	else if (t->kind == TERM_ATTEMPT || t->kind == TERM_ENUMERATOR ||
		 (t->kind == TERM_CALL && t->sort == SORT_STRING))
		t->strings++;
}

static struct term *make(enum term_kind kind, const struct term *a, const struct term *b,
			 const struct term *c)
{
	struct term *t = arena_new(struct term);

	t->kind = kind;
	t->a = a;
	t->b = b;
	t->c = c;
	term_measure(t);
	return t;
}

static struct term *make_numbered(enum term_kind kind, unsigned n, const struct term *a)
{
	struct term *t = make(kind, a, NULL, NULL);

	t->n = n;
	return t;
}

const struct term *term_number(uint64_t number)
{
	struct term *t = make(TERM_NUMBER, NULL, NULL, NULL);

	t->number = number;
	return t;
}

const struct term *term_register(unsigned n)
{
	return make_numbered(TERM_REGISTER, n, NULL);
}

const struct term *term_input(unsigned n)
{
	return make_numbered(TERM_INPUT, n, NULL);
}

const struct term *term_image(unsigned base, uint64_t offset)
{
	struct term *t = make_numbered(TERM_IMAGE, base, NULL);

	t->number = offset;
	return t;
}

const struct term *term_program(unsigned file, uint64_t address)
{
	struct term *t = make_numbered(TERM_PROGRAM, file, NULL);

	t->number = address;
	return t;
}

const struct term *term_this_cpu(const struct term *address)
{
	return make(TERM_THIS_CPU, address, NULL, NULL);
}

const struct term *term_choose(const struct term *condition, const struct term *yes,
			       const struct term *no)
{
	if (condition->kind == TERM_NUMBER)
		return condition->number ? yes : no;
	if (yes == no)
		return yes;
	return make(TERM_CHOOSE, condition, yes, no);
}

const struct term *term_let(unsigned n, const struct term *value, const struct term *body)
{
	struct term *t = make(TERM_LET, value, body, NULL);

	t->n = n;
	t->sort = body->sort;
	return t;
}

const struct term *term_temporary(unsigned n)
{
	return make_numbered(TERM_TEMPORARY, n, NULL);
}

const struct term *term_stored(void)
{
	return make(TERM_STORED, NULL, NULL, NULL);
}

/* ---- arithmetic -------------------------------------------------------- */

static bool fold(enum word_op op, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (op) {
	case WORD_ADD:
		*out = a + b;
		return true;
	case WORD_SUB:
		*out = a - b;
		return true;
	case WORD_MUL:
		*out = a * b;
		return true;
	case WORD_AND:
		*out = a & b;
		return true;
	case WORD_OR:
		*out = a | b;
		return true;
	case WORD_XOR:
		*out = a ^ b;
		return true;
	case WORD_SHL:
		*out = b < 64 ? a << b : 0;
		return true;
	case WORD_SHR:
		*out = b < 64 ? a >> b : 0;
		return true;
	default:
		return false;
	}
}

/* Does "a op B" equal a? */
static bool changes_nothing(enum word_op op, const struct term *b)
{
	if (b->kind != TERM_NUMBER)
		return false;
	switch (op) {
	case WORD_ADD:
	case WORD_SUB:
	case WORD_OR:
	case WORD_XOR:
	case WORD_SHL:
	case WORD_SHR:
	case WORD_SIGNED_SHR:
		return b->number == 0;
	case WORD_MUL:
		return b->number == 1;
	default:
		return false;
	}
}

const struct term *term_binary(enum word_op op, const struct term *a, const struct term *b)
{
	struct term *t;
	uint64_t number;

	if (a->kind == TERM_NUMBER && b->kind == TERM_NUMBER &&
	    fold(op, a->number, b->number, &number))
		return term_number(number);
	if (changes_nothing(op, b))
		return a;
	t = make(TERM_BINARY, a, b, NULL);
	t->op = op;
	return t;
}

const struct term *term_plus(const struct term *a, uint64_t n)
{
	return n ? term_binary(WORD_ADD, a, term_number(n)) : a;
}

const struct term *term_unary(enum word_op op, const struct term *a)
{
	struct term *t;

	if (a->kind == TERM_NUMBER)
		return term_number(op == WORD_NEG ? -a->number : ~a->number);
	t = make(TERM_UNARY, a, NULL, NULL);
	t->op = op;
	return t;
}

static uint64_t extended(uint64_t n, unsigned size, bool is_signed)
{
	unsigned unused = 64 - size * 8;

	return is_signed ? (uint64_t)((int64_t)(n << unused) >> unused) : n << unused >> unused;
}

const struct term *term_extend(const struct term *a, unsigned size, bool is_signed)
{
	struct term *t;

	if (size != 1 && size != 2 && size != 4)
		return a;
	while (a->kind == TERM_EXTEND && a->size >= size)
		a = a->a;
	if (a->kind == TERM_NUMBER)
		return term_number(extended(a->number, size, is_signed));
	t = make(TERM_EXTEND, a, NULL, NULL);
	t->size = size;
	t->is_signed = is_signed;
	return t;
}

/* ---- memory, and values that families supply --------------------------- */

static struct term *make_access(enum term_kind kind, const struct term *address,
				const struct term *value, unsigned size, bool user)
{
	struct term *t = make(kind, address, value, NULL);

	t->size = size;
	t->user = user;
	return t;
}

const struct term *term_read(const struct term *address, unsigned size, bool user)
{
	return make_access(TERM_READ, address, NULL, size, user);
}

const struct term *term_write(const struct term *address, const struct term *value, unsigned size,
			      bool user)
{
	struct term *t = make_access(TERM_WRITE, address, value, size, user);

	t->sort = SORT_STORE;
	return t;
}

const struct term *term_set_register(unsigned n, const struct term *value)
{
	struct term *t = make_numbered(TERM_SET_REGISTER, n, value);

	t->sort = SORT_STORE;
	return t;
}

static const struct term *make_member(enum term_kind kind, enum term_sort sort,
				      enum term_record record, const char *member,
				      const struct term *value)
{
	struct term *t = make(kind, value, NULL, NULL);

	t->sort = sort;
	t->n = record;
	t->text = member;
	return t;
}

const struct term *term_member(enum term_sort sort, enum term_record record, const char *member)
{
	return make_member(TERM_MEMBER, sort, record, member, NULL);
}

const struct term *term_set_member(enum term_record record, const char *member,
				   const struct term *value)
{
	return make_member(TERM_SET_MEMBER, SORT_STORE, record, member, value);
}

const struct term_function_info term_functions[TERM_FUNCTIONS] = {
	[TERM_VALUE] = { "value", SORT_STRING, 0 },
	[TERM_SET_VALUE] = { "set_value", SORT_STORE, 1 },
	[TERM_APPEND_VALUE] = { "append_value", SORT_STORE, 1 },
	[TERM_THREAD_POINTER] = { "thread_pointer", SORT_WORD, 0 },
	[TERM_VECTOR] = { "vector", SORT_WORD, 2 },
	[TERM_WIDENED] = { "widened", SORT_WORD, 1 },
	[TERM_NARROWED] = { "narrowed", SORT_WORD, 1 },
	[TERM_FLOAT_SHOWN] = { "float_shown", SORT_STRING, 1 },
	[TERM_QUOTED] = { "quoted", SORT_STRING, 2 },
};

const char *const term_records[TERM_RECORDS] = {
	[TERM_PACKET] = "packet",
	[TERM_TRACEPOINT] = "tracepoint",
	[TERM_SYSTEM_CALL] = "system_call",
};

const struct term *term_call(enum term_function function, const struct term *a,
			     const struct term *b)
{
	struct term *t = make(TERM_CALL, a, b, NULL);

	t->sort = term_functions[function].sort;
	t->n = function;
	term_measure(t);
	return t;
}

/* ---- strings ----------------------------------------------------------- */

const struct term *term_format(const char *format, const term_list *args)
{
	struct term *t = make(TERM_FORMAT, NULL, NULL, NULL);

	t->sort = SORT_STRING;
	t->text = format;
	t->args = args->v;
	t->n = args->n;
	term_measure(t);
	return t;
}

const struct term *term_text(const char *text)
{
	struct sbuf format = { 0 };
	term_list none = { 0 };

	sbuf_format_escape(&format, text);
	return term_format(sbuf_take(&format), &none);
}

const struct term *term_attempt(const struct term *string)
{
	struct term *t = make(TERM_ATTEMPT, string, NULL, NULL);

	t->sort = SORT_STRING;
	return t;
}

const struct term *term_enumerator(const struct term *input, const struct term_case *cases,
				   size_t n)
{
	struct term *t = make(TERM_ENUMERATOR, input, NULL, NULL);

	t->sort = SORT_STRING;
	t->cases = cases;
	t->n = n;
	return t;
}

/* ---- comparing --------------------------------------------------------- */

/* Appends N in hexadecimal, low digits first, and a comma. */
static void key_number(struct sbuf *out, uint64_t n)
{
	for (; n; n >>= 4)
		sbuf_putc(out, "0123456789abcdef"[n & 15]);
	sbuf_putc(out, ',');
}

static void key_text(struct sbuf *out, const char *text)
{
	key_number(out, strlen(text));
	sbuf_puts(out, text);
}

void term_key(struct sbuf *out, const struct term *t)
{
	if (!t) {
		sbuf_putc(out, '-');
		return;
	}
	sbuf_putc(out, 'A' + t->kind);
	key_number(out, t->op | t->size << 8 | t->user << 16 | t->is_signed << 17 |
			t->sort << 18 | (uint64_t)t->n << 32);
	key_number(out, t->number);
	if (t->text)
		key_text(out, t->text);
	for (size_t i = 0; t->args && i < t->n; i++)
		term_key(out, t->args[i]);
	for (size_t i = 0; t->cases && i < t->n; i++) {
		key_number(out, t->cases[i].value);
		key_text(out, t->cases[i].name);
	}
	term_key(out, t->a);
	term_key(out, t->b);
	term_key(out, t->c);
}

bool term_equal(const struct term *a, const struct term *b)
{
	struct sbuf x = { 0 }, y = { 0 };
	bool same;

	term_key(&x, a);
	term_key(&y, b);
	same = strcmp(sbuf_str(&x), sbuf_str(&y)) == 0;
	sbuf_free(&x);
	sbuf_free(&y);
	return same;
}

bool term_is_constant(const struct term *t)
{
	return t->kind == TERM_NUMBER || (t->kind == TERM_FORMAT && !t->n);
}

/* ---- walking ----------------------------------------------------------- */

void term_walk(const struct term *t, void (*fn)(const struct term *t, void *arg), void *arg)
{
	if (!t)
		return;
	fn(t, arg);
	term_walk(t->a, fn, arg);
	term_walk(t->b, fn, arg);
	term_walk(t->c, fn, arg);
	for (size_t i = 0; t->args && i < t->n; i++)
		term_walk(t->args[i], fn, arg);
}
