/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The programs and shared libraries that the script names (st_program.files).
 *
 * A file is known by its inode, so it is the same file under another name, in a container,
 * and after it was deleted.
 */
#ifndef STAP_PROGRAM_FILES_H
#define STAP_PROGRAM_FILES_H

#include "abi/stap_script.h"

/*
 * Finds the files' inodes, by their paths as the current process sees them.  A file that isn't
 * there has no inode.  May sleep.  close() after the last handler.
 */
void st_files_open(void);
void st_files_close(void);

#endif
