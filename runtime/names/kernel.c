// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that name the constants of system calls, with the values from the
 * kernel's own headers.
 *
 * A set of flags is shown as names with "|" between them, widest masks first, and bits
 * without a name as a number; a constant is shown by its name.
 */
#include <linux/capability.h>
#include <linux/fadvise.h>
#include <linux/falloc.h>
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/gfp.h>
#include <linux/inotify.h>
#include <linux/interrupt.h>
#include <linux/ipc.h>
#include <linux/membarrier.h>
#include <linux/mman.h>
#include <linux/mount.h>
#include <linux/net.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/reboot.h>
#include <linux/resource.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/signal.h>
#include <linux/socket.h>
#include <linux/splice.h>
#include <linux/time.h>
#include <linux/wait.h>
#include <linux/xattr.h>
#include <uapi/linux/bpf.h>
#include <uapi/linux/eventpoll.h>
#include <uapi/linux/memfd.h>
#include <uapi/linux/mount.h>
#include <uapi/linux/wait.h>
#include <asm/prctl.h>

#include "names.h"

#define N(name) { (long)(name), #name }

static const struct st_name open_flags[] = {
	N(O_CREAT), N(O_EXCL), N(O_NOCTTY), N(O_TRUNC), N(O_APPEND), N(O_NONBLOCK),
	N(O_SYNC), N(O_DSYNC),
#ifdef FASYNC
	N(FASYNC),
#endif
	N(O_DIRECT), N(O_LARGEFILE), N(O_TMPFILE), N(O_DIRECTORY), N(O_NOFOLLOW),
	N(O_NOATIME), N(O_CLOEXEC), N(O_PATH),
};

static const struct st_name access_flags[] = {
	{ 4, "R_OK" }, { 2, "W_OK" }, { 1, "X_OK" },
};

static const struct st_name at_flags[] = {
	N(AT_SYMLINK_NOFOLLOW), N(AT_REMOVEDIR), N(AT_SYMLINK_FOLLOW), N(AT_NO_AUTOMOUNT),
	N(AT_EMPTY_PATH), N(AT_STATX_FORCE_SYNC), N(AT_STATX_DONT_SYNC),
#ifdef AT_RECURSIVE
	N(AT_RECURSIVE),
#endif
};

static const struct st_name prot_flags[] = {
	N(PROT_READ), N(PROT_WRITE), N(PROT_EXEC), N(PROT_SEM), N(PROT_GROWSDOWN),
#ifdef PROT_GROWSUP
	N(PROT_GROWSUP),
#endif
};

static const struct st_name mmap_flags[] = {
#ifdef MAP_SHARED_VALIDATE
	N(MAP_SHARED_VALIDATE),
#endif
	N(MAP_SHARED), N(MAP_PRIVATE), N(MAP_FIXED), N(MAP_ANONYMOUS),
#ifdef MAP_32BIT
	N(MAP_32BIT),
#endif
	N(MAP_GROWSDOWN),
#ifdef MAP_DENYWRITE
	N(MAP_DENYWRITE),
#endif
#ifdef MAP_EXECUTABLE
	N(MAP_EXECUTABLE),
#endif
	N(MAP_LOCKED), N(MAP_NORESERVE), N(MAP_POPULATE), N(MAP_NONBLOCK), N(MAP_STACK),
	N(MAP_HUGETLB),
#ifdef MAP_SYNC
	N(MAP_SYNC),
#endif
#ifdef MAP_FIXED_NOREPLACE
	N(MAP_FIXED_NOREPLACE),
#endif
};

static const struct st_name clone_flags[] = {
	N(CLONE_VM), N(CLONE_FS), N(CLONE_FILES), N(CLONE_SIGHAND),
#ifdef CLONE_PIDFD
	N(CLONE_PIDFD),
#endif
	N(CLONE_PTRACE), N(CLONE_VFORK), N(CLONE_PARENT), N(CLONE_THREAD), N(CLONE_NEWNS),
	N(CLONE_SYSVSEM), N(CLONE_SETTLS), N(CLONE_PARENT_SETTID), N(CLONE_CHILD_CLEARTID),
#ifdef CLONE_DETACHED
	N(CLONE_DETACHED),
#endif
	N(CLONE_UNTRACED), N(CLONE_CHILD_SETTID),
#ifdef CLONE_NEWCGROUP
	N(CLONE_NEWCGROUP),
#endif
	N(CLONE_NEWUTS), N(CLONE_NEWIPC), N(CLONE_NEWUSER), N(CLONE_NEWPID),
	N(CLONE_NEWNET), N(CLONE_IO),
};

