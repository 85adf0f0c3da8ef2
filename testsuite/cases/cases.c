// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs files of cases: scripts, and what passes 2 and 3 make of them: the elaborated program, the
 * intermediate one, C.
 *
 *	cases FILE.cases...
 *
 * testsuite/README.md says how a case is written.  All cases of a file run in
 * one process, each in a session of its own: with our script library, and the
 * fuzz targets' kernel (testsuite/fuzz/kernel.c) with its debug information.
 */
#include <ftw.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "backend/module/codegen.h"
#include "ir/file.h"
#include "ir/ir.h"
#include "lower/lower.h"
#include "debuginfo/debuginfo.h"
#include "lang/lang.h"
#include "options.h"
#include "program/program.h"
#include "sema/elaborate.h"
#include "session.h"

enum { MAX_LINES = 5000 };

/* The lines FROM…TO of the file: a title, a script, what is expected. */
struct test_case {
	const char *path;
	char **lines;
	unsigned from, to;
};

/* What came of a case, as text. */
struct outcome {
	char *program, *ir, *c, *messages;	/* malloc'ed */
	bool failed;
};

static char work_dir[4000];

/* ---- texts ---------------------------------------------------------------- */

static char *read_text(const char *path)
{
	FILE *f = path ? fopen(path, "re") : NULL;
	char *text = NULL;
	size_t room = 0;

	if (!f || getdelim(&text, &room, '\0', f) < 0) {
		free(text);
		text = strdup("");
	}
	if (f)
		fclose(f);
	return text;
}

static bool is_expectation(const char *line)
{
	return strchr("2I3EW", line[0]) && line[0] && strchr("=~!", line[1]) && line[1] &&
	       line[2] == ' ';
}

static const char *without_indent(const char *line)
{
	return line + strspn(line, " \t");
}

/* ---- running a case ------------------------------------------------------- */

/* Appends the words of the script's lines that begin with KEY, as a shell has them. */
static bool header_words(const struct test_case *t, const char *key, text_list *words)
{
	size_t len = strlen(key);
	bool good = true;

	for (unsigned i = t->from + 1; i < t->to; i++)
		if (!strncmp(t->lines[i], key, len))
			good &= proc_shell_words(t->lines[i] + len, words);
	return good;
}

/* Lines keep their numbers within the case: the title is the first. */
static const char *script_text(const struct test_case *t)
{
	struct sbuf b = { 0 };

	sbuf_putc(&b, '\n');
	for (unsigned i = t->from + 1; i < t->to && !is_expectation(t->lines[i]); i++)
		sbuf_printf(&b, "%s\n", t->lines[i]);
	return sbuf_take(&b);
}

static struct kernel kernel = {
	.release = "6.1.0-cases", .arch = "x86_64",
	.build = STAP_BUILDDIR "/testsuite/fuzz",	/* has the vmlinux */
};

static bool open_session(struct session *s, const struct test_case *t)
{
	text_list argv = { 0 };
	int status;
	bool good;

	vec_push(&argv, "stap");
	good = header_words(t, "# flags: ", &argv);
	vec_push(&argv, "-e");
	vec_push(&argv, script_text(t));
	good &= header_words(t, "# args: ", &argv);
	vec_push(&argv, NULL);
	memset(s, 0, sizeof(*s));
	diag_no_warnings = diag_warnings_are_errors = diag_all_warnings = false;
	s->options.last_pass = 3;
	s->home = s->tmpdir = work_dir;
	s->tapset_dir = "tapsets";
	s->kernel = &kernel;
	s->module_name = s->options.module_name = "cases";
	if (!good ||
	    read_options(&s->options, work_dir, argv.n - 1, (char **)argv.v, &status) != ACTION_RUN)
		return false;
	for (size_t i = 0; i < s->options.args.n; i++)
		vec_push(&s->arg_used, false);
	return true;
}

static void print_locks(FILE *out, const struct program *prog)
{
	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		for (size_t j = 0; j < p->locks.n; j++)
			fprintf(out, "%s locks %s to %s\n", p->sites.v[0].pp,
				p->locks.v[j].var->name, p->locks.v[j].write ? "write" : "read");
	}
}

