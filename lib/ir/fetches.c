// SPDX-License-Identifier: GPL-2.0-or-later
/* Verifies the terms of fetches (fetch.h): each is of the sort that its kind gives, and so are its operands. */
#include "base/arena.h"
#include "fetch.h"
#include "ir/verify.h"

/* Is it of this sort?  What is to be stored may be a word or a string. */
static bool is(const struct term *t, enum term_sort sort)
{
	return t->sort == sort || (t->kind == TERM_STORED && sort != SORT_STORE);
}

static bool is_value(const struct term *t)
{
	return t->sort != SORT_STORE;
}

static bool takes_string(enum term_function function)
{
	return function == TERM_SET_VALUE || function == TERM_APPEND_VALUE;
}

static bool has_sort(const struct term *t)
{
	switch (t->kind) {
	case TERM_LET:
		return t->sort == t->b->sort;
	case TERM_MEMBER:
		return is_value(t);
	case TERM_CALL:
		return t->sort == term_functions[t->n].sort;
	case TERM_FORMAT:
	case TERM_ATTEMPT:
	case TERM_ENUMERATOR:
		return t->sort == SORT_STRING;
	case TERM_WRITE:
	case TERM_SET_REGISTER:
	case TERM_SET_MEMBER:
		return t->sort == SORT_STORE;
	default:
		return t->sort == SORT_WORD;
	}
}

static bool has_operands(const struct term *t)
{
	enum term_sort of_call = t->kind == TERM_CALL && takes_string(t->n) ? SORT_STRING : SORT_WORD;

	switch (t->kind) {
	case TERM_LET:
		return is(t->a, SORT_WORD);
	case TERM_CALL:
		return (!t->a || is(t->a, of_call)) && (!t->b || is(t->b, of_call));
	case TERM_ATTEMPT:
		return is(t->a, SORT_STRING);
	case TERM_SET_MEMBER:
		return is_value(t->a);
	default:
		return (!t->a || is(t->a, SORT_WORD)) && (!t->b || is(t->b, SORT_WORD)) &&
		       (!t->c || is(t->c, SORT_WORD));
	}
}

static bool has_size(const struct term *t)
{
	if (t->kind == TERM_READ || t->kind == TERM_WRITE)
		return t->size == 1 || t->size == 2 || t->size == 4 || t->size == 8;
	return t->kind != TERM_EXTEND || t->size == 1 || t->size == 2 || t->size == 4;
}

static bool has_operator(const struct term *t)
{
	bool unary = t->op == WORD_NEG || t->op == WORD_NOT;

	return (t->kind != TERM_UNARY || unary) && (t->kind != TERM_BINARY || !unary);
}

static bool fits_format(struct ir_formats *all, const struct term *t)
{
	const char *takes = ir_format_takes(all, t->text);

	for (size_t i = 0; i < t->n; i++)
		if (t->args[i]->sort == SORT_STORE || takes[i] != (t->args[i]->sort == SORT_STRING ? 's' : 'w'))
			return false;
	return !takes[t->n];
}

const char *ir_verify_term(struct ir_formats *all, const struct term *t, size_t inputs)
{
	const struct term *const operands[] = { t->a, t->b, t->c };
	const char *wrong = NULL;

	if (!has_sort(t))
		return "a term is of another sort than its kind";
	if (!has_operands(t))
		return "an operand of a term is of the wrong sort";
	if (!has_size(t))
		return arena_printf("a term has %u bytes", t->size);
	if (!has_operator(t))
		return "a term has too few or too many operands for its operator";
	if (t->kind == TERM_INPUT && t->n >= inputs)
		return arena_printf("a term has no input %u", t->n);
	if (t->kind == TERM_FORMAT && !fits_format(all, t))
		return "the format of a term does not fit its values";
	for (size_t i = 0; i < 3 && operands[i] && !wrong; i++)
		wrong = ir_verify_term(all, operands[i], inputs);
	for (size_t i = 0; t->kind == TERM_FORMAT && i < t->n && !wrong; i++)
		wrong = ir_verify_term(all, t->args[i], inputs);
	return wrong;
}
