/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The abstract syntax tree, with pass 2's results.
 *
 * The parser builds one struct file per source: lists of declarations in which
 * names are still strings.  Pass 2 (sema/) fills in the members under
 * "resolved", and derives a struct probe (program/program.h) for each place
 * where a handler runs.  Names are interned, so compare them with ==.
 * Everything lives in the arena.
 *
 *	probe kernel.function("vfs_read") { n[execname()]++ }
 *
 *	probe_decl  points: kernel  function("vfs_read")
 *	    S_BLOCK
 *	        S_EXPR
 *	            E_INCDEC  delta 1, prefix false
 *	                E_INDEX  name "n"
 *	                    E_CALL  name "execname"
 */
#ifndef STAP_AST_H
#define STAP_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

/* Passes recurse over the tree, so the parser refuses deeper trees than this. */
enum { MAX_DEPTH = 1000 };

/* The type of a script value.  Pass 2 infers those the script doesn't declare. */
enum type {
	T_UNKNOWN,	/* not inferred yet */
	T_LONG,		/* 64-bit signed integer */
	T_STRING,
	T_STATS,	/* a statistic, the target of <<< */
	T_VOID,		/* a function that returns nothing */
};

/* ---- expressions ------------------------------------------------------- */

/* Kinds of expression, and the members of struct expr that each uses. */
enum expr_kind {
	E_NUM,		/* .num */
	E_STR,		/* .str */
	E_SYMBOL,	/* a variable: .name */
	E_INDEX,	/* an array element, .name[.args]; args are never NULL */
	E_TARGET,	/* $name->a[0], @var("name")->f, @cast(x, "t")->f: .target */
	E_CALL,		/* .name(.args) */
	E_UNARY,	/* .op (UOP_*) on .a */
	E_BINARY,	/* .a .op .b, && and || included */
	E_TERNARY,	/* .a ? .b : .c */
	E_ASSIGN,	/* .a = .b, or .a op= .b: .op is OP_NONE for '=', OP_ADD for '+=',
			   OP_CONCAT for '.=', OP_STAT for '<<<' */
	E_INCDEC,	/* ++ or -- on .a: .delta is 1 or -1, .prefix */
	E_IN,		/* [.args] in .name; a NULL argument is '*' */
	E_REGEX,	/* .a =~ .b or .a !~ .b; .b is a literal */
	E_PRINT,	/* the print family, the s… forms included: .print */
	E_STAT,		/* @count(.a) and the like: .stat; variance's shift in .params */
	E_HIST,		/* @hist_log(.a), @hist_linear(.a, lo, hi, step) */
	E_HIST_INDEX,	/* .a[.b], or .b in .a, where .a is an E_HIST */
	E_DEFINED,	/* @defined(.a) */
	E_ENTRY,	/* @entry(.a) */
	E_PERF,		/* @perf("name"): .str */
	E_PROBEWRITE,	/* @probewrite(name): .name */
	E_CONST,	/* @const("C expression"): .str */
	E_DEREF,	/* @kderef or @uderef: .a is the size, .b the address; .user */
	E_REGISTER,	/* @kregister(.a) or @uregister(.a), a DWARF register number; .user */
	E_EMBEDDED,	/* %{ C expression %}: .embedded */
};

/* Operators: first of E_BINARY, E_ASSIGN and E_REGEX, then of E_UNARY. */
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

/*
 * Returns an operator as scripts write it: "+", "<<", "&&".  An assignment's
 * "=" is not included.
 */
const char *op_text(enum op op);

/* A value extracted from a statistic: @count, @sum, … */
enum stat_op {
	STAT_COUNT, STAT_SUM, STAT_MIN, STAT_MAX, STAT_AVG, STAT_VARIANCE,
	STAT_HIST_LOG, STAT_HIST_LINEAR,
	STAT_NONE,		/* foreach: sorted by key or plain value */
};

/*
 * One step of a path after a target variable: in "$file->f_path[1]$", ->f_path,
 * [1] and $.
 */
struct component {
	enum { C_FIELD, C_INDEX, C_PRETTY } kind;
	const char *name;	/* C_FIELD: the field; C_PRETTY: "$" or "$$" */
	struct expr *index;	/* C_INDEX: any expression */
	struct loc loc;
};

/*
 * A variable of the probed code, or a value seen through its types: how
 * E_TARGET begins, and the path that follows.  The C type of each step comes
 * from debug information.  In "&$req->q[$i]", the name is "$req", the path is
 * C_FIELD q, C_INDEX $i, and 'address' is set.
 */
