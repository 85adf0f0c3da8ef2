// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Constants of system calls by their numbers, which are an interface to user space (x86_64's), as those in
 * numbers.c.
 *
 * A set of flags is shown as names with "|" between them, widest masks first, and bits without a name as a
 * number; a constant is shown by its name.
 */
#include "names.h"

static const struct st_name open_flags[] = {
	{ 0x40, "O_CREAT" }, { 0x80, "O_EXCL" }, { 0x100, "O_NOCTTY" }, { 0x200, "O_TRUNC" },
	{ 0x400, "O_APPEND" }, { 0x800, "O_NONBLOCK" }, { 0x101000, "O_SYNC" }, { 0x1000, "O_DSYNC" },
	{ 0x2000, "FASYNC" }, { 0x4000, "O_DIRECT" }, { 0x8000, "O_LARGEFILE" }, { 0x410000, "O_TMPFILE" },
	{ 0x10000, "O_DIRECTORY" }, { 0x20000, "O_NOFOLLOW" }, { 0x40000, "O_NOATIME" },
	{ 0x80000, "O_CLOEXEC" }, { 0x200000, "O_PATH" },
};

static const struct st_name access_flags[] = {
	{ 0x4, "R_OK" }, { 0x2, "W_OK" }, { 0x1, "X_OK" },
};

static const struct st_name at_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" }, { 0x200, "AT_REMOVEDIR" }, { 0x400, "AT_SYMLINK_FOLLOW" },
	{ 0x800, "AT_NO_AUTOMOUNT" }, { 0x1000, "AT_EMPTY_PATH" }, { 0x2000, "AT_STATX_FORCE_SYNC" },
	{ 0x4000, "AT_STATX_DONT_SYNC" }, { 0x8000, "AT_RECURSIVE" },
};

static const struct st_name prot_flags[] = {
	{ 0x1, "PROT_READ" }, { 0x2, "PROT_WRITE" }, { 0x4, "PROT_EXEC" }, { 0x8, "PROT_SEM" },
	{ 0x1000000, "PROT_GROWSDOWN" }, { 0x2000000, "PROT_GROWSUP" },
};

static const struct st_name mmap_flags[] = {
	{ 0x3, "MAP_SHARED_VALIDATE" }, { 0x1, "MAP_SHARED" }, { 0x2, "MAP_PRIVATE" },
	{ 0x10, "MAP_FIXED" }, { 0x20, "MAP_ANONYMOUS" }, { 0x40, "MAP_32BIT" },
	{ 0x100, "MAP_GROWSDOWN" }, { 0x800, "MAP_DENYWRITE" }, { 0x1000, "MAP_EXECUTABLE" },
	{ 0x2000, "MAP_LOCKED" }, { 0x4000, "MAP_NORESERVE" }, { 0x8000, "MAP_POPULATE" },
	{ 0x10000, "MAP_NONBLOCK" }, { 0x20000, "MAP_STACK" }, { 0x40000, "MAP_HUGETLB" },
	{ 0x80000, "MAP_SYNC" }, { 0x100000, "MAP_FIXED_NOREPLACE" },
};

static const struct st_name clone_flags[] = {
	{ 0x100, "CLONE_VM" }, { 0x200, "CLONE_FS" }, { 0x400, "CLONE_FILES" }, { 0x800, "CLONE_SIGHAND" },
	{ 0x1000, "CLONE_PIDFD" }, { 0x2000, "CLONE_PTRACE" }, { 0x4000, "CLONE_VFORK" },
	{ 0x8000, "CLONE_PARENT" }, { 0x10000, "CLONE_THREAD" }, { 0x20000, "CLONE_NEWNS" },
	{ 0x40000, "CLONE_SYSVSEM" }, { 0x80000, "CLONE_SETTLS" }, { 0x100000, "CLONE_PARENT_SETTID" },
	{ 0x200000, "CLONE_CHILD_CLEARTID" }, { 0x400000, "CLONE_DETACHED" },
	{ 0x800000, "CLONE_UNTRACED" }, { 0x1000000, "CLONE_CHILD_SETTID" },
	{ 0x2000000, "CLONE_NEWCGROUP" }, { 0x4000000, "CLONE_NEWUTS" }, { 0x8000000, "CLONE_NEWIPC" },
	{ 0x10000000, "CLONE_NEWUSER" }, { 0x20000000, "CLONE_NEWPID" }, { 0x40000000, "CLONE_NEWNET" },
	{ 0x80000000l, "CLONE_IO" },
};

