/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of stap's options: their names, and what each one does.
 *
 * An option sets a flag, keeps its text, calls a function, asks for another
 * action than to run a script, is refused, or has no effect.  The entry says
 * which by the member that it fills in:
 *
 *	{ 'g', NULL, no_argument, .flag = MEMBER(guru) },
 *	{ 0, "bpf", no_argument, .why = "scripts run in the kernel, as modules" },
 */
#ifndef STAP_OPTION_TABLE_H
#define STAP_OPTION_TABLE_H

#include "options.h"

/* An option, and what giving it does. */
struct known_option {
	char letter;			/* of the short option, or 0 */
	const char *name;		/* of the long option, or NULL */
	int argument;			/* getopt_long()'s: no_argument and so on */
	/* offsets in struct options; no option sets the member at 0 */
	size_t flag;			/* a bool that becomes true */
	size_t text;			/* a string that becomes the argument */
	bool (*take)(struct options *o, char *arg);	/* false after a message */
	bool relayed;			/* lib/relayed.h says what it does */
	enum action action;		/* ACTION_RUN: the option asks for none */
	const char *why;		/* the reason why it is refused */
};

extern const struct known_option known_options[];
extern const unsigned n_known_options;

/* which_kernel.c: does what -r does, also for $SYSTEMTAP_RELEASE.  Returns false after a message. */
bool set_kernel(struct options *o, char *arg);

/* Does what the table says.  Returns false after a message. */
bool take_option(struct options *o, const struct known_option *k, char *arg);

#endif
