/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The signals that mean "stop": a descriptor to poll instead of handlers. */
#ifndef STAP_SIGNALS_H
#define STAP_SIGNALS_H

/*
 * Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT, except those the caller of this
 * program had ignored (nohup, a background job), and ignores SIGPIPE and
 * SIGXFSZ.  A descriptor that gets readable when one came, or -1 with errno.
 */
int signals_open(void);

/* The signal that came, or 0. */
int signals_take(int fd);

/* Undoes it in a child that becomes another program. */
void signals_restore(void);

#endif
