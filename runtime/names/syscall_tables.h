/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tables of system calls: generated headers, a line of which is an entry,
 *
 *	__SYSCALL…(number, function)
 *
 * Here each becomes an element [number] = "function" of an array of names.  The lines'
 * macros have had other names in each generation of kernels; the functions begin with
 * sys_, or with compat_sys_ where 32-bit programs have their own.
 */
#ifndef STAP_SYSCALL_TABLES_H
#define STAP_SYSCALL_TABLES_H

/* Not seen by what gathers the kernel's headers: these are not to be included alone. */
#define ST_NATIVE_TABLE <asm/syscalls_64.h>
#define ST_COMPAT_TABLE <asm/syscalls_32.h>

#define __SYSCALL(number, entry) [number] = #entry,
#define __SYSCALL_WITH_COMPAT(number, native, compat) [number] = #native,
#define __SYSCALL_NORETURN(number, entry) [number] = #entry,
#define __SYSCALL_COMPAT_NORETURN(number, native, compat) [number] = #native,

#define __SYSCALL_64(number, entry) [number] = #entry,
#define __SYSCALL_COMMON(number, entry) [number] = #entry,
#define __SYSCALL_X32(number, entry)
#define __SYSCALL_I386(number, entry) [number] = #entry,

#endif
