// SPDX-License-Identifier: GPL-2.0-or-later
/* -p2: prints the elaborated program as SystemTap does; -v adds bodies. */
#include "base/arena.h"
#include "base/printable.h"
#include "lang/lang.h"
#include "sema.h"

static void print_variable(FILE *out, const char *indent, const struct variable *v)
{
	fprintf(out, "%s%s", indent, v->name);
	if (v->maxsize)
		fprintf(out, "[%lld]", (long long)v->maxsize);
	fprintf(out, ":%s", type_text(v->type));
	for (size_t i = 0; i < v->key_types.n; i++)
		fprintf(out, "%s%s", i ? ", " : " [", type_text(v->key_types.v[i]));
	fputs(v->key_types.n ? "]\n" : "\n", out);
}

static void print_locals(FILE *out, struct variable *const *v, size_t n)
{
	if (n)
		fputs("  # locals\n", out);
	for (size_t i = 0; i < n; i++)
		print_variable(out, "  ", v[i]);
}

static void print_function(FILE *out, const struct function *f, bool bodies)
{
	fprintf(out, "%s:%s (", f->name, f->type == T_VOID ? "unknown" : type_text(f->type));
	for (size_t i = 0; i < f->params.n; i++)
		fprintf(out, "%s%s:%s", i ? ", " : "", f->params.v[i]->name,
			type_text(f->params.v[i]->type));
	fputs(")\n", out);
	print_locals(out, f->locals.v, f->locals.n);
	if (!bodies)
		return;
	if (f->body)
		print_stmt(out, f->body, 0);
	else if (f->builtin)
		fputs("= builtin", out);
	else
		fprintf(out, "%%{%s%%}", f->embedded->code);
	fputc('\n', out);
}

/* Prints a place as the terminal may show it, because it contains names from the probed program. */
static void print_site(FILE *out, const struct site *site)
{
	printable_print(out, arena_printf("%s /* <- %s */", site->pp, site->name), "");
	fputc('\n', out);
}

static void print_probe(FILE *out, const struct probe *p, bool bodies)
{
	for (size_t i = 0; i < p->sites.n; i++)
		print_site(out, &p->sites.v[i]);
	print_locals(out, p->locals.v, p->locals.n);
	if (!bodies)
		return;
	print_stmt(out, p->body, 0);
	fputc('\n', out);
}

void print_program(FILE *out, const struct program *p, bool bodies)
{
	if (p->globals.n)
		fputs("# globals\n", out);
	for (size_t i = 0; i < p->globals.n; i++)
		print_variable(out, "", p->globals.v[i]);
	if (p->functions.n)
		fputs("# functions\n", out);
	for (size_t i = 0; i < p->functions.n; i++)
		print_function(out, p->functions.v[i], bodies);
	if (p->probes.n)
		fputs("# probes\n", out);
	for (size_t i = 0; i < p->probes.n; i++)
		print_probe(out, p->probes.v[i], bodies);
}
