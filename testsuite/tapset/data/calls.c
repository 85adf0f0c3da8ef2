// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that makes many system calls, each with arguments that have a text of their own: flags,
 * structures, strings, errors.  It needs no C library, so it is built for 64 and for 32 bits (-m32)
 * and makes the same calls both ways, each kind by its own numbers and structures.
 */
#include <asm/unistd.h>

#ifdef __i386__
static long call(long nr, long a, long b, long c, long d, long e, long f)
{
	long args[2] = { f, nr };
	long ret;

	/* The sixth argument is in the register the compiler may need for the stack. */
	asm volatile("push %%ebp; mov (%%eax), %%ebp; mov 4(%%eax), %%eax; int $0x80; pop %%ebp"
		     : "=a"(ret) : "a"(args), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
	return ret;
}
#else
static long call(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;
	long ret;

	asm volatile("syscall" : "=a"(ret) : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
		     "r"(r9) : "rcx", "r11", "memory");
	return ret;
}
#endif

#define CALL7(name, a, b, c, d, e, f, ...) \
	call(__NR_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(...) CALL7(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/* The calls that 32 bits have of another width, and the halves of what is 64 bits wide. */
#ifdef __i386__
#define __NR_fcntl_ __NR_fcntl64
#define __NR_stat_ __NR_stat64
#define __NR_mmap_ __NR_mmap2
#define __NR_getuid_ __NR_getuid32
#define __NR_setgroups_ __NR_setgroups32
#define __NR_chown_ __NR_chown32
#define __NR_newfstatat_ __NR_fstatat64
#define __NR_fadvise_ __NR_fadvise64_64
#define __NR_truncate_ __NR_truncate64
#define __NR_sendfile_ __NR_sendfile64
#define WIDE(n) (long)(n), (long)((long long)(n) >> 32)
#else
#define __NR_fcntl_ __NR_fcntl
#define __NR_stat_ __NR_stat
#define __NR_mmap_ __NR_mmap
#define __NR_getuid_ __NR_getuid
#define __NR_setgroups_ __NR_setgroups
#define __NR_chown_ __NR_chown
#define __NR_newfstatat_ __NR_newfstatat
#define __NR_fadvise_ __NR_fadvise64
#define __NR_truncate_ __NR_truncate
#define __NR_sendfile_ __NR_sendfile
#define WIDE(n) (long)(n)
#endif

static char buffer[4096];
static long words[16];
static unsigned int numbers[16];

static void *two_words(long a, long b)
{
	words[0] = a;
	words[1] = b;
	return words;
}

static void *four_words(long a, long b, long c, long d)
{
	two_words(a, b);
	words[2] = c;
	words[3] = d;
	return words;
}

static void files(void)
{
	static const struct { const char *base; unsigned long len; } vec[] = { { "one", 3 }, { "two\n", 4 } };
	int pipe[2], fd;

	CALL(close_range, 3, ~0u, 0);
	CALL(access, "/tmp", 0);	/* brings the strings into memory */
	CALL(mkdir, "/tmp/calls.d", 0755);
	fd = CALL(openat, -100, "/tmp/calls.d/a", 02 | 0100 | 01000 | 02000000, 0640);
	CALL(openat, -100, "/tmp/calls.d/none", 0);
	CALL(open, "/tmp/calls.d/no \"quotes\"\n", 01 | 02000);
	CALL(write, fd, "some text\n\001\377 and more than thirty-two bytes of it", 52);
	CALL(pwrite64, fd, "tail", 4, WIDE(0x100000010ll));
	CALL(lseek, fd, -3, 2);
	CALL(pread64, fd, buffer, 5, WIDE(7));
	CALL(writev, fd, vec, 2);
	CALL(preadv, fd, vec, 0, 16, 0);
	CALL(fcntl_, fd, 1, 0);
	CALL(fcntl_, fd, 2, 1);
	CALL(fcntl_, fd, 4, 02000);
	CALL(fcntl_, fd, 1030, 10);
	CALL(dup2, fd, 20);
	CALL(dup3, fd, 21, 02000000);
	CALL(access, "/tmp/calls.d", 5);
	CALL(faccessat, -100, "/tmp/none", 0);
	CALL(stat_, "/tmp/calls.d/a", buffer);
	CALL(newfstatat_, -100, "/tmp/calls.d/a", buffer, 0x100);
	CALL(statx, -100, "/tmp/calls.d/a", 0x1000, 0x7ff, buffer);
	CALL(chmod, "/tmp/calls.d/a", 04755);
	CALL(fchmodat, -100, "/tmp/calls.d/a", 0600);
	CALL(chown_, "/tmp/calls.d/a", -1, 0);
	CALL(fchownat, -100, "/tmp/calls.d/a", 0, -1, 0x100);
	CALL(mknod, "/tmp/calls.d/fifo", 0010644, 0);
	CALL(mknodat, -100, "/tmp/calls.d/null", 0020666, 0x103);
	CALL(symlink, "a", "/tmp/calls.d/l");
	CALL(readlink, "/tmp/calls.d/l", buffer, 100);
	CALL(renameat2, -100, "/tmp/calls.d/l", -100, "/tmp/calls.d/m", 1);
	CALL(linkat, -100, "/tmp/calls.d/a", -100, "/tmp/calls.d/b", 0x400);
	CALL(setxattr, "/tmp/calls.d/a", "user.x", "val\001", 4, 1);
	CALL(getxattr, "/tmp/calls.d/a", "user.x", buffer, 100);
	CALL(utimensat, -100, "/tmp/calls.d/a", four_words(5, 6, 7, (1l << 30) - 1), 0);
	CALL(utimes, "/tmp/calls.d/a", four_words(1, 500000, 2, 0));
	CALL(utime, "/tmp/calls.d/a", two_words(11, 12));
	CALL(futimesat, -100, "/tmp/calls.d/a", four_words(3, 4, 5, 6));
	CALL(fallocate, fd, 3, WIDE(0), WIDE(4096));
	CALL(fadvise_, fd, WIDE(0), WIDE(4096), 4);
	CALL(truncate_, "/tmp/calls.d/a", WIDE(0x123456789ll));
	CALL(sync_file_range, fd, WIDE(0), WIDE(4096), 2);
	CALL(flock, fd, 2 | 4);
	CALL(getdents64, fd, buffer, 100);
	CALL(ioctl, fd, 0x5401, buffer);
	CALL(ioctl, fd, 0x80041272, buffer);
	CALL(sendfile_, 99, fd, 0, 100);
	CALL(copy_file_range, fd, 0, 99, 0, 10, 0);
	CALL(pipe2, pipe, 02000000);
	CALL(splice, pipe[0], 0, 99, 0, 10, 3);
	CALL(tee, pipe[0], 99, 10, 2);
	CALL(vmsplice, pipe[1], vec, 2, 1);
	CALL(preadv2, 99, vec, 2, 0, 0, 8);
	CALL(pwritev2, 99, vec, 2, 0, 0, 2);
	CALL(statfs, "/nowhere", buffer);
	CALL(mount, "none", "/nowhere", "tmpfs", 2 | 1, "size=1m");
	CALL(umount2, "/nowhere", 2);
	CALL(swapon, "/nowhere", 0x8005);
	CALL(quotactl, 0x80000700, "/dev/none", 0, buffer);
	CALL(name_to_handle_at, -100, "/tmp", buffer, buffer + 500, 0x400);
	CALL(openat2, -100, "/tmp/none", 0, 24);
	CALL(close_range, 300, ~0u, 4);
	CALL(memfd_create, "mem", 3);
	CALL(fanotify_init, 0x3, 0);
	CALL(fanotify_mark, 99, 1, WIDE(0x40000020), -100, "/tmp");
	CALL(inotify_init1, 02004000);
	CALL(inotify_add_watch, 99, "/tmp", 0x300);
	CALL(unlinkat, -100, "/tmp/calls.d/none", 0);
	CALL(unlinkat, -100, "/tmp/calls.d/none", 0x200);
	CALL(umask, 022);
	CALL(chdir, "/nowhere");
	CALL(close, 99);
}

static void memory(void)
{
	void *p = (void *)CALL(mmap_, 0x10000000, 0x2000, 3, 0x32, -1, 0);

	CALL(mprotect, p, 0x1000, 1);
	CALL(madvise, p, 0x1000, 4);
	CALL(mremap, p, 0x2000, 0x3000, 1, 0);
	CALL(msync, p, 0x1000, 4);
	CALL(mlock2, p, 0x1000, 1);
	CALL(mlockall, 7);
	CALL(munlockall);
	CALL(mincore, p, 0x1000, buffer);
	CALL(mbind, p, 0x1000, 2, 0, 0, 2);
	CALL(set_mempolicy, 0, 0, 0);
	CALL(get_mempolicy, 0, 0, 0, 0, 4);
	CALL(move_pages, 0, 0, 0, 0, 0, 2);
	CALL(pkey_alloc, 0, 3);
	CALL(remap_file_pages, p, 0x1000, 0, 0, 0x10000);
	CALL(munmap, p, 0x3000);
	CALL(brk, 0);
	CALL(shmget, 0, 4096, 01666);
	CALL(shmat, 77, 0, 010000);
	CALL(shmctl, 77, 2, buffer);
	CALL(semget, 0x1234, 1, 03600);
	CALL(semctl, 77, 1, 12, 0);
	CALL(msgget, 0, 01600);
	CALL(msgctl, 77, 0, 0);
	CALL(membarrier, 0, 0);
	CALL(userfaultfd, 02004000);
	CALL(process_vm_readv, 1, words, 0, words, 0, 0);
}

static void times(void)
{
	CALL(nanosleep, two_words(0, 1000), 0);
	CALL(clock_nanosleep, 1, 1, two_words(0, 5), 0);
	CALL(clock_gettime, 1, buffer);
	CALL(clock_settime, 4, two_words(-1, 2));
	CALL(gettimeofday, buffer, 0);
	CALL(settimeofday, two_words(-1, -2), 0);
	CALL(setitimer, 2, four_words(0, 0, 0, 0), 0);
	CALL(timer_create, 1, 0, buffer);
	CALL(timer_settime, 99, 1, four_words(1, 2, 3, 4), 0);
	CALL(timerfd_create, 1, 02004000);
	CALL(timerfd_settime, 99, 1, four_words(5, 6, 7, 8), 0);
	CALL(alarm, 0);
	CALL(adjtimex, 0);
	CALL(times, 0);
}

static void waiting(void)
{
	static struct { int fd; short events, revents; } fds[] = { { 99, 1, 0 }, { -1, 4 | 0x10, 0 } };

	CALL(poll, fds, 2, 0);
	CALL(ppoll, fds, 2, two_words(0, 1000), 0, 8);
#ifdef __i386__
	CALL(_newselect, 1, 0, 0, 0, two_words(0, 1));
#else
	CALL(select, 1, 0, 0, 0, two_words(0, 1));
#endif
	CALL(pselect6, 0, 0, 0, 0, two_words(0, 1), 0);
	CALL(epoll_create1, 02000000);
	CALL(epoll_ctl, 99, 1, 0, 0);
	CALL(epoll_pwait, 99, buffer, 1, 0, 0, 8);
	CALL(eventfd2, 7, 04001);
	CALL(signalfd4, -1, words, 8, 02000000);
	CALL(futex, numbers, 0x81, 1);
	CALL(futex, numbers, 0x80, 5, two_words(0, 1000));
}

static void signals(void)
{
	static unsigned long action[8];

	action[0] = 1;
	action[1] = 0x10000000;
	CALL(rt_sigaction, 12, action, 0, 8);
	CALL(rt_sigprocmask, 0, two_words(0x10200, 0), 0, 8);
	CALL(rt_sigprocmask, 2, two_words(0, 0), buffer, 8);
	CALL(rt_sigpending, buffer, 8);
	CALL(rt_sigtimedwait, two_words(0x200, 0), 0, numbers, 8);
	CALL(rt_sigqueueinfo, 999999, 10, numbers);
	CALL(sigaltstack, 0, buffer);
	CALL(kill, 999999, 15);
	CALL(kill, 999999, 0);
	CALL(tgkill, 999999, 999999, 34);
	CALL(tkill, 999999, 9);
	CALL(pidfd_send_signal, 99, 9, 0, 0);
}

static void processes(void)
{
	static char *argv[] = { "a", "b c", 0 }, *env[] = { "A=1", 0 };
	static struct { unsigned int version; int pid; } header = { 0x20080522, 0 };

	CALL(getuid_);
	CALL(getpid);
	CALL(setgroups_, -1, 0);
	CALL(setpriority, 0, 0, 0);
	CALL(getrlimit, 7, buffer);
	CALL(setrlimit, 4, two_words(0, -1));
	CALL(prlimit64, 0, 7, 0, buffer);
	CALL(getrusage, -1, 0);
	CALL(sched_setscheduler, 0, 0, numbers);
	CALL(sched_getaffinity, 0, 8, buffer);
	CALL(sched_yield);
	CALL(ioprio_get, 1, 0);
	CALL(ioprio_set, 1, 0, 0x4003);
	CALL(prctl, 15, "renamed");
	CALL(prctl, 1, 9);
	CALL(personality, 0xffffffff);
	CALL(capget, &header, buffer);
	CALL(getrandom, buffer, 0, 1);
	CALL(unshare, 0x08000000 | 0x80);
	CALL(setns, 99, 0x40000000);
	CALL(kcmp, 1, 1, 0, 99, 99);
	CALL(seccomp, 2, 1, buffer);
	CALL(ptrace, 0x4200, 999999, 0, 1);
	CALL(wait4, -1, 0, 1, 0);
	CALL(waitid, 1, 999999, buffer, 4, 0);
	CALL(execve, "/nowhere", argv, env);
	CALL(execveat, -100, "/nowhere", argv, env + 1, 0x100);
	CALL(clone3, 0, 0);
	CALL(keyctl, 0, -3, 0);
	CALL(add_key, "user", "name", "payload", 7, -3);
	CALL(request_key, "user", "name", "info", -1);
	CALL(bpf, 0, 0, 0);
	CALL(perf_event_open, 0, 0, -1, -1, 8);
	CALL(reboot, 0xfee1dead, 0, 0x1234567, 0);
	CALL(finit_module, 99, "a=1", 1);
	CALL(delete_module, "none", 04000);
	CALL(syslog, 10, 0, 0);
	CALL(sysinfo, buffer);
	CALL(uname, buffer);
	CALL(pidfd_open, 1, 0);
	CALL(io_uring_setup, 1, 0);
}

static void network(void)
{
	static struct { unsigned short family, port; unsigned int ip; char zero[8]; } inet = {
		2, 0x5000, 0x0100007f };
	static struct { unsigned short family, port; unsigned int flow; unsigned char ip[16];
		unsigned int scope; } inet6 = { 10, 0x3500, 0, { 0xfe, 0x80, [15] = 1 }, 2 };
	static struct { unsigned short family; char path[20]; } local = { 1, "/tmp/no such" };
	static struct { void *name; int namelen; void *vec; unsigned long n; void *control; unsigned long nc;
		int flags; } message = { &inet, 16, 0, 0, 0, 0, 0 };
	int pair[2], fd, six;

	fd = CALL(socket, 2, 2 | 02000000, 17);
	six = CALL(socket, 10, 2, 0);
	CALL(bind, fd, &inet, 16);
	CALL(connect, fd, &inet, 16);
	CALL(connect, six, &inet6, 28);
	CALL(connect, fd, &local, 22);
	CALL(sendto, fd, "datagram", 8, 0x4040, &inet, 16);
	CALL(recvfrom, fd, buffer, 100, 0x42, 0, 0);
	CALL(sendmsg, fd, &message, 0x40);
	CALL(recvmsg, fd, &message, 0x40);
	CALL(setsockopt, fd, 1, 2, numbers, 4);
	CALL(setsockopt, fd, 6, 1, numbers, 4);
	CALL(getsockopt, fd, 1, 4, numbers, buffer);
	CALL(getsockname, fd, buffer, numbers);
	CALL(getpeername, 99, buffer, numbers);
	CALL(listen, 99, 128);
	CALL(accept4, 99, 0, 0, 04000);
	CALL(shutdown, 99, 1);
	CALL(socketpair, 1, 1, 0, pair);
}

#ifdef __i386__
/* What 32 bits alone have. */
static void old_calls(void)
{
	static unsigned int old_action[4] = { 0, 0x200, 0x10000000 };
	static long long offset;
	static unsigned int args[6] = { 2, 1, 0 };

	CALL(stat, "/tmp", buffer);
	CALL(stime, 0);
	CALL(signal, 12, 1);
	CALL(sigaction, 12, old_action, 0);
	CALL(sigprocmask, 0, numbers, 0);
	CALL(sigpending, buffer);
	CALL(sgetmask);
	CALL(ssetmask, 0x200);
	CALL(setreuid, 0xffff, 0xffff);
	CALL(setresgid, 0xffff, 0xffff, 0xffff);
	CALL(lchown, "/tmp/none", 0, 0xffff);
	CALL(_llseek, 99, 1, 2, &offset, 1);
	CALL(socketcall, 1, args);
	CALL(ipc, 23, 0x1234, 4096, 0600);
	CALL(readdir, 99, buffer, 1);
	CALL(waitpid, -1, 0, 1);
	CALL(ftruncate64, 99, WIDE(0x123456789ll));
	CALL(readahead, 99, WIDE(0x100000000ll), 4096);
	CALL(clock_gettime64, 0, buffer);
	CALL(futex_time64, numbers, 0x81, 1);
	CALL(ustat, 1, buffer);
}
#endif

void _start(void)
{
	files();
	memory();
	times();
	waiting();
	signals();
	processes();
	network();
#ifdef __i386__
	old_calls();
#endif
	CALL(exit_group, 0);
	for (;;)
		;
}
