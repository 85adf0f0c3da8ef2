// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun's arguments, as struct run (run.h).
 *
 * Needs no privilege, and has root's where sudo runs staprun: each number is bounded here, and a text
 * that goes on to the module or to stapio is checked for what it may not contain.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "abi/bounds.h"
#include "abi/transport.h"
#include "base/problem.h"
#include "common/say.h"
#include "run.h"

static const char usage_begin[] =
	"usage: staprun [OPTIONS] MODULE [NAME=VALUE ...] [OPTIONS]\n"
	"  MODULE is a file, or a name looked for in /lib/modules/`uname -r`/systemtap;\n"
	"  or NAME" ST_BPF_SUFFIX " or NAME" ST_PROGRAM_SUFFIX ", programs that need no module.\n";

static const char bundle_usage[] =
	"usage: BUNDLE [OPTIONS] [NAME=VALUE ...] [OPTIONS]\n"
	"  This program runs a script: it has the module, which stap made, and all that it needs.\n";

static const char usage_end[] =
	"  -T MS         let output wait up to so many milliseconds before it is written\n"
	"  -D            go on in the background, and print the process id (with -o)\n"
	"  -L            start it, and leave it running; the newest output is kept in memory\n"
	"  -b, -s MB     buffer size per CPU, 1 to 4095\n"
	"  -G NAME=VALUE set a global variable of the script\n"
	"  -N PID        ns_pid() and its like count in the namespaces of PID\n"
	"  --cgroup PATH probes are hit only in this cgroup (v2) and those below it\n"
	"  --container C probes are hit only in this container: its name, its ID, or the\n"
	"                ID of a process in it\n"
	"  --follow      probes are hit in the processes of --container, --cgroup, -c or -x,\n"
	"                and in all that they create, in other cgroups too\n"
	"  -R            rename the module, so that it can be loaded more than once\n"
	"  -d            remove the loaded but unused module named MODULE; '*': all\n"
	"  -k            remove modules whose staprun was killed\n"
	"  --list        show the sessions on this machine, or the one of module MODULE;\n"
	"                with -v each of their places\n"
	"  -V            version (or --version)\n"
	"  -h            this text (or --help)\n";

/* ---- arguments ---- */

static long number(int option, const char *text, long max)
{
	char *end;

	errno = 0;
	long v = strtol(text, &end, 10);

	if (errno || *end || end == text || v < 1 || v > max) {
		say_error("-%c takes a number from 1 to %ld, not '%s'", option, max, text);
		exit(1);
	}
	return v;
}

static void check_assignment(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	if (!n || text[n] != '=') {
		say_error("'%s' should have the form NAME=VALUE", text);
		exit(1);
	}
	/* The module would take the value's first line. */
	if (strchr(text, '\n')) {
		say_error("the value of '%.*s' has more than one line, and can't be passed on",
			  (int)n, text);
		exit(1);
	}
}

static void add_global(struct run *r, char *text)
{
	check_assignment(text);
	r->set[r->nset++] = text;
}

/* ---- one option each ---- */

/* Takes an option that stapio gets, too; false: it is none. */
static bool take_relayed(struct run *r, int letter, char *arg)
{
	struct problem why = { NULL };
	bool taken = relayed_take(&r->relayed, FOR_STAPRUN, letter, arg, &why);

	if (why.text) {
		say_error("%s", why.text);
		exit(1);
	}
	return taken;
}

/* -t: -x, in SystemTap's first versions. */
static void set_target(struct run *r, char *arg)
{
	take_relayed(r, 'x', arg);
}

static void print_version(struct run *r, char *arg)
{
	(void)r, (void)arg;
	puts("staprun (version " VERSIONS ")");
	exit(0);
}

static void put_usage(const struct run *r, FILE *out)
{
	fputs(r->choose ? bundle_usage : usage_begin, out);
	relayed_summary(out, FOR_STAPRUN);
	fputs(usage_end, out);
}

static void print_usage(struct run *r, char *arg)
{
	(void)arg;
	put_usage(r, stdout);
	exit(0);
}

/* ---- the table of options ---- */

