// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Constants by their numbers.  Kernels differ in which headers define these, but not in the
 * numbers, which are an interface to user space.
 */
#include "names.h"

static const struct st_name signal_names[] = {
	{ 1, "SIGHUP" }, { 2, "SIGINT" }, { 3, "SIGQUIT" }, { 4, "SIGILL" }, { 5, "SIGTRAP" },
	{ 6, "SIGABRT" }, { 7, "SIGBUS" }, { 8, "SIGFPE" }, { 9, "SIGKILL" }, { 10, "SIGUSR1" },
	{ 11, "SIGSEGV" }, { 12, "SIGUSR2" }, { 13, "SIGPIPE" }, { 14, "SIGALRM" },
	{ 15, "SIGTERM" }, { 16, "SIGSTKFLT" }, { 17, "SIGCHLD" }, { 18, "SIGCONT" },
	{ 19, "SIGSTOP" }, { 20, "SIGTSTP" }, { 21, "SIGTTIN" }, { 22, "SIGTTOU" },
	{ 23, "SIGURG" }, { 24, "SIGXCPU" }, { 25, "SIGXFSZ" }, { 26, "SIGVTALRM" },
	{ 27, "SIGPROF" }, { 28, "SIGWINCH" }, { 29, "SIGIO" }, { 30, "SIGPWR" },
	{ 31, "SIGSYS" },
};

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
	{ 30, "TCP_FASTOPEN_CONNECT" }, { 31, "TCP_ULP" }, { 32, "TCP_MD5SIG_EXT" },
	{ 33, "TCP_FASTOPEN_KEY" }, { 34, "TCP_FASTOPEN_NO_COOKIE" }, { 35, "TCP_ZEROCOPY_RECEIVE" },
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
	{ 1, "IPV6_ADDRFORM" }, { 2, "IPV6_2292PKTINFO" }, { 3, "IPV6_2292HOPOPTS" },
	{ 4, "IPV6_2292DSTOPTS" }, { 5, "IPV6_2292RTHDR" }, { 6, "IPV6_2292PKTOPTIONS" },
	{ 7, "IPV6_CHECKSUM" }, { 8, "IPV6_2292HOPLIMIT" }, { 9, "IPV6_NEXTHOP" },
	{ 10, "IPV6_AUTHHDR" }, { 11, "IPV6_FLOWINFO" }, { 16, "IPV6_UNICAST_HOPS" },
	{ 17, "IPV6_MULTICAST_IF" }, { 18, "IPV6_MULTICAST_HOPS" }, { 19, "IPV6_MULTICAST_LOOP" },
	{ 20, "IPV6_ADD_MEMBERSHIP" }, { 21, "IPV6_DROP_MEMBERSHIP" }, { 22, "IPV6_ROUTER_ALERT" },
	{ 23, "IPV6_MTU_DISCOVER" }, { 24, "IPV6_MTU" }, { 25, "IPV6_RECVERR" },
	{ 26, "IPV6_V6ONLY" }, { 27, "IPV6_JOIN_ANYCAST" }, { 28, "IPV6_LEAVE_ANYCAST" },
	{ 29, "IPV6_MULTICAST_ALL" }, { 30, "IPV6_ROUTER_ALERT_ISOLATE" },
	{ 31, "IPV6_RECVERR_RFC4884" }, { 32, "IPV6_FLOWLABEL_MGR" }, { 33, "IPV6_FLOWINFO_SEND" },
	{ 34, "IPV6_IPSEC_POLICY" }, { 35, "IPV6_XFRM_POLICY" }, { 36, "IPV6_HDRINCL" },
	{ 42, "MCAST_JOIN_GROUP" }, { 43, "MCAST_BLOCK_SOURCE" }, { 44, "MCAST_UNBLOCK_SOURCE" },
	{ 45, "MCAST_LEAVE_GROUP" }, { 46, "MCAST_JOIN_SOURCE_GROUP" },
	{ 47, "MCAST_LEAVE_SOURCE_GROUP" }, { 48, "MCAST_MSFILTER" }, { 49, "IPV6_RECVPKTINFO" },
	{ 50, "IPV6_PKTINFO" }, { 51, "IPV6_RECVHOPLIMIT" }, { 52, "IPV6_HOPLIMIT" },
	{ 53, "IPV6_RECVHOPOPTS" }, { 54, "IPV6_HOPOPTS" }, { 55, "IPV6_RTHDRDSTOPTS" },
	{ 56, "IPV6_RECVRTHDR" }, { 57, "IPV6_RTHDR" }, { 58, "IPV6_RECVDSTOPTS" },
	{ 59, "IPV6_DSTOPTS" }, { 60, "IPV6_RECVPATHMTU" }, { 61, "IPV6_PATHMTU" },
	{ 62, "IPV6_DONTFRAG" }, { 63, "IPV6_USE_MIN_MTU" }, { 66, "IPV6_RECVTCLASS" },
	{ 67, "IPV6_TCLASS" }, { 70, "IPV6_AUTOFLOWLABEL" }, { 72, "IPV6_ADDR_PREFERENCES" },
	{ 73, "IPV6_MINHOPCOUNT" },
	{ 74, "IPV6_RECVORIGDSTADDR" }, { 75, "IPV6_TRANSPARENT" }, { 76, "IPV6_UNICAST_IF" },
	{ 77, "IPV6_RECVFRAGSIZE" }, { 78, "IPV6_FREEBIND" },
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

