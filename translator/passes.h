/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What main.c puts in order. */
#ifndef STAP_PASSES_H
#define STAP_PASSES_H

struct session;

/* kernel.c: chooses the target kernel and checks what the passes need of it.
 * 0, or -1 after a message that says what to install. */
int choose_kernel(struct session *s);

/* list.c: -l and -L.  An exit status. */
int list_probes(struct session *s);

/* run.c: pass 5.  An exit status: the script's session's. */
int run_module(struct session *s);

#endif
