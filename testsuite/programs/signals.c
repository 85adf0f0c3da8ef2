// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the system calls about signals, children and files whose arguments tests look at. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void caught(int sig)
{
	(void)sig;
}

int main(void)
{
	struct sigaction sa = { .sa_handler = caught };
	struct timespec none = { 0 };
	struct sembuf op = { 0 };
	int status, ends[2];
	char text[100], name[] = "user.mine";
	sigset_t set;

	sigaction(SIGUSR1, &sa, NULL);
	syscall(SYS_tkill, gettid(), SIGUSR1);
	syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	sigpending(&set);
	sigemptyset(&set);
	close(signalfd(-1, &set, SFD_CLOEXEC));
	close(epoll_create1(EPOLL_CLOEXEC));
	syscall(SYS_accept, -1, NULL, NULL);
	dup2(0, 55);
	if (pipe(ends))
		return 1;
	syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &none, NULL);
	if (getxattr("/tmp", name, text, sizeof(text)) >= 0)
		return 1;
	syscall(SYS_semop, -1, &op, 1);
	syscall(SYS_setdomainname, NULL, -7);
	syscall(SYS_execveat, -7, "", NULL, NULL, 0);
	syscall(SYS_seccomp, 77, 0, "text");
	pid_t child = syscall(SYS_fork);

	if (!child) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		_exit(3);
	}
	waitpid(child, &status, 0);
	ptrace(PTRACE_GETEVENTMSG, child, NULL, text);
	child = syscall(SYS_fork);
	if (!child)
		raise(SIGTERM);
	waitpid(child, &status, 0);
	return 0;
}
