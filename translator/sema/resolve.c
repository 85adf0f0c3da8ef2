// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolves names to variables and functions.
 *
 * A name in a body is a parameter or local of that body; else a global that the
 * name's file can see: its own globals first, then public ones of the script
 * and of the tapset, which is loaded on demand; else a new local.  Alias blocks
 * come from other files: each name is looked up from the file it stands in, and
 * where the tapset's alias and the script's global share a name, the script's
 * block means the global.
 */
#include <string.h>

#include "base/arena.h"
#include "bpf/bpf.h"
#include "lang/lang.h"
#include "lang/mistakes.h"
#include "probes/family.h"
#include "sema.h"

struct body {
	struct session *s;
	struct program *prog;
	struct function *func;		/* NULL in a handler */
	struct probe *probe;
	const struct expr *alone;	/* the current statement's expression, whose value is
					   unused, if it is an expression statement */
	bool at_entry;			/* in a saved value of a return probe, before the handler */
	int failed;
};

/* ---- globals ----------------------------------------------------------- */

static struct variable *global_in(const struct file *f, const char *name,
				  const struct source *from)
{
	for (size_t i = 0; i < f->globals.n; i++) {
		struct variable *v = f->globals.v[i];

		if (v->name == name && (!v->is_private || f->src == from))
			return v;
	}
	return NULL;
}

static struct variable *script_global(struct session *s, const char *name,
				      const struct source *from)
{
	struct variable *v = NULL;

	for (size_t i = 0; !v && i < s->files.n; i++)
		v = global_in(s->files.v[i], name, from);
	return v;
}

/*
 * Tapset functions and alias blocks don't see the script's globals: a name there
 * means the tapset's own, or a variable of the function or handler.
 */
static struct variable *global_loaded(struct session *s, const char *name,
				      const struct source *from, bool from_tapset)
{
	const struct file *own = file_of(s, from);
	struct variable *v = own ? global_in(own, name, from) : NULL;

	if (!v && !from_tapset)
		v = script_global(s, name, from);
	for (size_t i = 0; !v && i < s->library_files.n; i++)
		v = global_in(s->library_files.v[i], name, from);
	return v;
}

static struct variable *global_for(struct session *s, const char *name,
				   const struct source *from, bool from_tapset)
{
	struct variable *v = global_loaded(s, name, from, from_tapset);

	if (!v && library_load(s, LIB_GLOBAL, name))
		v = global_loaded(s, name, from, from_tapset);
	return v;
}

struct variable *find_global(struct session *s, const char *name, const struct source *from)
{
	return global_for(s, name, from, false);
}

const char *near_globals(struct session *s, const char *name)
{
	vec(const char *) names = { 0 };

	for (size_t i = 0; i < s->files.n; i++)
		for (size_t j = 0; j < s->files.v[i]->globals.n; j++)
			vec_push(&names, s->files.v[i]->globals.v[j]->name);
	return diag_nearest(name, names.v, names.n, 3);
}

static void use_global(struct program *prog, struct variable *v)
{
	if (v->used)
		return;
	v->used = true;
	v->is_global = true;
	vec_push(&prog->globals, v);
}

/* ---- locals ------------------------------------------------------------ */

static struct variable *find_local(struct body *b, const char *name)
{
	if (b->func) {
		for (size_t i = 0; i < b->func->params.n; i++)
			if (b->func->params.v[i]->name == name)
				return b->func->params.v[i];
		for (size_t i = 0; i < b->func->locals.n; i++)
			if (b->func->locals.v[i]->name == name)
				return b->func->locals.v[i];
		return NULL;
	}
	for (size_t i = 0; i < b->probe->locals.n; i++)
		if (b->probe->locals.v[i]->name == name)
			return b->probe->locals.v[i];
	return NULL;
}

static struct variable *new_local(struct body *b, const char *name, struct loc loc)
{
	struct variable *v = arena_new(struct variable);

	v->name = name;
	v->loc = loc;
	v->func = b->func;
	v->used = true;
	if (b->func)
		vec_push(&b->func->locals, v);
	else
		vec_push(&b->probe->locals, v);
	return v;
}