static const struct st_name sock_flags[] = {
	N(SOCK_CLOEXEC), N(SOCK_NONBLOCK),
};

static const struct st_name msg_flags[] = {
	N(MSG_OOB), N(MSG_PEEK), N(MSG_DONTROUTE), N(MSG_CTRUNC), N(MSG_PROBE),
#ifdef MSG_PROXY
	N(MSG_PROXY),
#endif
	N(MSG_TRUNC), N(MSG_DONTWAIT), N(MSG_EOR), N(MSG_WAITALL), N(MSG_FIN), N(MSG_SYN),
	N(MSG_CONFIRM), N(MSG_RST), N(MSG_ERRQUEUE), N(MSG_NOSIGNAL), N(MSG_MORE),
	N(MSG_WAITFORONE),
#ifdef MSG_FASTOPEN
	N(MSG_FASTOPEN),
#endif
#ifdef MSG_ZEROCOPY
	N(MSG_ZEROCOPY),
#endif
	N(MSG_CMSG_CLOEXEC),
};

static const struct st_name mount_flags[] = {
	N(MS_RDONLY), N(MS_NOSUID), N(MS_NODEV), N(MS_NOEXEC), N(MS_SYNCHRONOUS),
	N(MS_REMOUNT), N(MS_MANDLOCK), N(MS_DIRSYNC), N(MS_NOATIME), N(MS_NODIRATIME),
	N(MS_BIND), N(MS_MOVE), N(MS_REC), N(MS_SILENT), N(MS_UNBINDABLE), N(MS_PRIVATE),
	N(MS_SLAVE), N(MS_SHARED), N(MS_RELATIME),
#ifdef MS_STRICTATIME
	N(MS_STRICTATIME),
#endif
#ifdef MS_LAZYTIME
	N(MS_LAZYTIME),
#endif
};

static const struct st_name umount_flags[] = {
	N(MNT_FORCE), N(MNT_DETACH), N(MNT_EXPIRE),
#ifdef UMOUNT_NOFOLLOW
	N(UMOUNT_NOFOLLOW),
#endif
};

static const struct st_name inotify_flags[] = {
	N(IN_ALL_EVENTS), N(IN_ACCESS), N(IN_MODIFY), N(IN_ATTRIB), N(IN_CLOSE_WRITE),
	N(IN_CLOSE_NOWRITE), N(IN_OPEN), N(IN_MOVED_FROM), N(IN_MOVED_TO), N(IN_CREATE),
	N(IN_DELETE), N(IN_DELETE_SELF), N(IN_MOVE_SELF), N(IN_ONLYDIR), N(IN_DONT_FOLLOW),
	N(IN_EXCL_UNLINK),
#ifdef IN_MASK_ADD
	N(IN_MASK_ADD),
#endif
	N(IN_ISDIR), N(IN_ONESHOT),
};

static const struct st_name wait_flags[] = {
	N(WNOHANG), N(WUNTRACED), N(WEXITED), N(WCONTINUED), N(WNOWAIT), N(__WNOTHREAD),
	N(__WALL), N(__WCLONE),
};

static const struct st_name mremap_flags[] = {
	N(MREMAP_MAYMOVE), N(MREMAP_FIXED),
#ifdef MREMAP_DONTUNMAP
	N(MREMAP_DONTUNMAP),
#endif
};

static const struct st_name msync_flags[] = {
	N(MS_ASYNC), N(MS_INVALIDATE), N(MS_SYNC),
};

static const struct st_name mlockall_flags[] = {
	N(MCL_CURRENT), N(MCL_FUTURE), N(MCL_ONFAULT),
};

