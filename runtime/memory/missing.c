// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts values that could not be read (missing.h). */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/mm.h>

#include "handler/print.h"
#include "missing.h"
#include "space.h"

enum reason { NOT_THERE, NOT_MAPPED, OF_KERNEL, REASONS };

static const char *const reason_words[REASONS] = {
	[NOT_THERE] = "a page was not in memory",
	[NOT_MAPPED] = "nothing was mapped at the address",
	[OF_KERNEL] = "it was not readable kernel memory",
};

static atomic_t st_missing_values[REASONS];

static enum reason reason_of(enum st_space space, unsigned long addr)
{
	struct st_mapping m;

	if (space == ST_KERNEL || addr >= TASK_SIZE_MAX)
		return OF_KERNEL;
	return st_space_find(addr, &m) ? NOT_THERE : NOT_MAPPED;
}

void st_missing(enum st_space space, unsigned long addr)
{
	if (addr)
		atomic_inc(&st_missing_values[reason_of(space, addr)]);
}

void st_missing_tell(void)
{
	char reasons[200];
	unsigned int len = 0, all = 0;
	enum reason i;

	for (i = 0; i < REASONS; i++) {
		unsigned int n = atomic_xchg(&st_missing_values[i], 0);

		if (n)
			len += scnprintf(reasons + len, sizeof(reasons) - len, "%s%s: %u",
					 len ? ", " : "", reason_words[i], n);
		all += n;
	}
	if (all)
		st_tell(ST_FMT_WARN, "memory could not be read %u time%s, where an address, 0, \"\" "
			"or a default stands for the value (%s)", all, all == 1 ? "" : "s", reasons);
}
