// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing a tree and parsing the text gives the same tree, and printing that
 * gives the same text; and what can't be parsed is refused in the right words.
 * With file names as arguments the round trip is made over them instead.
 */
#include "lang_test.h"

/* ---- are two trees the same, places aside? ------------------------------------ */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_expr(const struct expr *a, const struct expr *b);

static bool same_exprs(struct expr *const *a, size_t n, struct expr *const *b, size_t m)
{
	bool same = n == m;

	for (size_t i = 0; same && i < n; i++)
		same = same_expr(a[i], b[i]);
	return same;
}

static bool same_target(const struct target_var *a, const struct target_var *b)
{
	bool same = a->kind == b->kind && same_text(a->name, b->name) &&
		    same_text(a->module, b->module) && same_expr(a->value, b->value) &&
		    a->address == b->address && a->path.n == b->path.n;

	for (size_t i = 0; same && i < a->path.n; i++)
		same = a->path.v[i].kind == b->path.v[i].kind &&
		       same_text(a->path.v[i].name, b->path.v[i].name) &&
		       same_expr(a->path.v[i].index, b->path.v[i].index);
	return same;
}

static bool same_stat(const struct expr *a, const struct expr *b)
{
	return a->stat == b->stat && a->nparams == b->nparams &&
	       !memcmp(a->params, b->params, sizeof(a->params));
}

/* The members that only one kind has. */
static bool same_own(const struct expr *a, const struct expr *b)
{
	switch (a->kind) {
	case E_NUM:
		return a->num == b->num;
	case E_TARGET:
		return same_target(a->target, b->target);
	case E_PRINT:
		return a->print->kind == b->print->kind &&
		       a->print->to_string == b->print->to_string &&
		       same_text(a->print->format, b->print->format) &&
		       same_exprs(a->print->args.v, a->print->args.n,
				  b->print->args.v, b->print->args.n);
	case E_STAT:
	case E_HIST:
		return same_stat(a, b);
	case E_INCDEC:
		return a->delta == b->delta && a->prefix == b->prefix;
	case E_DEREF:
	case E_REGISTER:
		return a->user == b->user;
	case E_EMBEDDED:
		return same_text(a->embedded->code, b->embedded->code);
	default:
		return same_text(a->name, b->name);
	}
}

static bool same_expr(const struct expr *a, const struct expr *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && a->op == b->op && same_own(a, b) &&
	       same_expr(a->a, b->a) && same_expr(a->b, b->b) && same_expr(a->c, b->c) &&
	       same_exprs(a->args.v, a->args.n, b->args.v, b->args.n);
}

static bool same_foreach(const struct foreach *a, const struct foreach *b)
{
	if (!a || !b)
		return a == b;
	return same_exprs(a->keys.v, a->keys.n, b->keys.v, b->keys.n) &&
	       same_exprs(a->slice.v, a->slice.n, b->slice.v, b->slice.n) &&
	       same_expr(a->value, b->value) && same_text(a->array, b->array) &&
	       a->sort_by == b->sort_by && a->descending == b->descending &&
	       a->sort_stat == b->sort_stat && same_expr(a->limit, b->limit) &&
	       same_expr(a->hist, b->hist);
}

static bool same_stmt(const struct stmt *a, const struct stmt *b)
{
	if (!a || !b)
		return a == b;

	bool same = a->kind == b->kind && a->body.n == b->body.n &&
		    same_expr(a->expr, b->expr) && same_expr(a->init, b->init) &&
		    same_expr(a->step, b->step) && same_stmt(a->then, b->then) &&
		    same_stmt(a->els, b->els) && same_text(a->name, b->name) &&
		    same_foreach(a->foreach, b->foreach);

	for (size_t i = 0; same && i < a->body.n; i++)
		same = same_stmt(a->body.v[i], b->body.v[i]);
	return same;
}

