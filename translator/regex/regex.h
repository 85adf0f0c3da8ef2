/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions, compiled while a script is translated.
 *
 * POSIX extended regular expressions over bytes become tables that
 * runtime/text/regex.c walks (struct st_regex).  Matching takes time
 * proportional to the subject, whatever the pattern; there is no backtracking.
 *
 * There are two automata, and a script needs one of them:
 *
 *	search.c   Does it match anywhere?  A DFA that reads forwards and stops
 *	           as soon as the answer is known.
 *	split.c    Where are the match and its groups?  A DFA that reads
 *	           backwards, then steps forwards through the states it passed.
 *
 * Everything is in the arena.
 */
#ifndef STAP_REGEX_H
#define STAP_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/stap_script.h"

/* A problem with a pattern, and the byte of the pattern where it is. */
struct regex_issue {
	size_t at;
	const char *what;	/* NULL: no problem */
	const char *hint;	/* advice, or NULL */
};

/* A compiled pattern. */
struct regex {
	const char *pattern;
	struct st_regex tables;
	/* lengths of the tables that don't contain their own */
	size_t nstates;			/* rows of .next, entries of .flags */
	size_t nsteps, ntags;
	struct regex_issue odd;		/* a warning */
};

/*
 * Compiles a pattern.  With GROUPS for st_regex_match(), which reports the
 * groups, else for st_regex_search().  Returns NULL and fills *ERROR if the
 * pattern is malformed or its automaton too large.
 */
const struct regex *regex_compile(const char *pattern, bool groups, struct regex_issue *error);

#endif
