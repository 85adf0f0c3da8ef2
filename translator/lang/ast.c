// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes, walks and copies nodes of the tree. */
#include "ast.h"

#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"

const char *op_text(enum op op)
{
	static const char *const texts[] = {
		[OP_NONE] = "", [OP_ADD] = "+", [OP_SUB] = "-", [OP_MUL] = "*",
		[OP_DIV] = "/", [OP_MOD] = "%", [OP_SHL] = "<<", [OP_SHR] = ">>",
		[OP_AND] = "&", [OP_OR] = "|", [OP_XOR] = "^", [OP_LAND] = "&&",
		[OP_LOR] = "||", [OP_EQ] = "==", [OP_NE] = "!=", [OP_LT] = "<",
		[OP_GT] = ">", [OP_LE] = "<=", [OP_GE] = ">=", [OP_CONCAT] = ".",
		[OP_STAT] = "<<<", [OP_MATCH] = "=~", [OP_NOMATCH] = "!~",
		[UOP_NEG] = "-", [UOP_PLUS] = "+", [UOP_NOT] = "!", [UOP_COMPL] = "~",
	};

	return texts[op];
}

/* ---- making ------------------------------------------------------------------ */

struct expr *expr_new(enum expr_kind kind, struct loc loc)
{
	struct expr *e = arena_new(struct expr);

	e->kind = kind;
	e->loc = loc;
	e->depth = 1;
	return e;
}

struct expr *expr_num(int64_t n, struct loc loc)
{
	struct expr *e = expr_new(E_NUM, loc);

	e->num = n;
	e->type = T_LONG;
	return e;
}

struct expr *expr_str(const char *s, struct loc loc)
{
	struct expr *e = expr_new(E_STR, loc);

	e->str = s;
	e->type = T_STRING;
	return e;
}

struct stmt *stmt_new(enum stmt_kind kind, struct loc loc)
{
	struct stmt *s = arena_new(struct stmt);

	s->kind = kind;
	s->loc = loc;
	s->depth = 1;
	return s;
}

/* ---- walking ------------------------------------------------------------------- */

typedef void visit_expr(struct expr **, void *);

static void visit(struct expr **slot, visit_expr *fn, void *arg)
{
	if (*slot)
		fn(slot, arg);
}

static void visit_all(struct expr **v, size_t n, visit_expr *fn, void *arg)
{
	for (size_t i = 0; i < n; i++)
		visit(&v[i], fn, arg);
}

void expr_children(struct expr *e, visit_expr *fn, void *arg)
{
	visit_all(e->args.v, e->args.n, fn, arg);
	visit(&e->a, fn, arg);
	visit(&e->b, fn, arg);
	visit(&e->c, fn, arg);
	if (e->kind == E_PRINT) {
		visit_all(e->print->args.v, e->print->args.n, fn, arg);
	} else if (e->kind == E_TARGET) {
		visit(&e->target->value, fn, arg);
		for (size_t i = 0; i < e->target->path.n; i++)
			visit(&e->target->path.v[i].index, fn, arg);
	}
}

static void foreach_children(struct foreach *f, visit_expr *fn, void *arg)
{
	visit(&f->hist, fn, arg);
	visit_all(f->slice.v, f->slice.n, fn, arg);
	visit(&f->limit, fn, arg);
	visit_all(f->keys.v, f->keys.n, fn, arg);
	visit(&f->value, fn, arg);
}

void stmt_children(struct stmt *s, visit_expr *on_expr,
		   void (*on_stmt)(struct stmt **, void *), void *arg)
{
	visit(&s->init, on_expr, arg);
	visit(&s->expr, on_expr, arg);
	visit(&s->step, on_expr, arg);
	if (s->foreach)
		foreach_children(s->foreach, on_expr, arg);
	for (size_t i = 0; i < s->body.n; i++)
		on_stmt(&s->body.v[i], arg);
	if (s->then)
		on_stmt(&s->then, arg);
	if (s->els)
		on_stmt(&s->els, arg);
}

/* ---- copying -------------------------------------------------------------------- */

/* Copies an arena object; its pointers are shared. */
static void *duplicate(const void *p, size_t size)
{
	void *copy = arena_alloc(size);

	memcpy(copy, p, size);
	return copy;
}

#define OWN_ELEMENTS(list) do {						\
	if ((list)->n)							\
		(list)->v = duplicate((list)->v, (list)->n * sizeof(*(list)->v)); \
	(list)->room = (list)->n;					\
} while (0)

static void copy_slot(struct expr **slot, void *arg)
{
	(void)arg;
	*slot = expr_copy(*slot);
}

struct expr *expr_copy(const struct expr *from)
{
	if (!from)
		return NULL;

	struct expr *e = duplicate(from, sizeof(*from));

	OWN_ELEMENTS(&e->args);
	if (e->kind == E_PRINT) {
		e->print = duplicate(e->print, sizeof(*e->print));
		OWN_ELEMENTS(&e->print->args);
	} else if (e->kind == E_TARGET) {
		e->target = duplicate(e->target, sizeof(*e->target));
		OWN_ELEMENTS(&e->target->path);
	}
	expr_children(e, copy_slot, NULL);
	return e;
}

static void copy_stmt_slot(struct stmt **slot, void *arg)
{
	(void)arg;
	*slot = stmt_copy(*slot);
}

struct stmt *stmt_copy(const struct stmt *from)
{
	if (!from)
		return NULL;

	struct stmt *s = duplicate(from, sizeof(*from));

	OWN_ELEMENTS(&s->body);
	if (s->foreach) {
		s->foreach = duplicate(s->foreach, sizeof(*s->foreach));
		OWN_ELEMENTS(&s->foreach->keys);
		OWN_ELEMENTS(&s->foreach->slice);
	}
	stmt_children(s, copy_slot, copy_stmt_slot, NULL);
	return s;
}

/* ---- probe points ------------------------------------------------------------------ */

const char *probe_point_text(const struct probe_point *p)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < p->parts.n; i++) {
		const struct point_part *part = &p->parts.v[i];

		sbuf_printf(&b, "%s%s", i ? "." : "", part->name);
		if (!part->has_arg)
			continue;
		sbuf_putc(&b, '(');
		if (part->arg && part->arg->kind == E_STR) {
			sbuf_putc(&b, '"');
			sbuf_c_escape(&b, part->arg->str);
			sbuf_putc(&b, '"');
		} else if (part->arg) {
			sbuf_printf(&b, "%lld", (long long)part->arg->num);
		}
		sbuf_putc(&b, ')');
	}
	return sbuf_take(&b);
}

/* ---- questions --------------------------------------------------------- */

const char *target_name(const struct target_var *tv)
{
	switch (tv->kind) {
	case TV_CAST:
		return "operator '@cast'";
	case TV_VAR:
		return "operator '@var'";
	case TV_ENUM:
		return "operator '@enum'";
	case TV_ENUMNAME:
		return "operator '@enumname'";
	case TV_AUTO:
		return "operator '->'";
	default:
		return arena_printf("identifier '%s'", tv->name);
	}
}

bool safe_divisor(const struct expr *e)
{
	return e->kind == E_NUM && e->num != 0;
}
