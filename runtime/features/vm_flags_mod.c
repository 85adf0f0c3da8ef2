// SPDX-License-Identifier: GPL-2.0-or-later
/* Are a mapping's vm_flags changed by functions, not by assignment? */
#include <linux/mm.h>

void st_feature(struct vm_area_struct *vma)
{
	vm_flags_mod(vma, VM_DONTCOPY, VM_MAYWRITE);
}
