// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Target variables: $name, @var, @cast, @entry, @defined.
 *
 * They are resolved for each place, before names and types, because whether a
 * variable exists, and what it is, differs from place to place. @defined then
 * decides which parts of the handler exist: it becomes 0 or 1, the branch it
 * rules out is removed, and only in the rest is a missing variable an error.
 * For
 *
 *	probe kernel.function("f") { if (@defined($x)) print($x) else print(0) }
 *
 * a place without $x gets the handler { print(0) }.
 *
 * In a return handler only $return and global variables have values.  All other
 * target variables, and @entry(…), are evaluated at the function's entry and
 * saved: they become E_ENTRY nodes with a saved slot.
 *
 * A function that uses them is copied for each probe that calls it
 * (context_calls.c), and its copy resolved with the probe's body.
 */
#include <limits.h>
#include <string.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "lang/lang.h"
#include "probes/family.h"
#include "probes/program_path.h"
#include "probes/variables.h"
#include "sema.h"

/* A function copied for the probe.  Calls inside @entry get a copy of their own. */
struct copied {
	const struct function *of;
	bool at_entry;
	struct function *copy;
};

struct fixer {
	struct session *s;
	struct probe *p;		/* NULL in a function's body */
	vec(struct copied) copies;
	struct sbuf *print;		/* text that tells handlers apart, or NULL */
	bool at_entry;			/* in @entry or in an entry value */
	bool defined;			/* in @defined */
	int failed;
};

static void fix_expr(struct fixer *f, struct expr **slot);
static void fix_stmt(struct fixer *f, struct stmt **slot);

const char *own_module(const struct probe *p)
{
	const char *m = p && p->sites.n ? p->sites.v[0].module : NULL;

	return m && *m ? m : NULL;
}

/*
 * Returns the module or program in which a target variable is looked up: the one it names,
 * as a path or a pattern of paths, or else the probe's.
 */
static const char *searched_module(const struct fixer *f, const struct target_var *tv)
{
	if (!tv->module)
		return own_module(f->p);
	return strchr(tv->module, '/') ? program_find_first(f->s, tv->module) : tv->module;
}

/* Resolves @var and @cast, which need no place; the probe's module is searched first. */
static int global_access(struct fixer *f, struct target_var *tv, struct access *acc)
{
	const char *module = searched_module(f, tv);
	struct fetch got;
	struct step *steps;
	size_t n;
	int rc;

	if (tv->kind == TV_CAST)
		vec_push(&acc->indexes, tv->value);
	n = target_steps(tv, acc, &steps);
	if (tv->kind == TV_CAST)
		rc = target_cast(f->s->target, tv->name, module, steps, n, tv->address, &got,
				 &acc->why_not);
	else
		rc = target_global(f->s->target, tv->name, module, steps, n, tv->address, &got,
				   &acc->why_not);
	if (rc == 0)
		access_set_fetch(acc, got);
	return rc;
}

static int enum_name_access(struct fixer *f, struct target_var *tv, struct access *acc)
{
	struct fetch got;

	if (target_enum_name(f->s->target, tv->name, searched_module(f, tv), &got,
			     &acc->why_not) < 0)
		return -1;
	vec_push(&acc->indexes, tv->value);
	access_set_fetch(acc, got);
	return 0;
}

static int find_access(struct fixer *f, struct expr *e)
{
	struct target_var *tv = e->target;
	struct access *acc = e->access;

	if (tv->kind == TV_ENUMNAME)
		return enum_name_access(f, tv, acc);
	if (tv->kind != TV_DOLLAR)
		return global_access(f, tv, acc);
	if (!f->p) {
		acc->why_not.text = "no target variables in a probe's condition";
		return -1;
	}
	if (!f->p->family->variable) {
		acc->why_not.text = arena_printf("no target variables in a %s probe", f->p->family->name);
		return -1;
	}
	return f->p->family->variable(f->s, f->p, tv, acc);
}

/* ---- entry values ------------------------------------------------------ */

static bool in_return(const struct fixer *f)
{
	return f->p && probe_is_return(f->p);
}

