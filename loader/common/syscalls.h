/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers and flags of system calls that older C libraries lack.  Numbers above 423 are the same on
 * every architecture.  A kernel without the call fails with ENOSYS.
 */
#ifndef STAP_SYSCALLS_H
#define STAP_SYSCALLS_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/mount.h>
#include <sys/syscall.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

#ifndef OPEN_TREE_CLONE
#define OPEN_TREE_CLONE 1
#define OPEN_TREE_CLOEXEC O_CLOEXEC
#define MOVE_MOUNT_F_EMPTY_PATH 4
#endif

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#endif

#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#define MOUNT_ATTR_RDONLY 1

struct mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};
#endif

#ifndef AT_RECURSIVE
#define AT_RECURSIVE 0x8000
#endif

#endif
