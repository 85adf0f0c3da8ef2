/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths in the root directory of another process: "/proc/PID/root/REST".
 *
 * A process in a container sees another tree of files, whose root the kernel shows as /proc/PID/root.  But
 * the kernel follows links in REST as ours: "/bin" there, a link to "/usr/bin", would lead to our own
 * /usr/bin, and so does any link that a hostile container puts in the way.  These functions resolve REST as
 * the process would.  Neither a link nor ".." leads out of its root, and links of /proc are refused:
 *
 *	root_open("/proc/4711/root/bin/sh", O_PATH)	/usr/bin/sh of process 4711
 *
 * The number of a process that has ended may be another's soon after.  So who looks into a root for longer
 * holds its process:
 *
 *	root_hold("/proc/4711/root", root_process("/proc/4711/root"))
 *
 * Then the root is not found any more, rather than another, once that process has ended.
 *
 * Other paths are resolved as usual.  Source: openat2(2), RESOLVE_IN_ROOT.
 *
 * The loader's programs use this too: it needs nothing else of this room.
 */
#ifndef STAP_BASE_ROOT_H
#define STAP_BASE_ROOT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* Returns the length of "/proc/PID/root" where PATH begins like this; else 0. */
size_t root_length(const char *path);

/* Opens the process of a root: "/proc/PID".  Returns a descriptor, closed on exec; or -1 with errno set. */
int root_process(const char *root);

/* From now on ROOT is that of the process which root_process() has opened as PROCESS.  One root is held. */
void root_hold(const char *root, int process);

/* Returns the process that is held, or -1. */
int root_held(void);

/* Opens PATH with FLAGS, as open(2) does, and closes it on exec.  Returns -1 with errno set. */
int root_open(const char *path, int flags);

/*
 * Finds the path, without links, of what PATH led to and is open as FD.  It is in the same root:
 * "/proc/4711/root/usr/bin/dash".  Returns false if it can't be told.
 */
bool root_path(int fd, const char *path, char real[PATH_MAX]);

#endif
