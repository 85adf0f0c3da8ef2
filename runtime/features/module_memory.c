// SPDX-License-Identifier: GPL-2.0-or-later
/* A module's memory is in one piece for each way it is protected. */
#include <linux/module.h>

const void *st_feature(const struct module *module)
{
	return module->mem[MOD_RODATA].base;
}
