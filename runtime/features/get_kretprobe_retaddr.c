// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there a function that gives an instance's return address? */
#include <linux/kprobes.h>

unsigned long st_feature(struct kretprobe_instance *ri)
{
	return get_kretprobe_retaddr(ri);
}
