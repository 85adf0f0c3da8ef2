// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -D NAME[=VALUE].  In SystemTap it defines a macro for the runtime or for
 * embedded C.  Here limits become data of the script, and all of them macros
 * for embedded C.  An unknown name is reported, because most often it is
 * misspelt.
 */
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "lowering.h"

/* The largest time or number of cycles. */
#define MOST_CYCLES (INT64_C(1) << 40)

static const char *const known[] = {
	"MAXSTRINGLEN", "MAXACTION", "MAXACTION_INTERRUPTIBLE", "MAXMAPENTRIES", "MAXNESTING",
	"MAXERRORS", "MAXSKIPPED", "MAXTRYLOCK", "TRYLOCKDELAY", "STP_NO_OVERLOAD",
	"STP_OVERLOAD_THRESHOLD", "STP_OVERLOAD_INTERVAL", "HIST_ELISION", "HIST_WIDTH",
	"KRETACTIVE", "STP_TIMING",
	/* accepted, but not needed */
	"MAXUPROBES", "MAPHASHBIAS", "INTERRUPTIBLE", "MAXBACKTRACE", "MINSTACKSPACE",
	"STP_PROCFS_BUFSIZE", "STP_LEGACY_PRINT", "STP_OVERLOAD", "STAP_OVERRIDE_STUCK_CONTEXT",
};

enum { NKNOWN = sizeof(known) / sizeof(known[0]) };

#define DEBUGS_OTHER "it debugs another runtime"

/* SystemTap's macros that change what a script does or prints, and why they don't here. */
static const struct {
	const char *pattern, *why;
} missing[] = {
	{ "STP_MAXMEMORY", "arrays and contexts take at most three quarters of the free memory" },
	{ "STP_ALIBI", "handlers always run; -t says how long they take" },
	{ "STP_TIMING_NSECS", "-t counts cycles" },
	{ "STP_BUFFER_SIZE", "-s MB sets the size of the buffers" },
	{ "STP_NO_BUILDID_CHECK", "a probe would damage the code of another build" },
	{ "STP_NO_VERREL_CHECK", "a kernel refuses modules for another release" },
	{ "STP_FORCE_STDOUT_TTY", "the script's output does not depend on the terminal" },
	{ "STAP_CALLEE_MATCHALL", "probe the callee itself for all of its callers" },
	{ "STP_EXECTRACE", DEBUGS_OTHER },
	{ "DEBUG_*", DEBUGS_OTHER },
};

static bool among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Returns why a macro of SystemTap's has no effect; NULL if it has, or is none. */
static const char *why_missing(const char *name)
{
	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++)
		if (!fnmatch(missing[i].pattern, name, 0))
			return missing[i].why;
	return NULL;
}

static void check_names(const struct session *s, const struct program *prog)
{
	for (size_t i = 0; i < s->options.defines.n; i++) {
		const char *name = s->options.defines.v[i].name;

		if (prog->needs_kernel_headers || among(name, known, NKNOWN))
			continue;
		if (why_missing(name)) {
			diag(DIAG_WARNING, "-D %s has no effect: %s", name, why_missing(name));
		} else {
			const char *near = diag_nearest(name, known, NKNOWN, 1);

			diag(DIAG_WARNING, "-D %s: nothing in this script reads it", name);
			if (near)
				diag_hint("did you mean: %s", near);
		}
	}
}

/* Returns how often a lock is tried, 10 µs apart, with interrupts off. */
static int64_t read_tries(const struct session *s)
{
	int64_t tries = session_limit(s, "MAXTRYLOCK", 1000, 0, INT_MAX / 1000);
	int64_t delay = session_limit(s, "TRYLOCKDELAY", 10, 0, 10000);

	if (s->options.suppress_time_limits)
		return ST_TRIES_UNTIMED;
	if (tries * delay / 10 > ST_TRIES_MOST) {
		diag(DIAG_ERROR, "-D MAXTRYLOCK=%" PRId64 " -D TRYLOCKDELAY=%" PRId64 ": together "
		     "more than 100 ms with interrupts off", tries, delay);
		return 0;
	}
	return tries * delay / 10;
}

struct ir_limits read_limits(const struct session *s, const struct program *prog)
{
	bool suppress = s->options.suppress_handler_errors;
	int64_t action = session_limit(s, "MAXACTION", INT64_MAX, 0, MOST_CYCLES);
	int64_t longer = action == INT64_MAX ? action : action * 10;

	check_names(s, prog);
	return (struct ir_limits){
		.string = session_maxstring(s),
		.action = action,
		.action_interruptible = session_limit(s, "MAXACTION_INTERRUPTIBLE", longer, 0,
						      MOST_CYCLES * 10),
		.nesting = session_limit(s, "MAXNESTING", default_nesting(prog), 1, ST_NESTING_MOST),
		.errors = suppress ? UINT_MAX : session_limit(s, "MAXERRORS", 0, 0, INT_MAX),
		.skipped = suppress ? UINT_MAX : session_limit(s, "MAXSKIPPED", 100, 0, INT_MAX),
		.trylock = read_tries(s),
		.entries = session_limit(s, "MAXMAPENTRIES", 2048, 1, ST_ENTRIES_MOST),
		.overload_interval = session_limit(s, "STP_OVERLOAD_INTERVAL", 1000000000, 1,
						   MOST_CYCLES),
		.overload_threshold = session_limit(s, "STP_OVERLOAD_THRESHOLD", 500000000, 0,
						    MOST_CYCLES),
		.overload = !session_define(s, "STP_NO_OVERLOAD") &&
			    !s->options.suppress_time_limits,
		.kretactive = session_limit(s, "KRETACTIVE", 0, 1, ST_ACTIVE_MOST),
		.untimed = s->options.suppress_time_limits,
		.suppress_errors = suppress, .skip_badvars = s->options.skip_badvars,
		.hist_width = session_limit(s, "HIST_WIDTH", 50, 1, ST_HIST_WIDTH_MOST),
		.hist_elision = session_limit(s, "HIST_ELISION", 2, INT_MIN, INT_MAX),
	};
}