static char *dump_of(const struct ir_program *ir)
{
	char *text;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	ir_dump(f, ir);
	fclose(f);
	return text;
}

/* Is the program the same when it has been written to a file and read, and the file too? */
static bool survives_file(const struct ir_program *ir)
{
	struct sbuf first = { 0 }, second = { 0 };
	const char *why = ir_write(&first, ir);
	const struct ir_program *again = why ? NULL : ir_read(first.s, first.len, &why);
	char *before = dump_of(ir), *after = again ? dump_of(again) : strdup(why);
	bool same = !strcmp(before, after);

	if (again)
		ir_write(&second, again);
	same &= first.len == second.len && !memcmp(first.s, second.s, first.len);
	if (!same)
		fprintf(stderr, "%s", again ? "" : why);
	free(before);
	free(after);
	sbuf_free(&first);
	sbuf_free(&second);
	return same;
}

static int run_passes(struct session *s, FILE *program, FILE *dump)
{
	const struct ir_program *ir;

	s->script = source_from_text("<input>", s->options.script_text);
	library_open(s);

	struct file *f = lang_parse(s, s->script, false);

	if (!f)
		return -1;
	vec_push(&s->files, f);
	s->program = sema_elaborate(s);
	if (!s->program || diag_errors)
		return -1;
	print_program(program, s->program, true);
	print_locks(program, s->program);
	ir = lower_program(s, s->program);
	ir_dump(dump, ir);
	if (!diag_errors && !survives_file(ir))
		diag(DIAG_ERROR, "the intermediate program is another after it was a file");
	return codegen_translate(s, s->program, ir);
}

static struct outcome run_case(const struct test_case *t)
{
	static struct session session;
	struct outcome o = { 0 };
	FILE *real = stderr, *program, *dump;
	size_t len;

	stderr = open_memstream(&o.messages, &len);
	program = open_memstream(&o.program, &len);
	dump = open_memstream(&o.ir, &len);
	o.failed = !open_session(&session, t) || run_passes(&session, program, dump) || diag_errors;
	fclose(program);
	fclose(dump);
	fclose(stderr);
	stderr = real;
	o.c = read_text(session.c_file);
	if (session.c_file)
		unlink(session.c_file);
	if (session.target)
		target_close(session.target);
	arena_free_all();
	diag_reset();
	return o;
}

/* ---- comparing ------------------------------------------------------------ */

/* Given after what the passes made, so that they are what is seen last. */
static FILE *complaints;

static void complain(const struct test_case *t, unsigned line, const char *what)
{
	fprintf(complaints, "%s:%u: %s: %s\n", t->path, line + 1, t->lines[t->from] + 3, what);
}

/* Where TEXT has the line; *end: behind it.  NULL: nowhere. */
static const char *find_line(const char *text, const char *line, const char **end)
{
	size_t len = strlen(line);

	for (; *text; text = *end) {
		const char *start = without_indent(text);

		*end = start + strcspn(start, "\n");
		if ((size_t)(*end - start) == len && !memcmp(start, line, len))
			return start;
		*end += **end == '\n';
	}
	return NULL;
}

static const char *find_regex(const char *text, const char *regex, const char **end)
{
	regex_t re;
	regmatch_t m;
	bool found;

	if (regcomp(&re, regex, REG_EXTENDED | REG_NEWLINE)) {
		fprintf(stderr, "bad regular expression: %s\n", regex);
		exit(2);
	}
	found = !regexec(&re, text, 1, &m, 0);
	regfree(&re);
	if (!found)
		return NULL;
	*end = text + m.rm_eo;
	return text + m.rm_so;
}

/* Is TEXT as LINE wants it?  Where it is, *at moves on: expectations have an order. */
static bool meets(const char *line, const char *text, const char **at)
{
	const char *wanted = without_indent(line + 3), *end;

	if (line[1] == '!')
		return !find_regex(text, wanted, &end);
	if (!(line[1] == '=' ? find_line : find_regex)(*at, wanted, &end))
		return false;
	*at = end;
	return true;
}

