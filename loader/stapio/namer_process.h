/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The namer: the process in which stapio reads programs that turn up in stacks (namer.h). */
#ifndef STAP_NAMER_PROCESS_H
#define STAP_NAMER_PROCESS_H

/* How a program is executed to be the namer: with this as its only argument, and the socket as its
 * standard input. */
#define NAMER_ARGUMENT "--namer"

/* The exit status where it could not begin. */
#define NAMER_NOT_STARTED 127

/* Answers until the socket is closed. */
void namer_process(void) __attribute__((noreturn));

#endif
