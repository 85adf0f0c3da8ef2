// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes fetches of the operands of marks. */
#include "operand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"

/* The characters that end a symbol or a number. */
#define ENDS "+-*/(),:% \t"

struct parser {
	const char *p;			/* the rest of the text */
	const struct arch *arch;
	struct operand *out;
	bool no_size;			/* none was given */
	bool in_table;			/* the symbol's address is read from a table */
	struct problem *why;
};

static bool refuse(struct parser *s, const char *why)
{
	if (!s->why->text)
		s->why->text = why;
	return false;
}

static bool take(struct parser *s, char c)
{
	s->p += strspn(s->p, " \t");
	if (*s->p != c)
		return false;
	s->p++;
	return true;
}

/* ---- sizes ------------------------------------------------------------- */

/* Parses "-4@", "8f@", or nothing. */
static bool parse_size(struct parser *s)
{
	const char *at = strchr(s->p, '@'), *p = s->p;
	char *end;

	s->no_size = !at || strspn(p, "-0123456789f") != (size_t)(at - p);
	if (s->no_size)
		return true;
	s->out->is_signed = *p == '-';
	p += s->out->is_signed;
	s->out->size = strtoul(p, &end, 10);
	if (end == p || end + (*end == 'f') != at)
		return refuse(s, "it has no size that makes sense");
	s->p = at + 1;
	if (s->out->size == 1 || s->out->size == 2 || s->out->size == 4 || s->out->size == 8)
		return true;
	return refuse(s, "only arguments of 1, 2, 4 and 8 bytes can be");
}

/* ---- registers and expressions ----------------------------------------- */

/* Parses the name behind a '%'; *SIZE and *SHIFT as arch.h has them. */
static bool parse_register(struct parser *s, int *index, unsigned *size, unsigned *shift)
{
	size_t n = strcspn(s->p, ENDS);
	const char *name = arena_strndup(s->p, n);

	s->p += n;
	*index = s->arch->asm_reg(name, size, shift);
	if (*index >= 0)
		return true;
	return refuse(s, arena_printf("the kernel keeps no register %%%s for probes", name));
}

/* Takes the name of a vector register, behind the '%', if there is one. */
static bool take_vector(struct parser *s)
{
	size_t n = strcspn(s->p, ENDS);
	int vector = s->arch->asm_vector(arena_strndup(s->p, n));

	if (vector < 0)
		return false;
	s->out->kind = OPERAND_VECTOR;
	s->out->base = vector;
	s->p += n;
	return true;
}

/* Takes the suffix off a symbol: what the linker is to put in its place. */
static bool take_suffix(struct parser *s, const char **symbol)
{
	const char *at = strchr(*symbol, '@');

	if (!at)
		return true;
	*symbol = arena_strndup(*symbol, at - *symbol);
	s->in_table = !strcmp(at, "@GOTPCREL");
	return s->out->thread ? !strcasecmp(at, "@tpoff") : s->in_table;
}

/* Adds a number, or remembers a symbol. */
static bool parse_item(struct parser *s, bool negative)
{
	size_t n = strcspn(s->p, ENDS);
	const char *text = arena_strndup(s->p, n);
	char *end;

	s->p += n;
	if (*text >= '0' && *text <= '9') {
		uint64_t number = strtoull(text, &end, 0);

		s->out->number += negative ? -number : number;
		return !*end || refuse(s, "its number makes no sense");
	}
	if (!take_suffix(s, &text))
		return refuse(s, "its address is known to the dynamic linker alone");
	if (!n || s->out->symbol || negative)
		return refuse(s, "it is no operand of a kind that compilers write");
	s->out->symbol = intern(text);
	return true;
}

/* Takes signs, if there are any: "-", "+-".  *NEGATIVE is what they come to. */
static bool take_signs(struct parser *s, bool *negative)
{
	bool any = false;

	*negative = false;
	for (;; any = true) {
		if (take(s, '-'))
			*negative = !*negative;
		else if (!take(s, '+'))
			return any;
	}
}

/* Parses "sym+4", "-8", "4+-32". */
static bool parse_expression(struct parser *s)
{
	bool negative;

	take_signs(s, &negative);
	do {
		if (!parse_item(s, negative))
			return false;
	} while (take_signs(s, &negative));
	return true;
}

/* ---- memory ------------------------------------------------------------ */

/* Parses a register of an address, if there is one. */
static bool parse_address_register(struct parser *s, int *index)
{
	unsigned size, shift;

	if (!take(s, '%'))
		return true;
	return parse_register(s, index, &size, &shift) &&
	       (size >= 4 || refuse(s, "its address is in a part of a register"));
}

