// SPDX-License-Identifier: GPL-2.0-or-later
/* The headers have the tables of system calls. */
#include <linux/types.h>

/* Not seen by what gathers the kernel's headers: these are not to be included alone. */
#define ST_NATIVE_TABLE <asm/syscalls_64.h>
#define ST_COMPAT_TABLE <asm/syscalls_32.h>

#define __SYSCALL(number, entry) #entry,
#define __SYSCALL_WITH_COMPAT(number, native, compat) #native,
#define __SYSCALL_NORETURN(number, entry) #entry,
#define __SYSCALL_COMPAT_NORETURN(number, native, compat) #native,

const char *const st_feature[] = {
#include ST_NATIVE_TABLE
#include ST_COMPAT_TABLE
};
