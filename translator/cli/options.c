// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line.
 *
 * Options, the script and its arguments may come in any order, as with
 * SystemTap; "--" ends the options.  $SYSTEMTAP_DIR/rc holds options too, split
 * into words as a shell does; they come first.
 */
#include "cli/option_table.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/proc.h"
#include "base/trust.h"
#include "config.h"

/* ---- getopt_long()'s view of the table ---- */

/* A long option's value is this plus its index in the table. */
#define LONG 256

struct view {
	char letters[3 * CHAR_MAX];
	vec(struct option) names;
};

/* The leading ':' makes getopt_long() print no messages; we print them. */
static struct view view_table(void)
{
	struct view v = { .letters = ":" };
	char *s = v.letters + 1;

	for (unsigned i = 0; i < n_known_options; i++) {
		const struct known_option *k = &known_options[i];

		if (k->letter)
			*s++ = k->letter;
		if (k->letter && k->argument == required_argument)
			*s++ = ':';
		if (k->name)
			vec_push(&v.names, ((struct option){ k->name, k->argument, NULL, LONG + i }));
	}
	vec_push(&v.names, (struct option){ NULL });
	return v;
}

static const struct known_option *find_option(int opt)
{
	if (opt >= LONG)
		return &known_options[opt - LONG];
	for (unsigned i = 0; i < n_known_options; i++)
		if (known_options[i].letter == opt)
			return &known_options[i];
	return NULL;
}

/* Reports an option that isn't known; NEAR is what was meant, if that is known. */
static void unknown_option(const char *given, const char *near)
{
	vec(const char *) names = { 0 };
	const char *name = given + strspn(given, "-");

	for (unsigned i = 0; i < n_known_options; i++)
		if (known_options[i].name && !known_options[i].why)
			vec_push(&names, known_options[i].name);
	diag(DIAG_ERROR, "unknown option '%s'", given);
	if (!near && !strncmp(given, "--", 2))
		near = diag_nearest(arena_strndup(name, strcspn(name, "=")), names.v, names.n, 1);
	if (near)
		diag_hint("did you mean: --%s", near);
}

static void print_help(void)
{
	puts("Usage: stap [OPTIONS] FILE [ARGUMENTS]   run a script\n"
	     "       stap [OPTIONS] -e TEXT [ARGUMENTS]\n"
	     "       stap [OPTIONS] -               read it from standard input\n"
	     "       stap [OPTIONS] -l POINT        list matching probe points\n"
	     "       stap [OPTIONS] -L POINT        ... with their variables\n"
	     "       stap [OPTIONS] --lines FUNCTION | FILE:LINES\n"
	     "                                      show source, and where it can be probed\n"
	     "       stap [OPTIONS] -i [FILE]        write and run a script interactively\n"
	     "       stap [OPTIONS] --flamegraph FILE.svg [SCRIPT]\n"
	     "                                      draw its stacks; without SCRIPT, a profile\n"
	     "\n"
	     "  -e TEXT       the script          -E TEXT      add this script\n"
	     "  --example     FILE is the name of an example; without FILE: list them;\n"
	     "                with --print: show its text\n"
	     "  -c CMD        run CMD and end with it; target() is its pid\n"
	     "  -x PID        target() is PID; end with it\n"
	     "  -T SECONDS    end after SECONDS\n"
	     "  -o FILE       output to FILE      -S MB[,N]    to files of MB each; keep N\n"
	     "  -b            output to a file for each CPU; see stap-merge(1)\n"
	     "  -F            run in the background: with -o as a daemon, else the latest\n"
	     "                output is kept in memory until staprun -A MODULE fetches it\n"
	     "  -p PASS       stop after pass 1 (parse), 2 (elaborate), 3 (translate),\n"
	     "                4 (compile), 5 (run)\n"
	     "  --dump-ir     print the intermediate program, and stop in pass 3\n"
	     "  -v            report progress (repeat for more); --vp 12345: by pass\n"
	     "  -g            guru mode: embedded C, writes to kernel variables\n"
	     "  -D NAME=VALUE set a limit: MAXSTRINGLEN, MAXACTION, MAXMAPENTRIES ...\n"
	     "  -G NAME=VALUE set a global variable\n"
	     "  -I DIR        look in DIR for tapset files too\n"
	     "  -r RELEASE    for this kernel release or build directory\n"
	     "  -R DIR        take the runtime from DIR\n"
	     "  -m NAME       name the module, leave it in the current directory\n"
	     "  -s MB         buffer size for each CPU\n"
	     "  -k            keep the work directory\n"
	     "  -t            at the end, print hits and cycles of each place\n"
	     "  -u            no optimisation\n"
	     "  -w / -W       no warnings / warnings are errors\n"
	     "  --json        print each output of a handler as an object in JSON\n"
	     "  --vm          run in a throw-away guest, not on this machine\n"
	     "  --dump-probe-types --dump-probe-aliases --dump-functions --dump-passes\n"
	     "                list what scripts can use\n"
	     "  --clean-cache --poison-cache --disable-cache\n"
	     "  --suppress-time-limits --suppress-handler-errors --skip-badvars\n"
	     "  --no-global-var-display --compatible=VERSION --color[=WHEN]\n"
	     "  --semantic-keep-going --target-namespaces=PID --tmpdir=DIR --debug\n"
	     "  --sign-module[=DIR]\n"
	     "  --debuginfo=dwarf|btf|none\n"
	     "  --modinfo=NAME=VALUE -B NAME=VALUE -a ARCH --rlimit-as=N (-cpu -nproc ...)\n"
	     "                see stap(1)\n"
	     "  -V -h         version, this text\n"
	     "\n"
	     "See stap(1).");
}

