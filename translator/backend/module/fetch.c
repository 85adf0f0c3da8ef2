// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the terms of fetches (fetch.h) as C.
 *
 * C's integers have sizes and signs where terms have words.  A word is printed as
 * an expression of any integer type of its value, which binds as tightly as a cast:
 * where C converts it anyway, to a parameter's or variable's type, nothing else is
 * needed.  An operand has to be an unsigned long (put_word).
 */
#include "fetch.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

/* Prints a word as an operand of type unsigned long. */
static void put_word(struct sbuf *out, const struct term *t)
{
	switch (t->kind) {
	case TERM_INPUT:
	case TERM_READ:
	case TERM_EXTEND:
	case TERM_STORED:
	case TERM_MEMBER:
	case TERM_CALL:
		sbuf_puts(out, "(unsigned long)");
		break;
	default:
		break;
	}
	fetch_print(out, t);
}

static void put_leaf(struct sbuf *out, const struct term *t)
{
	switch (t->kind) {
	case TERM_NUMBER:
		sbuf_printf(out, "%#" PRIx64 "ul", t->number);
		break;
	case TERM_REGISTER:
		sbuf_printf(out, "st_reg(c, %u)", t->n);
		break;
	case TERM_INPUT:
		sbuf_printf(out, "ix[%u]", t->n);
		break;
	case TERM_IMAGE:
		sbuf_printf(out, "st_relocate(c, %u, %#" PRIx64 "ul)", t->n, t->number);
		break;
	case TERM_PROGRAM:
		sbuf_printf(out, "st_program_address(c, %u, %#" PRIx64 "ul)", t->n, t->number);
		break;
	case TERM_TEMPORARY:
		sbuf_printf(out, "st_t%u", t->n);
		break;
	default:			/* TERM_STORED */
		sbuf_putc(out, 'v');
	}
}

/* ---- operators --------------------------------------------------------- */

static const char *const operators[] = {
	[WORD_ADD] = "+", [WORD_SUB] = "-", [WORD_MUL] = "*", [WORD_DIV] = "/", [WORD_MOD] = "%",
	[WORD_AND] = "&", [WORD_OR] = "|", [WORD_XOR] = "^",
	[WORD_SHL] = "<<", [WORD_SHR] = ">>", [WORD_SIGNED_SHR] = ">>",
	[WORD_EQ] = "==", [WORD_NE] = "!=",
	[WORD_LT] = "<", [WORD_LE] = "<=", [WORD_GT] = ">", [WORD_GE] = ">=",
	[WORD_SIGNED_LT] = "<", [WORD_SIGNED_LE] = "<=",
	[WORD_SIGNED_GT] = ">", [WORD_SIGNED_GE] = ">=",
	[WORD_NEG] = "-", [WORD_NOT] = "~",
};

/* Prints "CAST a op CAST b". */
static void put_operation(struct sbuf *out, const char *cast, const struct term *t)
{
	sbuf_puts(out, cast);
	put_word(out, t->a);
	sbuf_printf(out, " %s ", operators[t->op]);
	sbuf_puts(out, cast);
	put_word(out, t->b);
}

/*
 * Prints an operator that C leaves undefined for some B, with its value there:
 * "(B ? A / B : 0ul)".
 */
static void put_guarded(struct sbuf *out, const struct term *t)
{
	sbuf_putc(out, '(');
	put_word(out, t->b);
	sbuf_puts(out, t->op == WORD_DIV || t->op == WORD_MOD ? " ? " : " < 64 ? ");
	put_operation(out, "", t);
	sbuf_puts(out, " : 0ul)");
}

static void put_signed_shift(struct sbuf *out, const struct term *t)
{
	sbuf_puts(out, "(unsigned long)((st_long)");
	put_word(out, t->a);
	if (t->b->kind == TERM_NUMBER) {
		sbuf_printf(out, " >> %u)", t->b->number < 64 ? (unsigned)t->b->number : 63);
		return;
	}
	sbuf_puts(out, " >> (");
	put_word(out, t->b);
	sbuf_puts(out, " < 64 ? ");
	put_word(out, t->b);
	sbuf_puts(out, " : 63ul))");
}

static void put_shift(struct sbuf *out, const struct term *t)
{
	if (t->b->kind == TERM_NUMBER && t->b->number < 64) {
		sbuf_putc(out, '(');
		put_word(out, t->a);
		sbuf_printf(out, " %s %u)", operators[t->op], (unsigned)t->b->number);
	} else {
		put_guarded(out, t);
	}
}

