/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of translator/lang share: a session to parse in, and printing. */
#ifndef LANG_TEST_H
#define LANG_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "lang/lang.h"
#include "session.h"

/* A session for kernel 6.1.0-56-test on x86_64, arguments "one" and "2". */
static inline struct session *test_session(void)
{
	static struct kernel kernel = {
		.release = "6.1.0-56-test", .arch = "x86_64", .build = "/none",
	};
	struct session *s = arena_new(struct session);

	s->kernel = &kernel;
	s->options.guru = true;
	s->options.disable_cache = true;
	vec_push(&s->options.args, "one");
	vec_push(&s->options.args, "2");
	vec_push(&s->arg_used, false);
	vec_push(&s->arg_used, false);
	return s;
}

static inline char *printed(const struct file *f)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	print_file(out, f);
	fclose(out);
	return text;
}

/* Parses with messages going nowhere; what went wrong is in diag_quiet_first(). */
static inline struct file *parse_quietly(struct session *s, const char *text)
{
	diag_quiet_begin();

	struct file *f = lang_parse(s, source_from_text("<test>", text), false);

	diag_quiet_end();
	return f;
}

#endif
