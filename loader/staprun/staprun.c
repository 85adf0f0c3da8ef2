// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun: the privileged part of the loader.
 *
 * It inserts the module, sends it the facts that only the running system knows (addresses),
 * starts stapio, with the rights of the user, to relay the output, and removes the module when
 * stapio has ended.  If staprun is killed, stapio ends the session, and the module has the kernel
 * run staprun -k when nobody has its files open any more.
 *
 * It must not be installed setuid: it can't tell which modules a user may load, and whoever
 * loads one controls the kernel.  But sudo and the like run it for users, so it takes its
 * arguments, environment, descriptors, limits and the module file for hostile.  It executes
 * only stapio, by a path that doesn't depend on the caller, uses no environment variable, and
 * opens nothing on the user's behalf but the programs that the module probes: stapio opens output
 * files and runs commands.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "abi/bounds.h"
#include "abi/transport.h"
#include "base/self.h"
#include "common/control.h"
#include "files.h"
#include "list.h"
#include "common/module.h"
#include "common/say.h"
#include "common/signals.h"
#include "symbols.h"
#include "unused.h"

/* If the caller has ended, nobody can send a second signal: stapio gets this long to relay the
 * rest of the output, then as long again to exit. */
#define DRAIN_MS 400

/* The longest wait for a message to be read: removing the module is more important. */
#define SAY_MS 1000

struct run {
	const char *module;		/* as given; NULL with -k, and maybe with --list */
	char **set;			/* "name=value"s for the script's globals */
	int nset;
	long buffer_mb;			/* 0: the module's default */
	long parent;			/* -P: end when this process has ended */
	bool remove;			/* -d */
	bool sweep;			/* -k */
	bool list;			/* --list */
	bool leave;			/* -L: start the module, and detach */
	bool attach;			/* -A: attach to a detached module */
	bool daemon;			/* -D */
	int daemon_fd;			/* -D: our caller waits at the pipe's other end */
	bool rename;			/* -R */
	long target;			/* -x */
	long namespaces;		/* -N */
	long gather_ms;			/* -T */
	bool bulk, json;		/* stap -b, --json; the module tells */
	const char *output, *command;	/* -o, -c */
	const char *target_text;	/* -x, as given */
	const char *seconds, *size;	/* --end-after, -S */
	const char *relay[16];		/* options passed on to stapio */
	int nrelay;
	char **environment;
	mode_t umask;

	void *awaited, *others;		/* sets of module names: not loaded; loaded, but of
					   another build than the script expects */
	struct module_file file;
	int signals, control, trace, formats, programs;
	int parent_fd;
	pid_t stapio;
	int stapio_fd, self_fd;		/* pidfds; stapio inherits self_fd, to notice our end */
	int killed_by;			/* the signal that ended stapio, or 0 */
};

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

static void options(struct run *r, int argc, char **argv)
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

/* ---- what we were started with ---- */

/*
 * Makes sure that descriptors 0 to 2 exist, so that no file opened later becomes one of them, and
 * that we can wait for children, which a caller that ignores SIGCHLD would take from us; and sets
 * the environment and the umask aside for stapio.
 */
static void make_safe(struct run *r)
{
	static char *empty[] = { NULL };
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd < 3);
	if (fd > 2)
		close(fd);
	r->environment = environ;
	environ = empty;
	r->umask = umask(022);
	signal(SIGCHLD, SIG_DFL);
}

/* stapio's path: where it is installed, or beside staprun in a build tree; the latter only if we
 * have no more rights than our caller. */
static const char *stapio_path(void)
{
	static char path[PATH_MAX];

	return !getauxval(AT_SECURE) && self_beside("stapio", path) ? path : PKGLIBEXECDIR "/stapio";
}

static bool only_root_writes(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !st.st_uid && !(st.st_mode & 022);
}

/* May only root change the file, and the directories that lead to it? */
static bool is_roots(const char *path)
{
	char part[PATH_MAX];

	for (size_t i = 1; path[i - 1]; i++) {
		if (i > 1 && path[i] && path[i] != '/')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)i, path);
		if (!only_root_writes(part))
			return false;
	}
	return true;
}

/* The program that the kernel may run as root to remove the module: ourselves, or "". */
static const char *remover_path(void)
{
	static char path[PATH_MAX];

	if (self_path(path) && is_roots(path))
		return path;
	say_if(2, "staprun: users other than root can change %s: the kernel is not asked to run it",
	       path);
	return "";
}

