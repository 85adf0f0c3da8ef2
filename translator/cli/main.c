// SPDX-License-Identifier: GPL-2.0-or-later
/* stap: reads the options, then runs the five passes in order. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sdt.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/guard.h"
#include "backend/module/codegen.h"
#include "ir/ir.h"
#include "lower/lower.h"
#include "debuginfo/debuginfo.h"
#include "kit/cache.h"
#include "kit/kit.h"
#include "lang/lang.h"
#include "sema/elaborate.h"
#include "cli/passes.h"
#include "options.h"
#include "program/program.h"
#include "remote/remote.h"
#include "run/run.h"
#include "session.h"

/* ---- -v: time and memory of a pass -------------------------------------- */

struct stopwatch {
	struct timespec real;
	struct rusage self, children;
};

static void start_watch(struct stopwatch *w)
{
	clock_gettime(CLOCK_MONOTONIC, &w->real);
	getrusage(RUSAGE_SELF, &w->self);
	getrusage(RUSAGE_CHILDREN, &w->children);
}

static long ms_between(struct timeval a, struct timeval b)
{
	return (b.tv_sec - a.tv_sec) * 1000 + (b.tv_usec - a.tv_usec) / 1000;
}

/* Returns "using …kb, in …usr/…sys/…real ms.", as SystemTap words it. */
static const char *taken(const struct stopwatch *from)
{
	struct stopwatch now;
	long pages[6] = { 0 }, kb = sysconf(_SC_PAGESIZE) / 1024;
	FILE *f = fopen("/proc/self/statm", "r");

	start_watch(&now);
	for (int i = 0; f && i < 6; i++)
		if (fscanf(f, "%ld", &pages[i]) != 1)
			break;
	if (f)
		fclose(f);
	return arena_printf("using %ldvirt/%ldres/%ldshr/%lddata kb, in %ldusr/%ldsys/%ldreal ms.",
			    pages[0] * kb, pages[1] * kb, pages[2] * kb, pages[5] * kb,
			    ms_between(from->self.ru_utime, now.self.ru_utime) +
			    ms_between(from->children.ru_utime, now.children.ru_utime),
			    ms_between(from->self.ru_stime, now.self.ru_stime) +
			    ms_between(from->children.ru_stime, now.children.ru_stime),
			    (now.real.tv_sec - from->real.tv_sec) * 1000 +
			    (now.real.tv_nsec - from->real.tv_nsec) / 1000000);
}

/* ---- before and after the passes ---------------------------------------- */

/* Reads the options, finds the directories, and copies to the session what passes change. */
static enum action begin(struct session *s, int argc, char **argv, int *status)
{
	struct problem why = { 0 };
	enum action action;