/* Warns that a name means the script's global G, although the probe's alias sets a local V. */
static void warn_hidden(const struct variable *v, const struct variable *g, struct loc at)
{
	diag_at(DIAG_WARNING, at, "this is the script's global, and not the probe point's variable "
		"of that name: identifier '%s'", v->name);
	diag_also(g->loc, "the global");
	diag_hint("give the global another name to use both");
}

static struct variable *find_variable(struct body *b, const char *name, struct loc loc,
				      bool create)
{
	bool tapset = loc.src && loc.src->tapset;
	struct variable *v = find_local(b, name), *g;

	if (!v)
		g = global_for(b->s, name, loc.src, tapset);
	else if (!b->func && !tapset && v->loc.src && v->loc.src->tapset)
		g = script_global(b->s, name, loc.src);		/* V comes from the alias */
	else
		g = NULL;
	if (!g)
		return v || !create ? v : new_local(b, name, loc);
	if (v)
		warn_hidden(v, g, loc);
	use_global(b->prog, g);
	return g;
}

/* Refuses a size [N] or '%' on a scalar. */
static void check_scalar(struct body *b, const struct variable *v, struct loc loc)
{
	if (v->nkeys || (!v->maxsize && !v->wrap))
		return;
	b->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, loc, v->maxsize
		? "inconsistent arity: array used as a scalar: identifier '%s'"
		: "wrapping not supported for scalars: identifier '%s'", v->name);
	diag_also(v->loc, "declared here");
}

/* Checks that all uses of a variable have the same number of keys.  NKEYS -1 agrees with any. */
static void check_arity(struct body *b, struct variable *v, int nkeys, struct loc loc)
{
	if (nkeys > ST_MAX_KEYS) {
		b->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, loc, "%d keys, of at most %d: identifier '%s'", nkeys,
			ST_MAX_KEYS, v->name);
		diag_hint("put several values into one key: sprintf(\"%%d %%s\", a, b)");
	} else if (v->nkeys < 0) {
		v->nkeys = nkeys;
		v->type_loc = loc;
		check_scalar(b, v, loc);
		while ((int)v->key_types.n < nkeys)
			vec_push(&v->key_types, T_UNKNOWN);
		while ((int)v->key_locs.n < nkeys)
			vec_push(&v->key_locs, (struct loc){ NULL });
	} else if (v->nkeys != nkeys) {
		b->failed = -1;
		if (!v->nkeys)
			diag_at(DIAG_SEMANTIC_ERROR, loc,
				"inconsistent arity: scalar used as an array: identifier '%s'",
				v->name);
		else if (!nkeys)
			diag_at(DIAG_SEMANTIC_ERROR, loc,
				"inconsistent arity: array used as a scalar: identifier '%s'",
				v->name);
		else
			diag_at(DIAG_SEMANTIC_ERROR, loc,
				"inconsistent arity (%d vs %d keys): identifier '%s'",
				nkeys, v->nkeys, v->name);
		diag_also(v->type_loc.src ? v->type_loc : v->loc, "first used");
	}
}

static struct variable *find_array(struct body *b, const char *name, int nkeys, struct loc loc)
{
	struct variable *v = find_variable(b, name, loc, false);

	if (!v || !v->is_global) {
		const char *near = v ? NULL : near_globals(b->s, name);

		b->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, loc,
			"unresolved array, missing global declaration?: identifier '%s'", name);
		if (near)
			diag_hint("did you mean: %s", near);
		return NULL;
	}
	if (nkeys >= 0)
		check_arity(b, v, nkeys, loc);
	return v;
}

/* ---- functions --------------------------------------------------------- */

static void use_function(struct program *prog, struct function *f)
{
	if (f->used)
		return;
	f->used = true;
	vec_push(&prog->functions, f);
}

/* Returns a global named in a pragma of embedded C, or NULL after a message. */
static struct variable *pragma_global(struct body *b, const char *name, const char *what,
				      struct loc loc)
{
	struct variable *v = find_global(b->s, name, loc.src);

	if (v) {
		use_global(b->prog, v);
		v->in_embedded = true;
		return v;
	}
	b->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, loc, "unresolved pragma:%s global %s: embedded-code", what,
		name);

	const char *near = near_globals(b->s, name);

	if (near)
		diag_hint("did you mean: %s", near);
	return NULL;
}

