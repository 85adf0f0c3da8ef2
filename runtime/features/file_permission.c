// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a file's permission asked by file_permission()? */
#include <linux/fs.h>

int st_feature(struct file *file)
{
	return file_permission(file, MAY_READ);
}
