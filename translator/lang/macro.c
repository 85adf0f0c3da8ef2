// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The preprocessor: script arguments, macros and conditionals.  Tokens in,
 * tokens out.
 *
 * The input is a stack of frames: the file at the bottom, above it the body of
 * the macro being expanded, above that the argument being inserted, and so on.
 * A frame is a run of raw tokens with the environment in which its @names are
 * looked up.  An argument is inserted unexpanded, in the environment where it
 * was written.  For
 *
 *	@define g(x) %( @x + 1 %)
 *	@g(@g(1))
 *
 * the stack grows like this:
 *
 *	frame        tokens      environment
 *	file         @g(@g(1))   none
 *	body of @g   @x + 1      x = "@g(1)"
 *	argument x   @g(1)       none, the file's
 *	body of @g   @x + 1      x = "1"
 *
 * A macro is recursive if it is used again in an environment inside its own;
 * the example's second use is not.  The result is "1 + 1 + 1".
 *
 * Words and strings of a body may have holes, @{parameter}, which take the word
 * given for the parameter: with f(name) used as @f(path), @{name}_str is path_str
 * and "sys_@{name}" is "sys_path".
 *
 * The work is bounded for any text: MAX_FRAMES limits the frames, MAX_EXPANSION the
 * tokens that macros expand to.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "grammar.h"
#include "lang.h"
#include "preproc.h"
#include "session.h"

enum { MAX_FRAMES = 500, MAX_NESTING = 100, MAX_EXPANSION = 500000 };

/* A run of raw tokens of one source. */
struct run {
	const struct source *src;
	const struct token *v;
	size_t n;
};

/* A macro's definition. */
struct macro {
	const char *name;
	struct loc loc;
	vec(const char *) params;
	bool has_params;	/* declared with parentheses */
	struct run body;
};

/* The environment of a macro's body: the meaning of @names in it. */
struct env {
	const struct macro *macro;
	struct run *args;		/* one per parameter */
	struct env *caller;		/* the environment of the arguments */
	const struct loc *via;		/* where the caller's text was used */
};

struct frame {
	struct run run;
	size_t pos;
	struct env *env;
	const struct loc *via;	/* position of the macro's use */
	bool pinned;		/* a script argument: all its tokens have position 'at' */
	struct loc at;
	size_t open;		/* conditionals open when it was pushed */
};

/* An open %(. */
struct condition {
	struct loc loc;
	bool in_else;			/* its %: was read */
};

/* The state of preprocessing one source. */
struct preproc {
	struct session *session;
	bool failed;
	bool wrong;			/* an error was reported that no JUNK token marks yet */
	unsigned nesting;		/* conditions being evaluated, one inside another */
	vec(struct frame) frames;
	vec(struct condition) conditions;	/* conditionals whose branches are being read */
	vec(const struct macro *) macros;
	unsigned expanded;		/* tokens that macros produced so far */
};

void preproc_error(struct preproc *pp, struct loc at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *msg = arena_vprintf(fmt, ap);

	va_end(ap);
	diag_at(DIAG_PARSE_ERROR, at, "%s", msg);
	pp->failed = pp->wrong = true;
}

bool preproc_failed(const struct preproc *pp)
{
	return pp->failed;
}

/* ---- frames ------------------------------------------------------------- */

static struct frame *top(struct preproc *pp)
{
	return &pp->frames.v[pp->frames.n - 1];
}

static struct loc place(const struct frame *f, const struct token *t)
{
	if (f->pinned)
		return f->at;
	return (struct loc){ f->run.src, t->line, t->col, f->via };
}

static bool push(struct preproc *pp, struct frame f, struct loc at)
{
	if (pp->frames.n >= MAX_FRAMES) {
		preproc_error(pp, at, "macros are nested too deeply");
		return false;
	}
	f.open = pp->conditions.n;
	vec_push(&pp->frames, f);
	return true;
}

/* Ends the input after an error that nothing sensible can follow. */
static void stop(struct preproc *pp)
{
	pp->frames.n = 1;
	pp->frames.v[0].pos = pp->frames.v[0].run.n;
	pp->conditions.n = 0;
}

