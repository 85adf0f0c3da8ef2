// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How libFuzzer makes new scripts of old: whole tokens are moved, repeated,
 * exchanged and left out, snippets of the language put between them.  What
 * comes out is wrong in fewer places than after changes of single bytes, and
 * gets further.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lang/token.h"
#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max, unsigned seed);

static const char *const snippets[] = {
	"global g", "global a[5]", "global w%", "global n = 3", "private global s = \"x\"",
	"probe begin { }", "probe timer.s(1) { x = 1 }", "probe end { println(g) }",
	"probe kernel.function(\"vfs_read\") { }", "probe kernel.function(\"by_value\").return { }",
	"probe kernel.function(\"*\").call, kernel.function(\"twice\").inline ? { }",
	"probe module(\"testsuite/fuzz/module.ko\").function(\"many\") { }",
	"probe kernel.statement(\"vfs_read@*:*\") { }", "probe al = begin, base.read { q = 1 }",
	"probe al.return += base.both { }, { }", "probe base.* { }", "probe {begin,end}.x ? { }",
	"function f(x) { return x }", "function f:string(x:long, y) { next }",
	"function rec(n) { return rec(n - 1) }", "function c() %{ STAP_RETVALUE = 1; %}",
	"@define m(p) %( @p + @p %)", "@m(1)", "%( kernel_v >= \"6\" %? 1 %: 2 %)",
	"%( CONFIG_X == \"y\" && arch != \"a*\" || 1 < 2 %? %)",
	"if (x) ;", "else", "while (x--) { }", "for (i = 0; i < 3; i++) { }",
	"foreach (k in a) { }", "foreach (v = [i, j-] in a limit 2) { }",
	"foreach ([i, j] in a[*, 1] @sum-) { }", "try { } catch (e) { }", "try { } catch { }",
	"break", "continue", "next", "return", "return 1", "delete a", "delete a[1]",
	"delete a[*]", "a[1] = 2", "a[1, \"s\"]++", "s .= \"t\"", "g <<< 3", "x += y",
	"(1 in a)", "[*, 2] in a", "print(@hist_log(g))", "@hist_linear(g, 0, 10, 2)[1]",
	"@count(g)", "@variance(g, 3)", "@avg(a[1])", "printf(\"%d %s\\n\", 1, \"x\")",
	"printf(\"%-*.*s %p %b\", 1, 2, \"x\", 3, 4)", "sprintf(\"%c%m\", 1, 2)",
	"printdln(\",\", x, y)", "println()", "sprint(x)", "log(\"x\")",
	"$count", "$file->in->i", "$file->many[1]->s", "$file->next->next->grid[x][1]",
	"$file$", "$file->in$$", "$$parms", "$$vars$", "$$locals", "$return->i", "&$file->in",
	"$*pos", "@entry($count)", "@defined($count)", "@choose_defined($x, 0)",
	"@cast($buf, \"struct file\")", "@cast(x, \"loop\", \"kernel\")->table[0]",
	"@cast(1, \"file\")->name$", "@var(\"files@kernel.c\")[1]->name", "@var(\"jiffies\")",
	"@kderef(8, x)", "@kregister(1)", "@probewrite(x)", "@perf(\"x\")", "@const(\"X\")",
	"$count = 5", "x =~ \"a.*[b-z]\"", "x !~ \"(\"", "x ? y : z", "x && !y || z",
	"-9223372036854775808 / -1", "1 << 64", "x % 0", "0xffffffffffffffff", "077",
	"\"\\x41\\0\" \"joined\"", "($1 . @2)", "$#", "if (x) { } else if (y) ;", "-", "(", ")",
	"{", "}", "[", "]", ",", ";", ".", "->", "++", "!", "?", ":", "=",
};

/* A text under construction; what does not fit is cut. */
struct text {
	char *p;
	size_t n, max;
};

static void add(struct text *t, const char *s, size_t n)
{
	if (n > t->max - t->n)
		n = t->max - t->n;
	memcpy(t->p + t->n, s, n);
	t->n += n;
}

static unsigned state;

static size_t below(size_t n)
{
	return n ? rand_r(&state) % n : 0;
}

static struct source *source_of(const uint8_t *data, size_t size)
{
	struct source *src = arena_new(struct source);

	src->name = "";
	src->text = arena_strndup((const char *)data, size);
	src->len = size;
	return src;
}

/* A run of tokens: a few, or now and then many. */
struct span {
	const char *from, *to;
};

static struct span any_span(const struct token_list *l)
{
	size_t n = l->n - 1, first = below(n), more = below(below(4) ? 6 : n);

	if (!n)
		return (struct span){ l->v[0].text, l->v[0].text };
	if (first + more >= n)
		more = n - first - 1;

	const struct token *last = &l->v[first + more];

	return (struct span){ l->v[first].text, last->text + last->len };
}

/* The place after a token, or the beginning. */
static const char *any_place(const struct token_list *l)
{
	return l->v[below(l->n)].text;
}

static void add_between(struct text *t, const struct source *src, struct span out,
			const char *in, size_t n, size_t times)
{
	const char *end = src->text + src->len;

	add(t, src->text, out.from - src->text);
	for (size_t i = 0; i < times; i++) {
		add(t, " ", 1);
		add(t, in, n);
	}
	add(t, " ", 1);
	add(t, out.to, end - out.to);
}

static size_t times(void)
{
	return below(8) ? 1 : 1 + below(below(8) ? 8 : 1000);
}

static size_t make(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
		   uint8_t *out, size_t max)
{
	struct source *src = source_of(data, size);
	const struct token_list *tokens = lex_all(src);
	struct span span = any_span(tokens), with;
	const char *place = any_place(tokens), *snippet;
	struct text t = { arena_alloc(max + 1), 0, max };

	if (below(2))
		span = (struct span){ place, place };	/* put in, not replace */
	if (other) {
		with = any_span(lex_all(source_of(other, other_size)));
		add_between(&t, src, span, with.from, with.to - with.from, 1);
	} else if (!below(3)) {
		add_between(&t, src, span, "", 0, 0);
	} else if (below(2)) {
		with = any_span(tokens);
		add_between(&t, src, span, with.from, with.to - with.from, times());
	} else {
		snippet = snippets[below(sizeof(snippets) / sizeof(*snippets))];
		add_between(&t, src, span, snippet, strlen(snippet), times());
	}
	memcpy(out, t.p, t.n);
	size = t.n;
	arena_free_all();
	return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	state = seed;
	if (!below(8))
		return LLVMFuzzerMutate(data, size, max);
	return make(data, size, NULL, 0, data, max);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max, unsigned seed)
{
	state = seed;
	return make(data, size, other, other_size, out, max);
}
