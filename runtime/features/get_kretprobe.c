// SPDX-License-Identifier: GPL-2.0-or-later
/* The kretprobe of an instance is asked for. */
#include <linux/kprobes.h>

struct kretprobe *st_feature(struct kretprobe_instance *ri)
{
	return get_kretprobe(ri);
}
