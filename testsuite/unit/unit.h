/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the unit tests of the runtime's portable half share: checks that count failures, and a
 * context with its areas and its output.  A test is a program of its own; it returns
 * unit_failures != 0.
 *
 * The tests use libstrun.a (runtime/port/user/engine.h), but with memory and time of their own, which
 * can be made to run out.
 */
#ifndef STAP_UNIT_H
#define STAP_UNIT_H

#include "core/report.h"
#include "core/supply.h"
#include "core/walk.h"
#include "data/globals.h"
#include "port/port.h"

#define UNIT_CPUS 5			/* possible; the last is not online */

extern int unit_failures;
extern struct st_ctx unit_ctx;
extern long unit_slices;		/* the last slice that st_walk() counts ends the handler's
					   time; <0: it has no end */

/* Memory, instead of the port's (port/user/memory.c). */
extern long unit_pages;			/* available */
extern long unit_allocations;		/* alive */
extern long unit_fail_after;		/* allocations that still succeed; <0: all */

#define CHECK(cond) do {							\
	if (!(cond)) {								\
		unit_failures++;						\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond);	\
	}									\
} while (0)

#define CHECK_STRING(got, want) unit_check_string(__FILE__, __LINE__, got, want)
#define CHECK_LONG(got, want) unit_check_long(__FILE__, __LINE__, got, want)

void unit_check_string(const char *file, int line, const char *got, const char *want);
void unit_check_long(const char *file, int line, st_long got, st_long want);

/* All that unit_ctx has printed; its error, or ""; the hits skipped so far, in all threads. */
const char *unit_output(void);
const char *unit_error(void);
long unit_skips(void);

/* No error, empty scratch and output, time for any walk. */
void unit_reset(void);

/* A number below n, the same ones in every run. */
unsigned int unit_random(unsigned int n);

struct st_str unit_str(const char *s);

/* One global, as st_maps_alloc() sees it. */
extern struct st_global unit_global;

#endif
