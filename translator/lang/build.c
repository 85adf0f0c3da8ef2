// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds expressions and statements for the grammar's actions, and refuses errors
 * that its rules let through.
 */
#include <string.h>

#include "base/arena.h"
#include "parser.h"
#include "session.h"

enum { MAX_CHOSEN = 5000 };	/* nodes in @choose_defined's first operand */

/* ---- depth ----------------------------------------------------------------- */

static void deepest_expr(struct expr **e, void *depth)
{
	if (*e && (*e)->depth > *(unsigned *)depth)
		*(unsigned *)depth = (*e)->depth;
}

static void deepest_stmt(struct stmt **s, void *depth)
{
	if (*s && (*s)->depth > *(unsigned *)depth)
		*(unsigned *)depth = (*s)->depth;
}

static bool too_deep(struct parser *p, unsigned depth, struct loc at)
{
	if (depth <= MAX_DEPTH)
		return false;
	if (!p->too_deep)
		parse_error(p, at, "expressions or statements are nested too deeply "
			    "(more than %d levels)", MAX_DEPTH);
	p->too_deep = true;
	return true;
}

struct expr *expr_done(struct parser *p, struct expr *e)
{
	unsigned below = 0;

	expr_children(e, deepest_expr, &below);
	e->depth = below + 1;
	return too_deep(p, e->depth, e->loc) ? expr_num(0, e->loc) : e;
}

struct stmt *stmt_done(struct parser *p, struct stmt *s)
{
	unsigned below = 0;

	stmt_children(s, deepest_expr, deepest_stmt, &below);
	s->depth = below + 1;
	return too_deep(p, s->depth, s->loc) ? stmt_new(S_EMPTY, s->loc) : s;
}

/* ---- operators -------------------------------------------------------------- */

static bool is_lvalue(const struct expr *e)
{
	return e->kind == E_SYMBOL || e->kind == E_INDEX || e->kind == E_TARGET;
}

static void need_lvalue(struct parser *p, const struct expr *e, struct loc at)
{
	if (!is_lvalue(e))
		parse_error(p, at, "expected a variable, an array element or a target "
			    "variable to assign to");
}

struct expr *build_unary(struct parser *p, enum op op, struct expr *a, struct loc at)
{
	struct expr *e = expr_new(E_UNARY, at);

	e->op = op;
	e->a = a;
	return expr_done(p, e);
}

static struct expr *with_two(struct parser *p, enum expr_kind kind, enum op op,
			     struct expr *a, struct expr *b, struct loc at)
{
	struct expr *e = expr_new(kind, at);

	e->op = op;
	e->a = a;
	e->b = b;
	return expr_done(p, e);
}

struct expr *build_binary(struct parser *p, enum op op, struct expr *a, struct expr *b,
			  struct loc at)
{
	return with_two(p, E_BINARY, op, a, b, at);
}

/* SystemTap before 4.0 read "a ? b : c = 1" as "a ? b : (c = 1)". */
struct expr *build_assign(struct parser *p, enum op op, struct expr *a, struct expr *b,
			  struct loc at)
{
	if (a->kind == E_TERNARY && session_older_than(p->session, "4.0")) {
		a->c = build_assign(p, op, a->c, b, at);
		return expr_done(p, a);
	}
	need_lvalue(p, a, at);
	return with_two(p, E_ASSIGN, op, a, b, at);
}

struct expr *build_regex(struct parser *p, enum op op, struct expr *a, struct expr *regex,
			 struct loc at)
{
	if (regex->kind != E_STR)
		parse_error(p, regex->loc, "expected literal string: a regular expression is "
			    "compiled with the script");
	return with_two(p, E_REGEX, op, a, regex, at);
}

struct expr *build_incdec(struct parser *p, struct expr *a, int delta, bool prefix,
			  struct loc at)
{
	struct expr *e = expr_new(E_INCDEC, at);

	need_lvalue(p, a, at);
	e->a = a;
	e->delta = delta;
	e->prefix = prefix;
	return expr_done(p, e);
}

struct expr *build_ternary(struct parser *p, struct expr *a, struct expr *b, struct expr *c,
			   struct loc at)
{
	struct expr *e = expr_new(E_TERNARY, at);

