/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who holds up the kernel where it changes a uprobe.
 *
 * Until 6.11 it waits for handlers that run at the place, any tracer's; and always for the lock of the
 * mappings of each process that maps the file.  Both may last as long as a process likes: it
 * waits in a tracer's handler for memory that it brings itself, or keeps the lock while it waits for
 * a page of FUSE.  Other processes can't fork meanwhile.  We can do no more than name it.
 */
#ifndef STAP_HOLDUP_H
#define STAP_HOLDUP_H

#include <linux/types.h>

#include "core/tasks.h"

struct inode;

/*
 * Looks for the process and returns what it does, with *WHO set; NULL: none is found.  Process context.
 */
const char *st_holdup_find(const struct inode *inode, loff_t offset, struct st_process_text *who);

#endif
