/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells a module where the parts of the running kernel are that it probes (bases.c). */
#ifndef STAP_BASES_H
#define STAP_BASES_H

/*
 * Sends the module NAME's bases to its control file CONTROL.  A base in a module that isn't loaded,
 * or is of another build, is sent as absent.  Returns 0, or -1 after a message.
 */
int bases_tell(const char *name, int control);

#endif
