// SPDX-License-Identifier: GPL-2.0-or-later
/* Are the counts of a process's pages atomic variables in rss_stat.count? */
#include <linux/mm_types.h>

long st_feature(const struct mm_struct *mm)
{
	return atomic_long_read(&mm->rss_stat.count[MM_FILEPAGES]);
}
