// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats of prints.  A printf's format is checked against the number of arguments
 * before types are inferred, because it determines some of them.  The formats of
 * other prints are generated afterwards.
 */
#include <ctype.h>
#include <string.h>

#include "base/arena.h"
#include "text/format.h"
#include "sema.h"

/* Returns a '%' that is neither doubled nor begins a directive, or NULL. */
static const char *stray_percent(const struct st_directive *d)
{
	for (unsigned i = 0; i < d->text_len; i++) {
		if (d->text[i] != '%')
			continue;
		if (i + 1 == d->text_len || d->text[i + 1] != '%')
			return d->text + i;
		i++;
	}
	return NULL;
}

/* Does a function of the call return a value?  A script's own C may, without saying so. */
static bool may_return_value(const struct expr *call)
{
	bool found = !call->func;

	for (struct function *f = call->func; f; f = f->next_overload)
		found |= returns_value(f) || (!f->body && !f->loc.src->tapset);
	return found;
}

static void refuse(const struct expr *e, const char *type, int *failed)
{
	++*failed;
	diag_at(DIAG_SEMANTIC_ERROR, e->loc, "can't print a %s value: %s", type, describe_expr(e));
}

static void check_printf(struct expr **slot, void *arg)
{
	int *failed = arg;
	struct expr *e = *slot;
	struct st_directive d;
	size_t need = 0;

	if (e->kind != E_PRINT || e->print->kind != PRINT_PRINTF)
		return;
	for (const char *fmt = e->print->format; st_format_next(&fmt, &d);) {
		const char *stray = stray_percent(&d);

		if (stray) {
			++*failed;
			diag_at(DIAG_SEMANTIC_ERROR, e->print->format_loc, isalpha(stray[1])
				? "unknown conversion '%.2s' in the format"
				: "a lone '%.1s' in the format", stray);
			diag_hint("conversions are d i u o x X c p b s m M; %%%% is a percent sign");
			return;
		}
		need += st_directive_args(&d);
	}
	for (size_t i = 0; i < e->print->args.n; i++)
		if (e->print->args.v[i]->kind == E_CALL && !may_return_value(e->print->args.v[i]))
			refuse(e->print->args.v[i], "void", failed);
	if (need == e->print->args.n)
		return;
	++*failed;
	diag_at(DIAG_SEMANTIC_ERROR, e->print->format_loc,
		"%s arguments for the format: it takes %zu, %zu given",
		need > e->print->args.n ? "not enough" : "too many", need, e->print->args.n);
}

static void print_directives(struct sbuf *out, struct print *p)
{
	for (size_t i = 0; i < p->args.n; i++) {
		if (i && (p->kind == PRINT_PRINTD || p->kind == PRINT_PRINTDLN))
			sbuf_format_escape(out, p->format);
		sbuf_puts(out, p->args.v[i]->type == T_STRING ? "%s" : "%d");
	}
	if (p->kind == PRINT_PRINTLN || p->kind == PRINT_PRINTDLN)
		sbuf_putc(out, '\n');
}

/*
 * Generates the format of any print except a histogram's.  The runtime's format.c
 * handles special cases such as %p of 0.
 */
static void finish_print(struct expr **slot, void *arg)
{
	int *failed = arg;
	struct expr *e = *slot;
	struct sbuf text = { 0 };

	if (e->kind != E_PRINT)
		return;
	struct print *p = e->print;

	if (p->kind == PRINT_PRINTF) {
		p->canonical = p->format;
		return;
	}
	for (size_t i = 0; i < p->args.n; i++) {
		struct expr *a = p->args.v[i];

		if (a->kind == E_HIST && p->args.n == 1)
			continue;
		if (a->type == T_STATS || a->type == T_VOID)
			refuse(a, type_text(a->type), failed);
	}
	print_directives(&text, p);
	p->canonical = intern(sbuf_str(&text));
	sbuf_free(&text);
}

int check_formats(struct program *prog)
{
	int failed = 0;

	walk_exprs(prog, check_printf, &failed);
	return failed;
}

int finish_formats(struct program *prog)
{
	int failed = 0;

	walk_exprs(prog, finish_print, &failed);
	return failed;
}
