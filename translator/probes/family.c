// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of families, and functions they share. */
#include "families.h"

#include <stddef.h>

#define ADDRESS_OF(name) &family_##name,

const struct probe_family *const probe_families[] = {
	ST_FAMILIES(ADDRESS_OF, ADDRESS_OF)
	NULL,
};

void emit_point(struct sbuf *out, const struct probe *p, const struct site *site)
{
	sbuf_printf(out, ".point = { .probe = &st_probe_%u, .pp = \"", p->index);
	sbuf_c_escape(out, site->pp);
	sbuf_puts(out, "\", .func = \"");
	sbuf_c_escape(out, site->func ? site->func : "");
	sbuf_puts(out, "\", .module = \"");
	sbuf_c_escape(out, site->module ? site->module : "");
	sbuf_puts(out, "\",\n\t  .pn = \"");
	sbuf_c_escape(out, site->pn);
	sbuf_putc(out, '"');
	if (site->number)
		sbuf_printf(out, ", .number = %u", site->number);
	sbuf_puts(out, " }");
}

void add_named_site(struct probe *p, const struct probe_point *point)
{
	struct site site = { .pp = probe_point_text(point), .func = "", .module = "" };

	vec_push(&p->sites, site);
}
