/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inode behind a path, as mappings see it.
 *
 * On an overlay a file has two inodes: the overlay's, which open files show, and the one of
 * the layer below that holds its data.  The kernel maps the latter and keys uprobes by it, so
 * that is the inode by which the session knows a program.  On other file systems both are
 * the same.
 */
#ifndef STAP_INODE_H
#define STAP_INODE_H

struct inode;
struct mm_struct;

/*
 * Finds the inode behind PATH, through symbolic links, in the current process's file system.
 * Returns 0 with a reference in *INODE, which the caller gives back with iput(); or -errno.
 * May sleep.
 */
int st_inode_find(const char *path, struct inode **inode);

/*
 * Returns the inode of the program that MM runs, without a reference: only to be compared
 * with one that st_inode_find() found.  NULL if there is none.  MM stays; any context but NMI.
 */
const struct inode *st_inode_of_mm(struct mm_struct *mm);

#endif