/* Returns the next token of a frame, one of kind 0 at its end. */
static struct token frame_next(struct frame *f)
{
	if (f->pos < f->run.n)
		return f->run.v[f->pos++];

	struct token end = { .text = "", .glued = false };

	if (f->run.n) {
		end.line = f->run.v[f->run.n - 1].line;
		end.col = f->run.v[f->run.n - 1].col;
	}
	return end;
}

static const struct token *frame_peek(const struct frame *f)
{
	return f->pos < f->run.n ? &f->run.v[f->pos] : NULL;
}

/* Pops the frames that have no tokens left. */
static void pop_finished(struct preproc *pp)
{
	while (pp->frames.n > 1 && !frame_peek(top(pp))) {
		struct frame *f = top(pp);

		if (pp->conditions.n > f->open) {
			preproc_error(pp, pp->conditions.v[f->open].loc,
				      "conditional is not closed: expected '%%)'");
			pp->conditions.n = f->open;
		}
		pp->frames.n--;
	}
}

/* ---- script arguments ---------------------------------------------------- */

static bool word_like(int kind)
{
	return kind == IDENT || kind == NUMBER || (kind >= PROBE && kind <= LONG_TYPE);
}

/* Pushes TEXT in place of the token at AT. */
static void push_text(struct preproc *pp, const char *text, struct loc at, bool glued)
{
	const struct token_list *list =
		lex_all(source_from_text(at.src ? at.src->name : "", text));

	if (list->n > 1)
		list->v[0].glued = glued;
	push(pp, (struct frame){ .run = { list->src, list->v, list->n - 1 },
				 .pinned = true, .at = at }, at);
}

static const char *quoted(const char *s)
{
	size_t n = strlen(s);
	char *q = arena_alloc(2 * n + 3), *p = q;

	*p++ = '"';
	for (; *s; s++) {
		if (*s == '"' || *s == '\\' || *s == '\n')
			*p++ = '\\';
		*p++ = *s == '\n' ? 'n' : *s;
	}
	*p++ = '"';
	return q;
}

static void push_argument(struct preproc *pp, const struct token *t, struct loc at)
{
	struct session *s = pp->session;
	unsigned long n = strtoul(arena_strndup(t->text + 1, t->len - 1), NULL, 10);
	const struct token *after = frame_peek(top(pp));

	if (top(pp)->pinned) {
		preproc_error(pp, at, "script argument %.*s inside a script argument",
			      (int)t->len, t->text);
		return;
	}
	if (n < 1 || n > s->options.args.n) {
		const char *has = !n ? "arguments begin with $1" :
				  !s->options.args.n ? "the script got no arguments" :
				  s->options.args.n == 1 ? "the script got one argument" :
				  arena_printf("the script got %zu arguments", s->options.args.n);

		preproc_error(pp, at, "%s: '%.*s'", has, (int)t->len, t->text);
		diag_hint("the script takes arguments: stap SCRIPT ARGUMENT...");
		return;
	}
	if (n <= s->arg_used.n)
		s->arg_used.v[n - 1] = true;

	const char *value = s->options.args.v[n - 1];

	if (t->kind == ARG_STRING) {
		push_text(pp, quoted(value), at, t->glued);
	} else if (after && after->glued && word_like(after->kind)) {
		/* $1_suffix is one word */
		top(pp)->pos++;
		push_text(pp, arena_printf("%s%.*s", value, (int)after->len, after->text),
			  at, t->glued);
	} else {
		push_text(pp, value, at, t->glued);
	}
}

/* $* is $1, $2, …; @* the same as strings. */
static void push_all_arguments(struct preproc *pp, const struct token *t, struct loc at)
{
	struct session *s = pp->session;
	struct sbuf b = { 0 };

	if (top(pp)->pinned) {
		preproc_error(pp, at, "script arguments %.*s inside a script argument",
			      (int)t->len, t->text);
		return;
	}
	for (size_t i = 0; i < s->options.args.n; i++) {
		const char *value = s->options.args.v[i];

		sbuf_printf(&b, "%s%s", i ? ", " : "",
			    t->kind == ARG_ALL ? value : quoted(value));
		if (i < s->arg_used.n)
			s->arg_used.v[i] = true;
	}
	push_text(pp, sbuf_take(&b), at, t->glued);
}

