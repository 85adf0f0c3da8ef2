/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watchers: open descriptors through which a loader keeps the session running. */
#ifndef STAP_WATCHERS_H
#define STAP_WATCHERS_H

#include <linux/types.h>

struct work_struct;

/*
 * Count a descriptor that was opened for writing, or closed. goes() returns true if that was the
 * last one and the session is not detached.
 */
void st_watcher_comes(void);
bool st_watcher_goes(void);

/*
 * Detaches the session: it goes on without watchers, and when it is to end, ENDER is queued to stop
 * it.  NULL attaches it again.
 */
void st_set_detached(struct work_struct *ender);
bool st_detached(void);

/* Queues the ender of a detached session.  Any context but NMI. */
void st_end_detached(void);

int st_nwatchers(void);

/* Is there a watcher, or is the session detached? */
bool st_watched(void);

#endif
