/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line and the rc file → struct session: options.c. */
#ifndef STAP_OPTIONS_H
#define STAP_OPTIONS_H

#include <stdbool.h>

struct session;

/* What is asked for besides running a script. */
enum action {
	ACTION_RUN, ACTION_CLEAN_CACHE, ACTION_DUMP_TYPES, ACTION_DUMP_ALIASES,
	ACTION_DUMP_FUNCTIONS, ACTION_DONE,
};

/*
 * Reads $SYSTEMTAP_DIR/rc, then ARGV.  ACTION_DONE: help or version was printed
 * (*status 0), or the options make no sense (message printed, *status 1).
 */
enum action read_options(struct session *s, int argc, char **argv, int *status);

#endif
