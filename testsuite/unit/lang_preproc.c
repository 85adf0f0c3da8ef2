// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The preprocessor: each input must leave the same tokens as the plain text
 * beside it, or be refused with a message that holds the words beside it.
 */
#include "lang_test.h"

static const struct {
	const char *in;
	const char *same;	/* a handler's text, or … */
	const char *error;	/* … part of the message */
} cases[] = {
	/* arguments */
	{ "println(@1, $2, $#, @#)", "println(\"one\", 2, 2, \"2\")", NULL },
	{ "$1 = $2", "one = 2", NULL },
	{ "$1_more = 3", "one_more = 3", NULL },
	{ "a = \"x\" @1 \"y\"", "a = \"xoney\"", NULL },
	{ "a = $3", NULL, "the script got 2 arguments" },
	{ "%( $# > 1 %? a %: b %)", "a", NULL },
	{ "%( $# > 2 %? a = $3 %: b %)", "b", NULL },
	{ "%( @1 == \"one\" %? a %: b %)", "a", NULL },
	{ "%( $2 == 2 %? a %: b %)", "a", NULL },

	/* conditions */
	{ "%( kernel_v >= \"2.6.30\" %? a %: b %)", "a", NULL },
	{ "%( kernel_v < \"6.1.0\" %? a %: b %)", "b", NULL },
	{ "%( kernel_v == \"6.1.*\" %? a %: b %)", "a", NULL },
	{ "%( kernel_v == \"6.1.0\" %? a %: b %)", "a", NULL },
	{ "%( kernel_vr == \"6.1.0-*\" %? a %: b %)", "a", NULL },
	{ "%( kernel_vr != \"6.1.0-*\" %? a %)", "", NULL },
	{ "%( kernel_vr > \"6.1.0-9\" %? a %: b %)", "a", NULL },
	{ "%( arch == \"x86_64\" %? a %: b %)", "a", NULL },
	{ "%( arch == \"i?86\" || arch == \"x86*\" %? a %: b %)", "a", NULL },
	{ "%( guru_mode == 1 %? a %: b %)", "a", NULL },
	{ "%( systemtap_v >= \"4.0\" %? a %: b %)", "a", NULL },
	{ "%( systemtap_privilege == \"stapdev\" %? a %: b %)", "a", NULL },
	{ "%( runtime == \"kernel\" %? a %: b %)", "a", NULL },
	{ "%( CONFIG_NO_SUCH_THING == \"y\" %? a %: b %)", "b", NULL },
	{ "%( CONFIG_NO_SUCH_THING == \"\" %? a %: b %)", "a", NULL },
	{ "%( CONFIG_NO_SUCH_A < CONFIG_NO_SUCH_B %? a %: b %)", "b", NULL },
	{ "%( 1 == 2 && 1 == 1 || 3 == 3 %? a %: b %)", "a", NULL },
	{ "%( 1 == 1 || 1 == 1 && 3 == 4 %? a %: b %)", "a", NULL },
	{ "%( 0x10 == 16 %? a %: b %)", "a", NULL },
	{ "%( \"a\" < \"b\" %? a %: b %)", "a", NULL },
	{ "%( 1 == 1 %? %( 2 == 3 %? a %: b %) %: %( 1 == 1 %? c %) %) d", "b d", NULL },
	{ "%( 1 == 2 %? \"unclosed %: b %)", NULL, "not closed" },
	{ "%( 1 == 2 %? @unknown $9 ` %: b %)", "b", NULL },
	{ "a %( 1 == 1 %? + %: - %) b", "a + b", NULL },
	{ "%( 1 == 1 %? a", NULL, "not closed" },
	{ "%( 1 == 1 a %)", NULL, "'%?'" },
	{ "%( kernel_v %? a %)", NULL, "comparison operator" },
	{ "%( arch < \"x\" %? a %)", NULL, "'==' or '!='" },
	{ "%( bogus == 1 %? a %)", NULL, "kernel_v" },
	{ "a %)", NULL, "without" },
	{ "a %: b", NULL, "without" },

	/* macros (their definitions go before the probe) */
	{ "@m", "x = 1", NULL },
	{ "b = @add(1, 2)", "b = ((1) + (2))", NULL },
	{ "b = @add(@add(1, 2), f(3, 4))", "b = ((((1) + (2))) + (f(3, 4)))", NULL },
	{ "b = @outer(5)", "b = ((5) + (5))", NULL },
	{ "b = @nothing 3", "b = 3", NULL },
	{ "@both", "a", NULL },
	{ "b = @add(1)", NULL, "wrong number of arguments" },
	{ "b = @add", NULL, "expected '('" },
	{ "b = @add(1, 2", NULL, "not closed" },
	{ "@self", NULL, "recursive" },
	{ "b = @hole(x)", "b = x_1 . \"<x>\"", NULL },
	{ "b = @hole(if)", "b = if_1 . \"<if>\"", NULL },
	{ "b = @hole_in(x)", "b = ax_2x_1 . \"<ax_2x>\"", NULL },
	{ "b = @hole(1 + 1)", NULL, "'@{w}_1': expected a macro's parameter" },
	{ "b = @hole()", NULL, "expected a macro's parameter" },
	{ "b = @{w}", NULL, "expected a macro's parameter" },
	{ "b = \"@{w}\"", "b = \"@{w}\"", NULL },
	{ "b = @hole_not(x)", "b = \"@{v} @{ @{w\"", NULL },
	{ "@undefined", NULL, "unknown operator or macro @undefined" },
	{ "b = @choose_defined($x, 3)", "b = @defined($x) ? $x : 3", NULL },
};