/* The names of sockets' families, types, states, flags and protocols without their prefixes. */

static const struct st_name socket_family_names[] = {
	{ 0, "UNSPEC" }, { 1, "LOCAL" }, { 2, "INET" }, { 3, "AX25" }, { 4, "IPX" },
	{ 5, "APPLETALK" }, { 6, "NETROM" }, { 7, "BRIDGE" }, { 8, "ATMPVC" }, { 9, "X25" },
	{ 10, "INET6" }, { 11, "ROSE" }, { 12, "DECNET" }, { 13, "NETBEUI" }, { 14, "SECURITY" },
	{ 15, "KEY" }, { 16, "NETLINK" }, { 17, "PACKET" }, { 18, "ASH" }, { 19, "ECONET" },
	{ 20, "ATMSVC" }, { 21, "RDS" }, { 22, "SNA" }, { 23, "IRDA" }, { 24, "PPPOX" },
	{ 25, "WANPIPE" }, { 26, "LLC" }, { 27, "IB" }, { 28, "MPLS" }, { 29, "CAN" },
	{ 30, "TIPC" }, { 31, "BLUETOOTH" }, { 32, "IUCV" }, { 33, "RXRPC" }, { 34, "ISDN" },
	{ 35, "PHONET" }, { 36, "IEEE802154" }, { 37, "CAIF" }, { 38, "ALG" }, { 39, "NFC" },
	{ 40, "VSOCK" }, { 41, "KCM" }, { 42, "QIPCRTR" }, { 43, "SMC" }, { 44, "XDP" },
	{ 45, "MCTP" },
};

static const struct st_name socket_type_names[] = {
	{ 1, "STREAM" }, { 2, "DGRAM" }, { 3, "RAW" }, { 4, "RDM" }, { 5, "SEQPACKET" },
	{ 6, "DCCP" }, { 10, "PACKET" },
};

static const struct st_name socket_state_names[] = {
	{ 0, "FREE" }, { 1, "UNCONNECTED" }, { 2, "CONNECTING" }, { 3, "CONNECTED" },
	{ 4, "DISCONNECTING" },
};

static const struct st_name socket_flags[] = {
	{ 1, "ASYNC_NOSPACE" }, { 2, "ASYNC_WAITDATA" }, { 4, "NOSPACE" }, { 8, "PASSCRED" },
	{ 16, "PASSSEC" }, { 32, "SUPPORT_ZC" }, { 64, "CUSTOM_SOCKOPT" }, { 128, "PASSPIDFD" },
};

