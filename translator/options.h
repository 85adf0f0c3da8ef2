/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the command line and the rc file said: options.c. */
#ifndef STAP_OPTIONS_H
#define STAP_OPTIONS_H

#include <stdbool.h>

#include "base/vec.h"

/* The version of the language spoken here, in SystemTap's numbers. */
#define LANGUAGE_VERSION "5.0"

struct define {			/* -D NAME[=VALUE], -G NAME=VALUE */
	const char *name, *value;
};

/* --debuginfo: what is known of the kernel comes from where? */
enum debuginfo {
	DEBUGINFO_ANY,			/* DWARF if there is any, else BTF */
	DEBUGINFO_DWARF, DEBUGINFO_BTF, DEBUGINFO_NONE,
};

struct options {
	/* what to run */
	const char *script_path;	/* FILE, "-" or NULL with -e */
	const char *script_text;	/* -e */
	vec(const char *) extra_scripts;	/* -E, in order */
	vec(const char *) args;		/* script arguments */

	int last_pass;			/* -p, 1…5 */
	int verbose;			/* -v… */
	int verbose_in[5];		/* --vp: on top of verbose, in each pass */
	bool guru;			/* -g */
	bool keep;			/* -k */
	bool unoptimized;		/* -u */
	bool vm;			/* --vm */
	bool list, list_vars;		/* -l, -L */
	bool list_lines;		/* --lines */
	bool suppress_time_limits, suppress_handler_errors;
	bool timing;			/* -t */
	bool skip_badvars;		/* --skip-badvars */
	bool no_global_display;		/* --no-global-var-display */
	bool flight;			/* -F */
	const char *output_size;	/* -S */
	const char *module_name;	/* -m, or NULL */
	const char *output_file;	/* -o */
	const char *command;		/* -c */
	long target_pid;		/* -x, or 0 */
	const char *timeout;		/* -T */
	const char *buffer_mb;		/* -s */
	vec(struct define) defines;	/* -D */
	vec(struct define) globals;	/* -G */
	vec(struct define) modinfo;	/* --modinfo */
	vec(char *) kbuild_args;	/* -B */
	vec(const char *) include_dirs;	/* -I */
	bool disable_cache, poison_cache;
	enum debuginfo debuginfo;
	const char *compatible;		/* --compatible, or NULL */
	const char *release;		/* -r RELEASE, or that of the build directory given */
	const char *kernel_build;	/* -r: the build directory */
	const char *runtime_dir;	/* -R, or NULL */
};

/* What is asked for besides running a script. */
enum action {
	ACTION_RUN, ACTION_CLEAN_CACHE, ACTION_DUMP_TYPES, ACTION_DUMP_ALIASES,
	ACTION_DUMP_FUNCTIONS, ACTION_DONE,
};

/*
 * Reads HOME/rc, then ARGV.  ACTION_DONE: help or version was printed
 * (*status 0), or the options make no sense (message printed, *status 1).
 */
enum action read_options(struct options *o, const char *home, int argc, char **argv,
			 int *status);

#endif
