// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells whether a module can be built and loaded, before the time that it takes. */
#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/* Can the runtime be compiled for the kernel?  Linux 5.10 is the oldest that it is tested with. */
static bool is_new_enough(struct session *s, struct problem *why)
{
	unsigned major = 0, minor = 0;

	sscanf(kernel_release(s->kernel), "%u.%u", &major, &minor);
	if (major > 5 || (major == 5 && minor >= 10))
		return true;
	why->text = arena_printf("a module needs Linux 5.10 or later, and this is %s", kernel_release(s->kernel));
	return false;
}

/* Are the headers whole?  Debian's, of which a container has only some directories, may not be. */
static bool are_whole(struct session *s, struct problem *why)
{
	const char *missing = kernel_headers_lack(s->kernel);

	if (missing) {
		why->text = arena_printf("the headers of kernel %s are not whole: %s", kernel_release(s->kernel), missing);
		why->hint = "install the package that has it (Debian's linux-kbuild-VERSION, for its scripts); in a "
			    "container, mount it";
	}
	return !missing;
}

static bool headers_serve(struct session *s, struct problem *why)
{
	return is_new_enough(s, why) && are_whole(s, why);
}

bool kit_has_headers(struct session *s)
{
	struct problem why = { 0 };

	if (access(arena_printf("%s/Makefile", kernel_build(s->kernel)), R_OK)) {
		diag(DIAG_ERROR, "no headers for kernel %s to build a module with: nothing at %s",
		     kernel_release(s->kernel), kernel_build(s->kernel));
		diag_hint("%s", kernel_advice(s->kernel));
		if (s->options.kernel_btf)
			diag_hint("BTF is enough where the runtime was built while there were headers (stap-prep --kit)");
		return false;
	}
	if (headers_serve(s, &why))
		return true;
	diag(DIAG_ERROR, "%s", why.text);
	if (why.hint)
		diag_hint("%s", why.hint);
	return false;
}

/* Is there a kit, which pass 4 takes then, or what it is made of? */
static bool can_be_built(struct session *s, struct problem *why)
{
	bool headers = kernel_has_headers(s->kernel);

	if (s->options.host_headers)
		return kit_can_confine(why);
	if (kit_at_hand(s) || (headers && headers_serve(s, why) && kit_has_tools(kit_compiler(s), why)))
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