static bool same_point(const struct probe_point *a, const struct probe_point *b)
{
	bool same = a->parts.n == b->parts.n && a->optional == b->optional &&
		    a->sufficient == b->sufficient && same_expr(a->condition, b->condition);

	for (size_t i = 0; same && i < a->parts.n; i++)
		same = same_text(a->parts.v[i].name, b->parts.v[i].name) &&
		       same_expr(a->parts.v[i].arg, b->parts.v[i].arg);
	return same;
}

static bool same_probe(const struct probe_decl *a, const struct probe_decl *b)
{
	bool same = a->points.n == b->points.n && a->epilogue == b->epilogue &&
		    !a->alias == !b->alias && same_stmt(a->body, b->body) &&
		    same_stmt(a->epilogue_body, b->epilogue_body);

	if (same && a->alias)
		same = same_point(a->alias, b->alias);
	for (size_t i = 0; same && i < a->points.n; i++)
		same = same_point(a->points.v[i], b->points.v[i]);
	return same;
}

static bool same_global(const struct variable *a, const struct variable *b)
{
	return same_text(a->name, b->name) && a->is_private == b->is_private &&
	       a->wrap == b->wrap && a->maxsize == b->maxsize && same_expr(a->init, b->init);
}

static bool same_function(const struct function *a, const struct function *b)
{
	bool same = same_text(a->name, b->name) && a->is_private == b->is_private &&
		    a->type == b->type && a->priority == b->priority &&
		    a->params.n == b->params.n && same_stmt(a->body, b->body) &&
		    !a->embedded == !b->embedded;

	if (same && a->embedded)
		same = same_text(a->embedded->code, b->embedded->code);
	for (size_t i = 0; same && i < a->params.n; i++)
		same = same_text(a->params.v[i]->name, b->params.v[i]->name) &&
		       a->params.v[i]->type == b->params.v[i]->type;
	return same;
}

#define SAME_LISTS(a, b, list, same_one) ({				\
	bool same_ = (a)->list.n == (b)->list.n;			\
	for (size_t i_ = 0; same_ && i_ < (a)->list.n; i_++)		\
		same_ = same_one((a)->list.v[i_], (b)->list.v[i_]);	\
	same_;								\
})

static bool same_embed(const struct embedded *a, const struct embedded *b)
{
	return same_text(a->code, b->code);
}

static bool same_file(const struct file *a, const struct file *b)
{
	return SAME_LISTS(a, b, globals, same_global) &&
	       SAME_LISTS(a, b, functions, same_function) &&
	       SAME_LISTS(a, b, probes, same_probe) &&
	       SAME_LISTS(a, b, aliases, same_probe) &&
	       SAME_LISTS(a, b, embeds, same_embed);
}

/* ---- round trips ----------------------------------------------------------------- */

static bool round_trip(const struct source *src)
{
	struct session *s = test_session();
	struct file *f = lang_parse(s, src, false);
	bool good = false;

	if (!f) {
		printf("lang_print: %s does not parse\n", src->text);
		return false;
	}

	struct file *g = NULL;
	char *first = printed(f), *second = NULL;

	s->options.args.n = 0;		/* all that was to be replaced is */
	g = lang_parse(s, source_from_text("<printed>", first), false);
	if (g) {
		second = printed(g);
		good = same_file(f, g) && !strcmp(first, second);
	}
	if (!good)
		printf("lang_print: %s\nis printed as\n%s\n", src->text, first);
	free(first);
	free(second);
	return good;
}

