/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the cgroup of a container, or of a path: what --container and --cgroup name.
 *
 *	int fd = container_open("web", &why);		also "8d2f0a" or "4711"
 *
 * No container runtime is asked: a daemon may be hung, or not be there.  A container's ID is found among
 * the directories of the cgroup file system (text/cgroup_name.h), its name in what runtimes keep on disk.
 * Only files that root writes are read there.
 *
 * The loader's programs use this too.  The texts in WHY live until the next call.
 */
#ifndef STAP_CONTAINER_H
#define STAP_CONTAINER_H

#include <sys/types.h>

struct problem;

/*
 * Opens the directory of the cgroup PATH, which is as cgroup_path() has it, "/system.slice/ssh.service",
 * or begins with /sys/fs/cgroup.  Returns a descriptor; or -1 with WHY->text set.
 */
int cgroup_open(const char *path, struct problem *why);

/*
 * Opens the directory of a container's cgroup.  NAME is the ID of a process in it; the container's ID or
 * the beginning of that; or its name.  Returns a descriptor; or -1 with WHY->text set.
 */
int container_open(const char *name, struct problem *why);

/*
 * Finds the root directory of a container, which NAME means as above; of a process, its own.  Otherwise it is
 * that of the container's oldest process, which was there before any that containers run within it; a process
 * with our own root directory is only taken if there is no other.  Returns "/proc/PID/root", and holds that
 * process (base/root.h); or NULL with WHY->text set.
 */
const char *container_root(const char *name, struct problem *why);

#endif
