// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Regular expressions: the compiler (translator/regex/) and the matcher
 * (runtime/text/regex.c) together, on random patterns and subjects.  What matches is
 * compared with the C library's regexec(); how it is divided among the groups
 * with a matcher here that tries every way in order of preference, and where only
 * one way is possible with regexec() again.
 */
#include <regex.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "regex/regex.h"
#include "unit.h"

enum { GROUPS = 8, SUBJECT = 10, PATTERNS = 6000, SUBJECTS = 10, TRIES = 20000 };

/* The whole match and the groups: -1 took no part. */
struct found {
	bool matched;
	int at[2 * GROUPS];
};

/* ---- patterns: random trees, and their texts --------------------------- */

struct tree {
	enum { BYTE, SET, ANY, BEGIN, END, CAT, ALT, REPEAT, GROUP } kind;
	char byte;
	const char *text;		/* SET */
	bool in[3];			/* SET: of the letters a, b and c */
	struct tree *a, *b;		/* CAT, ALT; REPEAT, GROUP: a */
	int min, max;
	int group;
};

static int ngroups;

static struct tree *tree(int kind)
{
	struct tree *t = arena_new(struct tree);

	t->kind = kind;
	return t;
}

static struct tree *random_leaf(void)
{
	static const struct tree sets[] = {
		{ .kind = SET, .text = "[ab]", .in = { 1, 1, 0 } },
		{ .kind = SET, .text = "[^a]", .in = { 0, 1, 1 } },
		{ .kind = SET, .text = "[b-c]", .in = { 0, 1, 1 } },
		{ .kind = SET, .text = "[[:alpha:]]", .in = { 1, 1, 1 } },
		{ .kind = SET, .text = "[^[:space:]b-]", .in = { 1, 0, 1 } },
		{ .kind = SET, .text = "[]a]", .in = { 1, 0, 0 } },
	};
	unsigned int kind = unit_random(16);
	struct tree *t = tree(kind < 10 ? BYTE : kind < 12 ? SET : kind < 14 ? ANY :
			      kind < 15 ? BEGIN : END);

	if (t->kind == SET)
		*t = sets[unit_random(sizeof(sets) / sizeof(*sets))];
	t->byte = 'a' + unit_random(3);
	return t;
}

static struct tree *random_repeat(struct tree *what)
{
	static const int bounds[][2] = {
		{ 0, -1 }, { 0, -1 }, { 1, -1 }, { 1, -1 }, { 0, 1 }, { 0, 1 }, { 2, 2 }, { 1, 2 },
		{ 2, -1 }, { 0, 2 }, { 0, 0 },
	};
	unsigned int i = unit_random(sizeof(bounds) / sizeof(*bounds));
	struct tree *t = tree(REPEAT);

	if (what->kind == BEGIN || what->kind == END)
		return what;
	t->a = what;
	t->min = bounds[i][0];
	t->max = bounds[i][1];
	return t;
}

static struct tree *random_tree(int depth)
{
	unsigned int kind = depth ? unit_random(12) : 0;
	struct tree *t;

	if (kind < 2)
		return random_leaf();
	if (kind < 4)
		return random_repeat(random_tree(depth - 1));
	if (kind < 7 && ngroups + 1 < GROUPS) {
		t = tree(GROUP);
		t->group = ++ngroups;
		t->a = random_tree(depth - 1);
		return t;
	}
	t = tree(kind < 10 ? CAT : ALT);
	t->a = random_tree(depth - 1);
	t->b = random_tree(depth - 1);
	return t;
}

/* A group is written where precedence asks for one: all have numbers, so those
 * are put into the tree as well. */
static struct tree *grouped(struct tree *t, bool wanted)
{
	struct tree *g;

	if (!wanted)
		return t;
	g = tree(GROUP);
	g->a = t;
	return g;
}

static struct tree *parenthesize(struct tree *t)
{
	if (t->a)
		t->a = parenthesize(t->a);
	if (t->b)
		t->b = parenthesize(t->b);
	if (t->kind == REPEAT)
		t->a = grouped(t->a, t->a->kind >= CAT && t->a->kind <= REPEAT);
	if (t->kind == CAT) {
		t->a = grouped(t->a, t->a->kind == ALT);
		t->b = grouped(t->b, t->b->kind == ALT);
	}
	return t;
}

