// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of a process (port/user.h); a program may bring its own, which replaces this file's. */
#include <unistd.h>

#include "port/port.h"

void *kvmalloc_node(unsigned long bytes, int flags, int node)
{
	void *p;

	(void)flags;
	(void)node;
	if (bytes > SIZE_MAX - L1_CACHE_BYTES)
		return NULL;
	bytes = ALIGN(bytes, L1_CACHE_BYTES);
	p = aligned_alloc(L1_CACHE_BYTES, bytes);
	return p ? memset(p, 0, bytes) : NULL;
}

void kvfree(void *p)
{
	free(p);
}

/*
 * Returns the free memory and what the kernel would reclaim; without /proc, the free memory alone.
 */
long si_mem_available(void)
{
	FILE *f = fopen("/proc/meminfo", "re");
	char line[128];
	long kb = -1;

	while (f && kb < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "MemAvailable: %ld kB", &kb);
	if (f)
		fclose(f);
	return kb >= 0 ? kb / ((long)PAGE_SIZE / 1024)
		       : sysconf(_SC_AVPHYS_PAGES) * (sysconf(_SC_PAGESIZE) / (long)PAGE_SIZE);
}
