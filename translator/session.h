/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every pass is handed: the user's options, the target kernel, the files
 * read, and what the passes made so far, each known in full only to the rooms that
 * make or use it.
 */
#ifndef STAP_SESSION_H
#define STAP_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/bounds.h"
#include "base/diag.h"
#include "base/vec.h"
#include "kernel.h"
#include "options.h"

struct file;
struct library;
struct target;
struct program;
struct known_patterns;

struct c_body {			/* a C function of pass 3's, and what it was made from */
	const char *c_name;
	struct loc loc;
	const char *what;
};

struct session {
	struct options options;		/* as given */
	struct kernel kernel;		/* the target */
	int verbose;			/* -v and --vp, in the pass under way */

	/* where things are */
	const char *datadir;		/* tapset and runtime live here */
	const char *tapset_dir, *runtime_dir;
	const char *home;		/* $SYSTEMTAP_DIR or ~/.systemtap */
	const char *tmpdir;		/* this run's work directory, removed at the end
					   unless -k; made on first need: session_tmpdir() */

	/* what the passes made */
	vec(bool) arg_used;		/* of each argument: did the script name it? */
	const struct source *script;
	vec(struct file *) files;	/* the user's */
	vec(struct file *) library_files;	/* of the tapset, in order of loading */
	struct library *library;
	struct target *target;		/* opened by the first pass that needs it */
	struct known_patterns *patterns;	/* of all families, taken apart (points.c) */
	struct program *program;	/* pass 2's result */
	const char *module_name;	/* -m, or chosen by pass 3 from the script */
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

#endif
