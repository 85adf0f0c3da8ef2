/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Overload: a CPU that spends too much of its time in handlers ends the session. */
#ifndef STAP_OVERLOAD_H
#define STAP_OVERLOAD_H

struct st_context;

/* One hit of this many is timed and stands for all (overload.c); with stap -t each is. */
#define ST_TIMED_EVERY 16u

/* Starts the first interval on every CPU; before the first handler. */
void st_overload_begin(void);

/* Accounts the time of a timed handler, which ends now. */
void st_account_time(struct st_context *x);

#endif
