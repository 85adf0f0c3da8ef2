// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Constants by their numbers.  Kernels differ in which headers define these, but not in the
 * numbers, which are an interface to user space.
 */
#include "names.h"

static const struct st_name poll_flags[] = {
	{ 0x1, "POLLIN" }, { 0x2, "POLLPRI" }, { 0x4, "POLLOUT" }, { 0x8, "POLLERR" },
	{ 0x10, "POLLHUP" }, { 0x20, "POLLNVAL" }, { 0x40, "POLLRDNORM" },
	{ 0x80, "POLLRDBAND" }, { 0x100, "POLLWRNORM" }, { 0x200, "POLLWRBAND" },
	{ 0x400, "POLLMSG" }, { 0x2000, "POLLRDHUP" },
};

static const struct st_name epoll_flags[] = {
	{ 0x1, "EPOLLIN" }, { 0x2, "EPOLLPRI" }, { 0x4, "EPOLLOUT" }, { 0x8, "EPOLLERR" },
	{ 0x10, "EPOLLHUP" }, { 0x40, "EPOLLRDNORM" }, { 0x80, "EPOLLRDBAND" },
	{ 0x100, "EPOLLWRNORM" }, { 0x200, "EPOLLWRBAND" }, { 0x400, "EPOLLMSG" },
	{ 0x2000, "EPOLLRDHUP" }, { 1 << 28, "EPOLLEXCLUSIVE" }, { 1 << 29, "EPOLLWAKEUP" },
	{ 1 << 30, "EPOLLONESHOT" }, { 1l << 31, "EPOLLET" },
};

static const struct st_name statx_flags[] = {
	{ 0x7ff, "STATX_BASIC_STATS" }, { 0x1, "STATX_TYPE" }, { 0x2, "STATX_MODE" },
	{ 0x4, "STATX_NLINK" }, { 0x8, "STATX_UID" }, { 0x10, "STATX_GID" },
	{ 0x20, "STATX_ATIME" }, { 0x40, "STATX_MTIME" }, { 0x80, "STATX_CTIME" },
	{ 0x100, "STATX_INO" }, { 0x200, "STATX_SIZE" }, { 0x400, "STATX_BLOCKS" },
	{ 0x800, "STATX_BTIME" }, { 0x1000, "STATX_MNT_ID" }, { 0x2000, "STATX_DIOALIGN" },
	{ 0x4000, "STATX_MNT_ID_UNIQUE" }, { 0x8000, "STATX_SUBVOL" },
	{ 0x10000, "STATX_WRITE_ATOMIC" }, { 0x20000, "STATX_DIO_READ_ALIGN" },
};

static const struct st_name fanotify_init_flags[] = {
	{ 0x1, "FAN_CLOEXEC" }, { 0x2, "FAN_NONBLOCK" }, { 0x4, "FAN_CLASS_CONTENT" },
	{ 0x8, "FAN_CLASS_PRE_CONTENT" }, { 0x10, "FAN_UNLIMITED_QUEUE" },
	{ 0x20, "FAN_UNLIMITED_MARKS" }, { 0x40, "FAN_ENABLE_AUDIT" },
	{ 0x80, "FAN_REPORT_PIDFD" }, { 0x100, "FAN_REPORT_TID" }, { 0x200, "FAN_REPORT_FID" },
	{ 0x400, "FAN_REPORT_DIR_FID" }, { 0x800, "FAN_REPORT_NAME" },
	{ 0x1000, "FAN_REPORT_TARGET_FID" }, { 0x2000, "FAN_REPORT_FD_ERROR" },
	{ 0x4000, "FAN_REPORT_MNT" },
};

static const struct st_name fanotify_mark_flags[] = {
	{ 0x1, "FAN_MARK_ADD" }, { 0x2, "FAN_MARK_REMOVE" }, { 0x4, "FAN_MARK_DONT_FOLLOW" },
	{ 0x8, "FAN_MARK_ONLYDIR" }, { 0x10, "FAN_MARK_MOUNT" },
	{ 0x20, "FAN_MARK_IGNORED_MASK" }, { 0x40, "FAN_MARK_IGNORED_SURV_MODIFY" },
	{ 0x80, "FAN_MARK_FLUSH" }, { 0x100, "FAN_MARK_FILESYSTEM" },
	{ 0x200, "FAN_MARK_EVICTABLE" }, { 0x400, "FAN_MARK_IGNORE" },
};