static void print_version(void)
{
	puts("stap, a SystemTap script compiler (version " VERSIONS ")\n"
	     "The language is that of SystemTap " LANGUAGE_VERSION "; this is stap " PACKAGE_VERSION ".\n"
	     "This is free software under the GNU General Public License, version 2 or\n"
	     "later; there is NO WARRANTY, to the extent permitted by law.");
}

/* Opens the rc file, unless somebody else can write it. */
static FILE *open_rc(const char *path)
{
	struct problem why;

	if (trust_path(path, &why) != TRUST_NO)
		return fopen(path, "re");
	diag(DIAG_WARNING, "the options in %s are ignored: %s", path, why.text);
	return NULL;
}

/* Returns the rc file's words behind a name for argv[0]; NULL if there is no such file. */
static char **rc_words(const char *home, int *argc)
{
	const char *path = home ? arena_printf("%s/rc", home) : NULL;
	FILE *f = path ? open_rc(path) : NULL;
	text_list words = { 0 };
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return NULL;
	vec_push(&words, "rc");
	for (unsigned n = 1; getline(&line, &room, f) > 0; n++) {
		line[strcspn(line, "\n")] = 0;
		if (*line != '#' && !proc_shell_words(line, &words))
			diag(DIAG_WARNING, "%s:%u: ignored: not words as a shell reads them",
			     path, n);
	}
	free(line);
	fclose(f);
	*argc = words.n;
	vec_push(&words, NULL);
	return (char **)words.v;
}

/*
 * Was the long option K abbreviated, and has taken the next word for its
 * argument?  Then K may not be what was meant, nor the word its argument.
 */
static const char *eats_a_word(const struct known_option *k, int opt, char **argv)
{
	const char *given = argv[optind - 2];

	if (opt < LONG || k->argument != required_argument || optarg != argv[optind - 1])
		return NULL;
	return strcmp(given + 2, k->name) ? given : NULL;
}

/* Keeps an option as a word, for -i, which takes the script from -e itself. */
static void note_given(struct options *o, const struct known_option *k, const char *arg)
{
	if (k->letter == 'e')
		return;
	if (!k->letter)
		vec_push(&o->given, arena_printf("--%s%s%s", k->name, arg ? "=" : "", arg ? arg : ""));
	else
		vec_push(&o->given, arena_printf("-%c%s", k->letter, arg ? arg : ""));
}

static bool read_argv(struct options *o, int argc, char **argv, enum action *action)
{
	struct view view = view_table();
	int opt;

	optind = 0;		/* glibc: start afresh */
	while ((opt = getopt_long(argc, argv, view.letters, view.names.v, NULL)) != -1) {
		const struct known_option *k = find_option(opt);
		const char *wrong;

		if (opt == ':') {
			diag(DIAG_ERROR, "the option %s needs an argument", argv[optind - 1]);
			return false;
		}
		wrong = k ? eats_a_word(k, opt, argv) :
			optopt && optopt < LONG ? arena_printf("-%c", optopt) : argv[optind - 1];
		if (wrong) {
			unknown_option(wrong, k ? k->name : NULL);
			return false;
		}
		if (!take_option(o, k, optarg))
			return false;
		if (k->action != ACTION_INTERACT)
			note_given(o, k, optarg);
		if (k->action != ACTION_RUN)
			*action = k->action;
		if (*action == ACTION_HELP || *action == ACTION_VERSION)
			return true;
	}
	return true;
}

/* Hits per second of the profile that --flamegraph takes without a script. */
#define PROFILE_RATE "99"
static const char profile[] =
	"probe timer.profile.freq.hz(" PROFILE_RATE ")\n"
	"{\n"
	"	if (pid() && (!target() || target_set_pid(pid())))\n"
	"		print_folded()\n"
	"}\n";

