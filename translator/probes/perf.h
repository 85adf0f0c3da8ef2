/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Performance events: what perf.… and kernel.data are made of.
 */
#ifndef STAP_PROBES_PERF_H
#define STAP_PROBES_PERF_H

#include "families.h"

/* The types of perf_event_open(2) that are not the script's to say. */
enum { PERF_SOFTWARE = 1, PERF_BREAKPOINT = 5 };

struct perf_event {
	int64_t type, config, period;
	bool hz;			/* period is a frequency */
	const char *process;		/* NULL: all */
	const char *counter;		/* what @perf calls it; NULL: it samples */
	struct watch {			/* PERF_BREAKPOINT, by kernel.data */
		uint64_t address;
		bool linked;		/* address: as linked; else as it is */
		bool percpu;		/* each processor has its own, its area's offset
					   away */
		unsigned length;	/* 0: nothing is watched */
		bool reads;		/* reads too */
	} watch;
};

/* Descriptors of the table "perf": probes whose 'own' is a struct perf_event. */
void perf_emit(struct sbuf *out, struct session *s, struct probe *const *probes, size_t n);

#endif
