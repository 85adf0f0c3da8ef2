// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a tree as a script that parses to the same tree.
 *
 * Parentheses appear where precedence needs them, a space where two operators
 * would run together, and ';' after each statement that could continue into the
 * next.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "lang.h"

/* How tightly an expression binds: named after the nonterminals of grammar.y. */
enum level {
	ASSIGN, COND, LOR, LAND, BOR, BXOR, BAND, MEMBER, RELATION, SHIFT,
	CONCAT, SUM, PRODUCT, UNARY, CREMENT, VALUE, PRIMARY,
};

static enum level op_level(enum op op)
{
	switch (op) {
	case OP_LOR:
		return LOR;
	case OP_LAND:
		return LAND;
	case OP_OR:
		return BOR;
	case OP_XOR:
		return BXOR;
	case OP_AND:
		return BAND;
	case OP_EQ: case OP_NE: case OP_LT: case OP_GT: case OP_LE: case OP_GE:
		return RELATION;
	case OP_SHL: case OP_SHR:
		return SHIFT;
	case OP_CONCAT:
		return CONCAT;
	case OP_ADD: case OP_SUB:
		return SUM;
	default:
		return PRODUCT;
	}
}

static enum level expr_level(const struct expr *e)
{
	switch (e->kind) {
	case E_ASSIGN:
		return ASSIGN;
	case E_TERNARY:
		return COND;
	case E_BINARY:
		return op_level(e->op);
	case E_IN:
		return MEMBER;
	case E_REGEX:
		return RELATION;
	case E_UNARY:
		return UNARY;
	case E_INCDEC:
	case E_EMBEDDED:
		return CREMENT;
	case E_TARGET:
		return VALUE;
	default:
		return PRIMARY;
	}
}

static void put(struct sbuf *b, const struct expr *e, enum level at_least);

static void put_string(struct sbuf *b, const char *s)
{
	sbuf_putc(b, '"');
	sbuf_c_escape(b, s);
	sbuf_putc(b, '"');
}

/* Prints a number where the grammar takes a signed literal. */
static void put_signed(struct sbuf *b, int64_t n)
{
	sbuf_printf(b, "%lld", (long long)n);
}

static void put_literal(struct sbuf *b, const struct expr *e)
{
	if (e->kind == E_STR)
		put_string(b, e->str);
	else
		put_signed(b, e->num);
}

/* Prints a list; NULL is '*'. */
static void put_list(struct sbuf *b, struct expr *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sbuf_puts(b, i ? ", " : "");
		if (v[i])
			put(b, v[i], ASSIGN);
		else
			sbuf_putc(b, '*');
	}
}

/* Prints a prefix operator, and a space if the operand begins with an operator too. */
static void put_prefix(struct sbuf *b, const char *op, const struct expr *a, enum level level)
{
	struct sbuf operand = { 0 };

	put(&operand, a, level);

	char c = sbuf_str(&operand)[0];

	sbuf_puts(b, op);
	if (strchr("-+!~&=", c))
		sbuf_putc(b, ' ');
	sbuf_puts(b, sbuf_str(&operand));
	sbuf_free(&operand);
}

static void put_binary(struct sbuf *b, const struct expr *e)
{
	enum level level = expr_level(e);

	put(b, e->a, level);
	sbuf_printf(b, " %s ", op_text(e->op));
	put(b, e->b, level + 1);
}

static void put_path(struct sbuf *b, const struct target_var *t)
{
	for (size_t i = 0; i < t->path.n; i++) {
		const struct component *c = &t->path.v[i];

		switch (c->kind) {
		case C_FIELD:
			sbuf_printf(b, "->%s", c->name);
			break;
		case C_INDEX:
			sbuf_putc(b, '[');
			put(b, c->index, ASSIGN);
			sbuf_putc(b, ']');
			break;
		case C_PRETTY:
			sbuf_puts(b, c->name);
			break;
		}
	}
}

static void put_module(struct sbuf *b, const char *module)
{
	if (module) {
		sbuf_puts(b, ", ");
		put_string(b, module);
	}
	sbuf_putc(b, ')');
}

/*
 * Prints the value a path begins at.  "(x)[1]" follows a pointer; without
 * parentheses it would be an element of the array x, and "x$" would be a name.
 */