/* Fills in what --flamegraph shows, and takes the profile if there is no script. */
static void complete_flamegraph(struct options *o)
{
	const char *of = o->command ? o->command
			 : o->target_pid ? arena_printf("process %ld", o->target_pid) : NULL;
	const char *by = o->script_path ? o->script_path : "stap -e";

	o->flame_unit = "";
	if (!o->script_text && !o->script_path) {
		o->script_text = profile;
		o->flame_unit = "samples";
		by = PROFILE_RATE " samples a second on each CPU";
		of = of ? of : "all processes";
	}
	o->flame_title = of ? arena_printf("%s: %s", of, by) : by;
}

/* --runtime=user: an option that only the kernel module can follow yet; NULL: none. */
static const char *modules_own(const struct options *o)
{
	return o->vm ? "--vm" : o->json ? "--json" : o->bulk ? "-b" : o->flight ? "-F"
	       : o->command ? "-c" : o->target_pid ? "-x" : o->output_size ? "-S"
	       : o->last_pass == 4 ? "-p4" : NULL;
}

/* Can the options be followed together?  Returns false after a message. */
static bool fit_together(const struct options *o)
{
	const char *why = NULL;

	if (o->flight && o->vm)
		why = "-F leaves the script running, but --vm's guest ends with stap";
	else if (o->bulk && o->vm)
		why = "-b writes files, but those of --vm's guest are gone when it ends";
	else if (o->bulk && o->json)
		why = "-b and --json write the output in different ways: choose one";
	else if (o->command && o->target_pid)
		why = "-c and -x both say what target() is: choose one";
	else if (o->flamegraph && (o->output_file || o->flight || o->bulk))
		why = "--flamegraph draws what the script prints, which -o, -F and -b put elsewhere";
	else if (o->output_size && !o->output_file)
		why = "-S needs the file's name: -o FILE";
	else if (o->print_example && !o->example)
		why = "--print shows an example: --example NAME --print";
	else if (o->suppress_time_limits && !o->guru)
		why = "--suppress-time-limits requires guru mode (-g)";
	else if (o->user_runtime && modules_own(o))
		why = arena_printf("--runtime=user makes no kernel module, which %s needs",
				   modules_own(o));
	if (why)
		diag(DIAG_ERROR, "%s", why);
	return !why;
}

/* Returns $SYSTEMTAP_RELEASE, a release or a build directory, whose makefiles are run. */
static char *environment_release(void)
{
	char *release = getenv("SYSTEMTAP_RELEASE");
	struct problem why;

	if (!release || *release != '/' || trust_path(release, &why) != TRUST_NO)
		return release;
	diag(DIAG_WARNING, "SYSTEMTAP_RELEASE is ignored: %s", why.text);
	return NULL;
}

/* Reads the options from the environment, the rc file and the command line: the last one counts. */
static bool read_all(struct options *o, const char *home, int argc, char **argv,
		     enum action *action)
{
	char *release = environment_release();
	int rc_argc;
	char **rc = rc_words(home, &rc_argc);

	if (release && *release && !set_kernel(o, release))
		return false;
	if (rc && !read_argv(o, rc_argc, rc, action))
		return false;
	o->given.n = 0;
	if (read_argv(o, argc, argv, action))
		return fit_together(o);
	fputs("Try 'stap --help'.\n", stderr);
	return false;
}

enum action read_options(struct options *o, const char *home, int argc, char **argv,
			 int *status)
{
	enum action action = ACTION_RUN;

	*status = 1;
	if (!read_all(o, home, argc, argv, &action))
		return ACTION_DONE;
	*status = 0;
	if (action == ACTION_HELP || action == ACTION_VERSION) {
		if (action == ACTION_HELP)
			print_help();
		else
			print_version();
		return ACTION_DONE;
	}
	if (action != ACTION_RUN && action != ACTION_INTERACT)
		return action;
	for (; optind < argc; optind++) {
		if (!o->script_text && !o->script_path)
			o->script_path = argv[optind];
		else
			vec_push(&o->args, argv[optind]);
	}
	if (o->example && action == ACTION_RUN && !o->script_text &&
	    (!o->script_path || o->print_example))
		return ACTION_EXAMPLE;
	if (o->flamegraph && action == ACTION_RUN)
		complete_flamegraph(o);
	if (o->script_text || o->script_path || o->extra_scripts.n || action == ACTION_INTERACT)
		return action;
	*status = 1;
	diag(DIAG_ERROR, "no script: give a FILE, - for standard input, or -e TEXT");
	fputs("Try 'stap --help'.\n", stderr);
	return ACTION_DONE;
}