/* Saves VALUE at entry: the node becomes an E_ENTRY with a slot of its own. */
static void save_at_entry(struct fixer *f, struct expr **slot, struct expr *value)
{
	struct expr *e = expr_new(E_ENTRY, value->loc);
	struct saved *saved = arena_new(struct saved);

	saved->expr = value;
	saved->probe = f->p;
	saved->index = f->p->saved.n;
	vec_push(&f->p->saved, saved);
	e->a = value;
	e->saved = saved;
	*slot = e;
}

static bool is_return_value(const struct target_var *tv)
{
	return tv->kind == TV_DOLLAR &&
	       (!strcmp(tv->name, "$return") || !strcmp(tv->name, "$$return"));
}

/* ---- expressions ------------------------------------------------------- */

static void fix_children(struct expr **slot, void *arg)
{
	if (*slot)
		fix_expr(arg, slot);
}

static void say_missing(const struct probe *p, const struct expr *e)
{
	const struct problem *why = &e->access->why_not;

	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "%s: %s",
		why->text ? why->text : "not available", target_name(e->target));
	if (why->hint)
		diag_hint("%s", why->hint);
	if (p && p->decl && p->sites.n)
		diag_also(p->point->loc, "at probe point %s", p->sites.v[0].pp);
}

static void report_missing(struct fixer *f, struct expr *e)
{
	f->failed = -1;
	say_missing(f->p, e);
}

/*
 * Postpones the error about a variable that doesn't exist, because dead code may read it:
 * report_unresolved() reports it if it is still read after dead code is removed.  With -u,
 * which keeps dead code, the error comes now.
 */
static void leave_missing(struct fixer *f, struct expr *e, bool written)
{
	if (written || f->defined || f->s->options.unoptimized) {
		report_missing(f, e);
		return;
	}
	e->access->probe = f->p;
	if (f->print)
		sbuf_printf(f->print, "!%s\n", target_name(e->target));
}

/*
 * In a return probe, does the variable mean its value at the function's entry?
 * With --compatible below 4.1, @var does too.
 */
static bool of_entry(const struct fixer *f, const struct expr *e)
{
	const struct target_var *tv = e->target;

	if (e->access && e->access->fetch.of_return)
		return false;
	if (tv->kind == TV_VAR)
		return session_older_than(f->s, "4.1");
	return tv->kind == TV_DOLLAR && !is_return_value(tv);
}

static void become_enumerator(struct fixer *f, struct expr **slot, int64_t value)
{
	*slot = expr_num(value, (*slot)->loc);
	if (f->print)
		sbuf_printf(f->print, "=%lld\n", (long long)value);
}

/* Replaces @enum("NAME") by its number. */
static void fix_enum(struct fixer *f, struct expr **slot)
{
	struct expr *e = *slot;
	const char *module = searched_module(f, e->target);
	int64_t value;

	e->access = arena_new(struct access);
	if (target_enum(f->s->target, e->target->name, module, &value, &e->access->why_not) < 0)
		leave_missing(f, e, false);
	else
		become_enumerator(f, slot, value);
}

/* Replaces $NAME by an enumerator's value if there is an enumerator of that name. */
static bool fix_dollar_enum(struct fixer *f, struct expr **slot)
{
	const struct target_var *tv = (*slot)->target;
	struct problem why = { 0 };
	int64_t value;

	if (tv->kind != TV_DOLLAR || tv->path.n || tv->address || tv->name[1] == '$' || !f->p ||
	    !f->p->family->variable || is_return_value(tv) ||
	    target_enum(f->s->target, tv->name + 1, own_module(f->p), &value, &why) < 0)
		return false;
	become_enumerator(f, slot, value);
	return true;
}

/*
 * Turns @var("name") into $name if the place has a variable of that name.  At a
 * function's return it does so only for values at the entry.
 */
static void look_for_local(struct fixer *f, const struct expr *e)
{
	struct target_var *tv = e->target;
	struct target_var local = *tv;
	struct access acc = { .defined = false };

	if (tv->kind != TV_VAR || tv->module || strchr(tv->name, '@') || !f->p ||
	    !f->p->family->variable || (in_return(f) && !f->at_entry && !of_entry(f, e)))
		return;
	local.kind = TV_DOLLAR;
	local.name = intern(arena_printf("$%s", tv->name));
	if (f->p->family->variable(f->s, f->p, &local, &acc) == 0)
		*tv = local;
}

