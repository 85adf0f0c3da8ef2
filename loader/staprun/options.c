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
#include "common/say.h"
#include "run.h"

static const char usage_text[] =
	"usage: staprun [OPTIONS] MODULE [NAME=VALUE ...] [OPTIONS]\n"
	"  MODULE is a file, or a name looked for in /lib/modules/`uname -r`/systemtap.\n"
	"  -v            say more (may be repeated)\n"
	"  -w            no warnings\n"
	"  -o FILE       output to FILE (strftime(3) formats are filled in)\n"
	"  -c CMD        run CMD once the probes are armed, end when it does; its pid is target()\n"
	"  -x PID        PID is target(); end when it does\n"
	"  --end-after=SECONDS  end after so many seconds\n"
	"  -T MS         let output wait up to so many milliseconds before it is written\n"
	"  -S MB[,N]     -o's file of that size at most, then the next; the last N are kept\n"
	"  -D            go on in the background, and print the process id (with -o)\n"
	"  -L            start it, and leave it running; the newest output is kept in memory\n"
	"  -A            attach to a module, by name, that was left running\n"
	"  -b, -s MB     buffer size per CPU, 1 to 4095\n"
	"  -G NAME=VALUE set a global variable of the script\n"
	"  -N PID        ns_pid() and its like count in the namespaces of PID\n"
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

