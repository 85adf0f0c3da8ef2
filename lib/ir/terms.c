// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the terms of fetches: "read4(register(14) + 0x44)". */
#include "ir/ir.h"

#include <inttypes.h>

#include "fetch.h"

static const char *const operators[] = {
	[WORD_ADD] = "+", [WORD_SUB] = "-", [WORD_MUL] = "*", [WORD_DIV] = "/", [WORD_MOD] = "%",
	[WORD_SIGNED_DIV] = "s/", [WORD_AND] = "&", [WORD_OR] = "|", [WORD_XOR] = "^",
	[WORD_SHL] = "<<", [WORD_SHR] = ">>", [WORD_SIGNED_SHR] = "s>>",
	[WORD_EQ] = "==", [WORD_NE] = "!=",
	[WORD_LT] = "<", [WORD_LE] = "<=", [WORD_GT] = ">", [WORD_GE] = ">=",
	[WORD_SIGNED_LT] = "s<", [WORD_SIGNED_LE] = "s<=",
	[WORD_SIGNED_GT] = "s>", [WORD_SIGNED_GE] = "s>=",
	[WORD_NEG] = "-", [WORD_NOT] = "~",
};

static void dump_text(struct sbuf *out, const char *text)
{
	sbuf_putc(out, '"');
	sbuf_c_escape(out, text);
	sbuf_putc(out, '"');
}

/* Prints a term without children. Returns false for any other. */
static bool dump_leaf(struct sbuf *out, const struct term *t)
{
	switch (t->kind) {
	case TERM_NUMBER:
		sbuf_printf(out, "%#" PRIx64, t->number);
		return true;
	case TERM_REGISTER:
		sbuf_printf(out, "register(%u)", t->n);
		return true;
	case TERM_INPUT:
		sbuf_printf(out, "input.%u", t->n);
		return true;
	case TERM_IMAGE:
		sbuf_printf(out, "image.%u(%#" PRIx64 ")", t->n, t->number);
		return true;
	case TERM_PROGRAM:
		sbuf_printf(out, "program.%u(%#" PRIx64 ")", t->n, t->number);
		return true;
	case TERM_TEMPORARY:
		sbuf_printf(out, "let.%u", t->n);
		return true;
	case TERM_STORED:
		sbuf_puts(out, "stored");
		return true;
	default:
		return false;
	}
}

/* Prints the name of a term with arguments in parentheses. */
static void dump_name(struct sbuf *out, const struct term *t)
{
	switch (t->kind) {
	case TERM_THIS_CPU:
		sbuf_puts(out, "this_cpu");
		break;
	case TERM_READ:
	case TERM_WRITE:
		sbuf_printf(out, "%s%s%u", t->user ? "u" : "",
			    t->kind == TERM_READ ? "read" : "write", t->size);
		break;
	case TERM_EXTEND:
		sbuf_printf(out, "%s%u", t->is_signed ? "signed" : "unsigned", t->size);
		break;
	case TERM_LET:
		sbuf_printf(out, "let.%u", t->n);
		break;
	case TERM_CALL:
		sbuf_puts(out, term_functions[t->n].name);
		break;
	case TERM_MEMBER:
	case TERM_SET_MEMBER:
		sbuf_printf(out, "%s.%s", term_records[t->n], t->text);
		break;
	case TERM_SET_REGISTER:
		sbuf_printf(out, "set_register.%u", t->n);
		break;
	case TERM_CHOOSE:
		sbuf_puts(out, "choose");
		break;
	case TERM_FORMAT:
		sbuf_puts(out, "format ");
		dump_text(out, t->text);
		break;
	case TERM_ATTEMPT:
		sbuf_puts(out, "attempt");
		break;
	default:			/* TERM_ENUMERATOR */
		sbuf_puts(out, "enumerator");
	}
}

static void dump_arguments(struct sbuf *out, const struct term *t)
{
	const struct term *const all[] = { t->a, t->b, t->c };
	const char *comma = "";

	sbuf_putc(out, '(');
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && all[i]; i++, comma = ", ") {
		sbuf_puts(out, comma);
		ir_dump_term(out, all[i]);
	}
	for (size_t i = 0; t->kind == TERM_FORMAT && i < t->n; i++, comma = ", ") {
		sbuf_puts(out, comma);
		ir_dump_term(out, t->args[i]);
	}
	for (size_t i = 0; t->kind == TERM_ENUMERATOR && i < t->n; i++)
		sbuf_printf(out, ", %" PRId64 ": %s", t->cases[i].value, t->cases[i].name);
	sbuf_putc(out, ')');
}

void ir_dump_term(struct sbuf *out, const struct term *t)
{
	if (dump_leaf(out, t))
		return;
	if (t->kind == TERM_UNARY) {
		sbuf_puts(out, operators[t->op]);
		ir_dump_term(out, t->a);
	} else if (t->kind == TERM_BINARY) {
		sbuf_putc(out, '(');
		ir_dump_term(out, t->a);
		sbuf_printf(out, " %s ", operators[t->op]);
		ir_dump_term(out, t->b);
		sbuf_putc(out, ')');
	} else {
		dump_name(out, t);
		dump_arguments(out, t);
	}
}
