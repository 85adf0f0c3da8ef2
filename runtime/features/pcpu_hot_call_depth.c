// SPDX-License-Identifier: GPL-2.0-or-later
/* Is the depth of calls, which a mitigation counts, in struct pcpu_hot? */
#include <linux/percpu.h>

u64 *st_feature(int cpu)
{
	return &per_cpu(pcpu_hot, cpu).call_depth;
}