static void put_key(struct sbuf *print, const struct fetch *f)
{
	term_key(print, f->load);
	term_key(print, f->store);
	sbuf_puts(print, f->ctype ? ctype_key(f->ctype) : "");
	sbuf_putc(print, '\n');
}

static void no_return_value(struct fixer *f, struct expr *e, bool written)
{
	e->access->why_not.text = "there is a return value only in a .return probe";
	leave_missing(f, e, written);
}

static void fix_target(struct fixer *f, struct expr **slot, bool written)
{
	struct expr *e = *slot;

	expr_children(e, fix_children, f);
	look_for_local(f, e);
	if (needs_ctype(e->target))
		return;			/* resolved by ctypes.c when its value's type is known */
	if (e->target->kind == TV_ENUM) {
		fix_enum(f, slot);
		return;
	}
	e->access = arena_new(struct access);
	if (is_return_value(e->target) && (!in_return(f) || f->at_entry) &&
	    !(f->p && f->p->family->has_return)) {
		no_return_value(f, e, written);
		return;
	}
	if (find_access(f, e) < 0) {
		if (!written && fix_dollar_enum(f, slot))
			return;
		if (f->s->options.skip_badvars && !written && !f->defined)
			*slot = expr_num(0, e->loc);
		else
			leave_missing(f, e, written);
		return;
	}
	if (e->access->fetch.of_return && f->at_entry) {
		no_return_value(f, e, written);
		return;
	}
	if (e->access->unreadable && !written && !f->defined) {
		e->access->why_not.text = "it can only be set and appended to in this probe";
		report_missing(f, e);
		return;
	}
	e->type = e->access->type;
	if (f->print)
		put_key(f->print, &e->access->fetch);
	if (!of_entry(f, e) || !in_return(f) || f->at_entry ||
	    term_is_constant(e->access->fetch.load))
		return;
	if (written) {
		f->failed = -1;
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"only $return can be written in a .return probe: %s",
			target_name(e->target));
		return;
	}
	diag_at(DIAG_WARNING, e->loc, "confusing usage, value is captured as @entry(%s) in .return "
		"probe [man stapprobes] RETURN PROBES: %s", expr_text(e), target_name(e->target));
	save_at_entry(f, slot, e);
}

int check_target_write(const struct session *s, const struct expr *e)
{
	if (!s->options.guru && !e->library && !(e->access && e->access->unguarded)) {
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"write to target variable not permitted; need stap -g: %s",
			target_name(e->target));
		return -1;
	}
	if (e->access && !e->access->fetch.store) {
		diag_at(DIAG_SEMANTIC_ERROR, e->loc,
			"this target variable can't be written: %s", target_name(e->target));
		return -1;
	}
	return 0;
}

static void fix_written(struct fixer *f, struct expr **slot)
{
	struct expr *e = *slot;

	if (e->kind != E_TARGET || e->access) {
		fix_expr(f, slot);
		return;
	}
	fix_target(f, slot, true);
	if (!f->failed)
		f->failed = check_target_write(f->s, e);
}

static void find_auto(struct expr **slot, void *found)
{
	*(bool *)found |= (*slot)->kind == E_TARGET && needs_ctype((*slot)->target);
}

/*
 * Replaces @defined by 0 or 1, unless its operand goes through the C type of a
 * script value, which ctypes.c finds.
 */
static void fix_defined(struct fixer *f, struct expr **slot)
{
	struct fixer quiet = *f;
	struct expr *operand = expr_copy((*slot)->a);
	size_t saved = f->p ? f->p->saved.n : 0;
	bool open = false;

	walk_expr(&operand, find_auto, &open);
	quiet.failed = 0;
	quiet.defined = true;
	quiet.print = open ? f->print : NULL;
	diag_quiet_begin();
	fix_expr(&quiet, &operand);
	diag_quiet_end();
	if (open && !quiet.failed) {
		(*slot)->a = operand;
		return;
	}
	if (f->p)
		f->p->saved.n = saved;
	*slot = expr_num(!quiet.failed, (*slot)->loc);
	if (f->print)
		sbuf_printf(f->print, "?%d\n", !quiet.failed);
}

