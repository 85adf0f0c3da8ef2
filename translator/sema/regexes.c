// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compiles the script's regular expressions, each pattern once.
 *
 * Patterns record groups if the script calls a function that needs groups
 * (matched(), ngroups()) anywhere, because such a function asks about the last
 * =~ wherever that was.
 */
#include "lang/lang.h"
#include "regex/regex.h"
#include "sema.h"

static bool asks_for_groups(const struct program *prog)
{
	for (size_t i = 0; i < prog->functions.n; i++)
		if (function_is(prog->functions.v[i], FN_GROUPS))
			return true;
	return false;
}

static void report(enum diag_kind kind, const struct expr *pattern, const char *about,
		   const struct regex_issue *issue)
{
	diag_at(kind, string_place(pattern->loc, issue->at), "%s%s", about, issue->what);
	if (issue->hint)
		diag_hint("%s", issue->hint);
}

static const struct regex *find_regex(const struct program *prog, const char *pattern)
{
	for (size_t i = 0; i < prog->regexes.n; i++)
		if (prog->regexes.v[i]->pattern == pattern)
			return prog->regexes.v[i];
	return NULL;
}

static void compile_expr(struct expr **slot, void *arg)
{
	struct program *prog = arg;
	struct regex_issue error = { 0 };
	const struct expr *pattern = (*slot)->b;

	if ((*slot)->kind != E_REGEX || find_regex(prog, pattern->str))
		return;

	const struct regex *re = regex_compile(pattern->str, prog->groups, &error);

	if (!re) {
		report(DIAG_SEMANTIC_ERROR, pattern, "regex compilation error: ", &error);
		return;
	}
	if (re->odd.what)
		report(DIAG_WARNING, pattern, "", &re->odd);
	vec_push(&prog->regexes, re);
}

void compile_regexes(struct program *prog)
{
	prog->groups = asks_for_groups(prog);
	walk_exprs(prog, compile_expr, prog);
}
