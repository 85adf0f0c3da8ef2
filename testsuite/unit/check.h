/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What unit tests of the translator check with: a failure is told and counted, and the test goes on. */
#ifndef STAP_CHECK_H
#define STAP_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(x) do {							\
	if (!(x)) {							\
		fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x);	\
		failures++;						\
	}								\
} while (0)

#endif
