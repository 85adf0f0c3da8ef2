// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Terms: what each is printed as, what constructors make of constants, which are
 * equal, and how much scratch strings need.  That what is printed computes the right
 * thing, target_ops.c and target_vars.c see.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "backend/module/codegen.h"
#include "fetch.h"
#include "ir/verify.h"
#include "check.h"

static void printed(int line, const struct term *t, const char *want)
{
	const char *got = fetch_text(t);

	if (strcmp(got, want) == 0)
		return;
	fprintf(stderr, "%s:%d: %s\n\tinstead of %s\n", __FILE__, line, got, want);
	failures++;
}

#define PRINTED(term, want) printed(__LINE__, term, want)

static const struct term *number(uint64_t n)
{
	return term_number(n);
}

static void check_words(void)
{
	const struct term *di = term_register(14), *t = term_temporary(0);
	const struct term *at = term_plus(di, 0x44);

	PRINTED(term_read(at, 4, false), "st_kread(c, (st_reg(c, 14) + 0x44ul), 4)");
	PRINTED(term_read(term_read(di, 8, false), 1, true),
		"st_uread(c, st_kread(c, st_reg(c, 14), 8), 1)");
	PRINTED(term_plus(term_read(di, 8, false), 8),
		"((unsigned long)st_kread(c, st_reg(c, 14), 8) + 0x8ul)");
	PRINTED(term_extend(di, 4, true), "(int)st_reg(c, 14)");
	PRINTED(term_plus(term_extend(di, 2, false), 1),
		"((unsigned long)(unsigned short)st_reg(c, 14) + 0x1ul)");
	PRINTED(term_image(1, 0x20), "st_relocate(c, 1, 0x20ul)");
	PRINTED(term_this_cpu(term_image(0, 0x20)), "st_this_cpu(st_relocate(c, 0, 0x20ul))");
	PRINTED(term_binary(WORD_ADD, di, term_binary(WORD_MUL, term_input(2), number(16))),
		"(st_reg(c, 14) + ((unsigned long)ix[2] * 0x10ul))");
	PRINTED(term_binary(WORD_SHR, di, number(3)), "(st_reg(c, 14) >> 3)");
	PRINTED(term_binary(WORD_SHL, di, t), "(st_t0 < 64 ? st_reg(c, 14) << st_t0 : 0ul)");
	PRINTED(term_binary(WORD_SIGNED_SHR, di, number(70)),
		"(unsigned long)((st_long)st_reg(c, 14) >> 63)");
	PRINTED(term_binary(WORD_MOD, di, t), "(st_t0 ? st_reg(c, 14) % st_t0 : 0ul)");
	PRINTED(term_binary(WORD_SIGNED_DIV, di, t),
		"(unsigned long)st_div(c, st_reg(c, 14), st_t0)");
	PRINTED(term_binary(WORD_SIGNED_DIV, t, t), "(unsigned long)st_div(c, st_t0, st_t0)");
	PRINTED(term_binary(WORD_SIGNED_LT, di, number(0)),
		"(unsigned long)((st_long)st_reg(c, 14) < (st_long)0ul)");
	PRINTED(term_choose(di, term_unary(WORD_NEG, t), t),
		"(st_reg(c, 14) ? (-st_t0) : st_t0)");
	PRINTED(term_let(0, at, term_let(1, t, term_read(term_temporary(1), 8, false))),
		"({ unsigned long st_t0 = (st_reg(c, 14) + 0x44ul); unsigned long st_t1 = st_t0; "
		"st_kread(c, st_t1, 8); })");
	PRINTED(term_member(SORT_WORD, TERM_PACKET, "skb"), "st_packet(c)->skb");
}

static void check_stores(void)
{
	const struct term *v = term_stored();

	PRINTED(term_write(term_register(14), v, 4, false), "st_kwrite(c, st_reg(c, 14), 4, v);");
	PRINTED(term_set_register(10, term_extend(v, 4, false)),
		"st_set_reg(c, 10, (unsigned int)(unsigned long)v);");
	PRINTED(term_set_member(TERM_PACKET, "verdict", v), "st_packet(c)->verdict = v;");
	PRINTED(term_call(TERM_SET_VALUE, v, NULL), "st_value_set(c, v);");
	PRINTED(term_let(3, term_register(1), term_write(term_temporary(3), v, 8, true)),
		"{ unsigned long st_t3 = st_reg(c, 1); st_uwrite(c, st_t3, 8, v); }");
}

static void check_constants(void)
{
	const struct term *di = term_register(14);

	PRINTED(term_binary(WORD_SUB, number(1), number(2)), "0xfffffffffffffffful");
	PRINTED(term_binary(WORD_SHL, number(1), number(64)), "0ul");
	PRINTED(term_unary(WORD_NOT, number(0)), "0xfffffffffffffffful");
	PRINTED(term_extend(number(0x1ff), 1, true), "0xfffffffffffffffful");
	PRINTED(term_extend(number(0x1ff), 1, false), "0xfful");
	CHECK(term_plus(di, 0) == di && term_binary(WORD_OR, di, number(0)) == di);
	CHECK(term_extend(di, 8, true) == di);
	CHECK(term_extend(term_extend(di, 4, false), 2, true)->a == di);
	CHECK(term_extend(term_extend(di, 2, false), 4, true)->a != di);
	CHECK(term_choose(number(1), di, number(7)) == di);
}

