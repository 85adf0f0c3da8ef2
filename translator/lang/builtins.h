/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builtins: functions that the runtime provides, by the table runtime/abi/builtins.def.
 *
 * The script library declares them, "function pid:long() = builtin", and says there what they do.
 * A declaration is bound to the row of its name, result and types of parameters:
 *
 *	f->builtin = builtin_find(f);
 *	if (!f->builtin)
 *		parse_error(p, f->loc, "…");
 *
 * Passes 2 and 3 ask function_is() what a function is, builtin or not.  The table is
 * constant: nothing of it is owned or freed.
 */
#ifndef STAP_BUILTINS_H
#define STAP_BUILTINS_H

#include "ast.h"
#include "session.h"

enum { MOST_BUILTIN_PARAMS = 4 };

/* A row of the table. */
struct builtin {
	const char *name;
	enum type result;		/* T_VOID: none */
	unsigned char params[MOST_BUILTIN_PARAMS + 1];	/* enum type; as many as aren't
							   T_UNKNOWN */
	const char *symbol;		/* the C function, the same in each engine that has it */
	const char *constant;		/* C: its argument before the script's; or NULL */
	int longest;			/* the room that the longest string it returns needs, with the
					   NUL; 0: MAXSTRINGLEN; -N: that of argument N, from 1 */
	unsigned engines;		/* bit N: enum engine N has it */
	unsigned traits;		/* FN_…, or'ed */
	const char *points_to;		/* the result is the address of this kernel type; or NULL */
	const char *setter;		/* the function that writes such a value back: if an alias
					   sets v to this one's result and a script with -g assigns
					   to v, it is called with the same arguments, then v; or
					   NULL */
};

/* Returns the builtin that F, whose parameters have types, declares; NULL if there is none. */
const struct builtin *builtin_find(const struct function *f);

/* Does F have a trait (FN_…)?  A script function has none. */
static inline bool function_is(const struct function *f, unsigned trait)
{
	return (f->builtin ? f->builtin->traits : f->embedded ? f->embedded->traits : 0) & trait;
}

/* Does the engine have this builtin? */
bool builtin_is_in(const struct builtin *b, enum engine engine);

#endif
