// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of options, and the functions that check their arguments. */
#include "cli/option_table.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/color.h"
#include "base/diag.h"
#include "base/problem.h"
#include "config.h"
#include "remote/remote.h"

static bool bad(const char *fmt, const char *what)
{
	diag(DIAG_ERROR, fmt, what);
	return false;
}

/* ---- kinds of arguments ---- */

static bool is_identifier(const char *s, size_t n)
{
	if (!n || strspn(s, "0123456789") > 0)
		return false;
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") >= n;
}

/* Reads NAME=VALUE; -D may omit the value. */
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

/* ---- one option each ---- */

static bool more_verbose(struct options *o, char *arg)
{
	(void)arg;
	o->verbose++;
	return true;
}

static bool verbose_passes(struct options *o, char *arg)
{
	for (size_t i = 0; i < 5 && arg[i]; i++) {
		if (!isdigit((unsigned char)arg[i]))
			return bad("--vp %s: a digit for each pass is expected", arg);
		o->verbose_in[i] += arg[i] - '0';
	}
	return true;
}

static bool no_warnings(struct options *o, char *arg)
{
	(void)o, (void)arg;
	return diag_no_warnings = true;
}

static bool warnings_are_errors(struct options *o, char *arg)
{
	(void)o, (void)arg;
	return diag_warnings_are_errors = true;
}

static bool keep_going(struct options *o, char *arg)
{
	(void)arg;
	return o->keep_going = diag_keep_catalog = true;
}

static bool set_script(struct options *o, char *arg)
{
	if (o->script_text)
		return bad("only one script can be given: -e %s is another", arg);
	o->script_text = arg;
	return true;
}

static bool add_script(struct options *o, char *arg)
{
	vec_push(&o->extra_scripts, arg);
	return true;
}

static bool add_include_dir(struct options *o, char *arg)
{
	vec_push(&o->include_dirs, arg);
	return true;
}

static bool list(struct options *o, char *arg)
{
	o->list = true;
	o->script_text = arena_printf("probe %s {}", arg);
	return true;
}

static bool list_with_variables(struct options *o, char *arg)
{
	o->list_vars = true;
	return list(o, arg);
}

static bool show_lines(struct options *o, char *arg)
{
	if (!*arg)
		return bad("--lines %s: a function, or FILE:LINES, is expected", arg);
	o->list = o->list_lines = true;
	o->script_text = arg;
	return true;
}

static bool dump_ir(struct options *o, char *arg)
{
	(void)arg;
	o->dump_ir = true;
	o->last_pass = 3;
	return true;
}

static bool set_last_pass(struct options *o, char *arg)
{
	long n;

	if (!read_number(arg, 1, 5, &n))
		return bad("-p %s: passes are 1 to 5", arg);
	o->last_pass = o->dump_ir && n > 3 ? 3 : n;
	return true;
}

static bool set_namespaces(struct options *o, char *arg)
{
	return read_number(arg, 1, 1 << 22, &o->namespaces_pid) ||
	       bad("--target-namespaces=%s: a process id is expected", arg);
}

static bool set_signing(struct options *o, char *arg)
{
	o->sign = true;
	o->key_dir = arg;
	return !arg || *arg || bad("--sign-module=%s: a directory with a key is expected", arg);
}

static bool set_buffer(struct options *o, char *arg)
{
	long mb;

	o->buffer_mb = arg;
	return read_number(arg, 1, 4095, &mb) ||
	       bad("-s %s: megabytes, from 1 to 4095, are expected", arg);
}

static bool set_module_name(struct options *o, char *arg)
{
	size_t len = strlen(arg);

	if (len > 3 && !strcmp(arg + len - 3, ".ko"))
		len -= 3;
	if (!is_identifier(arg, len) || len > 55)
		return bad("-m %s: a module's name has letters, digits and '_', 55 at most", arg);
	o->module_name = arena_strndup(arg, len);
	return true;
}

static bool add_define(struct options *o, char *arg)
{
	struct define d;

	if (!read_define(arg, &d, false))
		return bad("-D %s: NAME or NAME=VALUE is expected", arg);
	vec_push(&o->defines, d);
	o->timing |= !strcmp(d.name, "STP_TIMING");
	return true;
}

static bool add_global(struct options *o, char *arg)
{
	struct define d;

	if (!read_define(arg, &d, true))
		return bad("-G %s: NAME=VALUE is expected", arg);
	vec_push(&o->globals, d);
	return true;
}

