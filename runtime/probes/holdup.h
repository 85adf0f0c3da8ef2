/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the process that holds up the kernel where it changes a uprobe.
 *
 * Until 6.11 the kernel waits for any tracer's handlers that run at the place; and always for the
 * mmap_lock of each process that maps the file.  A process can make both last as long as it likes:
 * it waits in a tracer's handler for memory that it brings itself, or keeps the lock while it waits
 * for a page of FUSE.  Other processes can't fork meanwhile.  We can only name the process.
 */
#ifndef STAP_HOLDUP_H
#define STAP_HOLDUP_H

#include <linux/types.h>

#include "process/tasks.h"

struct inode;

/*
 * Looks for the process.  Returns what it does, with *WHO set, or NULL if none is found.  Process
 * context.
 */
const char *st_holdup_find(const struct inode *inode, loff_t offset, struct st_process_text *who);

#endif