static const struct st_name sock_flags[] = {
	{ 0x80000, "SOCK_CLOEXEC" }, { 0x800, "SOCK_NONBLOCK" },
};

static const struct st_name msg_flags[] = {
	{ 0x1, "MSG_OOB" }, { 0x2, "MSG_PEEK" }, { 0x4, "MSG_DONTROUTE" }, { 0x8, "MSG_CTRUNC" },
	{ 0x10, "MSG_PROBE" }, { 0x20, "MSG_TRUNC" }, { 0x40, "MSG_DONTWAIT" }, { 0x80, "MSG_EOR" },
	{ 0x100, "MSG_WAITALL" }, { 0x200, "MSG_FIN" }, { 0x400, "MSG_SYN" }, { 0x800, "MSG_CONFIRM" },
	{ 0x1000, "MSG_RST" }, { 0x2000, "MSG_ERRQUEUE" }, { 0x4000, "MSG_NOSIGNAL" },
	{ 0x8000, "MSG_MORE" }, { 0x10000, "MSG_WAITFORONE" }, { 0x20000000, "MSG_FASTOPEN" },
	{ 0x4000000, "MSG_ZEROCOPY" }, { 0x40000000, "MSG_CMSG_CLOEXEC" },
};

static const struct st_name mount_flags[] = {
	{ 0x1, "MS_RDONLY" }, { 0x2, "MS_NOSUID" }, { 0x4, "MS_NODEV" }, { 0x8, "MS_NOEXEC" },
	{ 0x10, "MS_SYNCHRONOUS" }, { 0x20, "MS_REMOUNT" }, { 0x40, "MS_MANDLOCK" },
	{ 0x80, "MS_DIRSYNC" }, { 0x400, "MS_NOATIME" }, { 0x800, "MS_NODIRATIME" }, { 0x1000, "MS_BIND" },
	{ 0x2000, "MS_MOVE" }, { 0x4000, "MS_REC" }, { 0x8000, "MS_SILENT" }, { 0x20000, "MS_UNBINDABLE" },
	{ 0x40000, "MS_PRIVATE" }, { 0x80000, "MS_SLAVE" }, { 0x100000, "MS_SHARED" },
	{ 0x200000, "MS_RELATIME" }, { 0x1000000, "MS_STRICTATIME" }, { 0x2000000, "MS_LAZYTIME" },
};

static const struct st_name umount_flags[] = {
	{ 0x1, "MNT_FORCE" }, { 0x2, "MNT_DETACH" }, { 0x4, "MNT_EXPIRE" }, { 0x8, "UMOUNT_NOFOLLOW" },
};

static const struct st_name inotify_flags[] = {
	{ 0xfff, "IN_ALL_EVENTS" }, { 0x1, "IN_ACCESS" }, { 0x2, "IN_MODIFY" }, { 0x4, "IN_ATTRIB" },
	{ 0x8, "IN_CLOSE_WRITE" }, { 0x10, "IN_CLOSE_NOWRITE" }, { 0x20, "IN_OPEN" },
	{ 0x40, "IN_MOVED_FROM" }, { 0x80, "IN_MOVED_TO" }, { 0x100, "IN_CREATE" }, { 0x200, "IN_DELETE" },
	{ 0x400, "IN_DELETE_SELF" }, { 0x800, "IN_MOVE_SELF" }, { 0x1000000, "IN_ONLYDIR" },
	{ 0x2000000, "IN_DONT_FOLLOW" }, { 0x4000000, "IN_EXCL_UNLINK" }, { 0x20000000, "IN_MASK_ADD" },
	{ 0x40000000, "IN_ISDIR" }, { 0x80000000l, "IN_ONESHOT" },
};

