// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Dead code removal.
 *
 * - Unreachable statements: those behind a next, return, break or continue; and
 *   where a literal decides, the branch a condition rules out and the body of a
 *   loop whose condition is 0.
 * - Statements without effect (effects.c), and the parts of a statement's
 *   expression that only make an unused value.  A loop stays even if it is
 *   empty, because it may exceed the statement limit.
 * - Assignments to locals that nothing needs.  A local is needed if it is read
 *   for something other than the value of an unneeded local: "n = n + 1" alone
 *   doesn't need n.  So reads in assigned values are edges of a graph, all
 *   other reads are its roots, and locals that the roots don't reach are
 *   removed.  A value with effects stays as a statement.
 *
 * One removal allows others.  So a body is cleaned repeatedly until nothing
 * changes, and a function before its callers.
 */
#include "base/arena.h"
#include "program/uses.h"
#include "sema.h"

/* Passes over a body.  More are rarely needed, and dead code that stays does no harm. */
enum { MOST_ROUNDS = 8 };

/* A read of 'from' in a value assigned to 'to'. */
struct edge {
	struct variable *to, *from;
};

struct cleaner {
	struct variable *target;	/* the variable that new edges lead to; if NULL, reads
					   are roots */
	vec(struct edge) edges;
	vec(struct variable *) locals;	/* the body's locals and parameters */
	bool changed;
	bool literals;			/* literals in conditions decide */
	bool warn;			/* about code in the user's files */
	bool in_probe;			/* in a handler, not a function */
	bool *seen;			/* by function index: it is cleaned */
};

static bool is_local(const struct expr *e)
{
	return e->kind == E_SYMBOL && e->var && !e->var->is_global;
}

/* ---- warnings ---------------------------------------------------------------- */

static bool wonders(const struct cleaner *c, struct loc at)
{
	return c->warn && at.src && !at.src->library;
}

static void say_useless(const struct cleaner *c, const struct expr *e)
{
	if (wonders(c, e->loc))
		diag_at(DIAG_WARNING, e->loc, "Eliding side-effect-free expression : %s",
			describe_expr(e));
}

static void say_unneeded(const struct cleaner *c, const struct expr *e)
{
	if (wonders(c, e->loc))
		diag_at(DIAG_WARNING, e->loc, "Eliding assignment to '%s': %s", e->a->name,
			describe_expr(e));
}

/*
 * May E fail without counting as an effect?  In a tapset alias, because an unused variable there
 * must not end the session.
 */
static bool may_fail_unseen(const struct cleaner *c, const struct expr *e)
{
	return c->in_probe && e->loc.src && e->loc.src->library;
}

/* Does evaluating E matter? */
static bool matters(const struct cleaner *c, struct expr *e)
{
	return may_fail_unseen(c, e) ? has_lasting_effect(e) : has_effect(e);
}

/* ---- locals that are needed -------------------------------------------------- */

static void note_read(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct cleaner *c = arg;

	(void)e;
	if (!(how & USE_READ) || v->is_global)
		return;
	if (c->target)
		vec_push(&c->edges, ((struct edge){ c->target, v }));
	else
		v->used = true;
}

/* Can the expression be removed if its target is not needed? */
static bool only_assigns(const struct expr *e)
{
	return (e->kind == E_ASSIGN || e->kind == E_INCDEC) && is_local(e->a) &&
	       !assignment_may_fail(e);
}

/* Collects reads in an expression whose value is unused. */
static void note_void(struct expr **slot, void *arg)
{
	struct cleaner *c = arg;
	struct expr *e = *slot;

	if (!e)
		return;
	if (!only_assigns(e)) {
		if (e->kind == E_ASSIGN && is_local(e->a))
			e->a->var->used = true;		/* y %= z may fail, so it stays */
		find_void_uses(e, note_read, c);
		return;
	}
	if (e->b && !matters(c, e->b))
		c->target = e->a->var;
	find_expr_uses(e->b, note_read, c);
	c->target = NULL;
}

