// SPDX-License-Identifier: GPL-2.0-or-later
/* Is there a function that finds the mapping that contains an address, and no other? */
#include <linux/mm.h>

struct vm_area_struct *st_feature(struct mm_struct *mm, unsigned long addr)
{
	return vma_lookup(mm, addr);
}
