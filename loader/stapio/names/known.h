/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends the module the symbols of programs that the script may need from its first hit on: the programs
 * it probes, the command of -c, the process of -x, and their libraries.
 */
#ifndef STAP_KNOWN_H
#define STAP_KNOWN_H

#include <stddef.h>

struct usymbols;

/* Sends the symbols of the files listed in FILES, BYTES of text from the module's .files.  They are in the
 * root directory ROOT ("/proc/PID/root" of a container, or ""). */
void known_probed(struct usymbols *u, const char *root, char *files, size_t bytes);

/* Sends the symbols of a command and its libraries, if the command can be resolved without a shell. */
void known_command(struct usymbols *u, const char *text);

/* Sends the symbols of the files whose code process PID has mapped. */
void known_process(struct usymbols *u, long pid);

#endif
