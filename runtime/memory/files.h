/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that stacks were seen in: each gets a number, which records carry.
 *
 * Names come late.  The loader's reader, when it comes upon a number for the first time, asks for
 * the file (ST_TRACE_OPEN, abi/transport.h) and gets it opened: the very file that was mapped,
 * even if the process has gone, or its path means another file by now, or none.  Until then the
 * table holds a reference to the file, and its file system is busy: without a reader, as long as
 * the session.
 *
 * Adding works in any context, without a lock.
 */
#ifndef STAP_USER_FILES_H
#define STAP_USER_FILES_H

#include <linux/types.h>

struct file;

#define ST_FILES_MOST 1024		/* numbers are 1 to this */

/* Returns the number of a file that is mapped and can't go away now; IDENTITY tells it apart from
 * others.  0: it is no regular file, it is one of FUSE's, or the table is full where the file
 * belongs. */
unsigned int st_file_id(struct file *file, unsigned long identity);

/* Returns the identity of the file with this number; 0 if there is none. */
unsigned long st_file_identity(unsigned int id);

/* Opens a file by its number for the current process; returns a descriptor, or -errno.  -ENOENT:
 * there is none, or it was given already. */
int st_file_open(unsigned int id);

/* Lets a new reader ask again for all files that are seen from now on. */
void st_files_again(void);

/* Releases the files.  Process context, after the last handler. */
void st_files_free(void);

#endif
