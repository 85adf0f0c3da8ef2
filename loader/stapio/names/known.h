/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets the programs ready whose code the script may meet from its first hit on: those it probes, the
 * command of -c, the process of -x, and their libraries. The module is sent their symbols, and their unwind
 * tables are read into memory, as far as the script asks for that (usymbols_asks()).
 */
#ifndef STAP_KNOWN_H
#define STAP_KNOWN_H

#include <stdbool.h>
#include <stddef.h>

struct usymbols;

/* Gets the files ready that are listed in FILES, BYTES of text from the module's .files.  They are in the
 * root directory ROOT ("/proc/PID/root" of a container, or ""). */
void known_probed(struct usymbols *u, const char *root, char *files, size_t bytes);

/* Gets a command and its libraries ready; or, if it takes a shell, that and its libraries, such as the C library, which
 * the programs that it runs have too. */
void known_command(struct usymbols *u, const char *text);

/* Gets the files ready whose code process PID has mapped. */
void known_process(struct usymbols *u, long pid);

/*
 * Is a path below a FUSE mount, where its process sees it: "/proc/PID/root/REST", or our own?  Opening a file
 * there may block for ever, if its server doesn't answer.
 */
bool is_in_fuse(const char *file);

#endif