static const struct st_name fanotify_events[] = {
	{ 0x1, "FAN_ACCESS" }, { 0x2, "FAN_MODIFY" }, { 0x4, "FAN_ATTRIB" },
	{ 0x8, "FAN_CLOSE_WRITE" }, { 0x10, "FAN_CLOSE_NOWRITE" }, { 0x20, "FAN_OPEN" },
	{ 0x40, "FAN_MOVED_FROM" }, { 0x80, "FAN_MOVED_TO" }, { 0x100, "FAN_CREATE" },
	{ 0x200, "FAN_DELETE" }, { 0x400, "FAN_DELETE_SELF" }, { 0x800, "FAN_MOVE_SELF" },
	{ 0x1000, "FAN_OPEN_EXEC" }, { 0x4000, "FAN_Q_OVERFLOW" }, { 0x8000, "FAN_FS_ERROR" },
	{ 0x10000, "FAN_OPEN_PERM" }, { 0x20000, "FAN_ACCESS_PERM" },
	{ 0x40000, "FAN_OPEN_EXEC_PERM" }, { 0x100000, "FAN_PRE_ACCESS" },
	{ 0x8000000, "FAN_EVENT_ON_CHILD" }, { 0x10000000, "FAN_RENAME" },
	{ 0x40000000, "FAN_ONDIR" },
};

static const struct st_name module_init_flags[] = {
	{ 1, "MODULE_INIT_IGNORE_MODVERSIONS" }, { 2, "MODULE_INIT_IGNORE_VERMAGIC" },
	{ 4, "MODULE_INIT_COMPRESSED_FILE" },
};

static const struct st_name kexec_flags[] = {
	{ 1, "KEXEC_ON_CRASH" }, { 2, "KEXEC_PRESERVE_CONTEXT" }, { 4, "KEXEC_UPDATE_ELFCOREHDR" },
};

static const struct st_name kexec_file_flags[] = {
	{ 1, "KEXEC_FILE_UNLOAD" }, { 2, "KEXEC_FILE_ON_CRASH" }, { 4, "KEXEC_FILE_NO_INITRAMFS" },
	{ 8, "KEXEC_FILE_DEBUG" },
};

static const struct st_name mlock_flags[] = {
	{ 1, "MLOCK_ONFAULT" },
};

static const struct st_name mpol_names[] = {
	{ 0, "MPOL_DEFAULT" }, { 1, "MPOL_PREFERRED" }, { 2, "MPOL_BIND" },
	{ 3, "MPOL_INTERLEAVE" }, { 4, "MPOL_LOCAL" }, { 5, "MPOL_PREFERRED_MANY" },
	{ 6, "MPOL_WEIGHTED_INTERLEAVE" },
};

static const struct st_name mpol_flags[] = {
	{ 1 << 13, "MPOL_F_NUMA_BALANCING" }, { 1 << 14, "MPOL_F_RELATIVE_NODES" },
	{ 1 << 15, "MPOL_F_STATIC_NODES" },
};

static const struct st_name mpol_get_flags[] = {
	{ 1, "MPOL_F_NODE" }, { 2, "MPOL_F_ADDR" }, { 4, "MPOL_F_MEMS_ALLOWED" },
};

static const struct st_name mpol_move_flags[] = {
	{ 1, "MPOL_MF_STRICT" }, { 2, "MPOL_MF_MOVE" }, { 4, "MPOL_MF_MOVE_ALL" },
};

static const struct st_name perf_flags[] = {
	{ 1, "PERF_FLAG_FD_NO_GROUP" }, { 2, "PERF_FLAG_FD_OUTPUT" },
	{ 4, "PERF_FLAG_PID_CGROUP" }, { 8, "PERF_FLAG_FD_CLOEXEC" },
};

static const struct st_name pkey_flags[] = {
	{ 1, "PKEY_DISABLE_ACCESS" }, { 2, "PKEY_DISABLE_WRITE" },
};

static const struct st_name rwf_flags[] = {
	{ 1, "RWF_HIPRI" }, { 2, "RWF_DSYNC" }, { 4, "RWF_SYNC" }, { 8, "RWF_NOWAIT" },
	{ 0x10, "RWF_APPEND" }, { 0x20, "RWF_NOAPPEND" }, { 0x40, "RWF_ATOMIC" },
	{ 0x80, "RWF_DONTCACHE" },
};

