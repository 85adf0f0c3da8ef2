/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug information: the one interface to facts about the code probed.
 *
 * A target is a kernel, its modules, and programs.  It answers
 * three questions: which places match a pattern, which variables and types are
 * visible at a place, and how a variable is fetched there (fetch.h).  Callers
 * see neither DWARF, BTF nor ELF; this room doesn't know the AST.
 *
 *	struct place_query q = { .kind = PLACE_CALL, .module = "kernel",
 *				 .function = "vfs_read" };
 *
 *	struct problem why = { 0 };
 *
 *	target_places(t, &q, &places, &n, &forbidden, &why);
 *	target_variable(&places[0], false, "count", NULL, 0, false, &fetch, &why);
 *
 * Everything returned lives in the arena.  Functions that can fail return
 * false, NULL or -1 and set *WHY (base/problem.h).  Files are opened
 * when first needed: one named function's address comes from the symbol table
 * and .debug_aranges; wildcards and inlined instances need the name index
 * (index/index.h), which the cache keeps by build-id.
 */
#ifndef STAP_DEBUGINFO_H
#define STAP_DEBUGINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/vec.h"
#include "bases.h"
#include "fetch.h"

struct session;
struct target;

/*
 * Makes the target of the session's kernel; never NULL.  Opens no file yet.
 * target_close() closes the files.
 */
struct target *target_open(struct session *s);
void target_close(struct target *t);

/* ---- places ------------------------------------------------------------ */

/* Kinds of probe points in code. */
enum place_kind {
	PLACE_FUNCTION,		/* .function: entries of functions, and inlined instances */
	PLACE_CALL,		/* .function().call, .return: entries of functions, none
				   inlined */
	PLACE_INLINE,		/* .inline: inlined instances */
	PLACE_EXPORTED,		/* .exported: entries of external (non-static) functions */
	PLACE_STATEMENT,	/* .statement */
};

/*
 * A probe point's "function@file:line", taken apart.  Patterns have the
 * wildcards * ? [ ]. 'file' matches a whole source path or its end after a '/'.
 * For kernel.statement("vfs_*@fs/read_write.c:450"), 'kind' is PLACE_STATEMENT,
 * 'module' "kernel", 'function' "vfs_*", 'file' "fs/read_write.c", 'line_kind'
 * LINE_ABSOLUTE and 'line' 450.
 */
struct place_query {
	enum place_kind kind;
	const char *module;	/* "kernel", a module's name or pattern, or the path of a .ko, a
				   program or a shared library */
	const char *function;	/* pattern */
	const char *file;	/* pattern, or NULL: any */
	enum { LINE_NONE, LINE_ABSOLUTE, LINE_RELATIVE, LINE_LIST, LINE_WILD } line_kind;
	int line;		/* :N, +N */
	const struct line_range {
		int first, last;
	} *lines;		/* :N,N-M… */
	size_t nlines;
	bool nearest;		/* a line without code means the nearest that has some */
	const char *text;	/* pattern of the source line's text, blanks aside; NULL: any */
	const char *label;	/* pattern: places are labels in these functions */
	const char *callee;	/* pattern: places are callees of these functions */
	const char *callee_file;	/* pattern, or NULL: any */
	int callee_line;	/* of its declaration; 0: any */
	unsigned depth;		/* levels of calls to follow, 1 or more */
	bool to_return;		/* callees: set returns_to; the probes are at their returns */
	bool called;		/* leave out inlined callees */
	bool one_each;		/* one place is enough for a function with its inlined instances */
	uint64_t address;	/* .statement(ADDR): function is NULL */
};

/*
 * A place in code where a probe can be put.  kernel.function("vfs_read").call
 * of one kernel is
 *
 *	module "kernel", function "vfs_read", file "fs/read_write.c", line 450,
 *	addr 0xffffffff813ad5e0, is_entry, ftrace, symbol "vfs_read"
 *
 * and one in the module ext4 has an offset in 'section' ".text" for an address.
 */