static void say_no_entry(const struct expr *e)
{
	diag_at(DIAG_SEMANTIC_ERROR, e->loc,
		"@entry() is only for .return probes: operator '@entry'");
}

static void report_no_entry(struct fixer *f, const struct expr *e)
{
	f->failed = -1;
	say_no_entry(e);
}

static void fix_entry(struct fixer *f, struct expr **slot)
{
	struct expr *e = *slot;

	if (!in_return(f)) {
		if (f->defined || f->s->options.unoptimized)
			report_no_entry(f, e);
		return;			/* else by report_unresolved() */
	}
	bool outer = f->at_entry;

	f->at_entry = true;
	fix_expr(f, &e->a);
	f->at_entry = outer;
	if (!outer)
		save_at_entry(f, slot, e->a);
	else
		*slot = e->a;
}

/* Folds &&, || and ?: whose condition is a literal. */
static void fix_logic(struct fixer *f, struct expr **slot)
{
	struct expr *e = *slot;

	fix_expr(f, &e->a);
	if (e->kind == E_TERNARY && e->a->kind == E_NUM) {
		*slot = e->a->num ? e->b : e->c;
		fix_expr(f, slot);
		return;
	}
	if (e->a->kind == E_NUM && e->op == OP_LAND && !e->a->num) {
		*slot = expr_num(0, e->loc);
		return;
	}
	if (e->a->kind == E_NUM && e->op == OP_LOR && e->a->num) {
		*slot = expr_num(1, e->loc);
		return;
	}
	fix_expr(f, &e->b);
	if (e->kind == E_TERNARY)
		fix_expr(f, &e->c);
}

/* ---- operators that take literal numbers ------------------------------------- */

static void check_register(struct fixer *f, const struct expr *e)
{
	const struct arch *arch = arch_find(f->s->kernel->arch);

	if (arch && e->a->kind == E_NUM && e->a->num >= 0 && e->a->num <= INT_MAX &&
	    arch->dwarf_reg(e->a->num) >= 0)
		return;
	f->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, e->a->loc, e->a->kind == E_NUM
		? "expected the DWARF number of a saved register: operator '%s'"
		: "a register is named by a literal number: operator '%s'",
		e->user ? "@uregister" : "@kregister");
}

static void check_size(struct fixer *f, const struct expr *e)
{
	int64_t n = e->a->num;

	if (e->a->kind != E_NUM || n == 1 || n == 2 || n == 4 || n == 8)
		return;
	f->failed = -1;
	diag_at(DIAG_SEMANTIC_ERROR, e->a->loc, "%lld is not a size of 1, 2, 4 or 8 bytes: "
		"operator '%s'", (long long)n, e->user ? "@uderef" : "@kderef");
}

/* ---- calls of functions that use the probe's variables ------------------------ */

static struct function *copy_for_probe(struct fixer *f, struct function *of)
{
	struct function *copy;

	for (size_t i = 0; i < f->copies.n; i++)
		if (f->copies.v[i].of == of && f->copies.v[i].at_entry == f->at_entry)
			return f->copies.v[i].copy;
	of->copied = true;
	copy = copy_function(of);
	vec_push(&f->copies, ((struct copied){ of, f->at_entry, copy }));
	if (copy->body)
		fix_stmt(f, &copy->body);
	return copy;
}

static void fix_call(struct fixer *f, struct expr *e)
{
	struct function **link = &e->func;
	bool other_arity;

	expr_children(e, fix_children, f);
	if (e->func || !f->p || f->defined || !needs_copies(f->s, f->p, e))
		return;
	for (struct function *of = find_functions(f->s, e, &other_arity); of;
	     of = of->next_overload) {
		*link = copy_for_probe(f, of);
		link = &(*link)->next_overload;
	}
	*link = NULL;
}

