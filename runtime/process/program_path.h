/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The paths of programs that run, for scripts that wait for a program.
 *
 * A program is known by its inode (program.h), once it is there.  One that is not there when the
 * session starts is known by its path as the loader would see it: the path below the loader's root
 * directory, of processes that have the same one.  In a container the path means another file.
 */
#ifndef STAP_PROGRAM_PATH_H
#define STAP_PROGRAM_PATH_H

#include <linux/types.h>

/* Keep the root directory of the current process, the loader; and release it. */
void st_root_keep(void);
void st_root_release(void);

/*
 * Returns the path of the current process's program in ROOM, which has PATH_MAX bytes; NULL if it
 * has another root directory, or no program.  May sleep; not in a process that exits.
 */
const char *st_program_path(char *room);

#endif