static void put_followed(struct sbuf *b, const struct target_var *t)
{
	bool parens = t->value->kind == E_SYMBOL && t->path.n && t->path.v[0].kind != C_FIELD;

	sbuf_puts(b, parens ? "(" : "");
	put(b, t->value, PRIMARY);
	sbuf_puts(b, parens ? ")" : "");
}

static void put_target(struct sbuf *b, const struct target_var *t)
{
	if (t->address)
		sbuf_putc(b, '&');
	switch (t->kind) {
	case TV_DOLLAR:
		sbuf_puts(b, t->name);
		break;
	case TV_VAR:
		sbuf_puts(b, "@var(");
		put_string(b, t->name);
		put_module(b, t->module);
		break;
	case TV_CAST:
		sbuf_puts(b, "@cast(");
		put(b, t->value, ASSIGN);
		sbuf_puts(b, ", ");
		put_string(b, t->name);
		put_module(b, t->module);
		break;
	case TV_ENUM:
		sbuf_puts(b, "@enum(");
		put_string(b, t->name);
		put_module(b, t->module);
		break;
	case TV_ENUMNAME:
		sbuf_puts(b, "@enumname(");
		put(b, t->value, ASSIGN);
		if (t->name) {
			sbuf_puts(b, ", ");
			put_string(b, t->name);
		}
		put_module(b, t->module);
		break;
	case TV_AUTO:
		put_followed(b, t);
		break;
	}
	put_path(b, t);
}

static void put_print(struct sbuf *b, const struct print *p)
{
	static const char *const names[] = {
		[PRINT_PRINT] = "print", [PRINT_PRINTLN] = "println",
		[PRINT_PRINTD] = "printd", [PRINT_PRINTDLN] = "printdln",
		[PRINT_PRINTF] = "printf",
	};

	sbuf_printf(b, "%s%s(", p->to_string ? "s" : "", names[p->kind]);
	if (p->format) {
		put_string(b, p->format);
		sbuf_puts(b, p->args.n ? ", " : "");
	}
	put_list(b, p->args.v, p->args.n);
	sbuf_putc(b, ')');
}

static const char *stat_text(enum stat_op op)
{
	static const char *const texts[] = {
		[STAT_COUNT] = "@count", [STAT_SUM] = "@sum", [STAT_MIN] = "@min",
		[STAT_MAX] = "@max", [STAT_AVG] = "@avg", [STAT_VARIANCE] = "@variance",
		[STAT_HIST_LOG] = "@hist_log", [STAT_HIST_LINEAR] = "@hist_linear",
		[STAT_NONE] = "",
	};

	return texts[op];
}

static void put_stat(struct sbuf *b, const struct expr *e)
{
	sbuf_printf(b, "%s(", stat_text(e->stat));
	put(b, e->a, ASSIGN);
	for (unsigned i = 0; i < e->nparams; i++) {
		sbuf_puts(b, ", ");
		put_signed(b, e->params[i]);
	}
	sbuf_putc(b, ')');
}

static void put_incdec(struct sbuf *b, const struct expr *e)
{
	const char *op = e->delta > 0 ? "++" : "--";

	if (e->prefix) {
		put_prefix(b, op, e->a, VALUE);
	} else {
		put(b, e->a, VALUE);
		sbuf_puts(b, op);
	}
}

/* Prints @name(a) or @name(a, b). */
static void put_operator(struct sbuf *b, const char *name, const struct expr *e)
{
	sbuf_printf(b, "%s(", name);
	put(b, e->a, ASSIGN);
	if (e->b) {
		sbuf_puts(b, ", ");
		put(b, e->b, ASSIGN);
	}
	sbuf_putc(b, ')');
}

static void put_named(struct sbuf *b, const struct expr *e, const char *open, const char *close)
{
	sbuf_printf(b, "%s%s", e->name, open);
	put_list(b, e->args.v, e->args.n);
	sbuf_puts(b, close);
}

static void put_quoted(struct sbuf *b, const char *name, const char *s)
{
	sbuf_printf(b, "%s(", name);
	put_string(b, s);
	sbuf_putc(b, ')');
}

static void put_ternary(struct sbuf *b, const struct expr *e)
{
	put(b, e->a, LOR);
	sbuf_puts(b, " ? ");
	put(b, e->b, ASSIGN);
	sbuf_puts(b, " : ");
	put(b, e->c, COND);
}

