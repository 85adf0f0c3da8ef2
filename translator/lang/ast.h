/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The abstract syntax tree, and what the semantic passes write into it.
 *
 * The parser builds files of declarations (struct file); nothing in it is
 * resolved: a name is a string.  Elaboration (sema/) fills the members under
 * "resolved" and derives one struct probe per place where a handler runs
 * (struct program in program/program.h).  Names are interned: compare with ==.
 * Everything lives in the arena.
 */
#ifndef STAP_AST_H
#define STAP_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

/* Passes recurse over the tree: no deeper than this, or the parser complains. */
enum { MAX_DEPTH = 1000 };

enum type {
	T_UNKNOWN,	/* not inferred yet */
	T_LONG,		/* 64-bit signed integer */
	T_STRING,
	T_STATS,	/* a statistic: what <<< makes */
	T_VOID,		/* a function's that returns nothing */
};

/* ---- expressions ------------------------------------------------------- */

enum expr_kind {
	E_NUM,		/* .num */
	E_STR,		/* .str */
	E_SYMBOL,	/* .name: a variable */
	E_INDEX,	/* .name[.args]: an array element; args never hold NULL */
	E_TARGET,	/* $name->a[0]…, @var("name")->…, @cast(x, "t")->…: .target */
	E_CALL,		/* .name(.args) */
	E_UNARY,	/* op: UOP_*, on .a */
	E_BINARY,	/* op: OP_* below, .a .b; && and || included */
	E_TERNARY,	/* .a ? .b : .c */
	E_ASSIGN,	/* .a op= .b; .op is OP_NONE for plain '=', OP_ADD for += …,
			   OP_CONCAT for .=, OP_STAT for <<< */
	E_INCDEC,	/* ++/-- on .a: .delta is +1/-1, .prefix */
	E_IN,		/* [.args] in .name; a NULL arg is '*' */
	E_REGEX,	/* .a =~ .b (a literal); .op OP_MATCH or OP_NOMATCH */
	E_PRINT,	/* print, println, printd, printdln, printf and s…: .print */
	E_STAT,		/* @count(.a) … of .stat, params in .params */
	E_HIST,		/* @hist_log(.a), @hist_linear(.a, lo, hi, step) */
	E_HIST_INDEX,	/* .a (an E_HIST) [.b] */
	E_DEFINED,	/* @defined(.a) */
	E_ENTRY,	/* @entry(.a) */
	E_PERF,		/* @perf("name"): .str */
	E_PROBEWRITE,	/* @probewrite(name): .name */
	E_CONST,	/* @const("C expression"): .str */
	E_DEREF,	/* @kderef/@uderef(.a size, .b address); .user */
	E_REGISTER,	/* @kregister/@uregister(.a number); .user */
	E_EMBEDDED,	/* %{ C expression %}: .embedded */
};

enum op {
	OP_NONE,
	OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_SHL, OP_SHR,
	OP_AND, OP_OR, OP_XOR,			/* bitwise */
	OP_LAND, OP_LOR,
	OP_EQ, OP_NE, OP_LT, OP_GT, OP_LE, OP_GE,
	OP_CONCAT,				/* a . b */
	OP_STAT,				/* a <<< b */
	OP_MATCH, OP_NOMATCH,
	UOP_NEG, UOP_PLUS, UOP_NOT, UOP_COMPL,	/* - + ! ~ */
};

/* Source spelling of an operator: "+", "<<", "&&". */
const char *op_text(enum op op);

enum stat_op {
	STAT_COUNT, STAT_SUM, STAT_MIN, STAT_MAX, STAT_AVG, STAT_VARIANCE,
	STAT_HIST_LOG, STAT_HIST_LINEAR,
	STAT_NONE,		/* foreach: sorted by key or plain value */
};

/* One step after a target variable's name. */
struct component {
	enum { C_FIELD, C_INDEX, C_PRETTY } kind;
	const char *name;	/* C_FIELD: ->name;  C_PRETTY: "$" or "$$" */
	struct expr *index;	/* C_INDEX: [index], any expression */
	struct loc loc;
};