static const struct st_name fallocate_flags[] = {
	N(FALLOC_FL_KEEP_SIZE), N(FALLOC_FL_PUNCH_HOLE), N(FALLOC_FL_NO_HIDE_STALE),
	N(FALLOC_FL_COLLAPSE_RANGE), N(FALLOC_FL_ZERO_RANGE), N(FALLOC_FL_INSERT_RANGE),
#ifdef FALLOC_FL_UNSHARE_RANGE
	N(FALLOC_FL_UNSHARE_RANGE),
#endif
};

static const struct st_name splice_flags[] = {
	N(SPLICE_F_MOVE), N(SPLICE_F_NONBLOCK), N(SPLICE_F_MORE), N(SPLICE_F_GIFT),
};

static const struct st_name flock_flags[] = {
	N(LOCK_SH), N(LOCK_EX), N(LOCK_UN), N(LOCK_NB),
#ifdef LOCK_MAND
	N(LOCK_MAND),
#endif
#ifdef LOCK_READ
	N(LOCK_READ),
#endif
#ifdef LOCK_WRITE
	N(LOCK_WRITE),
#endif
};

static const struct st_name ipc_flags[] = {
	N(IPC_CREAT), N(IPC_EXCL), N(IPC_NOWAIT),
};

static const struct st_name random_flags[] = {
	N(GRND_NONBLOCK), N(GRND_RANDOM),
#ifdef GRND_INSECURE
	N(GRND_INSECURE),
#endif
};

static const struct st_name memfd_flags[] = {
	N(MFD_CLOEXEC), N(MFD_ALLOW_SEALING), N(MFD_HUGETLB),
#ifdef MFD_NOEXEC_SEAL
	N(MFD_NOEXEC_SEAL),
#endif
#ifdef MFD_EXEC
	N(MFD_EXEC),
#endif
};

static const struct st_name rename_flags[] = {
	N(RENAME_NOREPLACE), N(RENAME_EXCHANGE), N(RENAME_WHITEOUT),
};

static const struct st_name sync_range_flags[] = {
	N(SYNC_FILE_RANGE_WAIT_BEFORE), N(SYNC_FILE_RANGE_WRITE),
	N(SYNC_FILE_RANGE_WAIT_AFTER),
};

static const struct st_name xattr_flags[] = {
	N(XATTR_CREATE), N(XATTR_REPLACE),
};

static const struct st_name sigaction_flags[] = {
	N(SA_NOCLDSTOP), N(SA_NOCLDWAIT), N(SA_SIGINFO), N(SA_ONSTACK), N(SA_RESTART),
	N(SA_NODEFER), N(SA_RESETHAND),
#ifdef SA_RESTORER
	N(SA_RESTORER),
#endif
};

static const struct st_name irq_flags[] = {
	N(IRQF_TRIGGER_RISING), N(IRQF_TRIGGER_FALLING), N(IRQF_TRIGGER_HIGH), N(IRQF_TRIGGER_LOW),
	N(IRQF_SHARED), N(IRQF_PROBE_SHARED), { __IRQF_TIMER, "IRQF_TIMER" }, N(IRQF_PERCPU),
	N(IRQF_NOBALANCING), N(IRQF_IRQPOLL), N(IRQF_ONESHOT), N(IRQF_NO_SUSPEND), N(IRQF_FORCE_RESUME),
	N(IRQF_NO_THREAD), N(IRQF_EARLY_RESUME), N(IRQF_COND_SUSPEND),
#ifdef IRQF_NO_AUTOEN
	N(IRQF_NO_AUTOEN),
#endif
#ifdef IRQF_NO_DEBUG
	N(IRQF_NO_DEBUG),
#endif
};

static const struct st_name whence_names[] = {
	N(SEEK_SET), N(SEEK_CUR), N(SEEK_END), N(SEEK_DATA), N(SEEK_HOLE),
};

static const struct st_name sigmask_names[] = {
	N(SIG_BLOCK), N(SIG_UNBLOCK), N(SIG_SETMASK),
};