static bool parse_scale(struct parser *s)
{
	char *end;

	s->p += strspn(s->p, " \t");
	s->out->scale = strtoul(s->p, &end, 10);
	if (end == s->p || !s->out->scale || s->out->scale > 8 ||
	    (s->out->scale & (s->out->scale - 1)))
		return refuse(s, "its index has no scale that makes sense");
	s->p = end;
	return true;
}

/* Parses "(%rbp,%rcx,4)", behind the '('. */
static bool parse_registers(struct parser *s)
{
	struct operand *o = s->out;

	if (!parse_address_register(s, &o->base))
		return false;
	if (take(s, ',') && !parse_address_register(s, &o->index))
		return false;
	if (take(s, ',') && !parse_scale(s))
		return false;
	if (o->base == s->arch->pc_reg) {
		if (!o->symbol || o->index >= 0)
			return refuse(s, "it is relative to an instruction");
		o->base = -1;
	}
	return take(s, ')') || refuse(s, "its parentheses make no sense");
}

/* Takes "%fs:". */
static bool take_segment(struct parser *s)
{
	const char *name = s->arch->thread_segment;
	size_t n = strlen(name);

	if (s->out->word != s->arch->word || s->p[0] != '%' || strncmp(s->p + 1, name, n) ||
	    s->p[n + 1] != ':')
		return false;
	s->p += n + 2;
	return true;
}

static bool parse_memory(struct parser *s)
{
	struct operand *o = s->out;

	o->kind = OPERAND_MEMORY;
	if (*s->p != '(' && !parse_expression(s))
		return false;
	if (take(s, '(') && !parse_registers(s))
		return false;
	if (!s->in_table)
		return true;
	o->kind = OPERAND_CONSTANT;
	return (o->base < 0 && o->index < 0 && !o->number) ||
	       refuse(s, "it is beside what is in a table of the dynamic linker");
}

/* Parses what is behind the size. */
static bool parse_location(struct parser *s)
{
	struct operand *o = s->out;
	unsigned width = s->out->word;

	o->thread = take_segment(s);
	if (!o->thread && take(s, '%')) {
		if (take_vector(s))
			goto end;
		o->kind = OPERAND_REGISTER;
		if (!parse_register(s, &o->base, &width, &o->shift))
			return false;
		if (o->base == s->arch->pc_reg)
			return refuse(s, "it is relative to an instruction");
	} else if (!o->thread && take(s, '$')) {
		o->kind = OPERAND_CONSTANT;
		if (!parse_expression(s))
			return false;
	} else if (!parse_memory(s)) {
		return false;
	}
end:
	if (s->no_size)
		o->size = width;
	return !*s->p || refuse(s, "it is no operand of a kind that compilers write");
}

bool operand_parse(const char *text, const struct arch *arch, unsigned word, struct operand *out,
		   struct problem *why)
{
	struct parser s = { .p = text, .arch = arch, .out = out, .why = why };

	*out = (struct operand){ .word = word, .base = -1, .index = -1, .scale = 1 };
	return parse_size(&s) && parse_location(&s);
}

/* ---- terms ------------------------------------------------------------- */

static const struct term *add(const struct term *a, const struct term *b)
{
	return a ? term_binary(WORD_ADD, a, b) : b;
}

static const struct term *sum_term(const struct operand *o, const struct term *symbol)
{
	const struct term *sum = symbol;

	if (o->thread && !symbol)
		sum = term_call(TERM_THREAD_POINTER, NULL, NULL);
	if (o->base >= 0)
		sum = add(sum, term_register(o->base));
	if (o->index >= 0)
		sum = add(sum, term_binary(WORD_MUL, term_register(o->index),
					   term_number(o->scale)));
	sum = sum ? term_plus(sum, o->number) : term_number(o->number);
	return sum;
}

const struct term *operand_term(const struct operand *o, const struct term *symbol)
{
	const struct term *t;

	switch (o->kind) {
	case OPERAND_VECTOR:
		t = term_call(TERM_VECTOR, term_number(o->base), term_number(0));
		return term_extend(t, o->size, o->is_signed);
	case OPERAND_REGISTER:
		t = term_binary(WORD_SHR, term_register(o->base), term_number(o->shift));
		return term_extend(t, o->shift ? 1 : o->size, o->is_signed);
	case OPERAND_CONSTANT:
		return term_extend(sum_term(o, symbol), o->size, o->is_signed);
	default:			/* a 32-bit program's addresses wrap around */
		t = term_read(term_extend(sum_term(o, symbol), o->word, false), o->size, true);
		return o->is_signed ? term_extend(t, o->size, true) : t;
	}
}