static const char *const good[] = {
	/* literals */
	"probe begin { a = 017 + 0x1F + 9223372036854775808 + 18446744073709551615 }",
	"probe begin { a = \"\\a\\b\\f\\n\\r\\t\\v\\\\\\\"\\x41\\101\\q\\0007\" \"two\" }",
	"probe begin { a = \"one \\\nline\" } # comment\n// another\n/* third */",
	"global a = -9223372036854775808, b = -1, c = \"x\", d[5], e%[6], f%",
	"private global x = 3; private y private function z() { } global q",

	/* operators */
	"probe begin { a = b = c += d -= e *= f /= g %= h <<= i >>= j &= k |= l ^= m }",
	"probe begin { a .= b . c . (d . e) ; s <<< a + 1 }",
	"probe begin { a = b ? c ? d : e : f ? g : h; b = (c ? d : e) ? f : g }",
	"probe begin { a = 1 - (2 - 3) - 4 * (5 + 6) % 7 / 8 << 9 >> (10 >> 11) }",
	"probe begin { a = b | c ^ d & e == f < g; h = (b | c) & d == (e & f) }",
	"probe begin { a = - - b + - -(--c) + ! ~!d + ~-e - ++f; g = h-- - --h + - i++ }",
	"probe begin { a = !(b && c || d) && (e || f) }",
	"probe begin { a = b == (c == d) != e; x = (b = c) + 1 }",
	"probe begin { a = b =~ \"x+\" && (c !~ \"y\\\\.\") }",
	"probe begin { a[1, \"x\"]++; ++a[2]; --b; b-- }",
	"probe begin { if (a in b) c; if ([1, *] in d && !([e] in f)) g; h = i == j in k }",
	"probe begin { a b c = 3 d++ e(1) f[2] (g) }",

	/* targets */
	"probe x { $a; $a->b->c; $a->b[1][i + 1]; &$a->b; &$a; $a$; $a->b$$; $$vars$ }",
	"probe x { @cast(p, \"t\")->f; @cast(p, \"t\", \"m<h.h>\")[2]; @var(\"v@f.c\", \"m\")$ }",
	"probe x { p->f->next; f(1)->g; ($x)->y; (p)[2]; &p; &(p)[1]; &p[1]; (a + b)->c }",
	"probe x { $a->f = 3; $return++; @defined($x->y) ? @entry($x) : @perf(\"p\") }",
	"probe x { @const(\"EIO\") + @kderef(8, p) + @uderef(4, q) + @kregister(1) +"
		" @uregister(2) + @probewrite(z) + @probewrite($z) }",

	/* statistics */
	"probe x { print(@count(a) + @sum(a[1]) + @min(a) + @max(a) + @avg(a)) }",
	"probe x { print(@variance(a), @variance(a, 3)) print(@hist_log(a)) }",
	"probe x { println(@hist_linear(a[1], -5, 10, 3)); b = @hist_log(a)[3] }",

	/* statements */
	"probe x { if (a) if (b) c; else d; if (a) { if (b) c } else d }",
	"probe x { if (a) { b } else if (c) d; else { e } while (a) while (b) ; }",
	"probe x { for (;;) break; for (i = 0; i < 3; i++) continue; for (; a;) { } for (b;;) ; }",
	"probe x { foreach (a in b) c; foreach ([a+, b] in c) d; foreach (a- in b limit 3) c }",
	"probe x { foreach (v = k in a+) b; foreach (v- = [k, l] in a[*, \"x\"] limit n) c }",
	"probe x { foreach (k in a @sum -) b; foreach (k in a[1, *] @variance+) c }",
	"probe x { foreach (b in @hist_log(s)) c; foreach (n = b in @hist_log(s[1])-) d }",
	"probe x { delete a delete a[1, *] next }",
	"probe x { try { a } catch { b } try { c } catch (m) { try { } catch { } } }",
	"probe x { { } ; { a } %{ code; %} b = %{ /* string */ \"x\" %} . c %{ more %} ++d }",

	/* declarations */
	"function f:string(a:long, b, c:string):3 { if (a) next; return b . c }",
	"function f(a,) %{ /* pure */ %} function g:long() %{ /* unprivileged */ return; %}",
	"%{ #include <linux/fs.h> %} probe begin { }",
	"probe a.b(\"x\").c(-3).{d, e.{f, g(1)}?}.h!, **.if*x, s*_2* if (q) { }",
	"probe a = b { c } probe d += e? { } probe f.g = h { i }, { j }",
	"probe {a, b}.c, { d } { }",
	"probe process(\"/bin/x\").function(\"f@y.c:3\").return.maxactive(4) { }",
};

