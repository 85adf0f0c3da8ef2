/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Performance events, for perf.… and kernel.data. */
#ifndef STAP_PROBES_PERF_H
#define STAP_PROBES_PERF_H

#include "family.h"
#include "watch.h"

/* The types of perf_event_open(2) that this code chooses itself. */
enum { PERF_SOFTWARE = 1, PERF_BREAKPOINT = 5 };

/* A probe of the families perf and data, with what perf_event_open(2) needs. */
struct perf_probe {
	struct probe probe;
	int64_t type, config, period;
	bool hz;			/* period is a frequency in Hz */
	const char *process;		/* the program whose processes count; NULL for all */
	const char *counter;		/* the name that @perf uses; NULL if it samples */
	unsigned counter_number;	/* the index among the script's counters */
	struct watch watch;		/* kernel.data: a hardware breakpoint */
};

/* Returns the record of a probe that is a counter; NULL for other probes. */
const struct perf_probe *perf_counter(const struct probe *p);

/* Emits a row of the table "perf". */
void perf_row(const struct probe *p, const struct site *site, struct row *out);

/* Sets how BPF programs are attached to the event, if they can be. */
void perf_place(const struct probe *p, const struct site *site, struct ir_place *out);

#endif
