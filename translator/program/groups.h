/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups a program's functions (the strongly connected components of its calls): two
 * functions are in one group if each calls the other, directly or through others.  In
 *
 *	function a(n) { return n ? b(n - 1) : c() }
 *	function b(n) { return a(n) }
 *	function c() { return 1 }
 *
 * the groups are { c } and { a, b }.  Callees come first, so one pass over the groups adds up what
 * functions need, each with its callees, without following the calls.
 */
#ifndef STAP_GROUPS_H
#define STAP_GROUPS_H

#include "program.h"

/* One group; a function that calls none of its callers is alone in it. */
struct call_group {
	function_list functions;
	function_list callees;		/* of all of them, in other groups; perhaps repeated */
	bool recursive;			/* they call themselves or each other */
};

typedef vec(struct call_group) call_group_list;

/* Sets the functions' indexes. */
call_group_list find_call_groups(const struct program *prog);

#endif
