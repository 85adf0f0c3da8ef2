/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: the limits of a script (limits.c). */
#ifndef STAP_LIMITS_H
#define STAP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct session;

/* The limits of a script, from -D or SystemTap's defaults. */
struct limits {
	int64_t string, nesting, errors, skipped, entries;
	int64_t action, action_interruptible;	/* statements; INT64_MAX: no limit */
	int64_t trylock;			/* tries, 10 µs apart */
	int64_t overload_interval, overload_threshold;	/* cycles */
	int64_t kretactive;			/* 0: the runtime's choice */
	int64_t hist_width, hist_elision;	/* characters; rows, negative: no elision */
	bool overload;
};

/* Reads the limits.  Reports values that are out of range, and unknown names. */
struct limits read_limits(const struct session *s, const struct program *prog);

/* Returns MAXNESTING's default (nesting.c). */
int64_t default_nesting(const struct program *prog);

#endif