static const struct st_name quota_names[] = {
	{ 0x800001, "Q_SYNC" }, { 0x800002, "Q_QUOTAON" }, { 0x800003, "Q_QUOTAOFF" },
	{ 0x800004, "Q_GETFMT" }, { 0x800005, "Q_GETINFO" }, { 0x800006, "Q_SETINFO" },
	{ 0x800007, "Q_GETQUOTA" }, { 0x800008, "Q_SETQUOTA" }, { 0x800009, "Q_GETNEXTQUOTA" },
	{ 0x5801, "Q_XQUOTAON" }, { 0x5802, "Q_XQUOTAOFF" }, { 0x5803, "Q_XGETQUOTA" },
	{ 0x5804, "Q_XSETQLIM" }, { 0x5805, "Q_XGETQSTAT" }, { 0x5806, "Q_XQUOTARM" },
	{ 0x5807, "Q_XQUOTASYNC" }, { 0x5808, "Q_XGETQSTATV" }, { 0x5809, "Q_XGETNEXTQUOTA" },
};

static const struct st_name quota_type_names[] = {
	{ 0, "USRQUOTA" }, { 1, "GRPQUOTA" }, { 2, "PRJQUOTA" },
};

static const struct st_name seccomp_flags[] = {
	{ 0x1, "SECCOMP_FILTER_FLAG_TSYNC" }, { 0x2, "SECCOMP_FILTER_FLAG_LOG" },
	{ 0x4, "SECCOMP_FILTER_FLAG_SPEC_ALLOW" }, { 0x8, "SECCOMP_FILTER_FLAG_NEW_LISTENER" },
	{ 0x10, "SECCOMP_FILTER_FLAG_TSYNC_ESRCH" },
	{ 0x20, "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV" },
};

static const struct st_name shmat_flags[] = {
	{ 010000, "SHM_RDONLY" }, { 020000, "SHM_RND" }, { 040000, "SHM_REMAP" },
	{ 0100000, "SHM_EXEC" },
};

static const struct st_name swap_flags[] = {
	{ 0x8000, "SWAP_FLAG_PREFER" }, { 0x10000, "SWAP_FLAG_DISCARD" },
	{ 0x20000, "SWAP_FLAG_DISCARD_ONCE" }, { 0x40000, "SWAP_FLAG_DISCARD_PAGES" },
};

static const struct st_name timer_flags[] = {
	{ 1, "TIMER_ABSTIME" },
};

static const struct st_name timerfd_flags[] = {
	{ 1, "TFD_TIMER_ABSTIME" }, { 2, "TFD_TIMER_CANCEL_ON_SET" },
	{ 04000, "TFD_NONBLOCK" }, { 02000000, "TFD_CLOEXEC" },
};

static const struct st_name eventfd_flags[] = {
	{ 1, "EFD_SEMAPHORE" }, { 04000, "EFD_NONBLOCK" }, { 02000000, "EFD_CLOEXEC" },
};

static const struct st_name signalfd_flags[] = {
	{ 04000, "SFD_NONBLOCK" }, { 02000000, "SFD_CLOEXEC" },
};

static const struct st_name epoll_create_flags[] = {
	{ 02000000, "EPOLL_CLOEXEC" },
};

static const struct st_name inotify_init_flags[] = {
	{ 04000, "IN_NONBLOCK" }, { 02000000, "IN_CLOEXEC" },
};

static const struct st_name close_range_flags[] = {
	{ 2, "CLOSE_RANGE_UNSHARE" }, { 4, "CLOSE_RANGE_CLOEXEC" },
};

static const struct st_name uring_enter_flags[] = {
	{ 1, "IORING_ENTER_GETEVENTS" }, { 2, "IORING_ENTER_SQ_WAKEUP" },
	{ 4, "IORING_ENTER_SQ_WAIT" }, { 8, "IORING_ENTER_EXT_ARG" },
	{ 0x10, "IORING_ENTER_REGISTERED_RING" }, { 0x20, "IORING_ENTER_ABS_TIMER" },
	{ 0x40, "IORING_ENTER_EXT_ARG_REG" },
};

static const struct st_name mount_attr_flags[] = {
	{ 0x1, "MOUNT_ATTR_RDONLY" }, { 0x2, "MOUNT_ATTR_NOSUID" }, { 0x4, "MOUNT_ATTR_NODEV" },
	{ 0x8, "MOUNT_ATTR_NOEXEC" }, { 0x10, "MOUNT_ATTR_NOATIME" },
	{ 0x20, "MOUNT_ATTR_STRICTATIME" }, { 0x80, "MOUNT_ATTR_NODIRATIME" },
	{ 0x100000, "MOUNT_ATTR_IDMAP" }, { 0x200000, "MOUNT_ATTR_NOSYMFOLLOW" },
};

