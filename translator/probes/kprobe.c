// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places by symbol: kprobe.function, kprobe.module.function, and
 * kprobe.statement(ADDRESS).absolute.
 *
 * No debug information is read: the loader finds the symbol when the script
 * starts.  So there are no wildcards, source positions or variables, and a
 * wrong name is only found then.
 */
#include <string.h>

#include "abi/transport.h"
#include "families.h"
#include "session.h"

enum {
	V_MODULE = 1 << 0,
	V_RETURN = 1 << 1,
	V_MAXACTIVE = 1 << 2,
	V_ADDRESS = 1 << 3,
};

#define BOTH(rest, variant, doc)						\
	{ "kprobe." rest, variant, doc },					\
	{ "kprobe.module(s)." rest, (variant) | V_MODULE, doc " of a module" }

static const struct probe_pattern kprobe_patterns[] = {
	BOTH("function(s)", 0, "entry of a function, by its symbol"),
	BOTH("function(s).call", 0, "entry of a function, by its symbol"),
	{ "kprobe.statement(n).absolute", V_ADDRESS, "an address, unchecked (guru mode)" },
	BOTH("function(s).return", V_RETURN, "return of a function, by its symbol"),
	BOTH("function(s).return.maxactive(n)", V_RETURN | V_MAXACTIVE,
	     "return of a function, n at a time"),
	{ NULL, 0, NULL },
};

/* Returns the argument of the part called NAME. */
static const struct expr *argument(const struct probe_point *point, const char *name)
{
	for (size_t i = 0; i < point->parts.n; i++)
		if (!strcmp(point->parts.v[i].name, name))
			return point->parts.v[i].arg;
	return NULL;
}

static bool is_symbol(const char *name)
{
	return *name && !name[strcspn(name, " \t\n*?[]@:\"\\")];
}

static int kprobe_resolve(struct session *s, const struct probe_point *point,
			  const struct probe_pattern *pat, struct family_result *out)
{
	struct probe *p = arena_new(struct probe);
	struct site *site;
	const char *name;

	add_named_site(p, point);
	site = &p->sites.v[0];
	site->attach = pat->variant & V_RETURN ? ST_FTRACE_RETURN
		     : pat->variant & V_ADDRESS ? ST_KPROBE : ST_FTRACE;
	site->module = pat->variant & V_MODULE ? argument(point, "module")->str : "kernel";
	vec_push(&out->probes, p);
	if (pat->variant & V_MAXACTIVE && !check_maxactive(point, &site->maxactive, &out->why))
		return -1;
	if (pat->variant & V_ADDRESS) {
		site->offset = argument(point, "statement")->num;
		site->absolute = true;
		out->why.text = s->options.guru ? NULL : need_guru_for_address;
		return s->options.guru ? 0 : -1;
	}
	name = argument(point, "function")->str;
	if (!is_symbol(name) || !is_symbol(site->module)) {
		out->why.text = "the name of one function (and one module) is expected: wildcards and "
			   "source files are for kernel.function and module.function";
		return -1;
	}
	site->func = name;
	site->section = arena_printf("%c%s", ST_BASE_SYMBOL, name);
	return 0;
}

static int kprobe_variable(struct session *s, struct probe *p, const struct target_var *tv,
			   struct access *acc)
{
	(void)s, (void)tv;
	acc->why_not.text = "a kprobe probe has no target variables";
	acc->why_not.hint = probe_is_return(p)
		? "returnval() is the function's value"
		: "long_arg(1), pointer_arg(2) and the like are the function's arguments";
	return -1;
}

const struct probe_family family_kprobe = {
	.name = "kprobe",
	.patterns = kprobe_patterns,
	.resolve = kprobe_resolve,
	.variable = kprobe_variable,
	.table = "code",
	.row = "st_site",
	.emit = code_emit,
};
