/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which code each process has mapped where, now and when its stack was recorded: that was some milliseconds
 * ago, and it may have run another program since, or ended.
 *
 *	m = mappings_open(cpus, false);		from now on the kernel tells what processes map
 *	…					a stack is recorded
 *	mappings_follow(m, its time);
 *	mappings_find(m, process, address)	as they were then
 *
 * The kernel tells it by performance events, a ring of them for each CPU (perf_event_open(2),
 * PERF_RECORD_MMAP2). What a process had mapped before is read from /proc/PID/maps when it is first asked
 * for.
 *
 * All lasts as long as this process.
 */
#ifndef STAP_BPF_MAPPINGS_H
#define STAP_BPF_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "mapped.h"

struct mappings;

/*
 * Returns NULL after a message.  CPUS: one more than the highest number of a CPU.  ALL: looks at all
 * processes now.
 */
struct mappings *mappings_open(unsigned cpus, bool all);

/* Goes on to TIME, ns of CLOCK_MONOTONIC.  Call it from time to time, because the rings have an end. */
void mappings_follow(struct mappings *m, uint64_t time);

/*
 * Finds the mapping of a process that contains an address; NULL if there is none.  It stays until the next
 * call.
 */
const struct mapping *mappings_find(struct mappings *m, uint32_t process, uint64_t address);

/*
 * Finds a file's mapping that contains an address, of whichever process: where several have one, of that
 * for which WHEN says the highest time, or which came last.  Sets *PROCESS to its number.
 */
const struct mapping *mappings_find_any(const struct mappings *m, uint64_t address,
					uint64_t (*when)(void *arg, uint32_t process), void *arg, uint32_t *process);

#endif
