// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --dump-probe-types, --dump-probe-aliases, --dump-functions: list what scripts can
 * use.  Each function's types are inferred from its own body.  Names that begin
 * with '_' are private to the library and left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lang/lang.h"
#include "probes/family.h"
#include "sema/sema.h"
#include "cli/passes.h"
#include "session.h"

typedef vec(const char *) lines;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_sorted(lines *l, FILE *out)
{
	if (l->n)
		qsort(l->v, l->n, sizeof(*l->v), by_text);
	for (size_t i = 0; i < l->n; i++)
		if (!i || strcmp(l->v[i], l->v[i - 1]))
			fprintf(out, "%s\n", l->v[i]);
}

/* Spells out a pattern: "kernel.function(s)" becomes "kernel.function(string)". */
static const char *spelled(const char *pattern)
{
	struct sbuf b = { 0 };

	for (; *pattern; pattern++) {
		if (!strncmp(pattern, "(s)", 3))
			sbuf_puts(&b, "(string)"), pattern += 2;
		else if (!strncmp(pattern, "(n)", 3))
			sbuf_puts(&b, "(number)"), pattern += 2;
		else
			sbuf_putc(&b, *pattern);
	}
	return sbuf_take(&b);
}

void dump_probe_types(FILE *out)
{
	lines l = { 0 };

	for (const struct probe_family *const *f = probe_families; *f; f++)
		for (const struct probe_pattern *p = (*f)->patterns; p->pattern; p++)
			if (p->doc)
				vec_push(&l, spelled(p->pattern));
	print_sorted(&l, out);
}

/*
 * Loads every library file that defines a name of KIND.  Returns 0, or -1 after
 * errors.
 */
static int load_all(struct session *s, enum lib_kind kind)
{
	size_t n;
	const char *const *names = library_names(s, kind, &n);

	for (size_t i = 0; i < n; i++)
		library_load(s, kind, names[i]);
	return diag_errors ? -1 : 0;
}

static const char *alias_line(const struct probe_decl *a)
{
	struct sbuf b = { 0 };

	sbuf_printf(&b, "%s %s", probe_point_text(a->alias), a->epilogue ? "+=" : "=");
	for (size_t i = 0; i < a->points.n; i++) {
		const struct probe_point *p = a->points.v[i];

		sbuf_printf(&b, "%s %s%s", i ? "," : "", probe_point_text(p),
			    p->sufficient ? "!" : p->optional ? "?" : "");
	}
	return sbuf_take(&b);
}

int dump_probe_aliases(struct session *s, FILE *out)
{
	lines l = { 0 };

	if (load_all(s, LIB_ALIAS) < 0)
		return -1;
	for (size_t i = 0; i < s->library_files.n; i++) {
		const struct file *f = s->library_files.v[i];

		for (size_t j = 0; j < f->aliases.n; j++)
			if (*f->aliases.v[j]->alias->parts.v[0].name != '_')
				vec_push(&l, alias_line(f->aliases.v[j]));
	}
	print_sorted(&l, out);
	return 0;
}

/*
 * Infers the types of F alone.  Errors are silenced: what can't be resolved has
 * no type.
 */
static void infer_alone(struct session *s, struct function *f)
{
	struct program prog = { .globals = { 0 } };

	if (f->used)
		return;			/* inferred already, as another function's callee */
	f->used = true;
	vec_push(&prog.functions, f);
	diag_quiet_begin();
	if (resolve_functions(s, &prog) == 0)
		infer_types(s, &prog);
	diag_quiet_end();
}

static const char *function_line(const struct function *f)
{
	struct sbuf b = { 0 };

	sbuf_printf(&b, "%s:%s (", f->name, f->type == T_VOID ? "unknown" : type_text(f->type));
	for (size_t i = 0; i < f->params.n; i++)
		sbuf_printf(&b, "%s%s:%s", i ? ", " : "", f->params.v[i]->name,
			    type_text(f->params.v[i]->type));
	sbuf_putc(&b, ')');
	sbuf_puts(&b, f->builtin ? " /* builtin */" : " /* library */");
	if (function_is(f, FN_UNPRIVILEGED))
		sbuf_puts(&b, " /* unprivileged */");
	else if (function_is(f, FN_MYPROC_UNPRIVILEGED))
		sbuf_puts(&b, " /* myproc-unprivileged */");
	if (function_is(f, FN_GURU))
		sbuf_puts(&b, " /* guru */");
	return sbuf_take(&b);
}

int dump_functions(struct session *s, FILE *out)
{
	lines l = { 0 };

	if (load_all(s, LIB_FUNCTION) < 0)
		return -1;
	s->target = target_open(s);
	/* Resolving a function may load more files, so library_files grows. */
	for (size_t i = 0; i < s->library_files.n; i++) {
		const struct file *f = s->library_files.v[i];

		for (size_t j = 0; j < f->functions.n; j++) {
			infer_alone(s, f->functions.v[j]);
			if (*f->functions.v[j]->name != '_' && !f->functions.v[j]->is_private)
				vec_push(&l, function_line(f->functions.v[j]));
		}
	}
	print_sorted(&l, out);
	return 0;
}