static void number_groups(struct tree *t)
{
	if (t->kind == GROUP)
		t->group = ++ngroups;
	if (t->a)
		number_groups(t->a);
	if (t->b)
		number_groups(t->b);
}

static void write_repeat(struct sbuf *b, const struct tree *t)
{
	if (t->max < 0 && t->min < 2)
		sbuf_putc(b, "*+"[t->min]);
	else if (t->max == 1 && !t->min)
		sbuf_putc(b, '?');
	else if (t->max == t->min)
		sbuf_printf(b, "{%d}", t->min);
	else if (t->max < 0)
		sbuf_printf(b, "{%d,}", t->min);
	else
		sbuf_printf(b, "{%d,%d}", t->min, t->max);
}

static void write_tree(struct sbuf *b, const struct tree *t)
{
	switch (t->kind) {
	case BYTE:
		sbuf_putc(b, t->byte);
		break;
	case SET:
		sbuf_puts(b, t->text);
		break;
	case ANY: case BEGIN: case END:
		sbuf_putc(b, t->kind == ANY ? '.' : t->kind == BEGIN ? '^' : '$');
		break;
	case CAT: case ALT:
		write_tree(b, t->a);
		if (t->kind == ALT)
			sbuf_putc(b, '|');
		write_tree(b, t->b);
		break;
	case REPEAT:
		write_tree(b, t->a);
		write_repeat(b, t);
		break;
	case GROUP:
		sbuf_putc(b, '(');
		write_tree(b, t->a);
		sbuf_putc(b, ')');
		break;
	}
}

/* ---- every way, in order of preference --------------------------------- */

/*
 * What is to be matched after a piece.  A repetition that was begun counts its
 * rounds; from the second on a round must take something.
 */
struct rest {
	enum { PIECE, CLOSE, ROUND } kind;
	const struct tree *t;
	int rounds, began;		/* ROUND; CLOSE: began, the group's .at before */
	const struct rest *then;
};

static struct {
	const char *subject;
	int length, tries;
	int at[2 * GROUPS];		/* on the way */
	struct found best;		/* the longest, of those the first */
	bool unique;			/* no other way is as long */
} way;

static void go(const struct rest *r, int i);

static void accept(int i)
{
	way.at[1] = i;
	if (!way.best.matched || i > way.best.at[1]) {
		way.best.matched = way.unique = true;
		memcpy(way.best.at, way.at, sizeof(way.at));
	} else if (i == way.best.at[1] && memcmp(way.at, way.best.at, sizeof(way.at))) {
		way.unique = false;
	}
}

static bool takes(const struct tree *t, char c)
{
	return t->kind == ANY || (t->kind == BYTE && t->byte == c) ||
	       (t->kind == SET && t->in[c - 'a']);
}

static void go_repeat(const struct tree *t, int rounds, int i, const struct rest *then)
{
	struct rest round = { ROUND, t, rounds, i, then }, what = { PIECE, t->a, 0, 0, &round };

	if (t->max < 0 || rounds < t->max)
		go(&what, i);
	if (rounds >= t->min)
		go(then, i);
}

static void go_group(const struct tree *t, int i, const struct rest *then)
{
	struct rest close = { CLOSE, t, 0, i, then }, inside = { PIECE, t->a, 0, 0, &close };

	go(&inside, i);
}

static void go_close(const struct rest *r, int i)
{
	int *at = &way.at[2 * r->t->group], before[] = { at[0], at[1] };

	at[0] = r->began;
	at[1] = i;
	go(r->then, i);
	at[0] = before[0];
	at[1] = before[1];
}

static void go_piece(const struct tree *t, int i, const struct rest *then)
{
	struct rest second = { PIECE, t->b, 0, 0, then };

	switch (t->kind) {
	case BEGIN:
		if (i == 0)
			go(then, i);
		break;
	case END:
		if (i == way.length)
			go(then, i);
		break;
	case CAT:
		go_piece(t->a, i, &second);
		break;
	case ALT:
		go_piece(t->a, i, then);
		go_piece(t->b, i, then);
		break;
	case REPEAT:
		go_repeat(t, 0, i, then);
		break;
	case GROUP:
		go_group(t, i, then);
		break;
	default:
		if (i < way.length && takes(t, way.subject[i]))
			go(then, i + 1);
	}
}