struct place {
	const char *module;	/* "kernel", the module's name, or the program's path */
	const char *function;	/* the innermost one, real or inlined */
	const char *file;	/* as users see it: "fs/read_write.c" */
	int line;		/* of the declaration of a function or label; of a statement, its
				   own */
	int function_line;	/* a statement: the declaration of its function, if that is in
				   the same file; else 0 */
	const char *label;	/* or NULL */
	const char *caller, *caller_file;	/* a callee: the function that calls it, or NULL */
	int caller_line;
	uint64_t returns_to;	/* a callee's return: only returns to this address count
				   (relative as addr; in programs an offset in the file); 0: all */
	const char *returns_section;
	uint64_t addr;		/* kernel: link address; module: offset in 'section'.  A
				   function's entry is its first instruction, because x86-64
				   kernels have no prologue to skip */
	const char *section;	/* NULL for the kernel.  If only the name is known,
				   ST_BASE_SYMBOL and the name, for the kernel too */
	bool program;		/* in a program or library: addr is its linked address, */
	uint64_t offset;	/* and this the offset in its file */
	uint64_t body;		/* a function of a program: the offset behind the code that stores
				   its parameters in the stack frame, where unoptimised code
				   keeps them; else as 'offset' */
	bool in_go;
	const uint64_t *returns;	/* a function's return: the offsets of its return */
	size_t nreturns;	/* instructions, where that is probed (places/returns.h); 0: the
				   kernel replaces its return address */
	const char *breaks_exceptions;	/* why its return address is replaced although that stops
					   exceptions from passing the function; else NULL */
	const char *no_returns;	/* why the return can't be probed; NULL if it can */
	bool is_entry;		/* the first instruction of a function */
	bool is_inline;
	bool by_symbol;		/* the address is looked up when the script's module is loaded */
	bool ftrace;		/* ftrace can attach here (.mcount_loc) */
	bool traceable;		/* the kernel lets tracers into the function; false if the address
				   isn't known */
	const char *symbol;	/* the ELF symbol that covers it, or NULL */
	uint64_t rest;		/* bytes from there to that symbol's end; 0: unknown */
	struct scope *scope;	/* for questions about variables; NULL without debug information */
};

/*
 * Finds all places of a query, sorted by module, file and line; a function comes
 * before its inlined instances.
 * Places that the kernel forbids to probe (.kprobes.text, noinstr, .init, its
 * blacklist) are left out and counted in *FORBIDDEN.
 *
 * Returns 0, or -1 with *WHY: what was not found, in which file, and what to
 * install if debug information is missing.  Finding nothing is -1, too, with
 * similar names as the hint, unless WHY->no_hint saves the search for them.
 */
int target_places(struct target *t, const struct place_query *q,
		  struct place **out, size_t *n, unsigned *forbidden,
		  struct problem *why);

/*
 * May a kprobe be set on the kernel's instruction at the place?  False, too, if the kernel's file doesn't
 * tell: see places/steppable.c.
 */
bool place_is_steppable(const struct place *p);

/*
 * Finds the names of functions that match PATTERN, in the kernel or in MODULE, by symbols alone.
 * The names are sorted; a name that several functions share is left out.  NAMES_ABSENT: there is
 * no such function, with *WHY and similar names as its hint.  NAMES_UNKNOWN: the symbols on this
 * machine can't tell, with *WHY.
 */
enum names_known { NAMES_UNKNOWN, NAMES_ABSENT, NAMES_FOUND };

enum names_known target_function_names(struct target *t, const char *module, const char *pattern,
				       text_list *out, struct problem *why);

/* A tracepoint of the kernel or of one of its modules, loaded or not. */
struct tracepoint {
	const char *system, *name;	/* "sched", "sched_switch" */
	const char *module;		/* "kernel" or a module's name */
};

/*
 * Finds the tracepoints whose names match, sorted by system and name.  MODULE
 * is a pattern; "kernel" is the kernel alone, NULL the kernel and all modules.
 * SYSTEM is a pattern, or NULL for any.  The modules' tracepoints are read once
 * and kept in the cache.  Returns as target_places().
 */
int target_tracepoints(struct target *t, const char *module, const char *system, const char *name,
		       struct tracepoint **out, size_t *n, struct problem *why);

/*
 * Returns the place whose variables are a tracepoint's arguments, as a function
 * attached to it sees them; with NUMBERED they are called arg1, arg2, … Returns
 * NULL with *WHY.
 */
struct place *target_tracepoint_place(struct target *t, const struct tracepoint *tp,
				      bool numbered, struct problem *why);

/* A kernel variable's address, which target_data() finds by its symbol. */
struct data_place {
	uint64_t addr;
	bool linked;		/* addr is a link address; else an offset into per-CPU areas */
	bool percpu;		/* each CPU has its own */
};

/* Returns 0, or -1 with *WHY set. */
int target_data(struct target *t, const char *name, struct data_place *out, struct problem *why);

/* Is the file at PATH a program or library for the kernel's own architecture, not a 32-bit one? */
bool target_program_native(struct target *t, const char *path);

/* Finds the linked address of a program's variable by its symbol.  Returns 0, or -1 with *WHY. */
int target_program_data(struct target *t, const char *path, const char *name, uint64_t *addr,
			struct problem *why);

/* Returns the link address of a kernel symbol; 0 without a vmlinux or such a symbol. */
uint64_t target_kernel_symbol(struct target *t, const char *name);

