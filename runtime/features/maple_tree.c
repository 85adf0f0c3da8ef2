// SPDX-License-Identifier: GPL-2.0-or-later
/* Are a process's mappings in a maple tree? */
#include <linux/mm_types.h>

const struct maple_tree *st_feature(const struct mm_struct *mm)
{
	return &mm->mm_mt;
}
