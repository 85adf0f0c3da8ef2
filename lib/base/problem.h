/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why something failed, in words for the user, and what to do about it.
 *
 * A function that can fail for a reason the user should read takes a struct problem,
 * and fills it in before it returns false, NULL or -1:
 *
 *	struct problem why = { 0 };
 *
 *	if (target_places(t, &query, &places, &n, &forbidden, &why) < 0) {
 *		diag_at(DIAG_SEMANTIC_ERROR, loc, "%s", why.text);
 *		if (why.hint)
 *			diag_hint("%s", why.hint);
 *	}
 *
 * Both texts are literals or in the arena.
 */
#ifndef STAP_PROBLEM_H
#define STAP_PROBLEM_H

#include <stdbool.h>

/* Zeroed by the caller, filled in by the function that fails. */
struct problem {
	const char *text;	/* NULL: nothing failed */
	const char *hint;	/* advice, such as the nearest names; or NULL */
	bool no_hint;		/* set by the caller: a hint is not worth a search */
};

#endif
