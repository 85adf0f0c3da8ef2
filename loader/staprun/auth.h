/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session of a user without the right to load modules: staprun-auth (loader/auth/auth.h) inserts
 * the module, and tells it what is probed; staprun does all else, with the user's rights.
 */
#ifndef STAP_STAPRUN_AUTH_H
#define STAP_STAPRUN_AUTH_H

#include <stdbool.h>

struct run;

/* Descriptors of staprun-auth: a socket, over which it sends .control back; with -f, the module. */
enum { AUTH_SOCKET = 0, AUTH_MODULE = 3 };

/* Is there a staprun-auth with the rights that we lack? */
bool auth_is_there(void);

/* Reads the module that R names, unless only staprun-auth may choose the file.  0, or -1 after a message. */
int auth_read_module(struct run *r);

/* Has the module inserted, and opens its .control.  0, or -1 after a message. */
int auth_insert(struct run *r);

/* Closes .control, and waits until the stopped module has had itself removed: 0, or -errno. */
int auth_await_removal(struct run *r);

/* Has a module removed that was inserted for this user.  Returns the exit status. */
int auth_remove(const char *name);

#endif