struct target_var {
	enum {
		TV_DOLLAR,	/* $name; also $return, $$vars, $$parms, $$locals,
				   $$return, $$name: name has every '$' */
		TV_VAR,		/* @var("name@cu"[, "module"]) */
		TV_CAST,	/* @cast(value, "type"[, "module"]) */
		TV_ENUM,	/* @enum("NAME"[, "module"]) */
		TV_ENUMNAME,	/* @enumname("enum type", value[, "module"]) */
		TV_AUTO,	/* value->f…, value[i], &value: a script value whose
				   target type is known; name is NULL */
	} kind;
	const char *name;	/* "$count"; TV_VAR, TV_ENUM: the string; TV_CAST,
				   TV_ENUMNAME: the type */
	const char *module;	/* the last argument of @cast and the like, or NULL */
	struct expr *value;	/* TV_CAST, TV_AUTO: what is followed; TV_ENUMNAME */
	bool address;		/* &$var->field */
	vec(struct component) path;
};

enum print_kind {
	PRINT_PRINT, PRINT_PRINTLN, PRINT_PRINTD, PRINT_PRINTDLN, PRINT_PRINTF,
};

struct print {
	enum print_kind kind;
	bool to_string;			/* sprint… */
	const char *format;		/* printf: the string;  printd: the delimiter */
	struct loc format_loc;
	vec(struct expr *) args;	/* one E_HIST alone is allowed in print/println */
	/* resolved: the format in canonical form (runtime/text/format.h), every kind */
	const char *canonical;
	unsigned format_id;		/* index in st_program.formats; not for s… */
};

struct embedded {
	const char *code;		/* between %{ and %} */
	struct loc loc;			/* of the %{ */
	/* pragmas found in comments of the code */
	bool pure, stable, unprivileged, myproc_unprivileged, guru, unmangled;
	bool fallible;			/* pure, but that it may fail: the library's */
	bool unmodified_fnargs;		/* leaves its string arguments as they are */
	bool runtime;			/* uses stap_script.h alone: needs no kernel header */
	bool directives;		/* nothing but #include, #define and their like */
	bool string;			/* E_EMBEDDED of type string */
	bool registers;			/* reads registers that carry no arguments */
	bool lines;			/* asks for source lines of addresses */
	bool groups;			/* asks what the last =~ matched */
	bool nexts;			/* its code has STAP_NEXT */
	const char *points_to;		/* points-to:TYPE, the kernel's: what a function's
					   result is the address of; or NULL */
	vec(const char *) reads, writes;	/* pragma:read:NAME pragma:write:NAME */
	vec(struct variable *) read_vars, write_vars;	/* resolved: the globals of these names */
};

struct expr {
	enum expr_kind kind;
	enum op op;
	enum type type;			/* inferred */
	unsigned depth;			/* of the tree below, itself included; the parser
					   keeps it under MAX_DEPTH */
	struct loc loc;
	struct expr *a, *b, *c;
	union {
		int64_t num;
		const char *str;
		const char *name;	/* E_SYMBOL E_INDEX E_CALL E_IN E_PROBEWRITE */
	};
	vec(struct expr *) args;	/* E_INDEX E_CALL E_IN */
	union {
		struct target_var *target;
		struct print *print;
		struct embedded *embedded;
		struct {
			enum stat_op stat;	/* E_STAT E_HIST */
			unsigned nparams;
			int64_t params[3];	/* variance's shift; hist_linear's lo hi step */
		};
		struct {
			int delta;		/* E_INCDEC */
			bool prefix;
		};
		bool user;			/* E_DEREF E_REGISTER */
	};
	/* resolved */
	struct variable *var;		/* E_SYMBOL E_INDEX E_IN E_PROBEWRITE */
	struct function *func;		/* E_CALL: the first candidate in call order */
	struct access *access;		/* E_TARGET: how it is fetched (program/program.h) */
	struct saved *saved;		/* E_ENTRY and entry values in .return */
	unsigned counter;		/* E_PERF: its number */
};