static const char *module_path(const char *name)
{
	static char path[PATH_MAX];
	size_t n = strlen(name);
	struct utsname u;

	if (strchr(name, '/') || (n > 3 && !strcmp(name + n - 3, ".ko")) || uname(&u))
		return name;
	snprintf(path, sizeof(path), "/lib/modules/%s/systemtap/%s.ko", u.release, name);
	return path;
}

/* ---- what the module has to be told ---- */

static int tell(struct run *r, const char *fmt, ...)
{
	char why[512], *command;
	va_list ap;

	va_start(ap, fmt);
	int n = vasprintf(&command, fmt, ap);

	va_end(ap);
	if (n < 0)
		return -1;
	int err = control_send(r->control, why, sizeof(why), "%s", command);

	if (err)
		say_error("%s", why);
	free(command);
	return err;
}

static bool is_loaded(const char *module)
{
	char path[256];
	int n = snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);

	return !strcmp(module, "kernel") ||
	       (n > 0 && (size_t)n < sizeof(path) && !access(path, F_OK));
}

/* The address of a module's section; 0 if the module isn't loaded or lacks it.  Init sections are
 * freed after the module's start, though the kernel still shows their addresses. */
static unsigned long section_address(const char *module, const char *section)
{
	char path[256], text[32];
	int n = snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, section);

	if (strchr(module, '/') || strchr(section, '/') || module[0] == '.' ||
	    !strcmp(section, "..") || !strncmp(section, ".init.", 6) || n < 0 || (size_t)n >= sizeof(path))
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return strtoul(text, NULL, 16);
}