struct target_var {
	enum {
		TV_DOLLAR,	/* $name, $return, $$vars, $$parms, $$locals, $$return, $$name;
				   'name' includes every '$' */
		TV_VAR,		/* @var("name@cu"[, "module"]) */
		TV_CAST,	/* @cast(value, "type"[, "module"]) */
		TV_ENUM,	/* @enum("NAME"[, "module"]) */
		TV_ENUMNAME,	/* @enumname(value[, "enum type"[, "module"]]); without a type,
				   name is NULL, and sema/ctypes.c finds the value's */
		TV_AUTO,	/* value->f, value[i], &value: a script value whose C type
				   sema/ctypes.c finds; name is NULL */
	} kind;
	const char *name;	/* TV_VAR, TV_ENUM: the string; TV_CAST, TV_ENUMNAME: the type */
	const char *module;	/* the last argument of @cast and the like, or NULL */
	struct expr *value;	/* TV_CAST, TV_AUTO, TV_ENUMNAME: the script value */
	bool address;		/* & in front: the address, not the value */
	vec(struct component) path;
};

/* The print family; sprint and the others that return text are marked by to_string. */
enum print_kind {
	PRINT_PRINT, PRINT_PRINTLN, PRINT_PRINTD, PRINT_PRINTDLN, PRINT_PRINTF,
};

/*
 * A call of print, println, printd, printdln, printf, or of a form that returns
 * the text: sprint, sprintf, …
 */
struct print {
	enum print_kind kind;
	bool to_string;			/* sprint…: the text is the value */
	const char *format;		/* printf: the format; printd, printdln: the delimiter;
					   else NULL */
	struct loc format_loc;
	vec(struct expr *) args;	/* print and println take a single E_HIST, too */
	/*
	 * resolved: the format in the runtime's form (runtime/text/format.h),
	 * for all kinds
	 */
	const char *canonical;
	const char *members;		/* printed as an object in JSON, the same arguments; or NULL */
};

/*
 * What a function in C is, which the translator can't see: a builtin by its row in the table
 * (builtins.h), embedded C by its pragmas, which have only the first five.
 */
enum {
	FN_PURE = 1 << 0,		/* calling it has no effect but its value; it never fails */
	FN_STABLE = 1 << 1,		/* has the same value throughout a run of a handler */
	FN_UNPRIVILEGED = 1 << 2,	/* shows nothing that its user couldn't see anyway */
	FN_MYPROC_UNPRIVILEGED = 1 << 3,	/* in the user's own processes */
	FN_GURU = 1 << 4,		/* only for the library and scripts with -g */
	FN_FALLIBLE = 1 << 5,		/* pure but that it may fail */
	FN_WALKS = 1 << 6,		/* pure, but the handler's time may end in it: it grows with a
					   string or a stack */
	FN_USER = 1 << 7,		/* reads user memory, for which the handler may wait */
	FN_REGISTERS = 1 << 8,		/* reads registers other than argument registers */
	FN_LINES = 1 << 9,		/* needs the table of source lines by address */
	FN_USER_NAMES = 1 << 10,	/* needs names of programs' code */
	FN_USER_LINES = 1 << 11,	/* needs source lines of programs' code */
	FN_GROUPS = 1 << 12,		/* needs the groups that the last =~ captured */
	FN_USER_STACK = 1 << 13,	/* unwinds a program's stack */
};

/*
 * Embedded C: a function's body, a statement, a value, or top-level code.  A
 * comment of one word in it is a pragma, which tells the translator what it
 * can't see.  For example, "pure" says that running the code has no effect but
 * its value.
 */
struct embedded {
	const char *code;		/* the text between %{ and %} */
	struct loc loc;			/* of the %{ */
	unsigned traits;		/* FN_…, by pragmas of such names */
	/* further pragmas; the flag is named as the pragma, with '_' for '-' */
	bool unmangled;
	bool unmodified_fnargs;		/* doesn't change its string arguments */
	bool string;			/* an E_EMBEDDED of type string */
	/* no pragmas */
	bool directives;		/* all lines are preprocessor directives */
	bool nexts;			/* contains STAP_NEXT */
	bool catches_faults;		/* contains CATCH_DEREF_FAULT */
	vec(const char *) reads, writes;	/* pragma:read:NAME, pragma:write:NAME */
	vec(struct variable *) read_vars, write_vars;	/* resolved: the globals so named */
};

/* An expression.  Which members it uses depends on 'kind': see enum expr_kind. */
struct expr {
	enum expr_kind kind;
	enum op op;
	enum type type;			/* set for literals, else inferred */
	unsigned depth;			/* of the tree from here down; a leaf's is 1 */
	struct loc loc;
	struct expr *a, *b, *c;
	bool library;			/* E_CALL E_SYMBOL E_TARGET: written in a library's .stp file:
					   may do without -g what gurus may.  A script's use of
					   a library's macro is the script's. */
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
	struct function *func;		/* E_CALL: the first overload to try */
	struct access *access;		/* E_TARGET: how it is fetched (program/program.h) */
	struct saved *saved;		/* E_ENTRY, and $parameters in .return: the value saved
					   at entry */
	unsigned counter;		/* E_PERF: the counter's index */
};

