// SPDX-License-Identifier: GPL-2.0-or-later
/* One session after the other in one process: nothing of one may show in the next. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "lang/lang.h"
#include "session.h"

enum { FLAGS_WITHIN = 1000 };	/* bytes of the input that may have flags */

static struct session session;
static struct kernel kernel = {
	.release = "6.1.0-fuzz", .arch = "x86_64",
	.build = STAP_BUILDDIR "/testsuite/fuzz",	/* has our vmlinux */
};
static char work_dir[] = "/tmp/stap-fuzzXXXXXX";
static FILE *messages, *real;

static void remove_work_dir(void)
{
	unlink(arena_printf("%s/fuzz_src.c", work_dir));
	unlink(arena_printf("%s/vmlinux", work_dir));
	rmdir(work_dir);
	arena_free_all();
	stderr = real;
	fclose(messages);
}

/* Messages are made, and go nowhere. */
static void start(void)
{
	if (messages)
		return;
	messages = fopen("/dev/null", "w");
	fuzz_must(messages && mkdtemp(work_dir), "no work directory");
	real = stderr;
	if (!getenv("FUZZ_MESSAGES"))
		stderr = messages;
	atexit(remove_work_dir);
}

void fuzz_must(int is_so, const char *what)
{
	if (is_so)
		return;
	fprintf(real ? real : stderr, "fuzz: %s\n", what);
	abort();
}

static bool has_flag(const uint8_t *data, size_t size, const char *flag)
{
	const char *text = memmem(data, size < FLAGS_WITHIN ? size : FLAGS_WITHIN, "flags:", 6);
	const char *end = text ? memchr(text, '\n', (const char *)data + size - text) : NULL;

	return end && memmem(text, end - text, flag, strlen(flag));
}

struct session *fuzz_session(const uint8_t *data, size_t size)
{
	static const char *const args[] = { "7", "text", "-1 + x" };
	struct session *s = &session;
	struct source *script = arena_new(struct source);

	start();
	memset(s, 0, sizeof(*s));
	s->options.last_pass = 3;
	s->options.guru = has_flag(data, size, "-g");
	s->options.unoptimized = has_flag(data, size, "-u");
	s->module_name = s->options.module_name = "fuzz";
	s->options.disable_cache = true;
	s->tmpdir = work_dir;
	s->tapset_dir = STAP_SRCDIR "/testsuite/fuzz/data/library";
	s->kernel = &kernel;
	for (size_t i = 0; i < sizeof(args) / sizeof(*args); i++) {
		vec_push(&s->options.args, args[i]);
		vec_push(&s->arg_used, false);
	}
	script->name = "<input>";
	script->text = arena_strndup((const char *)data, size);
	script->len = size;
	s->script = script;
	return s;
}

void fuzz_end(struct session *s)
{
	if (s->target)
		target_close(s->target);
	arena_free_all();
	diag_reset();
}
