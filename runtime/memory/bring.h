/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that isn't resident, and that the kernel itself can bring.
 *
 * While a uprobe's handler waits, so may every other tracer that registers or unregisters at its
 * place.  So a handler waits for no memory that a program or another machine has to bring:
 *
 *	anonymous memory, tmpfs, huge pages	comes, unless the mapping has a userfaultfd
 *	files on disks				come
 *	virtiofs				comes: from the host, which has all of our memory anyway
 *	FUSE, NFS, SMB, 9p, Ceph, clusters' …	don't come
 *	disks that are files (loop), or whose	don't come
 *	  server is a program or another
 *	  machine (nbd, ublk, rbd, drbd)
 *	devices, and what isn't known here	don't come
 *
 * The server of an iSCSI or NVMe disk, or what lies below a device mapper, isn't visible.  These
 * count as disks, and a task that waits for them can be killed.
 */
#ifndef STAP_USER_BRING_H
#define STAP_USER_BRING_H

#include <linux/types.h>

struct file;

/* Can the kernel itself bring the file's pages?  The file of a mapping is below an overlay. */
bool st_file_comes(const struct file *file);

/*
 * Brings the page at an address of the current process, to be read or written.  Returns 0; or
 * -EFAULT if it doesn't come, the process is being killed, or its mappings stay locked for
 * *PATIENCE jiffies, which the wait reduces.  The page may be gone again, or not have come yet, so
 * the caller tries again, a few times.  Process context, may sleep.
 */
int st_bring(unsigned long addr, bool write, unsigned int *patience);

#endif