static const struct st_name wait_flags[] = {
	{ 0x1, "WNOHANG" }, { 0x2, "WUNTRACED" }, { 0x4, "WEXITED" }, { 0x8, "WCONTINUED" },
	{ 0x1000000, "WNOWAIT" }, { 0x20000000, "__WNOTHREAD" }, { 0x40000000, "__WALL" },
	{ 0x80000000l, "__WCLONE" },
};

static const struct st_name mremap_flags[] = {
	{ 0x1, "MREMAP_MAYMOVE" }, { 0x2, "MREMAP_FIXED" }, { 0x4, "MREMAP_DONTUNMAP" },
};

static const struct st_name msync_flags[] = {
	{ 0x1, "MS_ASYNC" }, { 0x2, "MS_INVALIDATE" }, { 0x4, "MS_SYNC" },
};

static const struct st_name mlockall_flags[] = {
	{ 0x1, "MCL_CURRENT" }, { 0x2, "MCL_FUTURE" }, { 0x4, "MCL_ONFAULT" },
};

static const struct st_name fallocate_flags[] = {
	{ 0x1, "FALLOC_FL_KEEP_SIZE" }, { 0x2, "FALLOC_FL_PUNCH_HOLE" },
	{ 0x4, "FALLOC_FL_NO_HIDE_STALE" }, { 0x8, "FALLOC_FL_COLLAPSE_RANGE" },
	{ 0x10, "FALLOC_FL_ZERO_RANGE" }, { 0x20, "FALLOC_FL_INSERT_RANGE" },
	{ 0x40, "FALLOC_FL_UNSHARE_RANGE" },
};

static const struct st_name splice_flags[] = {
	{ 0x1, "SPLICE_F_MOVE" }, { 0x2, "SPLICE_F_NONBLOCK" }, { 0x4, "SPLICE_F_MORE" },
	{ 0x8, "SPLICE_F_GIFT" },
};

static const struct st_name flock_flags[] = {
	{ 0x1, "LOCK_SH" }, { 0x2, "LOCK_EX" }, { 0x8, "LOCK_UN" }, { 0x4, "LOCK_NB" },
	{ 0x20, "LOCK_MAND" }, { 0x40, "LOCK_READ" }, { 0x80, "LOCK_WRITE" },
};

static const struct st_name ipc_flags[] = {
	{ 0x200, "IPC_CREAT" }, { 0x400, "IPC_EXCL" }, { 0x800, "IPC_NOWAIT" },
};

static const struct st_name random_flags[] = {
	{ 0x1, "GRND_NONBLOCK" }, { 0x2, "GRND_RANDOM" }, { 0x4, "GRND_INSECURE" },
};

static const struct st_name memfd_flags[] = {
	{ 0x1, "MFD_CLOEXEC" }, { 0x2, "MFD_ALLOW_SEALING" }, { 0x4, "MFD_HUGETLB" },
	{ 0x8, "MFD_NOEXEC_SEAL" }, { 0x10, "MFD_EXEC" },
};

static const struct st_name rename_flags[] = {
	{ 0x1, "RENAME_NOREPLACE" }, { 0x2, "RENAME_EXCHANGE" }, { 0x4, "RENAME_WHITEOUT" },
};

static const struct st_name sync_range_flags[] = {
	{ 0x1, "SYNC_FILE_RANGE_WAIT_BEFORE" }, { 0x2, "SYNC_FILE_RANGE_WRITE" },
	{ 0x4, "SYNC_FILE_RANGE_WAIT_AFTER" },
};

static const struct st_name xattr_flags[] = {
	{ 0x1, "XATTR_CREATE" }, { 0x2, "XATTR_REPLACE" },
};

static const struct st_name sigaction_flags[] = {
	{ 0x1, "SA_NOCLDSTOP" }, { 0x2, "SA_NOCLDWAIT" }, { 0x4, "SA_SIGINFO" },
	{ 0x8000000, "SA_ONSTACK" }, { 0x10000000, "SA_RESTART" }, { 0x40000000, "SA_NODEFER" },
	{ 0x80000000l, "SA_RESETHAND" }, { 0x4000000, "SA_RESTORER" },
};

static const struct st_name whence_names[] = {
	{ 0, "SEEK_SET" }, { 1, "SEEK_CUR" }, { 2, "SEEK_END" }, { 3, "SEEK_DATA" }, { 4, "SEEK_HOLE" },
};

