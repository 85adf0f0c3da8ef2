// SPDX-License-Identifier: GPL-2.0-or-later
/* Qualified and mangled names: which patterns match them, what symbols stand for. */
#include <stdio.h>
#include <string.h>

#include "debuginfo/symbols/demangle.h"
#include "debuginfo/symbols/match.h"

static int failures;

static void check_match(const char *pattern, const char *name, bool literally, bool want)
{
	if (match_name(pattern, name, literally) == want)
		return;
	failures++;
	fprintf(stderr, "'%s' %s '%s'\n", pattern, want ? "does not match" : "matches", name);
}

static void check_demangle(const char *symbol, const char *want)
{
	const char *got = demangle(symbol);

	if (got ? want && !strcmp(got, want) : !want)
		return;
	failures++;
	fprintf(stderr, "%s: %s, not %s\n", symbol, got ? got : "nothing", want ? want : "nothing");
}

static void check_parts(void)
{
	check_match("method", "ns::Class::method", false, true);
	check_match("Class::method", "ns::Class::method", false, true);
	check_match("ns::Class::method", "ns::Class::method", false, true);
	check_match("lass::method", "ns::Class::method", false, false);
	check_match("ns::method", "ns::Class::method", false, false);
	check_match("Class", "ns::Class::method", false, false);
	check_match("ns::Class", "ns::Class::method", false, false);
	check_match("n*", "ns::Class::method", false, false);
	check_match("m*", "ns::Class::method", false, true);
	check_match("*::method", "ns::Class::method", false, true);
	check_match("ns::*", "ns::Class::method", false, true);
	check_match("Cl*::m?thod", "ns::Class::method", false, true);
	check_match("*", "ns::Class::method", false, true);
	check_match("main", "main", false, true);
	check_match("mai", "main", false, false);
}

static void check_templates(void)
{
	const char *name = "std::vector<int, std::allocator<int> >::push_back";

	check_match("push_back", name, false, true);
	check_match("vector<*>::push_back", name, false, true);
	check_match("std::vector::push_back", name, false, true);
	check_match("vector::push*", name, false, true);
	check_match("allocator<int> >::push_back", name, false, false);
	check_match("allocator", name, false, false);
	check_match("ns::twice", "ns::twice<int>", false, true);
	check_match("twice<int>", "ns::twice<int>", false, true);
	check_match("twice<long>", "ns::twice<int>", false, false);
	check_match("call", "ns::call<fn(i32) -> i32>", true, true);
	check_match("get", "(anonymous namespace)::Box<int>::get", true, true);
	check_match("speak", "<r::Thing as r::Speak>::speak", true, true);
}

static void check_operators(void)
{
	check_match("operator[]", "ns::Map::operator[]", true, true);
	check_match("operator[a]", "ns::Map::operator[a]", false, false);
	check_match("Map::operator<", "ns::Map::operator<", true, true);
	check_match("operator std::string", "ns::Map::operator std::string", true, true);
	check_match("string", "ns::Map::operator std::string", true, false);
	check_match("operators", "ns::operators", true, true);
	check_match("main.(*T).Method", "main.(*T).Method", true, true);
	check_match("main.Map[go.shape.int_0]", "main.Map[go.shape.int_0]", true, true);
}

static void check_odd(void)
{
	check_match("", "", true, true);
	check_match("x", "", true, false);
	check_match("a", "::a", true, true);
	check_match("a::", "a::", true, true);
	check_match("a", "<<<<::a", true, false);
	check_match("*", ">>>>", false, true);
	check_match("a", "b<<::a", true, false);
}

static void check_symbols(void)
{
	check_demangle("_ZN2ns5Class6methodEPKc", "ns::Class::method");
	check_demangle("_ZN2ns5twiceIiEET_S1_", "ns::twice<int>");
	check_demangle("_ZNSt6vectorIiSaIiEE9push_backERKi",
		       "std::vector<int, std::allocator<int> >::push_back");
	check_demangle("_ZN1r5inner5Thing4grow17h4d60e398f3567cb9E", "r::inner::Thing::grow");
	check_demangle("_RNvMNtCs6GmmlP4bgsG_1r5innerNtB2_5Thing4grow", "r::inner::Thing::grow");
	check_demangle("_RINvCs6GmmlP4bgsG_1r4showReEB2_", "r::show<&str>");
	check_demangle("_ZN51_$LT$r..inner..Thing$u20$as$u20$r..inner..Speak$GT$5speak"
		       "17h4c33c98705a2dee1E", "<r::inner::Thing as r::inner::Speak>::speak");
	check_demangle("main", NULL);
	check_demangle("_Z", NULL);
	check_demangle("_R", NULL);
	check_demangle("_ZN9999999999999999999aE", NULL);
}

int main(void)
{
	check_parts();
	check_templates();
	check_operators();
	check_odd();
	check_symbols();
	return failures != 0;
}
