/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The container of the current task, for the origin of output (abi/transport.h). */
#ifndef STAP_CONTAINER_OF_CURRENT_H
#define STAP_CONTAINER_OF_CURRENT_H

#include "abi/transport.h"

/*
 * Writes the name of the current task's container, as container() has it, padded by NULs; nothing outside of
 * containers, and under cgroup v1.  Preemption is disabled; any context.
 */
void st_container_of_current(char name[ST_ORIGIN_CONTAINER]);

#endif
