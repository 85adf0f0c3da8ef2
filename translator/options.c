// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line.
 *
 * Options, the script and its arguments may come in any order, as with
 * SystemTap; "--" ends the options.  $SYSTEMTAP_DIR/rc holds options too, split
 * into words as a shell does; they come first.
 */
#include "options.h"
#include "passes.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <wordexp.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/color.h"
#include "base/diag.h"
#include "config.h"

enum {
	OPT_VM = 256, OPT_CLEAN_CACHE, OPT_POISON_CACHE, OPT_DISABLE_CACHE, OPT_COMPATIBLE,
	OPT_SUPPRESS_TIME, OPT_SUPPRESS_ERRORS, OPT_DEBUGINFO, OPT_SKIP_BADVARS, OPT_NO_GLOBALS, OPT_VP,
	OPT_COLOR, OPT_MODINFO, OPT_RUNTIME, OPT_PRIVILEGE, OPT_DUMP_TYPES, OPT_DUMP_ALIASES,
	OPT_DUMP_FUNCTIONS, OPT_LINES,
	OPT_RLIMIT_AS, OPT_RLIMIT_CPU, OPT_RLIMIT_NPROC, OPT_RLIMIT_STACK,
	OPT_RLIMIT_FSIZE,
	OPT_NO_NEED,		/* an option that only SystemTap needs: accepted */
	OPT_NOT_HERE,		/* an option of SystemTap's that refused() explains */
};

/* The leading ':' makes getopt_long() print no messages; we print them. */
static const char short_options[] =
	":hVvp:I:e:E:o:r:m:kgc:x:D:s:tuwWl:L:T:G:PbiqFS:d:R:a:B:";

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ "vm", no_argument, NULL, OPT_VM },
	{ "vp", required_argument, NULL, OPT_VP },
	{ "clean-cache", no_argument, NULL, OPT_CLEAN_CACHE },
	{ "poison-cache", no_argument, NULL, OPT_POISON_CACHE },
	{ "disable-cache", no_argument, NULL, OPT_DISABLE_CACHE },
	{ "compatible", required_argument, NULL, OPT_COMPATIBLE },
	{ "suppress-time-limits", no_argument, NULL, OPT_SUPPRESS_TIME },
	{ "suppress-handler-errors", no_argument, NULL, OPT_SUPPRESS_ERRORS },
	{ "skip-badvars", no_argument, NULL, OPT_SKIP_BADVARS },
	{ "no-global-var-display", no_argument, NULL, OPT_NO_GLOBALS },
	{ "modinfo", required_argument, NULL, OPT_MODINFO },
	{ "color", optional_argument, NULL, OPT_COLOR },
	{ "colour", optional_argument, NULL, OPT_COLOR },
	{ "dump-probe-types", no_argument, NULL, OPT_DUMP_TYPES },
	{ "dump-probe-aliases", no_argument, NULL, OPT_DUMP_ALIASES },
	{ "dump-functions", no_argument, NULL, OPT_DUMP_FUNCTIONS },
	{ "lines", required_argument, NULL, OPT_LINES },
	{ "runtime", required_argument, NULL, OPT_RUNTIME },
	{ "privilege", required_argument, NULL, OPT_PRIVILEGE },
	{ "rlimit-as", required_argument, NULL, OPT_RLIMIT_AS },
	{ "rlimit-cpu", required_argument, NULL, OPT_RLIMIT_CPU },
	{ "rlimit-nproc", required_argument, NULL, OPT_RLIMIT_NPROC },
	{ "rlimit-stack", required_argument, NULL, OPT_RLIMIT_STACK },
	{ "rlimit-fsize", required_argument, NULL, OPT_RLIMIT_FSIZE },
	{ "prologue-searching", optional_argument, NULL, OPT_NO_NEED },
	{ "ldd", no_argument, NULL, OPT_NO_NEED },
	{ "all-modules", no_argument, NULL, OPT_NO_NEED },
	{ "check-version", no_argument, NULL, OPT_NO_NEED },
	{ "save-uprobes", no_argument, NULL, OPT_NO_NEED },
	{ "download-debuginfo", optional_argument, NULL, OPT_NO_NEED },
	{ "use-server", optional_argument, NULL, OPT_NOT_HERE },
	{ "use-server-on-error", optional_argument, NULL, OPT_NOT_HERE },
	{ "list-servers", optional_argument, NULL, OPT_NOT_HERE },
	{ "trust-servers", optional_argument, NULL, OPT_NOT_HERE },
	{ "sign-module", optional_argument, NULL, OPT_NOT_HERE },
	{ "unprivileged", no_argument, NULL, OPT_NOT_HERE },
	{ "remote", required_argument, NULL, OPT_NOT_HERE },
	{ "remote-prefix", no_argument, NULL, OPT_NOT_HERE },
	{ "sysroot", required_argument, NULL, OPT_NOT_HERE },
	{ "sysenv", required_argument, NULL, OPT_NOT_HERE },
	{ "dyninst", no_argument, NULL, OPT_NOT_HERE },
	{ "bpf", no_argument, NULL, OPT_NOT_HERE },
	{ "target-namespaces", required_argument, NULL, OPT_NOT_HERE },
	{ "monitor", optional_argument, NULL, OPT_NOT_HERE },
	{ "interactive", no_argument, NULL, OPT_NOT_HERE },
	{ "language-server", no_argument, NULL, OPT_NOT_HERE },
	{ "example", no_argument, NULL, OPT_NOT_HERE },
	{ "build-as", required_argument, NULL, OPT_NOT_HERE },
	{ "tmpdir", required_argument, NULL, OPT_NOT_HERE },
	{ "debuginfo", required_argument, NULL, OPT_DEBUGINFO },
	{ NULL, 0, NULL, 0 },
};

