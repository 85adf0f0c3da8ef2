// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 4: from the C file to the module.
 *
 * A script without kernel headers takes the short way: kbuild's saved commands
 * are replayed in a directory that looks like the one where they were saved,
 * with links to the kit's files.  A script with kernel headers may import any
 * symbol of the kernel, so kbuild itself builds it, with the same runtime
 * object.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "cache.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/*
 * Bytes of functions that make a script large: some thousand lines of script.  Tables don't count: those
 * of very many places take the compiler little time, and a small handler is to be as quick there as elsewhere.
 */
enum { LARGE_SCRIPT = 256 << 10 };

/* ---- where to work ---- */

static const char *borrowed_dir;	/* a directory outside the session's, see clean_tmpdir() */

static bool clean_path(const char *path)
{
	for (; *path; path++)
		if (!isalnum((unsigned char)*path) && !strchr("/._+-", *path))
			return false;
	return true;
}

/*
 * Returns the session's directory with links resolved; if make can't handle a
 * character in its path, a new directory below /tmp.  NULL with errno set.
 */
static const char *clean_tmpdir(struct session *s)
{
	const char *tmp = session_tmpdir(s);
	char *real = tmp ? realpath(tmp, NULL) : NULL;
	const char *dir = real && clean_path(real) ? arena_strdup(real) : NULL;

	free(real);
	if (dir || !tmp)
		return dir;
	if (!borrowed_dir)
		borrowed_dir = mkdtemp(arena_strdup("/tmp/stapXXXXXX"));
	return borrowed_dir;
}

const char *work_dir(struct session *s)
{
	static unsigned int n;
	const char *tmp = clean_tmpdir(s), *dir = "/tmp/stapXXXXXX";
	int failed = -1;

	while (tmp && failed) {
		dir = arena_printf("%s/build%u", tmp, n++);
		failed = mkdir(dir, 0777);
		if (failed && errno != EEXIST)	/* EEXIST: with --tmpdir, another run has made it */
			break;
	}
	if (!failed)
		return dir;
	diag(DIAG_ERROR, "can't make the directory %s: %s", dir, strerror(errno));
	return NULL;
}