static const struct st_name clock_names[] = {
	N(CLOCK_REALTIME), N(CLOCK_MONOTONIC), N(CLOCK_PROCESS_CPUTIME_ID),
	N(CLOCK_THREAD_CPUTIME_ID), N(CLOCK_MONOTONIC_RAW), N(CLOCK_REALTIME_COARSE),
	N(CLOCK_MONOTONIC_COARSE), N(CLOCK_BOOTTIME), N(CLOCK_REALTIME_ALARM),
	N(CLOCK_BOOTTIME_ALARM), N(CLOCK_TAI),
};

static const struct st_name itimer_names[] = {
	N(ITIMER_REAL), N(ITIMER_VIRTUAL), N(ITIMER_PROF),
};

static const struct st_name rlimit_names[] = {
	N(RLIMIT_CPU), N(RLIMIT_FSIZE), N(RLIMIT_DATA), N(RLIMIT_STACK), N(RLIMIT_CORE),
	N(RLIMIT_RSS), N(RLIMIT_NPROC), N(RLIMIT_NOFILE), N(RLIMIT_MEMLOCK), N(RLIMIT_AS),
	N(RLIMIT_LOCKS), N(RLIMIT_SIGPENDING), N(RLIMIT_MSGQUEUE), N(RLIMIT_NICE),
	N(RLIMIT_RTPRIO), N(RLIMIT_RTTIME),
};

static const struct st_name rusage_names[] = {
	N(RUSAGE_SELF), N(RUSAGE_CHILDREN), N(RUSAGE_THREAD),
};

static const struct st_name sched_names[] = {
	N(SCHED_NORMAL), N(SCHED_FIFO), N(SCHED_RR), N(SCHED_BATCH), N(SCHED_IDLE),
	N(SCHED_DEADLINE),
};

static const struct st_name family_names[] = {
	N(AF_UNSPEC), N(AF_UNIX), N(AF_INET), N(AF_AX25), N(AF_IPX), N(AF_APPLETALK),
	N(AF_NETROM), N(AF_BRIDGE), N(AF_ATMPVC), N(AF_X25), N(AF_INET6), N(AF_ROSE),
#ifdef AF_DECnet
	N(AF_DECnet),
#endif
	N(AF_KEY), N(AF_NETLINK), N(AF_PACKET), N(AF_ATMSVC), N(AF_RDS),
#ifdef AF_IRDA
	N(AF_IRDA),
#endif
	N(AF_PPPOX), N(AF_LLC),
#ifdef AF_IB
	N(AF_IB),
#endif
	N(AF_CAN), N(AF_TIPC), N(AF_BLUETOOTH), N(AF_IUCV), N(AF_RXRPC), N(AF_ISDN),
	N(AF_PHONET), N(AF_CAIF), N(AF_ALG), N(AF_NFC),
#ifdef AF_VSOCK
	N(AF_VSOCK),
#endif
#ifdef AF_KCM
	N(AF_KCM),
#endif
#ifdef AF_QIPCRTR
	N(AF_QIPCRTR),
#endif
#ifdef AF_SMC
	N(AF_SMC),
#endif
#ifdef AF_XDP
	N(AF_XDP),
#endif
};

static const struct st_name socktype_names[] = {
	N(SOCK_STREAM), N(SOCK_DGRAM), N(SOCK_RAW), N(SOCK_RDM), N(SOCK_SEQPACKET),
	N(SOCK_DCCP),
#ifdef SOCK_PACKET
	N(SOCK_PACKET),
#endif
};

static const struct st_name shutdown_names[] = {
	{ 0, "SHUT_RD" }, { 1, "SHUT_WR" }, { 2, "SHUT_RDWR" },
};

static const struct st_name level_names[] = {
	N(SOL_IP), N(SOL_SOCKET), N(SOL_TCP), N(SOL_UDP), N(SOL_IPV6),
#ifdef SOL_RAW
	N(SOL_RAW),
#endif
#ifdef SOL_PACKET
	N(SOL_PACKET),
#endif
#ifdef SOL_NETLINK
	N(SOL_NETLINK),
#endif
};

