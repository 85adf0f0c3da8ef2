/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs whose names a script may need from its first hit on: those it probes, the command of -c
 * and the process of -x, with the libraries they use.
 */
#ifndef STAP_KNOWN_H
#define STAP_KNOWN_H

#include <stddef.h>

struct usymbols;

/* Gives the names in the files of FILES, the text of the module's .files. */
void known_probed(struct usymbols *u, char *files, size_t bytes);

/* Gives those of a command and its libraries, if it is a program that can be told without a shell. */
void known_command(struct usymbols *u, const char *text);

/* Gives those of the code that a process has mapped. */
void known_process(struct usymbols *u, long pid);

#endif
