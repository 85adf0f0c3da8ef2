// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a pattern through all steps. */
#include "base/arena.h"
#include "internal.h"

const struct regex *regex_compile(const char *pattern, bool groups, struct regex_issue *error)
{
	struct regex *re = arena_new(struct regex);
	unsigned ngroups;
	struct tree *tree = regex_parse(pattern, &ngroups, error, &re->odd);
	struct nfa *nfa;

	if (!tree)
		return NULL;
	nfa = nfa_build(tree, groups);
	re->pattern = pattern;
	re->tables.ngroups = groups ? ngroups : 0;
	if (!nfa || !(groups ? build_split(nfa, re) : build_search(nfa, re))) {
		error->at = 0;
		error->what = "too complex: its automaton would have too many states";
		return NULL;
	}
	re->tables.classes = nfa->classes;
	re->tables.nclasses = nfa->nclasses;
	return re;
}
