/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signals that mean "stop", as a descriptor to poll instead of handlers. */
#ifndef STAP_SIGNALS_H
#define STAP_SIGNALS_H

/*
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless they were ignored when this program was
 * started (nohup, a background job).  Ignores SIGPIPE and SIGXFSZ, so that the write fails
 * instead.  Returns a descriptor that becomes readable when a blocked signal arrives, or -1 with
 * errno.
 */
int signals_open(void);

/* Returns the number of a signal that has arrived, and takes it; 0 if there is none. */
int signals_take(int fd);

/* Undoes signals_open() in a child that will execute another program. */
void signals_restore(void);

#endif
