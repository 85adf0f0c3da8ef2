// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a fault that gave the lock of the mappings back say so if it has succeeded? */
#include <linux/mm_types.h>

int st_feature(void)
{
	return VM_FAULT_COMPLETED;
}
