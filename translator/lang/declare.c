// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Adds declarations to the file: globals, functions, probes, aliases.  Reads
 * the pragmas of embedded C.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "builtins.h"
#include "parser.h"
#include "session.h"

/* ---- embedded C -------------------------------------------------------------- */

static void pragma(struct embedded *e, const char *s, size_t len)
{
	const struct { const char *name; unsigned trait; bool *flag; } known[] = {
		{ "pure", FN_PURE, NULL }, { "stable", FN_STABLE, NULL },
		{ "unprivileged", FN_UNPRIVILEGED, NULL },
		{ "myproc-unprivileged", FN_MYPROC_UNPRIVILEGED, NULL },
		{ "guru", FN_GURU, NULL }, { "unmangled", 0, &e->unmangled },
		{ "unmodified-fnargs", 0, &e->unmodified_fnargs }, { "string", 0, &e->string },
	};
	static const char reads[] = "pragma:read:", writes[] = "pragma:write:";
	const size_t r = sizeof(reads) - 1, w = sizeof(writes) - 1;

	if (len > r && !memcmp(s, reads, r))
		vec_push(&e->reads, intern_n(s + r, len - r));
	else if (len > w && !memcmp(s, writes, w))
		vec_push(&e->writes, intern_n(s + w, len - w));
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strlen(known[i].name) != len || memcmp(known[i].name, s, len))
			continue;
		e->traits |= known[i].trait;
		if (known[i].flag)
			*known[i].flag = true;
	}
}