static const struct st_name sigmask_names[] = {
	{ 0, "SIG_BLOCK" }, { 1, "SIG_UNBLOCK" }, { 2, "SIG_SETMASK" },
};

static const struct st_name clock_names[] = {
	{ 0, "CLOCK_REALTIME" }, { 1, "CLOCK_MONOTONIC" }, { 2, "CLOCK_PROCESS_CPUTIME_ID" },
	{ 3, "CLOCK_THREAD_CPUTIME_ID" }, { 4, "CLOCK_MONOTONIC_RAW" }, { 5, "CLOCK_REALTIME_COARSE" },
	{ 6, "CLOCK_MONOTONIC_COARSE" }, { 7, "CLOCK_BOOTTIME" }, { 8, "CLOCK_REALTIME_ALARM" },
	{ 9, "CLOCK_BOOTTIME_ALARM" }, { 11, "CLOCK_TAI" },
};

static const struct st_name itimer_names[] = {
	{ 0, "ITIMER_REAL" }, { 1, "ITIMER_VIRTUAL" }, { 2, "ITIMER_PROF" },
};

static const struct st_name rlimit_names[] = {
	{ 0, "RLIMIT_CPU" }, { 1, "RLIMIT_FSIZE" }, { 2, "RLIMIT_DATA" }, { 3, "RLIMIT_STACK" },
	{ 4, "RLIMIT_CORE" }, { 5, "RLIMIT_RSS" }, { 6, "RLIMIT_NPROC" }, { 7, "RLIMIT_NOFILE" },
	{ 8, "RLIMIT_MEMLOCK" }, { 9, "RLIMIT_AS" }, { 10, "RLIMIT_LOCKS" }, { 11, "RLIMIT_SIGPENDING" },
	{ 12, "RLIMIT_MSGQUEUE" }, { 13, "RLIMIT_NICE" }, { 14, "RLIMIT_RTPRIO" }, { 15, "RLIMIT_RTTIME" },
};

static const struct st_name rusage_names[] = {
	{ 0, "RUSAGE_SELF" }, { -1, "RUSAGE_CHILDREN" }, { 1, "RUSAGE_THREAD" },
};

static const struct st_name sched_names[] = {
	{ 0, "SCHED_NORMAL" }, { 1, "SCHED_FIFO" }, { 2, "SCHED_RR" }, { 3, "SCHED_BATCH" },
	{ 5, "SCHED_IDLE" }, { 6, "SCHED_DEADLINE" },
};

static const struct st_name family_names[] = {
	{ 0, "AF_UNSPEC" }, { 1, "AF_UNIX" }, { 2, "AF_INET" }, { 3, "AF_AX25" }, { 4, "AF_IPX" },
	{ 5, "AF_APPLETALK" }, { 6, "AF_NETROM" }, { 7, "AF_BRIDGE" }, { 8, "AF_ATMPVC" }, { 9, "AF_X25" },
	{ 10, "AF_INET6" }, { 11, "AF_ROSE" }, { 12, "AF_DECnet" }, { 15, "AF_KEY" }, { 16, "AF_NETLINK" },
	{ 17, "AF_PACKET" }, { 20, "AF_ATMSVC" }, { 21, "AF_RDS" }, { 23, "AF_IRDA" }, { 24, "AF_PPPOX" },
	{ 26, "AF_LLC" }, { 27, "AF_IB" }, { 29, "AF_CAN" }, { 30, "AF_TIPC" }, { 31, "AF_BLUETOOTH" },
	{ 32, "AF_IUCV" }, { 33, "AF_RXRPC" }, { 34, "AF_ISDN" }, { 35, "AF_PHONET" }, { 37, "AF_CAIF" },
	{ 38, "AF_ALG" }, { 39, "AF_NFC" }, { 40, "AF_VSOCK" }, { 41, "AF_KCM" }, { 42, "AF_QIPCRTR" },
	{ 43, "AF_SMC" }, { 44, "AF_XDP" },
};

static const struct st_name socktype_names[] = {
	{ 1, "SOCK_STREAM" }, { 2, "SOCK_DGRAM" }, { 3, "SOCK_RAW" }, { 4, "SOCK_RDM" },
	{ 5, "SOCK_SEQPACKET" }, { 6, "SOCK_DCCP" },
};

