// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SystemTap's points that need its own code inside the probed program.  They are refused, with
 * the reason.
 */
#include "families.h"

enum { JAVA, PYTHON };

#define METHOD(process)							\
	{ "java(" process ").class(s).method(s)", JAVA, NULL },		\
	{ "java(" process ").class(s).method(s).return", JAVA, NULL }
#define FUNCTION(python)						\
	{ python ".module(s).function(s)", PYTHON, NULL },		\
	{ python ".module(s).function(s).call", PYTHON, NULL },		\
	{ python ".module(s).function(s).return", PYTHON, NULL }

static const struct probe_pattern refused_patterns[] = {
	METHOD("s"), METHOD("n"), FUNCTION("python2"), FUNCTION("python3"), { NULL, 0, NULL },
};

static int refused_resolve(struct session *s, const struct probe_point *point,
			   const struct probe_pattern *pat, struct family_result *out)
{
	static const char *const why[] = {
		[JAVA] = "a method of a Java program can't be probed: that needs an agent in the "
			 "virtual machine, which this program doesn't have",
		[PYTHON] = "a function of a Python program can't be probed by module: that needs "
			   "SystemTap's module HelperSDT in the program; python.function.entry "
			   "and .return see all functions, where the interpreter has marks",
	};

	(void)s, (void)point;
	out->why.text = why[pat->variant];
	return -1;
}

const struct probe_family family_refused = {
	.name = "refused",
	.patterns = refused_patterns,
	.resolve = refused_resolve,
};
