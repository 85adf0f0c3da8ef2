/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions for grammar.y's actions: builders that make nodes and refuse errors that
 * the grammar's rules let through (build.c, declare.c, point.c).  Each returns its
 * node; errors are reported by parse_error(), and a node is returned all the
 * same, so that parsing goes on.
 */
#ifndef STAP_PARSER_H
#define STAP_PARSER_H

#include "ast.h"
#include "preproc.h"

struct session;

/* The state of parsing one file. */
struct parser {
	struct session *session;
	struct file *file;
	struct feed feed;
	struct lexeme token;	/* the last token passed to the grammar */
	struct lexeme before;	/* the one before it */
	vec(struct loc) braces;	/* the '{' that are open at that token */
	bool too_deep;		/* the depth limit was reported */
	bool failed;
};

/* Lists under construction, which list_move() hands to a node: of expressions, … */
struct expr_list {
	struct expr **v;
	size_t n, room;
};

/* … variables that are declared, … */
struct var_list {
	struct variable **v;
	size_t n, room;
};

/* … the points of a probe or alias, … */
struct point_list {
	struct probe_point **v;
	size_t n, room;
};

/* A name of a foreach's head with its sort sign, or a sign alone ('name' is NULL). */
struct sorted {
	struct expr *name;
	int direction;	/* '+', '-' or 0 */
	struct loc loc;		/* of the sign, or of the name without one */
	enum stat_op stat;
};

/* … and the names of a foreach's head. */
struct sorted_list {
	struct sorted *v;
	size_t n, room;
};

#define list_move(to, from) do {					\
	(to)->v = (from)->v;						\
	(to)->n = (from)->n;						\
	(to)->room = (from)->room;					\
} while (0)

/* Prints "parse error: …" with the position, and fails the parse. */
void parse_error(struct parser *p, struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints "parse error: expected WHAT" and the last token. */
void parse_expected(struct parser *p, const char *what);

/*
 * Finish a node: set its depth.  Every node the grammar makes passes through
 * one; a node that is too deep is reported once and replaced by a number or an
 * empty statement.
 */
struct expr *expr_done(struct parser *p, struct expr *e);
struct stmt *stmt_done(struct parser *p, struct stmt *s);

/* ---- expressions ---- */
struct expr *build_unary(struct parser *p, enum op op, struct expr *a, struct loc at);
struct expr *build_binary(struct parser *p, enum op op, struct expr *a, struct expr *b,
			  struct loc at);
struct expr *build_assign(struct parser *p, enum op op, struct expr *a, struct expr *b,
			  struct loc at);
struct expr *build_incdec(struct parser *p, struct expr *a, int delta, bool prefix,
			  struct loc at);
struct expr *build_ternary(struct parser *p, struct expr *a, struct expr *b, struct expr *c,
			   struct loc at);
struct expr *build_named(struct parser *p, enum expr_kind kind, const char *name,
			 struct expr_list *args, struct loc at);
struct expr *build_in(struct parser *p, struct expr_list *keys, const char *array,
		      struct loc at);
struct expr *build_hist_in(struct parser *p, struct expr_list *keys, struct expr *hist,
			   struct loc at);
struct expr *build_regex(struct parser *p, enum op op, struct expr *a, struct expr *regex,
			 struct loc at);

/* Builds NAME(ARGS): a call, or one of the print family. */
struct expr *build_call(struct parser *p, const char *name, struct expr_list *args,
			struct loc at);

/* Builds @NAME(A, B) or @NAME(TEXT), an operator whose operands need no special treatment. */
struct expr *build_operator(struct parser *p, enum expr_kind kind, struct expr *a,
			    struct expr *b, const char *text, struct loc at);
struct expr *build_const(struct parser *p, const char *text, struct loc at);
struct expr *build_deref(struct parser *p, enum expr_kind kind, bool user, struct expr *a,
			 struct expr *b, struct loc at);
struct expr *build_choose(struct parser *p, struct expr *a, struct expr *b, struct loc at);
struct expr *build_stat(struct parser *p, enum stat_op op, struct expr *a, struct loc at);
void stat_param(struct expr *e, int64_t value);

struct expr *build_dollar(struct parser *p, const char *name, struct loc at);
/*
 * KIND is TV_VAR, TV_CAST, TV_ENUM or TV_ENUMNAME.  VALUE and MODULE are NULL
 * where the kind or the script has none.
 */
struct expr *build_named_target(struct parser *p, int kind, const char *name,
				struct expr *value, const char *module, struct loc at);
struct expr *build_auto(struct parser *p, struct expr *value, struct loc at);
struct expr *build_address(struct parser *p, struct expr *e, struct loc at);
void target_field(struct parser *p, struct expr *e, const char *name, struct loc at);
void target_index(struct parser *p, struct expr *e, struct expr *index, struct loc at);
void target_pretty(struct parser *p, struct expr *e, const char *suffix, struct loc at);

struct embedded *build_embedded(struct parser *p, const char *code, struct loc at,
				bool expression);

/* ---- statements ---- */
struct stmt *build_expr_stmt(struct parser *p, struct expr *e);
/* Warns of an assignment that may be meant as a comparison; returns E. */
struct expr *build_condition(struct parser *p, struct expr *e);
struct stmt *build_loop(struct parser *p, struct expr *init, struct expr *cond,
			struct expr *step, struct stmt *body, struct loc at);

struct stmt *build_try(struct parser *p, struct stmt *body, const char *var,
		       struct stmt *handler, struct loc at);
struct sorted *build_sorted(struct parser *p, const char *name, int direction,
			    enum stat_op stat, struct loc at);

/*
 * F has its array, slice or histogram already.  VALUE is NULL without "value
 * =", BY_ARRAY without a sign behind the array.
 */
struct foreach *build_foreach(struct parser *p, struct foreach *f,
			      const struct sorted *value, const struct sorted_list *keys,
			      const struct sorted *by_array);

/* ---- declarations ---- */
struct variable *build_global(struct parser *p, const char *name, bool wrap,
			      const int64_t *size, struct expr *init, struct loc at);
struct variable *build_param(const char *name, enum type type, struct loc at);

/* PRIORITY is -1 if none was given.  BODY is a block or an S_EMBEDDED. */
struct function *build_function(struct parser *p, const char *name, enum type type,
				struct var_list *params, int64_t priority,
				struct stmt *body, struct loc at);
void declare_globals(struct parser *p, const struct var_list *globals, bool is_private);
/* Binds the function "… = WORD" to a builtin: in the library, with the word "builtin". */
void bind_builtin(struct parser *p, struct function *f, const char *word, struct loc at);

void declare_function(struct parser *p, struct function *f);
void declare_probe(struct parser *p, const struct point_list *points, struct stmt *body,
		   struct loc at);

/* probe NAME = POINTS BODY [, AFTER], or with EPILOGUE: probe NAME += POINTS BODY */
void declare_alias(struct parser *p, const struct point_list *name, bool epilogue,
		   const struct point_list *points, struct stmt *body, struct stmt *after,
		   struct loc at);

/* ---- probe points (point.c) ---- */

/* Returns a list with one point of one component. */
struct point_list *point_part(const char *name, struct expr *arg, struct loc at);

/* a.{b,c}: returns each point of HEAD followed by each point of TAIL. */
struct point_list *point_join(struct parser *p, struct point_list *head,
			      struct point_list *tail);
void point_qualify(struct point_list *list, int mark);	/* '?', '!' or 0 */
void point_condition(struct point_list *list, struct expr *condition);

#endif