static void go(const struct rest *r, int i)
{
	if (++way.tries > TRIES)
		return;
	if (!r)
		accept(i);
	else if (r->kind == PIECE)
		go_piece(r->t, i, r->then);
	else if (r->kind == CLOSE)
		go_close(r, i);
	else if (r->began != i || r->rounds + 1 < r->t->min || r->t->max >= 0)
		go_repeat(r->t, r->rounds + 1, i, r->then);
	else if (r->rounds == 0 || r->rounds + 1 == r->t->min)
		go(r->then, i);		/* took nothing: the last round */
}

/* False: too many ways to try. */
static bool try_all(const struct tree *t, const char *subject)
{
	struct rest all = { .kind = PIECE, .t = t };

	way.subject = subject;
	way.length = strlen(subject);
	way.tries = 0;
	way.best.matched = false;
	for (int i = 0; i <= way.length && !way.best.matched; i++) {
		memset(way.at, -1, sizeof(way.at));
		way.at[0] = i;
		go(&all, i);
	}
	return way.tries <= TRIES;
}

/* ---- comparing --------------------------------------------------------- */

static void prepare(void)
{
	static char text[128];
	static int at[2 * 256];
	static unsigned short states[128];

	unit_reset();
	unit_ctx.match = (struct st_match){ .text = text, .at = at, .states = states };
}

static const struct regex *compile(const char *pattern, bool groups)
{
	struct regex_issue error = { 0 };
	const struct regex *re = regex_compile(pattern, groups, &error);

	if (!re) {
		fprintf(stderr, "'%s' at %zu: %s\n", pattern, error.at, error.what);
		unit_failures++;
	}
	return re;
}

static void complain(const char *pattern, const char *subject, const char *what)
{
	const struct st_match *m = &unit_ctx.match;

	unit_failures++;
	fprintf(stderr, "'%s' on '%s': %s; got '%.*s'", pattern, subject, what,
		m->ngroups ? m->at[1] : 0, m->text);
	for (unsigned int i = 0; i < m->ngroups; i++)
		fprintf(stderr, " (%d,%d)", m->at[2 * i], m->at[2 * i + 1]);
	fprintf(stderr, "\n");
}

/* The first NGROUPS as the match has them, counted from its first byte. */
static bool same_groups(const int *at, int n)
{
	const struct st_match *m = &unit_ctx.match;

	for (int i = 0; i < 2 * n; i++)
		if (m->at[i] != (at[i] < 0 ? -1 : at[i] - at[0]))
			return false;
	return true;
}

static bool same_match(const char *subject, const int *at)
{
	const struct st_match *m = &unit_ctx.match;

	return m->at[1] == at[1] - at[0] && !memcmp(m->text, subject + at[0], m->at[1]);
}

/* glibc errs with anchors in repetitions, and may not return. */
static bool library_errs(const struct tree *t, bool repeated)
{
	if (!t)
		return false;
	if (t->kind == BEGIN || t->kind == END)
		return repeated;
	repeated |= t->kind == REPEAT;
	return library_errs(t->a, repeated) || library_errs(t->b, repeated);
}

static bool may_take_nothing(const struct tree *t)
{
	switch (t->kind) {
	case BYTE: case SET: case ANY:
		return false;
	case BEGIN: case END:
		return true;
	case CAT:
		return may_take_nothing(t->a) && may_take_nothing(t->b);
	case ALT:
		return may_take_nothing(t->a) || may_take_nothing(t->b);
	case REPEAT:
		return !t->min || may_take_nothing(t->a);
	default:
		return may_take_nothing(t->a);
	}
}

/* What groups are when rounds of a repetition take nothing is settled nowhere, and
 * everyone has ways of his own: fixed cases have ours. */
static bool empty_rounds(const struct tree *t)
{
	return t && ((t->kind == REPEAT && may_take_nothing(t->a)) || empty_rounds(t->a) ||
		     empty_rounds(t->b));
}

/* The C library's answer, in the same form. */
static struct found library(const regex_t *preg, const char *subject, int n)
{
	regmatch_t m[GROUPS];
	struct found f = { .matched = !regexec(preg, subject, n, m, 0) };

	for (int i = 0; i < n; i++) {
		f.at[2 * i] = m[i].rm_so;
		f.at[2 * i + 1] = m[i].rm_eo;
	}
	return f;
}

