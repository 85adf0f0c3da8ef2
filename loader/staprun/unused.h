/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes loaded script modules that are not in use. */
#ifndef STAP_UNUSED_H
#define STAP_UNUSED_H

/* Removes the module of that name, or all modules, if they have no user or were detached.  0, or 1
 * after a message. */
int unused_remove(const char *name);
int unused_remove_all(void);

/* Removes the modules whose loader was killed, and no others.  0, or 1 after a message. */
int unused_sweep(void);

#endif