	s->home = find_home(&why);
	action = read_options(&s->options, s->home, argc, argv, status);
	if (action == ACTION_DONE)
		return action;
	if (!s->home) {
		diag(DIAG_WARNING, "%s", why.text);
		diag_hint("%s", why.hint);
	}
	find_directories(s);
	/* BPF takes no headers, so it takes no other kernel for want of them. */
	kernel_init(s->kernel, &s->options, action == ACTION_RUN && !s->options.list && !s->options.vm &&
		    !s->options.remotes.n &&
		    (s->options.runtime == RUNTIME_BPF ||
		     (s->options.last_pass == 5 && s->options.runtime != RUNTIME_USER)));
	s->verbose = s->options.verbose;
	s->engine = s->options.runtime == RUNTIME_USER ? ENGINE_USER :
		    s->options.runtime == RUNTIME_BPF ? ENGINE_BPF : ENGINE_MODULE;
	s->module_name = s->options.module_name;
	for (size_t i = 0; i < s->options.args.n; i++)
		vec_push(&s->arg_used, false);
	diag_all_warnings = s->verbose > 0;
	return action;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static struct kernel kernel;
static struct session session = { .options.last_pass = 5, .kernel = &kernel };

/* Removes the temporary directory.  exit() calls it too, perhaps when there is no memory left. */
static void remove_tmpdir(void)
{
	const char *dir = session.options.tmpdir ? NULL : session.tmpdir;

	session.tmpdir = NULL;
	if (dir && session.options.keep)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", dir);
	else if (dir)
		nftw(dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- the passes -------------------------------------------------------- */

static const struct source *open_script(struct session *s)
{
	const char *path = s->options.script_path, *text = s->options.script_text;

	if (text)
		return source_from_text("<input>", s->options.list_lines ? lines_script(text) : text);
	if (!path)
		return source_from_text("<input>", "");
	if (!strcmp(path, "-"))
		return source_read("/dev/stdin", "<stdin>");
	if (s->options.example)
		path = find_example(s->exampledir, path);
	return path ? source_read(path, path) : NULL;
}

static int parse_one(struct session *s, const struct source *src)
{
	struct file *f = src ? lang_parse(s, src, false) : NULL;

	if (f)
		vec_push(&s->files, f);
	return f ? 0 : -1;
}

/*
 * Warns of script arguments that nothing uses.  Call it once everything is parsed, because tapset
 * files can read argv[] too.
 */
static void warn_of_unused_arguments(const struct session *s)
{
	for (size_t i = 0; i < s->options.args.n; i++)
		if (!s->arg_used.v[i])
			diag(DIAG_WARNING, "unused command line option $%zu/@%zu: '%s'", i + 1,
			     i + 1, s->options.args.v[i]);
}

static int pass_1(struct session *s)
{
	struct stopwatch w;
	int failed = 0;

	start_watch(&w);
	STAP_PROBE1(stap, pass1a, s);
	library_open(s);
	if (s->options.script_text || s->options.script_path)
		failed = parse_one(s, s->script = open_script(s));
	STAP_PROBE1(stap, pass1b, s);
	for (size_t i = 0; i < s->options.extra_scripts.n; i++)
		failed |= parse_one(s, source_from_text("<input>", s->options.extra_scripts.v[i]));
	if (!failed && s->options.last_pass == 1)
		warn_of_unused_arguments(s);
	if (failed || diag_errors)
		return -1;
	if (s->verbose)
		fprintf(stderr, "Pass 1: parsed user script and %zu library scripts %s\n",
			s->library_files.n, taken(&w));
	if (s->options.last_pass == 1)
		for (size_t i = 0; i < s->files.n; i++)
			print_file(stdout, s->files.v[i]);
	STAP_PROBE1(stap, pass1__end, s);
	return 0;
}

static int pass_2(struct session *s)
{
	struct program *p;
	struct stopwatch w;

	start_watch(&w);
	STAP_PROBE1(stap, pass2, s);
	s->program = p = sema_elaborate(s);
	warn_of_unused_arguments(s);
	diag_print_catalog();
	if (!p || diag_errors)
		return -1;
	if (s->verbose)
		fprintf(stderr, "Pass 2: analyzed script: %zu probe%s, %zu function%s, %zu embed%s, "
			"%zu global%s %s\n", p->probes.n, p->probes.n == 1 ? "" : "s",
			p->functions.n, p->functions.n == 1 ? "" : "s",
			p->embeds.n, p->embeds.n == 1 ? "" : "s",
			p->globals.n, p->globals.n == 1 ? "" : "s", taken(&w));
	if (s->options.last_pass == 2)
		print_program(stdout, p, s->verbose > 0);
	STAP_PROBE1(stap, pass2__end, s);
	return 0;
}

static void copy_out(const char *path)
{
	FILE *f = fopen(path, "r");
	char buf[65536];
	size_t n;

	while (f && (n = fread(buf, 1, sizeof(buf), f)) > 0)
		fwrite(buf, 1, n, stdout);
	if (f)
		fclose(f);
}

static int pass_3(struct session *s)
{
	struct stopwatch w;

	guard_reading(NULL);
	start_watch(&w);
	STAP_PROBE1(stap, pass3, s);
	s->ir = lower_program(s, s->program);
	if (s->options.dump_ir && !diag_errors) {
		ir_dump(stdout, s->ir);
		return 0;
	}
	if (choose_engine(s))
		return -1;
	if (s->lacks_headers)
		return 0;
	if (s->engine != ENGINE_MODULE) {
		if (s->options.last_pass == 3)
			ir_dump(stdout, s->ir);
		return 0;
	}
	if (codegen_translate(s, s->program, s->ir) < 0 || diag_errors)
		return -1;
	if (s->verbose)
		fprintf(stderr, "Pass 3: translated to C into \"%s\" %s\n", s->c_file, taken(&w));
	if (s->options.last_pass == 3)
		copy_out(s->c_file);
	STAP_PROBE1(stap, pass3__end, s);
	return 0;
}

static int pass_4(struct session *s)
{
	struct stopwatch w;
	bool cached = false;

	if (s->lacks_headers)
		return 0;
	start_watch(&w);
	if (s->engine != ENGINE_MODULE) {
		if (run_write_program(s))
			return -1;
		if (s->verbose)
			fprintf(stderr, "Pass 4: wrote the program to \"%s\" %s\n", s->program_file,
				taken(&w));
		if (s->options.last_pass == 4 && !s->options.bundle)
			puts(s->program_file);
		return 0;
	}
	STAP_PROBE1(stap, pass4, s);
	if (kit_build_module(s, s->program->needs_kernel_headers, &cached) < 0)
		return -1;
	if (cached)
		STAP_PROBE2(stap, cache__get, s->c_file, s->ko_file);
	if (s->verbose && cached)
		fprintf(stderr, "Pass 4: using cached %s\n", s->ko_file);
	else if (s->verbose)
		fprintf(stderr, "Pass 4: compiled C into \"%s.ko\" %s\n", s->module_name, taken(&w));
	if (s->options.last_pass == 4 && !s->options.bundle)
		puts(s->options.module_name ? arena_printf("%s.ko", s->module_name) : s->ko_file);
	STAP_PROBE1(stap, pass4__end, s);
	return 0;
}

enum { ONLY_COMMAND_FAILED = 2 };	/* staprun's status: the command of -c, not the script */

static int run_failed(int status)
{
	fputs("Pass 5: run failed.  [man error::pass5]\n", stderr);
	return status;
}

static int pass_5(struct session *s)
{
	struct stopwatch w;
	int status;

	if (s->engine == ENGINE_MODULE && !s->options.module_name && kit_build_own_copy(s) < 0)
		return 1;
	if (s->verbose)
		fputs("Pass 5: starting run.\n", stderr);
	if (getenv("SYSTEMTAP_SYNC"))
		sync();
	start_watch(&w);
	STAP_PROBE1(stap, pass5, s);
	status = run_module(s);
	STAP_PROBE1(stap, pass5__end, s);
	if (s->verbose)
		fprintf(stderr, "Pass 5: run completed %s\n", strstr(taken(&w), "in "));
	if (status == ONLY_COMMAND_FAILED)
		return 1;
	return status && !session_interrupted() ? run_failed(status) : status;
}

/*
 * Opens /dev/null for each standard stream that was closed, with the wrong
 * access mode so that using it fails.  Otherwise a file that stap opens could
 * get number 1 or 2, and our messages with it.
 */
static void fill_closed_streams(void)
{
	while (fcntl(STDERR_FILENO, F_GETFD) < 0 || fcntl(STDOUT_FILENO, F_GETFD) < 0 ||
	       fcntl(STDIN_FILENO, F_GETFD) < 0) {
		bool input = fcntl(STDIN_FILENO, F_GETFD) < 0;

		if (open("/dev/null", input ? O_WRONLY : O_RDONLY) < 0)
			_exit(1);
	}
}

enum { LITTLE_KB = 2048 };		/* the runtime's objects need more */

/*
 * Says that the work directory is full, which compilers and linkers say in their own words, or not
 * at all.
 */
static void tell_of_full_disk(const struct session *s)
{
	struct statvfs fs;

	if (!s->tmpdir || statvfs(s->tmpdir, &fs) || !fs.f_blocks)
		return;

	uint64_t kb = (uint64_t)fs.f_bavail * fs.f_frsize / 1024;

	if (kb >= LITTLE_KB)
		return;
	diag(DIAG_ERROR, "the work directory '%s' has %" PRIu64 " KB of room left", s->tmpdir, kb);
	diag_hint("set TMPDIR to a directory with more room");
}

/* Returns 0, or the exit status after the pass that failed. */
static int run_passes_1_to_4(struct session *s)
{
	static int (*const passes[])(struct session *) = { pass_1, pass_2, pass_3, pass_4 };

	int verbose = s->verbose;

	STAP_PROBE1(stap, pass0__end, s);
	for (int i = 1; i <= 4 && i <= s->options.last_pass; i++) {
		bool list = i == 2 && s->options.list;

		if (i == 4 && !run_permitted(s, needs_kernel(s)))
			return run_failed(1);
		s->verbose = verbose + s->options.verbose_in[i - 1];
		int failed = !list ? passes[i - 1](s) :
			     s->options.list_lines ? list_lines(s) : list_probes(s);

		if (session_interrupted())
			return 128 + session_interrupted();
		if (list)
			return failed;
		if (failed < 0) {
			tell_of_full_disk(s);
			fprintf(stderr, "Pass %d: %s failed.  [man error::pass%d]\n", i,
				(const char *const[]){ "parse", "analysis", "translation",
						       "compilation" }[i - 1], i);
			return 1;
		}
	}
	s->verbose = verbose + s->options.verbose_in[4];
	return 0;
}

static int run_passes(struct session *s)
{
	int status = s->options.remotes.n ? run_remotely(s, run_passes_1_to_4, write_bundle)
		     : s->options.bundle ? make_bundle(s, run_passes_1_to_4) : run_passes_1_to_4(s);

	diag_summary();
	return status || s->options.list || s->options.last_pass < 5 ? status : pass_5(s);
}

/* Runs one of the --dump-… options. */
static int dump(struct session *s, enum action action)
{
	if (action == ACTION_DUMP_TYPES)
		return dump_probe_types(stdout), 0;
	if (action == ACTION_DUMP_PASSES)
		return sema_dump_passes(stdout), 0;
	library_open(s);
	return (action == ACTION_DUMP_ALIASES ? dump_probe_aliases(s, stdout)
					      : dump_functions(s, stdout)) < 0;
}

/*
 * Lists the examples for --example without a name; prints the text of the named one with --print.
 */
static int show_example(struct session *s)
{
	const char *path;

	if (!s->options.script_path)
		return list_examples(s->exampledir, stdout) < 0;
	path = find_example(s->exampledir, s->options.script_path);
	if (path)
		copy_out(path);
	return !path;
}

int main(int argc, char **argv)
{
	struct session *s = &session;
	enum action action;
	int status;

	setlocale(LC_CTYPE, "");
	fill_closed_streams();
	signal(SIGCHLD, SIG_DFL);	/* if our parent ignored it, no child's status could be had */
	session_begin_guarded();
	session_hold_signals();
	atexit(remove_tmpdir);
	action = begin(s, argc, argv, &status);
	STAP_PROBE1(stap, pass0, s);
	if (action == ACTION_CLEAN_CACHE)
		status = cache_clean(s) < 0;
	else if (action == ACTION_RUN)
		status = run_passes(s);
	else if (action == ACTION_ATTACH && !s->options.remotes.n)
		run_attach(s);
	else if (action == ACTION_ATTACH)
		status = run_remotely(s, NULL, write_program);
	else if (action == ACTION_EXAMPLE)
		status = show_example(s);
	else if (action == ACTION_INTERACT)
		status = interact(s);
	else if (action != ACTION_DONE)
		status = dump(s, action);
	STAP_PROBE1(stap, pass6, s);
	guard_reading(NULL);
	if (s->target)
		target_close(s->target);
	remove_tmpdir();
	arena_free_all();
	if ((fflush(stdout) || ferror(stdout)) && !session_interrupted()) {
		fprintf(stderr, "ERROR: can't write to standard output: %s\n", strerror(errno));
		status = 1;
	}
	STAP_PROBE1(stap, pass6__end, s);
	return status;
}
