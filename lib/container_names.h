/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the IDs of containers by the names that their users gave them. */
#ifndef STAP_CONTAINER_NAMES_H
#define STAP_CONTAINER_NAMES_H

#include <stdbool.h>

/*
 * Looks for a container in what Docker, Podman, CRI-O and Kubernetes' kubelet keep on disk.  NAME is a
 * container's name, or "POD/CONTAINER" in Kubernetes.  Returns how many containers have it for which RUNS()
 * is true, and the ID of the first, a string of 64 digits.  *GONE becomes true if a container has it that
 * doesn't run: the kubelet keeps what it knew of one that was restarted.
 */
int container_id(const char *name, bool (*runs)(const char *id), char id[65], bool *gone);

/* Are the names kept where this user can't read them? */
bool container_names_hidden(void);

#endif
