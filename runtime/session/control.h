/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's files in /proc/systemtap/MODULE (abi/transport.h). */
#ifndef STAP_CONTROL_H
#define STAP_CONTROL_H

/* Creates the directory and the files: 0, or -errno and nothing is left. */
int st_control_create(void);

/* Removes them, and all other files in the directory; waits for calls under way. */
void st_control_remove(void);

#endif
