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
	sbuf_printf(out, "{ &st_probe_%u, \"", p->index);
	sbuf_c_escape(out, site->pp);
	sbuf_puts(out, "\", \"");
	sbuf_c_escape(out, site->func ? site->func : "");
	sbuf_puts(out, "\", \"");
	sbuf_c_escape(out, site->module ? site->module : "");
	sbuf_puts(out, "\", \"");
	sbuf_c_escape(out, site->pn);
	sbuf_printf(out, "\", %u }", site->number);
}

void emit_string(struct sbuf *out, const char *s)
{
	if (!s) {
		sbuf_puts(out, "0");
		return;
	}
	sbuf_putc(out, '"');
	sbuf_c_escape(out, s);
	sbuf_putc(out, '"');
}

struct probe *single_site_probe(const struct probe_point *point)
{
	struct probe *p = new(struct probe);
	struct site site = { .pp = probe_point_text(point), .func = "", .module = "" };

	vec_push(&p->sites, site);
	return p;
}