/* Returns the bytes of a task's stack in the kernel, which only its configuration tells; 0 without that. */
unsigned target_stack_bytes(struct target *t);

/*
 * Returns a kernel variable or function by its symbol.  If there is no vmlinux, the loader looks
 * the symbol up.
 */
struct kernel_variable target_kernel_variable(struct target *t, const char *name);

/*
 * Return the link address of the anchor, and the vmlinux's build-id in hex; 0
 * and NULL without a vmlinux, NULL also if nothing of it was read so far.  The anchor is an exported data symbol whose
 * address the runtime can take (ST_ANCHOR in runtime/abi/stap_script.h), so that
 * it can turn link addresses into run-time addresses under KASLR.
 */
uint64_t target_anchor(struct target *t);
const char *target_build_id(struct target *t);

/*
 * Bases (bases.h). target_base() returns the number of one, and adds it to the
 * table when it is new; the kernel's image is always 0. target_relocates()
 * says whether there are any. target_bases() returns the table, and reads the
 * modules' files for anchors and build-ids first.
 */
unsigned target_base(struct target *t, const char *module, const char *section);
bool target_relocates(const struct target *t);
base_list target_bases(struct target *t);

/*
 * Programs.  target_program() returns the number of the program or library at PATH, and
 * adds it to the table when it is new.  target_program_file() does the same without reading
 * the file, so without build-id and segments.  target_programs() returns the table.
 */
unsigned target_program(struct target *t, const char *path);
unsigned target_program_file(struct target *t, const char *path);
program_file_list target_programs(const struct target *t);

/*
 * Notes which file is at PATH; call it before anything reads the file.  target_code() reads the
 * code at an OFFSET of it, and returns false with *WHY if there is none, or if another file is at
 * PATH by then.
 */
const struct met_program *target_meet_program(struct target *t, const char *path);
bool target_code(struct target *t, const char *path, uint64_t offset, struct code_bytes *out,
		 struct problem *why);

/*
 * Does an instruction begin at OFFSET of the program at PATH?  Returns false with *WHY if not, or
 * if that can't be told.  *WHY names the place by ADDRESS, as the user wrote it.
 */
bool target_begins_instruction(struct target *t, const char *path, uint64_t offset,
			       uint64_t address, struct problem *why);

/*
 * Adds a module's tables of source lines, one for each section of code.  MODULE is
 * "kernel" or a module's name.  Returns false with *WHY when it has no lines.
 */
bool target_lines(struct target *t, const char *module, line_table_list *out, struct problem *why);

/* Returns the names of the modules under /lib/modules/RELEASE, sorted. */
const char *const *target_modules(struct target *t, size_t *n);

/* ---- marks, and calls of libraries --------------------------------------- */

/*
 * A statically defined mark of a program (USDT, <sys/sdt.h>).
 *
 * A program marks a point of interest by a macro:
 *
 *	DTRACE_PROBE2(python, gc__done, generation, n);
 *
 * which compiles to one nop, and a note in the section .note.stapsdt that says where
 * the nop is and where its arguments are at that moment:
 *
 *	pc 0x42873b   base 0x8cc5a0   semaphore 0xa84270   python gc__done "-8@%r12 4@$3"
 *
 * The note stays in a stripped program.  A mark that a compiler copied, by inlining for
 * example, has a note for each copy.  "base" is the address of section .stapsdt.base
 * when the program was linked.  If that section has moved since (prelink), all addresses
 * have moved as far.  A semaphore is a 16-bit counter of probes at the mark, which the
 * program may test before it works out expensive arguments; the kernel counts in it.
 *
 * Sources: <sys/sdt.h>; "UserSpaceProbeImplementation" of SystemTap's wiki.
 */
struct mark {
	const char *path;		/* the file that has it */
	const char *provider, *name;
	uint64_t addr;			/* the nop's link address */
	uint64_t offset;		/* its offset in the file */
	uint64_t semaphore;		/* the counter's offset in the file; 0: none */
	unsigned word;			/* bytes of the program's addresses */
	text_list operands;		/* of $arg1, …: "-8@%r12" */
};

typedef vec(struct mark) mark_list;

/*
 * Appends the marks of the program or library at PATH, sorted by provider, name and
 * address.  A mark whose note makes no sense, or that is not in code, is left out.
 * Returns false with *WHY if the file can't be read; a file may have no marks.
 */
bool target_marks(struct target *t, const char *path, mark_list *out, struct problem *why);

/*
 * Returns the value of $argN, N from 1 to m->operands.n; NULL with *WHY, for example if
 * it has 16 bytes.
 */
