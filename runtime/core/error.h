/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Script errors (error.c); generated code's part is in abi/stap_script.h. */
#ifndef STAP_ERROR_H
#define STAP_ERROR_H

struct st_ctx;

/* Prints and counts the error that a handler ended with, and ends the session if that
 * exceeds -D MAXERRORS. */
void st_handler_failed(struct st_ctx *c);

#endif