static const struct st_name shutdown_names[] = {
	{ 0, "SHUT_RD" }, { 1, "SHUT_WR" }, { 2, "SHUT_RDWR" },
};

static const struct st_name level_names[] = {
	{ 0, "SOL_IP" }, { 1, "SOL_SOCKET" }, { 6, "SOL_TCP" }, { 17, "SOL_UDP" }, { 41, "SOL_IPV6" },
	{ 255, "SOL_RAW" }, { 263, "SOL_PACKET" }, { 270, "SOL_NETLINK" },
};

static const struct st_name sockopt_names[] = {
	{ 1, "SO_DEBUG" }, { 2, "SO_REUSEADDR" }, { 3, "SO_TYPE" }, { 4, "SO_ERROR" },
	{ 5, "SO_DONTROUTE" }, { 6, "SO_BROADCAST" }, { 7, "SO_SNDBUF" }, { 8, "SO_RCVBUF" },
	{ 32, "SO_SNDBUFFORCE" }, { 33, "SO_RCVBUFFORCE" }, { 9, "SO_KEEPALIVE" }, { 10, "SO_OOBINLINE" },
	{ 11, "SO_NO_CHECK" }, { 12, "SO_PRIORITY" }, { 13, "SO_LINGER" }, { 14, "SO_BSDCOMPAT" },
	{ 15, "SO_REUSEPORT" }, { 16, "SO_PASSCRED" }, { 17, "SO_PEERCRED" }, { 18, "SO_RCVLOWAT" },
	{ 19, "SO_SNDLOWAT" }, { 25, "SO_BINDTODEVICE" }, { 26, "SO_ATTACH_FILTER" },
	{ 27, "SO_DETACH_FILTER" }, { 28, "SO_PEERNAME" }, { 30, "SO_ACCEPTCONN" }, { 31, "SO_PEERSEC" },
	{ 36, "SO_MARK" }, { 38, "SO_PROTOCOL" }, { 39, "SO_DOMAIN" },
};

static const struct st_name fcntl_names[] = {
	{ 0, "F_DUPFD" }, { 1, "F_GETFD" }, { 2, "F_SETFD" }, { 3, "F_GETFL" }, { 4, "F_SETFL" },
	{ 5, "F_GETLK" }, { 6, "F_SETLK" }, { 7, "F_SETLKW" }, { 8, "F_SETOWN" }, { 9, "F_GETOWN" },
	{ 10, "F_SETSIG" }, { 11, "F_GETSIG" }, { 15, "F_SETOWN_EX" }, { 16, "F_GETOWN_EX" },
	{ 36, "F_OFD_GETLK" }, { 37, "F_OFD_SETLK" }, { 38, "F_OFD_SETLKW" }, { 1024, "F_SETLEASE" },
	{ 1025, "F_GETLEASE" }, { 1026, "F_NOTIFY" }, { 1030, "F_DUPFD_CLOEXEC" },
	{ 1031, "F_SETPIPE_SZ" }, { 1032, "F_GETPIPE_SZ" }, { 1033, "F_ADD_SEALS" },
	{ 1034, "F_GET_SEALS" },
};

static const struct st_name futex_names[] = {
	{ 0, "FUTEX_WAIT" }, { 1, "FUTEX_WAKE" }, { 2, "FUTEX_FD" }, { 3, "FUTEX_REQUEUE" },
	{ 4, "FUTEX_CMP_REQUEUE" }, { 5, "FUTEX_WAKE_OP" }, { 6, "FUTEX_LOCK_PI" },
	{ 7, "FUTEX_UNLOCK_PI" }, { 8, "FUTEX_TRYLOCK_PI" }, { 9, "FUTEX_WAIT_BITSET" },
	{ 10, "FUTEX_WAKE_BITSET" }, { 11, "FUTEX_WAIT_REQUEUE_PI" }, { 12, "FUTEX_CMP_REQUEUE_PI" },
	{ 13, "FUTEX_LOCK_PI2" },
};

static const struct st_name epoll_names[] = {
	{ 1, "EPOLL_CTL_ADD" }, { 2, "EPOLL_CTL_DEL" }, { 3, "EPOLL_CTL_MOD" },
};

