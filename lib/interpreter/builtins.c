// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls builtins, by the table abi/builtins.def.  Each row that this engine has becomes a function
 * that passes the arguments on.  The row
 *
 *	BUILTIN(strpos, st_long, (st_str, st_str), st_fn_strpos, 0, ANY, …)
 *
 * becomes
 *
 *	static union run_value call_strpos_2(struct st_ctx *c, const union st_arg *a)
 *	{
 *		(void)a;
 *		return (union run_value){ .i = st_fn_strpos(c, a[0].s, a[1].s) };
 *	}
 */
#include "internal.h"

typedef union run_value caller(struct st_ctx *c, const union st_arg *a);

#define ARG_st_long(n) a[n].i
#define ARG_st_str(n) a[n].s
#define ARGS_0()
#define ARGS_1(t) , ARG_##t(0)
#define ARGS_2(t, u) , ARG_##t(0), ARG_##u(1)
#define ARGS_3(t, u, v) , ARG_##t(0), ARG_##u(1), ARG_##v(2)
#define ARGS_4(t, u, v, w) , ARG_##t(0), ARG_##u(1), ARG_##v(2), ARG_##w(3)
#define COUNTED(_, a, b, c, d, n, ...) n
#define COUNT(...) COUNTED(_, ##__VA_ARGS__, 4, 3, 2, 1, 0)
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define ARGS(...) JOIN(ARGS_, COUNT(__VA_ARGS__))(__VA_ARGS__)
#define CALLER(name, ...) JOIN(call_##name##_, COUNT(__VA_ARGS__))

#define RETURN_void(call) call; return (union run_value){ .i = 0 }
#define RETURN_st_long(call) return (union run_value){ .i = call }
#define RETURN_st_str(call) return (union run_value){ .s = call }

#define LIST(...) __VA_ARGS__
#define FUNCTION_MODULE(...)
#define FUNCTION_BESIDE FUNCTION_ANY
#define FUNCTION_ANY(name, result, params, fn, ...)					\
	static union run_value CALLER(name, LIST params)(struct st_ctx *c,		\
							 const union st_arg *a)		\
	{										\
		(void)a;								\
		RETURN_##result(fn(c __VA_ARGS__ ARGS params));				\
	}

#define BUILTIN(name, result, params, fn, longest, engines, ...)			\
	FUNCTION_##engines(name, result, params, fn)
#define BUILTIN_OF(name, result, params, fn, constant, longest, engines, ...)		\
	FUNCTION_##engines(name, result, params, fn, , constant)
#include "abi/builtins.def"
#undef BUILTIN
#undef BUILTIN_OF

#define TYPE_void IR_VOID
#define TYPE_st_long IR_WORD
#define TYPE_st_str IR_STRING
#define TYPES_0() 0
#define TYPES_1(t) TYPE_##t
#define TYPES_2(t, u) TYPE_##t, TYPE_##u
#define TYPES_3(t, u, v) TYPE_##t, TYPE_##u, TYPE_##v
#define TYPES_4(t, u, v, w) TYPE_##t, TYPE_##u, TYPE_##v, TYPE_##w
#define TYPES(...) JOIN(TYPES_, COUNT(__VA_ARGS__))(__VA_ARGS__)

#define ROW_MODULE(...)
#define ROW_ANY(name, result, params) ROW(name, result, params, false)
#define ROW_BESIDE(name, result, params) ROW(name, result, params, true)
#define ROW(name, result, params, beside)						\
	{ #name, TYPE_##result, { TYPES params }, COUNT params, CALLER(name, LIST params), beside },
#define BUILTIN(name, result, params, fn, longest, engines, ...)			\
	ROW_##engines(name, result, params)
#define BUILTIN_OF(name, result, params, fn, constant, longest, engines, ...)		\
	ROW_##engines(name, result, params)

static const struct row {
	const char *name;
	enum ir_type result, params[4];
	unsigned n;
	caller *call;
	bool beside;			/* only beside BPF programs */
} rows[] = {
#include "abi/builtins.def"
};

static bool fits(const struct row *r, const struct ir_function *f)
{
	if (strcmp(r->name, f->name) || r->result != f->type || r->n != f->params.n)
		return false;
	for (unsigned i = 0; i < r->n; i++)
		if (r->params[i] != f->params.v[i])
			return false;
	return true;
}

int run_builtin_find(const struct ir_function *f)
{
	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
		if (fits(&rows[i], f))
			return i;
	return -1;
}

bool run_is_beside(const struct ir_function *f)
{
	int row = f->written_in == IR_BUILTIN ? run_builtin_find(f) : -1;

	return row >= 0 && rows[row].beside;
}

union run_value run_builtin(int row, struct st_ctx *c, const union st_arg *args)
{
	return rows[row].call(c, args);
}
