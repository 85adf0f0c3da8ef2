/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap -t: hits and cycles of each place.  Without -t all of these do nothing. */
#ifndef STAP_TIMING_H
#define STAP_TIMING_H

#include <linux/types.h>

/* Allocates the statistics, before the first handler: 0, or -ENOMEM with st_message set. */
int st_timing_alloc(void);
void st_timing_free(void);

/* Adds a hit of place NUMBER (st_program.timed), hit in an NMI or not.  Preemption is disabled. */
void st_timing_add(unsigned int number, bool in_nmi, unsigned long long cycles);

/* Prints the report; after the last handler. */
void st_timing_report(void);

#endif
