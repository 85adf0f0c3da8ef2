/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for the session's state to change: in the module, and in a loader. */
#ifndef STAP_WAKE_H
#define STAP_WAKE_H

#include <linux/wait.h>

#include "core/supply.h"

/*
 * The wait queue in which the trace's reader sleeps, and the task that ends the session until
 * nothing of it runs. st_wake() wakes them and, if the session is exiting, signals the eventfd.
 */
extern wait_queue_head_t st_waiters;

/*
 * Sets the eventfd that st_wake() signals, by the caller's descriptor FD, in place of the previous
 * one.  Returns 0, or -errno with st_message set. forget() drops it and waits for a wake-up under
 * way.
 */
int st_notify(int fd);
void st_notify_forget(void);

#endif