static void resolve_pragmas(struct body *b, struct embedded *em)
{
	if (em->read_vars.n || em->write_vars.n)
		return;			/* copies of a function share the node */
	for (size_t i = 0; i < em->reads.n; i++) {
		struct variable *v = pragma_global(b, em->reads.v[i], "read", em->loc);

		if (v)
			vec_push(&em->read_vars, v);
	}
	for (size_t i = 0; i < em->writes.n; i++) {
		struct variable *v = pragma_global(b, em->writes.v[i], "write", em->loc);

		if (v)
			vec_push(&em->write_vars, v);
	}
}

/* The language's words that a parenthesis may follow, besides names of functions. */
static const char *const built_in[] = {
	"print", "printd", "printdln", "printf", "println", "sprint", "sprintd", "sprintdln", "sprintf",
	"sprintln", "catch", "for", "foreach", "if", "return", "while",
};

/* Would the call E be right with NAME: the same arguments, and a value if E's is used? */
static bool could_mean(struct body *b, const struct expr *e, const char *name)
{
	struct expr call = *e;
	bool other_arity;
	struct function *f;

	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
		if (!strcmp(name, built_in[i]))
			return b->alone == e || !strncmp(name, "sprint", 6);
	call.name = name;
	f = find_functions(b->s, &call, &other_arity);
	return f && (b->alone == e || returns_value(f));
}

/* Returns up to three of the names that E may be meant to call, or NULL. */
static const char *near_functions(struct body *b, const struct expr *e, const char **names, size_t n)
{
	enum { SHOWN = 3, TRIED = 12 };
	struct sbuf text = { 0 };
	unsigned shown = 0;

	for (unsigned i = 0; i < TRIED && shown < SHOWN; i++) {
		const char *near = diag_nearest(e->name, names, n, 1);

		if (!near)
			break;
		if (could_mean(b, e, intern(near)))
			sbuf_printf(&text, "%s%s", shown++ ? ", " : "", near);
		for (size_t j = 0; j < n; j++)	/* diag_nearest() never offers the name itself */
			if (!strcmp(names[j], near))
				names[j] = e->name;
	}
	return shown ? sbuf_take(&text) : NULL;
}

static void report_unresolved_function(struct body *b, struct expr *e, bool other_arity)
{
	size_t n;
	const char *const *library = library_names(b->s, LIB_FUNCTION, &n);
	vec(const char *) names = { 0 };

	b->failed = -1;
	if (other_arity) {
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"no function '%s' takes %zu argument%s: identifier '%s'", e->name,
			e->args.n, e->args.n == 1 ? "" : "s", e->name);
		return;
	}
	diag_at(DIAG_SEMANTIC_ERROR, e->loc,
		"unresolved function '%s': identifier '%s'", e->name, e->name);
	for (size_t i = 0; i < b->s->files.n; i++)
		for (size_t j = 0; j < b->s->files.v[i]->functions.n; j++)
			vec_push(&names, b->s->files.v[i]->functions.v[j]->name);
	for (size_t i = 0; i < n; i++)
		vec_push(&names, library[i]);
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
		vec_push(&names, built_in[i]);
	const char *other = mistake_of_function(e->name);
	const char *near = other ? NULL : near_functions(b, e, names.v, names.n);

	if (other)
		diag_hint("%s", other);
	else if (near)
		diag_hint("did you mean: %s", near);
}

/* Refuses calls of FN_GURU functions, except from the library or with -g. */
static void check_guru(struct body *b, const struct expr *e)
{
	if (b->s->options.guru || e->library)
		return;
	for (const struct function *f = e->func; f; f = f->next_overload)
		if (function_is(f, FN_GURU)) {
			b->failed = -1;
			diag_at(DIAG_SEMANTIC_ERROR, e->loc, "function may not be used unless -g "
				"is specified: identifier '%s'", e->name);
			return;
		}
}

/* Does a process run the handler, whatever the engine? */
static bool is_in_process(const struct probe *p)
{
	struct ir_place place = { .event = IR_KERNELS };

	if (p->family->place && p->sites.n && p->sites.v[0].attach == ST_NO_CODE)
		p->family->place(p, &p->sites.v[0], &place);
	return place.event != IR_KERNELS;
}

/*
 * Has the engine a function?  Where BPF and a process share the work, a function of the script's may be called by
 * either, and what the library calls may be left out, as a variable of an alias that the script does not read: what
 * is left is looked at when the programs are made.
 */
