// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * begin, end, error, oneshot: the session's own events, each with a sequence
 * number; lower runs first.  never: checked like any probe, and never run.
 */
#include <string.h>

#include "families.h"

enum { V_BEGIN, V_END, V_ERROR, V_ONESHOT, V_NEVER };

static const struct probe_pattern begin_patterns[] = {
	{ "begin", V_BEGIN, "when the session starts" },
	{ "begin(n)", V_BEGIN, "when the session starts, in order of n" },
	{ "end", V_END, "when the session ends" },
	{ "end(n)", V_END, "when the session ends, in order of n" },
	{ "error", V_ERROR, "when an error ends the session" },
	{ "error(n)", V_ERROR, "when an error ends the session, in order of n" },
	{ "oneshot", V_ONESHOT, "once at the start; the session then ends" },
	{ NULL, 0, NULL },
};

static const struct probe_pattern never_patterns[] = {
	{ "never", V_NEVER, "never" },
	{ NULL, 0, NULL },
};

static int begin_resolve(struct session *s, const struct probe_point *point,
			 const struct probe_pattern *pat, struct family_result *out)
{
	struct probe *p = single_site_probe(point);
	const struct point_part *part = &point->parts.v[0];

	(void)s;
	p->numbers[0] = part->arg ? part->arg->num : 0;
	p->numbers[1] = pat->variant;
	p->acts = pat->variant == V_ONESHOT;	/* the session ends after it */
	vec_push(&out->probes, p);
	return 0;
}

static void begin_emit(struct sbuf *out, struct session *s, struct probe *const *probes, size_t n)
{
	static const char *const kinds[] = {
		[V_BEGIN] = "ST_BEGIN", [V_END] = "ST_END", [V_ERROR] = "ST_ERROR",
		[V_ONESHOT] = "ST_ONESHOT",
	};

	(void)s;
	sbuf_puts(out, "static const struct st_begin st_table_begin[] = {\n");
	for (size_t i = 0; i < n; i++) {
		struct site site = probes[i]->sites.v[0];

		if (probes[i]->numbers[1] == V_ONESHOT)
			site.pp = "begin";	/* it is one, with an exit() behind it */
		sbuf_puts(out, "\t{ ");
		emit_point(out, probes[i], &site);
		sbuf_printf(out, ", %s, %lldLL },\n", kinds[probes[i]->numbers[1]],
			    (long long)probes[i]->numbers[0]);
	}
	sbuf_puts(out, "};\n");
}

const struct probe_family family_begin = {
	.name = "begin",
	.patterns = begin_patterns,
	.resolve = begin_resolve,
	.table = "begin",
	.emit = begin_emit,
	.serial = true,
	.interruptible = true,
};

const struct probe_family family_never = {
	.name = "never",
	.patterns = never_patterns,
	.resolve = begin_resolve,
	.serial = true,
	.interruptible = true,
};
