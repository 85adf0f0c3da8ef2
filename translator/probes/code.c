// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in kernel code: kernel.function, module.function, .statement.
 *
 * debuginfo/ finds the addresses and the variables there.  The runtime attaches
 * to functions' entries by ftrace, many at once, if there is an ftrace site; to
 * other instructions by kprobes; to returns by kretprobes.  A return's handler
 * sees $return; other variables are saved at the function's entry.
 */
#include <string.h>

#include "code.h"
#include "families.h"
#include "variables.h"
#include "pattern.h"
#include "session.h"

enum {
	V_MODULE = V_FAMILY,		/* module("…").… instead of kernel.… */
	V_MAXACTIVE = V_FAMILY << 1,
};

#define CALLEES_DEPTH_MAX 32

/* stap warns of a point with at least so many places. */
#define MANY_PLACES 50000

#define BOTH(rest, variant, doc)					\
	{ "kernel." rest, variant, doc },				\
	{ "module(s)." rest, (variant) | V_MODULE, doc " of a module" },

static const struct probe_pattern code_patterns[] = {
	CODE_PLACES(BOTH)
	{ "kernel.statement(n).absolute", PLACE_STATEMENT | V_ADDRESS | V_ABSOLUTE,
	  "an address, unchecked (guru mode)" },
	BOTH("function(s).return.maxactive(n)", PLACE_CALL | V_RETURN | V_MAXACTIVE,
	     "return of functions, n at a time")
	{ NULL, 0, NULL },
};

/* ---- places → probes --------------------------------------------------- */

/* Index of the part function("…"), behind kernel or module("…"). */
enum { PATTERN_PART = 1 };

static void put_place(struct sbuf *b, const char *kind, const char *function, const char *file,
		      int line)
{
	sbuf_printf(b, "%s(\"%s", kind, function);
	if (file)
		sbuf_printf(b, "@%s:%d", file, line);
	sbuf_puts(b, "\")");
}

/* Appends the point's parts from number NEXT on, which follow the place itself. */
static void put_rest(struct sbuf *b, const struct probe_point *point, size_t next)
{
	for (; next < point->parts.n; next++) {
		const struct point_part *more = &point->parts.v[next];

		sbuf_printf(b, ".%s", more->name);
		if (more->arg)
			sbuf_printf(b, "(%lld)", (long long)more->arg->num);
	}
}

void code_put_place(struct sbuf *b, const struct probe_point *point,
		    const struct probe_pattern *pat, size_t number, const struct place *pl)
{
	const struct point_part *part = &point->parts.v[number];
	size_t next = number + 1;

	if (pat->variant & V_ADDRESS) {
		sbuf_printf(b, "statement(%#llx)", (unsigned long long)part->arg->num);
	} else if (pl->caller) {
		put_place(b, part->name, pl->caller, pl->caller_file, pl->caller_line);
		put_place(b, ".callee", pl->function, pl->file, pl->line);
		next++;
	} else {
		put_place(b, part->name, pl->function, pl->file, pl->line);
	}
	if (pl->label) {
		sbuf_printf(b, ".label(\"%s\")", pl->label);
		next++;
	}
	put_rest(b, point, next);
}

static const char *site_pp(const struct probe_point *point, const struct probe_pattern *pat,
			   const struct place *pl)
{
	struct sbuf b = { 0 };

	if (pat->variant & V_MODULE)
		sbuf_printf(&b, "module(\"%s\").", pl->module);
	else
		sbuf_puts(&b, "kernel.");
	code_put_place(&b, point, pat, PATTERN_PART, pl);
	return sbuf_take(&b);
}

/* Returns how a place is attached to.  Ftrace reaches only functions' entries. */
static enum st_attach attach_to(const struct place *pl, int variant)
{
	if (variant & V_RETURN)
		return pl->ftrace ? ST_FTRACE_RETURN : ST_KRETPROBE;
	return pl->ftrace && (variant & V_KIND) != PLACE_STATEMENT ? ST_FTRACE : ST_KPROBE;
}