/* Sends the addresses of symbols whose name is unique. */
static int tell_symbols(struct run *r, struct symbol *v, size_t n)
{
	int err = n ? symbols_find(v, n) : 0;

	if (err == -EPERM)
		say_error("the kernel hides its addresses (kernel.kptr_restrict): functions "
			  "can't be found by name");
	else if (err)
		say_error("can't read /proc/kallsyms: %s", strerror(-err));
	if (!err && n)
		symbols_check(v, n);
	for (size_t i = 0; !err && i < n; i++) {
		say_if(2, "staprun: %s %s is at %#lx, one of %u", v[i].module, v[i].name,
		       v[i].address, v[i].found);
		if (v[i].found == 1 || !is_loaded(v[i].module))
			err = tell(r, "base %u %lx%s", v[i].base, v[i].address,
				   v[i].kprobes_may ? " kprobes" : "");
	}
	return err;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void keep(void *text)
{
	(void)text;
}

/* Adds a module to a set; is it new there? */
static bool is_new(void **set, const char *module)
{
	const char **known = tsearch(module, set, by_text);

	return known && *known == module;
}

/* Is the loaded module the build that the script was made for?  True if that isn't known. */
static bool is_its_build(struct run *r, const char *module, const char *wanted)
{
	char path[256], id[129];

	if (!wanted || !is_loaded(module))
		return true;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	if (!*notes_build_id(path, id, sizeof(id)) || !strcmp(id, wanted))
		return true;
	if (is_new(&r->others, module))
		say_warning("module %s is another build than the one the script was made for: its "
			    "probes are left out [man warning::buildid]", module);
	return false;
}

/* Sends one base's address; collects a symbol, to be looked up with the others. */
static int tell_base(struct run *r, char *line, struct symbol *symbols, size_t *n)
{
	const char *number = strsep(&line, " "), *module = strsep(&line, " ");
	const char *section = strsep(&line, " ");
	unsigned int base = strtoul(number, NULL, 10);
	unsigned long address = 0;

	if (!module || !section)
		return 0;
	if (!is_loaded(module) && is_new(&r->awaited, module))
		say_if(1, "staprun: module %s is not loaded yet: it will be probed when it is",
			       module);
	if (section[0] == ST_BASE_SYMBOL) {
		symbols[(*n)++] = (struct symbol){ .module = module, .name = section + 1,
						   .base = base };
		return 0;
	}
	if (!strcmp(module, "kernel"))
		return 0;
	if (is_its_build(r, module, line))
		address = section_address(module, section);
	say_if(2, "staprun: %s %s is at %#lx", module, section, address);
	return tell(r, "base %u %lx", base, address);
}

/* Each text of bases: "I MODULE SECTION [BUILD-ID]", or "I MODULE =SYMBOL". */
static int tell_bases(struct run *r)
{
	int fd = control_open(r->file.name, ST_FILE_BASES, O_RDONLY), err = -1;
	size_t size = 0, n = 0;
	char *text = fd < 0 ? NULL : control_read_all(fd, &size), *next = text;
	struct symbol *symbols = calloc(size / 4 + 1, sizeof(*symbols));	/* one per text */

	if (!text || !symbols)
		say_error("can't read what the module needs: %s", strerror(errno));
	else
		err = 0;
	if (fd >= 0)
		close(fd);
	while (!err && next < text + size)
		err = tell_base(r, control_next(&next), symbols, &n);
	if (!err)
		err = tell_symbols(r, symbols, n);
	tdestroy(r->awaited, keep);
	tdestroy(r->others, keep);
	r->awaited = r->others = NULL;
	free(symbols);
	free(text);
	return err;
}

static int tell_module(struct run *r)
{
	if (tell_bases(r) || files_tell(r->file.name, r->control) ||
	    (r->buffer_mb && tell(r, "buffer %ld", r->buffer_mb)) ||
	    (r->gather_ms && tell(r, "gather %ld", r->gather_ms)) ||
	    (r->namespaces && tell(r, "namespaces %ld", r->namespaces)))
		return -1;
	for (int i = 0; i < r->nset; i++)
		if (tell(r, "set %s", r->set[i]))
			return -1;
	return 0;
}

static void close_trace(struct run *r)
{
	if (r->trace >= 0)
		close(r->trace);
	r->trace = -1;
}

static int open_module(struct run *r)
{
	r->control = control_open(r->file.name, ST_FILE_CONTROL, O_RDWR);
	r->trace = control_open(r->file.name, ST_FILE_TRACE, O_RDWR);
	r->formats = control_open(r->file.name, ST_FILE_FORMATS, O_RDONLY);
	r->programs = control_open(r->file.name, ST_FILE_FILES, O_RDONLY);
	if (r->control >= 0 && r->trace >= 0 && r->formats >= 0 && r->programs >= 0)
		return 0;
	if (r->control == -ENOENT && !is_loaded(r->file.name))
		say_error("there is no module '%s': staprun -A takes the name of one that "
			  "staprun -L has left running", r->file.name);
	else if (r->control == -ENOENT)
		say_error("'%s' is a kernel module, but not one that stap made", r->file.path);
	else
		say_error("can't open the module's files in /proc/systemtap/%s: %s", r->file.name,
			  strerror(r->control < 0 ? -r->control :
				   r->trace < 0 ? -r->trace :
				   r->formats < 0 ? -r->formats : -r->programs));
	return -1;
}

/* ---- stapio ---- */

static void become_user(void)
{
	uid_t uid = getuid();
	gid_t gid = getgid();

	if (uid == geteuid() && gid == getegid())
		return;
	/* The supplementary groups are the user's own already. */
	if (setresgid(gid, gid, gid) || setresuid(uid, uid, uid) ||
	    (uid && !setuid(0))) {
		say_error("can't give up root's rights: %s", strerror(errno));
		_exit(1);
	}
}

static void become_stapio(struct run *r)
{
	const char *path = stapio_path();
	const char *argv[28] = { "stapio" };
	char files[64], started[16];
	int n = 1;

	for (int i = 0; i < r->nrelay; i++)
		argv[n++] = r->relay[i];
	if (r->bulk)
		argv[n++] = "-b";
	if (r->json)
		argv[n++] = "-J";
	snprintf(files, sizeof(files), "%d,%d,%d,%d,%d", r->control, r->trace, r->formats,
		 r->programs, r->self_fd);
	if (r->daemon) {
		snprintf(started, sizeof(started), "%d", r->daemon_fd);
		fcntl(r->daemon_fd, F_SETFD, 0);
		argv[n++] = "-N";
		argv[n++] = started;
	}
	argv[n++] = "-F";
	argv[n++] = files;
	argv[n++] = r->file.name;
	argv[n] = NULL;
	fcntl(r->control, F_SETFD, 0);
	fcntl(r->trace, F_SETFD, 0);
	fcntl(r->formats, F_SETFD, 0);
	fcntl(r->programs, F_SETFD, 0);
	fcntl(r->self_fd, F_SETFD, 0);
	umask(r->umask);
	become_user();
	/* If stapio is stopped, SIGCONT lets it notice our end. */
	prctl(PR_SET_PDEATHSIG, SIGCONT);
	execve(path, (char **)argv, r->environment);
	say_error("can't run %s: %s", path, strerror(errno));
	_exit(1);
}

/* How stapio is to write the output is the script's matter. */
static int take_output_form(struct run *r)
{
	struct control_state st;
	int err = control_state(r->control, &st);

	if (err) {
		say_error("can't read the module's state: %s", strerror(-err));
		return -1;
	}
	r->bulk = control_counter(&st, "bulk");
	r->json = control_counter(&st, "json");
	control_state_free(&st);
	return 0;
}

/* -D: closes our streams, so that nobody who waits for their end waits for the session's; stapio
 * reports how the start went. */
static void leave_terminal(struct run *r)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	close(r->daemon_fd);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	close(null);
}