static const struct st_name sockopt_names[] = {
	N(SO_DEBUG), N(SO_REUSEADDR), N(SO_TYPE), N(SO_ERROR), N(SO_DONTROUTE),
	N(SO_BROADCAST), N(SO_SNDBUF), N(SO_RCVBUF),
#ifdef SO_SNDBUFFORCE
	N(SO_SNDBUFFORCE),
#endif
#ifdef SO_RCVBUFFORCE
	N(SO_RCVBUFFORCE),
#endif
	N(SO_KEEPALIVE), N(SO_OOBINLINE),
#ifdef SO_NO_CHECK
	N(SO_NO_CHECK),
#endif
	N(SO_PRIORITY), N(SO_LINGER),
#ifdef SO_BSDCOMPAT
	N(SO_BSDCOMPAT),
#endif
	N(SO_REUSEPORT), N(SO_PASSCRED), N(SO_PEERCRED), N(SO_RCVLOWAT), N(SO_SNDLOWAT),
	N(SO_BINDTODEVICE), N(SO_ATTACH_FILTER), N(SO_DETACH_FILTER),
#ifdef SO_PEERNAME
	N(SO_PEERNAME),
#endif
	N(SO_ACCEPTCONN), N(SO_PEERSEC), N(SO_MARK), N(SO_PROTOCOL), N(SO_DOMAIN),
};

static const struct st_name fcntl_names[] = {
	N(F_DUPFD), N(F_GETFD), N(F_SETFD), N(F_GETFL), N(F_SETFL), N(F_GETLK), N(F_SETLK),
	N(F_SETLKW), N(F_SETOWN), N(F_GETOWN), N(F_SETSIG), N(F_GETSIG), N(F_SETOWN_EX),
	N(F_GETOWN_EX), N(F_OFD_GETLK), N(F_OFD_SETLK), N(F_OFD_SETLKW), N(F_SETLEASE),
	N(F_GETLEASE), N(F_NOTIFY), N(F_DUPFD_CLOEXEC), N(F_SETPIPE_SZ), N(F_GETPIPE_SZ),
	N(F_ADD_SEALS), N(F_GET_SEALS),
};

static const struct st_name futex_names[] = {
	N(FUTEX_WAIT), N(FUTEX_WAKE), N(FUTEX_FD), N(FUTEX_REQUEUE), N(FUTEX_CMP_REQUEUE),
	N(FUTEX_WAKE_OP), N(FUTEX_LOCK_PI), N(FUTEX_UNLOCK_PI), N(FUTEX_TRYLOCK_PI),
	N(FUTEX_WAIT_BITSET), N(FUTEX_WAKE_BITSET), N(FUTEX_WAIT_REQUEUE_PI),
	N(FUTEX_CMP_REQUEUE_PI),
#ifdef FUTEX_LOCK_PI2
	N(FUTEX_LOCK_PI2),
#endif
};

static const struct st_name epoll_names[] = {
	N(EPOLL_CTL_ADD), N(EPOLL_CTL_DEL), N(EPOLL_CTL_MOD),
};

static const struct st_name madvise_names[] = {
	N(MADV_NORMAL), N(MADV_RANDOM), N(MADV_SEQUENTIAL), N(MADV_WILLNEED),
	N(MADV_DONTNEED), N(MADV_FREE), N(MADV_REMOVE), N(MADV_DONTFORK), N(MADV_DOFORK),
	N(MADV_HWPOISON), N(MADV_SOFT_OFFLINE), N(MADV_MERGEABLE), N(MADV_UNMERGEABLE),
	N(MADV_HUGEPAGE), N(MADV_NOHUGEPAGE), N(MADV_DONTDUMP), N(MADV_DODUMP),
	N(MADV_WIPEONFORK), N(MADV_KEEPONFORK),
#ifdef MADV_COLD
	N(MADV_COLD),
#endif
#ifdef MADV_PAGEOUT
	N(MADV_PAGEOUT),
#endif
#ifdef MADV_POPULATE_READ
	N(MADV_POPULATE_READ),
#endif
#ifdef MADV_POPULATE_WRITE
	N(MADV_POPULATE_WRITE),
#endif
#ifdef MADV_DONTNEED_LOCKED
	N(MADV_DONTNEED_LOCKED),
#endif
#ifdef MADV_COLLAPSE
	N(MADV_COLLAPSE),
#endif
};

