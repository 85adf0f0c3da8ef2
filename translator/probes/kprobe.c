// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places by symbol: kprobe.function, kprobe.module.function, and
 * kprobe.statement(ADDRESS).absolute.
 *
 * They need no debug information, so they have no source positions or variables.  Symbols tell
 * which functions there are, and the loader finds their addresses when the script starts.
 */
#include <fnmatch.h>
#include <string.h>

#include "abi/transport.h"
#include "code.h"
#include "families.h"
#include "session.h"

enum {
	V_MODULE = V_FAMILY,
	V_MAXACTIVE = V_FAMILY << 1,
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

/* Returns the index of the part function("…") or statement(…). */
static size_t place_part(const struct probe_pattern *pat)
{
	return pat->variant & V_MODULE ? 2 : 1;
}

static struct site *add_probe(const struct probe_point *point, const struct probe_pattern *pat,
			      struct family_result *out)
{
	struct probe *p = arena_new(struct probe);
	struct site *site;

	add_named_site(p, point);
	vec_push(&out->probes, p);
	site = &p->sites.v[0];
	site->attach = pat->variant & V_RETURN ? ST_FTRACE_RETURN
		     : pat->variant & V_ADDRESS ? ST_KPROBE : ST_FTRACE;
	site->module = pat->variant & V_MODULE ? point->parts.v[1].arg->str : "kernel";
	return site;
}

static bool is_symbol(const char *name)
{
	return *name && !name[strcspn(name, " \t\n/@:\"\\")];
}

/* Returns a copy of the point whose part NUMBER has a text as its argument. */
static const struct probe_point *with_name(const struct probe_point *point, size_t number,
					   const char *text)
{
	struct probe_point *q = arena_new(struct probe_point);

	*q = *point;
	memset(&q->parts, 0, sizeof(q->parts));
	for (size_t i = 0; i < point->parts.n; i++) {
		vec_push(&q->parts, point->parts.v[i]);
		if (i == number) {
			struct expr *arg = arena_new(struct expr);

			*arg = *point->parts.v[i].arg;
			arg->str = text;
			q->parts.v[i].arg = arg;
		}
	}
	return q;
}

static int resolve_address(struct session *s, const struct probe_point *point,
			   const struct probe_pattern *pat, struct family_result *out)
{
	struct site *site = add_probe(point, pat, out);

	site->offset = point->parts.v[place_part(pat)].arg->num;
	site->absolute = true;
	out->why.text = s->options.guru ? NULL : need_guru_for_address;
	return s->options.guru ? 0 : -1;
}

static void warn_unknown(const struct probe_point *point, const char *why, const char *kind)
{
	diag_at(DIAG_WARNING, point->loc, "%s; the %s is looked for when the script runs", why, kind);
}

/* Resolves the point in one module, or the kernel. */
static int resolve_in(struct session *s, const struct probe_point *point,
		      const struct probe_pattern *pat, const char *module,
		      struct family_result *out)
{
	const char *pattern = point->parts.v[place_part(pat)].arg->str;
	bool wild = strpbrk(pattern, "*?["), kernel = !(pat->variant & V_MODULE);
	text_list names = { 0 };
	enum names_known known = target_function_names(s->target, module, pattern, &names,
						       &out->why);

	if (known == NAMES_ABSENT || (known == NAMES_UNKNOWN && (wild || (out->optional && !kernel))))
		return -1;
	if (known == NAMES_UNKNOWN) {
		warn_unknown(point, out->why.text, kernel ? "function" : "module");
		vec_push(&names, pattern);
	}
	if (!s->options.list)
		code_warn_many(point, names.n);
	for (size_t i = 0; i < names.n; i++) {
		struct site *site = add_probe(wild ? with_name(point, place_part(pat), names.v[i])
						   : point, pat, out);

		site->func = names.v[i];
		site->section = arena_printf("%c%s", ST_BASE_SYMBOL, names.v[i]);
		site->optional = wild;
		if ((pat->variant & V_MAXACTIVE) &&
		    !check_maxactive(point, &site->maxactive, &out->why))
			return -1;
	}
	return 0;
}

static int resolve_in_modules(struct session *s, const struct probe_point *point,
			      const struct probe_pattern *pat, struct family_result *out)
{
	const char *pattern = point->parts.v[1].arg->str;
	const char *const *modules;
	size_t n, found = 0;

	if (!strpbrk(pattern, "*?["))
		return resolve_in(s, point, pat, pattern, out);
	modules = target_modules(s->target, &n);
	out->why.no_hint = true;
	for (size_t i = 0; i < n && !session_interrupted(); i++)
		found += !fnmatch(pattern, modules[i], 0) &&
			 !resolve_in(s, with_name(point, 1, modules[i]), pat, modules[i], out);
	if (!found)
		out->why.text = arena_printf("no module matches '%s' and has such a function",
					     pattern);
	return found ? 0 : -1;
}

static int kprobe_resolve(struct session *s, const struct probe_point *point,
			  const struct probe_pattern *pat, struct family_result *out)
{
	if (pat->variant & V_ADDRESS)
		return resolve_address(s, point, pat, out);
	if (!is_symbol(point->parts.v[place_part(pat)].arg->str) ||
	    !is_symbol(point->parts.v[1].arg->str)) {
		out->why.text = "the names of functions, and of a module, are expected: files are for "
				"kernel.function and module.function";
		return -1;
	}
	return pat->variant & V_MODULE ? resolve_in_modules(s, point, pat, out)
				       : resolve_in(s, point, pat, "kernel", out);
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
	.row = code_row,
};
