/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs and shared libraries that the script names (st_program.files).
 *
 * A file is known by its inode, so it is the same file under another name, in a container,
 * and after it was deleted.  On an overlay a file has two inodes: the overlay's, which open files
 * show, and the inode of the layer below, which holds its data.  The kernel maps the latter and keys
 * uprobes by it, so the session knows files by that one.
 *
 * The file stays open until the session is gone: an inode alone doesn't keep its file system
 * mounted, and the kernel would unregister a uprobe in an inode whose file system is gone.
 */
#ifndef STAP_PROGRAM_FILES_H
#define STAP_PROGRAM_FILES_H

#include "abi/stap_script.h"

struct inode;
struct mm_struct;

/*
 * Takes the loader's answer: the file is what the current process has open as FD.  The loader has
 * checked its build-id.  Returns 0, or -errno with st_message set.  A file without an answer
 * doesn't exist.
 */
int st_file_set(unsigned int file, int fd);

/* Does the file, which is there, have this code?  Reads the page cache; may sleep. */
bool st_file_has(unsigned int file, const struct st_instruction *at);

/* Closes the files; after the last handler. */
void st_files_close(void);

/*
 * Returns the inode of the program that MM runs, without a reference: only to be compared
 * with those of st_program.files.  NULL if there is none.  MM stays; any context but NMI.
 */
const struct inode *st_program_of_mm(struct mm_struct *mm);

/*
 * Finds how far above its linked addresses the current process has mapped the file's code.  False
 * if it has not.  May sleep.
 */
bool st_program_shift(unsigned int file, unsigned long *shift);

#endif