static bool bad(const char *fmt, const char *what)
{
	diag(DIAG_ERROR, fmt, what);
	return false;
}

/* Explains why an option of SystemTap's is not supported. */
static bool refused(const char *name)
{
	static const struct {
		const char *name, *why;
	} reasons[] = {
		{ "use-server", "scripts are compiled on this machine; there are no servers" },
		{ "list-servers", "there are no compile servers" },
		{ "trust-servers", "there are no compile servers" },
		{ "sign-module", "sign the module that -p4 -m NAME leaves with the kernel's "
				 "scripts/sign-file" },
		{ "unprivileged", "loading a module needs full rights; there is no lesser level" },
		{ "remote", "copy the module that -p4 -m NAME leaves, and run staprun there" },
		{ "sys", "give the other system's kernel with -r DIRECTORY" },
		{ "target-namespaces", "process ids are those of the initial namespace" },
		{ "monitor", "there is no monitor" },
		{ "interactive", "there is no interactive mode" },
		{ "language-server", "there is no language server" },
		{ "example", "give the path of the script" },
		{ "build-as", "run stap -p4 as that user, and staprun as root" },
		{ "tmpdir", "set the environment variable TMPDIR" },
	};
	const char *why = "scripts run in the kernel, as modules";

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (!strncmp(name, reasons[i].name, strlen(reasons[i].name)))
			why = reasons[i].why;
	diag(DIAG_ERROR, "--%s is not supported: %s", name, why);
	return false;
}

static void unknown_option(const char *given)
{
	vec(const char *) names = { 0 };
	const char *name = given + strspn(given, "-"), *near;

	for (const struct option *o = long_options; o->name; o++)
		if (o->val != OPT_NOT_HERE)
			vec_push(&names, o->name);
	diag(DIAG_ERROR, "unknown option '%s'", given);
	near = strncmp(given, "--", 2) ? NULL
	       : nearest_names(arena_strndup(name, strcspn(name, "=")), names.v, names.n, 1);
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
	     "\n"
	     "  -e TEXT       the script          -E TEXT      add this script\n"
	     "  -c CMD        run CMD and end with it; target() is its pid\n"
	     "  -x PID        target() is PID; end with it\n"
	     "  -T SECONDS    end after SECONDS\n"
	     "  -o FILE       output to FILE      -S MB[,N]    to files of MB each; keep N\n"
	     "  -F            run in the background: with -o as a daemon, else the latest\n"
	     "                output is kept in memory until staprun -A MODULE fetches it\n"
	     "  -p PASS       stop after pass 1 (parse), 2 (elaborate), 3 (translate),\n"
	     "                4 (compile), 5 (run)\n"
	     "  -v            report progress (repeat for more); --vp 12345: by pass\n"
	     "  -g            guru mode: embedded C, writes to kernel variables\n"
	     "  -D NAME=VALUE set a limit: MAXSTRINGLEN, MAXACTION, MAXMAPENTRIES ...\n"
	     "  -G NAME=VALUE set a global variable\n"
	     "  -I DIR        look in DIR for tapset files too\n"
	     "  -r RELEASE    for this kernel release or build directory\n"
	     "  -R DIR        take the runtime from DIR\n"
	     "  -m NAME       name the module, leave it in the current directory\n"
	     "  -s MB         buffer size for each processor\n"
	     "  -k            keep the work directory\n"
	     "  -t            at the end, print hits and cycles of each place\n"
	     "  -u            no optimisation\n"
	     "  -w / -W       no warnings / warnings are errors\n"
	     "  --vm          run in a throw-away guest, not on this machine\n"
	     "  --dump-probe-types --dump-probe-aliases --dump-functions\n"
	     "                list what scripts can use\n"
	     "  --clean-cache --poison-cache --disable-cache\n"
	     "  --suppress-time-limits --suppress-handler-errors --skip-badvars\n"
	     "  --no-global-var-display --compatible=VERSION --color[=WHEN]\n"
	     "  --modinfo=NAME=VALUE -B NAME=VALUE -a ARCH --rlimit-as=N (-cpu -nproc ...)\n"
	     "                see stap(1)\n"
	     "  -V -h         version, this text\n"
	     "\n"
	     "See stap(1).");
}