	e->a = a;
	e->b = b;
	e->c = c;
	return expr_done(p, e);
}

/* Counts the nodes of a tree, down from *LEFT to 0. */
static void count_down(struct expr **e, void *left)
{
	if (*e && *(unsigned *)left && --*(unsigned *)left)
		expr_children(*e, count_down, left);
}

/*
 * @choose_defined(a, b) becomes "@defined(a) ? a : b".  That doubles a, so
 * nested uses grow exponentially.
 */
struct expr *build_choose(struct parser *p, struct expr *a, struct expr *b, struct loc at)
{
	unsigned left = MAX_CHOSEN;

	count_down(&a, &left);
	if (!left) {
		parse_error(p, at, "this is too large for @choose_defined (more than %d "
			    "operators and names)", MAX_CHOSEN);
		return b;
	}

	struct expr *test = build_operator(p, E_DEFINED, expr_copy(a), NULL, NULL, at);

	return build_ternary(p, test, a, b, at);
}

struct expr *build_const(struct parser *p, const char *text, struct loc at)
{
	struct expr *e = expr_new(E_CONST, at);

	if (!p->file->library && !p->session->options.guru && !(at.src && at.src->library))
		parse_error(p, at, "using @const operator not permitted; need stap -g");
	e->str = text;
	return e;
}

struct expr *build_operator(struct parser *p, enum expr_kind kind, struct expr *a,
			    struct expr *b, const char *text, struct loc at)
{
	struct expr *e = expr_new(kind, at);

	e->a = a;
	e->b = b;
	if (text)
		e->str = text;	/* E_PROBEWRITE's .name is the same member */
	return expr_done(p, e);
}

struct expr *build_deref(struct parser *p, enum expr_kind kind, bool user, struct expr *a,
			 struct expr *b, struct loc at)
{
	struct expr *e = expr_new(kind, at);

	e->a = a;
	e->b = b;
	e->user = user;
	return expr_done(p, e);
}

struct expr *build_stat(struct parser *p, enum stat_op op, struct expr *a, struct loc at)
{
	bool hist = op == STAT_HIST_LOG || op == STAT_HIST_LINEAR;
	struct expr *e = expr_new(hist ? E_HIST : E_STAT, at);

	e->a = a;
	e->stat = op;
	return expr_done(p, e);
}

void stat_param(struct expr *e, int64_t value)
{
	if (e->kind == E_STAT || e->kind == E_HIST)
		e->params[e->nparams++] = value;
}

/* ---- names ------------------------------------------------------------------ */

/* Refuses histograms, except as the single argument of print() or println(). */
static void no_histograms(struct parser *p, const struct expr_list *args)
{
	for (size_t i = 0; i < args->n; i++)
		if (args->v[i] && args->v[i]->kind == E_HIST)
			parse_error(p, args->v[i]->loc,
				    "base histogram operator where expression expected");
}

struct expr *build_named(struct parser *p, enum expr_kind kind, const char *name,
			 struct expr_list *args, struct loc at)
{
	struct expr *e = expr_new(kind, at);

	e->name = name;
	e->library = p->file->library;
	if (args) {
		no_histograms(p, args);
		list_move(&e->args, args);
	}
	return expr_done(p, e);
}

struct expr *build_in(struct parser *p, struct expr_list *keys, const char *array,
		      struct loc at)
{
	return build_named(p, E_IN, array, keys, at);
}

struct expr *build_hist_in(struct parser *p, struct expr_list *keys, struct expr *hist,
			   struct loc at)
{
	if (keys->n != 1 || !keys->v[0])
		parse_error(p, hist->loc, "a histogram has one index");
	return build_operator(p, E_HIST_INDEX, hist, keys->v[0], NULL, at);
}

/* Is NAME one of the print family?  Sets PRINT's kind and to_string. */
static bool print_name(const char *name, struct print *print)
{
	static const struct {
		const char *name;
		enum print_kind kind;
	} names[] = {
		{ "print", PRINT_PRINT }, { "println", PRINT_PRINTLN },
		{ "printd", PRINT_PRINTD }, { "printdln", PRINT_PRINTDLN },
		{ "printf", PRINT_PRINTF },
	};

	print->to_string = *name == 's';
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name + print->to_string, names[i].name)) {
			print->kind = names[i].kind;
			return true;
		}
	return false;
}

