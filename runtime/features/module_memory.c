// SPDX-License-Identifier: GPL-2.0-or-later
/* Does struct module describe its memory by type (module->mem[])? */
#include <linux/module.h>

const void *st_feature(const struct module *module)
{
	return module->mem[MOD_RODATA].base;
}