static const char definitions[] =
	"@define m %( x = 1 %)\n"
	"@define add(a, b) %( ((@a) + (@b)) %)\n"
	"@define outer(a) %( @add(@a, @a) %)\n"
	"@define nothing %( %)\n"
	"@define both %( %( arch == \"x*\" %? a %: b %) %)\n"
	"@define self %( @self %)\n"
	"@define hole(w) %( @{w}_1 . \"<@{w}>\" %)\n"
	"@define hole_in(w) %( @hole(a@{w}_2@{w}) %)\n"
	"@define hole_not(w) %( \"@{v} @{ @{w\" %)\n";

static struct file *handler(struct session *s, const char *text)
{
	return parse_quietly(s, arena_printf("%sprobe begin { %s }", definitions, text));
}

static bool check(size_t i)
{
	struct session *s = test_session();
	struct file *got = handler(s, cases[i].in);

	if (cases[i].error) {
		const char *message = diag_quiet_first();

		if (!got && message && strstr(message, cases[i].error))
			return true;
		printf("lang_preproc: %s: said '%s'\n", cases[i].in, message ? message : "");
		return false;
	}

	struct file *want = handler(s, cases[i].same);
	char *a = got ? printed(got) : strdup("an error"), *b = printed(want);
	bool same = !strcmp(a, b);

	if (!same)
		printf("lang_preproc: %s: gave %s\n", cases[i].in, a);
	free(a);
	free(b);
	return same;
}

/* A macro is known only in its file; what it uses says where both are. */
static bool check_places(void)
{
	struct session *s = test_session();
	struct file *f = parse_quietly(s, "@define v %( y %)\nprobe begin { @v = 1 }");
	struct expr *y = f ? f->probes.v[0]->body->body.v[0]->expr->a : NULL;

	if (y && y->loc.line == 1 && y->loc.via && y->loc.via->line == 2 &&
	    y->loc.via->col == 15 && !parse_quietly(s, "probe begin { @v = 1 }"))
		return true;
	puts("lang_preproc: a macro's token has the wrong places");
	return false;
}

int main(void)
{
	size_t n = sizeof(cases) / sizeof(*cases), good = 0;

	for (size_t i = 0; i < n; i++)
		good += check(i);

	bool places = check_places();

	printf("lang_preproc: %zu of %zu cases\n", good, n);
	arena_free_all();
	return good != n || !places;
}
