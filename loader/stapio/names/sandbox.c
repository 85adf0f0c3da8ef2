// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gives up privileges (sandbox.h).  A system call that the filter doesn't list fails with EPERM, and doesn't
 * kill the process: a newer C library that tries a newer call then falls back to an older one.
 */
#define _GNU_SOURCE
#include "sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/limits.h"
#include "common/rights.h"

/* ---- limits ---- */

size_t sandbox_memory(void)
{
	uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 2;

	return half < LIMIT_NAMER_MEMORY_LEAST ? LIMIT_NAMER_MEMORY_LEAST :
	       half > LIMIT_NAMER_MEMORY ? LIMIT_NAMER_MEMORY : half;
}

static bool set_limits(size_t written)
{
#ifdef __SANITIZE_ADDRESS__
	bool memory = true;		/* AddressSanitizer's shadow maps terabytes */
#else
	bool memory = rights_limit(RLIMIT_AS, sandbox_memory());
#endif

	return memory && rights_limit(RLIMIT_CPU, LIMIT_NAMER_LIFE) && rights_limit(RLIMIT_CORE, 0) &&
	       rights_limit(RLIMIT_STACK, LIMIT_NAMER_STACK) && rights_limit(RLIMIT_FSIZE, written) &&
	       rights_limit(RLIMIT_NOFILE, LIMIT_NAMER_FILES);
}

/* Makes this process the OOM killer's first choice. */
static void offer_itself(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (fd >= 0) {
		dprintf(fd, "1000");
		close(fd);
	}
}

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE RETURN(SECCOMP_RET_ERRNO | 1)	/* EPERM */
#define ALLOW(call)							\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1),		\
	RETURN(SECCOMP_RET_ALLOW)
/* Allows a call with F_GETFD or F_GETFL as second argument.  Loads the argument's low half, which comes
 * first on little-endian CPUs. */
#define ALLOW_READING_FLAGS(call)					\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 5),		\
	LOAD(args[1]),							\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFD, 1, 0),		\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_GETFL, 0, 1),		\
	RETURN(SECCOMP_RET_ALLOW),					\
	REFUSE
/* Allows a call without PROT_EXEC in its third argument. */
#define ALLOW_DATA(call)						\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4),		\
	LOAD(args[2]),							\
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),		\
	REFUSE,								\
	RETURN(SECCOMP_RET_ALLOW)

static bool filter_calls(void)
{
	static struct sock_filter filter[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		ALLOW(read),
		ALLOW(pread64),
		ALLOW(recvmsg),
		ALLOW(sendmsg),
		ALLOW(write),
		ALLOW(lseek),
		ALLOW(fstat),
		ALLOW(newfstatat),	/* newer C libraries call it for fstat() */
		ALLOW_READING_FLAGS(fcntl),
		ALLOW(close),
		ALLOW_DATA(mmap),
		ALLOW_DATA(mprotect),
		ALLOW(munmap),
		ALLOW(mremap),
		ALLOW(brk),
		ALLOW(madvise),
		ALLOW(futex),
		ALLOW(getrandom),
		ALLOW(rt_sigreturn),
		ALLOW(rt_sigprocmask),
		ALLOW(exit),
		ALLOW(exit_group),
		REFUSE,
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

bool sandbox_enter(size_t written)
{
	offer_itself();
	return set_limits(written) && rights_drop() && filter_calls();
}
