// SPDX-License-Identifier: GPL-2.0-or-later
/* The family "never".  Its handlers are checked like any other, and never run. */
#include "families.h"

static const struct probe_pattern never_patterns[] = {
	{ "never", 0, "never" },
	{ NULL, 0, NULL },
};

static int never_resolve(struct session *s, const struct probe_point *point,
			 const struct probe_pattern *pat, struct family_result *out)
{
	struct probe *p = arena_new(struct probe);

	(void)s, (void)pat;
	add_named_site(p, point);
	vec_push(&out->probes, p);
	return 0;
}

const struct probe_family family_never = {
	.name = "never",
	.patterns = never_patterns,
	.resolve = never_resolve,
	.serial = true,
	.interruptible = true,
};
