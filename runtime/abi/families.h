/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of probes.
 *
 * FAMILY(name): translator/probes/name.c makes a table of places, struct probe_family
 * family_name; runtime/probes/name.c has them in the kernel, struct st_family
 * st_name_family.
 *
 * POINTS(name): translator/probes/name.c alone.  Its places go to the table of another
 * family, or nowhere.
 *
 * In the order in which the runtime arms them: timers last, so that the first tick
 * comes when all is armed.
 */
#ifndef STAP_FAMILY_LIST_H
#define STAP_FAMILY_LIST_H

#define ST_FAMILIES(FAMILY, POINTS)					\
	FAMILY(begin)							\
	POINTS(never)							\
	FAMILY(code)							\
	POINTS(kprobe)							\
	FAMILY(trace)							\
	FAMILY(perf)							\
	POINTS(data)							\
	FAMILY(procfs)							\
	FAMILY(netfilter)						\
	FAMILY(timer)

#endif
