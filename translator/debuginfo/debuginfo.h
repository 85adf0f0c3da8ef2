/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the thing probed: the one interface to debug information.
 *
 * A target is a kernel and its modules (later: programs).  It answers three
 * questions: which places match a pattern, what variables and types are seen
 * at a place, and how a variable is fetched there (fetch.h).  Callers never
 * see DWARF, BTF or ELF; nothing here knows the AST.
 *
 * Everything returned lives in the arena.  Files are opened when first
 * needed: the address of one named function comes from the symbol table and
 * .debug_aranges, a wildcard or inlined instances from the name index
 * (debuginfo/index/index.c), kept per build-id as an mmap-able file in the cache.
 */
#ifndef STAP_DEBUGINFO_H
#define STAP_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "bases.h"
#include "fetch.h"

struct session;
struct target;

/* The session's kernel.  Opens nothing yet; never NULL. */
struct target *target_open(struct session *s);
void target_close(struct target *t);

/* ---- places ------------------------------------------------------------ */

enum place_kind {
	PLACE_FUNCTION,		/* .function: entries of real functions and inlined instances */
	PLACE_CALL,		/* .function().call, .return: real functions */
	PLACE_INLINE,		/* .inline: inlined instances alone */
	PLACE_EXPORTED,		/* .exported: entries of external (non-static) functions */
	PLACE_STATEMENT,	/* .statement */
};

/*
 * "function@file:line" as a user writes it, taken apart.  Wildcards * ? [ ].
 * file matches the end of the source path at a '/' boundary, or all of it.
 */
struct place_query {
	enum place_kind kind;
	const char *module;	/* "kernel", a module name or glob, or a .ko's path */
	const char *function;	/* glob */
	const char *file;	/* glob, or NULL: any */
	enum { LINE_NONE, LINE_ABSOLUTE, LINE_RELATIVE, LINE_LIST, LINE_WILD } line_kind;
	int line;		/* :N, +N */
	const struct line_range {
		int first, last;
	} *lines;		/* :N,N-M… */
	size_t nlines;
	bool nearest;		/* a line without code stands for the next that has some */
	const char *text;	/* glob, or NULL: only lines that read so, without blanks */
	const char *label;	/* glob: labels in the functions, not their entries */
	const char *callee;	/* glob: what the functions call, not their entries */
	const char *callee_file;	/* glob, or NULL: any */
	int callee_line;	/* of its declaration; 0: any */
	unsigned depth;		/* of calls in calls: 1 or more */
	bool to_return;		/* callees are to be probed when they return to these calls */
	bool called;		/* not what is inlined */
	bool one_each;		/* of a function and all its inlined instances one place is
				   enough */
	uint64_t address;	/* .statement(ADDR): function is NULL */
};

struct place {
	const char *module;	/* "kernel" or the module's name */
	const char *function;	/* of the innermost real or inlined function */
	const char *file;	/* as SystemTap shows it: "fs/read_write.c" */
	int line;		/* decl_line for a function or label, the line for a statement */
	int function_line;	/* of a statement: that of its function, if it is in the
				   same file, or 0 */
	const char *label;	/* or NULL */
	const char *caller, *caller_file;	/* of a callee, or NULL */
	int caller_line;
	uint64_t returns_to;	/* of a callee's return: where the call is followed by, as
				   addr, or 0 */
	const char *returns_section;
	uint64_t addr;		/* link address in vmlinux; in a module, from the start
				   of 'section'.  Past the entry's prologue where the
				   compiler has one (x86-64 kernels: never) */
	const char *section;	/* of a module; NULL for the kernel.  Where only the name
				   is known: ST_BASE_SYMBOL and that, for the kernel too */
	bool is_entry;		/* the first instruction of a real function */
	bool is_inline;
	bool by_symbol;		/* its address is known when loaded, if it is there at all */
	bool ftrace;		/* an ftrace site: in .mcount_loc */
	const char *symbol;	/* the ELF symbol it lies in, if any */
	struct scope *scope;	/* for the questions below; NULL without debug info */
};

/*
 * All places for a query, sorted by file, line, address; places the kernel
 * forbids to probe (.kprobes.text, noinstr, .init sections, its blacklist) are
 * left out and counted in *forbidden.
 *
 * Returns 0, or -1 with *why: a message for the user that names what was
 * looked for, in which file, and what to install when debug information is
 * missing; *hint: nearest names, left alone when there are none (hint may be NULL:
 * spares the search).  No match at all is -1.
 */
int target_places(struct target *t, const struct place_query *q,
		  struct place **out, size_t *n, unsigned *forbidden,
		  const char **why, const char **hint);

/*
 * A tracepoint of the kernel or of one of its modules, loaded or not.
 */
struct tracepoint {
	const char *system, *name;	/* "sched", "sched_switch" */
	const char *module;		/* "kernel" or a module's name */
};

/*
 * All tracepoints whose names match; module NULL: of the kernel ("kernel") and any
 * module, else of those that match; system NULL: of any.  The modules' are found by
 * reading them all once, and kept in the cache.  Sorted by system and name.  Returns as
 * target_places().
 */