const struct term *target_mark_argument(struct target *t, const struct mark *m, unsigned n,
					struct problem *why);

/*
 * An entry of a program's procedure linkage table, by which it calls a function of
 * another library.
 *
 * A call of malloc() goes to a few instructions of the program's own, which jump to the
 * address in a word of the global offset table.  The dynamic linker has put malloc()'s
 * there, because a relocation says so:
 *
 *	.plt.sec	0x10a0	endbr64; bnd jmp *0x2fad(%rip)		# 0x4058
 *	.rela.plt	0x4058	R_X86_64_JUMP_SLOT malloc
 *
 * So the entry at 0x10a0 is malloc's.  Entries are found by what they jump through,
 * wherever linkers put them (.plt, .plt.sec, .plt.got).
 */
struct plt_entry {
	const char *name;		/* the function's */
	uint64_t addr;			/* link address */
	uint64_t offset;		/* in the file */
};

typedef vec(struct plt_entry) plt_list;

/*
 * Appends the entries of the file at PATH, sorted by name and address.  Returns false
 * with *WHY if the file can't be read; it may have no entries.
 */
bool target_plt(struct target *t, const char *path, plt_list *out, struct problem *why);

/* ---- variables --------------------------------------------------------- */

/* One step of a path such as ->f_path.dentry[i]$, without the AST. */
struct step {
	enum { STEP_FIELD, STEP_INDEX, STEP_INDEX_VAR, STEP_PRETTY } kind;
	const char *name;	/* STEP_FIELD: the name; STEP_PRETTY: "$" or "$$" */
	int64_t index;		/* STEP_INDEX */
	int slot;		/* STEP_INDEX_VAR: the index is input number slot */
};

/* A C type.  ctype_text() prints it: "struct file*", "size_t". */
struct ctype;
const char *ctype_text(const struct ctype *t);

/* Returns the type of pointers to a kernel type, by its name; NULL if there is none. */
const struct ctype *ctype_pointer(struct target *t, const char *name);

/* Are these the same type for a script, even if described twice? */
bool ctype_same(const struct ctype *a, const struct ctype *b);

/* Is it a pointer to void, so that it says nothing about the value? */
bool ctype_says_nothing(const struct ctype *t);

/* Returns a text that is equal for equal types only. */
const char *ctype_key(const struct ctype *t);

/*
 * Resolves $NAME and its path at a place.  NAME comes without the '$': "count",
 * "return"; "$vars", "$parms", "$locals" and "$return" give strings.
 * With AT_RETURN only "return", "$return" and globals have values; the caller
 * has everything else evaluated at entry.  With ADDRESS the fetch gives the
 * variable's address instead of its value.
 *
 * Returns 0, or -1 with *WHY ("unable to find local 'x' near pc 0x… in vfs_read
 * (fs/read_write.c:450)", "'count' is optimised out at …"; the hint: similar
 * names).
 */
int target_variable(struct place *p, bool at_return, const char *name,
		    const struct step *path, size_t npath, bool address,
		    struct fetch *out, struct problem *why);

/*
 * Resolve @var("name@file"[, module]) and @cast(value, "type"[, module]), whose
 * value is input 0.  MODULE is NULL, or names the files to search: see
 * target_search().
 */
int target_global(struct target *t, const char *spec, const char *module,
		  const struct step *path, size_t npath, bool address,
		  struct fetch *out, struct problem *why);
int target_cast(struct target *t, const char *type, const char *module,
		const struct step *path, size_t npath, bool address,
		struct fetch *out, struct problem *why);

/* Resolves a path from a value of a known C type, which is input 0. */
int target_through(struct target *t, const struct ctype *type,
		   const struct step *path, size_t npath, bool address,
		   struct fetch *out, struct problem *why);

/*
 * target_enum() returns the value of an enumerator; target_enum_name() makes a
 * text of input 0: the enumerator's name, or digits.  0, or -1 with *WHY.
 */
int target_enum(struct target *t, const char *name, const char *module, int64_t *out,
		struct problem *why);
int target_enum_name(struct target *t, const char *type, const char *module, struct fetch *out,
		     struct problem *why);
int target_enum_name_of(const struct ctype *type, struct fetch *out, struct problem *why);

/*
 * Adds the variables of a place as -L prints them: "$file:struct file*",
 * "$buf:char*", …; at a return, "$return:ssize_t" comes first.  The texts are
 * interned.
 */
void target_list_variables(struct place *p, bool at_return, text_list *out);

/*
 * Return line LINE, from 1, of the place's source file, or NULL if the file or the
 * line doesn't exist; and, for a message, the paths where the file was looked for.
 */
const char *target_source_line(const struct place *p, int line);
const char *target_source_sought(const struct place *p);

#endif
