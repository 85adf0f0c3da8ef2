/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions, compiled when a script is translated.
 *
 * POSIX extended regular expressions over bytes.  What comes out are the tables
 * that runtime/text/regex.c walks (struct st_regex): a pattern never runs longer
 * than its subject is, whatever it is.
 *
 * Two automata, of which a script needs one:
 *
 *	search.c	does it match anywhere?  One DFA, forwards, that stops as soon
 *			as the answer is known.
 *	split.c		what matched, and what each group: a DFA backwards, and steps
 *			forwards over the states it passed through.
 *
 * Everything is in the arena.
 */
#ifndef STAP_REGEX_H
#define STAP_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/stap_script.h"

/* What is wrong (or odd) with a pattern, and the byte of it where. */
struct regex_issue {
	size_t at;
	const char *what;	/* NULL: nothing */
	const char *hint;	/* or NULL */
};

struct regex {
	const char *pattern;
	struct st_regex tables;
	/* how many there are of what has no length in the tables */
	size_t nstates;			/* rows of .next, .flags */
	size_t nsteps, ntags;
	struct regex_issue odd;		/* a warning */
};

/*
 * GROUPS: made for st_regex_match(), which tells where the groups are; else for
 * st_regex_search().  NULL, and *error filled, for a bad pattern or one whose
 * automaton would be too large.
 */
const struct regex *regex_compile(const char *pattern, bool groups, struct regex_issue *error);

#endif
