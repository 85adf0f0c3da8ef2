// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/module.h>
#include "thing.h"
struct thing last_thing;
noinline long thing_other(struct thing *t, long sum)
{
	last_thing = *t;
	return sum + t->low;
}