static const struct st_name fadvise_names[] = {
	N(POSIX_FADV_NORMAL), N(POSIX_FADV_RANDOM), N(POSIX_FADV_SEQUENTIAL),
	N(POSIX_FADV_WILLNEED), N(POSIX_FADV_DONTNEED), N(POSIX_FADV_NOREUSE),
};

static const struct st_name priority_names[] = {
	N(PRIO_PROCESS), N(PRIO_PGRP), N(PRIO_USER),
};

static const struct st_name ipc_cmd_names[] = {
	N(IPC_RMID), N(IPC_SET), N(IPC_STAT), N(IPC_INFO),
};

static const struct st_name ptrace_names[] = {
	N(PTRACE_TRACEME), N(PTRACE_PEEKTEXT), N(PTRACE_PEEKDATA),
#ifdef PTRACE_PEEKUSR
	N(PTRACE_PEEKUSR),
#endif
	N(PTRACE_POKETEXT), N(PTRACE_POKEDATA),
#ifdef PTRACE_POKEUSR
	N(PTRACE_POKEUSR),
#endif
	N(PTRACE_CONT), N(PTRACE_KILL), N(PTRACE_SINGLESTEP),
#ifdef PTRACE_GETREGS
	N(PTRACE_GETREGS),
#endif
#ifdef PTRACE_SETREGS
	N(PTRACE_SETREGS),
#endif
#ifdef PTRACE_GETFPREGS
	N(PTRACE_GETFPREGS),
#endif
#ifdef PTRACE_SETFPREGS
	N(PTRACE_SETFPREGS),
#endif
	N(PTRACE_ATTACH), N(PTRACE_DETACH), N(PTRACE_SYSCALL), N(PTRACE_SETOPTIONS),
	N(PTRACE_GETEVENTMSG), N(PTRACE_GETSIGINFO), N(PTRACE_SETSIGINFO),
	N(PTRACE_GETREGSET), N(PTRACE_SETREGSET), N(PTRACE_SEIZE), N(PTRACE_INTERRUPT),
	N(PTRACE_LISTEN), N(PTRACE_PEEKSIGINFO),
};

static const struct st_name prctl_names[] = {
	N(PR_SET_PDEATHSIG), N(PR_GET_PDEATHSIG), N(PR_GET_DUMPABLE), N(PR_SET_DUMPABLE),
	N(PR_GET_KEEPCAPS), N(PR_SET_KEEPCAPS), N(PR_SET_NAME), N(PR_GET_NAME),
	N(PR_GET_SECCOMP), N(PR_SET_SECCOMP), N(PR_CAPBSET_READ), N(PR_CAPBSET_DROP),
	N(PR_GET_SECUREBITS), N(PR_SET_SECUREBITS), N(PR_SET_TIMERSLACK),
	N(PR_GET_TIMERSLACK), N(PR_SET_MM), N(PR_SET_PTRACER), N(PR_SET_CHILD_SUBREAPER),
	N(PR_GET_CHILD_SUBREAPER), N(PR_SET_NO_NEW_PRIVS), N(PR_GET_NO_NEW_PRIVS),
	N(PR_SET_THP_DISABLE), N(PR_GET_THP_DISABLE), N(PR_CAP_AMBIENT),
#ifdef PR_SET_VMA
	N(PR_SET_VMA),
#endif
};

static const struct st_name arch_prctl_names[] = {
	N(ARCH_SET_GS), N(ARCH_SET_FS), N(ARCH_GET_FS), N(ARCH_GET_GS),
#ifdef ARCH_GET_CPUID
	N(ARCH_GET_CPUID),
#endif
#ifdef ARCH_SET_CPUID
	N(ARCH_SET_CPUID),
#endif
};

static const struct st_name seccomp_names[] = {
	N(SECCOMP_SET_MODE_STRICT), N(SECCOMP_SET_MODE_FILTER), N(SECCOMP_GET_ACTION_AVAIL),
#ifdef SECCOMP_GET_NOTIF_SIZES
	N(SECCOMP_GET_NOTIF_SIZES),
#endif
};