static void compare(const struct tree *t, const char *pattern, const regex_t *preg,
		    const struct regex *search, const struct regex *groups, const char *subject)
{
	bool searched = st_regex_search(&unit_ctx, &search->tables, unit_str(subject));
	bool matched = st_regex_match(&unit_ctx, &groups->tables, unit_str(subject));

	if (searched != matched)
		complain(pattern, subject, "search and match differ");
	if (!library_errs(t, false)) {
		struct found theirs = library(preg, subject, 1);

		if (matched != theirs.matched)
			complain(pattern, subject, "not as regexec()");
		else if (matched && !same_match(subject, theirs.at))
			complain(pattern, subject, "whole match not as regexec()'s");
	}
	if (empty_rounds(t) || !try_all(t, subject))
		return;
	if (way.best.matched != matched)
		complain(pattern, subject, "not as by trying");
	else if (matched && !same_groups(way.best.at, ngroups + 1))
		complain(pattern, subject, "groups not as by trying");
	else if (matched && way.unique && !library_errs(t, false) &&
		 !same_groups(library(preg, subject, GROUPS).at, ngroups + 1))
		complain(pattern, subject, "groups not as regexec()'s");
}

static void test_random(void)
{
	for (int n = 0; n < PATTERNS; n++) {
		struct sbuf b = { 0 };
		struct tree *t;
		regex_t preg;

		ngroups = 0;
		t = parenthesize(random_tree(4));
		ngroups = 0;
		number_groups(t);
		write_tree(&b, t);
		if (ngroups >= GROUPS || regcomp(&preg, sbuf_str(&b), REG_EXTENDED)) {
			sbuf_free(&b);
			continue;
		}
		const struct regex *search = compile(sbuf_str(&b), false);
		const struct regex *groups = compile(sbuf_str(&b), true);

		for (int i = 0; search && groups && i < SUBJECTS; i++) {
			char subject[SUBJECT + 1];
			int len = unit_random(SUBJECT + 1);

			for (int j = 0; j < len; j++)
				subject[j] = 'a' + unit_random(3);
			subject[len] = '\0';
			compare(t, sbuf_str(&b), &preg, search, groups, subject);
		}
		regfree(&preg);
		sbuf_free(&b);
		arena_free_all();
	}
}

/* ---- fixed cases ------------------------------------------------------- */

/* What the whole and the groups match, "-" for one that takes no part. */
static const struct {
	const char *pattern, *subject, *groups;
} cases[] = {
	{ "", "abc", "" },
	{ "b", "abc", "b" },
	{ "(a|ab)(c|bcd)(d*)", "abcd", "abcd a bcd " },
	{ "(a*)*", "b", " " },
	{ "(a*)+", "aa", "aa aa" },
	{ "(a*)(ab)*(b*)", "abb", "abb a - bb" },
	{ "(a?)(ab)?", "ab", "ab  ab" },
	{ "((a)|(b))*", "ab", "ab b a b" },
	{ "(aa|aaa)*", "aaaaaaa", "aaaaaaa aaa" },
	{ "(a{0,2})(a{1,3})", "aaa", "aaa aa a" },
	{ "b|(a)", "xa", "a a" },
	{ "b|(a)", "xb", "b -" },
	{ "(^|x)a", "xxa", "xa x" },
	{ "(^|x)a", "axa", "a " },
	{ "a(x|$)", "baax", "ax x" },
	{ "(^)*a", "xa", "a -" },
	{ "(a|$)+", "ba", "a a" },
	{ "()", "abc", " " },
	{ "((((a))))", "a", "a a a a a" },
	{ "x*", "aaxx", "" },
	{ "[^]a]+", "]ab]", "b" },
	{ "[a-c-e]+", "d-e", "-e" },
	{ "[[:alpha:]_][[:alnum:]_]*", "1 vfs_read2(", "vfs_read2" },
	{ "[\\]\\-]+", "a-]", "-]" },
	{ "\\.\\*\\[", "x.*[", ".*[" },
	{ "\xff[\x80-\xfe]", "a\xff\xc3", "\xff\xc3" },
	{ "a{2}{3}", "aaaaaaa", "aaaaaa" },
	{ "a{,2}b", "aaab", "aab" },
	{ "a]b}", "a]b}", "a]b}" },
	{ "(|a)b", "ab", "ab a" },
};

