/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every pass is handed: the user's options, the target kernel, the files
 * read, and what the passes made so far.
 */
#ifndef STAP_SESSION_H
#define STAP_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/bounds.h"
#include "base/vec.h"
#include "lang/ast.h"

/* The version of the language spoken here, in SystemTap's numbers. */
#define LANGUAGE_VERSION "5.0"

struct library;
struct target;
struct program;
struct known_patterns;

struct define {			/* -D NAME[=VALUE], -G NAME=VALUE */
	const char *name, *value;
};

struct c_body {			/* a C function of pass 3's, and what it was made from */
	const char *c_name;
	struct loc loc;
	const char *what;
};

/* --debuginfo: what is known of the kernel comes from where? */
enum debuginfo {
	DEBUGINFO_ANY,			/* DWARF if there is any, else BTF */
	DEBUGINFO_DWARF, DEBUGINFO_BTF, DEBUGINFO_NONE,
};

struct session {
	/* what to run */
	const char *script_path;	/* FILE, "-" or NULL with -e */
	const char *script_text;	/* -e */
	vec(const char *) extra_scripts;	/* -E, in order */
	vec(const char *) args;		/* script arguments */
	vec(bool) arg_used;

	/* options, as on the command line */
	int last_pass;			/* -p, 1…5 */
	int verbose;			/* -v… */
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
	int verbose_in[5];		/* --vp: on top of verbose, in each pass */
	const char *module_name;	/* -m, or chosen by codegen from the script */
	bool module_name_given;
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

	/* where things are */
	const char *datadir;		/* tapset and runtime live here */
	const char *tapset_dir, *runtime_dir;
	const char *home;		/* $SYSTEMTAP_DIR or ~/.systemtap */
	const char *tmpdir;		/* this run's work directory, removed at the end
					   unless -k; made on first need: session_tmpdir() */

	/* the target kernel */
	const char *release;		/* "6.1.0-56-cloud-amd64" */
	const char *arch;		/* "x86_64" */
	const char *kernel_build;	/* /lib/modules/RELEASE/build */

	/* what the passes made */
	const struct source *script;
	vec(struct file *) files;	/* the user's */
	vec(struct file *) library_files;	/* of the tapset, in order of loading */
	struct library *library;
	struct target *target;		/* opened by the first pass that needs it */
	struct known_patterns *patterns;	/* of all families, taken apart (points.c) */
	struct program *program;	/* pass 2's result */
	const char *c_file;		/* pass 3's: path of the C file */
	vec(struct c_body) bodies;	/* its functions, for messages of pass 4 */
	const char *ko_file;		/* pass 4's: path of the module */
};

/* The value of -D NAME, or NULL when not given; "" for -D NAME alone. */
const char *session_define(const struct session *s, const char *name);

/* The version of the language: what --compatible asks for, or what this is. */
const char *session_language(const struct session *s);

/* Does --compatible ask for a version before VERSION? */
bool session_older_than(const struct session *s, const char *version);

/* A numeric -D limit, or the default; what is not in the range is an error, reported. */
int64_t session_limit(const struct session *s, const char *name, int64_t dflt, int64_t least,
		      int64_t most);

/* -D MAXSTRINGLEN: the longest string and its NUL; as in SystemTap, whatever its manual says. */
static inline int64_t session_maxstring(const struct session *s)
{
	return session_limit(s, "MAXSTRINGLEN", 512, ST_STRING_LEAST, ST_STRING_MOST);
}

/*
 * ^C and the like, from session_hold_signals() on: what may take long looks at
 * session_interrupted() (the signal, or 0) and gives up without a message, so
 * that the work directory is removed.  SIGPIPE counts as one.
 */
void session_hold_signals(void);
int session_interrupted(void);

/* This run's work directory, made on first call. */
const char *session_tmpdir(struct session *s);

/*
 * The target kernel's configuration: "y", "m", a value without quotes, or
 * NULL when not set.  Read from the headers' .config, /boot/config-RELEASE,
 * or /proc/config.gz, whichever is there.
 */
const char *session_config(struct session *s, const char *name);

#endif