/* IANA's protocol numbers, and Linux' own. */
static const struct st_name socket_protocol_names[] = {
	{ 0, "IP" }, { 1, "ICMP" }, { 2, "IGMP" }, { 3, "GGP" }, { 4, "IPENCAP" }, { 5, "ST" },
	{ 6, "TCP" }, { 7, "CBT" }, { 8, "EGP" }, { 9, "IGP" }, { 10, "BBN-RCC" }, { 11, "NVP" },
	{ 12, "PUP" }, { 13, "ARGUS" }, { 14, "EMCON" }, { 15, "XNET" }, { 16, "CHAOS" },
	{ 17, "UDP" }, { 18, "MUX" }, { 19, "DCN" }, { 20, "HMP" }, { 21, "PRM" },
	{ 22, "XNS-IDP" }, { 23, "TRUNK-1" }, { 24, "TRUNK-2" }, { 25, "LEAF-1" }, { 26, "LEAF-2" },
	{ 27, "RDP" }, { 28, "IRTP" }, { 29, "ISO-TP4" }, { 30, "NETBLT" }, { 31, "MFE-NSP" },
	{ 32, "MERIT-INP" }, { 33, "DCCP" }, { 34, "3PC" }, { 35, "IDPR" }, { 36, "XTP" },
	{ 37, "DDP" }, { 38, "IDPR-CMTP" }, { 39, "TP++" }, { 40, "IL" }, { 41, "IPV6" },
	{ 42, "SDRP" }, { 43, "IPV6-ROUTE" }, { 44, "IPV6-FRAG" }, { 45, "IDRP" }, { 46, "RSVP" },
	{ 47, "GRE" }, { 48, "MHRP" }, { 49, "BNA" }, { 50, "IPV6-CRYPT" }, { 51, "IPV6-AUTH" },
	{ 52, "I-NLSP" }, { 53, "SWIPE" }, { 54, "NARP" }, { 55, "MOBILE" }, { 56, "TLSP" },
	{ 57, "SKIP" }, { 58, "IPV6-ICMP" }, { 59, "IPV6-NONXT" }, { 60, "IPV6-OPTS" },
	{ 62, "CFTP" }, { 64, "SAT-EXPAK" }, { 65, "KRYPTOLAN" }, { 66, "RVD" }, { 67, "IPPC" },
	{ 69, "SAT-MON" }, { 70, "VISA" }, { 71, "IPCV" }, { 72, "CPNX" }, { 73, "CPHB" },
	{ 74, "WSN" }, { 75, "PVP" }, { 76, "BR-SAT-MON" }, { 77, "SUN-ND" }, { 78, "WB-MON" },
	{ 79, "WB-EXPAK" }, { 80, "ISO-IP" }, { 81, "VMTP" }, { 82, "SECURE-VMTP" },
	{ 83, "VINES" }, { 84, "TTP" }, { 85, "NSFNET-IGP" }, { 86, "DGP" }, { 87, "TCF" },
	{ 88, "EIGRP" }, { 89, "OSPF" }, { 90, "SPRITE-RPC" }, { 91, "LARP" }, { 92, "MTP" },
	{ 93, "AX.25" }, { 94, "IPIP" }, { 95, "MICP" }, { 96, "SCC-SP" }, { 97, "ETHERIP" },
	{ 98, "ENCAP" }, { 100, "GMTP" }, { 101, "IFMP" }, { 102, "PNNI" }, { 103, "PIM" },
	{ 104, "ARIS" }, { 105, "SCPS" }, { 106, "QNX" }, { 107, "A/N" }, { 108, "IPCOMP" },
	{ 109, "SNP" }, { 110, "COMPAQ-PEER" }, { 111, "IPX-IN-IP" }, { 112, "VRRP" },
	{ 113, "PGM" }, { 115, "L2TP" }, { 116, "DDX" }, { 117, "IATP" }, { 118, "STP" },
	{ 119, "SRP" }, { 120, "UTI" }, { 121, "SMP" }, { 122, "SM" }, { 123, "PTP" },
	{ 124, "ISIS" }, { 125, "FIRE" }, { 126, "CRTP" }, { 127, "CRDUP" }, { 128, "SSCOPMCE" },
	{ 129, "IPLT" }, { 130, "SPS" }, { 131, "PIPE" }, { 132, "SCTP" }, { 133, "FC" },
	{ 134, "RSVP-E2E-IGNORE" }, { 135, "Mobility-Header" }, { 136, "UDPLite" },
	{ 137, "MPLS-IN-IP" }, { 143, "ETHERNET" }, { 255, "RAW" }, { 262, "MPTCP" },
};

static const struct st_name tcp_state_names[] = {
	{ 1, "TCP_ESTABLISHED" }, { 2, "TCP_SYN_SENT" }, { 3, "TCP_SYN_RECV" },
	{ 4, "TCP_FIN_WAIT1" }, { 5, "TCP_FIN_WAIT2" }, { 6, "TCP_TIME_WAIT" }, { 7, "TCP_CLOSE" },
	{ 8, "TCP_CLOSE_WAIT" }, { 9, "TCP_LAST_ACK" }, { 10, "TCP_LISTEN" }, { 11, "TCP_CLOSING" },
	{ 12, "TCP_NEW_SYN_RECV" },
};

static const struct st_name dma_direction_names[] = {
	{ 0, "BIDIRECTIONAL" }, { 1, "TO_DEVICE" }, { 2, "FROM_DEVICE" }, { 3, "NONE" },
};

static const struct st_name scsi_state_names[] = {
	{ 1, "CREATED" }, { 2, "RUNNING" }, { 3, "CANCEL" }, { 4, "DEL" }, { 5, "QUIESCE" },
	{ 6, "OFFLINE" }, { 7, "TRANSPORT_OFFLINE" }, { 8, "BLOCK" }, { 9, "CREATED_BLOCK" },
};

