// SPDX-License-Identifier: GPL-2.0-or-later
/* Is get_file_rcu() a function, of the address of the pointer to a file? */
#include <linux/fs.h>

struct file *(*st_feature)(struct file __rcu **file) = get_file_rcu;
