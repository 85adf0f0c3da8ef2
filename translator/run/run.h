/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5. */
#ifndef STAP_RUN_H
#define STAP_RUN_H

struct session;

/* Runs the script's module.  Returns the exit status of the script's run. */
int run_module(struct session *s);

#endif
