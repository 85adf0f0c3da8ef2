// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of families, and functions they share. */
#include "families.h"

#include <stddef.h>

#define ADDRESS_OF(name) &family_##name,

const struct probe_family *const probe_families[] = {
	ST_FAMILIES(ADDRESS_OF, ADDRESS_OF)
	NULL,
};

void add_named_site(struct probe *p, const struct probe_point *point)
{
	struct site site = { .pp = probe_point_text(point), .func = "", .module = "" };

	vec_push(&p->sites, site);
}
