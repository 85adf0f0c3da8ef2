// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells whether a module can be built and loaded, before the time that it takes. */
#include <unistd.h>

#include "base/arena.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/* Is there a kit, which pass 4 takes then, or what it is made of? */
static bool can_be_built(struct session *s, struct problem *why)
{
	bool headers = kernel_has_headers(s->kernel);

	if (s->options.host_headers)
		return kit_can_confine(why);
	if (kit_at_hand(s) || (headers && kit_has_tools(kit_compiler(s), why)))
		return true;
	if (!headers) {
		why->text = arena_printf("kernel %s has no headers here", kernel_release(s->kernel));
		why->hint = kernel_advice(s->kernel);
	}
	return false;
}

/* Does the running kernel load modules? */
static bool are_loaded(struct problem *why)
{
	bool disabled = file_says("/proc/sys/kernel/modules_disabled", "1");

	if (!disabled && !access("/proc/modules", F_OK))
		return true;
	why->text = disabled ? "this kernel loads no more modules (kernel.modules_disabled)"
			     : "this kernel loads no modules (CONFIG_MODULES)";
	why->hint = "try the script in a throw-away guest: --vm";
	return false;
}

bool kit_is_possible(struct session *s, struct problem *why)
{
	if (s->options.last_pass == 5 && !are_loaded(why))
		return false;
	return can_be_built(s, why) && (s->options.last_pass < 5 || kit_is_trusted(s, why));
}