/* ---- macros --------------------------------------------------------------- */

/* Finds @NAME among the library's macros, or among the script's. */
static const struct macro *macro_find(const struct preproc *pp, const char *name, bool library)
{
	for (size_t i = pp->macros.n; i-- > 0;)
		if (pp->macros.v[i]->name == name && pp->macros.v[i]->loc.src->library == library)
			return pp->macros.v[i];
	return NULL;
}

/*
 * Skips, in the top frame, to the %) that closes the current level, or with
 * AT_ELSE to its %: if that comes first.  Returns the kind of token found, 0 at
 * the end.
 */
static int skip_branch(struct preproc *pp, bool at_else)
{
	struct frame *f = top(pp);
	int depth = 0;

	for (;;) {
		struct token t = frame_next(f);

		if (!t.kind)
			return 0;
		if (t.kind == PP_OPEN) {
			depth++;
		} else if (t.kind == PP_CLOSE) {
			if (!depth--)
				return PP_CLOSE;
		} else if (t.kind == PP_ELSE && !depth) {
			if (at_else)
				return PP_ELSE;
			preproc_error(pp, place(f, &t), "invalid conditional: a second '%%:'");
		} else if (t.kind == PP_THEN && !depth) {
			preproc_error(pp, place(f, &t), "'%%?' without '%%('");
		}
	}
}

/* Reads (a, b, c) behind the '('. */
static bool macro_params(struct preproc *pp, struct macro *m)
{
	struct frame *f = top(pp);
	struct token t = frame_next(f);

	m->has_params = true;
	if (t.kind == ')')
		return true;
	for (;;) {
		if (!word_like(t.kind) || t.kind == NUMBER) {
			preproc_error(pp, place(f, &t),
				      "expected identifier in a macro's parameter list");
			return false;
		}
		vec_push(&m->params, token_text(&t));
		t = frame_next(f);
		if (t.kind == ')')
			return true;
		if (t.kind != ',') {
			preproc_error(pp, place(f, &t),
				      "expected ',' or ')' in a macro's parameter list");
			return false;
		}
		t = frame_next(f);
	}
}

/* Reads a definition behind @define. */
static void macro_define(struct preproc *pp, struct loc at)
{
	struct frame *f = top(pp);
	struct macro *m = arena_new(struct macro);
	struct token t = frame_next(f);

	if (pp->frames.n > 1) {
		preproc_error(pp, at, "macro definition inside a macro");
		return;
	}
	if (!word_like(t.kind) || t.kind == NUMBER) {
		preproc_error(pp, place(f, &t), "expected identifier after @define");
		return;
	}
	m->name = token_text(&t);
	m->loc = place(f, &t);

	const struct macro *old = macro_find(pp, m->name, f->run.src->library);
	bool fixed = false;

	if (!strcmp(m->name, "define"))
		preproc_error(pp, m->loc, "attempt to redefine '@define'");

	at_operator(arena_printf("@%s", m->name), strlen(m->name) + 1, &fixed);
	if (fixed)
		diag_at(DIAG_WARNING, m->loc, "macro redefines built-in operator '@%s': identifier '%s'",
			m->name, m->name);
	if (old && old->loc.src == f->run.src) {
		preproc_error(pp, m->loc, "attempt to redefine macro '@%s'", m->name);
		diag_also(old->loc, "macro '@%s' first defined", m->name);
	}
	t = frame_next(f);
	if (t.kind == '(') {
		if (!macro_params(pp, m))
			return;
		t = frame_next(f);
	}
	if (t.kind != PP_OPEN) {
		preproc_error(pp, place(f, &t), "expected '%%(' and the macro's body");
		return;
	}
	size_t start = f->pos;

	if (!skip_branch(pp, false)) {
		preproc_error(pp, m->loc, "body of macro '@%s' is not closed: expected '%%)'",
			      m->name);
		return;
	}
	m->body = (struct run){ f->run.src, f->run.v + start, f->pos - 1 - start };
	vec_push(&pp->macros, m);
}