struct verdict {
	unsigned expectations, missed;
	bool may_fail;			/* an error is expected */
	bool ir_matters, c_matters;	/* something of pass 3 was missed */
};

static struct verdict judge(const struct test_case *t, const struct outcome *o)
{
	const char *program = o->program, *ir = o->ir, *c = o->c, *messages = o->messages;
	struct verdict v = { 0 };

	for (unsigned i = t->from + 1; i < t->to; i++) {
		const char *line = t->lines[i];
		bool met;

		if (!is_expectation(line))
			continue;
		if (line[0] == '2')
			met = meets(line, o->program, &program);
		else if (line[0] == 'I')
			met = meets(line, o->ir, &ir);
		else if (line[0] == '3')
			met = meets(line, o->c, &c);
		else
			met = meets(line, o->messages, &messages);
		if (!met)
			complain(t, i, line);
		v.expectations++;
		v.missed += !met;
		v.may_fail |= line[0] == 'E';
		v.ir_matters |= line[0] == 'I' && !met;
		v.c_matters |= line[0] == '3' && !met;
	}
	return v;
}

static bool check(const struct test_case *t, const struct outcome *o)
{
	struct verdict v = judge(t, o);

	if (!v.expectations)
		complain(t, t->from, "it expects nothing");
	if (o->failed != v.may_fail)
		complain(t, t->from, v.may_fail ? "no error" : "an error");
	if (v.expectations && !v.missed && o->failed == v.may_fail)
		return true;
	printf("---- %s\n%s---- pass 2\n%s", t->lines[t->from] + 3, o->messages, o->program);
	if (v.ir_matters)
		printf("---- intermediate program\n%s", o->ir);
	if (v.c_matters)
		printf("---- pass 3\n%s", o->c);
	return false;
}

/* ---- files ---------------------------------------------------------------- */

static bool run_one(const struct test_case *t)
{
	struct outcome o = run_case(t);
	bool good = check(t, &o);

	free(o.program);
	free(o.ir);
	free(o.c);
	free(o.messages);
	return good;
}

/* Runs the cases of a file; how many failed. */
static unsigned run_file(const char *path)
{
	static char *lines[MAX_LINES];
	char *text = read_text(path), *next = text, *what = NULL;
	unsigned n = 0, cases = 0, failed = 0;
	size_t len;

	complaints = open_memstream(&what, &len);
	while (next && *next && n < MAX_LINES)
		lines[n++] = strsep(&next, "\n");
	if (next && *next)
		fprintf(complaints, "%s: more than %d lines\n", path, MAX_LINES);
	for (unsigned from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && strncmp(lines[to], "== ", 3); to++)
			;
		if (strncmp(lines[from], "== ", 3))
			continue;
		cases++;
		failed += !run_one(&(struct test_case){ path, lines, from, to });
	}
	free(text);
	fclose(complaints);
	printf("%s%s: %u of %u cases as expected\n", what, path, cases - failed, cases);
	free(what);
	return failed + !cases + (n == MAX_LINES);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

int main(int argc, char **argv)
{
	const char *base = getenv("TMPDIR");
	char *files[argc];
	unsigned failed = 0;

	snprintf(work_dir, sizeof(work_dir), "%s/casesXXXXXX", base ? base : "/tmp");
	if (!mkdtemp(work_dir)) {
		perror(work_dir);
		return 1;
	}
	/* Dumps name the library's files. From the source directory, no expectation meets a path that
	 * only some machine has: "I! check" failed in a clone below /check. */
	for (int i = 1; i < argc; i++)
		files[i] = realpath(argv[i], NULL);
	if (chdir(STAP_SRCDIR)) {
		perror(STAP_SRCDIR);
		return 1;
	}
	for (int i = 1; i < argc; i++)
		failed += run_file(files[i] ? files[i] : argv[i]);
	nftw(work_dir, remove_entry, 20, FTW_DEPTH | FTW_PHYS);
	return failed != 0;
}
