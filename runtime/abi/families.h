/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The families of probes.
 *
 * FAMILY(name) has two halves: struct probe_family family_name in
 * translator/probes/name.c makes a table of places, struct st_family st_name_family in
 * runtime/probes/name.c arms them.
 *
 * POINTS(name) has the translator's half only: its places go to another family's table,
 * or nowhere.
 *
 * The runtime arms families in this order.  Timers are last, so that the first tick
 * comes when everything else is armed.
 */
#ifndef STAP_FAMILY_LIST_H
#define STAP_FAMILY_LIST_H

#define ST_FAMILIES(FAMILY, POINTS)					\
	FAMILY(begin)							\
	POINTS(never)							\
	POINTS(refused)							\
	FAMILY(code)							\
	POINTS(kprobe)							\
	FAMILY(uprobe)							\
	POINTS(mark)							\
	POINTS(plt)							\
	FAMILY(trace)							\
	FAMILY(perf)							\
	POINTS(data)							\
	FAMILY(procfs)							\
	FAMILY(netfilter)						\
	FAMILY(process)							\
	POINTS(process_data)						\
	FAMILY(timer)

#endif