static const struct term *list_of(const struct term *a, const struct term *b,
				  const struct term *c)
{
	term_list args = { 0 };

	vec_push(&args, a);
	vec_push(&args, b);
	vec_push(&args, c);
	return term_format("a=%s b=%s c=\"%#x\"", &args);
}

static void check_strings(void)
{
	static const struct term_case cases[] = { { -1, "MINUS" }, { 2, "TWO" } };
	const struct term *get = term_call(TERM_VALUE, NULL, NULL);
	const struct term *shown = term_attempt(get), *list = list_of(shown, get, number(3));

	PRINTED(get, "st_value_get(c)");
	PRINTED(list_of(get, get, number(3)),
		"st_format(c, \"a=%s b=%s c=\\\"%#x\\\"\", (union st_arg[]){ "
		"{ .s = st_value_get(c) }, { .s = st_value_get(c) }, { .i = 0x3ul } }, 3)");
	PRINTED(term_enumerator(term_input(0), cases, 2),
		"({ struct st_str st_name; switch (ix[0]) { "
		"case (st_long)0xffffffffffffffffull: st_name = ST_LIT(\"MINUS\"); break; "
		"case (st_long)0x2ull: st_name = ST_LIT(\"TWO\"); break; "
		"default: st_name = st_format(c, \"%d\", (union st_arg[]){ { .i = ix[0] } }, 1); } "
		"st_name; })");
	PRINTED(term_text("a \"text\""), "ST_LIT(\"a \\\"text\\\"\")");
	PRINTED(term_text("100 %d"), "st_format(c, \"100 %%d\", (void *)0, 0)");
	CHECK(term_is_constant(term_text("%")) && term_is_constant(number(1)));
	CHECK(!term_is_constant(list) && !term_is_constant(get));
	/* what is in scratch while the last of the format's strings is made, or its own */
	CHECK(get->strings == 1 && shown->strings == 2 && list->strings == 3);
	CHECK(list_of(get, shown, number(3))->strings == 3);
	CHECK(term_attempt(list)->strings == 4);
	CHECK(term_let(0, number(1), list)->sort == SORT_STRING);
	CHECK(!term_equal(list, list_of(get, shown, number(3))));
	CHECK(term_equal(list, list_of(term_attempt(get), get, number(3))));
}

/* The verifier refuses a format that doesn't fit its values, because the runtime would take others. */
static void check_formats(void)
{
	const struct term *text = term_text("x"), *word = number(1);
	static const struct { const char *format; bool words[2]; size_t n; bool fits; } cases[] = {
		{ "%s %d", { false, true }, 2, true },
		{ "100%% %.*s", { true, false }, 2, true },
		{ "%d %d", { true }, 1, false },
		{ "%d", { true, true }, 2, false },
		{ "%s", { true }, 1, false },
		{ "%.*s", { false, false }, 2, false },
	};

	struct ir_formats formats = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		term_list args = { 0 };

		for (size_t j = 0; j < cases[i].n; j++)
			vec_push(&args, cases[i].words[j] ? word : text);
		CHECK(!ir_verify_term(&formats, term_format(cases[i].format, &args), 0) == cases[i].fits);
	}
}

static void check_equality(void)
{
	const struct term *different[] = {
		number(0), number(1), term_register(1), term_register(16), term_input(1),
		term_temporary(1), term_image(1, 0), term_image(0, 1), term_stored(),
		term_read(number(1), 4, false), term_read(number(1), 4, true),
		term_read(number(1), 8, false), term_read(number(2), 8, false),
		term_extend(term_input(1), 4, false), term_extend(term_input(1), 4, true),
		term_binary(WORD_ADD, term_input(1), number(2)),
		term_binary(WORD_SUB, term_input(1), number(2)),
		term_member(SORT_WORD, TERM_PACKET, "c"), term_member(SORT_WORD, TERM_TRACEPOINT, "c"),
		term_call(TERM_VECTOR, term_call(TERM_VECTOR, number(1), NULL), number(2)),
		term_call(TERM_VECTOR, term_call(TERM_VECTOR, number(1), number(2)), NULL),
	};
	size_t n = sizeof(different) / sizeof(*different);

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			CHECK(term_equal(different[i], different[j]) == (i == j));
	CHECK(term_equal(term_read(term_register(3), 8, false),
			 term_read(term_register(3), 8, false)));
}

static void count_registers(const struct term *t, void *n)
{
	*(int *)n += t->kind == TERM_REGISTER;
}

static void check_walk(void)
{
	const struct term *r = term_register(3), *sum = term_binary(WORD_ADD, r, r);
	int n = 0;

	term_walk(list_of(sum, term_choose(r, sum, number(1)), term_let(0, r, number(1))),
		  count_registers, &n);
	CHECK(n == 6);
	CHECK(sum->nodes == 3);
	term_walk(NULL, count_registers, &n);
}

int main(void)
{
	check_words();
	check_stores();
	check_constants();
	check_strings();
	check_formats();
	check_equality();
	check_walk();
	arena_free_all();
	return failures != 0;
}
