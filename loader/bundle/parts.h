/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bundle can do besides running staprun with a module. */
#ifndef STAP_BUNDLE_PARTS_H
#define STAP_BUNDLE_PARTS_H

#include <sys/types.h>

struct bundle;

/* program.c: runs the bundle's intermediate program, by the options of stapio.  Returns the exit
 * status. */
int become_program(const struct bundle *b, int argc, char **argv);

/*
 * clock.c: for each character on standard input but the end of a line writes the line "PREFIX clock
 * NS", the time of CLOCK_MONOTONIC.  Returns 0 at the end of a line, 1 at the end of the input.
 */
int tell_clock(const char *prefix);

/*
 * input.c: relays standard input to standard output, and for each piece writes the line "PREFIX took BYTES" to
 * standard error.  At the end of the input sends SIGTERM to the process SCRIPT, and returns 0.
 */
int relay_input(const char *prefix, pid_t script);

/*
 * streams.c: runs a command whose streams are carried over standard input and output (streams.h).  Returns
 * its exit status.
 */
int carry_streams(char **command);

#endif