int target_tracepoints(struct target *t, const char *module, const char *system, const char *name,
		       struct tracepoint **out, size_t *n, const char **why, const char **hint);

/*
 * The place whose variables are a tracepoint's arguments, as they are when a
 * function attached to it is entered; numbered: by the names arg1, arg2, ….  NULL with *why.
 */
struct place *target_tracepoint_place(struct target *t, const struct tracepoint *tp,
				      bool numbered, const char **why);

/*
 * Where a variable of the kernel is, by its symbol.
 */
struct data_place {
	uint64_t addr;
	bool linked;		/* a link address; else an offset in per-CPU areas */
	bool percpu;		/* each CPU has its own, its area's offset away */
};

/* 0, or -1 with *why and *hint. */
int target_data(struct target *t, const char *name, struct data_place *out, const char **why,
		const char **hint);

/* Link address of the anchor (an exported data symbol the runtime can also
 * take the address of: ST_ANCHOR in runtime/abi/stap_script.h); the vmlinux's
 * build-id in hex.  0 / NULL without a vmlinux. */
uint64_t target_anchor(struct target *t);
const char *target_build_id(struct target *t);

/*
 * The number of a base (bases.h), given when it is first asked for; 0 is the kernel.
 * Was any asked for?  The table of them: each with the anchors and build-id that its
 * file has, which is read for that.
 */
unsigned target_base(struct target *t, const char *module, const char *section);
bool target_relocates(const struct target *t);
base_list target_bases(struct target *t);

/*
 * Adds the tables of source lines of a module ("kernel"), one a section of code; false
 * with *why when nothing is known of its lines.
 */
bool target_lines(struct target *t, const char *module, line_table_list *out, const char **why);

/* Names of modules the target has (built, under /lib/modules/RELEASE). */
const char *const *target_modules(struct target *t, size_t *n);

/* ---- variables --------------------------------------------------------- */

/* One step of a path, without the AST. */
struct step {
	enum { STEP_FIELD, STEP_INDEX, STEP_INDEX_VAR, STEP_PRETTY } kind;
	const char *name;	/* STEP_FIELD; STEP_PRETTY: "$" or "$$" */
	int64_t index;		/* STEP_INDEX */
	int slot;		/* STEP_INDEX_VAR: its value is this input */
};

/* A C type, opaque; printed with ctype_text(). */
struct ctype;
const char *ctype_text(const struct ctype *t);	/* "struct file*", "size_t" */

/* A pointer to a type of the kernel, by name; NULL when there is none. */
const struct ctype *ctype_pointer(struct target *t, const char *name);

/* Do two values of a script have the same type, wherever it is described? */
bool ctype_same(const struct ctype *a, const struct ctype *b);

/* A pointer to void: what is behind it can't be told. */
bool ctype_says_nothing(const struct ctype *t);

/* A text that only the same type has. */
const char *ctype_key(const struct ctype *t);

/*
 * $name and its path at a place.  NAME without '$': "count", "return",
 * "$vars", "$parms", "$locals", "$return" (those four give strings).
 * at_return: only "return" and "$return" and globals have values there; the
 * caller evaluates everything else at entry.
 * Returns 0, or -1 with *why ("unable to find local 'x' near pc 0x… in vfs_read
 * (fs/read_write.c:450)", "'count' is optimised out at …") and *hint (nearest
 * names, or NULL).
 */
int target_variable(struct place *p, bool at_return, const char *name,
		    const struct step *path, size_t npath, bool address,
		    struct fetch *out, const char **why, const char **hint);

/* @var("name@file"[, module]) and @cast(value, "type"[, module]): the value cast
 * is input 0; 'module' may be NULL: the place's own, then the kernel. */
int target_global(struct target *t, const char *spec, const char *module,
		  const struct step *path, size_t npath, bool address,
		  struct fetch *out, const char **why, const char **hint);
int target_cast(struct target *t, const char *type, const char *module,
		const struct step *path, size_t npath, bool address,
		struct fetch *out, const char **why, const char **hint);

/* A path from a value that already has a C type: script variables that keep it. */
int target_through(struct target *t, const struct ctype *type,
		   const struct step *path, size_t npath, bool address,
		   struct fetch *out, const char **why, const char **hint);

/* The value of an enumerator; what gives input 0 the name it has in an enum, or its
 * digits.  0, or -1 with *why. */
int target_enum(struct target *t, const char *name, const char *module, int64_t *out,
		const char **why);
int target_enum_name(struct target *t, const char *type, const char *module, struct fetch *out,
		     const char **why);

/* What -L shows after the probe point: "$file:struct file*", "$buf:char*" …, with
 * "$return:ssize_t" first for at_return.  Each is interned. */
void target_list_variables(struct place *p, bool at_return, text_list *out);

/* A line of a place's source file, from 1; NULL: none, or the file isn't here.  Where
 * it was looked for, for a message. */
const char *target_source_line(const struct place *p, int line);
const char *target_source_sought(const struct place *p);

#endif