static bool add_modinfo(struct options *o, char *arg)
{
	struct define d;

	if (!read_define(arg, &d, true))
		return bad("--modinfo %s: NAME=VALUE is expected", arg);
	vec_push(&o->modinfo, d);
	return true;
}

static bool add_kbuild_arg(struct options *o, char *arg)
{
	if (!strchr(arg, '='))
		return bad("-B %s: NAME=VALUE is expected (compiler flags: -B KCFLAGS=FLAG)", arg);
	vec_push(&o->kbuild_args, arg);
	return true;
}

/* Asks for a module with debug information, and keeps its C beside it. */
static bool debug_module(struct options *o, char *arg)
{
	(void)arg;
	o->keep = true;
	vec_push(&o->kbuild_args, (char *)"CONFIG_DEBUG_INFO=y");
	vec_push(&o->kbuild_args, (char *)"KCFLAGS=-g");
	return true;
}

static bool add_kernel(struct options *o, char *arg)
{
	if (!set_kernel(o, arg))
		return false;
	vec_push(&o->kernels, arg);
	vec_push(&o->releases, o->release);
	return true;
}

static bool add_remote(struct options *o, char *arg)
{
	return remote_add(&o->remotes, arg);
}

static bool known_arch(struct options *o, char *arg)
{
	(void)o;
	return arch_find(arg) || bad("-a %s: this architecture is not supported", arg);
}

static bool set_compatible(struct options *o, char *arg)
{
	if (!*arg || arg[strspn(arg, "0123456789.")])
		return bad("--compatible %s: a version like 4.8 is expected", arg);
	if (strverscmp(arg, LANGUAGE_VERSION) > 0)
		return bad("systemtap version " LANGUAGE_VERSION
			   " cannot be compatible with future version %s", arg);
	o->compatible = arg;
	return true;
}

static bool set_color(struct options *o, char *arg)
{
	(void)o;
	return color_mode(arg ? arg : "always") ||
	       bad("--color=%s: never, always or auto is expected", arg);
}

static bool set_debuginfo(struct options *o, char *arg)
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

/* Takes the name of a session to be kept; --attach and --stop take paths, too. */
static bool set_detach(struct options *o, char *arg)
{
	o->relayed.detach = arg;
	return relayed_is_name(arg) || bad("--detach takes " RELAYED_NAME_IS ", not '%s'", arg);
}

#define NO_OTHER_RUNTIME "scripts run in the kernel, as modules or with --runtime=bpf as BPF, or with " \
	"--runtime=user in a process"
#define NO_LESSER_PRIVILEGE "loading a module needs full rights; there is no lesser level"

static bool take_runtime(struct options *o, char *arg)
{
	o->runtime = !strcmp(arg, "user") ? RUNTIME_USER : !strcmp(arg, "bpf") ? RUNTIME_BPF : RUNTIME_KERNEL;
	return o->runtime != RUNTIME_KERNEL || !strcmp(arg, "kernel") ||
	       bad("--runtime=%s is not supported: " NO_OTHER_RUNTIME, arg);
}

