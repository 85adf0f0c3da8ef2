// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there a function that gives an instance's kretprobe? */
#include <linux/kprobes.h>

struct kretprobe *st_feature(struct kretprobe_instance *ri)
{
	return get_kretprobe(ri);
}