/* Removes the leading format or delimiter from the arguments. */
static void print_format(struct parser *p, struct print *print, struct expr_list *args,
			 struct loc at)
{
	if (!args->n || args->v[0]->kind != E_STR) {
		parse_error(p, args->n ? args->v[0]->loc : at,
			    print->kind == PRINT_PRINTF ?
			    "expected literal string: the format of printf" :
			    "expected literal string: the delimiter of printd");
		print->format = "";
		return;
	}
	print->format = args->v[0]->str;
	print->format_loc = args->v[0]->loc;
	if (print->kind != PRINT_PRINTF && args->n < 3)
		parse_error(p, at, "a delimiter stands between values: expected two or more of them");
	args->v++;
	args->n--;
	args->room = args->n;
}

static struct expr *build_print(struct parser *p, struct print *print,
				struct expr_list *args, struct loc at)
{
	struct expr *e = expr_new(E_PRINT, at);
	bool plain = print->kind == PRINT_PRINT || print->kind == PRINT_PRINTLN;

	if (!plain)
		print_format(p, print, args, at);
	if (!plain || args->n != 1)
		no_histograms(p, args);
	list_move(&print->args, args);
	e->print = print;
	return expr_done(p, e);
}

struct expr *build_call(struct parser *p, const char *name, struct expr_list *args,
			struct loc at)
{
	struct print *print = arena_new(struct print);

	if (print_name(name, print))
		return build_print(p, print, args, at);
	return build_named(p, E_CALL, name, args, at);
}

/* ---- target variables ---------------------------------------------------------- */

static struct expr *build_target(const struct parser *p, struct loc at)
{
	struct expr *e = expr_new(E_TARGET, at);

	e->library = p->file->library;
	e->target = arena_new(struct target_var);
	return e;
}

/* Returns the number of '$' at the end of NAME: "$file$$" has 2. */
static size_t suffix_length(const char *name)
{
	size_t len = strlen(name), n = 0;

	while (n < len && name[len - 1 - n] == '$')
		n++;
	return n;
}

/* Can the path of E be extended?  E is not an E_TARGET if expr_done() replaced it. */
static bool extend(struct parser *p, struct expr *e, struct loc at)
{
	if (e->kind != E_TARGET)
		return false;

	struct target_var *t = e->target;

	if (t->path.n && t->path.v[t->path.n - 1].kind == C_PRETTY) {
		parse_error(p, at, "-> and [ are not accepted for a pretty-printing variable");
		return false;
	}
	return true;
}

void target_pretty(struct parser *p, struct expr *e, const char *suffix, struct loc at)
{
	if (!extend(p, e, at))
		return;
	if (strlen(suffix) > 2)
		parse_error(p, at, "expected '$' or '$$' for pretty-printing");
	vec_push(&e->target->path, ((struct component){ C_PRETTY, suffix, NULL, at }));
}

/* Returns NAME without its pretty-printing suffix, which goes to *SUFFIX, or NULL. */
static const char *split_suffix(const char *name, const char **suffix)
{
	size_t n = suffix_length(name), len = strlen(name);

	*suffix = n ? intern(name + len - n) : NULL;
	return intern_n(name, len - n);
}

struct expr *build_dollar(struct parser *p, const char *name, struct loc at)
{
	struct expr *e = build_target(p, at);
	const char *suffix;

	e->target->kind = TV_DOLLAR;
	e->target->name = split_suffix(name, &suffix);
	if (suffix)
		target_pretty(p, e, suffix, at);
	return e;
}

struct expr *build_named_target(struct parser *p, int kind, const char *name,
				struct expr *value, const char *module, struct loc at)
{
	struct expr *e = build_target(p, at);

	e->target->kind = kind;
	e->target->name = name;
	e->target->module = module;
	e->target->value = value;
	return expr_done(p, e);
}

struct expr *build_auto(struct parser *p, struct expr *value, struct loc at)
{
	struct expr *e = build_target(p, at);