static bool engine_has(const struct body *b, const struct function *f, bool library)
{
	bool bpf = bpf_has_builtin(f->name, f->params.n), process = builtin_is_in(f->builtin, b->s->engine);

	if (b->s->engine != ENGINE_BPF)
		return process;
	if (library)
		return true;
	return !b->probe ? bpf || process : is_in_process(b->probe) ? process : bpf;
}

static void check_engine(struct body *b, const struct expr *e)
{
	static const char *const engines[] = {
		[ENGINE_MODULE] = "a kernel module", [ENGINE_USER] = "the interpreter in user space",
		[ENGINE_BPF] = "BPF",
	};

	for (const struct function *f = e->func; f; f = f->next_overload)
		if (f->builtin && !engine_has(b, f, e->library)) {
			b->failed = -1;
			diag_at(DIAG_SEMANTIC_ERROR, e->loc, "%s has no builtin '%s'",
				engines[b->s->engine], e->name);
			if (b->s->engine == ENGINE_BPF)
				diag_hint("a kernel module has it: --runtime=kernel");
			return;
		}
}

/* Warns once that no call gets past F to LATER. */
static void warn_unreached(const struct function *f, struct function *later)
{
	if (later->unreached)
		return;
	later->unreached = true;
	diag_at(DIAG_WARNING, later->loc, "this overload is never reached: identifier '%s'",
		later->name);
	diag_also(f->loc, "this one comes first, and has no 'next'");
}

static void resolve_call(struct body *b, struct expr *e)
{
	bool other_arity = false;

	if (!e->func)			/* it may have been copied for this probe */
		e->func = find_functions(b->s, e, &other_arity);
	if (!e->func) {
		report_unresolved_function(b, e, other_arity);
		return;
	}
	check_guru(b, e);
	check_engine(b, e);
	for (struct function *f = e->func; f; f = f->next_overload) {
		use_function(b->prog, f);
		if (f->next_overload && !f->nexts)
			warn_unreached(f, f->next_overload);
	}
}

/* ---- scalars used through their C types -------------------------------------- */

static struct variable *find_scalar(struct body *b, const char *name, struct loc loc)
{
	struct variable *v = find_variable(b, name, loc, false);

	return v && (!v->is_global || !v->nkeys) ? v : NULL;
}

/* Turns E into a path of one component that starts at the variable. */
static void follow_scalar(struct expr *e, const char *name, struct variable *v,
			  struct component c)
{
	struct expr *value = expr_new(E_SYMBOL, e->loc);

	value->name = name;
	value->var = v;
	e->kind = E_TARGET;
	e->args.n = 0;
	e->target = arena_new(struct target_var);
	e->target->kind = TV_AUTO;
	e->target->value = value;
	vec_push(&e->target->path, c);
}

/*
 * Resolves 'f$' as f pretty-printed, if there is a variable f and nothing assigns to
 * 'f$'.  Otherwise 'f$' is an ordinary name, and false is returned.
 */
static bool resolve_pretty(struct body *b, struct expr *e)
{
	size_t len = strlen(e->name), stem = len;
	struct variable *v;
	const char *name;

	while (stem > 1 && e->name[stem - 1] == '$')
		stem--;
	if (stem == len || len - stem > 2 || find_variable(b, e->name, e->loc, false))
		return false;
	name = intern_n(e->name, stem);
	v = find_scalar(b, name, e->loc);
	if (!v || block_writes(b->func ? b->func->body : b->probe->body, e->name))
		return false;
	follow_scalar(e, name, v, (struct component){ C_PRETTY, intern(e->name + stem), NULL,
						      e->loc });
	return true;
}

/* ---- bodies ------------------------------------------------------------ */

static void resolve_symbol(struct body *b, struct expr *e)
{
	struct variable *v;

	if (resolve_pretty(b, e))
		return;
	v = find_variable(b, e->name, e->loc, !b->at_entry);
	if (!v) {
		b->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"a local variable of a return handler has no value at the function's "
			"entry, where this is evaluated: identifier '%s'", e->name);
		return;
	}
	e->var = v;
	check_arity(b, v, 0, e->loc);
}

