/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The namer: the sandboxed process that reads the programs in user stacks for stapio (namer.h). */
#ifndef STAP_NAMER_PROCESS_H
#define STAP_NAMER_PROCESS_H

/* stapio executes itself with this only argument, and the socket as standard input, to be the namer. */
#define NAMER_ARGUMENT "--namer"

/* The namer's exit status if it could not start, for example because there is no sandbox. */
#define NAMER_NOT_STARTED 127

/* Answers messages until the socket is closed. */
void namer_process(void) __attribute__((noreturn));

#endif
