/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: the limits of a script (limits.c). */
#ifndef STAP_LIMITS_H
#define STAP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct program;
struct session;

struct limits {
	int64_t string, nesting, errors, skipped, entries;
	int64_t action, action_interruptible;	/* statements */
	int64_t trylock;			/* of 10 µs */
	int64_t overload_interval, overload_threshold;	/* cycles */
	int64_t kretactive;			/* 0: the runtime's choice */
	int64_t hist_width, hist_elision;	/* characters; rows, negative: all */
	bool overload;
};

/* What is wrong with them is reported; so are names that nothing reads. */
struct limits read_limits(const struct session *s, const struct program *prog);

/* MAXNESTING where it is not given (nesting.c). */
int64_t default_nesting(const struct program *prog);

#endif
