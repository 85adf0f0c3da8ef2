// SPDX-License-Identifier: GPL-2.0-or-later
/* Does lock_system_sleep() return flags, for unlock_system_sleep()? */
#include <linux/suspend.h>

void st_feature(void)
{
	unlock_system_sleep(lock_system_sleep());
}
