/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader: the process that inserted the module, or attached to it last (loader.c). */
#ifndef STAP_LOADER_H
#define STAP_LOADER_H

#include <linux/types.h>
#include <linux/uidgid.h>

/* Makes the current process the loader. forget() drops it and stops looking. */
void st_loader_take(void);
void st_loader_forget(void);

bool st_loader_lives(void);

/*
 * Return the loader's process ID in the initial namespace, and its user: behind sudo the user who
 * logged in, if the kernel keeps that.
 */
int st_loader_pid(void);
unsigned int st_loader_user(void);

/* The user who may drive this session without the right to load modules: whom staprun-auth has loaded the
 * module for.  Not uid_valid() if there is none. */
kuid_t st_loader_owner(void);

/* Was the module left behind by a killed loader, so that any loader may remove it? */
bool st_loader_left(void);

/*
 * Checks soon, and then repeatedly, whether the module was left behind, and if so has it removed.
 */
void st_loader_look(void);

/*
 * Should arming go on?  False once the session has ended, or the task that starts it was killed.
 * Called between the steps of arming or refreshing many places; may sleep.
 */
bool st_arming_goes_on(void);

#endif