/* ---- statements -------------------------------------------------------- */

enum stmt_kind {
	S_BLOCK,	/* .body */
	S_EXPR,		/* .expr */
	S_IF,		/* if (.expr) .then else .els (may be NULL) */
	S_LOOP,		/* for (.init; .expr; .step) .then; while: init, step NULL;
			   expr NULL is forever */
	S_FOREACH,	/* .foreach, .then */
	S_RETURN,	/* .expr or NULL */
	S_DELETE,	/* .expr: E_SYMBOL, E_INDEX, or E_INDEX with '*' (NULL) args */
	S_NEXT, S_BREAK, S_CONTINUE, S_EMPTY,
	S_TRY,		/* try .then catch (.name) .els; .name NULL for none */
	S_EMBEDDED,	/* %{ C statement %}: .embedded */
};

/* How foreach is ordered: 0 not, 1…n by that key, -1 by the value. */
struct foreach {
	vec(struct expr *) keys;	/* E_SYMBOL each */
	struct expr *value;		/* foreach (v = [k] in a): E_SYMBOL or NULL */
	const char *array;		/* NULL: over the buckets of .hist */
	struct loc array_loc;
	vec(struct expr *) slice;	/* a[*, "x"]: NULL is '*'; empty: no slice */
	int sort_by;
	bool descending;
	enum stat_op sort_stat;		/* by @count etc.; STAT_NONE: plain value
					   (which for a statistic means @count) */
	struct expr *limit;		/* or NULL */
	struct expr *hist;		/* foreach over buckets: foreach (b in @hist_log(x)) */
	/* resolved */
	struct variable *var;		/* the array */
	unsigned sorter;		/* sorted: which order buffer of the map */
};

struct stmt {
	enum stmt_kind kind;
	unsigned depth;			/* as struct expr's, expressions included */
	struct loc loc;
	vec(struct stmt *) body;
	struct expr *expr, *init, *step;
	struct stmt *then, *els;
	const char *name;		/* S_TRY: the catch variable's name */
	struct variable *var;		/* resolved: the catch variable */
	struct foreach *foreach;
	struct embedded *embedded;
};

/* ---- declarations ------------------------------------------------------ */

/*
 * The C type of the values something holds, as far as the script shows it: of
 * the first value that has one.  'other': of one that does not agree, so that
 * there is no type to go by.
 */
struct ctyped {
	const struct ctype *is, *other;
	struct loc at, other_at;	/* of those values */
};

struct variable {
	const char *name;
	struct loc loc;
	enum type type;			/* of the value, or of an element */
	int nkeys;			/* -1 unknown, 0 scalar, 1… array */
	vec(enum type) key_types;
	vec(struct loc) key_locs;	/* resolved: what fixed each key's type */
	int64_t maxsize;		/* a[100]; 0: MAXMAPENTRIES */
	bool wrap;			/* a% */
	bool is_private;
	bool is_global;
	struct expr *init;		/* literal or NULL */
	const struct file *file;	/* where declared (globals) */
	/* resolved */
	struct function *func;		/* whose local or parameter; NULL: a handler's */
	bool is_param;
	struct loc type_loc;		/* what fixed the type; for conflict messages */
	struct ctyped c;		/* of the value, or of an element (sema/ctypes.c) */
	vec(struct ctyped) key_c;	/* of the keys; empty: none has a C type */
	bool is_read, is_written;
	bool unread;			/* a global written and never read, dead code aside */
	bool used;			/* survives elision; a local: its value is needed */
	bool in_embedded;		/* embedded C names it in a pragma */
	unsigned stat_ops;		/* 1 << enum stat_op extracted from it */
	struct expr *hist;		/* E_HIST that fixes the histogram's shape */
	const struct expr *variance;	/* the first @variance of it, and its shift */
	int64_t variance_shift;
	unsigned nsorters;		/* sorted foreach statements over it */
	unsigned index;			/* codegen: number among its kind */
	bool percpu;			/* only counted up: kept per CPU, summed when read */
	bool needs_lock;
	const char *literal;		/* a local: its value whenever it is read; or NULL */
	bool in_area;			/* codegen: a local that lies in scratch */
};

