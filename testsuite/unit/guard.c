// SPDX-License-Identifier: GPL-2.0-or-later
/* What would be a crash while a file is read is a message and an exit status, and nothing stays. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/guard.h"
#include "check.h"

/* Runs ACT in a child process, and returns how that ended; what it wrote to stderr is SAID. */
static int run(void (*act)(void), char *said, size_t size)
{
	int ends[2], status;
	ssize_t n = 0;
	pid_t pid;

	CHECK(!pipe(ends));
	pid = fork();
	if (!pid) {
		const struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_CORE, &none);
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		guard_begin();
		act();
		_exit(0);
	}
	close(ends[1]);
	for (ssize_t got; (got = read(ends[0], said + n, size - 1 - n)) > 0;)
		n += got;
	said[n] = 0;
	close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

static char dir[] = "/tmp/guard-XXXXXX";

static int deeper(volatile int *from)
{
	volatile int here = *from + 1;

	return here < 0 ? 0 : deeper(&here) + here;
}

static void overflow(void)
{
	volatile int n = 0;

	guard_directory(dir);
	guard_reading("the file");
	deeper(&n);
}

/* The work directory is the parent's, and the time is limited as there. */
static void child(void)
{
	struct itimerval left;
	volatile int n = 0;
	int status;
	pid_t pid;

	guard_directory(dir);
	pid = fork();
	if (!pid) {
		guard_child();
		if (getitimer(ITIMER_PROF, &left) || !left.it_value.tv_sec)
			_exit(2);
		guard_reading("the child's file");
		deeper(&n);
	}
	_exit(waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 3);
}

static void cut_short(void)
{
	int fd = memfd_create("cut", 0);
	volatile char *p;

	CHECK(fd >= 0 && !ftruncate(fd, 4096));
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(!ftruncate(fd, 0));
	guard_reading("the file");
	_exit(*p);
}

static void too_long(void)
{
	guard_reading("the file");
	raise(SIGPROF);
}

static void own_fault(void)
{
	guard_reading(NULL);
	raise(SIGPROF);		/* no file takes too long: nothing happens */
	raise(SIGSEGV);
}

static void no_memory(void)
{
	size_t piece = 64 << 20;
	char *p;

	for (int i = 0; i < 1 << 20; i++) {	/* more than any machine has; not touched */
		p = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			_exit(errno == ENOMEM ? 3 : 4);
	}
}

static bool has_exited(int status, int with)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == with;
}

int main(void)
{
	char said[512];
	int status;

	CHECK(mkdtemp(dir) && !mkdir(strcat(strcpy(said, dir), "/in"), 0700));
	CHECK(has_exited(run(child, said, sizeof(said)), 1) && strstr(said, "the child's file"));
	CHECK(!access(dir, F_OK));
	CHECK(has_exited(run(overflow, said, sizeof(said)), 1));
	CHECK(!strcmp(said, "ERROR: can't read 'the file': it is damaged, or made to crash "
		      "programs that read it\n"));
	CHECK(access(dir, F_OK));
	CHECK(has_exited(run(cut_short, said, sizeof(said)), 1) && strstr(said, "became shorter"));
	CHECK(has_exited(run(too_long, said, sizeof(said)), 1) && strstr(said, "takes too long"));
	status = run(own_fault, said, sizeof(said));
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV && !*said);
	CHECK(has_exited(run(no_memory, said, sizeof(said)), 3));
	return failures != 0;
}
