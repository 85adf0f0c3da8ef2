/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loaded modules of ours that nobody uses. */
#ifndef STAP_UNUSED_H
#define STAP_UNUSED_H

/* Removes the module of that name, or all, if nobody uses it or it was left running by
 * itself.  0, or 1 after a message. */
int unused_remove(const char *name);
int unused_remove_all(void);

/* Removes all whose loader was killed, and no others.  0, or 1 after a message. */
int unused_sweep(void);

#endif
