// SPDX-License-Identifier: GPL-2.0-or-later
/* The return address of an instance is asked for. */
#include <linux/kprobes.h>

unsigned long st_feature(struct kretprobe_instance *ri)
{
	return get_kretprobe_retaddr(ri);
}