/* Reads a library's macro file, conditionals included, and adds its macros. */
static void macro_file(struct preproc *pp, const struct source *src)
{
	struct preproc *file = preproc_open(pp->session, src);

	for (struct lexeme t; (t = preproc_next(file)).kind;)
		if (t.kind != JUNK || t.why) {
			preproc_error(file, t.loc, "%s", t.why ? t.why :
				      "expected only @define in a macro file");
			break;
		}
	for (size_t i = 0; i < file->macros.n; i++)
		vec_push(&pp->macros, file->macros.v[i]);
	pp->failed |= file->failed;
}

/*
 * Finds @NAME among this file's macros, else among the library's.  The body of a library macro sees
 * the library's only.
 */
static const struct macro *macro_lookup(struct preproc *pp, const char *name)
{
	const struct macro *m = NULL;

	if (!top(pp)->run.src->library)
		m = macro_find(pp, name, false);
	if (!m)
		m = macro_find(pp, name, true);
	if (m || !pp->session->library)
		return m;

	const struct source *src = library_macro_source(pp->session, name);

	if (!src || src == pp->frames.v[0].run.src)
		return NULL;
	macro_file(pp, src);
	return macro_find(pp, name, true);
}

/* Reads one argument up to the ',' or ')' that ends it; sets *LAST for ')'. */
static bool macro_argument(struct frame *f, struct run *arg, bool *last)
{
	size_t start = f->pos;
	int depth = 0, conditions = 0;

	for (;;) {
		struct token t = frame_next(f);

		switch (t.kind) {
		case 0:
			return false;
		case PP_OPEN:
			conditions++;
			break;
		case PP_CLOSE:
			conditions--;
			break;
		case '(': case '[': case '{':
			depth++;
			break;
		case ')':
			if (!depth && conditions <= 0)
				goto end;
			/* fall through */
		case ']': case '}':
			depth -= depth > 0;
			break;
		case ',':
			if (!depth && conditions <= 0)
				goto end;
			break;
		}
		continue;
end:
		*last = t.kind == ')';
		*arg = (struct run){ f->run.src, f->run.v + start, f->pos - 1 - start };
		return true;
	}
}

/* Reads the arguments of a macro's use, if it takes any. */
static bool macro_arguments(struct preproc *pp, const struct macro *m, struct loc at,
			    struct run *args)
{
	struct frame *f = top(pp);
	const struct token *open = frame_peek(f);
	bool last = false;
	size_t n = 0;

	if (!m->has_params || (!m->params.n && (!open || open->kind != '(')))
		return true;
	if (!open || open->kind != '(') {
		preproc_error(pp, at, "expected '(' and %zu argument(s) after macro '@%s'",
			      m->params.n, m->name);
		return false;
	}
	f->pos++;
	while (!last) {
		struct run arg;

		if (!macro_argument(f, &arg, &last)) {
			preproc_error(pp, at, "arguments of macro '@%s' are not closed: "
				      "expected ')'", m->name);
			return false;
		}
		if (last && !n && !arg.n && !m->params.n)
			return true;
		if (n < m->params.n)
			args[n] = arg;
		n++;
	}
	if (n != m->params.n) {
		preproc_error(pp, at, "wrong number of arguments for macro '@%s' "
			      "(expected %zu, got %zu)", m->name, m->params.n, n);
		diag_also(m->loc, "macro '@%s' defined", m->name);
		return false;
	}
	return true;
}

static void run_push(struct preproc *pp, struct run run, struct env *env,
		     const struct loc *via, struct loc at, bool glued)
{
	struct token *first;

	if (!run.n)
		return;
	if (run.v[0].glued != glued) {	/* the first token takes the place of the macro's name */
		first = arena_alloc(run.n * sizeof(*first));
		memcpy(first, run.v, run.n * sizeof(*first));
		first->glued = glued;
		run.v = first;
	}
	pp->expanded += run.n;
	if (pp->expanded > MAX_EXPANSION) {
		preproc_error(pp, at, "macros expand to too much text");
		stop(pp);
		return;
	}
	push(pp, (struct frame){ .run = run, .env = env, .via = via }, at);
}

static bool in_use(const struct preproc *pp, const struct macro *m)
{
	for (const struct env *e = pp->frames.v[pp->frames.n - 1].env; e; e = e->caller)
		if (e->macro == m)
			return true;
	return false;
}