static void skip_expr(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void note_stmt(struct stmt **slot, void *arg)
{
	struct cleaner *c = arg;
	struct stmt *s = *slot;

	if (!s)
		return;
	if (s->kind == S_EXPR) {
		note_void(&s->expr, c);
	} else if (s->kind == S_LOOP) {
		note_void(&s->init, c);
		find_expr_uses(s->expr, note_read, c);
		note_void(&s->step, c);
	} else {
		find_own_uses(s, note_read, c);
	}
	stmt_children(s, skip_expr, note_stmt, c);
}

/* Marks variables that needed variables are computed from. */
static void spread_need(struct cleaner *c)
{
	bool more;

	do {
		more = false;
		for (size_t i = c->edges.n; i-- > 0;) {
			const struct edge *e = &c->edges.v[i];

			if (e->to->used && !e->from->used)
				e->from->used = more = true;
		}
	} while (more);
}

/* Marks the locals that are needed; embedded C may read any parameter of its function. */
static void find_needed(struct cleaner *c, struct stmt **body)
{
	bool embedded = has_embedded_c(*body);

	for (size_t i = 0; i < c->locals.n; i++)
		c->locals.v[i]->used = embedded && c->locals.v[i]->is_param;
	c->edges.n = 0;
	note_stmt(body, c);
	spread_need(c);
}

/* ---- removing ---------------------------------------------------------- */

static bool is_empty(const struct stmt *s)
{
	return !s || s->kind == S_EMPTY || (s->kind == S_BLOCK && !s->body.n);
}

static void replace(struct cleaner *c, struct stmt **slot, struct stmt *with)
{
	*slot = with ? with : stmt_new(S_EMPTY, (*slot)->loc);
	c->changed = true;
}

static struct stmt *expr_stmt(struct expr *e)
{
	struct stmt *s = stmt_new(S_EXPR, e->loc);

	s->expr = e;
	return s;
}

/* Reduces an expression whose value is unused to its effects.  Returns NULL if it has none. */
static struct expr *clean_void(struct cleaner *c, struct expr *e)
{
	if (e && only_assigns(e) && !e->a->var->used) {
		say_unneeded(c, e);
		c->changed = true;
		return e->b && matters(c, e->b) ? e->b : NULL;
	}
	if (!e || matters(c, e))
		return e;
	say_useless(c, e);
	c->changed = true;
	return NULL;
}

/* if (e) {} else s becomes if (!e) s. */
static void negate(struct stmt *s)
{
	struct expr *not = expr_new(E_UNARY, s->expr->loc);

	not->op = UOP_NOT;
	not->type = T_LONG;
	not->a = s->expr;
	s->expr = not;
	s->then = s->els;
	s->els = NULL;
}

/* ---- statements whose value nobody takes ------------------------------------- */

struct effects {
	struct cleaner *c;
	struct stmt *block;		/* the parts that have effects, in order */
};

static void collect_effects(struct expr **slot, void *arg);

static struct stmt *effects_of(struct cleaner *c, struct expr *e)
{
	struct effects left = { c, stmt_new(S_BLOCK, e->loc) };

	collect_effects(&e, &left);
	return left.block;
}

/* Turns "a && b" into "if (a) b", "a || b" into "if (!a) b", "a ? b : c" into "if (a) b else c". */
static struct stmt *as_branch(struct cleaner *c, const struct expr *e)
{
	struct stmt *s = stmt_new(S_IF, e->loc);

	s->expr = e->a;
	s->then = effects_of(c, e->b);
	if (e->kind == E_TERNARY) {
		s->els = effects_of(c, e->c);
	} else if (e->op == OP_LOR) {
		s->els = s->then;
		negate(s);
	}
	return s;
}

static bool chooses(const struct expr *e)
{
	return e->kind == E_TERNARY ||
	       (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
}

/*
 * Collects the parts of an expression that have effects.  Example: from f(a[0] = 4, a[0]),
 * where f has none, it collects a[0] = 4.
 */
static void collect_effects(struct expr **slot, void *arg)
{
	struct effects *left = arg;
	struct expr *e = *slot;

	if (!e || !matters(left->c, e))
		return;
	if (acts_itself(e, may_fail_unseen(left->c, e)))
		vec_push(&left->block->body, expr_stmt(e));
	else if (chooses(e))
		vec_push(&left->block->body, as_branch(left->c, e));
	else
		expr_children(e, collect_effects, left);
}

static void clean_expr_stmt(struct cleaner *c, struct stmt **slot)
{
	struct expr *left = clean_void(c, (*slot)->expr);

	if (!left)
		replace(c, slot, NULL);
	else if (acts_itself(left, may_fail_unseen(c, left)))
		(*slot)->expr = left;
	else
		replace(c, slot, effects_of(c, left));
}

/* Replaces "x = e" inside an expression by e if x is not needed. */
static void pass_value(struct expr **slot, void *arg)
{
	struct cleaner *c = arg;
	struct expr *e = *slot;

	if (e->kind == E_ASSIGN && !e->op && is_local(e->a) && !e->a->var->used) {
		*e = *e->b;
		c->changed = true;
	}
}

static void pass_values(struct expr **slot, void *arg)
{
	walk_expr(slot, pass_value, arg);
}

static void clean_if(struct cleaner *c, struct stmt **slot)
{
	struct stmt *s = *slot;

	if (c->literals && s->expr->kind == E_NUM) {
		replace(c, slot, s->expr->num ? s->then : s->els);
		return;
	}
	if (is_empty(s->els))
		s->els = NULL;
	if (!is_empty(s->then))
		return;
	c->changed = true;
	if (s->els)
		negate(s);
	else
		replace(c, slot, matters(c, s->expr) ? expr_stmt(s->expr) : NULL);
}

static void clean_loop(struct cleaner *c, struct stmt **slot)
{
	struct stmt *s = *slot;

	s->init = clean_void(c, s->init);
	s->step = clean_void(c, s->step);
	if (c->literals && s->expr && s->expr->kind == E_NUM && !s->expr->num)
		replace(c, slot, s->init ? expr_stmt(s->init) : NULL);
}

static void clean_try(struct cleaner *c, struct stmt **slot)
{
	struct stmt *s = *slot;

	if (is_empty(s->then)) {
		replace(c, slot, NULL);
	} else if (s->var && !s->var->is_global && !s->var->used) {
		s->var = NULL;
		s->name = NULL;
	}
}

/* Does control never continue behind the statement? */
static bool leaves(const struct stmt *s)
{
	switch (s->kind) {
	case S_RETURN: case S_NEXT: case S_BREAK: case S_CONTINUE:
		return true;
	case S_BLOCK:
		return s->body.n && leaves(s->body.v[s->body.n - 1]);
	case S_IF:
		return s->els && leaves(s->then) && leaves(s->els);
	default:
		return false;
	}
}

/* Removes empty and unreachable statements. */
static void drop_idle_stmts(struct cleaner *c, struct stmt *s)
{
	size_t kept = 0;
	bool left = false;

	for (size_t i = 0; i < s->body.n && !left; i++) {
		if (is_empty(s->body.v[i]))
			continue;
		left = leaves(s->body.v[i]);
		s->body.v[kept++] = s->body.v[i];
	}
	c->changed |= kept < s->body.n;
	s->body.n = kept;
}

/* Cleans a block and merges nested blocks into it, because blocks have no scope. */
static void clean_block(struct cleaner *c, struct stmt *s)
{
	struct stmt flat = { .kind = S_BLOCK };

	for (size_t i = 0; i < s->body.n; i++) {
		struct stmt *below = s->body.v[i];

		if (below->kind != S_BLOCK)
			vec_push(&flat.body, below);
		for (size_t j = 0; below->kind == S_BLOCK && j < below->body.n; j++)
			vec_push(&flat.body, below->body.v[j]);
	}
	s->body = flat.body;
	drop_idle_stmts(c, s);
}

static void skip_stmt(struct stmt **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void clean_stmt(struct stmt **slot, void *arg)
{
	struct cleaner *c = arg;
	struct stmt *s = *slot;

	if (!s)
		return;
	stmt_children(s, skip_expr, clean_stmt, c);
	switch (s->kind) {
	case S_BLOCK:
		clean_block(c, s);
		break;
	case S_EXPR:
		clean_expr_stmt(c, slot);
		break;
	case S_IF:
		clean_if(c, slot);
		break;
	case S_LOOP:
		clean_loop(c, slot);
		break;
	case S_TRY:
		clean_try(c, slot);
		break;
	case S_DELETE:
		if (is_local(s->expr) && !s->expr->var->used)
			replace(c, slot, NULL);
		break;
	default:
		break;
	}
	stmt_children(*slot, pass_values, skip_stmt, c);
}

/* ---- the program ------------------------------------------------------- */

static void begin_body(struct cleaner *c, struct variable *const *v, size_t n)
{
	c->locals.n = 0;
	for (size_t i = 0; i < n; i++)
		vec_push(&c->locals, v[i]);
}

static void clean_function(struct function *f, void *arg)
{
	struct cleaner *c = arg;
	int rounds = 0;

	if (!f->body || c->seen[f->index])
		return;
	c->seen[f->index] = true;
	find_calls(f->body, clean_function, c);
	begin_body(c, f->params.v, f->params.n);
	for (size_t i = 0; i < f->locals.n; i++)
		vec_push(&c->locals, f->locals.v[i]);
	do {
		c->changed = false;
		find_needed(c, &f->body);
		clean_stmt(&f->body, c);
	} while (c->changed && ++rounds < MOST_ROUNDS);
	if (is_empty(f->body) && wonders(c, f->loc))
		diag_at(DIAG_WARNING, f->loc, "side-effect-free function '%s': identifier '%s'",
			f->name, f->name);
}

static bool same_place(struct loc a, struct loc b)
{
	return a.src == b.src && a.line == b.line && a.col == b.col;
}

/*
 * Cleans a handler.  Its block contains its aliases' blocks and its own.  Only its own block gets
 * warnings, because another probe may use what an alias sets for this one in vain.
 */
static void clean_probe(struct cleaner *c, struct probe *p)
{
	bool warn = c->warn;
	int rounds = 0;

	c->in_probe = true;
	begin_body(c, p->locals.v, p->locals.n);
	do {
		c->changed = false;
		find_needed(c, &p->body);
		for (size_t i = 0; i < p->body->body.n; i++) {
			c->warn = warn && same_place(p->body->body.v[i]->loc, p->decl->body->loc);
			clean_stmt(&p->body->body.v[i], c);
		}
		drop_idle_stmts(c, p->body);
	} while (c->changed && ++rounds < MOST_ROUNDS);
	c->in_probe = false;
	c->warn = warn;
}

/* Can the probe be removed?  Not if it was written empty, because stap -t counts its hits. */
static bool is_idle(const struct probe *p)
{
	return is_empty(p->body) && !is_empty(p->decl->body) && !p->acts &&
	       !(p->condition && has_effect(p->condition));
}

static void drop_idle_probes(struct cleaner *c, struct program *prog)
{
	size_t kept = 0;

	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		if (!is_idle(p))
			prog->probes.v[kept++] = p;
		else if (wonders(c, p->loc))
			diag_at(DIAG_WARNING, p->loc, "Probe '%s' has been elided: keyword",
				p->sites.v[0].name);
	}
	prog->probes.n = kept;
}

void remove_dead(struct program *prog, bool literals, bool warn)
{
	struct cleaner c = {
		.literals = literals,
		.warn = warn,
		.seen = arena_alloc((prog->functions.n + 1) * sizeof(bool)),
	};

	for (size_t i = 0; i < prog->functions.n; i++) {
		prog->functions.v[i]->index = i;
		prog->functions.v[i]->effect[false] = EFFECT_UNKNOWN;
		prog->functions.v[i]->effect[true] = EFFECT_UNKNOWN;
	}
	for (size_t i = 0; i < prog->functions.n; i++)
		clean_function(prog->functions.v[i], &c);
	for (size_t i = 0; i < prog->probes.n; i++)
		clean_probe(&c, prog->probes.v[i]);
	drop_idle_probes(&c, prog);
}