struct function {
	const char *name;
	struct loc loc;
	bool is_private;
	vec(struct variable *) params;
	enum type type;			/* of the result; T_VOID when none */
	bool type_declared;
	int64_t priority;		/* overloads: lower runs first; default 0, in the
					   library 1 */
	struct stmt *body;		/* NULL when embedded */
	struct embedded *embedded;
	const struct file *file;
	/* resolved */
	vec(struct variable *) locals;
	struct function *next_overload;	/* same name and arity, tried on 'next' */
	bool nexts;			/* its body can end in 'next' */
	enum { EFFECT_UNKNOWN, EFFECT_NONE, EFFECT_SOME } effect[2];	/* of calling it: any,
					   and but for failing */
	struct loc type_loc;
	struct ctyped c;		/* of the result */
	bool used;
	unsigned index;
	const char *c_name;		/* codegen */
};

/* One component of a probe point: name or name(arg). */
struct point_part {
	const char *name;		/* may hold wildcards; {a,b} is already expanded */
	bool has_arg;
	struct expr *arg;		/* E_NUM or E_STR; NULL with has_arg: () */
	struct loc loc;
};

struct probe_point {
	vec(struct point_part) parts;
	bool optional, sufficient;	/* ? sets the first, ! both */
	struct expr *condition;		/* if (…) */
	struct loc loc;
	const struct probe_point *from;	/* resolved: the point of the alias's user that
					   led here; NULL at the script's own */
};

/* "kernel.function(\"vfs_read\").call", in the arena. */
const char *probe_point_text(const struct probe_point *p);

/* probe a, b, c { … }, and aliases. */
struct probe_decl {
	vec(struct probe_point *) points;
	struct stmt *body;
	struct loc loc;
	const struct file *file;
	bool library;			/* from the tapset */
	/* aliases only */
	struct probe_point *alias;	/* probe ALIAS = …, += …: its name; NULL: a probe */
	bool epilogue;			/* += */
	struct stmt *epilogue_body;	/* {…},{…}: the second block */
};

/* A parsed file. */
struct file {
	const struct source *src;
	bool library, guru;
	vec(struct variable *) globals;
	vec(struct function *) functions;
	vec(struct probe_decl *) probes;
	vec(struct probe_decl *) aliases;
	vec(struct embedded *) embeds;		/* top-level %{ %} */
};

/* ---- for everyone that walks the tree ---------------------------------- */

/*
 * Calls FN on each direct child expression of E (in evaluation order), the
 * slot by address so that a pass may replace it.  Literal-only slots (probe
 * point arguments) are not visited.
 */
void expr_children(struct expr *e, void (*fn)(struct expr **, void *), void *arg);

/* The same for a statement: its own expressions, then its sub-statements. */
void stmt_children(struct stmt *s, void (*on_expr)(struct expr **, void *),
		   void (*on_stmt)(struct stmt **, void *), void *arg);

/* Deep copies; resolved members are copied as they are. */
struct expr *expr_copy(const struct expr *e);
struct stmt *stmt_copy(const struct stmt *s);

/* What messages call it: "identifier '$file'", "operator '@cast'". */
const char *target_name(const struct target_var *tv);

/* Is dividing by it known never to fail? */
bool safe_divisor(const struct expr *e);

/* Constructors. */
struct expr *expr_new(enum expr_kind kind, struct loc loc);
struct expr *expr_num(int64_t n, struct loc loc);
struct expr *expr_str(const char *s, struct loc loc);
struct stmt *stmt_new(enum stmt_kind kind, struct loc loc);

#endif
