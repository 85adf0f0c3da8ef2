/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun-auth: loads a module for a user who is not root, and ends.
 *
 *	staprun-auth NAME	/lib/modules/RELEASE/systemtap/NAME.ko, for members of stapusr or stapdev
 *	staprun-auth -f NAME	the module that is open as descriptor 3, for members of stapdev
 *	staprun-auth -d NAME	ends and removes the session of a module that was loaded for this user
 *
 * It is set-user-ID root.  staprun starts it with a socket as descriptor 0:
 *
 *	contain_process()	what the user has left it is reset
 *	in_group()		may the user have a module loaded, and which?
 *	contain_rights()	root's user ID is gone, four capabilities are left
 *	trusted_open()		nobody but root can have changed the file
 *	module_insert()		the bytes that were checked, and the user's ID, the module's parameter "owner"
 *	bases_tell()		the last that needs more than CAP_SYS_MODULE
 *	files_tell()		programs, opened with the user's rights
 *	pass_send()		.control goes to staprun, which does all else as the module's owner
 *
 * Messages go to the user.  A function that returns -1 has printed one.
 */
#ifndef STAP_AUTH_H
#define STAP_AUTH_H

#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>

#include "staprun/auth.h"

/* Bits of a set of capabilities. */
#define RIGHT(capability) (1ull << (capability))

/*
 * Makes the process independent of who has started it: environment, descriptors, limits, signals, timers,
 * umask, personality, directory.  AUTH_MODULE and the standard descriptors are left.  Exits if it can't.
 */
void contain_process(void);

/* Gives up root's user ID, and all capabilities but RIGHTS, for ever.  Exits after a message if it can't. */
void contain_rights(uint64_t rights);

/* Does the user's process have this group of /etc/group? */
bool in_group(const char *name);

/*
 * Opens the file PATH, such as "lib/modules/6.1/systemtap/reads.ko", below the directory DIR, for
 * reading.  DIR, each directory on the way, and the file must be root's, and writable for root
 * alone.  No symbolic link is followed.  No process may have the file open for writing, because the
 * file's earlier owner may have opened it before it became root's.  Returns the descriptor, or -1.
 */
int trusted_open(int dir, const char *path);

#endif