static void put_parameter(struct sbuf *out, const struct term *t)
{
	if (!t)
		return;
	sbuf_puts(out, ", ");
	fetch_print(out, t);
}

/* The runtime's functions (runtime/abi/stap_script.h), and those that return its records. */
static const char *const functions[TERM_FUNCTIONS] = {
	[TERM_VALUE] = "st_value_get",
	[TERM_SET_VALUE] = "st_value_set",
	[TERM_APPEND_VALUE] = "st_value_append",
	[TERM_THREAD_POINTER] = "st_thread_pointer",
	[TERM_VECTOR] = "st_vector",
	[TERM_WIDENED] = "st_widened",
	[TERM_NARROWED] = "st_narrowed",
	[TERM_FLOAT_SHOWN] = "st_float_shown",
	[TERM_QUOTED] = "st_quoted_at",
};

static const char *const records[TERM_RECORDS] = {
	[TERM_PACKET] = "st_packet",
	[TERM_TRACEPOINT] = "st_trace",
	[TERM_SYSTEM_CALL] = "st_syscall",
};

static void put_call(struct sbuf *out, const char *name, const struct term *a,
		     const struct term *b)
{
	sbuf_printf(out, "%s(c", name);
	put_parameter(out, a);
	put_parameter(out, b);
	sbuf_putc(out, ')');
}

static void put_binary(struct sbuf *out, const struct term *t)
{
	switch (t->op) {
	case WORD_DIV:
	case WORD_MOD:
		put_guarded(out, t);
		break;
	case WORD_SIGNED_DIV:
		sbuf_puts(out, "(unsigned long)");
		put_call(out, "st_div", t->a, t->b);
		break;
	case WORD_SHL:
	case WORD_SHR:
		put_shift(out, t);
		break;
	case WORD_SIGNED_SHR:
		put_signed_shift(out, t);
		break;
	default:
		if (t->op >= WORD_EQ)
			sbuf_puts(out, "(unsigned long)");
		sbuf_putc(out, '(');
		put_operation(out, t->op >= WORD_SIGNED_LT ? "(st_long)" : "", t);
		sbuf_putc(out, ')');
	}
}

