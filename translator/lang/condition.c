// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Conditions of %( … %? … %: … %): comparisons joined by && and ||, where &&
 * binds tighter and there are no parentheses.
 *
 *	%( kernel_v >= "5.11" && CONFIG_X86 == "y" %? … %)
 *
 * The left side of a comparison is a fact about the target or the session, or a
 * literal.  It determines what may stand on the right.
 */
#define _GNU_SOURCE
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "grammar.h"
#include "preproc.h"
#include "session.h"

/* How a fact is compared. */
enum manner {
	VERSION,	/* any operator, as versions; == and != take wildcards */
	WILDCARD,	/* == and != with a wildcard pattern */
	NUMERIC,	/* == and != with a number */
	CONFIG,		/* as WILDCARD; or any operator with a number or another CONFIG_ */
};

struct fact {
	enum manner manner;
	const char *text;
	int64_t num;
};

/* Cuts "6.1.0-56-cloud-amd64" to "6.1.0". */
static const char *base_version(const char *release)
{
	return arena_strndup(release, strcspn(release, "-"));
}

static const char *config_of(struct session *s, const char *name, struct loc at)
{
	if (!kernel_config_file(s->kernel)) {
		diag_at(DIAG_WARNING, at, "the configuration of kernel %s was not found, so every "
			"CONFIG_ option counts as not set", kernel_release(s->kernel));
		diag_hint("looked for %s/.config and /boot/config-%s", kernel_build(s->kernel),
			  kernel_release(s->kernel));
	}
	return kernel_config(s->kernel, name);
}

static const char *const runtimes[] = {
	[RUNTIME_ANY] = "kernel", [RUNTIME_KERNEL] = "kernel", [RUNTIME_USER] = "user", [RUNTIME_BPF] = "bpf",
};

static const char *runtime_name(struct session *s)
{
	s->asks_runtime = true;
	return runtimes[s->options.runtime];
}

static bool fact_find(struct session *s, const char *name, struct loc at, struct fact *f)
{
	if (!strcmp(name, "kernel_vr"))
		*f = (struct fact){ VERSION, kernel_release(s->kernel), 0 };
	else if (!strcmp(name, "kernel_v"))
		*f = (struct fact){
			VERSION, base_version(kernel_release(s->kernel)), 0
		};
	else if (!strcmp(name, "systemtap_v"))
		*f = (struct fact){ VERSION, session_language(s), 0 };
	else if (!strcmp(name, "arch"))
		*f = (struct fact){ WILDCARD, s->kernel->arch, 0 };
	else if (!strcmp(name, "systemtap_privilege"))
		*f = (struct fact){ WILDCARD, "stapdev", 0 };
	else if (!strcmp(name, "runtime"))
		*f = (struct fact){ WILDCARD, runtime_name(s), 0 };
	else if (!strncmp(name, "CONFIG_", 7))
		*f = (struct fact){ CONFIG, config_of(s, name, at), 0 };
	else if (!strcmp(name, "guru_mode"))
		*f = (struct fact){ NUMERIC, NULL, s->options.guru };
	else
		return false;
	if (!f->text)
		f->text = "";
	return true;
}

/* Applies a comparison operator to the order of its operands: negative, 0 or positive. */
static bool holds(int kind, int order)
{
	switch (kind) {
	case '<':
		return order < 0;
	case '>':
		return order > 0;
	case LE:
		return order <= 0;
	case GE:
		return order >= 0;
	case EQ:
		return order == 0;
	}
	return order != 0;
}

static bool is_comparison(int kind)
{
	return kind == '<' || kind == '>' || kind == LE || kind == GE || kind == EQ ||
	       kind == NE;
}

/* The parser of a condition, one token ahead. */
struct reader {
	struct preproc *pp;
	struct session *s;
	struct lexeme t;	/* the current token */
	bool ok;
};

static void next(struct reader *r)
{
	r->t = preproc_next(r->pp);
}

/* Reports that WHAT was expected instead of the current token. */
static bool expected(struct reader *r, const char *what)
{
	if (r->ok && (r->t.kind != JUNK || r->t.why)) {
		if (r->t.why)
			preproc_error(r->pp, r->t.loc, "%s", r->t.why);
		else
			preproc_error(r->pp, r->t.loc, "expected %s\n        saw: %s", what,
				      lexeme_describe(&r->t));
	}
	r->ok = false;
	return false;
}

static int comparison_operator(struct reader *r, bool equality_only)
{
	int op = r->t.kind;

	if (equality_only && op != EQ && op != NE) {
		expected(r, "'==' or '!='");
		return 0;
	}
	if (!is_comparison(op)) {
		expected(r, "comparison operator");
		return 0;
	}
	next(r);
	return op;
}