static int start_stapio(struct run *r)
{
	if (take_output_form(r))
		return -1;
	r->self_fd = syscall(SYS_pidfd_open, getpid(), 0);
	r->stapio = r->self_fd < 0 ? -1 : fork();
	if (!r->stapio)
		become_stapio(r);
	r->stapio_fd = r->stapio > 0 ? syscall(SYS_pidfd_open, r->stapio, 0) : -1;
	int err = errno;

	close_trace(r);
	close(r->formats);
	close(r->programs);
	close(r->self_fd);
	if (r->daemon)
		leave_terminal(r);
	if (r->stapio_fd < 0) {
		say_error("can't start stapio: %s", strerror(err));
		if (r->stapio > 0) {
			kill(r->stapio, SIGKILL);
			waitpid(r->stapio, NULL, 0);
		}
		return -1;
	}
	return 0;
}

/*
 * Ends the session: the first time stops the module, so that stapio relays the output up to the
 * end of the trace; the second time asks stapio to exit without that; the third time kills it.
 * SIGCONT is for a stapio that was stopped.
 */
static void ask_to_end(struct run *r, int times)
{
	char why[256];

	if (!times)
		control_send(r->control, why, sizeof(why), "stop");
	else
		kill(r->stapio, times == 1 ? SIGTERM : SIGKILL);
	kill(r->stapio, SIGCONT);
}

/* Waits for stapio, and ends the session at a signal or at our caller's end.  Returns stapio's
 * status. */
static int wait_for_stapio(struct run *r)
{
	struct pollfd pf[] = {
		{ .fd = r->stapio_fd, .events = POLLIN },
		{ .fd = r->signals, .events = POLLIN },
		{ .fd = r->parent_fd, .events = POLLIN },
	};
	int status, asked = 0, wait_ms = -1;

	while (!(pf[0].revents & POLLIN)) {
		int n = poll(pf, 3, wait_ms);

		if (n < 0 || (n > 0 && !(pf[1].revents | pf[2].revents)))
			continue;
		ask_to_end(r, asked++);
		if (pf[1].revents)
			signals_take(r->signals);
		if (pf[2].revents) {
			pf[2].fd = -1;
			wait_ms = DRAIN_MS;
		}
		pf[1].revents = pf[2].revents = 0;
	}
	waitpid(r->stapio, &status, 0);
	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	r->killed_by = WTERMSIG(status);
	return 1;
}

static void say_how_stapio_ended(const struct run *r)
{
	if (r->killed_by)
		say_error("stapio was killed by signal %d (%s); its output may be missing",
			  r->killed_by, strsignal(r->killed_by));
}

/* ---- the whole ---- */

/*
 * Starts the session from a child, because arming its probes may take minutes: a signal
 * that comes meanwhile stops the module.
 */