static const struct st_name madvise_names[] = {
	{ 0, "MADV_NORMAL" }, { 1, "MADV_RANDOM" }, { 2, "MADV_SEQUENTIAL" }, { 3, "MADV_WILLNEED" },
	{ 4, "MADV_DONTNEED" }, { 8, "MADV_FREE" }, { 9, "MADV_REMOVE" }, { 10, "MADV_DONTFORK" },
	{ 11, "MADV_DOFORK" }, { 100, "MADV_HWPOISON" }, { 101, "MADV_SOFT_OFFLINE" },
	{ 12, "MADV_MERGEABLE" }, { 13, "MADV_UNMERGEABLE" }, { 14, "MADV_HUGEPAGE" },
	{ 15, "MADV_NOHUGEPAGE" }, { 16, "MADV_DONTDUMP" }, { 17, "MADV_DODUMP" },
	{ 18, "MADV_WIPEONFORK" }, { 19, "MADV_KEEPONFORK" }, { 20, "MADV_COLD" }, { 21, "MADV_PAGEOUT" },
	{ 22, "MADV_POPULATE_READ" }, { 23, "MADV_POPULATE_WRITE" }, { 24, "MADV_DONTNEED_LOCKED" },
	{ 25, "MADV_COLLAPSE" },
};

static const struct st_name fadvise_names[] = {
	{ 0, "POSIX_FADV_NORMAL" }, { 1, "POSIX_FADV_RANDOM" }, { 2, "POSIX_FADV_SEQUENTIAL" },
	{ 3, "POSIX_FADV_WILLNEED" }, { 4, "POSIX_FADV_DONTNEED" }, { 5, "POSIX_FADV_NOREUSE" },
};

static const struct st_name priority_names[] = {
	{ 0, "PRIO_PROCESS" }, { 1, "PRIO_PGRP" }, { 2, "PRIO_USER" },
};

static const struct st_name ipc_cmd_names[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" },
};

static const struct st_name ptrace_names[] = {
	{ 0, "PTRACE_TRACEME" }, { 1, "PTRACE_PEEKTEXT" }, { 2, "PTRACE_PEEKDATA" },
	{ 3, "PTRACE_PEEKUSR" }, { 4, "PTRACE_POKETEXT" }, { 5, "PTRACE_POKEDATA" },
	{ 6, "PTRACE_POKEUSR" }, { 7, "PTRACE_CONT" }, { 8, "PTRACE_KILL" }, { 9, "PTRACE_SINGLESTEP" },
	{ 12, "PTRACE_GETREGS" }, { 13, "PTRACE_SETREGS" }, { 14, "PTRACE_GETFPREGS" },
	{ 15, "PTRACE_SETFPREGS" }, { 16, "PTRACE_ATTACH" }, { 17, "PTRACE_DETACH" },
	{ 24, "PTRACE_SYSCALL" }, { 0x4200, "PTRACE_SETOPTIONS" }, { 0x4201, "PTRACE_GETEVENTMSG" },
	{ 0x4202, "PTRACE_GETSIGINFO" }, { 0x4203, "PTRACE_SETSIGINFO" }, { 0x4204, "PTRACE_GETREGSET" },
	{ 0x4205, "PTRACE_SETREGSET" }, { 0x4206, "PTRACE_SEIZE" }, { 0x4207, "PTRACE_INTERRUPT" },
	{ 0x4208, "PTRACE_LISTEN" }, { 0x4209, "PTRACE_PEEKSIGINFO" },
};