static void print_version(void)
{
	puts("stap, a SystemTap script compiler (version " PACKAGE_VERSION ")\n"
	     "This is free software under the GNU General Public License, version 2 or\n"
	     "later; there is NO WARRANTY, to the extent permitted by law.");
}

static bool is_identifier(const char *s, size_t n)
{
	if (!n || strspn(s, "0123456789") > 0)
		return false;
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") >= n;
}

/* NAME=VALUE; a -D may do without the value. */
static bool read_define(const char *text, struct define *d, bool need_value)
{
	const char *eq = strchr(text, '=');
	size_t n = eq ? (size_t)(eq - text) : strlen(text);

	if (!is_identifier(text, n) || (need_value && !eq))
		return false;
	d->name = intern_n(text, n);
	d->value = eq ? eq + 1 : "";
	return true;
}

static bool read_number(const char *text, long least, long most, long *out)
{
	char *end;

	errno = 0;
	*out = strtol(text, &end, 10);
	return *text && !*end && !errno && *out >= least && *out <= most;
}

static bool is_duration(const char *text)
{
	char *end;
	double d = strtod(text, &end);

	return *text && !*end && d > 0 && d < 1e9;
}

static bool set_kernel(struct options *o, const char *arg)
{
	if (!*arg)
		return bad("-r %s: a kernel release or a build directory is expected", arg);
	/* a build directory, or the release that names one */
	if (*arg != '/') {
		o->release = arg;
		o->kernel_build = arena_printf("/lib/modules/%s/build", arg);
		return true;
	}
	o->kernel_build = arg;

	FILE *f = fopen(arena_printf("%s/include/config/kernel.release", arg), "r");
	char line[128];

	if (!f || !fgets(line, sizeof(line), f)) {
		if (f)
			fclose(f);
		return bad("-r %s: no kernel build directory (no include/config/kernel.release)",
			   arg);
	}
	fclose(f);
	line[strcspn(line, "\n")] = 0;
	o->release = arena_strdup(line);
	return true;
}

static bool is_output_size(const char *text)
{
	unsigned mb, files;
	char end;

	return isdigit((unsigned char)*text) &&
	       (sscanf(text, "%u%c", &mb, &end) == 1 ||
		(sscanf(text, "%u,%u%c", &mb, &files, &end) == 2 && files)) && mb;
}

static bool is_known_arch(const char *arch)
{
	return arch_find(arch) || bad("-a %s: this architecture is not supported", arch);
}

static bool set_limit(int which, const char *text)
{
	struct rlimit limit;
	long n;

	if (!read_number(text, 1, LONG_MAX, &n))
		return bad("--rlimit: a number is expected, not '%s'", text);
	limit.rlim_cur = limit.rlim_max = n;
	if (!setrlimit(which, &limit))
		return true;
	diag(DIAG_ERROR, "can't set the limit to %s: %s", text, strerror(errno));
	return false;
}

static bool set_debuginfo(struct options *o, const char *arg)
{
	static const char *const names[] = {
		[DEBUGINFO_DWARF] = "dwarf", [DEBUGINFO_BTF] = "btf", [DEBUGINFO_NONE] = "none",
	};

	for (enum debuginfo d = DEBUGINFO_DWARF; d <= DEBUGINFO_NONE; d++)
		if (!strcmp(arg, names[d])) {
			o->debuginfo = d;
			return true;
		}
	return bad("--debuginfo %s: dwarf, btf or none is expected", arg);
}

