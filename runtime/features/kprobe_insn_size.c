// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a kprobe know the size of its instruction? */
#include <linux/kprobes.h>

unsigned int st_feature(const struct kprobe *kprobe)
{
	return kprobe->ainsn.size;
}