static bool version_holds(int op, const char *version, const char *text)
{
	if ((op == EQ || op == NE) && strpbrk(text, "*?["))
		return (fnmatch(text, version, 0) == 0) == (op == EQ);
	return holds(op, strverscmp(version, text));
}

/* CONFIG_A >= 100.  An option that is not set counts as 0. */
static bool compare_config_number(struct reader *r, const struct fact *a, int op)
{
	long long x = strtoll(a->text, NULL, 0);
	int64_t y;

	if (!number_value(r->t.raw, r->t.len, &y))
		return expected(r, "number in range");
	next(r);
	return holds(op, (x > y) - (x < y));
}

/* CONFIG_A >= CONFIG_B: compares numbers, and for == and != the texts of equal ones. */
static bool compare_configs(struct reader *r, const struct fact *a, int op)
{
	struct fact b;

	if (!fact_find(r->s, arena_strndup(r->t.raw, r->t.len), r->t.loc, &b) ||
	    b.manner != CONFIG)
		return expected(r, "string literal, number or 'CONFIG_…'");
	next(r);

	long long x = strtoll(a->text, NULL, 0), y = strtoll(b.text, NULL, 0);

	return holds(op, x == y && (op == EQ || op == NE) ? strcmp(a->text, b.text)
							  : (x > y) - (x < y));
}

static bool compare_fact(struct reader *r, const struct fact *f)
{
	next(r);

	int op = comparison_operator(r, f->manner == WILDCARD || f->manner == NUMERIC);

	if (!op)
		return false;
	if (f->manner == CONFIG && r->t.kind == NUMBER)
		return compare_config_number(r, f, op);
	if (f->manner == CONFIG && r->t.kind == IDENT)
		return compare_configs(r, f, op);
	if (f->manner == NUMERIC) {
		int64_t num;

		if (r->t.kind != NUMBER || !number_value(r->t.raw, r->t.len, &num))
			return expected(r, "number");
		next(r);
		return (f->num == num) == (op == EQ);
	}
	if (r->t.kind != STRING)
		return expected(r, "string literal");

	const char *text = string_value(r->t.raw, r->t.len);

	if (op != EQ && op != NE && f->manner != VERSION)
		return expected(r, "'CONFIG_…': a string is compared by '==' or '!='");
	next(r);
	if (f->manner == VERSION)
		return version_holds(op, f->text, text);
	return (fnmatch(text, f->text, 0) == 0) == (op == EQ);
}

static bool compare_strings(struct reader *r)
{
	const char *a = string_value(r->t.raw, r->t.len);

	next(r);

	int op = comparison_operator(r, false);

	if (!op)
		return false;
	if (r->t.kind != STRING)
		return expected(r, "string literal");

	const char *b = string_value(r->t.raw, r->t.len);

	next(r);
	return holds(op, strcmp(a, b));
}

static bool compare_numbers(struct reader *r)
{
	int64_t a, b;

	if (!number_value(r->t.raw, r->t.len, &a))
		return expected(r, "number in range");
	next(r);

	int op = comparison_operator(r, false);

	if (!op)
		return false;
	if (r->t.kind != NUMBER || !number_value(r->t.raw, r->t.len, &b))
		return expected(r, "number");
	next(r);
	return holds(op, (a > b) - (a < b));
}

static bool comparison(struct reader *r)
{
	struct fact f;

	switch (r->t.kind) {
	case STRING:
		return compare_strings(r);
	case NUMBER:
		return compare_numbers(r);
	case IDENT:
		if (fact_find(r->s, arena_strndup(r->t.raw, r->t.len), r->t.loc, &f))
			return compare_fact(r, &f);
		break;
	}
	return expected(r, "'kernel_v', 'kernel_vr', 'arch', 'CONFIG_…', 'systemtap_v', "
			"'systemtap_privilege', 'guru_mode', 'runtime', a string or a number");
}

bool preproc_condition(struct preproc *pp, struct session *s, bool *ok)
{
	struct reader r = { .pp = pp, .s = s, .ok = true };
	bool any = false, all = true;

	next(&r);
	for (;;) {
		all &= comparison(&r);
		if (!r.ok || r.t.kind != AND) {
			any |= all;
			all = true;
			if (!r.ok || r.t.kind != OR)
				break;
		}
		next(&r);
	}
	if (r.ok && r.t.kind != PP_THEN)
		expected(&r, "'%?' marker for conditional");
	*ok = r.ok;
	return any;
}