static void add_place(const struct probe_point *point, const struct probe_pattern *pat,
		      struct place *pl, bool optional, int64_t maxactive,
		      struct family_result *out)
{
	struct probe *p = arena_new(struct probe);
	struct site site = {
		.pp = site_pp(point, pat, pl),
		.func = pl->function,
		.module = pl->module,
		.attach = attach_to(pl, pat->variant),
		.section = pl->section,
		.offset = pl->addr,
		.maxactive = maxactive,
		.optional = !pl->traceable && optional,
		.traceable = pl->traceable,
		.traced = pl->ftrace,
		.steppable = !pl->ftrace && place_is_steppable(pl),
		.rest = pl->rest,
		.caller = pl->returns_to,
		.caller_section = pl->returns_section,
		.place = pl,
	};

	vec_push(&p->sites, site);
	vec_push(&out->probes, p);
}

const char need_guru_for_address[] =
	"an absolute statement probe is for guru mode; need stap -g";

bool check_maxactive(const struct probe_point *point, int64_t *n, struct problem *why)
{
	*n = point->parts.v[point->parts.n - 1].arg->num;
	if (*n >= 1 && *n <= ST_ACTIVE_MOST)
		return true;
	why->text = arena_printf("maxactive is from 1 to %d", ST_ACTIVE_MOST);
	return false;
}

bool code_has_wildcard(const struct place_query *q)
{
	return q->function && strpbrk(q->function, "*?[");
}

/* Parses a function's pattern; refuses lists of lines and text if it isn't a statement's. */
static bool set_pattern(const char *text, struct place_query *q, struct problem *why)
{
	why->text = pattern_parse(text, q);
	if (!why->text && q->kind != PLACE_STATEMENT && (q->text || q->nlines > 1))
		why->text = arena_printf("'%s': only .statement takes a list of lines, or their text",
					 text);
	return !why->text;
}

/* Parses .callee()'s FUNCTION[@FILE[:LINE]]. */
static bool set_callee(const char *text, struct place_query *q, struct problem *why)
{
	struct place_query called = { 0 };

	why->text = pattern_parse(text, &called);
	if (!why->text && (called.text || (called.line_kind != LINE_NONE &&
				      called.line_kind != LINE_ABSOLUTE)))
		why->text = arena_printf("'%s': a callee takes only the line of its declaration", text);
	q->callee = called.function;
	q->callee_file = called.file;
	q->callee_line = called.line;
	return !why->text;
}

static bool set_callees(const struct point_part *part, const struct probe_pattern *pat,
			struct place_query *q, struct problem *why)
{
	q->callee = "*";
	q->depth = 1;
	q->called = pat->variant & V_CALLED;
	if ((pat->variant & V_CALLEE) && !set_callee(part->arg->str, q, why))
		return false;
	if (!(pat->variant & V_DEPTH))
		return true;
	if (part->arg->num < 1 || part->arg->num > CALLEES_DEPTH_MAX) {
		why->text = arena_printf("the depth of .callees is from 1 to %d", CALLEES_DEPTH_MAX);
		return false;
	}
	q->depth = part->arg->num;
	return true;
}

bool code_query(const struct session *s, const struct probe_point *point,
		const struct probe_pattern *pat, size_t number, struct place_query *q,
		struct problem *why)
{
	const struct point_part *part = &point->parts.v[number];

	*q = (struct place_query){ .kind = pat->variant & V_KIND };
	if (pat->variant & V_ADDRESS)
		q->address = part->arg->num;
	else if (!set_pattern(part->arg->str, q, why))
		return false;
	if (pat->variant & V_LABEL)
		q->label = part[1].arg->str;
	if ((pat->variant & (V_CALLEE | V_CALLEES)) && !set_callees(&part[1], pat, q, why))
		return false;
	q->nearest = pat->variant & V_NEAREST;
	q->to_return = pat->variant & V_RETURN;
	q->one_each = s->options.list && !s->options.list_vars && !q->label && !q->callee;
	return true;
}

