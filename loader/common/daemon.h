/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session that goes on in the background.
 *
 *	fd = daemon_begin(NULL);	the caller is a child of the process that was started, in a session of its own
 *	…				the script is started
 *	write(fd, "", 1);		that process says so, and ends
 */
#ifndef STAP_DAEMON_H
#define STAP_DAEMON_H

/*
 * Goes on in a child, and returns a descriptor there, to write a byte to when the script has started.  The parent
 * waits for it, prints the child's ID, or how the session of that NAME is joined, and exits.  If the child ends
 * without it, the parent exits with its status.  Exits after a message if there can be no child.
 */
int daemon_begin(const char *name);

#endif