/* Looks for a pragma, which is a comment of one word. */
static void look_at_comment(struct embedded *e, const char *s, const char *end)
{
	while (s < end && isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	pragma(e, s, end - s);
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

static void look_at_word(struct embedded *e, const char *s, size_t len)
{
	const struct { const char *word; bool *flag; } known[] = {
		{ "STAP_NEXT", &e->nexts }, { "THIS", &e->unmangled },
		{ "CATCH_DEREF_FAULT", &e->catches_faults },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		*known[i].flag |= len == strlen(known[i].word) && !memcmp(s, known[i].word, len);
}

static void look_at_code(struct embedded *e)
{
	for (const char *s = e->code; *s;) {
		size_t len = word_length(s);

		if (s[0] == '/' && s[1] == '*') {
			const char *end = strstr(s + 2, "*/");

			if (!end)
				return;
			look_at_comment(e, s + 2, end);
			s = end + 2;
		} else {
			look_at_word(e, s, len);
			s += len ? len : 1;
		}
	}
}

/* Is every line, comments aside, a preprocessor directive? */
static bool all_directives(const char *s)
{
	bool fresh = true, directive = false;

	for (; *s; s++) {
		if (s[0] == '/' && s[1] == '*') {
			s = strstr(s + 2, "*/");
			if (!s)
				return false;
			s++;
		} else if (s[0] == '/' && s[1] == '/') {
			s += strcspn(s, "\n") - 1;
		} else if (s[0] == '\\' && s[1] == '\n') {
			s++;
		} else if (*s == '\n') {
			fresh = true;
			directive = false;
		} else if (!isspace((unsigned char)*s)) {
			directive |= fresh && *s == '#';
			fresh = false;
			if (!directive)
				return false;
		}
	}
	return true;
}

struct embedded *build_embedded(struct parser *p, const char *code, struct loc at,
				bool expression)
{
	struct embedded *e = arena_new(struct embedded);

	if (!p->file->library && !p->session->options.guru)
		parse_error(p, at, "embedded %scode in unprivileged script; need stap -g",
			    expression ? "expression " : "");
	e->code = code;
	e->loc = at;
	look_at_code(e);
	e->directives = all_directives(code);
	return e;
}

/* ---- globals ------------------------------------------------------------------- */

enum { MAX_ARRAY = 100000000 };		/* more than any memory holds, without overflow */

struct variable *build_global(struct parser *p, const char *name, bool wrap,
			      const int64_t *size, struct expr *init, struct loc at)
{
	struct variable *v = arena_new(struct variable);

	if (size && (*size <= 0 || *size > MAX_ARRAY))
		parse_error(p, at, "array size out of range (1 to %d)", MAX_ARRAY);
	if (init && (size || wrap))
		parse_error(p, at, "only scalar globals can be initialized");
	v->name = name;
	v->loc = at;
	v->nkeys = -1;
	v->is_global = true;
	v->wrap = wrap;
	v->maxsize = size ? *size : 0;
	v->init = init;
	v->file = p->file;
	return v;
}

void declare_globals(struct parser *p, const struct var_list *globals, bool is_private)
{
	for (size_t i = 0; i < globals->n; i++) {
		for (size_t j = 0; j < p->file->globals.n; j++)
			if (p->file->globals.v[j]->name == globals->v[i]->name)
				parse_error(p, globals->v[i]->loc, "duplicate global name '%s'",
					    globals->v[i]->name);
		globals->v[i]->is_private = is_private;
		vec_push(&p->file->globals, globals->v[i]);
	}
}

/* ---- statements in the wrong place ----------------------------------------------- */

struct context {
	struct parser *p;
	bool in_function;
	int loops;
};

static void ignore_expr(struct expr **e, void *arg)
{
	(void)e;
	(void)arg;
}

static void check_stmt(struct stmt **slot, void *arg)
{
	struct context *c = arg;
	struct stmt *s = *slot;

	if (!s)
		return;

	bool loop = s->kind == S_LOOP || s->kind == S_FOREACH;

	if (s->kind == S_RETURN && !c->in_function)
		parse_error(c->p, s->loc, "found 'return' not in function context");
	if (s->kind == S_BREAK && !c->loops)
		parse_error(c->p, s->loc, "found 'break' not in a loop");
	if (s->kind == S_CONTINUE && !c->loops)
		parse_error(c->p, s->loc, "found 'continue' not in a loop");
	c->loops += loop;
	stmt_children(s, ignore_expr, check_stmt, c);
	c->loops -= loop;
}

static void check_body(struct parser *p, struct stmt *body, bool in_function)
{
	struct context c = { .p = p, .in_function = in_function };

	check_stmt(&body, &c);
}

/* ---- functions --------------------------------------------------------------------- */

struct variable *build_param(const char *name, enum type type, struct loc at)
{
	struct variable *v = arena_new(struct variable);

	v->name = name;
	v->loc = at;
	v->type = type;
	v->is_param = true;
	if (type != T_UNKNOWN)
		v->type_loc = at;
	return v;
}

struct function *build_function(struct parser *p, const char *name, enum type type,
				struct var_list *params, int64_t priority,
				struct stmt *body, struct loc at)
{
	struct function *f = arena_new(struct function);

	f->name = name;
	f->loc = at;
	f->type = type;
	f->type_declared = type != T_UNKNOWN;
	if (f->type_declared)
		f->type_loc = at;
	f->priority = priority >= 0 ? priority : p->file->library;
	f->file = p->file;
	list_move(&f->params, params);
	if (body && body->kind == S_EMBEDDED)
		f->embedded = body->embedded;
	else
		f->body = body;
	return f;
}

void bind_builtin(struct parser *p, struct function *f, const char *word, struct loc at)
{
	static const char only[] = "builtin";

	if (!p->file->library || strcmp(word, only))
		parse_error(p, at, "a function's body is a block: { … }");
	else if (!(f->builtin = builtin_find(f)))
		parse_error(p, f->loc, "no builtin has the name '%s', this result and parameters of "
			    "these types", f->name);
}

void declare_function(struct parser *p, struct function *f)
{
	for (size_t i = 0; i < f->params.n; i++) {
		f->params.v[i]->func = f;
		for (size_t j = 0; j < i; j++)
			if (f->params.v[i]->name == f->params.v[j]->name) {
				parse_error(p, f->params.v[i]->loc,
					    "two parameters of function '%s' are named '%s'",
					    f->name, f->params.v[i]->name);
				return;
			}
	}
	check_body(p, f->body, true);
	vec_push(&p->file->functions, f);
}

/* ---- probes ------------------------------------------------------------------------ */

static struct probe_decl *probe_decl(struct parser *p, const struct point_list *points,
				     struct stmt *body, struct loc at)
{
	struct probe_decl *d = arena_new(struct probe_decl);

	list_move(&d->points, points);
	d->body = body;
	d->loc = at;
	d->file = p->file;
	d->library = p->file->library;
	check_body(p, body, false);
	return d;
}

void declare_probe(struct parser *p, const struct point_list *points, struct stmt *body,
		   struct loc at)
{
	vec_push(&p->file->probes, probe_decl(p, points, body, at));
}

void declare_alias(struct parser *p, const struct point_list *name, bool epilogue,
		   const struct point_list *points, struct stmt *body, struct stmt *after,
		   struct loc at)
{
	struct probe_point *alias = name->v[0];
	struct probe_decl *d = probe_decl(p, points, body, at);

	if (name->n > 1)
		parse_error(p, alias->loc, "probe point alias name cannot have alternatives");
	if (alias->optional || alias->sufficient)
		parse_error(p, alias->loc,
			    "probe point alias name cannot be optional nor sufficient");
	if (alias->condition)
		parse_error(p, alias->loc, "probe point alias name cannot have a condition");
	d->alias = alias;
	d->epilogue = epilogue;
	d->epilogue_body = after;
	if (after)
		check_body(p, after, false);
	vec_push(&p->file->aliases, d);
}
