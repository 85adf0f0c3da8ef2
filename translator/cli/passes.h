/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that main.c calls besides the passes. */
#ifndef STAP_PASSES_H
#define STAP_PASSES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/vec.h"

struct problem;
struct session;

/*
 * directories.c: find_home() returns the directory of the rc file and the cache, or NULL with WHY
 * filled in if others can write there.  find_directories() finds the others, after the options are
 * read, and drops the environment's that others can write to.
 */
const char *find_home(struct problem *why);
void find_directories(struct session *s);

/* list.c: runs -l or -L.  Returns an exit status: 0 if there are any places. */
int list_probes(struct session *s);

/*
 * lines.c: lines_script() turns --lines' argument into a script (arena);
 * list_lines() prints the source lines and returns an exit status.
 */
const char *lines_script(const char *asked);
int list_lines(struct session *s);

/*
 * dump.c: print what scripts can use, one line each, sorted, as SystemTap
 * writes them:
 *
 *	kernel.function(string).call
 *	vm.pagefault = kernel.function("handle_mm_fault").call !, …
 *	execname:string ()
 *
 * An unknown type is printed as "unknown"; pragmas such as unprivileged follow
 * in a comment.  The last two return 0, or -1 after errors.
 */
void dump_probe_types(FILE *out);
int dump_probe_aliases(struct session *s, FILE *out);
int dump_functions(struct session *s, FILE *out);

/*
 * example.c: finds the script NAME or NAME.stp below DIR, or among SystemTap's
 * examples.  Returns its path (arena), or NULL after a message.
 * list_examples() prints a line for each example in DIR: its name, and the first sentence of its
 * comment.  0, or -1 after a message.
 */
int list_examples(const char *dir, FILE *out);
const char *find_example(const char *dir, const char *name);

/*
 * interactive.c: lets the user write and run a script.  Returns the exit status, which without a
 * terminal says whether there were errors.
 */
int interact(struct session *s);

/*
 * engine.c: choose_engine() decides what runs the script, S->engine, by S->ir and by what this machine permits,
 * unless --runtime says so.  Returns -1 after a message if nothing can.  needs_kernel(): can no process interpret
 * it?
 */
int choose_engine(struct session *s);
bool needs_kernel(const struct session *s);

/*
 * bundle.c: write_bundle() runs PASSES for each of KERNELS, arguments of -r (none: for the default one), and
 * writes a bundle of the modules to S->options.bundle.  make_bundle() does it for each -r and prints the
 * bundle's name.  write_program() writes a bundle's program without a script, for --attach on other machines.  All
 * return the exit status.
 */
int write_bundle(struct session *s, const text_list *kernels, int (*passes)(struct session *));
int write_program(struct session *s, const text_list *kernels, int (*passes)(struct session *));
int make_bundle(struct session *s, int (*passes)(struct session *));

#endif