static const char *group_texts(void)
{
	static char text[256];
	const struct st_match *m = &unit_ctx.match;
	int n = 0;

	for (unsigned int i = 0; i < m->ngroups; i++)
		n += sprintf(text + n, "%s%.*s", i ? " " : "",
			     m->at[2 * i] < 0 ? 1 : m->at[2 * i + 1] - m->at[2 * i],
			     m->at[2 * i] < 0 ? "-" : m->text + m->at[2 * i]);
	return text;
}

static void test_cases(void)
{
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct st_str subject = unit_str(cases[i].subject);
		const struct regex *search = compile(cases[i].pattern, false);
		const struct regex *groups = compile(cases[i].pattern, true);

		CHECK(search && st_regex_search(&unit_ctx, &search->tables, subject));
		CHECK(groups && st_regex_match(&unit_ctx, &groups->tables, subject));
		CHECK_STRING(group_texts(), cases[i].groups);
	}
}

/* ---- what is refused --------------------------------------------------- */

static void test_refused(void)
{
	static const struct {
		const char *pattern;
		int at;
	} bad[] = {
		{ "(", 0 }, { "a(b(c)", 1 }, { "a)", 1 }, { "[", 0 }, { "[]", 0 }, { "[^]", 0 },
		{ "x[a\\]", 1 }, { "[z-a]", 1 }, { "[[:foo:]]", 1 }, { "[[:alpha:", 1 },
		{ "[a-[:digit:]]", 3 }, { "[[.ab.]]", 1 }, { "*a", 0 }, { "a|+", 2 }, { "(?", 1 },
		{ "{2}", 0 }, { "a{", 2 }, { "a{1", 1 }, { "a{1,2", 1 }, { "a{3,2}", 2 },
		{ "a{,}", 3 }, { "a{1001}", 2 }, { "a{99999999999}", 2 }, { "^*", 1 }, { "$+", 1 },
		{ "\\", 0 }, { "(a)\\1", 3 }, { "((a{1000}){1000}){1000}", 0 },
		{ "(((){1000}){1000}){1000}", 0 }, { "(a|b)*a(a|b){16}", 0 },
	};

	for (unsigned int i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct regex_issue error = { 0 };

		if (regex_compile(bad[i].pattern, false, &error)) {
			fprintf(stderr, "'%s' was accepted\n", bad[i].pattern);
			unit_failures++;
		} else if ((int)error.at != bad[i].at || !error.what) {
			fprintf(stderr, "'%s': %s at %zu\n", bad[i].pattern, error.what, error.at);
			unit_failures++;
		}
	}
}

/* Deep, long and wide ones. */
static void test_limits(void)
{
	static const struct {
		const char *open, *inside, *close;
		int n;
		bool fits;
	} shapes[] = {
		{ "(", "a", ")", 200, true }, { "(", "a", ")", 100000, false },
		{ "", "a", "*", 500, true }, { "", "a", "*", 100000, false },
		{ "", "a", "b", 500, true }, { "", "a", "b", 100000, false },
		{ "(a|", "a", ")", 200, true }, { "", "a", "|b", 2000, true },
	};

	for (unsigned int i = 0; i < 2 * sizeof(shapes) / sizeof(*shapes); i++) {
		struct regex_issue error = { 0 };
		struct sbuf b = { 0 };

		for (int n = 0; n < shapes[i / 2].n; n++)
			sbuf_puts(&b, shapes[i / 2].open);
		sbuf_puts(&b, shapes[i / 2].inside);
		for (int n = 0; n < shapes[i / 2].n; n++)
			sbuf_puts(&b, shapes[i / 2].close);
		if (!regex_compile(sbuf_str(&b), i % 2, &error) == shapes[i / 2].fits) {
			fprintf(stderr, "shape %u%s: %s\n", i / 2, i % 2 ? ", groups" : "",
				error.what ? error.what : "accepted");
			unit_failures++;
		}
		sbuf_free(&b);
		arena_free_all();
	}
}

/* Where a pattern is not wrong but likely not what was meant. */
static void test_odd(void)
{
	const struct regex *re = compile("ab\\d\\w", false);

	CHECK(re && re->odd.what && re->odd.at == 2 && re->odd.hint);
	re = compile("x[:alpha:]", false);
	CHECK(re && re->odd.what && re->odd.at == 1);
	re = compile("[[:alpha:]]\\.[:]", false);
	CHECK(re && !re->odd.what);
}

int main(void)
{
	prepare();
	test_cases();
	test_refused();
	test_limits();
	test_odd();
	test_random();
	return unit_failures != 0;
}