static void return_borrowed(struct session *s)
{
	if (!borrowed_dir)
		return;
	if (s->options.keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", borrowed_dir);
	else
		file_remove_tree(borrowed_dir);
	borrowed_dir = NULL;
}

/* Links the kit's files and the script into the work directory. */
static int fill_dir(struct session *s, const struct kit *k, const char *work)
{
	const char *from = arena_printf("%s/work", k->dir);
	DIR *d = opendir(from);
	int failed = d ? 0 : -1;
	char *c_file = realpath(s->c_file, NULL);

	for (struct dirent *e; d && (e = readdir(d));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		failed |= symlink(arena_printf("%s/%s", from, e->d_name),
				  arena_printf("%s/%s", work, e->d_name));
	}
	if (d)
		closedir(d);
	if (!c_file || symlink(c_file, arena_printf("%s/" KIT_SCRIPT ".c", work)))
		failed = -1;
	free(c_file);
	if (failed)
		diag(DIAG_ERROR, "can't lay out %s: %s", work, strerror(errno));
	return failed;
}

/* ---- the compiler's messages ---- */

static void show(const char *output)
{
	fputs(output, stderr);
	if (*output && output[strlen(output) - 1] != '\n')
		fputc('\n', stderr);
}

/* Asks for a bug report, because generated C that doesn't compile is a bug of stap's. */
static void internal_error(struct session *s, const char *output)
{
	diag(DIAG_ERROR, "internal error: the generated C code does not compile");
	if (!s->verbose)
		diag_hint("please report it [man error::reporting]; -v shows the compiler's "
			  "messages, -k keeps the code");
	else
		show(output);
}

/* Explains a message of modpost about a symbol.  Returns false for any other line. */
static bool explain_symbol(const char *line)
{
	static const char lead[] = "ERROR: modpost: ";
	char symbol[128], space[128];

	if (strncmp(line, lead, sizeof(lead) - 1))
		return false;
	line += sizeof(lead) - 1;
	if (sscanf(line, "\"%127[^\"]\" [%*[^]]] undefined!", symbol) == 1) {
		diag(DIAG_ERROR, "the script's C code uses '%s', which this kernel does not export "
		     "to modules", symbol);
		return true;
	}
	if (sscanf(line, "module %*s uses symbol %127s from namespace %127[^,]", symbol, space) == 2) {
		diag(DIAG_ERROR, "the script's C code uses '%s', which the kernel exports in the "
		     "namespace %s only", symbol, space);
		diag_hint("put into a %%{ %%} at the top of the script: MODULE_IMPORT_NS(%s);", space);
		return true;
	}
	return false;
}

/*
 * Prints the errors of a build by kbuild.  They name lines of the script, because embedded.c writes
 * #line.
 */
static void explain_kbuild(struct session *s, const char *output)
{
	char *rest = arena_strdup(output), *line;
	bool explained = false;

	while ((line = strsep(&rest, "\n")))
		explained |= explain_symbol(line);
	if (explained && !s->verbose)
		return;
	if (!explained)
		diag(DIAG_ERROR, "the C code of the script does not compile or link");
	rest = arena_strdup(output);
	while ((line = strsep(&rest, "\n")))
		if (*line && (s->verbose || !kbuild_chatter(line)))
			fprintf(stderr, "%s\n", line);
	if (!explained && strstr(output, KIT_SCRIPT ".c:"))
		diag_hint(KIT_SCRIPT ".c is generated from the script (-k keeps it); errors in it "
			  "come from a bracket, quote or comment that a %%{ %%} leaves open");
}

/* ---- the short way ---- */

/*
 * Returns kbuild's command with OPTIONS and with what every script needs: without the warning
 * about misleading indentation, which takes quadratic time.
 */
static const char *compile_command(const struct kit_commands *c, const char *options)
{
	const char *at = strstr(c->compile, " -c -o ");

	return at ? arena_printf("%.*s " NO_INDENTATION " " TELL_FRAMES "%s%s",
				 (int)(at - c->compile), c->compile, options, at) : c->compile;
}

static int run_compiler(struct session *s, const struct kit_commands *c, const char *options)
{
	struct sbuf output = {};
	int status = saved_run(compile_command(c, options), c->env.v, c->cwd, &output);

	if (status && !proc_interrupted())
		internal_error(s, sbuf_str(&output));
	else if (!status && s->verbose > 2 && output.len)
		show(sbuf_str(&output));
	sbuf_free(&output);
	return status ? -1 : 0;
}

/* ---- a large script, in two parts at the same time ---- */

struct part {
	struct session *s;
	const struct kit *kit;
	const char *work;		/* its directory */
	const char *options;
};

static int compile_part(void *arg)
{
	const struct part *p = arg;
	struct kit_commands c;

	if (!p->work || kit_commands(p->kit, p->work, &c) || fill_dir(p->s, p->kit, p->work))
		return -1;
	return run_compiler(p->s, &c, p->options);
}

static int link_parts(const struct kit_commands *c, const struct part *parts, size_t n,
		      const char *work)
{
	struct sbuf output = {};
	words objects = {};

	for (size_t i = 0; i < n; i++)
		vec_push(&objects, arena_printf("%s/" KIT_SCRIPT ".o", parts[i].work));
	int failed = link_objects(c, &objects, arena_printf("%s/" KIT_SCRIPT ".o", work), &output);

	if (failed && !proc_interrupted())
		diag(DIAG_ERROR, "the script's parts do not link: %s", sbuf_str(&output));
	sbuf_free(&output);
	return failed;
}

/* Late optimisations of very much code cost more than they save. */
#define LARGE_OPTIONS " -Og -DST_LARGE -DST_PART="

static int compile_large(struct session *s, const struct kit *k, const struct kit_commands *c,
			 const char *work)
{
	struct part parts[] = {
		{ s, k, work_dir(s), LARGE_OPTIONS "1" },
		{ s, k, work_dir(s), LARGE_OPTIONS "2" },
	};

	int frames = 0;

	proc_beside(compile_part, &parts[1]);
	int failed = compile_part(&parts[0]);

	failed |= proc_join();
	for (size_t i = 0; !failed && i < 2; i++)
		frames |= check_frames(s, parts[i].work);
	return failed || frames ? -1 : link_parts(c, parts, 2, work);
}

/*
 * Compiles the script's C file to WORK/stap_script.o with the kit, and checks its
 * frames.  Returns 0, or -1 after a message.
 */
static int compile_script(struct session *s, const struct kit *k, const struct kit_commands *c,
			  const char *work)
{
	if (fill_dir(s, k, work))
		return -1;
	if (s->c_code >= LARGE_SCRIPT)
		return compile_large(s, k, c, work);
	return run_compiler(s, c, "") || check_frames(s, work) ? -1 : 0;
}

/* ---- kbuild's way ---- */

/* Builds the module with full kbuild.  Returns its path, or NULL after a message. */
static const char *kbuild_script(struct session *s, const struct kit *k, const char *work)
{
	struct sbuf output = {};
	struct sbuf no_commands = {};
	words more = {};

	sbuf_puts(&no_commands, "\n");
	/* modpost needs a .cmd file for every object */
	if (fill_dir(s, k, work) || kit_use_makefile(work, "script.mk") ||
	    kit_write(arena_printf("%s/." KIT_RUNTIME ".o.cmd", work), &no_commands))
		return NULL;
	vec_push(&more, "stap-cflags=" NO_INDENTATION " " TELL_FRAMES);
	for (size_t i = 0; i < s->options.kbuild_args.n; i++)
		vec_push(&more, s->options.kbuild_args.v[i]);
	int status = kbuild_run(s, work, s->module_name, more.v, more.n, NULL, NULL, &output);

	if (status && !proc_interrupted())
		explain_kbuild(s, sbuf_str(&output));
	sbuf_free(&output);
	if (status || check_frames(s, work))
		return NULL;
	return arena_printf("%s/%s.ko", work, s->module_name);
}

/* ---- the pass ---- */

static const char *module_key(struct session *s, const struct kit *k, bool full_kbuild)
{
	struct hash *h = hash_new();

	hash_string(h, "module");
	hash_string(h, k->id);
	hash_string(h, full_kbuild ? "kbuild" : "replay");
	for (size_t i = 0; i < s->options.kbuild_args.n; i++)
		hash_string(h, s->options.kbuild_args.v[i]);
	hash_string(h, s->module_name);
	hash_file(h, s->c_file);
	return hash_hex(h);
}

static const char *replay(struct session *s, const struct kit *k, bool *retry)
{
	const char *work = work_dir(s);
	struct kit_commands c;

	*retry = false;
	if (!work)
		return NULL;
	if (kit_commands(k, work, &c)) {
		diag(DIAG_ERROR, "can't use the cached runtime in %s", k->dir);
		diag_hint("stap --clean-cache");
		return NULL;
	}
	if (compile_script(s, k, &c, work))
		return NULL;
	return link_script(s, k, &c, work, retry);
}

/* Builds the module in a work directory.  Replaces *K if the kit is damaged. */
static const char *build(struct session *s, struct kit **k, bool full_kbuild)
{
	bool retry = false;

	if (!kit_verify(*k)) {
		*k = kit_rebuild(s);
		if (!*k)
			return NULL;
	}
	if (!full_kbuild) {
		const char *ko = replay(s, *k, &retry);

		if (ko || !retry)
			return ko;
	}
	const char *work = kit_has_headers(s) ? work_dir(s) : NULL;

	return work ? kbuild_script(s, *k, work) : NULL;
}

/*
 * Must the module be copied to the current directory?  Yes with -m NAME; and if stap stops after
 * this pass and there is no cache, because the work directory is removed.  A module for a bundle
 * isn't copied.
 */
static bool belongs_here(const struct session *s)
{
	if (s->options.bundle)
		return false;
	return s->options.module_name ||
	       (s->options.last_pass == 4 && s->tmpdir &&
		!strncmp(s->ko_file, s->tmpdir, strlen(s->tmpdir)));
}

/*
 * Copies the module to the current directory.  Pass 5 doesn't load the copy, because the
 * directory's owner could replace it; a file that has the name already is removed, because it could
 * be another user's.
 */
static int leave_here(struct session *s)
{
	const char *here = arena_printf("%s.ko", s->module_name);

	if (file_copy(s->ko_file, here, false)) {
		diag(DIAG_ERROR, "can't write %s: %s", here, strerror(errno));
		return -1;
	}
	if (s->options.last_pass == 4)
		s->ko_file = here;
	return 0;
}

/* Leaves the module in the session's directory, under its name, because there is no cache. */
static int keep_own(struct session *s, const char *ko)
{
	s->ko_file = arena_printf("%s/%s.ko", session_tmpdir(s), s->module_name);
	if (file_copy(ko, s->ko_file, false)) {
		diag(DIAG_ERROR, "can't write %s: %s", s->ko_file, strerror(errno));
		return -1;
	}
	return 0;
}

static int build_into(struct session *s, struct kit *k, bool full_kbuild)
{
	const char *ko = build(s, &k, full_kbuild);

	if (!ko)
		return -1;
	/* *K may have been rebuilt, and that changes the key */
	s->ko_file = cache_put(s, module_key(s, k, full_kbuild), ".ko", ko);
	return s->ko_file ? 0 : keep_own(s, ko);
}

static int get_or_build(struct session *s, bool full_kbuild, bool *cached)
{
	struct kit *k = kit_open(s);

	if (!k)
		return -1;
	if (access(s->c_file, R_OK)) {
		diag(DIAG_ERROR, "can't read %s: %s", s->c_file, strerror(errno));
		return -1;
	}
	s->ko_file = cache_get(s, module_key(s, k, full_kbuild), ".ko");
	*cached = s->ko_file != NULL;
	return *cached ? 0 : build_into(s, k, full_kbuild);
}

int kit_build_module(struct session *s, bool full_kbuild, bool *cached)
{
	*cached = false;
	full_kbuild |= s->options.kbuild_args.n > 0;
	proc_hold_signals();
	int failed = s->options.host_headers ? confined_build(s, cached) : get_or_build(s, full_kbuild, cached);

	return_borrowed(s);
	if (!failed && !s->options.host_headers)
		failed = kit_sign(s);
	if (!failed && belongs_here(s))
		failed = leave_here(s);
	if (proc_release_signals()) {
		fputs("Interrupted.\n", stderr);
		failed = -1;
	}
	return failed;
}

int kit_build_own_copy(struct session *s)
{
	/* as long as the present name, because the file has no more room */
	const char *name = arena_printf("%.*s_%07d", (int)strlen(s->module_name) - 8,
					s->module_name, getpid() % 10000000);
	const char *ko = arena_printf("%s/%s.ko", session_tmpdir(s), name);

	if (file_copy(s->ko_file, ko, false) || elf_rename(ko, s->module_name, name)) {
		diag(DIAG_ERROR, "can't write %s: %s", ko, strerror(errno));
		return -1;
	}
	s->ko_file = ko;
	return kit_sign_copy(s, ko);
}
