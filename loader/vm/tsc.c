// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rate of this machine's time-stamp counter. An emulated guest reads the same counter, and would measure
 * its rate against an emulated timer while it boots: on a busy machine the emulator stands still between the
 * two readings, the kernel takes, say, 417 MHz for 2,445, and its clock is six times too fast from then on.
 */
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <x86intrin.h>

#include "vm.h"

#define PAUSE	10000000	/* nanoseconds between two readings: 1 MHz is 4 µs of these at 2.4 GHz */
#define TRIES	32		/* to read clock and counter without an interruption in between */

struct reading {
	int64_t ns;
	uint64_t tsc;
};

static int64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

/* Reads both, by the try in which the clock moved least. */
static struct reading read_both(void)
{
	struct reading best = { 0 };
	int64_t least = INT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		int64_t before = clock_ns();
		uint64_t tsc = __rdtsc();
		int64_t took = clock_ns() - before;

		if (took >= least)
			continue;
		least = took;
		best = (struct reading){ before + took / 2, tsc };
	}
	return best;
}

unsigned int vm_tsc_mhz(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE };
	static unsigned int mhz;
	struct reading a, b;

	if (mhz)
		return mhz;
	a = read_both();
	nanosleep(&pause, NULL);
	b = read_both();
	mhz = ((b.tsc - a.tsc) * 1000 + (b.ns - a.ns) / 2) / (b.ns - a.ns);
	return mhz;
}
