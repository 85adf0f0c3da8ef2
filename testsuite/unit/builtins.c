// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of builtins: binding declarations to rows, and what engines have. */
#include <stdio.h>
#include <string.h>

#include "lang/builtins.h"

static int failures;

#define CHECK(cond) do {							\
	if (!(cond)) {								\
		failures++;							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);	\
	}									\
} while (0)

static const struct builtin *find(const char *name, enum type result, enum type a, enum type b)
{
	struct variable params[2] = { { .type = a }, { .type = b } };
	struct function f = { .name = name, .type = result };

	for (int i = 0; i < 2 && params[i].type != T_UNKNOWN; i++)
		vec_push(&f.params, &params[i]);
	return builtin_find(&f);
}

static void test_rows(void)
{
	const struct builtin *b = find("pid", T_LONG, T_UNKNOWN, T_UNKNOWN);

	CHECK(b && !strcmp(b->symbol, "st_fn_pid") && !b->constant);
	CHECK(b && b->traits == (FN_PURE | FN_STABLE | FN_UNPRIVILEGED));
	b = find("mdelay", T_UNKNOWN, T_LONG, T_UNKNOWN);
	CHECK(b && !strcmp(b->symbol, "st_fn_delay") && !strcmp(b->constant, "1000"));
	b = find("execname", T_STRING, T_UNKNOWN, T_UNKNOWN);
	CHECK(b && b->longest == 16);
}

/* A row is bound by its name, result and types of parameters: overloads are rows of their own. */
static void test_types(void)
{
	const struct builtin *one = find("kernel_string", T_STRING, T_LONG, T_UNKNOWN);
	const struct builtin *two = find("kernel_string", T_STRING, T_LONG, T_STRING);

	CHECK(one && two && one != two);
	CHECK(one && one == find("kernel_string", T_STRING, T_LONG, T_UNKNOWN));
	CHECK(!find("kernel_string", T_STRING, T_STRING, T_UNKNOWN));
	CHECK(!find("kernel_string", T_LONG, T_LONG, T_UNKNOWN));
	CHECK(!find("kernel_string", T_STRING, T_UNKNOWN, T_UNKNOWN));
	CHECK(!find("no_such", T_LONG, T_UNKNOWN, T_UNKNOWN));
}

static void test_engines(void)
{
	const struct builtin *length = find("strlen", T_LONG, T_STRING, T_UNKNOWN);
	const struct builtin *task = find("task_current", T_LONG, T_UNKNOWN, T_UNKNOWN);

	CHECK(length && builtin_is_in(length, ENGINE_MODULE) && builtin_is_in(length, ENGINE_USER));
	CHECK(task && builtin_is_in(task, ENGINE_MODULE) && !builtin_is_in(task, ENGINE_USER));
}

int main(void)
{
	test_rows();
	test_types();
	test_engines();
	return failures != 0;
}
