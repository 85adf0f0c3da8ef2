/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5. */
#ifndef STAP_RUN_H
#define STAP_RUN_H

#include <stdbool.h>

struct command;
struct problem;
struct session;

/* Writes the intermediate program to a file, session.program_file.  0, or -1 after a message. */
int run_write_program(struct session *s);

/*
 * Can a module be built and loaded on this machine?  Does its kernel load BPF programs, for this user?  Of
 * the script's own kernel, where it runs elsewhere: could it be built for that; is that new enough?  Else false
 * with WHY filled in.
 */
bool run_module_is_possible(struct session *s, struct problem *why);
bool run_bpf_is_possible(const struct session *s, struct problem *why);

/* Is a kernel new enough for that?  Its release says so. */
bool run_bpf_is_in(const char *release);

/*
 * Is nothing known to keep the user from running the script, when it is to run on this machine?  Else
 * false after a message, which comes before the seconds that compiling takes.  NEEDS_KERNEL: the script
 * can't be interpreted.
 */
bool run_permitted(const struct session *s, bool needs_kernel);

/* Runs the script's module.  Returns the exit status of the script's run. */
int run_module(struct session *s);

/*
 * Adds the options of a bundle that say what the script does, wherever it runs: those that only staprun takes, for
 * a module, and those that a program takes as well.
 */
void run_module_options(struct command *c, const struct session *s);
void run_options(struct command *c, const struct session *s);

/* Reads, ends or lists sessions that were detached on this machine, as the options say (loader/stapio/kept): becomes
 * the program that does. */
_Noreturn void run_attach(const struct session *s);

/* Adds the words that say the same to a bundle. */
void run_attach_options(struct command *c, const struct session *s);

#endif
