/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance events: what perf.… and kernel.data are made of.
 */
#ifndef STAP_PROBES_PERF_H
#define STAP_PROBES_PERF_H

#include "family.h"

/* The types of perf_event_open(2) that are not the script's to say. */
enum { PERF_SOFTWARE = 1, PERF_BREAKPOINT = 5 };

/* A probe of the families perf and data. */
struct perf_probe {
	struct probe probe;
	int64_t type, config, period;
	bool hz;			/* period is a frequency */
	const char *process;		/* NULL: all */
	const char *counter;		/* what @perf calls it; NULL: it samples */
	unsigned counter_number;	/* among the script's counters */
	struct watch {			/* PERF_BREAKPOINT, by kernel.data */
		uint64_t address;
		bool linked;		/* address: as linked; else as it is */
		bool percpu;		/* each processor has its own, its area's offset
					   away */
		unsigned length;	/* 0: nothing is watched */
		bool reads;		/* reads too */
	} watch;
};

/* The counter that a probe is; NULL: none. */
const struct perf_probe *perf_counter(const struct probe *p);

/* Rows of the table "perf". */
void perf_emit(struct sbuf *out, const struct probe *p, const struct site *site);

#endif
