// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of families, and functions they share. */
#include "families.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

#define ADDRESS_OF(name) &family_##name,

const struct probe_family *const probe_families[] = {
	ST_FAMILIES(ADDRESS_OF, ADDRESS_OF)
	NULL,
};

/*
 * Emits a name as terminals may show it, because names of functions and source files come
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

void emit_point(struct sbuf *out, const struct probe *p, const struct site *site)
{
	sbuf_printf(out, ".point = { .probe = &st_probe_%u, ", p->index);
	put_name(out, "pp", site->pp);
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

void add_named_site(struct probe *p, const struct probe_point *point)
{
	struct site site = { .pp = probe_point_text(point), .func = "", .module = "" };

	vec_push(&p->sites, site);
}