static const struct st_name prctl_names[] = {
	{ 1, "PR_SET_PDEATHSIG" }, { 2, "PR_GET_PDEATHSIG" }, { 3, "PR_GET_DUMPABLE" },
	{ 4, "PR_SET_DUMPABLE" }, { 7, "PR_GET_KEEPCAPS" }, { 8, "PR_SET_KEEPCAPS" },
	{ 15, "PR_SET_NAME" }, { 16, "PR_GET_NAME" }, { 21, "PR_GET_SECCOMP" }, { 22, "PR_SET_SECCOMP" },
	{ 23, "PR_CAPBSET_READ" }, { 24, "PR_CAPBSET_DROP" }, { 27, "PR_GET_SECUREBITS" },
	{ 28, "PR_SET_SECUREBITS" }, { 29, "PR_SET_TIMERSLACK" }, { 30, "PR_GET_TIMERSLACK" },
	{ 35, "PR_SET_MM" }, { 0x59616d61, "PR_SET_PTRACER" }, { 36, "PR_SET_CHILD_SUBREAPER" },
	{ 37, "PR_GET_CHILD_SUBREAPER" }, { 38, "PR_SET_NO_NEW_PRIVS" }, { 39, "PR_GET_NO_NEW_PRIVS" },
	{ 41, "PR_SET_THP_DISABLE" }, { 42, "PR_GET_THP_DISABLE" }, { 47, "PR_CAP_AMBIENT" },
	{ 0x53564d41, "PR_SET_VMA" },
};

static const struct st_name arch_prctl_names[] = {
	{ 0x1001, "ARCH_SET_GS" }, { 0x1002, "ARCH_SET_FS" }, { 0x1003, "ARCH_GET_FS" },
	{ 0x1004, "ARCH_GET_GS" }, { 0x1011, "ARCH_GET_CPUID" }, { 0x1012, "ARCH_SET_CPUID" },
};

static const struct st_name seccomp_names[] = {
	{ 0, "SECCOMP_SET_MODE_STRICT" }, { 1, "SECCOMP_SET_MODE_FILTER" },
	{ 2, "SECCOMP_GET_ACTION_AVAIL" }, { 3, "SECCOMP_GET_NOTIF_SIZES" },
};

static const struct st_name bpf_names[] = {
	{ 0, "BPF_MAP_CREATE" }, { 1, "BPF_MAP_LOOKUP_ELEM" }, { 2, "BPF_MAP_UPDATE_ELEM" },
	{ 3, "BPF_MAP_DELETE_ELEM" }, { 4, "BPF_MAP_GET_NEXT_KEY" }, { 5, "BPF_PROG_LOAD" },
	{ 6, "BPF_OBJ_PIN" }, { 7, "BPF_OBJ_GET" }, { 8, "BPF_PROG_ATTACH" }, { 9, "BPF_PROG_DETACH" },
};

static const struct st_name waitid_names[] = {
	{ 0, "P_ALL" }, { 1, "P_PID" }, { 2, "P_PGID" }, { 3, "P_PIDFD" },
};

static const struct st_name membarrier_names[] = {
	{ 0, "MEMBARRIER_CMD_QUERY" }, { 1, "MEMBARRIER_CMD_GLOBAL" },
	{ 2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED" }, { 4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED" },
	{ 8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED" }, { 16, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED" },
};

static const struct st_name reboot_names[] = {
	{ 0x1234567, "LINUX_REBOOT_CMD_RESTART" }, { 0xcdef0123l, "LINUX_REBOOT_CMD_HALT" },
	{ 0x89abcdefl, "LINUX_REBOOT_CMD_CAD_ON" }, { 0, "LINUX_REBOOT_CMD_CAD_OFF" },
	{ 0x4321fedc, "LINUX_REBOOT_CMD_POWER_OFF" }, { 0xa1b2c3d4l, "LINUX_REBOOT_CMD_RESTART2" },
	{ 0xd000fce2l, "LINUX_REBOOT_CMD_SW_SUSPEND" }, { 0x45584543, "LINUX_REBOOT_CMD_KEXEC" },
};

static const struct st_name sigcode_names[] = {
	{ 0, "SI_USER" }, { 128, "SI_KERNEL" }, { -1, "SI_QUEUE" }, { -2, "SI_TIMER" }, { -3, "SI_MESGQ" },
	{ -4, "SI_ASYNCIO" }, { -5, "SI_SIGIO" }, { -6, "SI_TKILL" }, { -7, "SI_DETHREAD" },
	{ -60, "SI_ASYNCNL" },
};

#define CALL_TABLE(which, table) ST_TABLE((which) - ST_NAMES_KERNEL - 1, table)

