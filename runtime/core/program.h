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
 * The loader's answer: the file is what the current process has open as FD.  The loader has checked
 * its build-id.  Returns 0, or -errno with st_message set.  A file without an answer isn't there.
 */
int st_file_set(unsigned int file, int fd);

/* Gives the inodes back; after the last handler. */
void st_files_close(void);

#endif