static void fix_expr(struct fixer *f, struct expr **slot)
{
	struct expr *e = *slot;

	switch (e->kind) {
	case E_CALL:
		fix_call(f, e);
		break;
	case E_DEFINED:
		fix_defined(f, slot);
		break;
	case E_ENTRY:
		if (!e->saved)
			fix_entry(f, slot);
		break;
	case E_TARGET:
		if (!e->access)
			fix_target(f, slot, false);
		break;
	case E_TERNARY:
		fix_logic(f, slot);
		break;
	case E_BINARY:
		if (e->op == OP_LAND || e->op == OP_LOR)
			fix_logic(f, slot);
		else
			expr_children(e, fix_children, f);
		break;
	case E_UNARY:
		expr_children(e, fix_children, f);
		if (e->op == UOP_NOT && e->a->kind == E_NUM)
			*slot = expr_num(!e->a->num, e->loc);
		break;
	case E_ASSIGN:
		fix_expr(f, &e->b);
		fix_written(f, &e->a);
		break;
	case E_INCDEC:
		fix_written(f, &e->a);
		break;
	case E_REGISTER:
		check_register(f, e);
		break;
	case E_DEREF:
		check_size(f, e);
		expr_children(e, fix_children, f);
		break;
	default:
		expr_children(e, fix_children, f);
	}
}

/* ---- statements -------------------------------------------------------- */

static void fix_child_stmt(struct stmt **slot, void *arg)
{
	if (*slot)
		fix_stmt(arg, slot);
}

static void fix_stmt(struct fixer *f, struct stmt **slot)
{
	struct stmt *s = *slot;

	if (s->kind != S_IF) {
		stmt_children(s, fix_children, fix_child_stmt, f);
		return;
	}
	fix_expr(f, &s->expr);
	if (s->expr->kind == E_NUM) {
		struct stmt *kept = s->expr->num ? s->then : s->els;

		*slot = kept ? kept : stmt_new(S_EMPTY, s->loc);
		fix_stmt(f, slot);
		return;
	}
	fix_stmt(f, &s->then);
	if (s->els)
		fix_stmt(f, &s->els);
}

int resolve_targets(struct session *s, struct probe *p, struct sbuf *print)
{
	struct fixer f = { .s = s, .p = p, .print = print };

	fix_stmt(&f, &p->body);
	return f.failed;
}

int resolve_function_targets(struct session *s, struct function *fn)
{
	struct fixer f = { .s = s };

	fix_stmt(&f, &fn->body);
	return f.failed;
}

/* ---- what is missing ----------------------------------------------------------- */

enum { MOST_REPORTED = 20 };

/* Expressions already reported; an entry value is met twice, in the handler and at entry. */
typedef vec(const struct expr *) reported_list;

static bool is_unresolved(const struct expr *e)
{
	return (e->kind == E_ENTRY && !e->saved) ||
	       (e->kind == E_TARGET && e->access && !e->access->defined);
}

static void report_one(struct expr **slot, void *arg)
{
	const struct expr *e = *slot;
	reported_list *reported = arg;

	if (!is_unresolved(e) || reported->n >= MOST_REPORTED)
		return;
	for (size_t i = 0; i < reported->n; i++)
		if (reported->v[i] == e)
			return;
	vec_push(reported, e);
	if (e->kind == E_ENTRY)
		say_no_entry(e);
	else
		say_missing(e->access->probe, e);
}

int report_unresolved(struct program *prog)
{
	reported_list reported = { 0 };

	walk_exprs(prog, report_one, &reported);
	return reported.n ? -1 : 0;
}

struct target_search {
	struct session *s;
	const struct probe *p;
	bool found;
};

static void find_target(struct expr **slot, void *arg)
{
	const struct expr *e = *slot;
	struct target_search *q = arg;

	if (e->kind == E_TARGET || e->kind == E_DEFINED || e->kind == E_ENTRY ||
	    e->kind == E_REGISTER || e->kind == E_DEREF)
		q->found = true;
	else if (e->kind == E_CALL && !q->found)
		q->found = needs_copies(q->s, q->p, e);
}

bool has_targets(struct session *s, const struct probe *p, const struct stmt *body)
{
	struct target_search q = { s, p, false };

	walk_stmt((struct stmt *)body, find_target, &q);
	return q.found;
}