const struct st_table_of_names st_call_tables[] = {
	CALL_TABLE(ST_FLAGS_OPEN, open_flags),
	CALL_TABLE(ST_FLAGS_ACCESS, access_flags),
	CALL_TABLE(ST_FLAGS_AT, at_flags),
	CALL_TABLE(ST_FLAGS_PROT, prot_flags),
	CALL_TABLE(ST_FLAGS_MMAP, mmap_flags),
	CALL_TABLE(ST_FLAGS_CLONE, clone_flags),
	CALL_TABLE(ST_FLAGS_SOCK, sock_flags),
	CALL_TABLE(ST_FLAGS_MSG, msg_flags),
	CALL_TABLE(ST_FLAGS_MOUNT, mount_flags),
	CALL_TABLE(ST_FLAGS_UMOUNT, umount_flags),
	CALL_TABLE(ST_FLAGS_INOTIFY, inotify_flags),
	CALL_TABLE(ST_FLAGS_WAIT, wait_flags),
	CALL_TABLE(ST_FLAGS_MREMAP, mremap_flags),
	CALL_TABLE(ST_FLAGS_MSYNC, msync_flags),
	CALL_TABLE(ST_FLAGS_MLOCKALL, mlockall_flags),
	CALL_TABLE(ST_FLAGS_FALLOCATE, fallocate_flags),
	CALL_TABLE(ST_FLAGS_SPLICE, splice_flags),
	CALL_TABLE(ST_FLAGS_FLOCK, flock_flags),
	CALL_TABLE(ST_FLAGS_IPC, ipc_flags),
	CALL_TABLE(ST_FLAGS_RANDOM, random_flags),
	CALL_TABLE(ST_FLAGS_MEMFD, memfd_flags),
	CALL_TABLE(ST_FLAGS_RENAME, rename_flags),
	CALL_TABLE(ST_FLAGS_SYNC_RANGE, sync_range_flags),
	CALL_TABLE(ST_FLAGS_XATTR, xattr_flags),
	CALL_TABLE(ST_FLAGS_SIGACTION, sigaction_flags),
	CALL_TABLE(ST_NAMES_WHENCE, whence_names),
	CALL_TABLE(ST_NAMES_SIGMASK, sigmask_names),
	CALL_TABLE(ST_NAMES_CLOCK, clock_names),
	CALL_TABLE(ST_NAMES_ITIMER, itimer_names),
	CALL_TABLE(ST_NAMES_RLIMIT, rlimit_names),
	CALL_TABLE(ST_NAMES_RUSAGE, rusage_names),
	CALL_TABLE(ST_NAMES_SCHED, sched_names),
	CALL_TABLE(ST_NAMES_FAMILY, family_names),
	CALL_TABLE(ST_NAMES_SOCKTYPE, socktype_names),
	CALL_TABLE(ST_NAMES_SHUTDOWN, shutdown_names),
	CALL_TABLE(ST_NAMES_LEVEL, level_names),
	CALL_TABLE(ST_NAMES_SOCKOPT, sockopt_names),
	CALL_TABLE(ST_NAMES_FCNTL, fcntl_names),
	CALL_TABLE(ST_NAMES_FUTEX, futex_names),
	CALL_TABLE(ST_NAMES_EPOLL, epoll_names),
	CALL_TABLE(ST_NAMES_MADVISE, madvise_names),
	CALL_TABLE(ST_NAMES_FADVISE, fadvise_names),
	CALL_TABLE(ST_NAMES_PRIORITY, priority_names),
	CALL_TABLE(ST_NAMES_IPC_CMD, ipc_cmd_names),
	CALL_TABLE(ST_NAMES_PTRACE, ptrace_names),
	CALL_TABLE(ST_NAMES_PRCTL, prctl_names),
	CALL_TABLE(ST_NAMES_ARCH_PRCTL, arch_prctl_names),
	CALL_TABLE(ST_NAMES_SECCOMP, seccomp_names),
	CALL_TABLE(ST_NAMES_BPF, bpf_names),
	CALL_TABLE(ST_NAMES_WAITID, waitid_names),
	CALL_TABLE(ST_NAMES_MEMBARRIER, membarrier_names),
	CALL_TABLE(ST_NAMES_REBOOT, reboot_names),
	CALL_TABLE(ST_NAMES_SIGCODE, sigcode_names),
};
