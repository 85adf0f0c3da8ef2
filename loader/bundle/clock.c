// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells a machine's clock to stap --remote, which compares it with its own. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "parts.h"

int tell_clock(const char *prefix)
{
	struct timespec t;
	char c = 0;

	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n') {
		clock_gettime(CLOCK_MONOTONIC, &t);
		dprintf(STDOUT_FILENO, "%s clock %" PRIu64 "\n", prefix,
			t.tv_sec * UINT64_C(1000000000) + t.tv_nsec);
	}
	return c != '\n';
}