void code_warn_many(const struct probe_point *point, size_t n)
{
	if (n >= MANY_PLACES)
		diag_at(DIAG_WARNING, point->loc, "'%s' matches %zu places: attaching to all takes "
			"time and memory", probe_point_text(point), n);
}

static int code_resolve(struct session *s, const struct probe_point *point,
			const struct probe_pattern *pat, struct family_result *out)
{
	struct place_query q;
	struct place *places;
	unsigned forbidden = 0;
	int64_t maxactive = 0;
	bool optional;
	size_t n;

	if ((pat->variant & V_ABSOLUTE) && !s->options.guru) {
		out->why.text = need_guru_for_address;
		return -1;
	}
	if ((pat->variant & V_MAXACTIVE) && !check_maxactive(point, &maxactive, &out->why))
		return -1;
	if (!code_query(s, point, pat, PATTERN_PART, &q, &out->why))
		return -1;
	q.module = pat->variant & V_MODULE ? point->parts.v[0].arg->str : "kernel";
	if (target_places(s->target, &q, &places, &n, &forbidden, &out->why) < 0)
		return -1;
	if (!s->options.list)
		code_warn_many(point, n);
	optional = code_has_wildcard(&q);
	for (size_t i = 0; i < n && !session_interrupted(); i++)
		add_place(point, pat, &places[i], optional, maxactive, out);
	return 0;
}

/* ---- variables --------------------------------------------------------- */

int code_variable(struct session *s, struct probe *p, const struct target_var *tv,
		  struct access *acc)
{
	bool at_return = probe_is_return(p) &&
			 (!strcmp(tv->name, "$return") || !strcmp(tv->name, "$$return"));
	struct fetch got;
	struct step *steps;
	size_t n = target_steps(tv, acc, &steps);

	(void)s;
	if (!p->sites.v[0].place) {
		acc->why_not.text = "an absolute address has no target variables";
		return -1;
	}
	if (target_variable(p->sites.v[0].place, at_return, tv->name + 1, steps, n, tv->address,
			    &got, &acc->why_not) < 0)
		return -1;
	access_set_fetch(acc, got);
	return 0;
}

void code_list_variables(struct session *s, struct probe *p, text_list *out)
{
	struct place *place = p->sites.v[0].place;

	(void)s;
	if (place && place->scope)
		target_list_variables(place, probe_is_return(p), out);
}

/* ---- rows -------------------------------------------------------------- */

/* Does the place have a kprobe, not by ftrace alone? */
static bool is_stepped(const struct site *site)
{
	return site->attach == ST_KPROBE || site->attach == ST_KRETPROBE;
}

void code_row(const struct probe *p, const struct site *site, struct row *out)
{
	static const char *const attach[] = {
		[ST_FTRACE] = "ST_FTRACE", [ST_FTRACE_RETURN] = "ST_FTRACE_RETURN",
		[ST_KPROBE] = "ST_KPROBE", [ST_KRETPROBE] = "ST_KRETPROBE",
	};

	row_constant(out, "attach", attach[site->attach]);
	if (site->absolute)
		row_constant(out, "base", "ST_NO_BASE");
	else
		row_number(out, "base", site->base);
	row_address(out, "offset", site->offset);
	row_number(out, "maxactive", site->maxactive);
	row_number(out, "optional", site->optional);
	row_number(out, "traceable", site->traceable && is_stepped(site));
	row_number(out, "jump_safe", site->steppable && site->attach == ST_KPROBE);
	row_number(out, "rest", is_stepped(site) && site->section ? site->rest : 0);
	row_number(out, "args_only", p->args_only);
	if (site->caller) {
		row_number(out, "caller_base", site->caller_base);
		row_address(out, "caller", site->caller);
	}
}

const struct probe_family family_code = {
	.name = "code",
	.patterns = code_patterns,
	.resolve = code_resolve,
	.variable = code_variable,
	.list_variables = code_list_variables,
	.table = "code",
	.row = code_row,
};
