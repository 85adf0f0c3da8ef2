/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells who else can change a directory or file.
 *
 * With sudo -E, su -m, or a variable of the environment, root's stap may be given directories of
 * another user: a cache with a module to load, a library with C to compile.  A user who can write
 * there, or can exchange any directory on the way there, decides what stap runs.  So a path that
 * the user has not typed is used only if every component of it belongs to the effective user or to
 * root, and nobody else may write to it:
 *
 *	/home/jo/.systemtap	root 0755, root 0755, jo 0755, jo 0700: fine for jo, not for root
 *	/tmp/stap/cache		root 1777, root 0700, root 0700: fine for root.  In a sticky
 *				directory nobody can exchange what belongs to others.
 *	/home -> /usr/home	a link counts as a component; so do those of the path it names
 *
 * "Nobody else" includes the group, even one without other members, because members may be added
 * later.  An access list (acl(5)) shows up as the group's permissions.
 *
 * A path that passes stays what it is: only the user and root can change it.  Inside, entries may
 * be older than the permissions that protect them now, so they are opened with trust_open_entry().
 */
#ifndef STAP_BASE_TRUST_H
#define STAP_BASE_TRUST_H

#include <stdbool.h>

#include "problem.h"

/* What looking at a path found. */
enum trust {
	TRUST_NO,		/* another user can change it; or it can't be looked at */
	TRUST_YES,
	TRUST_ABSENT,		/* it isn't there, and only the user and root can make it */
};

/* Looks at a directory, or any other file.  Fills in WHY for TRUST_NO. */
enum trust trust_path(const char *path, struct problem *why);

/* The same for a directory in which others may make files of their own, such as /tmp. */
enum trust trust_shared_dir(const char *path, struct problem *why);

/* Also looks at all that is in a directory. */
enum trust trust_tree(const char *path, struct problem *why);

/*
 * Makes a directory and those above it that are missing, for the user alone (0700).  Returns false,
 * with WHY filled in, if it can't be made, or is not to be trusted.
 */
bool trust_make_dir(const char *path, struct problem *why);

/*
 * Opens a file of a trusted directory with FLAGS, as for open(2), and close-on-exec; one that is
 * made is the user's alone.  Returns -1 with errno set: ELOOP for a symbolic link; EPERM for
 * anything but a regular file, and for one that has another link, belongs to another user, or can
 * be written by others.
 */
int trust_open_entry(const char *path, int flags);

#endif