/* Prints @defined(…) and the other operators that begin with "@", and embedded C. */
static void put_special(struct sbuf *b, const struct expr *e)
{
	switch (e->kind) {
	case E_DEFINED:
		put_operator(b, "@defined", e);
		break;
	case E_ENTRY:
		put_operator(b, "@entry", e);
		break;
	case E_PERF:
		put_quoted(b, "@perf", e->str);
		break;
	case E_CONST:
		put_quoted(b, "@const", e->str);
		break;
	case E_PROBEWRITE:
		sbuf_printf(b, "@probewrite(%s)", e->name);
		break;
	case E_DEREF:
		put_operator(b, e->user ? "@uderef" : "@kderef", e);
		break;
	case E_REGISTER:
		put_operator(b, e->user ? "@uregister" : "@kregister", e);
		break;
	case E_EMBEDDED:
		sbuf_printf(b, "%%{%s%%}", e->embedded->code);
		break;
	default:
		break;
	}
}

static void put_bare(struct sbuf *b, const struct expr *e)
{
	switch (e->kind) {
	case E_NUM:
		sbuf_printf(b, e->num < 0 ? "0x%llx" : "%lld", (long long)e->num);
		break;
	case E_STR:
		put_string(b, e->str);
		break;
	case E_SYMBOL:
		sbuf_puts(b, e->name);
		break;
	case E_INDEX:
		put_named(b, e, "[", "]");
		break;
	case E_CALL:
		put_named(b, e, "(", ")");
		break;
	case E_TARGET:
		put_target(b, e->target);
		break;
	case E_UNARY:
		put_prefix(b, op_text(e->op), e->a, UNARY);
		break;
	case E_BINARY:
	case E_REGEX:
		put_binary(b, e);
		break;
	case E_TERNARY:
		put_ternary(b, e);
		break;
	case E_ASSIGN:
		put(b, e->a, COND);
		sbuf_printf(b, " %s%s ", op_text(e->op), e->op == OP_STAT ? "" : "=");
		put(b, e->b, ASSIGN);
		break;
	case E_INCDEC:
		put_incdec(b, e);
		break;
	case E_IN:
		sbuf_putc(b, '[');
		put_list(b, e->args.v, e->args.n);
		sbuf_printf(b, "] in %s", e->name);
		break;
	case E_PRINT:
		put_print(b, e->print);
		break;
	case E_STAT:
	case E_HIST:
		put_stat(b, e);
		break;
	case E_HIST_INDEX:
		put_stat(b, e->a);
		sbuf_putc(b, '[');
		put(b, e->b, ASSIGN);
		sbuf_putc(b, ']');
		break;
	default:
		put_special(b, e);
		break;
	}
}

static void put(struct sbuf *b, const struct expr *e, enum level at_least)
{
	bool parens = expr_level(e) < at_least;

	if (parens)
		sbuf_putc(b, '(');
	put_bare(b, e);
	if (parens)
		sbuf_putc(b, ')');
}

/* ---- statements --------------------------------------------------------------- */

static void put_stmt(struct sbuf *b, const struct stmt *s, int indent);

static void put_indent(struct sbuf *b, int indent)
{
	for (int i = 0; i < indent; i++)
		sbuf_putc(b, '\t');
}

static void put_sign(struct sbuf *b, const struct foreach *f)
{
	sbuf_putc(b, f->descending ? '-' : '+');
}

static void put_keys(struct sbuf *b, const struct foreach *f)
{
	sbuf_putc(b, '[');
	for (size_t i = 0; i < f->keys.n; i++) {
		sbuf_printf(b, "%s%s", i ? ", " : "", f->keys.v[i]->name);
		if (f->sort_by == (int)i + 1)
			put_sign(b, f);
	}
	sbuf_putc(b, ']');
}

static void put_foreach(struct sbuf *b, const struct foreach *f)
{
	if (f->value)
		sbuf_printf(b, "%s = ", f->value->name);
	put_keys(b, f);
	sbuf_puts(b, " in ");
	if (f->hist)
		put(b, f->hist, PRIMARY);
	else
		sbuf_puts(b, f->array);
	if (f->slice.n) {
		sbuf_putc(b, '[');
		put_list(b, f->slice.v, f->slice.n);
		sbuf_putc(b, ']');
	}
	if (f->sort_by < 0) {
		if (f->sort_stat != STAT_NONE)
			sbuf_printf(b, " %s ", stat_text(f->sort_stat));
		put_sign(b, f);
	}
	if (f->limit) {
		sbuf_puts(b, " limit ");
		put(b, f->limit, ASSIGN);
	}
}

