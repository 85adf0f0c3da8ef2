/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -t (timing.c): all of it does nothing in a session without. */
#ifndef STAP_TIMING_H
#define STAP_TIMING_H

struct st_context;

/* Before the first handler: 0, or -ENOMEM with st_message set. */
int st_timing_alloc(void);
void st_timing_free(void);

/* A handler of x->c.point took so many cycles.  Preemption is disabled. */
void st_timing_add(struct st_context *x, unsigned long long cycles);

/* Prints the report; after the last handler. */
void st_timing_report(void);

#endif