static bool take_option(struct options *o, int opt, char *arg)
{
	struct define d;
	long n;

	switch (opt) {
	case 'v': o->verbose++; break;
	case 'g': o->guru = true; break;
	case 'k': o->keep = true; break;
	case 't': o->timing = true; break;
	case 'u': o->unoptimized = true; break;
	case 'w': diag_no_warnings = true; break;
	case 'W': diag_warnings_are_errors = true; break;
	case 'F': o->flight = true; break;
	case 'R': o->runtime_dir = arg; break;
	case 'S': o->output_size = arg; return is_output_size(arg) ||
		  bad("-S %s: MB[,N] is expected, megabytes and files", arg);
	case 'a': return is_known_arch(arg);
	case 'B':
		if (!strchr(arg, '='))
			return bad("-B %s: NAME=VALUE is expected", arg);
		vec_push(&o->kbuild_args, arg);
		break;
	case 'b':
		diag(DIAG_WARNING, "-b has no effect: output of all processors is merged by time");
		break;
	case 'P': case 'd': case 'q': break;	/* as OPT_NO_NEED */
	case 'i': return refused("interactive");
	case 'e':
		if (o->script_text)
			return bad("only one script can be given: -e %s is another", arg);
		o->script_text = arg;
		break;
	case 'E': vec_push(&o->extra_scripts, arg); break;
	case 'I': vec_push(&o->include_dirs, arg); break;
	case 'o': o->output_file = arg; break;
	case 'c': o->command = arg; break;
	case 'r': return set_kernel(o, arg);
	case 'l':
	case 'L':
		o->list = true;
		o->list_vars |= opt == 'L';
		o->script_text = arena_printf("probe %s {}", arg);
		break;
	case OPT_LINES:
		if (!*arg)
			return bad("--lines %s: a function, or FILE:LINES, is expected", arg);
		o->list = o->list_lines = true;
		o->script_text = lines_script(arg);
		break;
	case 'p':
		if (!read_number(arg, 1, 5, &n))
			return bad("-p %s: passes are 1 to 5", arg);
		o->last_pass = n;
		break;
	case 'x':
		if (!read_number(arg, 1, 1 << 22, &n))
			return bad("-x %s: a process id is expected", arg);
		o->target_pid = n;
		break;
	case 's':
		if (!read_number(arg, 1, 4095, &n))
			return bad("-s %s: megabytes, from 1 to 4095, are expected", arg);
		o->buffer_mb = arg;
		break;
	case 'T':
		if (!is_duration(arg))
			return bad("-T %s: seconds are expected", arg);
		o->timeout = arg;
		break;
	case 'm': {
		size_t len = strlen(arg);

		if (len > 3 && !strcmp(arg + len - 3, ".ko"))
			len -= 3;
		if (!is_identifier(arg, len) || len > 55)
			return bad("-m %s: a module's name has letters, digits and '_', 55 at most",
				   arg);
		o->module_name = arena_strndup(arg, len);
		break;
	}
	case 'D':
		if (!read_define(arg, &d, false))
			return bad("-D %s: NAME or NAME=VALUE is expected", arg);
		vec_push(&o->defines, d);
		o->timing |= !strcmp(d.name, "STP_TIMING");
		break;
	case 'G':
		if (!read_define(arg, &d, true))
			return bad("-G %s: NAME=VALUE is expected", arg);
		vec_push(&o->globals, d);
		break;
	case OPT_VM: o->vm = true; break;
	case OPT_POISON_CACHE: o->poison_cache = true; break;
	case OPT_DISABLE_CACHE: o->disable_cache = true; break;
	case OPT_COMPATIBLE:
		if (!*arg || arg[strspn(arg, "0123456789.")])
			return bad("--compatible %s: a version like 4.8 is expected", arg);
		if (strverscmp(arg, LANGUAGE_VERSION) > 0)
			return bad("systemtap version " LANGUAGE_VERSION
				   " cannot be compatible with future version %s", arg);
		o->compatible = arg;
		break;
	case OPT_DEBUGINFO: return set_debuginfo(o, arg);
	case OPT_SUPPRESS_TIME: o->suppress_time_limits = true; break;
	case OPT_SUPPRESS_ERRORS: o->suppress_handler_errors = true; break;
	case OPT_SKIP_BADVARS: o->skip_badvars = true; break;
	case OPT_NO_GLOBALS: o->no_global_display = true; break;
	case OPT_VP:
		for (size_t i = 0; i < 5 && arg[i]; i++) {
			if (!isdigit((unsigned char)arg[i]))
				return bad("--vp %s: a digit for each pass is expected", arg);
			o->verbose_in[i] += arg[i] - '0';
		}
		break;
	case OPT_COLOR:
		if (!color_mode(arg ? arg : "always"))
			return bad("--color=%s: never, always or auto is expected", arg);
		break;
	case OPT_MODINFO:
		if (!read_define(arg, &d, true))
			return bad("--modinfo %s: NAME=VALUE is expected", arg);
		vec_push(&o->modinfo, d);
		break;
	case OPT_RUNTIME:
		return !strcmp(arg, "kernel") || refused("runtime");
	case OPT_PRIVILEGE:
		return !strcmp(arg, "stapdev") || refused("unprivileged");
	case OPT_RLIMIT_AS: return set_limit(RLIMIT_AS, arg);
	case OPT_RLIMIT_CPU: return set_limit(RLIMIT_CPU, arg);
	case OPT_RLIMIT_NPROC: return set_limit(RLIMIT_NPROC, arg);
	case OPT_RLIMIT_STACK: return set_limit(RLIMIT_STACK, arg);
	case OPT_RLIMIT_FSIZE: return set_limit(RLIMIT_FSIZE, arg);
	case OPT_NO_NEED: break;
	}
	return true;
}

