// SPDX-License-Identifier: GPL-2.0-or-later
/* The counters of the probes' hits. */
#include "port/port.h"
#include "core/report.h"
#include "hits.h"

DEFINE_PER_CPU(local_t *, st_hits);

int st_hits_alloc(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		local_t *hits = st_data_alloc(st_program.nprobes * sizeof(*hits), cpu_to_node(cpu));

		if (!hits) {
			st_hits_free();
			return st_fail(-ENOMEM, "no memory to count the hits of %u probes",
				       st_program.nprobes);
		}
		per_cpu(st_hits, cpu) = hits;
	}
	return 0;
}

void st_hits_free(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(per_cpu(st_hits, cpu));
		per_cpu(st_hits, cpu) = NULL;
	}
}

unsigned long st_hits_of(const struct st_probe *probe)
{
	unsigned long all = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		all += local_read(&per_cpu(st_hits, cpu)[probe->index]);
	return all;
}