	e->target->kind = TV_AUTO;
	e->target->value = value;
	return expr_done(p, e);
}

/* &e: the address of a target variable, or of an object that a script value points to. */
struct expr *build_address(struct parser *p, struct expr *e, struct loc at)
{
	if (e->kind != E_TARGET || e->target->address)
		e = build_auto(p, e, at);
	if (e->kind == E_TARGET)
		e->target->address = true;
	return expr_done(p, e);
}

void target_field(struct parser *p, struct expr *e, const char *name, struct loc at)
{
	const char *suffix;

	if (!extend(p, e, at))
		return;
	name = split_suffix(name, &suffix);
	vec_push(&e->target->path, ((struct component){ C_FIELD, name, NULL, at }));
	if (suffix)
		target_pretty(p, e, suffix, at);
}

void target_index(struct parser *p, struct expr *e, struct expr *index, struct loc at)
{
	if (extend(p, e, at))
		vec_push(&e->target->path, ((struct component){ C_INDEX, NULL, index, at }));
}

/* ---- statements ------------------------------------------------------------------ */

/* %{ … %} as a statement has a kind of its own. */
struct expr *build_condition(struct parser *p, struct expr *e)
{
	if (e && e->kind == E_ASSIGN && e->op == OP_NONE && !p->file->library &&
	    (e->b->kind == E_SYMBOL || e->b->kind == E_NUM || e->b->kind == E_STR)) {
		diag_at(DIAG_WARNING, e->loc, "an assignment for a condition: operator '='");
		diag_hint("== compares");
	}
	return e;
}

struct stmt *build_expr_stmt(struct parser *p, struct expr *e)
{
	struct stmt *s = stmt_new(e->kind == E_EMBEDDED ? S_EMBEDDED : S_EXPR, e->loc);

	if (e->kind == E_SYMBOL && !strcmp(e->name, "do"))
		parse_error(p, e->loc, "there is no loop with 'do': while (1) { …; if (!(condition)) break }");
	if (e->kind == E_EMBEDDED)
		s->embedded = e->embedded;
	else
		s->expr = e;
	return stmt_done(p, s);
}

struct stmt *build_loop(struct parser *p, struct expr *init, struct expr *cond,
			struct expr *step, struct stmt *body, struct loc at)
{
	struct stmt *s = stmt_new(S_LOOP, at);

	s->init = init;
	s->expr = cond;
	s->step = step;
	s->then = body;
	return stmt_done(p, s);
}

struct stmt *build_try(struct parser *p, struct stmt *body, const char *var,
		       struct stmt *handler, struct loc at)
{
	struct stmt *s = stmt_new(S_TRY, at);

	s->then = body;
	s->name = var;
	s->els = handler;
	return stmt_done(p, s);
}

struct sorted *build_sorted(struct parser *p, const char *name, int direction,
			    enum stat_op stat, struct loc at)
{
	struct sorted *s = arena_new(struct sorted);

	if (name)
		s->name = build_named(p, E_SYMBOL, name, NULL, at);
	s->direction = direction;
	s->loc = at;
	s->stat = stat;
	return s;
}

/* Records a sort sign; a second one is an error. */
static void sort_by(struct parser *p, struct foreach *f, const struct sorted *s, int key)
{
	if (!s || !s->direction)
		return;
	if (f->sort_by)
		parse_error(p, s->loc, "multiple sort directives");
	f->sort_by = key;
	f->descending = s->direction == '-';
	f->sort_stat = s->stat;
}

struct foreach *build_foreach(struct parser *p, struct foreach *f,
			      const struct sorted *value, const struct sorted_list *keys,
			      const struct sorted *by_array)
{
	f->sort_stat = STAT_NONE;
	if (value)
		f->value = value->name;
	sort_by(p, f, value, -1);
	for (size_t i = 0; i < keys->n; i++) {
		vec_push(&f->keys, keys->v[i].name);
		sort_by(p, f, &keys->v[i], i + 1);
	}
	sort_by(p, f, by_array, -1);
	if (f->hist && keys->n != 1)
		parse_error(p, f->array_loc, "a histogram has one index");
	return f;
}