/* Resolves 'f[2]' through f's C type if f is a scalar, else as an array's element. */
static void resolve_index(struct body *b, struct expr *e)
{
	struct variable *v = e->args.n == 1 ? find_scalar(b, e->name, e->loc) : NULL;

	if (v)
		follow_scalar(e, e->name, v, (struct component){ C_INDEX, NULL, e->args.v[0],
								 e->loc });
	else
		e->var = find_array(b, e->name, e->args.n, e->loc);
}

static void resolve_expr(struct expr **slot, void *arg)
{
	struct body *b = arg;
	struct expr *e = *slot;

	switch (e->kind) {
	case E_SYMBOL:
		if (!e->var)
			resolve_symbol(b, e);
		break;
	case E_INDEX:
		if (!e->var)
			resolve_index(b, e);
		break;
	case E_IN:
		if (!e->var)
			e->var = find_array(b, e->name, e->args.n, e->loc);
		break;
	case E_CALL:
		resolve_call(b, e);
		break;
	case E_EMBEDDED:
		resolve_pragmas(b, e->embedded);
		break;
	case E_PROBEWRITE:
		e->var = find_variable(b, e->name, e->loc, false);
		break;
	default:
		break;
	}
}

/* Leaves the number of keys open, because 'delete a' may mean an array or a scalar. */
static void resolve_delete(struct body *b, struct stmt *s)
{
	struct expr *e = s->expr;

	if (e->kind == E_INDEX)		/* a scalar has no elements to delete, so an array */
		e->var = find_array(b, e->name, e->args.n, e->loc);
	if (e->kind != E_SYMBOL)
		return;
	e->var = find_variable(b, e->name, e->loc, false);
	if (!e->var)
		e->var = new_local(b, e->name, e->loc);
}

static void resolve_foreach(struct body *b, struct stmt *s)
{
	struct foreach *f = s->foreach;

	if (f->hist)
		return;
	if (!f->var)		/* in generated text it is already bound */
		f->var = find_array(b, f->array, f->keys.n, f->array_loc);
	if (f->slice.n && f->slice.n != f->keys.n) {
		b->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, f->array_loc,
			"the slice has %zu keys, the array %zu: identifier '%s'",
			f->slice.n, f->keys.n, f->array);
	}
	if (f->sort_by > (int)f->keys.n) {
		b->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, f->array_loc, "no such key to sort by");
	}
}

/* Resolves names in the statement itself, before the names in its expressions. */
static void resolve_stmt(struct stmt **slot, void *arg);

static void resolve_stmt_exprs(struct expr **slot, void *arg)
{
	if (*slot)
		walk_expr(slot, resolve_expr, arg);
}

static void resolve_stmt(struct stmt **slot, void *arg)
{
	struct body *b = arg;
	struct stmt *s = *slot;

	if (!s)
		return;
	if (s->kind == S_DELETE)
		resolve_delete(b, s);
	else if (s->kind == S_FOREACH)
		resolve_foreach(b, s);
	else if (s->kind == S_TRY && s->name)
		s->var = find_variable(b, s->name, s->loc, true);
	else if (s->kind == S_EMBEDDED)
		resolve_pragmas(b, s->embedded);
	b->alone = s->kind == S_EXPR ? s->expr : NULL;
	stmt_children(s, resolve_stmt_exprs, resolve_stmt, b);
}

int resolve_probe(struct session *s, struct program *prog, struct probe *p)
{
	struct body b = { .s = s, .prog = prog, .probe = p, .at_entry = true };

	/* First, because saved values share nodes with the handler, which may create locals. */
	for (size_t i = 0; i < p->saved.n; i++)
		walk_expr(&p->saved.v[i]->expr, resolve_expr, &b);
	b.at_entry = false;
	resolve_stmt(&p->body, &b);
	if (p->condition)
		walk_expr(&p->condition, resolve_expr, &b);
	return b.failed;
}

int resolve_functions(struct session *s, struct program *prog)
{
	struct body b = { .s = s, .prog = prog };

	/* The list grows while it is walked. */
	for (size_t i = 0; i < prog->functions.n; i++) {
		b.func = prog->functions.v[i];
		if (b.func->embedded)
			resolve_pragmas(&b, b.func->embedded);
		else if (b.func->builtin)
			continue;
		else if (resolve_function_targets(s, b.func) < 0)
			b.failed = -1;
		else
			resolve_stmt(&b.func->body, &b);
	}
	return b.failed;
}