static const struct {
	const char *text, *message;
} bad[] = {
	{ "", "is empty" },
	{ "/* nothing */", "is empty" },
	{ "foo", "expected 'probe', 'global', 'private', 'function', or '%{'" },
	{ "probe begin { ", "expected statement" },
	{ "probe begin { a = = b }", "expected literal string or number" },
	{ "probe begin { println(1 2) }", "expected one of ', )'" },
	{ "probe begin { foreach (a b) ; }", "expected" },
	{ "probe begin { foreach ([a+, b-] in c) ; }", "multiple sort directives" },
	{ "probe begin { \"abc }", "closing quote" },
	{ "probe begin { /* abc }", "close comment" },
	{ "probe begin { %{ abc }", "'%}'" },
	{ "probe begin { a = 08 }", "number invalid or out of range" },
	{ "probe begin { a = 18446744073709551616 }", "number invalid or out of range" },
	{ "probe begin { a = 12ab }", "number invalid or out of range" },
	{ "probe begin { return 1 }", "'return'" },
	{ "probe begin { break }", "'break'" },
	{ "probe begin { 3 = 4 }", "assign" },
	{ "probe begin { printf(x) }", "literal string" },
	{ "probe begin { $a$->b }", "pretty-printing" },
	{ "probe begin { a = @hist_log(x) }", "expected" },
	{ "probe begin { f(@hist_log(x)) }", "histogram" },
	{ "probe . { }", "identifier or '*' or '{'" },
	{ "probe a? = b { }", "alias name" },
	{ "function f:blob() { }", "'string' or 'long'" },
	{ "function f(a, a) { }", "two parameters" },
	{ "function f():0 { }", "priority" },
	{ "global a[0]", "out of range" },
	{ "global a[3] = 4", "only scalar globals" },
	{ "private probe x { }", "'function' or identifier" },
	{ "probe x { a = ` }", "unexpected character" },
};

static bool refused(size_t i)
{
	struct file *f = parse_quietly(test_session(), bad[i].text);
	const char *message = diag_quiet_first();

	if (!f && message && strstr(message, bad[i].message))
		return true;
	printf("lang_print: %s: said '%s'\n", bad[i].text, message ? message : "");
	return false;
}

/* N times OPEN, X, N times CLOSE in a handler must be refused, not crash. */
static bool deep(const char *open, const char *x, const char *close)
{
	enum { N = 100000 };
	size_t room = N * (strlen(open) + strlen(close)) + 100;
	char *text = malloc(room), *p = text;

	p += sprintf(p, "probe begin { ");
	for (int i = 0; i < N; i++)
		p = stpcpy(p, open);
	p = stpcpy(p, x);
	for (int i = 0; i < N; i++)
		p = stpcpy(p, close);
	stpcpy(p, " }");

	bool refused = !parse_quietly(test_session(), text);

	if (!refused)
		printf("lang_print: %d of '%s' went through\n", N, open);
	free(text);
	return refused;
}

int main(int argc, char **argv)
{
	size_t ngood = sizeof(good) / sizeof(*good), nbad = sizeof(bad) / sizeof(*bad);
	size_t failed = 0;

	if (argc > 1) {
		for (int i = 1; i < argc; i++)
			failed += !round_trip(source_read(argv[i], argv[i]));
		return failed != 0;
	}
	for (size_t i = 0; i < ngood; i++)
		failed += !round_trip(source_from_text("<test>", good[i]));
	for (size_t i = 0; i < nbad; i++)
		failed += !refused(i);
	failed += !deep("(", "a", ")");
	failed += !deep("!", "a", "");
	failed += !deep("a + ", "a", "");
	failed += !deep("a = ", "a", "");
	failed += !deep("{", "a", "}");
	failed += !deep("if (a) ", "a", "");
	failed += !deep("%( 1 == ", "1", "%? a %)");
	failed += !deep("%( ", "1", "");
	printf("lang_print: %zu round trips, %zu refusals, %zu failed\n", ngood, nbad, failed);
	arena_free_all();
	return failed != 0;
}
