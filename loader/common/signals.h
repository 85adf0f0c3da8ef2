/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signals that mean "stop", as a descriptor to poll instead of handlers. */
#ifndef STAP_SIGNALS_H
#define STAP_SIGNALS_H

/*
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT, except those that were ignored when this
 * program was started (nohup, a background job); ignores SIGPIPE and SIGXFSZ.  Returns a
 * descriptor that becomes readable when a blocked signal arrives, or -1 with errno.
 */
int signals_open(void);

/* Takes the signal that arrived; 0 if there is none. */
int signals_take(int fd);

/* Undoes signals_open() in a child that will execute another program. */
void signals_restore(void);

#endif
