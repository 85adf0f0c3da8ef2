// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The end report, so that nothing is lost silently.  The first line has SystemTap's wording; the
 * following ones give the reasons and the remedies.
 */
#include "report.h"

#include <inttypes.h>
#include <stddef.h>

#include "common/control.h"
#include "common/say.h"

/* The reasons why handlers didn't run: the module's counter, its description, the remedy. */
static const struct reason {
	const char *counter, *words, *remedy;
} reasons[] = {
	{ "skipped", "a variable's lock was held too long, or too little stack was left",
	  "; -D MAXTRYLOCK=N waits longer for locks" },
	{ "reentrant", "the probe was hit by another handler's own work", "" },
	{ "idle", "the CPU was coming online, or entering or leaving idle, or the machine was "
	  "suspending, where no handler can run safely", "" },
	{ "busy", "the CPU was within a BPF program already, which it had left for another task, or "
	  "which hit the probe itself", "; --runtime=kernel is not left so" },
	{ "missed", "the kernel had no room to deliver the hit",
	  "; for return probes, .maxactive(N) lets it follow more kernel calls at once; in programs it "
	  "follows 64 nested calls of a thread" },
};

#define NREASONS (sizeof(reasons) / sizeof(*reasons))

void report(const struct control_state *st)
{
	uint64_t errors = control_counter(st, "errors"), lost = control_counter(st, "lost");
	uint64_t overwritten = control_counter(st, "overwritten");
	uint64_t skipped[NREASONS], all = 0;

	for (size_t i = 0; i < NREASONS; i++)
		all += skipped[i] = control_counter(st, reasons[i].counter);
	if (errors || all)
		say_warning("Number of errors: %" PRIu64 ", skipped probes: %" PRIu64, errors, all);
	for (size_t i = 0; i < NREASONS; i++)
		if (skipped[i])
			say_warning("Skipped %" PRIu64 " times because %s%s", skipped[i],
				    reasons[i].words, reasons[i].remedy);
	if (lost) {
		say_warning("There were %" PRIu64 " transport failures.", lost);
		say_warning("As many outputs were lost because the buffers were full: enlarge them "
			    "with -s MEGABYTES, or print less");
	}
	if (overwritten)
		say_warning("%" PRIu64 " outputs were overwritten by newer ones before they were "
			    "read: -s MEGABYTES keeps more", overwritten);
}
