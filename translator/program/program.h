/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of pass 2: the elaborated program, from which pass 3 generates
 * code.
 *
 * Every name is resolved to a variable or function; every expression has a
 * type; every target variable knows how it is fetched; every probe knows its
 * places and locks.
 */
#ifndef STAP_PROGRAM_H
#define STAP_PROGRAM_H

#include "abi/attach.h"
#include "base/problem.h"
#include "bases.h"
#include "fetch.h"
#include "lang/builtins.h"

struct session;
struct regex;
struct place;
struct tracepoint;

/* A global that a handler locks. */
struct lock_use {
	struct variable *var;
	bool write;
};

struct probe;

/*
 * A value that a return probe saves at the function's entry: @entry(expr), or a
 * $parameter in the return handler.
 */
struct saved {
	struct expr *expr;		/* evaluated at entry */
	struct probe *probe;
	enum type type;
	unsigned index;			/* among its probe's saved values */
};

/*
 * A target variable of a handler.  Input n of its fetch's terms is indexes[n], an
 * expression of type long: the value that @cast or a script value's path begins
 * with, and each index of the path that isn't a literal.
 */
struct access {
	enum type type;
	struct fetch fetch;
	vec(struct expr *) indexes;
	bool unguarded;			/* the probe's own variable: written without -g */
	bool unreadable;		/* only set and appended to */
	bool defined;			/* false: a use that has an effect is an error */
	const struct probe *probe;	/* if it is not defined: the handler's, or NULL */
	struct problem why_not;		/* if it is not defined */
};

/*
 * A place that runs a probe's handler.  Families other than those in code use
 * only the texts.  A site is a place as the script's module describes it; the
 * runtime finds its address.
 */
struct site {
	const char *pp;			/* such as
					   kernel.function("vfs_read@fs/read_write.c:450").call */
	const char *name;		/* as written in the script */
	const char *pn;			/* pn(): the alias the script names, or pp */
	const char *func;		/* probefunc(), or "" */
	const char *module;		/* "kernel", "ext4", a program's path, or "" */
	const char *from;		/* -t: " from: POINT" for each alias on the way */
	unsigned number;		/* -t: index among all sites (pass 2's end) */
	enum st_attach attach;
	/* families that attach to code: the address, 'offset' bytes from the base */
	const char *section;		/* of the module, or ST_BASE_SYMBOL and a symbol; NULL: the
					   kernel's image */
	unsigned base;			/* index in program.bases (pass 2's end) */
	uint64_t offset;		/* in the kernel's image: the link address */
	bool absolute;			/* no base: 'offset' is a run-time address */
	/* in programs: 'module' is the path, and 'offset' in the file */
	const char *runs;		/* the program whose processes the place is for, or NULL */
	unsigned program;		/* number in program.files (pass 2's end) */
	uint64_t body;			/* returns: where values of the entry are taken */
	const uint64_t *returns;	/* ST_URETURNS, ST_GO_RETURN: offsets of the instructions */
	size_t nreturns;
	const struct code_bytes *code;	/* at 'offset', 'body', and each of 'returns' (pass 2's
					   end) */
	uint64_t semaphore;		/* offset in the file of the counter of probes at the place;
					   0: none */
	int64_t pid;			/* only in this process; 0: in any */
	int64_t maxactive;		/* .maxactive(N), 0: the default */
	/* returns: only returns to the address 'caller' bytes from its base; 0: all */
	const char *caller_section;
	unsigned caller_base;
	uint64_t caller;
	bool optional;			/* failing to probe it is not an error */
	bool traceable;			/* the kernel lets tracers into the function */
	bool traced;			/* the instruction is an ftrace site */
	bool steppable;			/* it is none, and a kprobe may be set on it */
	uint64_t rest;			/* bytes from the instruction to its function's end; 0: unknown */
	const struct tracepoint *tracepoint;	/* ST_TRACEPOINT: which */
	struct place *place;		/* for variables; may be NULL */
};

/*
 * A handler: a body, and the places that run it.  Places of one probe
 * declaration share a handler if their bodies, resolved there, are the same.
 *
 * A family that needs more, such as a timer's interval, embeds the probe as the
 * first member of its own record: struct timer_probe in probes/timer.c.
 */
struct probe {
	const struct probe_family *family;
	const struct probe_point *point;	/* resolved, without wildcards */
	const struct probe_decl *decl;	/* the declaration in the script */
	struct loc loc;
	struct stmt *body;		/* a copy: alias prologues, body, epilogues */
	struct expr *condition;		/* all conditions joined, or NULL */
	struct probe *armed_by;		/* with a condition: the first probe with the same one */
	vec(struct probe *) decides;	/* probes whose conditions this handler may change; each
					   is its own armed_by */
	vec(struct variable *) locals;
	vec(struct saved *) saved;	/* return probes */
	vec(struct lock_use) locks;	/* in the global order */
	vec(struct site) sites;		/* never empty */
	bool unlimited;			/* generated by us: no statement limit */
	bool acts;			/* has an effect by existing: kept with an empty handler */
	bool args_only;			/* reads only the registers of arguments */
	bool system_call;		/* through an alias syscall.* or nd_syscall.* */
	unsigned index;
};

/*
 * Does the probe run when functions return?  Then all variables but $return are saved at the entry.
 */
static inline bool probe_is_return(const struct probe *p)
{
	return st_attach_is_return(p->sites.v[0].attach);
}

/* The elaborated program.  Lists are in the order in which pass 3 emits them. */
struct program {
	vec(struct variable *) globals;	/* those in use; index is the lock order */
	vec(struct function *) functions;
	vec(struct probe *) probes;
	vec(struct embedded *) embeds;	/* top-level C, in order */
	vec(const struct regex *) regexes;	/* each pattern once */
	bool groups;			/* matched() or ngroups() is called: patterns record
					   groups */
	bool needs_kernel_headers;	/* embedded C uses kernel headers */
	base_list bases;		/* [0] is the kernel */
	bool relocates;			/* some address of the script's counts from a base */
	uint64_t anchor;		/* link address of the kernel's anchor symbol; 0: no
					   places in the kernel */
	uint64_t ex_table, ex_table_end;	/* the kernel's exception table; 0: unknown */
	struct kernel_variable current_kprobe, kprobe_ctlblk;	/* for runtime/probes/kprobe_state.h */
	struct kernel_variable load_current_idt;		/* for runtime/probes/cpu_start.h */
	program_file_list files;	/* programs and libraries */
	const struct term *tasks[TASK_FACTS];	/* for BPF: how facts of a task are read; NULL: unknown, or
						   no probe needs them */
	line_table_list lines;		/* tables of source lines to include */
	const char *build_id;		/* of the vmlinux in hex, checked at load; or NULL */
};

#endif