/*
 * Returns the tokens given for parameter NAME of the macro with environment ENV;
 * NULL if it has no such parameter.
 */
static const struct run *argument(const struct env *env, const char *name)
{
	for (size_t i = 0; env && i < env->macro->params.n; i++)
		if (env->macro->params.v[i] == name)
			return &env->args[i];
	return NULL;
}

/* Expands @NAME.  Returns false if there is no such macro. */
static bool expand(struct preproc *pp, const struct token *t, struct loc at)
{
	const char *name = intern_n(t->text + 1, t->len - 1);
	struct env *env = top(pp)->env;
	const struct run *given = argument(env, name);
	struct loc *via = arena_new(struct loc);
	bool fixed = false;

	*via = at;
	if (given) {
		run_push(pp, *given, env->caller, env->via, at, t->glued);
		return true;
	}

	at_operator(t->text, t->len, &fixed);

	/* only the script itself may redefine an operator */
	const struct macro *m = fixed ? macro_find(pp, name, top(pp)->run.src->library)
				      : macro_lookup(pp, name);

	if (!m)
		return false;
	if (in_use(pp, m)) {
		preproc_error(pp, at, "recursive invocation of macro '@%s'", name);
		return true;
	}

	struct env *inner = arena_new(struct env);

	inner->macro = m;
	inner->caller = env;
	inner->via = top(pp)->via;
	inner->args = arena_alloc((m->params.n + 1) * sizeof(*inner->args));
	if (macro_arguments(pp, m, at, inner->args))
		run_push(pp, m->body, inner, via, at, t->glued);
	return true;
}

/* ---- holes ------------------------------------------------------------------ */

static void fill_holes(const struct env *env, struct token *t);

/*
 * Finds the word that is the argument for a parameter of ENV's macro.  The argument
 * may be a plain word, a @parameter of the calling macro, or a word with holes.
 */
static bool argument_word(const struct env *env, const char *name, size_t len, struct token *word)
{
	const struct run *given = argument(env, intern_n(name, len));

	if (!given || given->n != 1)
		return false;
	*word = given->v[0];
	if (word->kind == AT_NAME)
		return argument_word(env->caller, word->text + 1, word->len - 1, word);
	if (word->kind == TEMPLATE)
		fill_holes(env->caller, word);
	return word_like(word->kind) || word->kind == TEMPLATE;
}

/* Fills each @{parameter} in T's text; one that names no parameter stays as it is. */
static void fill_holes(const struct env *env, struct token *t)
{
	struct sbuf b = { 0 };
	const char *text = t->text, *end = text + t->len, *hole;

	while ((hole = memmem(text, end - text, "@{", 2))) {
		const char *close = memchr(hole, '}', end - hole);
		struct token word;
		bool known = close && argument_word(env, hole + 2, close - hole - 2, &word);

		sbuf_add(&b, text, hole - text);
		text = known ? close + 1 : hole + 2;
		sbuf_add(&b, known ? word.text : hole, known ? word.len : 2);
	}
	if (!b.len && text == t->text)
		return;
	sbuf_add(&b, text, end - text);
	t->len = b.len;
	t->text = arena_strndup(sbuf_str(&b), b.len);
	sbuf_free(&b);
}

/* Fills the holes of a word, which must give one identifier. */
static void fill_template(struct preproc *pp, struct token *t, struct loc at)
{
	fill_holes(top(pp)->env, t);
	t->kind = IDENT;
	if (memchr(t->text, '@', t->len))
		preproc_error(pp, at, "'%.*s': expected a macro's parameter in '@{}', and one word "
			      "as its argument", (int)t->len, t->text);
}

/* ---- conditionals --------------------------------------------------------- */

static void unclosed_condition(struct preproc *pp, struct loc at)
{
	preproc_error(pp, at, "conditional is not closed: expected '%%)'");
}

