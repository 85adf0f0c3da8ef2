// SPDX-License-Identifier: GPL-2.0-or-later
/* Do the kernel's headers include the tables of system calls? */
#include <linux/types.h>

#include "arch/x86/syscall_tables.h"

const char *const st_feature[] = {
#include ST_NATIVE_TABLE
#include ST_COMPAT_TABLE
};
