/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session, which every pass works on: the user's options, the target kernel,
 * the files read, and each pass's result for the next.  Results are pointers to
 * types that only the rooms that make or use them define.
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
struct ir_program;
struct program;
struct known_patterns;

/*
 * What runs a script: the kernel module that is generated from it; a process that interprets it; or a process
 * that interprets it but for the handlers of kernel probes, which it loads as BPF programs.
 */
enum engine { ENGINE_MODULE, ENGINE_USER, ENGINE_BPF };

/*
 * A C function that pass 3 generated, and the script's construct it was
 * generated from.  Pass 4 names it when the C compiler reports an error in that
 * function.
 */
struct c_body {
	const char *c_name;
	struct loc loc;
	const char *what;
};

/*
 * One run of stap. main() fills in all but the results, from the command line
 * and the environment; the passes fill in the results.  Everything it points to
 * lives in the arena.
 */
struct session {
	struct options options;
	struct kernel *kernel;		/* the target */
	enum engine engine;
	int verbose;			/* in the current pass: -v plus --vp */

	/* directories */
	const char *datadir;		/* holds tapsets/ and runtime/ */
	const char *tapset_dir, *runtime_dir;
	const char *exampledir;		/* the example scripts */
	const char *home;		/* $SYSTEMTAP_DIR, or ~/.systemtap; NULL if others can write
					   there, because then it isn't used */
	const char *cache;		/* made by session_cache_dir() */
	const char *tmpdir;		/* the work directory, made by session_tmpdir(); main()
					   removes it unless -k or --tmpdir was given */

	/* results of the passes */
	vec(bool) arg_used;		/* by argument: the script uses it */
	const struct source *script;
	vec(struct file *) files;	/* the user's, parsed */
	vec(struct file *) library_files;	/* tapset files, in order of loading */
	struct library *library;
	struct target *target;		/* opened by the first pass that needs it */
	struct known_patterns *patterns;	/* probe patterns of all families (points.c) */
	struct program *program;	/* pass 2 */
	bool reads_input;		/* pass 2: it has probes of standard input */
	struct ir_program *ir;		/* pass 3's first half */
	bool may_ask_headers;		/* --remote: the host may be asked for the kernel's headers */
	bool lacks_headers;		/* pass 3: it has to be, before there is anything else */
	bool asks_runtime;		/* passes 1 and 2: some %( %) tells runtimes apart */
	const char *container_root;	/* --container's, "/proc/PID/root"; NULL until a program is looked
					   for there */
	const char *module_name;	/* -m, or made by pass 3 from the script's hash */
	const char *c_file;		/* pass 3: path of the C file */
	size_t c_code;			/* its bytes of functions, before the tables */
	vec(struct c_body) bodies;	/* pass 3: its functions, for messages of pass 4 */
	const char *ko_file;		/* pass 4: path of the module */
	const char *program_file;	/* pass 4, ENGINE_USER and ENGINE_BPF: path of the intermediate program */
};

/* Returns the value of the last -D NAME, "" for a bare -D NAME, or NULL without one. */
const char *session_define(const struct session *s, const char *name);

/* Returns the language version: --compatible's, or LANGUAGE_VERSION. */
const char *session_language(const struct session *s);

/* Returns a program's path as processes that run it know it: in a container, without container_root. */
const char *session_program_name(const struct session *s, const char *path);

/* Did --compatible ask for a version before VERSION? */
bool session_older_than(const struct session *s, const char *version);

/*
 * Returns -D NAME's number, or DFLT without one.  A value that is no number
 * from LEAST to MOST is reported as an error, and DFLT returned.
 */
int64_t session_limit(const struct session *s, const char *name, int64_t dflt, int64_t least,
		      int64_t most);

/*
 * -D MAXSTRINGLEN: bytes of the longest string, its NUL included.  The default
 * is SystemTap's real one; its manual gives another.
 */
static inline int64_t session_maxstring(const struct session *s)
{
	return session_limit(s, "MAXSTRINGLEN", 512, ST_STRING_LEAST, ST_STRING_MOST);
}

/*
 * From session_hold_signals() on, SIGINT, SIGTERM, SIGHUP and SIGPIPE are only
 * noted, so that the work directory can be removed.  Long loops check
 * session_interrupted(), which returns the signal or 0, and give up without a
 * message.
 */
void session_hold_signals(void);
int session_interrupted(void);

/*
 * Returns this run's work directory, made on the first call; NULL after a
 * message if that fails.
 */
const char *session_tmpdir(struct session *s);

/*
 * Returns the directory of the cache, made on the first call.  If it can't be made, or others can
 * write there, it is one in the work directory, for this run alone, after a warning.  NULL if the
 * cache is disabled.
 */
const char *session_cache_dir(struct session *s);

/*
 * Between these calls stap's files are not for the group to write, whatever the umask, and what
 * other people wrote can't crash it (base/guard.h).  The second one is for a child process, before
 * it executes a program of the user's.
 */
void session_begin_guarded(void);
void session_end_guarded(void);

#endif
