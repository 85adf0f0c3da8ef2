/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's tables of system calls: generated headers with a line for each entry,
 *
 *	__SYSCALL…(number, function)
 *
 * which becomes an element [number] = "function" of an array of names.  Each generation of
 * kernels has other names for the macro.  Functions begin with sys_, or with compat_sys_ if
 * 32-bit programs have a function of their own.
 */
#ifndef STAP_SYSCALL_TABLES_H
#define STAP_SYSCALL_TABLES_H

/* Macros hide these headers from write_kernel_header() (translator/kit/kitmake.c): they can't be
 * included on their own. */
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
