/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pass 2 hands to pass 3: the elaborated program.
 *
 * Every name is resolved to a variable or function, every expression has a
 * type, every target variable knows how it is fetched, every probe knows its
 * places.  Code generation reads this and nothing else.
 */
#ifndef STAP_PROGRAM_H
#define STAP_PROGRAM_H

#include "abi/attach.h"
#include "bases.h"
#include "fetch.h"
#include "lang/ast.h"

struct session;
struct regex;
struct place;
struct tracepoint;

/* A global some handler uses: the lock it takes. */
struct lock_use {
	struct variable *var;
	bool write;
};

/* A value saved at function entry for the return handler (@entry). */
struct saved {
	struct expr *expr;		/* evaluated at entry */
	enum type type;
	unsigned index;			/* among its probe's saved values */
};

/*
 * A target variable of a handler.  The terms of its fetch take indexes[n] for input n:
 * expressions of type long, the value that @cast or a path of the script's begins with
 * and the C_INDEX components that are not literals.
 */
struct access {
	enum type type;
	struct fetch fetch;
	vec(struct expr *) indexes;
	bool unguarded;			/* the probe's own: written without -g */
	bool defined;			/* false: @defined says 0, use is an error */
	const char *why_not;		/* undefined: the message */
};

/* Where a probe's handler fires; what it is depends on the family. */
struct site {
	const char *pp;			/* kernel.function("vfs_read@fs/read_write.c:450").call */
	const char *name;		/* as the script wrote it */
	const char *pn;			/* pn(): the alias the script names; without one, pp */
	const char *func;		/* probefunc(); "" when none */
	const char *module;		/* "kernel", "ext4"; "" when none */
	const char *from;		/* with -t: " from: POINT" for each alias on the way */
	unsigned number;		/* with -t: of all sites */
	enum st_attach attach;
	/* in code */
	const char *section;		/* of the module, or a symbol: which base; NULL: the
					   kernel's image */
	unsigned base;			/* in program.bases */
	uint64_t offset;		/* from the base */
	bool absolute;			/* from none: an address of the running kernel */
	int64_t maxactive;		/* of a return; 0: not said */
	const char *caller_section;	/* of a return, only to this place; caller 0: to any */
	unsigned caller_base;
	uint64_t caller;
	bool optional;			/* when it is not there at run time, that is no news */
	const struct tracepoint *tracepoint;	/* ST_TRACEPOINT */
	struct place *place;		/* where variables are resolved; may be NULL */
};

/*
 * One handler: a body and the places that run it.  Places share a handler
 * when their bodies, resolved there, come out the same.
 *
 * What only the family knows of it, an interval or a file's name, is in the record
 * that the family made, which the probe is the first member of: struct timer_probe
 * (probes/timer.c) and its like.
 */
struct probe {
	const struct probe_family *family;
	const struct probe_point *point;	/* resolved, in the family's words */
	const struct probe_decl *decl;	/* the script's probe */
	struct loc loc;
	struct stmt *body;		/* own copy: alias prologues, body, epilogues */
	struct expr *condition;		/* all if (…) of its chain, or NULL */
	struct probe *armed_by;		/* with a condition: the probe that stands for all
					   that have the same */
	vec(struct probe *) decides;	/* of these, those whose condition this handler may
					   change */
	vec(struct variable *) locals;
	vec(struct saved *) saved;	/* return probes */
	vec(struct lock_use) locks;	/* in the global order, merged */
	vec(struct site) sites;		/* never empty */
	bool unlimited;			/* our own: no statement limit */
	bool acts;			/* does something by being there: stays with an
					   empty handler */
	bool args_only;			/* looks at no registers but arguments' (pass 3) */
	unsigned index;
};

/* Does it run when functions return?  Then all but $return is saved at their entry. */
static inline bool probe_is_return(const struct probe *p)
{
	return st_attach_is_return(p->sites.v[0].attach);
}

struct program {
	vec(struct variable *) globals;	/* that survive elision; index in lock order */
	vec(struct function *) functions;
	vec(struct probe *) probes;
	vec(struct embedded *) embeds;	/* top-level C, in order */
	vec(const struct regex *) regexes;	/* each pattern once (regex/regex.h) */
	bool groups;			/* matched() is called: made to tell groups */
	bool needs_kernel_headers;	/* embedded C beyond the runtime's own interface */
	base_list bases;		/* what its addresses are relative to; [0]: the kernel */
	uint64_t anchor;		/* link address of the kernel's anchor symbol; 0: no
					   kernel places */
	line_table_list lines;		/* tables of source lines it carries */
	const char *build_id;		/* the vmlinux's, hex, or NULL: checked at load */
};

#endif