static bool full_privilege(struct options *o, char *arg)
{
	(void)o;
	return !strcmp(arg, "stapdev") ||
	       bad("--privilege=%s is not supported: " NO_LESSER_PRIVILEGE, arg);
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

#define LIMIT(resource, function)				\
static bool function(struct options *o, char *arg)		\
{								\
	(void)o;						\
	return set_limit(resource, arg);			\
}
LIMIT(RLIMIT_AS, limit_memory)
LIMIT(RLIMIT_CPU, limit_cpu)
LIMIT(RLIMIT_NPROC, limit_processes)
LIMIT(RLIMIT_STACK, limit_stack)
LIMIT(RLIMIT_FSIZE, limit_files)

/* ---- the table ---- */

#define MEMBER(name) offsetof(struct options, name)

#define NO_SERVERS "scripts are compiled on this machine, for others with --bundle; there are no servers"
#define OTHER_SYSTEM "give the other system's kernel with -r DIRECTORY"

const struct known_option known_options[] = {
	{ 'h', "help", no_argument, .action = ACTION_HELP },
	{ 'V', "version", no_argument, .action = ACTION_VERSION },
	{ 'i', "interactive", no_argument, .action = ACTION_INTERACT },
	{ 0, "clean-cache", no_argument, .action = ACTION_CLEAN_CACHE },
	{ 0, "dump-probe-types", no_argument, .action = ACTION_DUMP_TYPES },
	{ 0, "dump-probe-aliases", no_argument, .action = ACTION_DUMP_ALIASES },
	{ 0, "dump-functions", no_argument, .action = ACTION_DUMP_FUNCTIONS },
	{ 0, "dump-passes", no_argument, .action = ACTION_DUMP_PASSES },

	{ 'e', NULL, required_argument, .take = set_script },
	{ 'E', NULL, required_argument, .take = add_script },
	{ 'l', NULL, required_argument, .take = list },
	{ 'L', NULL, required_argument, .take = list_with_variables },
	{ 0, "lines", required_argument, .take = show_lines },
	{ 0, "example", no_argument, .flag = MEMBER(example) },
	{ 0, "print", no_argument, .flag = MEMBER(print_example) },

	{ 'p', NULL, required_argument, .take = set_last_pass },
	{ 0, "dump-ir", no_argument, .take = dump_ir },
	{ 'v', NULL, no_argument, .take = more_verbose },
	{ 0, "vp", required_argument, .take = verbose_passes },
	{ 'w', NULL, no_argument, .take = no_warnings },
	{ 'W', NULL, no_argument, .take = warnings_are_errors },
	{ 0, "semantic-keep-going", no_argument, .take = keep_going },
	{ 0, "color", optional_argument, .take = set_color },
	{ 0, "colour", optional_argument, .take = set_color },

	{ 'g', NULL, no_argument, .flag = MEMBER(guru) },
	{ 'k', NULL, no_argument, .flag = MEMBER(keep) },
	{ 't', NULL, no_argument, .flag = MEMBER(timing) },
	{ 'u', NULL, no_argument, .flag = MEMBER(unoptimized) },
	{ 0, "skip-badvars", no_argument, .flag = MEMBER(skip_badvars) },
	{ 0, "no-global-var-display", no_argument, .flag = MEMBER(no_global_display) },
	{ 0, "suppress-time-limits", no_argument, .flag = MEMBER(suppress_time_limits) },
	{ 0, "suppress-handler-errors", no_argument, .flag = MEMBER(suppress_handler_errors) },
	{ 0, "compatible", required_argument, .take = set_compatible },

	{ 'D', NULL, required_argument, .take = add_define },
	{ 'G', NULL, required_argument, .take = add_global },
	{ 'I', NULL, required_argument, .take = add_include_dir },
	{ 'R', NULL, required_argument, .text = MEMBER(runtime_dir) },
	{ 'r', NULL, required_argument, .take = add_kernel },
	{ 'a', NULL, required_argument, .take = known_arch },
	{ 'B', NULL, required_argument, .take = add_kbuild_arg },
	{ 0, "debug", no_argument, .take = debug_module },
	{ 0, "debuginfo", required_argument, .take = set_debuginfo },
	{ 'm', NULL, required_argument, .take = set_module_name },
	{ 0, "bundle", required_argument, .text = MEMBER(bundle) },
	{ 0, "modinfo", required_argument, .take = add_modinfo },
	{ 0, "tmpdir", required_argument, .text = MEMBER(tmpdir) },
	{ 0, "poison-cache", no_argument, .flag = MEMBER(poison_cache) },
	{ 0, "disable-cache", no_argument, .flag = MEMBER(disable_cache) },

	/* those that are handed on: lib/relayed.h */
#define RELAYED(whose, member, kind, most, letter, stap, name, argument, summary) \
	{ stap, NULL, required_argument, .relayed = true },
	RELAYED_OPTIONS(RELAYED)
#undef RELAYED
	{ 0, "vm", no_argument, .flag = MEMBER(vm) },
	{ 0, "remote", required_argument, .take = add_remote },
	{ 0, "remote-prefix", no_argument, .flag = MEMBER(remote_prefix) },
	{ 0, "merge", no_argument, .flag = MEMBER(merge) },
	{ 0, "fail-fast", no_argument, .flag = MEMBER(fail_fast) },
	{ 0, "detach", required_argument, .take = set_detach },
	{ 0, "attach", required_argument, .text = MEMBER(attach), .action = ACTION_ATTACH },
	{ 0, "stop", required_argument, .text = MEMBER(stop), .action = ACTION_ATTACH },
	{ 0, "sessions", no_argument, .flag = MEMBER(sessions), .action = ACTION_ATTACH },
	{ 0, "flamegraph", required_argument, .text = MEMBER(flamegraph) },
	{ 's', NULL, required_argument, .take = set_buffer },
	{ 'b', NULL, no_argument, .flag = MEMBER(bulk) },
	{ 0, "json", no_argument, .flag = MEMBER(json) },
	{ 'F', NULL, no_argument, .flag = MEMBER(flight) },
	{ 0, "cgroup", required_argument, .text = MEMBER(cgroup) },
	{ 0, "container", required_argument, .text = MEMBER(container) },
	{ 0, "follow", no_argument, .flag = MEMBER(follow) },
	{ 0, "container-prefix", no_argument, .flag = MEMBER(container_prefix) },
	{ 0, "target-namespaces", required_argument, .take = set_namespaces },
	{ 0, "sign-module", optional_argument, .take = set_signing },

	{ 0, "rlimit-as", required_argument, .take = limit_memory },
	{ 0, "rlimit-cpu", required_argument, .take = limit_cpu },
	{ 0, "rlimit-nproc", required_argument, .take = limit_processes },
	{ 0, "rlimit-stack", required_argument, .take = limit_stack },
	{ 0, "rlimit-fsize", required_argument, .take = limit_files },
	{ 0, "runtime", required_argument, .take = take_runtime },
	{ 0, "privilege", required_argument, .take = full_privilege },

	/* options of SystemTap's without effect: nothing here needs them */
	{ .letter = 'P' },
	{ .name = "prologue-searching", .argument = optional_argument },
	{ .letter = 'd', .argument = required_argument },
	{ .letter = 'q' },
	{ .name = "ldd" },
	{ .name = "all-modules" },
	{ .name = "check-version" },
	{ .name = "save-uprobes" },
	{ .name = "download-debuginfo", .argument = optional_argument },

	/* options of SystemTap's that can't be followed */
	{ 0, "use-server", optional_argument, .why = NO_SERVERS },
	{ 0, "use-server-on-error", optional_argument, .why = NO_SERVERS },
	{ 0, "use-http-server", required_argument, .why = NO_SERVERS },
	{ 0, "list-servers", optional_argument, .why = NO_SERVERS },
	{ 0, "trust-servers", optional_argument, .why = NO_SERVERS },
	{ 0, "client-options", no_argument, .why = NO_SERVERS },
	{ 0, "unprivileged", no_argument, .why = NO_LESSER_PRIVILEGE },
	{ 0, "sysroot", required_argument, .why = OTHER_SYSTEM },
	{ 0, "sysenv", required_argument, .why = OTHER_SYSTEM },
	{ 0, "dyninst", no_argument, .why = NO_OTHER_RUNTIME },
	{ 0, "bpf", no_argument, .why = NO_OTHER_RUNTIME },
	{ 0, "monitor", optional_argument,
	  .why = "there is no monitor; -t counts hits, and a procfs probe shows variables" },
	{ 0, "language-server", no_argument, .why = "there is no language server" },
	{ 0, "build-as", required_argument,
	  .why = "run stap -p4 as that user, and staprun as root" },
	{ 0, "benchmark-sdt", no_argument, .why = "make bench measures marks, among others" },
	{ 0, "benchmark-sdt-loops", required_argument,
	  .why = "make bench measures marks, among others" },
	{ 0, "benchmark-sdt-threads", required_argument,
	  .why = "make bench measures marks, among others" },
};

const unsigned n_known_options = sizeof(known_options) / sizeof(known_options[0]);

static bool take_relayed(struct options *o, char letter, const char *arg)
{
	struct problem why = { NULL };

	relayed_take(&o->relayed, FOR_STAP, letter, arg, &why);
	return !why.text || bad("%s", why.text);
}

bool take_option(struct options *o, const struct known_option *k, char *arg)
{
	char *base = (char *)o;

	if (k->why) {
		diag(DIAG_ERROR, "--%s is not supported: %s", k->name, k->why);
		return false;
	}
	if (k->relayed)
		return take_relayed(o, k->letter, arg);
	if (k->flag)
		*(bool *)(base + k->flag) = true;
	if (k->text)
		*(const char **)(base + k->text) = arg;
	return !k->take || k->take(o, arg);
}