static const struct st_name bpf_names[] = {
	N(BPF_MAP_CREATE), N(BPF_MAP_LOOKUP_ELEM), N(BPF_MAP_UPDATE_ELEM),
	N(BPF_MAP_DELETE_ELEM), N(BPF_MAP_GET_NEXT_KEY), N(BPF_PROG_LOAD), N(BPF_OBJ_PIN),
	N(BPF_OBJ_GET), N(BPF_PROG_ATTACH), N(BPF_PROG_DETACH),
};

static const struct st_name waitid_names[] = {
	N(P_ALL), N(P_PID), N(P_PGID),
#ifdef P_PIDFD
	N(P_PIDFD),
#endif
};

static const struct st_name membarrier_names[] = {
	N(MEMBARRIER_CMD_QUERY), N(MEMBARRIER_CMD_GLOBAL),
	N(MEMBARRIER_CMD_GLOBAL_EXPEDITED), N(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED),
	N(MEMBARRIER_CMD_PRIVATE_EXPEDITED), N(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED),
};

static const struct st_name reboot_names[] = {
	N(LINUX_REBOOT_CMD_RESTART), N(LINUX_REBOOT_CMD_HALT), N(LINUX_REBOOT_CMD_CAD_ON),
	N(LINUX_REBOOT_CMD_CAD_OFF), N(LINUX_REBOOT_CMD_POWER_OFF),
	N(LINUX_REBOOT_CMD_RESTART2), N(LINUX_REBOOT_CMD_SW_SUSPEND),
	N(LINUX_REBOOT_CMD_KEXEC),
};


/* The usual combinations of flags come before single flags. */
static const struct st_name gfp_flags[] = {
	N(GFP_TRANSHUGE), N(GFP_TRANSHUGE_LIGHT), N(GFP_HIGHUSER_MOVABLE), N(GFP_HIGHUSER),
	N(GFP_USER), N(GFP_KERNEL_ACCOUNT), N(GFP_KERNEL), N(GFP_NOFS), N(GFP_ATOMIC),
	N(GFP_NOIO), N(GFP_NOWAIT), N(__GFP_DMA), N(__GFP_HIGHMEM), N(__GFP_DMA32),
	N(__GFP_MOVABLE), N(__GFP_RECLAIMABLE), N(__GFP_HIGH), N(__GFP_IO), N(__GFP_FS),
	N(__GFP_ZERO), N(__GFP_DIRECT_RECLAIM), N(__GFP_KSWAPD_RECLAIM), N(__GFP_WRITE),
	N(__GFP_NOWARN), N(__GFP_RETRY_MAYFAIL), N(__GFP_NOFAIL), N(__GFP_NORETRY),
	N(__GFP_MEMALLOC), N(__GFP_COMP), N(__GFP_NOMEMALLOC), N(__GFP_HARDWALL),
	N(__GFP_THISNODE), N(__GFP_ACCOUNT),
};

static const struct st_name task_state_flags[] = {
	N(TASK_INTERRUPTIBLE), N(TASK_UNINTERRUPTIBLE), { __TASK_STOPPED, "TASK_STOPPED" },
	{ __TASK_TRACED, "TASK_TRACED" }, N(TASK_WAKEKILL),
};

static const struct st_name sigcode_names[] = {
	N(SI_USER), N(SI_KERNEL), N(SI_QUEUE), N(SI_TIMER), N(SI_MESGQ), N(SI_ASYNCIO),
	N(SI_SIGIO), N(SI_TKILL), N(SI_DETHREAD), N(SI_ASYNCNL),
};