enum { LIST = 256, CGROUP, CONTAINER, FOLLOW };

struct known_option {
	int option;			/* the letter, or LIST and so on */
	int argument;			/* getopt_long()'s: no_argument and so on */
	/* offsets in struct run; no option sets the member at 0 */
	size_t flag;			/* a bool that becomes true */
	size_t text;			/* a string that becomes the argument */
	size_t number;			/* a long that becomes the argument, */
	long most;			/* which is at most this */
	void (*take)(struct run *r, char *arg);
	const char *why;		/* the reason why it is refused */
};

#define MEMBER(name) offsetof(struct run, name)

/* Besides those that stapio knows too (lib/relayed.h). */
static const struct known_option known_options[] = {
	{ 'h', no_argument, .take = print_usage },
	{ 'V', no_argument, .take = print_version },
	{ 'd', no_argument, .flag = MEMBER(remove) },
	{ 'k', no_argument, .flag = MEMBER(sweep) },
	{ 'L', no_argument, .flag = MEMBER(leave) },
	{ 'D', no_argument, .flag = MEMBER(daemon) },
	{ 'R', no_argument, .flag = MEMBER(rename) },
	{ 't', required_argument, .take = set_target },
	{ 'N', required_argument, .number = MEMBER(namespaces), .most = INT_MAX },
	{ 'P', required_argument, .number = MEMBER(parent), .most = INT_MAX },
	{ 'T', required_argument, .number = MEMBER(gather_ms), .most = ST_GATHER_MOST },
	{ 'b', required_argument, .number = MEMBER(buffer_mb), .most = 4095 },
	{ 's', required_argument, .number = MEMBER(buffer_mb), .most = 4095 },
	{ 'G', required_argument, .take = add_global },
	{ LIST, no_argument, .flag = MEMBER(list) },
	{ CGROUP, required_argument, .text = MEMBER(cgroup) },
	{ CONTAINER, required_argument, .text = MEMBER(container) },
	{ FOLLOW, no_argument, .flag = MEMBER(follow) },

	/* options of SystemTap's without effect: its uprobes module, colors, input */
	{ .option = 'u', .argument = optional_argument },
	{ .option = 'C', .argument = required_argument },
	{ .option = 'i' },

	/* options of SystemTap's that can't be followed */
	{ 'M', required_argument, .why = "there is no monitor" },
	{ 'r', required_argument, .why = "there is no stap --remote that would number its runs" },
	{ 'F', required_argument,
	  .why = "the module's files are in /proc/systemtap, not in a directory of relay files" },
};

#define KNOWN (sizeof(known_options) / sizeof(*known_options))

static void take_option(struct run *r, const struct known_option *k, char *arg)
{
	char *base = (char *)r;

	if (k->why) {
		say_error("-%c is not supported: %s", k->option, k->why);
		exit(1);
	}
	if (k->flag)
		*(bool *)(base + k->flag) = true;
	if (k->text)
		*(const char **)(base + k->text) = arg;
	if (k->number)
		*(long *)(base + k->number) = number(k->option, arg, k->most);
	if (k->take)
		k->take(r, arg);
}

/* Takes one option; false: there is no such option. */
static bool take_one(struct run *r, int c, char *arg)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known_options[i].option == c) {
			take_option(r, &known_options[i], arg);
			return true;
		}
	return take_relayed(r, c, arg);
}

/* Takes all options, also those behind the module; getopt_long() moves the other words to optind. */
static void take_options(struct run *r, int argc, char **argv)
{
	struct option names[9 + RELAYED_WORDS] = {
		{ "help", no_argument, NULL, 'h' },
		{ "list", no_argument, NULL, LIST },
		{ "cgroup", required_argument, NULL, CGROUP },
		{ "container", required_argument, NULL, CONTAINER },
		{ "follow", no_argument, NULL, FOLLOW },
		{ "version", no_argument, NULL, 'V' },
	};
	char letters[3 * (KNOWN + RELAYED_WORDS) + 1] = "", *end = letters;
	int c;

	for (size_t i = 0; i < KNOWN; i++)
		if (known_options[i].option < LIST)
			end += sprintf(end, "%c%.*s", known_options[i].option,
				       known_options[i].argument, "::");
	relayed_letters(letters, sizeof(letters), FOR_STAPRUN);
	relayed_names(names + 6, FOR_STAPRUN);
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1)
		if (!take_one(r, c, optarg)) {
			put_usage(r, stderr);
			exit(1);
		}
	say_verbose = r->relayed.verbose;
	say_no_warnings = r->relayed.no_warnings;
}