/*
 * Prints a statement that depends on another: a block on the same line,
 * anything else deeper on its own.
 */
static void put_under(struct sbuf *b, const struct stmt *s, int indent)
{
	if (s->kind == S_BLOCK) {
		sbuf_putc(b, ' ');
		put_stmt(b, s, indent);
		return;
	}
	sbuf_putc(b, '\n');
	put_indent(b, indent + 1);
	put_stmt(b, s, indent + 1);
}

/* Would an else after this statement attach to an if inside it? */
static bool takes_else(const struct stmt *s)
{
	while (s) {
		if (s->kind == S_IF && !s->els)
			return true;
		if (s->kind == S_IF)
			s = s->els;
		else if (s->kind == S_LOOP || s->kind == S_FOREACH)
			s = s->then;
		else
			return false;
	}
	return false;
}

static void put_if(struct sbuf *b, const struct stmt *s, int indent)
{
	struct stmt guarded = { .kind = S_BLOCK };
	struct stmt *then = s->then;

	if (s->els && takes_else(then)) {
		guarded.body.v = &then;
		guarded.body.n = 1;
	}
	sbuf_puts(b, "if (");
	put(b, s->expr, ASSIGN);
	sbuf_putc(b, ')');
	put_under(b, guarded.body.n ? &guarded : then, indent);
	if (!s->els)
		return;
	if (then->kind == S_BLOCK || guarded.body.n) {
		sbuf_puts(b, " else");
	} else {
		sbuf_putc(b, '\n');
		put_indent(b, indent);
		sbuf_puts(b, "else");
	}
	if (s->els->kind == S_IF) {
		sbuf_putc(b, ' ');
		put_stmt(b, s->els, indent);
	} else {
		put_under(b, s->els, indent);
	}
}

static void put_loop(struct sbuf *b, const struct stmt *s, int indent)
{
	bool is_while = s->expr && !s->init && !s->step;

	sbuf_puts(b, is_while ? "while (" : "for (");
	if (s->init)
		put(b, s->init, ASSIGN);
	if (!is_while)
		sbuf_puts(b, "; ");
	if (s->expr)
		put(b, s->expr, ASSIGN);
	if (!is_while)
		sbuf_puts(b, "; ");
	if (s->step)
		put(b, s->step, ASSIGN);
	sbuf_putc(b, ')');
	put_under(b, s->then, indent);
}

static void put_block(struct sbuf *b, const struct stmt *s, int indent)
{
	sbuf_puts(b, "{\n");
	for (size_t i = 0; i < s->body.n; i++) {
		put_indent(b, indent + 1);
		put_stmt(b, s->body.v[i], indent + 1);
		sbuf_putc(b, '\n');
	}
	put_indent(b, indent);
	sbuf_putc(b, '}');
}

static void put_try(struct sbuf *b, const struct stmt *s, int indent)
{
	sbuf_puts(b, "try");
	put_under(b, s->then, indent);
	sbuf_puts(b, " catch");
	if (s->name)
		sbuf_printf(b, " (%s)", s->name);
	put_under(b, s->els, indent);
}

static void put_with_expr(struct sbuf *b, const char *word, const struct expr *e)
{
	sbuf_puts(b, word);
	if (e) {
		sbuf_puts(b, *word ? " " : "");
		put(b, e, ASSIGN);
	}
	sbuf_putc(b, ';');
}

static void put_stmt(struct sbuf *b, const struct stmt *s, int indent)
{
	switch (s->kind) {
	case S_BLOCK:
		put_block(b, s, indent);
		break;
	case S_EXPR:
		put_with_expr(b, "", s->expr);
		break;
	case S_IF:
		put_if(b, s, indent);
		break;
	case S_LOOP:
		put_loop(b, s, indent);
		break;
	case S_FOREACH:
		sbuf_puts(b, "foreach (");
		put_foreach(b, s->foreach);
		sbuf_putc(b, ')');
		put_under(b, s->then, indent);
		break;
	case S_RETURN:
		put_with_expr(b, "return", s->expr);
		break;
	case S_DELETE:
		put_with_expr(b, "delete", s->expr);
		break;
	case S_NEXT:
		sbuf_puts(b, "next;");
		break;
	case S_BREAK:
		sbuf_puts(b, "break;");
		break;
	case S_CONTINUE:
		sbuf_puts(b, "continue;");
		break;
	case S_EMPTY:
		sbuf_puts(b, ";");
		break;
	case S_TRY:
		put_try(b, s, indent);
		break;
	case S_EMBEDDED:
		sbuf_printf(b, "%%{%s%%};", s->embedded->code);
		break;
	}
}