/* ---- statements -------------------------------------------------------- */

/* Kinds of statement, and the members of struct stmt that each uses. */
enum stmt_kind {
	S_BLOCK,	/* .body */
	S_EXPR,		/* .expr */
	S_IF,		/* if (.expr) .then else .els (may be NULL) */
	S_LOOP,		/* for (.init; .expr; .step) .then; each may be NULL. 'while' has only
			   .expr */
	S_FOREACH,	/* .foreach, .then */
	S_RETURN,	/* .expr or NULL */
	S_DELETE,	/* E_SYMBOL, or E_INDEX whose NULL arguments are '*' */
	S_NEXT, S_BREAK, S_CONTINUE, S_EMPTY,
	S_TRY,		/* try .then catch (.name) .els; .name may be NULL */
	S_EMBEDDED,	/* %{ C statement %}: .embedded */
};

/*
 * The head of a foreach.  In
 *
 *	foreach (v = [a, b-] in arr[*, "x"] limit 10)
 *
 * 'value' is v, 'keys' are a and b, 'slice' is {NULL, "x"}, 'sort_by' is 2 and
 * 'descending' is set.
 */
struct foreach {
	vec(struct expr *) keys;	/* E_SYMBOL each */
	struct expr *value;		/* E_SYMBOL or NULL */
	const char *array;		/* NULL: iterates over the buckets of 'hist' */
	struct loc array_loc;
	vec(struct expr *) slice;	/* NULL is '*'; empty: no slice */
	int sort_by;	/* 0: unsorted; 1…n: by that key; -1: by value */
	bool descending;
	enum stat_op sort_stat;		/* the statistic's value to sort by; STAT_NONE: the plain
					   value, or a statistic's @count */
	struct expr *limit;		/* NULL: no limit */
	struct expr *hist;		/* E_HIST in foreach (b in @hist_log(x)), or NULL */
	/* resolved */
	struct variable *var;		/* the array */
	unsigned sorter;		/* sorted: index of the order buffer in the map */
};

/* A statement.  Which members it uses depends on 'kind': see enum stmt_kind. */
struct stmt {
	enum stmt_kind kind;
	unsigned depth;			/* as struct expr's, expressions included */
	struct loc loc;
	vec(struct stmt *) body;
	struct expr *expr, *init, *step;
	struct stmt *then, *els;
	const char *name;		/* S_TRY: the variable of catch, or NULL */
	struct variable *var;		/* resolved: that variable */
	struct foreach *foreach;
	struct embedded *embedded;
};

/* ---- declarations ------------------------------------------------------ */

/*
 * The C type of the values that a variable or a function's result holds, so
 * that 'v->field' works in "v = $file; println(v->f_flags)".  'is' is the type
 * of the first value found that has one.  'other' is a type that disagrees with
 * it; then the variable has no type, and messages name both.
 */
struct ctyped {
	const struct ctype *is, *other;
	struct loc at, other_at;	/* positions of these values */
};

/*
 * A variable: a global, a function's parameter, or a local of a function or
 * handler.  Globals are declared; locals come into being when resolve.c meets
 * their names.
 */
struct variable {
	const char *name;
	struct loc loc;
	enum type type;			/* of the value, or of an array's elements */
	int nkeys;			/* -1: unknown; 0: scalar; else array */
	vec(enum type) key_types;
	vec(struct loc) key_locs;	/* resolved: the code that determined each key's type */
	int64_t maxsize;		/* global a[100]; 0: MAXMAPENTRIES */
	bool wrap;			/* global a%: a full array drops its oldest element */
	bool is_private;
	bool is_global;
	struct expr *init;		/* literal or NULL */
	const struct file *file;	/* where declared (globals) */
	/* resolved */
	struct function *func;		/* the function of a local or parameter; NULL: a
					   handler's */
	bool is_param;
	struct loc type_loc;		/* the code that determined the type, for messages */
	struct ctyped c;		/* of the value, or of an array's elements
					   (sema/ctypes.c) */
	vec(struct ctyped) key_c;	/* of the keys; empty: none has a C type */
	bool is_read, is_written;
	bool unread;			/* a global that is written but, unreachable code aside,
					   never read */
	bool used;			/* kept by dead code removal; for a local: its value is
					   needed */
	bool in_embedded;		/* a pragma of embedded C names it */
	unsigned stat_ops;		/* bit N: enum stat_op N is extracted from it */
	struct expr *hist;		/* the E_HIST that determines the histogram's shape */
	const struct expr *variance;	/* the first @variance of it, and its shift */
	int64_t variance_shift;
	unsigned nsorters;		/* number of sorted foreach statements over it */
	unsigned index;			/* pass 3: number among variables of its kind */
	bool percpu;			/* a counter that is only added to: kept per CPU, summed
					   when read */
	bool needs_lock;
	const char *literal;		/* a local: the literal it holds whenever it is read, or
					   NULL */
};