static const struct st_name namespace_flags[] = {
	{ 0x80, "CLONE_NEWTIME" }, { 0x100, "CLONE_VM" }, { 0x200, "CLONE_FS" },
	{ 0x400, "CLONE_FILES" }, { 0x800, "CLONE_SIGHAND" }, { 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" }, { 0x40000, "CLONE_SYSVSEM" },
	{ 0x2000000, "CLONE_NEWCGROUP" }, { 0x4000000, "CLONE_NEWUTS" },
	{ 0x8000000, "CLONE_NEWIPC" }, { 0x10000000, "CLONE_NEWUSER" },
	{ 0x20000000, "CLONE_NEWPID" }, { 0x40000000, "CLONE_NEWNET" },
};

static const struct st_name file_type_names[] = {
	{ 0, "0" }, { 0010000, "S_IFIFO" }, { 0020000, "S_IFCHR" }, { 0040000, "S_IFDIR" },
	{ 0060000, "S_IFBLK" }, { 0100000, "S_IFREG" }, { 0120000, "S_IFLNK" },
	{ 0140000, "S_IFSOCK" },
};

static const struct st_name protocol_names[] = {
	{ 0, "IPPROTO_IP" }, { 1, "IPPROTO_ICMP" }, { 2, "IPPROTO_IGMP" }, { 4, "IPPROTO_IPIP" },
	{ 6, "IPPROTO_TCP" }, { 17, "IPPROTO_UDP" }, { 33, "IPPROTO_DCCP" },
	{ 41, "IPPROTO_IPV6" }, { 47, "IPPROTO_GRE" }, { 50, "IPPROTO_ESP" },
	{ 51, "IPPROTO_AH" }, { 58, "IPPROTO_ICMPV6" }, { 132, "IPPROTO_SCTP" },
	{ 136, "IPPROTO_UDPLITE" }, { 255, "IPPROTO_RAW" }, { 262, "IPPROTO_MPTCP" },
};

static const struct st_name tcp_option_names[] = {
	{ 1, "TCP_NODELAY" }, { 2, "TCP_MAXSEG" }, { 3, "TCP_CORK" }, { 4, "TCP_KEEPIDLE" },
	{ 5, "TCP_KEEPINTVL" }, { 6, "TCP_KEEPCNT" }, { 7, "TCP_SYNCNT" }, { 8, "TCP_LINGER2" },
	{ 9, "TCP_DEFER_ACCEPT" }, { 10, "TCP_WINDOW_CLAMP" }, { 11, "TCP_INFO" },
	{ 12, "TCP_QUICKACK" }, { 13, "TCP_CONGESTION" }, { 14, "TCP_MD5SIG" },
	{ 16, "TCP_THIN_LINEAR_TIMEOUTS" }, { 17, "TCP_THIN_DUPACK" },
	{ 18, "TCP_USER_TIMEOUT" }, { 19, "TCP_REPAIR" }, { 20, "TCP_REPAIR_QUEUE" },
	{ 21, "TCP_QUEUE_SEQ" }, { 22, "TCP_REPAIR_OPTIONS" }, { 23, "TCP_FASTOPEN" },
	{ 24, "TCP_TIMESTAMP" }, { 25, "TCP_NOTSENT_LOWAT" }, { 26, "TCP_CC_INFO" },
	{ 27, "TCP_SAVE_SYN" }, { 28, "TCP_SAVED_SYN" }, { 29, "TCP_REPAIR_WINDOW" },
	{ 30, "TCP_FASTOPEN_CONNECT" }, { 31, "TCP_ULP" }, { 35, "TCP_ZEROCOPY_RECEIVE" },
	{ 36, "TCP_INQ" }, { 37, "TCP_TX_DELAY" },
};

static const struct st_name ip_option_names[] = {
	{ 1, "IP_TOS" }, { 2, "IP_TTL" }, { 3, "IP_HDRINCL" }, { 4, "IP_OPTIONS" },
	{ 5, "IP_ROUTER_ALERT" }, { 6, "IP_RECVOPTS" }, { 7, "IP_RETOPTS" },
	{ 8, "IP_PKTINFO" }, { 10, "IP_MTU_DISCOVER" }, { 11, "IP_RECVERR" },
	{ 12, "IP_RECVTTL" }, { 13, "IP_RECVTOS" }, { 14, "IP_MTU" }, { 15, "IP_FREEBIND" },
	{ 19, "IP_TRANSPARENT" }, { 20, "IP_RECVORIGDSTADDR" }, { 24, "IP_BIND_ADDRESS_NO_PORT" },
	{ 32, "IP_MULTICAST_IF" }, { 33, "IP_MULTICAST_TTL" }, { 34, "IP_MULTICAST_LOOP" },
	{ 35, "IP_ADD_MEMBERSHIP" }, { 36, "IP_DROP_MEMBERSHIP" },
};

static const struct st_name ipv6_option_names[] = {
	{ 16, "IPV6_UNICAST_HOPS" }, { 17, "IPV6_MULTICAST_IF" }, { 18, "IPV6_MULTICAST_HOPS" },
	{ 19, "IPV6_MULTICAST_LOOP" }, { 20, "IPV6_ADD_MEMBERSHIP" },
	{ 21, "IPV6_DROP_MEMBERSHIP" }, { 23, "IPV6_MTU_DISCOVER" }, { 24, "IPV6_MTU" },
	{ 25, "IPV6_RECVERR" }, { 26, "IPV6_V6ONLY" }, { 49, "IPV6_RECVPKTINFO" },
	{ 50, "IPV6_PKTINFO" }, { 51, "IPV6_RECVHOPLIMIT" }, { 66, "IPV6_RECVTCLASS" },
	{ 67, "IPV6_TCLASS" }, { 75, "IPV6_TRANSPARENT" }, { 78, "IPV6_FREEBIND" },
};

static const struct st_name reboot_magic_names[] = {
	{ 0xfee1dead, "LINUX_REBOOT_MAGIC1" }, { 672274793, "LINUX_REBOOT_MAGIC2" },
	{ 85072278, "LINUX_REBOOT_MAGIC2A" }, { 369367448, "LINUX_REBOOT_MAGIC2B" },
	{ 537993216, "LINUX_REBOOT_MAGIC2C" },
};

static const struct st_name kcmp_names[] = {
	{ 0, "KCMP_FILE" }, { 1, "KCMP_VM" }, { 2, "KCMP_FILES" }, { 3, "KCMP_FS" },
	{ 4, "KCMP_SIGHAND" }, { 5, "KCMP_IO" }, { 6, "KCMP_SYSVSEM" }, { 7, "KCMP_EPOLL_TFD" },
};

static const struct st_name ioprio_who_names[] = {
	{ 1, "IOPRIO_WHO_PROCESS" }, { 2, "IOPRIO_WHO_PGRP" }, { 3, "IOPRIO_WHO_USER" },
};

static const struct st_name ioprio_class_names[] = {
	{ 0, "IOPRIO_CLASS_NONE" }, { 1, "IOPRIO_CLASS_RT" }, { 2, "IOPRIO_CLASS_BE" },
	{ 3, "IOPRIO_CLASS_IDLE" },
};

static const struct st_name keyctl_names[] = {
	{ 0, "KEYCTL_GET_KEYRING_ID" }, { 1, "KEYCTL_JOIN_SESSION_KEYRING" },
	{ 2, "KEYCTL_UPDATE" }, { 3, "KEYCTL_REVOKE" }, { 4, "KEYCTL_CHOWN" },
	{ 5, "KEYCTL_SETPERM" }, { 6, "KEYCTL_DESCRIBE" }, { 7, "KEYCTL_CLEAR" },
	{ 8, "KEYCTL_LINK" }, { 9, "KEYCTL_UNLINK" }, { 10, "KEYCTL_SEARCH" },
	{ 11, "KEYCTL_READ" }, { 12, "KEYCTL_INSTANTIATE" }, { 13, "KEYCTL_NEGATE" },
	{ 14, "KEYCTL_SET_REQKEY_KEYRING" }, { 15, "KEYCTL_SET_TIMEOUT" },
	{ 16, "KEYCTL_ASSUME_AUTHORITY" }, { 17, "KEYCTL_GET_SECURITY" },
	{ 18, "KEYCTL_SESSION_TO_PARENT" }, { 19, "KEYCTL_REJECT" },
	{ 20, "KEYCTL_INSTANTIATE_IOV" }, { 21, "KEYCTL_INVALIDATE" },
	{ 22, "KEYCTL_GET_PERSISTENT" }, { 23, "KEYCTL_DH_COMPUTE" },
	{ 24, "KEYCTL_PKEY_QUERY" }, { 25, "KEYCTL_PKEY_ENCRYPT" },
	{ 26, "KEYCTL_PKEY_DECRYPT" }, { 27, "KEYCTL_PKEY_SIGN" }, { 28, "KEYCTL_PKEY_VERIFY" },
	{ 29, "KEYCTL_RESTRICT_KEYRING" }, { 30, "KEYCTL_MOVE" },
	{ 31, "KEYCTL_CAPABILITIES" }, { 32, "KEYCTL_WATCH_KEY" },
};

static const struct st_name key_names[] = {
	{ -1, "KEY_SPEC_THREAD_KEYRING" }, { -2, "KEY_SPEC_PROCESS_KEYRING" },
	{ -3, "KEY_SPEC_SESSION_KEYRING" }, { -4, "KEY_SPEC_USER_KEYRING" },
	{ -5, "KEY_SPEC_USER_SESSION_KEYRING" }, { -6, "KEY_SPEC_GROUP_KEYRING" },
	{ -7, "KEY_SPEC_REQKEY_AUTH_KEY" }, { -8, "KEY_SPEC_REQUESTOR_KEYRING" },
};

static const struct st_name syslog_names[] = {
	{ 0, "SYSLOG_ACTION_CLOSE" }, { 1, "SYSLOG_ACTION_OPEN" }, { 2, "SYSLOG_ACTION_READ" },
	{ 3, "SYSLOG_ACTION_READ_ALL" }, { 4, "SYSLOG_ACTION_READ_CLEAR" },
	{ 5, "SYSLOG_ACTION_CLEAR" }, { 6, "SYSLOG_ACTION_CONSOLE_OFF" },
	{ 7, "SYSLOG_ACTION_CONSOLE_ON" }, { 8, "SYSLOG_ACTION_CONSOLE_LEVEL" },
	{ 9, "SYSLOG_ACTION_SIZE_UNREAD" }, { 10, "SYSLOG_ACTION_SIZE_BUFFER" },
};

static const struct st_name socketcall_names[] = {
	{ 1, "SYS_SOCKET" }, { 2, "SYS_BIND" }, { 3, "SYS_CONNECT" }, { 4, "SYS_LISTEN" },
	{ 5, "SYS_ACCEPT" }, { 6, "SYS_GETSOCKNAME" }, { 7, "SYS_GETPEERNAME" },
	{ 8, "SYS_SOCKETPAIR" }, { 9, "SYS_SEND" }, { 10, "SYS_RECV" }, { 11, "SYS_SENDTO" },
	{ 12, "SYS_RECVFROM" }, { 13, "SYS_SHUTDOWN" }, { 14, "SYS_SETSOCKOPT" },
	{ 15, "SYS_GETSOCKOPT" }, { 16, "SYS_SENDMSG" }, { 17, "SYS_RECVMSG" },
	{ 18, "SYS_ACCEPT4" }, { 19, "SYS_RECVMMSG" }, { 20, "SYS_SENDMMSG" },
};

static const struct st_name ipc_names[] = {
	{ 1, "SEMOP" }, { 2, "SEMGET" }, { 3, "SEMCTL" }, { 4, "SEMTIMEDOP" }, { 11, "MSGSND" },
	{ 12, "MSGRCV" }, { 13, "MSGGET" }, { 14, "MSGCTL" }, { 21, "SHMAT" }, { 22, "SHMDT" },
	{ 23, "SHMGET" }, { 24, "SHMCTL" },
};

static const struct st_name sem_cmd_names[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" },
	{ 11, "GETPID" }, { 12, "GETVAL" }, { 13, "GETALL" }, { 14, "GETNCNT" },
	{ 15, "GETZCNT" }, { 16, "SETVAL" }, { 17, "SETALL" }, { 18, "SEM_STAT" },
	{ 19, "SEM_INFO" }, { 20, "SEM_STAT_ANY" },
};

static const struct st_name ioctl_names[] = {
	{ 0x5401, "TCGETS" }, { 0x5402, "TCSETS" }, { 0x5403, "TCSETSW" }, { 0x5404, "TCSETSF" },
	{ 0x5405, "TCGETA" }, { 0x5406, "TCSETA" }, { 0x5407, "TCSETAW" }, { 0x5408, "TCSETAF" },
	{ 0x5409, "TCSBRK" }, { 0x540a, "TCXONC" }, { 0x540b, "TCFLSH" }, { 0x540c, "TIOCEXCL" },
	{ 0x540d, "TIOCNXCL" }, { 0x540e, "TIOCSCTTY" }, { 0x540f, "TIOCGPGRP" },
	{ 0x5410, "TIOCSPGRP" }, { 0x5411, "TIOCOUTQ" }, { 0x5412, "TIOCSTI" },
	{ 0x5413, "TIOCGWINSZ" }, { 0x5414, "TIOCSWINSZ" }, { 0x5415, "TIOCMGET" },
	{ 0x5416, "TIOCMBIS" }, { 0x5417, "TIOCMBIC" }, { 0x5418, "TIOCMSET" },
	{ 0x541b, "FIONREAD" }, { 0x541c, "TIOCLINUX" }, { 0x541d, "TIOCCONS" },
	{ 0x5420, "TIOCPKT" }, { 0x5421, "FIONBIO" }, { 0x5422, "TIOCNOTTY" },
	{ 0x5423, "TIOCSETD" }, { 0x5424, "TIOCGETD" }, { 0x5425, "TCSBRKP" },
	{ 0x5427, "TIOCSBRK" }, { 0x5428, "TIOCCBRK" }, { 0x5429, "TIOCGSID" },
	{ 0x80045430, "TIOCGPTN" }, { 0x40045431, "TIOCSPTLCK" }, { 0x5441, "TIOCGPTPEER" },
	{ 0x5450, "FIONCLEX" }, { 0x5451, "FIOCLEX" }, { 0x5452, "FIOASYNC" },
	{ 0x5460, "FIOQSIZE" }, { 0x1, "FIBMAP" }, { 0x2, "FIGETBSZ" },
	{ 0x125d, "BLKROSET" }, { 0x125e, "BLKROGET" }, { 0x125f, "BLKRRPART" },
	{ 0x1260, "BLKGETSIZE" }, { 0x1261, "BLKFLSBUF" }, { 0x1262, "BLKRASET" },
	{ 0x1263, "BLKRAGET" }, { 0x1268, "BLKSSZGET" }, { 0x1277, "BLKDISCARD" },
	{ 0x127b, "BLKPBSZGET" }, { 0x127f, "BLKZEROOUT" }, { 0x80081272, "BLKGETSIZE64" },
	{ 0x80086601, "FS_IOC_GETFLAGS" }, { 0x40086602, "FS_IOC_SETFLAGS" },
	{ 0xc020660b, "FS_IOC_FIEMAP" }, { 0x40049409, "FICLONE" },
	{ 0x4020940d, "FICLONERANGE" }, { 0xc0189436, "FIDEDUPERANGE" },
	{ 0xc0045877, "FIFREEZE" }, { 0xc0045878, "FITHAW" }, { 0xc0185879, "FITRIM" },
	{ 0x8901, "FIOSETOWN" }, { 0x8902, "SIOCSPGRP" }, { 0x8903, "FIOGETOWN" },
	{ 0x8904, "SIOCGPGRP" }, { 0x8905, "SIOCATMARK" }, { 0x8906, "SIOCGSTAMP" },
	{ 0x8910, "SIOCGIFNAME" }, { 0x8912, "SIOCGIFCONF" }, { 0x8913, "SIOCGIFFLAGS" },
	{ 0x8914, "SIOCSIFFLAGS" }, { 0x8915, "SIOCGIFADDR" }, { 0x8916, "SIOCSIFADDR" },
	{ 0x8919, "SIOCGIFBRDADDR" }, { 0x891b, "SIOCGIFNETMASK" }, { 0x8921, "SIOCGIFMTU" },
	{ 0x8922, "SIOCSIFMTU" }, { 0x8927, "SIOCGIFHWADDR" }, { 0x8933, "SIOCGIFINDEX" },
	{ 0x8942, "SIOCGIFTXQLEN" }, { 0x8946, "SIOCETHTOOL" }, { 0x8b01, "SIOCGIWNAME" },
	{ 0x400454ca, "TUNSETIFF" }, { 0x2400, "PERF_EVENT_IOC_ENABLE" },
	{ 0x2401, "PERF_EVENT_IOC_DISABLE" }, { 0x2403, "PERF_EVENT_IOC_RESET" },
	{ 0xae00, "KVM_GET_API_VERSION" }, { 0xae01, "KVM_CREATE_VM" },
	{ 0xae03, "KVM_CHECK_EXTENSION" }, { 0xae41, "KVM_CREATE_VCPU" }, { 0xae80, "KVM_RUN" },
	{ 0x4c00, "LOOP_SET_FD" }, { 0x4c01, "LOOP_CLR_FD" }, { 0x4c82, "LOOP_CTL_GET_FREE" },
};

#define TABLE(which, table) ST_TABLE((which) - ST_NAMES_KERNEL - 1, table)

const struct st_table_of_names st_number_tables[] = {
	TABLE(ST_FLAGS_POLL, poll_flags),
	TABLE(ST_FLAGS_EPOLL, epoll_flags),
	TABLE(ST_FLAGS_STATX, statx_flags),
	TABLE(ST_FLAGS_FANOTIFY_INIT, fanotify_init_flags),
	TABLE(ST_FLAGS_FANOTIFY_MARK, fanotify_mark_flags),
	TABLE(ST_FLAGS_FANOTIFY_EVENT, fanotify_events),
	TABLE(ST_FLAGS_MODULE_INIT, module_init_flags),
	TABLE(ST_FLAGS_KEXEC, kexec_flags),
	TABLE(ST_FLAGS_KEXEC_FILE, kexec_file_flags),
	TABLE(ST_FLAGS_MLOCK, mlock_flags),
	TABLE(ST_NAMES_MPOL, mpol_names),
	TABLE(ST_FLAGS_MPOL, mpol_flags),
	TABLE(ST_FLAGS_MPOL_GET, mpol_get_flags),
	TABLE(ST_FLAGS_MPOL_MOVE, mpol_move_flags),
	TABLE(ST_FLAGS_PERF, perf_flags),
	TABLE(ST_FLAGS_PKEY, pkey_flags),
	TABLE(ST_FLAGS_RWF, rwf_flags),
	TABLE(ST_NAMES_QUOTA, quota_names),
	TABLE(ST_NAMES_QUOTA_TYPE, quota_type_names),
	TABLE(ST_FLAGS_SECCOMP, seccomp_flags),
	TABLE(ST_FLAGS_SHMAT, shmat_flags),
	TABLE(ST_FLAGS_SWAP, swap_flags),
	TABLE(ST_FLAGS_TIMER, timer_flags),
	TABLE(ST_FLAGS_TIMERFD, timerfd_flags),
	TABLE(ST_FLAGS_EVENTFD, eventfd_flags),
	TABLE(ST_FLAGS_SIGNALFD, signalfd_flags),
	TABLE(ST_FLAGS_EPOLL_CREATE, epoll_create_flags),
	TABLE(ST_FLAGS_INOTIFY_INIT, inotify_init_flags),
	TABLE(ST_FLAGS_CLOSE_RANGE, close_range_flags),
	TABLE(ST_FLAGS_URING_ENTER, uring_enter_flags),
	TABLE(ST_FLAGS_MOUNT_ATTR, mount_attr_flags),
	TABLE(ST_FLAGS_NAMESPACE, namespace_flags),
	TABLE(ST_NAMES_FILE_TYPE, file_type_names),
	TABLE(ST_NAMES_PROTOCOL, protocol_names),
	TABLE(ST_NAMES_TCP_OPTION, tcp_option_names),
	TABLE(ST_NAMES_IP_OPTION, ip_option_names),
	TABLE(ST_NAMES_IPV6_OPTION, ipv6_option_names),
	TABLE(ST_NAMES_REBOOT_MAGIC, reboot_magic_names),
	TABLE(ST_NAMES_KCMP, kcmp_names),
	TABLE(ST_NAMES_IOPRIO_WHO, ioprio_who_names),
	TABLE(ST_NAMES_IOPRIO_CLASS, ioprio_class_names),
	TABLE(ST_NAMES_KEYCTL, keyctl_names),
	TABLE(ST_NAMES_KEY, key_names),
	TABLE(ST_NAMES_SYSLOG, syslog_names),
	TABLE(ST_NAMES_SOCKETCALL, socketcall_names),
	TABLE(ST_NAMES_IPC, ipc_names),
	TABLE(ST_NAMES_SEM_CMD, sem_cmd_names),
	TABLE(ST_NAMES_IOCTL, ioctl_names),
};
