/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Giving up rights, for good: in a process that reads what other people wrote.
 *
 *	if (!rights_limit(RLIMIT_CORE, 0) || !rights_drop())
 *		return false;
 */
#ifndef STAP_RIGHTS_H
#define STAP_RIGHTS_H

#include <stdbool.h>
#include <sys/resource.h>

/* Becomes nobody if it was root, gives up all capabilities, and is killed when its parent ends. */
bool rights_drop(void);

/* Sets a limit of setrlimit(2), but never a higher one. */
bool rights_limit(int what, rlim_t most);

#endif
