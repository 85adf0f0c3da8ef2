// SPDX-License-Identifier: GPL-2.0-or-later
/* What addresses are relative to, numbered in order of first use. */
#include <string.h>

#include "internal.h"

unsigned target_base(struct target *t, const char *module, const char *section)
{
	if (!t->bases.n)
		vec_push(&t->bases, ((struct target_base){ "kernel", "" }));
	if (!strcmp(module, "kernel"))
		return 0;
	for (size_t i = 1; i < t->bases.n; i++)
		if (!strcmp(t->bases.v[i].module, module) &&
		    !strcmp(t->bases.v[i].section, section))
			return i;
	vec_push(&t->bases, ((struct target_base){ module, section }));
	return t->bases.n - 1;
}

bool target_relocates(const struct target *t)
{
	return t->bases.n > 0;
}

const struct target_base *target_bases(struct target *t, size_t *n)
{
	target_base(t, "kernel", "");
	*n = t->bases.n;
	return t->bases.v;
}