static void hand_on(struct run *r, const char *option, const char *value)
{
	if (r->nrelay + 2 > (int)(sizeof(r->relay) / sizeof(*r->relay)) - 1)
		return;			/* only many -v get here */
	r->relay[r->nrelay++] = option;
	if (value)
		r->relay[r->nrelay++] = value;
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

static void more_verbose(struct run *r, char *arg)
{
	(void)r, (void)arg;
	say_verbose++;
}

static void no_warnings(struct run *r, char *arg)
{
	(void)r, (void)arg;
	say_no_warnings = true;
}

/* Rejects a number of seconds that stapio would not take. */
static void set_seconds(struct run *r, char *arg)
{
	char *end;
	double seconds = strtod(arg, &end);

	if (end == arg || *end || !(seconds >= 0.001 && seconds < 1e9)) {
		say_error("--end-after takes seconds, from 0.001 on, not '%s'", arg);
		exit(1);
	}
	r->seconds = arg;
}

/* Rejects sizes and numbers of files that stapio would not take. */
static void set_size(struct run *r, char *arg)
{
	char *comma = strchr(arg, ',');

	if (comma) {
		number('S', comma + 1, INT_MAX);
		*comma = '\0';
	}
	number('S', arg, ST_OUTPUT_MOST);
	if (comma)
		*comma = ',';
	r->size = arg;
}

static void print_version(struct run *r, char *arg)
{
	(void)r, (void)arg;
	puts("staprun (version " VERSIONS ")");
	exit(0);
}

static void print_usage(struct run *r, char *arg)
{
	(void)r, (void)arg;
	fputs(usage_text, stdout);
	exit(0);
}

/* ---- the table of options ---- */

enum { END_AFTER = 256, LIST };

struct known_option {
	int option;			/* the letter, or END_AFTER, LIST */
	int argument;			/* getopt_long()'s: no_argument and so on */
	/* offsets in struct run; no option sets the member at 0 */
	size_t flag;			/* a bool that becomes true */
	size_t text;			/* a string that becomes the argument */
	size_t number;			/* a long that becomes the argument, */
	long most;			/* which is at most this */
	void (*take)(struct run *r, char *arg);
	const char *why;		/* it is refused, for this reason */
};

#define MEMBER(name) offsetof(struct run, name)

static const struct known_option known_options[] = {
	{ 'h', no_argument, .take = print_usage },
	{ 'V', no_argument, .take = print_version },
	{ 'v', no_argument, .take = more_verbose },
	{ 'w', no_argument, .take = no_warnings },
	{ 'd', no_argument, .flag = MEMBER(remove) },
	{ 'k', no_argument, .flag = MEMBER(sweep) },
	{ 'L', no_argument, .flag = MEMBER(leave) },
	{ 'A', no_argument, .flag = MEMBER(attach) },
	{ 'D', no_argument, .flag = MEMBER(daemon) },
	{ 'R', no_argument, .flag = MEMBER(rename) },
	{ 'o', required_argument, .text = MEMBER(output) },
	{ 'c', required_argument, .text = MEMBER(command) },
	{ 'S', required_argument, .take = set_size },
	{ 'x', required_argument, .text = MEMBER(target_text), .number = MEMBER(target),
	  .most = INT_MAX },
	/* the same in SystemTap's first versions */
	{ 't', required_argument, .text = MEMBER(target_text), .number = MEMBER(target),
	  .most = INT_MAX },
	{ 'N', required_argument, .number = MEMBER(namespaces), .most = INT_MAX },
	{ 'P', required_argument, .number = MEMBER(parent), .most = INT_MAX },
	{ 'T', required_argument, .number = MEMBER(gather_ms), .most = ST_GATHER_MOST },
	{ 'b', required_argument, .number = MEMBER(buffer_mb), .most = 4095 },
	{ 's', required_argument, .number = MEMBER(buffer_mb), .most = 4095 },
	{ 'G', required_argument, .take = add_global },
	{ END_AFTER, required_argument, .take = set_seconds },
	{ LIST, no_argument, .flag = MEMBER(list) },

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

/* Takes all options, also those behind the module; getopt_long() moves the other words to optind. */
static void take_options(struct run *r, int argc, char **argv)
{
	static const struct option names[] = {
		{ "end-after", required_argument, NULL, END_AFTER },
		{ "help", no_argument, NULL, 'h' },
		{ "list", no_argument, NULL, LIST },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	const size_t n = sizeof(known_options) / sizeof(*known_options);
	char letters[3 * n + 1], *end = letters;
	int c;

	for (size_t i = 0; i < n; i++)
		if (known_options[i].option < END_AFTER)
			end += sprintf(end, "%c%.*s", known_options[i].option,
				       known_options[i].argument, "::");
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		size_t i = 0;

		while (i < n && known_options[i].option != c)
			i++;
		if (i == n) {
			fputs(usage_text, stderr);
			exit(1);
		}
		take_option(r, &known_options[i], optarg);
	}
}

/* Rejects options that exclude each other, or lack one that they need. */
static void check_together(const struct run *r)
{
	const char *why = NULL;

	if (r->size && !r->output)
		why = "You have to specify output FILE with '-S' option.";
	else if (r->daemon && !r->output)
		why = "You have to specify output FILE with '-D' option.";
	else if (r->leave && (r->attach || r->daemon))
		why = "You can't specify the '-L' option together with '-A' or '-D'.";
	else if (r->leave && (r->command || r->output || r->seconds))
		why = "With '-L' nobody is left for '-c', '-o' or '--end-after'; give them to staprun -A.";
	else if (r->attach && (r->command || r->target_text || r->buffer_mb || r->nset ||
			       r->namespaces || r->rename || r->gather_ms))
		why = "'-A' is too late for '-c', '-x', '-b', '-G', '-N', '-R' and '-T': the session "
		      "has started.";
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
	if (optind >= argc) {
		say_error("Need a module name or path to load.");
		exit(1);
	}
	if (r->command && r->target_text) {
		say_error("You can't specify the '-c' and '-x' options together.");
		exit(1);
	}
	check_together(r);
	r->module = argv[optind++];
	while (optind < argc)
		add_global(r, argv[optind++]);
	for (int i = 0; i < say_verbose && i < 4; i++)
		hand_on(r, "-v", NULL);
	if (say_no_warnings)
		hand_on(r, "-w", NULL);
	if (r->output)
		hand_on(r, "-o", r->output);
	if (r->command)
		hand_on(r, "-c", r->command);
	if (r->target_text)
		hand_on(r, "-x", r->target_text);
	if (r->seconds)
		hand_on(r, "-E", r->seconds);
	if (r->size)
		hand_on(r, "-S", r->size);
	if (r->attach)
		hand_on(r, "-A", NULL);
}