/* Is it the file of an intermediate program, which needs no module? */
static bool is_program(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && (!strcmp(end, ST_PROGRAM_SUFFIX) || !strcmp(end, ST_BPF_SUFFIX));
}

/* Rejects what only a module has. */
static void check_program(const struct run *r)
{
	const char *option = r->remove ? "-d" : r->relayed.attach ? "-A" : r->leave ? "-L" :
			     r->rename ? "-R" : r->namespaces ? "-N" : r->buffer_mb ? "-s" :
			     r->gather_ms ? "-T" : r->cgroup ? "--cgroup" : r->container ? "--container" :
			     r->follow ? "--follow" : r->nset ? "-G" :
			     r->daemon && !r->relayed.detach ? "-D" : NULL;

	if (!r->program || !option)
		return;
	say_error("'%s' runs without a module, and %s is about modules: leave it out", r->module, option);
	exit(1);
}

/* Rejects options that exclude each other, or lack one that they need. */
static void check_together(const struct run *r)
{
	const struct relayed *o = &r->relayed;
	const char *why = NULL;

	if (o->command && o->target)
		why = "You can't specify the '-c' and '-x' options together.";
	else if (o->size && !o->output && !o->detach)
		why = "You have to specify output FILE with '-S' option.";
	else if (o->detach && (o->output || o->attach || r->leave))
		why = "'--detach' keeps the output itself: '-o', '-A' and '-L' don't go with it.";
	else if (r->daemon && !o->output && !o->detach)
		why = "You have to specify output FILE with '-D' option.";
	else if (r->leave && (o->attach || r->daemon))
		why = "You can't specify the '-L' option together with '-A' or '-D'.";
	else if (r->leave && (o->command || o->output || o->seconds))
		why = "'-c', '-o' and '--end-after' need a staprun that stays, and with '-L' none "
		      "does; give them to staprun -A.";
	else if (r->cgroup && r->container)
		why = "You can't specify the '--cgroup' and '--container' options together.";
	else if (o->attach && (r->cgroup || r->container || r->follow))
		why = "'-A' is too late for '--cgroup', '--container' and '--follow': the session has "
		      "started.";
	else if (r->follow && !r->cgroup && !r->container && !o->command && !o->target)
		why = "'--follow' needs processes whose children to follow: '--cgroup', '--container', "
		      "'-c' or '-x'.";
	else if (o->attach && (o->command || o->target || r->buffer_mb || r->nset ||
			       r->namespaces || r->rename || r->gather_ms || o->format))
		why = "'-A' is too late for '-c', '-x', '-b', '-G', '-N', '-R', '-T' and '--format': the "
		      "session has started.";
	if (why) {
		say_error("%s", why);
		exit(1);
	}
}

void take_arguments(struct run *r, int argc, char **argv)
{
	r->set = calloc(argc + 1, sizeof(*r->set));
	if (!r->set)
		exit(1);
	take_options(r, argc, argv);
	if (r->sweep)
		return;
	if (r->list) {
		r->module = optind < argc ? argv[optind++] : NULL;
		if (optind == argc)
			return;
		say_error("--list takes the name of one session, or none");
		exit(1);
	}
	bool named = !r->choose || r->remove || r->relayed.attach;

	if (named && optind >= argc) {
		say_error("Need a module name or path to load.");
		exit(1);
	}
	r->daemon |= r->relayed.detach != NULL;
	check_together(r);
	if (named) {
		r->module = argv[optind++];
		r->program = is_program(r->module);
	}
	while (optind < argc)
		add_global(r, argv[optind++]);
	check_program(r);
}