/* The rc file's words, with a name for argv[0]; NULL: none. */
static char **rc_words(const char *home, int *argc)
{
	const char *path = arena_printf("%s/rc", home);
	FILE *f = fopen(path, "r");
	vec(char *) words = { 0 };
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return NULL;
	vec_push(&words, (char *)"rc");
	for (unsigned n = 1; getline(&line, &room, f) > 0; n++) {
		wordexp_t w;

		line[strcspn(line, "\n")] = 0;
		if (*line == '#')
			continue;
		if (wordexp(line, &w, WRDE_NOCMD)) {
			diag(DIAG_WARNING, "%s:%u: ignored: not words as a shell reads them",
			     path, n);
			continue;
		}
		for (size_t i = 0; i < w.we_wordc; i++)
			vec_push(&words, arena_strdup(w.we_wordv[i]));
		wordfree(&w);
	}
	free(line);
	fclose(f);
	*argc = words.n;
	vec_push(&words, NULL);
	return words.v;
}

static bool read_argv(struct options *o, int argc, char **argv, enum action *action)
{
	int opt, index = 0;

	optind = 0;		/* glibc: start afresh */
	while ((opt = getopt_long(argc, argv, short_options, long_options, &index)) != -1) {
		switch (opt) {
		case 'h':
			print_help();
			*action = ACTION_DONE;
			return true;
		case 'V':
			print_version();
			*action = ACTION_DONE;
			return true;
		case OPT_CLEAN_CACHE:
			*action = ACTION_CLEAN_CACHE;
			break;
		case OPT_DUMP_TYPES:
			*action = ACTION_DUMP_TYPES;
			break;
		case OPT_DUMP_ALIASES:
			*action = ACTION_DUMP_ALIASES;
			break;
		case OPT_DUMP_FUNCTIONS:
			*action = ACTION_DUMP_FUNCTIONS;
			break;
		case OPT_NOT_HERE:
			return refused(long_options[index].name);
		case ':':
			return bad("the option %s needs an argument", argv[optind - 1]);
		case '?':
			unknown_option(optopt && optopt < 256 ? arena_printf("-%c", optopt)
							      : argv[optind - 1]);
			return false;
		default:
			if (!take_option(o, opt, optarg))
				return false;
		}
	}
	return true;
}

enum action read_options(struct options *o, const char *home, int argc, char **argv,
			 int *status)
{
	enum action action = ACTION_RUN;
	int rc_argc;
	char **rc = rc_words(home, &rc_argc);

	*status = 1;
	if (rc && !read_argv(o, rc_argc, rc, &action))
		return ACTION_DONE;
	if (!read_argv(o, argc, argv, &action)) {
		fputs("Try 'stap --help'.\n", stderr);
		return ACTION_DONE;
	}
	if (o->flight && o->vm) {
		diag(DIAG_ERROR, "-F leaves the script running, but --vm's guest ends with stap");
		return ACTION_DONE;
	}
	if (o->output_size && !o->output_file) {
		diag(DIAG_ERROR, "-S needs the file's name: -o FILE");
		return ACTION_DONE;
	}
	if (o->suppress_time_limits && !o->guru) {
		diag(DIAG_ERROR, "--suppress-time-limits requires guru mode (-g)");
		return ACTION_DONE;
	}
	*status = 0;
	if (action != ACTION_RUN)
		return action;
	for (; optind < argc; optind++) {
		if (!o->script_text && !o->script_path)
			o->script_path = argv[optind];
		else
			vec_push(&o->args, argv[optind]);
	}
	if (o->script_text || o->script_path || o->extra_scripts.n)
		return ACTION_RUN;
	*status = 1;
	diag(DIAG_ERROR, "no script: give a FILE, - for standard input, or -e TEXT");
	fputs("Try 'stap --help'.\n", stderr);
	return ACTION_DONE;
}
