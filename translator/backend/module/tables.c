// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints the tables of places, by which the runtime's families know what to arm. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "gen.h"
#include "probes/family.h"

/*
 * Prints a name as terminals may show it, because names of functions and source files come
 * from the probed program, and scripts print them.
 */
static void put_name(struct sbuf *out, const char *member, const char *name)
{
	char *shown = name ? printable(name, strlen(name), "") : NULL;

	sbuf_printf(out, ".%s = \"", member);
	sbuf_c_escape(out, shown ? shown : "");
	sbuf_putc(out, '"');
	free(shown);
}

static void put_point(struct sbuf *out, const struct probe *p, const struct site *site,
		      const char *pp)
{
	sbuf_printf(out, ".point = { .probe = &st_probe_%u, ", p->index);
	put_name(out, "pp", pp);
	sbuf_puts(out, ", ");
	put_name(out, "func", site->func);
	sbuf_puts(out, ", ");
	put_name(out, "module", site->module);
	sbuf_puts(out, ",\n\t  ");
	put_name(out, "pn", site->pn);
	if (site->number)
		sbuf_printf(out, ", .number = %u", site->number);
	sbuf_puts(out, " }");
}

static void put_string(struct sbuf *out, const char *text)
{
	sbuf_putc(out, '"');
	sbuf_c_escape(out, text);
	sbuf_putc(out, '"');
}

/* Prints a struct st_instruction. */
static void put_instruction(struct sbuf *out, const struct row_code *code)
{
	sbuf_printf(out, "{ %#" PRIx64 "UL, %u, \"", code->offset, code->code->n);
	for (unsigned i = 0; i < code->code->n; i++)
		sbuf_printf(out, "\\x%02x", code->code->p[i]);
	sbuf_puts(out, "\" }");
}

static void put_instructions(struct sbuf *out, const struct row_field *f)
{
	sbuf_puts(out, "(const struct st_instruction[]){ ");
	for (size_t i = 0; i < f->codes.n; i++) {
		sbuf_puts(out, i ? ", " : "");
		put_instruction(out, &f->codes.v[i]);
	}
	sbuf_printf(out, " }, .n%s = %zu", f->name, f->codes.n);
}

static void put_row(struct sbuf *out, const struct row *row);

static void put_field(struct sbuf *out, const struct row_field *f)
{
	sbuf_printf(out, ".%s = ", f->name);
	switch (f->kind) {
	case ROW_NUMBER:
		sbuf_printf(out, "%" PRId64 "%s", f->number,
			    f->number == (int32_t)f->number ? "" : "LL");
		break;
	case ROW_ADDRESS:
		sbuf_printf(out, "%#" PRIx64 "UL", (uint64_t)f->number);
		break;
	case ROW_CONSTANT:
		sbuf_puts(out, f->text);
		break;
	case ROW_TEXT:
		put_string(out, f->text);
		break;
	case ROW_SLICE:
		sbuf_puts(out, "{ ");
		put_string(out, f->text);
		sbuf_printf(out, ", %zu }", strlen(f->text));
		break;
	case ROW_CODE_POINTER:
		sbuf_puts(out, "&(const struct st_instruction)");
		/* fall through */
	case ROW_CODE:
		put_instruction(out, &f->codes.v[0]);
		break;
	case ROW_CODES:
		put_instructions(out, f);
		break;
	case ROW_RECORD:
		sbuf_puts(out, "{ ");
		put_row(out, f->record);
		sbuf_puts(out, " }");
		break;
	}
}

static void put_row(struct sbuf *out, const struct row *row)
{
	for (size_t i = 0; i < row->fields.n; i++) {
		sbuf_puts(out, i ? ", " : "");
		put_field(out, &row->fields.v[i]);
	}
}

static void put_place(struct sbuf *out, const struct probe *p, const struct site *site)
{
	struct row row = { 0 };

	p->family->row(p, site, &row);
	sbuf_puts(out, "\t{ ");
	put_point(out, p, site, row.pp ? row.pp : site->pp);
	sbuf_puts(out, row.fields.n ? ", " : "");
	put_row(out, &row);
	sbuf_puts(out, " },\n");
}

static bool same_table(const struct probe_family *f, const struct probe_family *g)
{
	return f->table && g->table && !strcmp(f->table, g->table);
}

/* Returns the struct of a table's rows (runtime/abi/stap_script.h). */
static const char *row_struct(const char *table)
{
	return strcmp(table, "code") ? table : "site";
}

/* Prints the table that F's probes are in, a row for each of their places, and returns the number of
 * rows. */
static size_t gen_rows(struct gen *g, const struct probe_family *f)
{
	size_t n = 0;

	for (size_t i = 0; i < g->prog->probes.n; i++) {
		const struct probe *p = g->prog->probes.v[i];

		for (size_t j = 0; same_table(p->family, f) && j < p->sites.n; j++) {
			if (!n++)
				gen_line(g, "static const struct st_%s st_table_%s[] = {",
					 row_struct(f->table), f->table);
			put_place(g->out, p, &p->sites.v[j]);
		}
	}
	if (n)
		gen_line(g, "};");
	return n;
}

void gen_tables(struct gen *g)
{
	struct sbuf list = { 0 };

	for (const struct probe_family *const *f = probe_families; *f; f++) {
		const struct probe_family *const *first = probe_families;
		size_t n;

		while (!same_table(*first, *f) && first < f)
			first++;
		n = first == f ? gen_rows(g, *f) : 0;
		if (n)
			sbuf_printf(&list, "\t{ .family = \"%s\", .items = st_table_%s, "
				    ".n = %zu, .size = sizeof(struct st_%s) },\n", (*f)->table,
				    (*f)->table, n, row_struct((*f)->table));
	}
	gen_line(g, "static const struct st_table st_tables[] = {\n%s\t{ 0 }\n};", sbuf_str(&list));
	sbuf_free(&list);
}
