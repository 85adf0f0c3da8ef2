/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's directory, /proc/systemtap/MODULE. */
#ifndef STAP_DIRECTORY_H
#define STAP_DIRECTORY_H

struct proc_dir_entry;

/* Creates it: 0 or -errno.  remove() removes all that is in it, too. */
int st_directory_create(void);
void st_directory_remove(void);

struct proc_dir_entry *st_directory(void);

#endif