static void put_extension(struct sbuf *out, const struct term *t)
{
	static const char *const types[2][5] = {
		{ [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int" },
		{ [1] = "signed char", [2] = "short", [4] = "int" },
	};

	sbuf_printf(out, "(%s)", types[t->is_signed][t->size]);
	put_word(out, t->a);
}

static void put_choice(struct sbuf *out, const struct term *t)
{
	sbuf_putc(out, '(');
	put_word(out, t->a);
	sbuf_puts(out, " ? ");
	put_word(out, t->b);
	sbuf_puts(out, " : ");
	put_word(out, t->c);
	sbuf_putc(out, ')');
}

/* ---- memory and temporaries ------------------------------------------------------------- */

static void put_access(struct sbuf *out, const struct term *t, const char *what)
{
	sbuf_printf(out, "st_%c%s(c, ", t->user ? 'u' : 'k', what);
	fetch_print(out, t->a);
	sbuf_printf(out, ", %u", t->size);
	put_parameter(out, t->b);
	sbuf_putc(out, ')');
}

/* Prints nested LETs in one block. */
static void put_let(struct sbuf *out, const struct term *t)
{
	bool is_store = t->sort == SORT_STORE;

	sbuf_puts(out, is_store ? "{ " : "({ ");
	for (; t->kind == TERM_LET; t = t->b) {
		sbuf_printf(out, "unsigned long st_t%u = ", t->n);
		fetch_print(out, t->a);
		sbuf_puts(out, "; ");
	}
	fetch_print(out, t);
	sbuf_puts(out, is_store ? " }" : "; })");
}

/* ---- strings ----------------------------------------------------------- */

static void put_argument(struct sbuf *out, const struct term *t)
{
	sbuf_puts(out, t->sort == SORT_STRING ? "{ .s = " : "{ .i = ");
	fetch_print(out, t);
	sbuf_puts(out, " }");
}

static void put_format(struct sbuf *out, const struct term *t)
{
	bool literal = !t->n && !strchr(t->text, '%');

	sbuf_puts(out, literal ? "ST_LIT(\"" : "st_format(c, \"");
	sbuf_c_escape(out, t->text);
	if (!t->n) {
		sbuf_puts(out, literal ? "\")" : "\", (void *)0, 0)");
		return;
	}
	sbuf_puts(out, "\", (union st_arg[]){ ");
	for (size_t i = 0; i < t->n; i++) {
		sbuf_puts(out, i ? ", " : "");
		put_argument(out, t->args[i]);
	}
	sbuf_printf(out, " }, %u)", t->n);
}

static void put_attempt(struct sbuf *out, const struct term *t)
{
	sbuf_puts(out, "({ struct st_str st_shown = ST_LIT(\"\"); char *st_mark = c->sp; "
		  "if (!c->error) { st_shown = st_keep(c, st_mark, ");
	fetch_print(out, t->a);
	sbuf_puts(out, "); if (c->error) { st_catch(c, (void *)0); c->sp = st_mark; "
		  "st_shown = ST_LIT(\"ERROR\"); } } st_shown; })");
}

static void put_enumerator(struct sbuf *out, const struct term *t)
{
	sbuf_puts(out, "({ struct st_str st_name; switch (");
	fetch_print(out, t->a);
	sbuf_puts(out, ") { ");
	for (size_t i = 0; i < t->n; i++) {
		sbuf_printf(out, "case (st_long)%#" PRIx64 "ull: st_name = ST_LIT(\"",
			    (uint64_t)t->cases[i].value);
		sbuf_c_escape(out, t->cases[i].name);
		sbuf_puts(out, "\"); break; ");
	}
	sbuf_puts(out, "default: st_name = st_format(c, \"%d\", (union st_arg[]){ ");
	put_argument(out, t->a);
	sbuf_puts(out, " }, 1); } st_name; })");
}

/* ---- stores ------------------------------------------------------------ */

static void put_set_register(struct sbuf *out, const struct term *t)
{
	sbuf_printf(out, "st_set_reg(c, %u, ", t->n);
	fetch_print(out, t->a);
	sbuf_putc(out, ')');
}

static void put_member(struct sbuf *out, const struct term *t)
{
	sbuf_printf(out, "%s(c)->%s", records[t->n], t->text);
	if (t->a) {
		sbuf_puts(out, " = ");
		fetch_print(out, t->a);
	}
}

/* ---- all --------------------------------------------------------------- */

static void put_term(struct sbuf *out, const struct term *t)
{
	switch (t->kind) {
	case TERM_NUMBER:
	case TERM_REGISTER:
	case TERM_INPUT:
	case TERM_IMAGE:
	case TERM_PROGRAM:
	case TERM_TEMPORARY:
	case TERM_STORED:
		put_leaf(out, t);
		break;
	case TERM_THIS_CPU:
		sbuf_puts(out, "st_this_cpu(");
		fetch_print(out, t->a);
		sbuf_putc(out, ')');
		break;
	case TERM_READ:
		put_access(out, t, "read");
		break;
	case TERM_WRITE:
		put_access(out, t, "write");
		break;
	case TERM_UNARY:
		sbuf_printf(out, "(%s", operators[t->op]);
		put_word(out, t->a);
		sbuf_putc(out, ')');
		break;
	case TERM_BINARY:
		put_binary(out, t);
		break;
	case TERM_EXTEND:
		put_extension(out, t);
		break;
	case TERM_CHOOSE:
		put_choice(out, t);
		break;
	case TERM_LET:
		put_let(out, t);
		break;
	case TERM_CALL:
		put_call(out, functions[t->n], t->a, t->b);
		break;
	case TERM_MEMBER:
	case TERM_SET_MEMBER:
		put_member(out, t);
		break;
	case TERM_SET_REGISTER:
		put_set_register(out, t);
		break;
	case TERM_FORMAT:
		put_format(out, t);
		break;
	case TERM_ATTEMPT:
		put_attempt(out, t);
		break;
	case TERM_ENUMERATOR:
		put_enumerator(out, t);
		break;
	}
}

void fetch_print(struct sbuf *out, const struct term *t)
{
	put_term(out, t);
	if (t->sort == SORT_STORE && t->kind != TERM_LET)
		sbuf_putc(out, ';');
}

const char *fetch_text(const struct term *t)
{
	struct sbuf out = { 0 };

	fetch_print(&out, t);
	return sbuf_take(&out);
}
