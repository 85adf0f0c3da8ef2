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
#include "bundle.h"
#include "config.h"

/* ---- getopt_long()'s view of the table ---- */

/* A long option's value is this plus its index in the table. */
#define LONG 256

struct view {
	char letters[3 * CHAR_MAX];
	vec(struct option) names;
};

/*
 * Makes getopt_long()'s view of the table.  The leading ':' makes it print no messages; we print
 * them.
 */
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
	     "                with --print: show its text");
	relayed_summary(stdout, FOR_STAP);
	puts("  -b            output to a file for each CPU; see stap-merge(1)\n"
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
	     "  -r RELEASE    for this kernel release, build directory or BTF\n"
	     "  -R DIR        take the runtime from DIR\n"
	     "  --bundle FILE with -p4: write a program that runs the script where nothing is\n"
	     "                installed; repeat -r for several kernels\n"
	     "  -m NAME       name the module, leave it in the current directory\n"
	     "  -s MB         buffer size for each CPU\n"
	     "  -k            keep the work directory\n"
	     "  -t            at the end, print hits and cycles of each place\n"
	     "  -u            no optimisation\n"
	     "  -w / -W       no warnings / warnings are errors\n"
	     "  --json        print each output of a handler as an object in JSON\n"
	     "  --cgroup=PATH probes are hit only in this cgroup (v2) and those below it\n"
	     "  --container=NAME\n"
	     "                probes are hit only in this container: its name, its ID, or the ID of\n"
	     "                a process in it\n"
	     "  --follow      probes are hit in the processes of --container, --cgroup, -c or -x,\n"
	     "                and in all that they create, in other cgroups too\n"
	     "  --container-prefix\n"
	     "                begin each line with the container of the task that was hit\n"
	     "  --vm          run in a throw-away guest, not on this machine\n"
	     "  --remote=[USER@]HOST[:PORT]\n"
	     "                run on this machine, by ssh (repeat for more); @FILE: on those of a\n"
	     "                file; vm:RELEASE: in a guest\n"
	     "  --detach=NAME go on in the background, and keep the output until it is read\n"
	     "  --attach=NAME print what the script of that name has printed, and goes on to\n"
	     "  --stop=NAME   the same, but end it first\n"
	     "  --sessions    list such scripts\n"
	     "  --remote-prefix   begin the lines of one such machine with its name, too\n"
	     "  --merge       add up the variables and histograms of such machines\n"
	     "  --fail-fast   when one such machine fails, end on the others\n"
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

/* Opens the rc file, unless another user can write it. */
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
			diag(DIAG_WARNING, "%s:%u: ignored: a shell could not read this as words",
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
	const struct relayed *r = &o->relayed;
	const char *of = r->command ? r->command
			 : r->target ? arena_printf("process %s", r->target) : NULL;
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

/* An option that only a kernel module can follow, and what to do with --runtime=user instead; NULL: there is
 * none. */
static const char *modules_own(const struct options *o)
{
	return o->vm && o->runtime == RUNTIME_USER ? "--vm runs a kernel module in a guest: leave out one of the two"
	       : o->bulk ? "-b writes what each CPU's handlers print, and a process runs one handler at a time: "
			   "give -o FILE"
	       : o->flight ? "-F leaves a kernel module behind: give -o FILE, and let the shell run stap in the "
			     "background (nohup stap ... &)"
	       : o->container_prefix ? "--container-prefix shows where a module is hit: leave it out"
	       : o->cgroup || o->container || o->follow
		     ? "--cgroup, --container and --follow bound a module's probes: compare pid(), or use "
		       "the kernel"
	       : NULL;
}

/* Do the options ask for a module, by its name or kernel or by what only it can do? */
static bool means_module(const struct options *o)
{
	bool of_one_kernel = !o->remotes.n && (o->release || o->kernel_build);

	return modules_own(o) || o->vm || o->bundle || o->module_name || of_one_kernel || o->sign ||
	       o->kbuild_args.n || o->modinfo.n || o->last_pass < 5;
}

/* Returns why options don't go with those about kept sessions; NULL: they do. */
static const char *kept_refuses(const struct options *o)
{
	const struct relayed *r = &o->relayed;
	int reading = (o->attach != NULL) + (o->stop != NULL) + o->sessions;

	if (reading && r->detach)
		return "--detach starts a session, and --attach, --stop and --sessions are about those that run: "
		       "choose one";
	if (reading > 1)
		return "--attach, --stop and --sessions do different things: choose one";
	if (reading && (o->vm || o->bundle || o->list || o->last_pass < 5 || r->command || r->target ||
			r->seconds || r->size))
		return "--attach, --stop and --sessions only read what a session prints: -c, -x, -T, -S and the like "
		       "are for --detach";
	if (reading && r->output && !o->remotes.n)
		return "--attach and --stop write to standard output: let the shell redirect it instead of -o";
	if (r->detach && (o->vm || o->bundle || o->list || o->last_pass < 5))
		return "--detach leaves a script running: it doesn't go with -l, -p, --vm and --bundle";
	if (r->detach && (r->output || o->flight || o->bulk || o->flamegraph || o->merge))
		return "--detach keeps the output until --attach reads it: -o, -F, -b, --flamegraph and --merge don't "
		       "go with it";
	if (r->detach && r->size && !strchr(r->size, ','))
		return "--detach keeps no more than a number of files: -S MB,N";
	return NULL;
}

static bool are_paths(const text_list *kernels)
{
	for (size_t i = 0; i < kernels->n; i++)
		if (!strchr(kernels->v[i], '/'))
			return false;
	return true;
}

/* Can the options be followed together?  Returns false after a message. */
static bool fit_together(const struct options *o)
{
	const char *why = NULL;

	if (o->flight && o->vm)
		why = "-F leaves the script running, but --vm's guest ends with stap";
	else if (o->bulk && o->vm)
		why = "-b writes files, which are lost with --vm's guest";
	else if (o->container_prefix && (o->bulk || o->json || o->merge || o->flamegraph))
		why = "--container-prefix is for text: --json has \"container\", and -b, --merge and "
		      "--flamegraph have no lines";
	else if (o->bulk && o->json)
		why = "-b and --json write the output in different ways: choose one";
	else if (o->relayed.command && o->relayed.target)
		why = "-c and -x both say what target() is: choose one";
	else if (o->flamegraph && (o->relayed.output || o->flight || o->bulk))
		why = "--flamegraph draws what the script prints, which -o, -F and -b put elsewhere";
	else if (kept_refuses(o))
		why = kept_refuses(o);
	else if (o->relayed.size && !o->relayed.output && !o->relayed.detach)
		why = "-S needs the file's name: -o FILE";
	else if (o->print_example && !o->example)
		why = "--print shows an example: --example NAME --print";
	else if (o->suppress_time_limits && !o->guru)
		why = "--suppress-time-limits requires guru mode (-g)";
	else if (o->bundle && *o->bundle == '-')
		why = arena_printf("--bundle takes the file to write, and '%s' is an option; ./%s would be a file",
				   o->bundle, o->bundle);
	else if (o->bundle && (o->list || o->last_pass < 4))
		why = "--bundle needs -p4, because it packs the modules that pass 4 builds";
	else if (o->bundle && o->vm)
		why = "--bundle runs nothing: run the bundle, by stap-vm in a guest";
	else if (o->bundle && o->kernels.n > BUNDLE_MODULES_MOST)
		why = arena_printf("--bundle takes at most %d kernels (-r)", BUNDLE_MODULES_MOST);
	else if (o->bundle && o->kernels.n && o->runtime == RUNTIME_USER)
		why = "--runtime=user makes a bundle that runs on any kernel: -r doesn't go with it";
	else if (o->remotes.n && (o->list || o->last_pass < 5 || o->vm || o->bundle))
		why = "--remote runs a script on other machines: it doesn't go with -l, -p, --vm and --bundle";
	else if (o->remotes.n && (o->flight || o->bulk || (o->relayed.size && !o->relayed.detach) || o->flamegraph))
		why = "with --remote the output comes here as text or JSON: -S, -b, -F and --flamegraph don't go with "
		      "it";
	else if (!o->remotes.n && (o->remote_prefix || o->fail_fast || o->merge))
		why = "--remote-prefix, --fail-fast and --merge are about the hosts of --remote";
	else if (o->remotes.n && !are_paths(&o->kernels))
		why = "--remote asks each host for its kernel: there -r takes only a directory with a "
		      "kernel's headers, or its BTF";
	else if (o->cgroup && o->container)
		why = "--cgroup and --container don't go together";
	else if (o->follow && !o->cgroup && !o->container && !o->relayed.command && !o->relayed.target)
		why = "--follow needs processes whose children to follow: give --container, --cgroup, -c or "
		      "-x";
	else if (o->runtime == RUNTIME_BPF && o->bundle)
		why = "--runtime=bpf makes a program for one kernel: --bundle doesn't go with it";
	else if ((o->runtime == RUNTIME_USER || o->runtime == RUNTIME_BPF) && modules_own(o))
		why = arena_printf("--runtime=%s makes no kernel module, and %s",
				   o->runtime == RUNTIME_USER ? "user" : "bpf", modules_own(o));
	if (why)
		diag(DIAG_ERROR, "%s", why);
	return !why;
}

/* Returns $SYSTEMTAP_RELEASE, a release or a build directory, whose makefiles are run. */
static char *environment_release(void)
{
	char *release = getenv("SYSTEMTAP_RELEASE");
	struct problem why;

	if (!release || !strchr(release, '/') || trust_path(release, &why) != TRUST_NO)
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
	text_list defaults = o->kernels, default_releases = o->releases;

	o->kernels = o->releases = (text_list){ 0 };
	if (!read_argv(o, argc, argv, action)) {
		fputs("Try 'stap --help'.\n", stderr);
		return false;
	}
	if (!o->kernels.n) {
		o->kernels = defaults;
		o->releases = default_releases;
	}
	if (o->runtime == RUNTIME_ANY && means_module(o))
		o->runtime = RUNTIME_KERNEL;
	return fit_together(o);
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
	if (action == ACTION_ATTACH && (optind < argc || o->script_text || o->extra_scripts.n)) {
		*status = 1;
		diag(DIAG_ERROR, "--attach, --stop and --sessions are about scripts that run, and take none");
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
	if (o->bundle || o->remotes.n)
		o->last_pass = 4;
	if (o->flamegraph && action == ACTION_RUN)
		complete_flamegraph(o);
	if (o->script_text || o->script_path || o->extra_scripts.n || action == ACTION_INTERACT)
		return action;
	*status = 1;
	diag(DIAG_ERROR, "no script: give a FILE, - for standard input, or -e TEXT");
	fputs("Try 'stap --help'.\n", stderr);
	return ACTION_DONE;
}