const struct st_table_of_names st_kernel_tables[] = {
	ST_TABLE(ST_FLAGS_OPEN, open_flags),
	ST_TABLE(ST_FLAGS_ACCESS, access_flags),
	ST_TABLE(ST_FLAGS_AT, at_flags),
	ST_TABLE(ST_FLAGS_PROT, prot_flags),
	ST_TABLE(ST_FLAGS_MMAP, mmap_flags),
	ST_TABLE(ST_FLAGS_CLONE, clone_flags),
	ST_TABLE(ST_FLAGS_SOCK, sock_flags),
	ST_TABLE(ST_FLAGS_MSG, msg_flags),
	ST_TABLE(ST_FLAGS_MOUNT, mount_flags),
	ST_TABLE(ST_FLAGS_UMOUNT, umount_flags),
	ST_TABLE(ST_FLAGS_INOTIFY, inotify_flags),
	ST_TABLE(ST_FLAGS_WAIT, wait_flags),
	ST_TABLE(ST_FLAGS_MREMAP, mremap_flags),
	ST_TABLE(ST_FLAGS_MSYNC, msync_flags),
	ST_TABLE(ST_FLAGS_MLOCKALL, mlockall_flags),
	ST_TABLE(ST_FLAGS_FALLOCATE, fallocate_flags),
	ST_TABLE(ST_FLAGS_SPLICE, splice_flags),
	ST_TABLE(ST_FLAGS_FLOCK, flock_flags),
	ST_TABLE(ST_FLAGS_IPC, ipc_flags),
	ST_TABLE(ST_FLAGS_RANDOM, random_flags),
	ST_TABLE(ST_FLAGS_MEMFD, memfd_flags),
	ST_TABLE(ST_FLAGS_RENAME, rename_flags),
	ST_TABLE(ST_FLAGS_SYNC_RANGE, sync_range_flags),
	ST_TABLE(ST_FLAGS_XATTR, xattr_flags),
	ST_TABLE(ST_FLAGS_SIGACTION, sigaction_flags),
	ST_TABLE(ST_NAMES_WHENCE, whence_names),
	ST_TABLE(ST_NAMES_SIGMASK, sigmask_names),
	ST_TABLE(ST_NAMES_CLOCK, clock_names),
	ST_TABLE(ST_NAMES_ITIMER, itimer_names),
	ST_TABLE(ST_NAMES_RLIMIT, rlimit_names),
	ST_TABLE(ST_NAMES_RUSAGE, rusage_names),
	ST_TABLE(ST_NAMES_SCHED, sched_names),
	ST_TABLE(ST_NAMES_FAMILY, family_names),
	ST_TABLE(ST_NAMES_SOCKTYPE, socktype_names),
	ST_TABLE(ST_NAMES_SHUTDOWN, shutdown_names),
	ST_TABLE(ST_NAMES_LEVEL, level_names),
	ST_TABLE(ST_NAMES_SOCKOPT, sockopt_names),
	ST_TABLE(ST_NAMES_FCNTL, fcntl_names),
	ST_TABLE(ST_NAMES_FUTEX, futex_names),
	ST_TABLE(ST_NAMES_EPOLL, epoll_names),
	ST_TABLE(ST_NAMES_MADVISE, madvise_names),
	ST_TABLE(ST_NAMES_FADVISE, fadvise_names),
	ST_TABLE(ST_NAMES_PRIORITY, priority_names),
	ST_TABLE(ST_NAMES_IPC_CMD, ipc_cmd_names),
	ST_TABLE(ST_NAMES_PTRACE, ptrace_names),
	ST_TABLE(ST_NAMES_PRCTL, prctl_names),
	ST_TABLE(ST_NAMES_ARCH_PRCTL, arch_prctl_names),
	ST_TABLE(ST_NAMES_SECCOMP, seccomp_names),
	ST_TABLE(ST_NAMES_BPF, bpf_names),
	ST_TABLE(ST_NAMES_WAITID, waitid_names),
	ST_TABLE(ST_NAMES_MEMBARRIER, membarrier_names),
	ST_TABLE(ST_NAMES_REBOOT, reboot_names),
	ST_TABLE(ST_FLAGS_GFP, gfp_flags),
	ST_TABLE(ST_FLAGS_TASK_STATE, task_state_flags),
	ST_TABLE(ST_NAMES_SIGCODE, sigcode_names),
	ST_TABLE(ST_FLAGS_IRQ, irq_flags),
};

st_long st_fn_gfp_kernel(struct st_ctx *c)
{
	return st_fn_constant_value(c, ST_FLAGS_GFP, ST_LIT("GFP_KERNEL"));
}
