/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the command line and the rc file. */
#ifndef STAP_OPTIONS_H
#define STAP_OPTIONS_H

#include <stdbool.h>

#include "base/vec.h"
#include "relayed.h"

struct define {			/* NAME=VALUE, from -D, -G or --modinfo */
	const char *name, *value;
};

/* --debuginfo: where facts about the kernel's code may come from. */
enum debuginfo {
	DEBUGINFO_ANY,			/* DWARF, or BTF where there is no DWARF */
	DEBUGINFO_DWARF, DEBUGINFO_BTF, DEBUGINFO_NONE,
};

/*
 * What the user asked for.  Options with an argument keep its text, unless a
 * pass needs a number; a text is NULL without its option.
 */
struct options {
	/* the script */
	const char *script_path;	/* FILE or "-"; NULL with -e */
	const char *script_text;	/* -e TEXT; or --lines TEXT, from which a script is made */
	vec(const char *) extra_scripts;	/* -E TEXT, in order */
	vec(const char *) args;		/* the script's arguments */

	text_list given;		/* the command line's options, but -i, a word each */

	int last_pass;			/* -p, 1 to 5 */
	int verbose;			/* -v, how often */
	int verbose_in[5];		/* --vp: added to 'verbose' in pass i + 1 */
	bool guru;			/* -g: the script may use embedded C */
	bool keep;			/* -k: keep the work directory */
	bool unoptimized;		/* -u: no optimisation */
	bool vm;			/* --vm: run in a guest */
	bool example;			/* --example: script_path is the name of an example; none: list them */
	bool print_example;		/* --print: show its text */
	bool keep_going;		/* --semantic-keep-going: find more errors; list them */
	bool list, list_vars;		/* -l; -L */
	bool dump_ir;			/* --dump-ir: print the intermediate program, after pass 3's
					   first half */
	bool list_lines;		/* --lines, which sets 'list' too */
	bool suppress_time_limits, suppress_handler_errors;
	bool bulk;			/* -b: output to a file for each CPU */
	bool json;			/* --json: each output as an object in JSON */
	bool timing;			/* -t: count hits and cycles */
	bool skip_badvars;		/* --skip-badvars: unavailable $variables are 0 */
	bool no_global_display;		/* --no-global-var-display */
	bool flight;			/* -F: flight recorder, leave the script running */
	const char *module_name;	/* -m NAME */
	struct relayed relayed;		/* -c -o -S -T -x, as stapio gets them */
	const char *flamegraph;		/* --flamegraph FILE */
	const char *flame_title, *flame_unit;	/* what the graph shows; what its numbers count, or "" */
	bool sign;			/* --sign-module */
	const char *key_dir;		/* --sign-module=DIR; NULL: the machine's own */
	const char *cgroup, *container;	/* --cgroup=PATH, --container=NAME; at most one */
	bool container_prefix;		/* --container-prefix: begin lines with the container */
	bool follow;			/* --follow: and what the processes create, wherever it goes */
	long namespaces_pid;		/* --target-namespaces=PID, or 0 */
	const char *buffer_mb;		/* -s MB, each CPU's buffer */
	vec(struct define) defines;	/* -D NAME[=VALUE] */
	vec(struct define) globals;	/* -G NAME=VALUE */
	vec(struct define) modinfo;	/* --modinfo NAME=VALUE */
	vec(char *) kbuild_args;	/* -B NAME=VALUE */
	text_list include_dirs;		/* -I DIR */
	bool disable_cache, poison_cache;
	enum debuginfo debuginfo;
	const char *compatible;		/* --compatible VERSION */
	const char *release;		/* -r RELEASE, or the release of -r DIR's kernel */
	const char *kernel_build;	/* -r DIR: a build directory */
	const char *kernel_btf;		/* -r PATH/RELEASE: the file with the kernel's BTF */
	const char *host_headers;	/* and an archive of its headers, by a stranger (kit/confined.c); or NULL */
	text_list kernels, releases;	/* each -r, and its release; all of them count with --bundle and --remote, else
					   the last */
	const char *bundle;		/* --bundle FILE */
	text_list remotes;		/* each --remote=HOST */
	bool remote_prefix;		/* --remote-prefix: one host's lines have its name too */
	bool merge;			/* --merge: hosts' variables are added up */
	bool fail_fast;			/* --fail-fast: all end when one has failed */
	const char *attach, *stop;	/* --attach=NAME, --stop=NAME: of a session that was detached */
	bool sessions;			/* --sessions: list those */
	const char *runtime_dir;	/* -R DIR */
	enum runtime {			/* --runtime */
		RUNTIME_ANY,		/* not given: a module, or where none can be loaded a process, or BPF */
		RUNTIME_KERNEL, RUNTIME_USER, RUNTIME_BPF,
	} runtime;
	const char *tmpdir;		/* --tmpdir DIR */
};

/* The action that the command line asks for. */
enum action {
	ACTION_RUN, ACTION_CLEAN_CACHE, ACTION_DUMP_TYPES, ACTION_DUMP_ALIASES,
	ACTION_DUMP_FUNCTIONS, ACTION_DUMP_PASSES, ACTION_EXAMPLE, ACTION_INTERACT,
	ACTION_ATTACH, ACTION_HELP, ACTION_VERSION, ACTION_DONE,
};

/*
 * Reads the environment, HOME/rc (HOME may be NULL), then ARGV, into O.  Returns ACTION_DONE when
 * there is nothing left to do: help or version was printed (*STATUS is 0), or an
 * option was wrong and a message printed (*STATUS is 1).
 */
enum action read_options(struct options *o, const char *home, int argc, char **argv,
			 int *status);

#endif