/* Reads the condition behind a %(, and skips the branch not taken. */
static void conditional(struct preproc *pp, struct loc at)
{
	size_t frames = pp->frames.n;
	bool ok = true, taken = false;

	if (pp->nesting >= MAX_NESTING) {
		preproc_error(pp, at, "conditionals are nested too deeply");
		ok = false;
	} else {
		pp->nesting++;
		taken = preproc_condition(pp, pp->session, &ok);
		pp->nesting--;
	}
	if (!ok) {
		stop(pp);
		pp->wrong = true;
		return;
	}
	while (pp->frames.n > frames && !frame_peek(top(pp)))
		pp->frames.n--;
	if (taken) {
		vec_push(&pp->conditions, ((struct condition){ at, false }));
		return;
	}
	switch (skip_branch(pp, true)) {
	case PP_ELSE:
		vec_push(&pp->conditions, ((struct condition){ at, true }));
		break;
	case 0:
		unclosed_condition(pp, at);
		break;
	}
}

/* At %: or %): ends the branch being read. */
static void branch_end(struct preproc *pp, int kind, struct loc at)
{
	if (pp->conditions.n <= top(pp)->open) {
		preproc_error(pp, at, "'%s' without '%%('", kind == PP_ELSE ? "%:" : "%)");
		return;
	}
	struct condition c = pp->conditions.v[--pp->conditions.n];

	if (kind == PP_ELSE && c.in_else)
		preproc_error(pp, at, "invalid conditional: a second '%%:'");
	if (kind == PP_ELSE && !skip_branch(pp, false))
		unclosed_condition(pp, c.loc);
}

/* ---- the output ------------------------------------------------------------ */

static struct lexeme to_lexeme(const struct token *t, struct loc at)
{
	return (struct lexeme){
		.kind = t->kind, .loc = at, .glued = t->glued,
		.raw = t->text, .len = t->len, .why = t->why,
	};
}

/*
 * Handles a token meant for the preprocessor.  Returns false if it goes on to
 * the grammar.
 */
static bool directive(struct preproc *pp, struct token *t, struct loc at)
{
	static const char define[] = "@define";

	switch (t->kind) {
	case PP_OPEN:
		conditional(pp, at);
		return true;
	case PP_THEN:
		if (pp->nesting)
			return false;		/* the end of a condition */
		preproc_error(pp, at, "'%%?' without '%%('");
		return true;
	case PP_ELSE:
	case PP_CLOSE:
		branch_end(pp, t->kind, at);
		return true;
	case ARG:
	case ARG_STRING:
		push_argument(pp, t, at);
		return true;
	case ARG_ALL:
	case ARG_ALL_STRINGS:
		push_all_arguments(pp, t, at);
		return true;
	case ARG_COUNT:
		push_text(pp, arena_printf("%zu", pp->session->options.args.n), at, t->glued);
		return true;
	case ARG_COUNT_STRING:
		push_text(pp, arena_printf("\"%zu\"", pp->session->options.args.n), at, t->glued);
		return true;
	case AT_NAME:
		if (t->len == sizeof(define) - 1 && !memcmp(t->text, define, t->len)) {
			macro_define(pp, at);
			return true;
		}
		return expand(pp, t, at);
	case STRING:
		fill_holes(top(pp)->env, t);
		return false;
	case TEMPLATE:
		fill_template(pp, t, at);
		return pp->wrong;
	}
	return false;
}

struct lexeme preproc_next(struct preproc *pp)
{
	pp->wrong = false;
	for (;;) {
		pop_finished(pp);

		struct frame *f = top(pp);
		struct token t = frame_next(f);
		struct loc at = place(f, &t);

		if (!t.kind) {
			if (pp->conditions.n)
				unclosed_condition(pp, pp->conditions.v[0].loc);
			pp->conditions.n = 0;
			return to_lexeme(&t, at);
		}
		if (!directive(pp, &t, at))
			return to_lexeme(&t, at);
		if (pp->wrong) {
			pp->wrong = false;
			return (struct lexeme){ .kind = JUNK, .loc = at, .raw = "" };
		}
	}
}

struct preproc *preproc_open(struct session *s, const struct source *src)
{
	struct preproc *pp = arena_new(struct preproc);
	const struct token_list *list = lex_all(src);

	pp->session = s;
	vec_push(&pp->frames, ((struct frame){ .run = { src, list->v, list->n - 1 } }));
	return pp;
}