static const struct st_name nfs4_type_names[] = {
	{ 0, "NF4BAD" }, { 1, "NF4REG" }, { 2, "NF4DIR" }, { 3, "NF4BLK" }, { 4, "NF4CHR" },
	{ 5, "NF4LNK" }, { 6, "NF4SOCK" }, { 7, "NF4FIFO" }, { 8, "NF4ATTRDIR" },
	{ 9, "NF4NAMEDATTR" },
};

/* The status codes of NFS servers, in all versions of the protocol. */
static const struct st_name nfs_status_names[] = {
	{ 0, "NFS_OK" }, { 1, "NFSERR_PERM" }, { 2, "NFSERR_NOENT" },
	{ 5, "NFSERR_IO" }, { 6, "NFSERR_NXIO" }, { 11, "NFSERR_EAGAIN" },
	{ 13, "NFSERR_ACCES" },
	{ 17, "NFSERR_EXIST" }, { 18, "NFSERR_XDEV" }, { 19, "NFSERR_NODEV" },
	{ 20, "NFSERR_NOTDIR" }, { 21, "NFSERR_ISDIR" }, { 22, "NFSERR_INVAL" },
	{ 27, "NFSERR_FBIG" }, { 28, "NFSERR_NOSPC" }, { 30, "NFSERR_ROFS" },
	{ 31, "NFSERR_MLINK" }, { 45, "NFSERR_OPNOTSUPP" },
	{ 63, "NFSERR_NAMETOOLONG" }, { 66, "NFSERR_NOTEMPTY" }, { 69, "NFSERR_DQUOT" },
	{ 70, "NFSERR_STALE" }, { 71, "NFSERR_REMOTE" }, { 99, "NFSERR_WFLUSH" },
	{ 10001, "NFSERR_BADHANDLE" }, { 10002, "NFSERR_NOT_SYNC" },
	{ 10003, "NFSERR_BAD_COOKIE" }, { 10004, "NFSERR_NOTSUPP" },
	{ 10005, "NFSERR_TOOSMALL" }, { 10006, "NFSERR_SERVERFAULT" },
	{ 10007, "NFSERR_BADTYPE" }, { 10008, "NFSERR_JUKEBOX" },
	{ 10009, "NFSERR_SAME" }, { 10010, "NFSERR_DENIED" },
	{ 10011, "NFSERR_EXPIRED" }, { 10012, "NFSERR_LOCKED" },
	{ 10013, "NFSERR_GRACE" }, { 10014, "NFSERR_FHEXPIRED" },
	{ 10015, "NFSERR_SHARE_DENIED" }, { 10016, "NFSERR_WRONGSEC" },
	{ 10017, "NFSERR_CLID_INUSE" }, { 10018, "NFSERR_RESOURCE" },
	{ 10019, "NFSERR_MOVED" }, { 10020, "NFSERR_NOFILEHANDLE" },
	{ 10021, "NFSERR_MINOR_VERS_MISMATCH" }, { 10022, "NFSERR_STALE_CLIENTID" },
	{ 10023, "NFSERR_STALE_STATEID" }, { 10024, "NFSERR_OLD_STATEID" },
	{ 10025, "NFSERR_BAD_STATEID" }, { 10026, "NFSERR_BAD_SEQID" },
	{ 10027, "NFSERR_NOT_SAME" }, { 10028, "NFSERR_LOCK_RANGE" },
	{ 10029, "NFSERR_SYMLINK" }, { 10030, "NFSERR_RESTOREFH" },
	{ 10031, "NFSERR_LEASE_MOVED" }, { 10032, "NFSERR_ATTRNOTSUPP" },
	{ 10033, "NFSERR_NO_GRACE" }, { 10034, "NFSERR_RECLAIM_BAD" },
	{ 10035, "NFSERR_RECLAIM_CONFLICT" }, { 10036, "NFSERR_BAD_XDR" },
	{ 10037, "NFSERR_LOCKS_HELD" }, { 10038, "NFSERR_OPENMODE" },
	{ 10039, "NFSERR_BADOWNER" }, { 10040, "NFSERR_BADCHAR" },
	{ 10041, "NFSERR_BADNAME" }, { 10042, "NFSERR_BAD_RANGE" },
	{ 10043, "NFSERR_LOCK_NOTSUPP" }, { 10044, "NFSERR_OP_ILLEGAL" },
	{ 10045, "NFSERR_DEADLOCK" }, { 10046, "NFSERR_FILE_OPEN" },
	{ 10047, "NFSERR_ADMIN_REVOKED" }, { 10048, "NFSERR_CB_PATH_DOWN" },
	{ 10049, "NFS4ERR_BADIOMODE" }, { 10050, "NFS4ERR_BADLAYOUT" },
	{ 10051, "NFS4ERR_BAD_SESSION_DIGEST" }, { 10052, "NFS4ERR_BADSESSION" },
	{ 10053, "NFS4ERR_BADSLOT" }, { 10054, "NFS4ERR_COMPLETE_ALREADY" },
	{ 10055, "NFS4ERR_CONN_NOT_BOUND_TO_SESSION" },
	{ 10056, "NFS4ERR_DELEG_ALREADY_WANTED" }, { 10057, "NFS4ERR_BACK_CHAN_BUSY" },
	{ 10058, "NFS4ERR_LAYOUTTRYLATER" }, { 10059, "NFS4ERR_LAYOUTUNAVAILABLE" },
	{ 10060, "NFS4ERR_NOMATCHING_LAYOUT" }, { 10061, "NFS4ERR_RECALLCONFLICT" },
	{ 10062, "NFS4ERR_UNKNOWN_LAYOUTTYPE" }, { 10063, "NFS4ERR_SEQ_MISORDERED" },
	{ 10064, "NFS4ERR_SEQUENCE_POS" }, { 10065, "NFS4ERR_REQ_TOO_BIG" },
	{ 10066, "NFS4ERR_REP_TOO_BIG" }, { 10067, "NFS4ERR_REP_TOO_BIG_TO_CACHE" },
	{ 10068, "NFS4ERR_RETRY_UNCACHED_REP" }, { 10069, "NFS4ERR_UNSAFE_COMPOUND" },
	{ 10070, "NFS4ERR_TOO_MANY_OPS" }, { 10071, "NFS4ERR_OP_NOT_IN_SESSION" },
	{ 10072, "NFS4ERR_HASH_ALG_UNSUPP" }, { 10074, "NFS4ERR_CLIENTID_BUSY" },
	{ 10075, "NFS4ERR_PNFS_IO_HOLE" }, { 10076, "NFS4ERR_SEQ_FALSE_RETRY" },
	{ 10077, "NFS4ERR_BAD_HIGH_SLOT" }, { 10078, "NFS4ERR_DEADSESSION" },
	{ 10079, "NFS4ERR_ENCR_ALG_UNSUPP" }, { 10080, "NFS4ERR_PNFS_NO_LAYOUT" },
	{ 10081, "NFS4ERR_NOT_ONLY_OP" }, { 10082, "NFS4ERR_WRONG_CRED" },
	{ 10083, "NFS4ERR_WRONG_TYPE" }, { 10084, "NFS4ERR_DIRDELEG_UNAVAIL" },
	{ 10085, "NFS4ERR_REJECT_DELEG" }, { 10086, "NFS4ERR_RETURNCONFLICT" },
	{ 10087, "NFS4ERR_DELEG_REVOKED" }, { 10088, "NFS4ERR_PARTNER_NOTSUPP" },
	{ 10089, "NFS4ERR_PARTNER_NO_AUTH" }, { 10090, "NFS4ERR_UNION_NOTSUPP" },
	{ 10091, "NFS4ERR_OFFLOAD_DENIED" }, { 10092, "NFS4ERR_WRONG_LFS" },
	{ 10093, "NFS4ERR_BADLABEL" }, { 10094, "NFS4ERR_OFFLOAD_NO_REQS" },
	{ 10095, "NFS4ERR_NOXATTR" }, { 10096, "NFS4ERR_XATTR2BIG" },
};

#define TABLE(which, table) ST_TABLE((which) - ST_NAMES_CALLS - 1, table)

const struct st_table_of_names st_number_tables[] = {
	TABLE(ST_NAMES_SIGNAL, signal_names),
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
	TABLE(ST_NAMES_SOCKET_FAMILY, socket_family_names),
	TABLE(ST_NAMES_SOCKET_TYPE, socket_type_names),
	TABLE(ST_NAMES_SOCKET_STATE, socket_state_names),
	TABLE(ST_FLAGS_SOCKET, socket_flags),
	TABLE(ST_NAMES_SOCKET_PROTOCOL, socket_protocol_names),
	TABLE(ST_NAMES_TCP_STATE, tcp_state_names),
	TABLE(ST_NAMES_DMA_DIRECTION, dma_direction_names),
	TABLE(ST_NAMES_SCSI_STATE, scsi_state_names),
	TABLE(ST_NAMES_NFS_STATUS, nfs_status_names),
	TABLE(ST_NAMES_NFS4_TYPE, nfs4_type_names),
};
