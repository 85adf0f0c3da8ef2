// SPDX-License-Identifier: GPL-2.0-or-later
/* The families there are. */
#include "families.h"

#include <stddef.h>

const struct probe_family *const probe_families[] = {
	&family_begin,
	&family_never,
	&family_timer,
	&family_code,
	&family_kprobe,
	&family_trace,
	&family_perf,
	&family_data,
	&family_procfs,
	&family_netfilter,
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
