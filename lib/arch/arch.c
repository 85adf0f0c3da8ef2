/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The supported CPU architectures. */
#include "arch.h"

#include <string.h>

extern const struct arch arch_x86_64;

static const struct arch *const arches[] = {
	&arch_x86_64,
};

const struct arch *arch_find(const char *name)
{
	for (unsigned i = 0; i < sizeof(arches) / sizeof(arches[0]); i++)
		if (strcmp(arches[i]->name, name) == 0)
			return arches[i];
	return NULL;
}