static int start_unless_stopped(struct run *r)
{
	pid_t child = fork();

	if (!child) {
		/* A child that is stopped would hold the module when we are killed. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(!!tell(r, "start"));
	}

	struct pollfd pf[] = {
		{ .fd = child > 0 ? syscall(SYS_pidfd_open, child, 0) : -1, .events = POLLIN },
		{ .fd = r->signals, .events = POLLIN },
	};
	bool stopped = false;
	int status = 1;

	if (pf[0].fd < 0)
		say_error("can't start the session: %s", strerror(errno));
	while (pf[0].fd >= 0 && !(pf[0].revents & POLLIN)) {
		char why[256];

		if (poll(pf, 2, -1) > 0 && pf[1].revents && signals_take(r->signals)) {
			stopped = true;
			control_send(r->control, why, sizeof(why), "stop");
		}
	}
	if (child > 0)
		waitpid(child, &status, 0);
	if (pf[0].fd >= 0)
		close(pf[0].fd);
	return status || stopped ? -1 : 0;
}

/* -L: does everything that stapio does up to the start, and detaches. */
static int start_and_leave(struct run *r)
{
	if (open_module(r) || tell_module(r))
		return 1;
	control_send_zone(r->control);
	if ((r->target && tell(r, "target %ld", r->target)) ||
	    start_unless_stopped(r) || tell(r, "detach"))
		return 1;
	close_trace(r);
	close(r->formats);
	close(r->programs);
	close(r->control);
	r->control = -1;
	printf("Disconnecting from systemtap module.\n"
	       "To reconnect, type \"staprun -A %s\"\n", r->file.name);
	fflush(stdout);
	return 0;
}

static int run_inserted(struct run *r)
{
	if (open_module(r) || tell_module(r) || start_stapio(r))
		return 1;
	return wait_for_stapio(r);
}

/* Stops and removes the module.  The control file stays open meanwhile: without a watcher the
 * module would have itself removed.  That of the trace would hold it, had stapio not started. */
static int end_module(struct run *r)
{
	char why[256];

	close_trace(r);
	if (r->control >= 0)
		control_send(r->control, why, sizeof(why), "stop");

	int err = module_remove(r->file.name, r->control, 5000);

	if (r->control >= 0)
		close(r->control);
	say_how_stapio_ended(r);
	if (!err || err == -ENOENT) {
		say_if(2, "staprun: module %s removed", r->file.name);
		return 0;
	}
	say_error("Couldn't remove module '%s': %s.  Once nothing uses it: staprun -d %s",
		  r->file.name, strerror(-err), r->file.name);
	return 1;
}

static int run(struct run *r)
{
	int status;

	r->parent_fd = r->parent ? syscall(SYS_pidfd_open, (pid_t)r->parent, 0) : -1;
	if (r->parent && r->parent_fd < 0)
		return 1;		/* it was removed already */
	unused_sweep();
	if (module_is_loaded(&r->file))
		return 1;
	say_if(2, "staprun: inserting module %s", r->file.path);
	if (module_insert(&r->file, remover_path()))
		return 1;
	status = r->leave ? start_and_leave(r) : run_inserted(r);
	if (!r->leave || status)
		status |= end_module(r);
	return status;
}

/* Is all that the module has kept still there, as stapio, whose status is STATUS, did not begin to
 * read it? */
static bool took_nothing(const struct run *r, int status)
{
	return r->stapio_fd < 0 || (status == STAPIO_TOOK_NOTHING && !r->killed_by);
}

/* -A.  A flight recorder is left alone where its output can't be fetched. */
static int run_attached(struct run *r)
{
	int status = 1;

	if (!module_set_name(&r->file, r->module))
		return 1;
	if (open_module(r) || tell(r, "attach"))
		return 1;
	if (!start_stapio(r))
		status = wait_for_stapio(r);
	if (took_nothing(r, status) && !tell(r, "detach"))
		close(r->control);
	else
		status |= end_module(r);
	return status;
}

/*
 * -D: continues in a child; the parent waits until stapio reports that the session has started,
 * or can't.
 */
static void become_daemon(struct run *r)
{
	int ends[2], status;
	char started;

	if (pipe2(ends, O_CLOEXEC)) {
		say_error("can't make a pipe: %s", strerror(errno));
		exit(1);
	}
	pid_t pid = fork();

	if (pid < 0) {
		say_error("can't start a process: %s", strerror(errno));
		exit(1);
	}
	if (!pid) {
		close(ends[0]);
		r->daemon_fd = ends[1];
		setsid();
		return;
	}
	close(ends[1]);
	if (read(ends[0], &started, 1) == 1) {
		printf("%d\n", pid);
		exit(0);
	}
	exit(waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int main(int argc, char **argv)
{
	struct run r = {
		.control = -1, .trace = -1, .formats = -1, .programs = -1, .stapio_fd = -1, .self_fd = -1,
		.parent_fd = -1,
	};

	say_wait_ms = SAY_MS;
	make_safe(&r);
	options(&r, argc, argv);
	if (r.daemon)
		become_daemon(&r);
	r.signals = signals_open();

	if (r.signals < 0) {
		say_error("can't wait for signals: %s", strerror(errno));
		return 1;
	}

	int status = r.list ? 0 : module_permitted();

	if (!status && r.sweep)
		status = unused_sweep();
	else if (!status && r.list)
		status = list_sessions(r.module, say_verbose);
	else if (!status && r.remove)
		status = strcmp(r.module, "*") ? unused_remove(r.module) : unused_remove_all();
	else if (!status && r.attach)
		status = run_attached(&r);
	else if (!status && !module_read(&r.file, module_path(r.module)) &&
		 !module_matches_kernel(&r.file) && !(r.rename && module_rename(&r.file)))
		status = run(&r);
	else
		status = 1;
	module_free(&r.file);
	free(r.set);
	return status == COMMAND_NOT_FOUND || status == COMMAND_FAILED ? status : status != 0;
}
