// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a module with the headers of a stranger's: a host of --remote, whose kernel is unknown here, has sent
 * them.
 *
 * Kbuild runs their makefiles and programs (fixdep, modpost, objtool), so all of it happens in a sandbox, the
 * unpacking of the headers, too.  Two archives go in, the headers and the sources; a module comes out, which is
 * for that host alone, and the compiler's report of stack usage.  There is no kit: its commands would be the
 * stranger's, and what it keeps would have to be read here.  So a new script takes as long as a kit, and a
 * module that was built is kept by what it was made from.
 *
 * It isn't signed.  Whatever the host's programs have put into it, other machines would load that by our key.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"
#include "cache.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/*
 * Debian has two directories of headers, of which the one with the configuration is for modules.  Its makefile
 * names the other below /usr/src.  $1 is the module's name, and the rest kbuild's command.  An archive becomes
 * four times as large as Debian's at most.  All of it is counted first: cut between two files it would be whole to
 * tar.
 */
static const char script[] =
	"tar -xf /in/sources || exit\n"
	"bytes=$(gzip -dc /in/headers | head -c 268435457 | wc -c)\n"
	"[ \"$bytes\" -le 268435456 ] && gzip -dc /in/headers | tar -x -C /usr/src || { "
		"echo 'error: the archive is damaged, or has more than 256 MB' >&2; exit 1; }\n"
	"for f in /usr/src/*/include/generated/autoconf.h; do build=${f%/include/*}; done\n"
	"export MAKEFILES=/src/runtime/kbuild.mk\n"
	"module=$1; shift\n"
	"ln -s \"$build\" /tmp/build && \"$@\" && cat \"$module.ko\" >&9 && cat " KIT_SCRIPT ".su >&8";

static const char *key_of(struct session *s, const struct kit_inputs *in)
{
	struct hash *h = hash_new();
	int failed;

	hash_string(h, "confined 1");
	hash_string(h, script);
	kit_hash_recipe(h);
	kit_hash_sources(s, in, h);
	for (size_t i = 0; i < s->options.kbuild_args.n; i++)
		hash_string(h, s->options.kbuild_args.v[i]);
	hash_string(h, s->module_name);
	failed = hash_file(h, s->options.host_headers) | hash_file(h, s->c_file);

	const char *key = hash_hex(h);

	if (failed)
		diag(DIAG_ERROR, "can't read %s or %s", s->options.host_headers, s->c_file);
	return failed ? NULL : key;
}

/* Packs the runtime's sources and the script, laid out in WORK.  Returns 0, or -1 after a message. */
static int pack(struct session *s, const struct kit_inputs *in, const char *work, const char *to)
{
	char *argv[] = { "tar", "-chf", (char *)to, "-C", (char *)work, ".", NULL };
	struct proc p = { .argv = argv, .envp = kit_environment() };
	char *c_file = realpath(s->c_file, NULL);
	struct sbuf output = { 0 };
	int failed = kit_lay_out(s, in, work) || !c_file ||
		     symlink(c_file, arena_printf("%s/" KIT_SCRIPT ".c", work)) || proc_run(&p, &output);

	free(c_file);
	if (failed && !diag_errors && !proc_interrupted())
		diag(DIAG_ERROR, "can't pack the runtime's sources: %s", sbuf_str(&output));
	sbuf_free(&output);
	return failed ? -1 : 0;
}

static void add_command(struct session *s, words *to)
{
	words more = { 0 }, kbuild;

	vec_push(&more, "KCFLAGS=" NO_INDENTATION " " TELL_FRAMES);
	for (size_t i = 0; i < s->options.kbuild_args.n; i++)
		vec_push(&more, s->options.kbuild_args.v[i]);
	kbuild = kbuild_command("/tmp/build", "/src", s->module_name, more.v, more.n);
	vec_push(to, "sh");
	vec_push(to, "-c");
	vec_push(to, (char *)script);
	vec_push(to, "sh");
	vec_push(to, (char *)s->module_name);
	for (size_t i = 0; i < kbuild.n; i++)
		vec_push(to, kbuild.v[i]);
}

static int run(struct session *s, const struct sandbox *b)
{
	struct sbuf output = { 0 };
	int status;

	progress("Building the module with the headers that its host has for %s", kernel_release(s->kernel));
	status = sandbox_run(b, &output);
	progress_end();
	if (status && !proc_interrupted()) {
		diag(DIAG_ERROR, "the module %s with the headers that the host has of %s",
		     status == SANDBOX_TIME_OVER ? "is not built within ten minutes" :
		     arena_printf("does not build (status %d)", status), kernel_release(s->kernel));
		diag_hint("what they print follows; -r takes a copy of headers that are right");
		kit_show_errors(s, sbuf_str(&output));
	}
	sbuf_free(&output);
	return status ? -1 : 0;
}

/* Builds the module KO, whose directory is new. */
static int build(struct session *s, const struct kit_inputs *in, const char *work, const char *ko)
{
	const char *out = work_dir(s), *sources = arena_printf("%s.sources", ko);
	struct sandbox b = {
		.headers = s->options.host_headers, .sources = sources, .module = ko,
		.frames = out ? arena_printf("%s/" KIT_SCRIPT ".su", out) : NULL,
	};

	if (!out || pack(s, in, work, sources))
		return -1;
	add_command(s, &b.command);
	return run(s, &b) || check_frames(s, out) ? -1 : 0;
}

int confined_build(struct session *s, bool *cached)
{
	struct kit_inputs in = { 0 };
	const char *key, *work, *ko;

	if (s->options.sign) {
		diag(DIAG_ERROR, "a module that programs of a host's have made is not signed");
		diag_hint("-r takes a copy of the headers of %s that you trust", kernel_release(s->kernel));
		return -1;
	}
	key = kit_find_sources(s, &in) ? NULL : key_of(s, &in);
	s->ko_file = key ? cache_get(s, key, ".ko") : NULL;
	*cached = s->ko_file;
	if (!key || *cached)
		return key ? 0 : -1;
	work = work_dir(s);
	ko = work ? arena_printf("%s.ko", work) : NULL;
	if (!ko || build(s, &in, work, ko))
		return -1;
	s->ko_file = cache_put(s, key, ".ko", ko);
	s->ko_file = s->ko_file ? s->ko_file : ko;
	return 0;
}