struct builtin;

/* A function, or one overload of it. */
struct function {
	const char *name;
	struct loc loc;
	bool is_private;
	vec(struct variable *) params;
	enum type type;			/* of the result; T_VOID: none */
	bool type_declared;
	int64_t priority;		/* overloads are tried in ascending order; default 0, in
					   the library 1 */
	struct stmt *body;		/* NULL: one of the next two */
	struct embedded *embedded;
	const struct builtin *builtin;
	const struct file *file;
	/* resolved */
	vec(struct variable *) locals;
	struct function *next_overload;	/* same name and arity; tried when this one executes
					   'next' */
	bool nexts;			/* its body may execute 'next' */
	bool unreached;			/* an earlier overload never executes 'next'; warned of */
	enum { EFFECT_UNKNOWN, EFFECT_NONE, EFFECT_SOME } effect[2];	/* whether a call has an
									   effect: [0] counts
									   failing as one, [1]
									   doesn't */
	struct loc type_loc;
	struct ctyped c;		/* of the result */
	bool used;
	bool copied;			/* once for each probe whose target variables it uses */
	unsigned visited;		/* number of the last search for them that met it */
	bool needs_no_copy[2];		/* neither it nor its callees use any: for probes in the
					   kernel's image, elsewhere */
	unsigned index;
};

typedef vec(struct function *) function_list;

/*
 * One component of a probe point: function("vfs_read") in
 * kernel.function("vfs_read").call.
 */
struct point_part {
	const char *name;		/* may hold wildcards; {a,b} is expanded by the parser */
	bool has_arg;
	struct expr *arg;		/* E_NUM or E_STR; NULL with has_arg: "()" */
	struct loc loc;
};

/* A probe point: components joined by dots, and what follows them. */
struct probe_point {
	vec(struct point_part) parts;
	bool optional, sufficient;	/* '?' sets the first, '!' both */
	struct expr *condition;		/* if (…) */
	struct loc loc;
	const struct probe_point *from;	/* resolved: the point that used the alias whose
					   definition this is part of; NULL: in the script */
};

/* Returns a point as written: "kernel.function(\"vfs_read\").call".  In the arena. */
const char *probe_point_text(const struct probe_point *p);

/* One probe declaration: probe a, b { … }, or an alias: probe NAME = a, b { … }. */
struct probe_decl {
	vec(struct probe_point *) points;
	struct stmt *body;
	struct loc loc;
	const struct file *file;
	bool library;			/* from the tapset or -I */
	/* aliases only */
	struct probe_point *alias;	/* the alias's name; NULL: a probe */
	bool epilogue;			/* declared by +=: its body runs after the user's */
	struct stmt *epilogue_body;	/* {…}, {…}: the second block */
};

/* A parsed source: its declarations by kind, each list in source order. */
struct file {
	const struct source *src;
	bool library, guru;
	vec(struct variable *) globals;
	vec(struct function *) functions;
	vec(struct probe_decl *) probes;
	vec(struct probe_decl *) aliases;
	vec(struct embedded *) embeds;		/* top-level %{ %} */
};

/* ---- walking, copying, making ------------------------------------------- */

/*
 * Calls FN for each direct child of E that is there, with the address of the
 * pointer to it, so that FN may replace it.  Arguments of probe points, always
 * literals, have no slots.
 */
void expr_children(struct expr *e, void (*fn)(struct expr **, void *), void *arg);

/*
 * The same for a statement: ON_EXPR for its own expressions, then ON_STMT for
 * its sub-statements.
 */
void stmt_children(struct stmt *s, void (*on_expr)(struct expr **, void *),
		   void (*on_stmt)(struct stmt **, void *), void *arg);

/*
 * Copy a tree.  Variables, functions, embedded C and other resolved members are
 * shared with the original.
 */
struct expr *expr_copy(const struct expr *e);
struct stmt *stmt_copy(const struct stmt *s);

/*
 * Returns a target variable as messages name it: "identifier '$file'",
 * "operator '@cast'".
 */
const char *target_name(const struct target_var *tv);

/* Does dividing by E never fail?  True for literals other than 0. */
bool safe_divisor(const struct expr *e);

/* Make a node; only the members named by the arguments are set. */
struct expr *expr_new(enum expr_kind kind, struct loc loc);
struct expr *expr_num(int64_t n, struct loc loc);
struct expr *expr_str(const char *s, struct loc loc);
struct stmt *stmt_new(enum stmt_kind kind, struct loc loc);

#endif
