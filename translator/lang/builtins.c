// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of builtins: see builtins.h. */
#include "builtins.h"

#include <string.h>

/* The types of the table's rows, which are written as in C. */
#define TYPE_void T_VOID
#define TYPE_st_long T_LONG
#define TYPE_st_str T_STRING
enum { st_long = T_LONG, st_str = T_STRING };

#define ENGINES_MODULE (1u << ENGINE_MODULE)
#define ENGINES_BESIDE (ENGINES_MODULE | 1u << ENGINE_BPF)
#define ENGINES_ANY (ENGINES_MODULE | 1u << ENGINE_USER | 1u << ENGINE_BPF)

#define LIST(...) __VA_ARGS__
#define ROW(name_, result_, params_, symbol_, constant_, longest_, engines_, traits_, ...)	\
	{ .name = #name_, .result = TYPE_##result_, .params = { LIST params_ },			\
	  .symbol = #symbol_, .constant = constant_, .longest = longest_,			\
	  .engines = ENGINES_##engines_, .traits = traits_, __VA_ARGS__ },
#define BUILTIN(name, result, params, symbol, ...) \
	ROW(name, result, params, symbol, NULL, __VA_ARGS__)
#define BUILTIN_OF(name, result, params, symbol, constant, ...) \
	ROW(name, result, params, symbol, #constant, __VA_ARGS__)

static const struct builtin builtins[] = {
#include "abi/builtins.def"
};

enum { NBUILTINS = sizeof(builtins) / sizeof(*builtins) };

static bool fits(const struct builtin *b, const struct function *f)
{
	size_t i = 0;

	if (b->result != (f->type == T_UNKNOWN ? T_VOID : f->type))
		return false;
	while (i < f->params.n && b->params[i] != T_UNKNOWN && b->params[i] == f->params.v[i]->type)
		i++;
	return i == f->params.n && b->params[i] == T_UNKNOWN;
}

/*
 * Rows are in the order of the declarations, so the search begins behind the row that was found
 * last: the next declaration of a file finds its row at once.
 */
const struct builtin *builtin_find(const struct function *f)
{
	static size_t next;

	for (size_t n = 0; n < NBUILTINS; n++) {
		size_t i = (next + n) % NBUILTINS;

		if (!strcmp(builtins[i].name, f->name) && fits(&builtins[i], f)) {
			next = i + 1;
			return &builtins[i];
		}
	}
	return NULL;
}

bool builtin_is_in(const struct builtin *b, enum engine engine)
{
	return b->engines >> engine & 1;
}
