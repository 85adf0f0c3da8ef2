// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts staprun-auth as a user would who wants to harm it: AUTH-ATTACK HOW AUTH ARGUMENT...
 * Prints "loaded" if a module's .control comes back, else "refused", and what went wrong for the test.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;

static bool is(const char *what)
{
	return !strcmp(how, what);
}

static void limit(int resource, rlim_t most)
{
	setrlimit(resource, &(struct rlimit){ most, most });
}

/* In the child: what the program inherits. */
static void prepare(void)
{
	sigset_t all;

	if (is("closed"))
		for (int fd = 0; fd < 3; fd++)
			close(fd);
	if (is("limits")) {
		limit(RLIMIT_FSIZE, 0);
		limit(RLIMIT_NOFILE, 1);
		limit(RLIMIT_CPU, 1);
		limit(RLIMIT_CORE, RLIM_INFINITY);
		umask(0);
	}
	if (is("memory"))
		limit(RLIMIT_DATA, 1 << 16);
	if (is("signals")) {
		for (int n = 1; n < NSIG; n++)
			signal(n, SIG_IGN);
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
	}
	if (is("timers")) {
		struct itimerval soon = { { 0, 1000 }, { 0, 20000 } };

		for (int timer = ITIMER_REAL; timer <= ITIMER_PROF; timer++)
			setitimer(timer, &soon, NULL);
	}
	if (is("descriptors"))
		for (int fd = 3; fd < 900; fd++)
			dup2(1, fd);
	if (is("file"))
		dup2(open("/dev/null", O_RDWR), 0);
	if (is("traced"))
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static pid_t start(char **argv, int *socket)
{
	char *no_words[] = { NULL };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		exit(2);
	pid_t pid = fork();

	if (!pid) {
		dup2(ends[1], 0);
		prepare();
		execv(argv[0], is("no-words") ? no_words : argv);
		_exit(126);
	}
	close(ends[1]);
	*socket = ends[0];
	return pid;
}

static int receive(int socket)
{
	char byte, room[CMSG_SPACE(sizeof(int))];
	struct iovec io = { &byte, 1 };
	struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room) };
	int fd = -1;

	if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) == 1 && m.msg_controllen)
		memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

/* What its owner may not do with a stopped set-user-ID process. */
static void look_inside(pid_t pid)
{
	static const char *const files[] = { "mem", "environ", "maps", "fd/0", "exe", "root", "syscall" };
	char path[64];

	if (!ptrace(PTRACE_SEIZE, pid, NULL, NULL) || !ptrace(PTRACE_ATTACH, pid, NULL, NULL))
		puts("traced it");
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		snprintf(path, sizeof(path), "/proc/%d/%s", pid, files[i]);
		if (open(path, O_RDONLY) >= 0)
			printf("opened %s\n", files[i]);
	}
}

/* Once the program has become root's. */
static void wait_for_root(pid_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	while (!stat(path, &st) && st.st_uid)
		;
}

/* Has a set-user-ID program, whose messages begin with its argv[0], write commands to the descriptor. */
static void write_by_root(int fd)
{
	static char *const commands[] = { "target 1\n", "base 0 ffffffff81000000 kprobes\n", "stop\n" };
	char status[4096];

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		char *argv[] = { commands[i], "-%", NULL };
		pid_t pid = fork();

		if (!pid) {
			dup2(fd, 2);
			execv("/bin/su", argv);
			_exit(126);
		}
		waitpid(pid, NULL, 0);
	}
	ssize_t n = read(fd, status, sizeof(status) - 1);

	status[n > 0 ? n : 0] = '\0';
	puts(strncmp(status, "state loaded\n", 13) ? status : "untouched");
}

int main(int argc, char **argv)
{
	int socket, status, fd;

	if (argc < 3)
		return 2;
	how = argv[1];
	setvbuf(stdout, NULL, _IONBF, 0);

	int us = is("killed") || is("stopped") ? atoi(getenv("AFTER")) : 0;
	pid_t pid = start(argv + 2, &socket);

	if (is("killed")) {
		wait_for_root(pid);
		usleep(us);
		kill(pid, SIGKILL);
	}
	if (is("stopped")) {
		wait_for_root(pid);
		usleep(us);
		if (!kill(pid, SIGSTOP) && !waitpid(pid, &status, WNOHANG | WUNTRACED)) {
			siginfo_t ended;

			usleep(10000);
			memset(&ended, 0, sizeof(ended));
			if (!waitid(P_PID, pid, &ended, WEXITED | WNOHANG | WNOWAIT) && !ended.si_pid)
				look_inside(pid);
		}
		kill(pid, SIGCONT);
	}
	if (is("traced")) {
		waitpid(pid, &status, 0);
		ptrace(PTRACE_CONT, pid, NULL, NULL);
	}
	fd = receive(socket);
	puts(fd >= 0 ? "loaded" : "refused");
	waitpid(pid, &status, 0);
	if (is("deputy"))
		write_by_root(fd);
	if (WIFSIGNALED(status) && !is("killed") && !is("memory") && !is("timers"))
		printf("signal %d\n", WTERMSIG(status));
	return 0;
}
