/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command line, word by word:
 *
 *	struct command c = { 0 };
 *
 *	command_add(&c, command_program("staprun", NULL));
 *	command_option(&c, "-o", o->output_file);	nothing without -o
 *	execv(c.words.v[0], command_argv(&c));
 *
 * Words are in the arena.  Nothing here fails.
 */
#ifndef STAP_RUN_COMMAND_H
#define STAP_RUN_COMMAND_H

#include "base/vec.h"

/* The words of a command line; the first one is the program's path. */
struct command {
	vec(char *) words;
};

void command_add(struct command *c, const char *word);

/* Adds OPTION and its VALUE, or nothing if VALUE is NULL. */
void command_option(struct command *c, const char *option, const char *value);

/* Returns the words, ended by a NULL, as execv() takes them.  Nothing can be added afterwards. */
char *const *command_argv(struct command *c);

/*
 * Returns the path of a program of stap's: GIVEN, unless it is NULL or ""; NAME beside stap, in a
 * build tree; or NAME in the installed directory.
 */
const char *command_program(const char *name, const char *given);

/* The same for a program that users don't call: beside stap, or in the directory of helpers. */
const char *command_helper(const char *name);

#endif
