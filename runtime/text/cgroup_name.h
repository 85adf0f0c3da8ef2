/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the name of a cgroup's directory says about containers.
 *
 * A container runtime makes a cgroup for each container and names it after the container; Kubernetes
 * makes one for each pod, above those of its containers:
 *
 *	/kubepods.slice/kubepods-pod1f0c….slice/cri-containerd-8d2f….scope
 *	                └ pod 1f0c-…            └ container 8d2f…
 *
 * One directory's name is looked at, not the path.  A process in a container may make cgroups below
 * the container's own, and name them as it likes: so the outermost name that means something is the
 * one to believe.
 */
#ifndef STAP_TEXT_CGROUP_NAME_H
#define STAP_TEXT_CGROUP_NAME_H

#include "abi/stap_script.h"
#include "port/port.h"

#define ST_CGROUP_NAME 65	/* bytes of the longest name, an ID of 64 digits, with its NUL */
#define ST_CGROUP_LEVELS 32	/* of deeper cgroups the outermost are looked at, more than runtimes make */
#define ST_CGROUP_DEPTH 1024	/* from where nothing is said: parents are followed one by one */
#define ST_CONTAINER_DIGITS 12	/* of an ID, the first of which docker and podman show */

/* A container's or pod's name. */
struct st_cgroup_name {
	unsigned int len;
	bool id;			/* an ID of 64 hexadecimal digits */
	char text[ST_CGROUP_NAME];	/* ends with a NUL */
};

/*
 * Returns what kind of thing has the cgroup with directory name DIR, and puts its name into *NAME: a
 * container's ID, or the name of one that has no ID; a pod's UID.  Of ST_CGROUP_OTHER *NAME is left as
 * it was.
 */
enum st_cgroup_kind st_cgroup_name(struct st_str dir, struct st_cgroup_name *name);

#endif