/* ---- declarations ----------------------------------------------------------------- */

static void put_global(struct sbuf *b, const struct variable *v)
{
	sbuf_printf(b, "%sglobal %s%s", v->is_private ? "private " : "", v->name,
		    v->wrap ? "%" : "");
	if (v->maxsize)
		sbuf_printf(b, "[%lld]", (long long)v->maxsize);
	if (v->init) {
		sbuf_puts(b, " = ");
		put_literal(b, v->init);
	}
	sbuf_putc(b, '\n');
}

static const char *type_suffix(enum type type)
{
	return type == T_LONG ? ":long" : type == T_STRING ? ":string" : "";
}

static void put_function(struct sbuf *b, const struct function *f)
{
	sbuf_printf(b, "%sfunction %s%s(", f->is_private ? "private " : "", f->name,
		    type_suffix(f->type_declared ? f->type : T_UNKNOWN));
	for (size_t i = 0; i < f->params.n; i++)
		sbuf_printf(b, "%s%s%s", i ? ", " : "", f->params.v[i]->name,
			    type_suffix(f->params.v[i]->type));
	sbuf_putc(b, ')');
	if (f->priority != f->file->library)
		sbuf_printf(b, ":%lld", (long long)f->priority);
	sbuf_putc(b, ' ');
	if (f->builtin)
		sbuf_puts(b, "= builtin");
	else if (f->embedded)
		sbuf_printf(b, "%%{%s%%}", f->embedded->code);
	else
		put_stmt(b, f->body, 0);
	sbuf_putc(b, '\n');
}

static void put_point(struct sbuf *b, const struct probe_point *p)
{
	sbuf_puts(b, probe_point_text(p));
	if (p->sufficient)
		sbuf_putc(b, '!');
	else if (p->optional)
		sbuf_putc(b, '?');
	if (p->condition) {
		sbuf_puts(b, " if (");
		put(b, p->condition, ASSIGN);
		sbuf_putc(b, ')');
	}
}

static void put_probe(struct sbuf *b, const struct probe_decl *d)
{
	sbuf_puts(b, "probe ");
	if (d->alias) {
		put_point(b, d->alias);
		sbuf_puts(b, d->epilogue ? " += " : " = ");
	}
	for (size_t i = 0; i < d->points.n; i++) {
		sbuf_puts(b, i ? ",\n\t" : "");
		put_point(b, d->points.v[i]);
	}
	sbuf_putc(b, ' ');
	put_stmt(b, d->body, 0);
	if (d->epilogue_body) {
		sbuf_puts(b, ", ");
		put_stmt(b, d->epilogue_body, 0);
	}
	sbuf_putc(b, '\n');
}

/* Writes the text and frees it. */
static void write_out(FILE *out, struct sbuf *b)
{
	fwrite(sbuf_str(b), 1, b->len, out);
	sbuf_free(b);
}

const char *expr_text(const struct expr *e)
{
	struct sbuf b = { 0 };

	put(&b, e, ASSIGN);
	return sbuf_take(&b);
}

void print_expr(FILE *out, const struct expr *e)
{
	struct sbuf b = { 0 };

	put(&b, e, ASSIGN);
	write_out(out, &b);
}

void print_stmt(FILE *out, const struct stmt *s, int indent)
{
	struct sbuf b = { 0 };

	put_stmt(&b, s, indent);
	write_out(out, &b);
}

void print_file(FILE *out, const struct file *f)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < f->embeds.n; i++)
		sbuf_printf(&b, "%%{%s%%}\n", f->embeds.v[i]->code);
	for (size_t i = 0; i < f->globals.n; i++)
		put_global(&b, f->globals.v[i]);
	for (size_t i = 0; i < f->aliases.n; i++)
		put_probe(&b, f->aliases.v[i]);
	for (size_t i = 0; i < f->functions.n; i++)
		put_function(&b, f->functions.v[i]);
	for (size_t i = 0; i < f->probes.n; i++)
		put_probe(&b, f->probes.v[i]);
	write_out(out, &b);
}
