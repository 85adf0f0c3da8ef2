/*
 * Threads that call touch() with strings in memory that comes late, or never: a userfaultfd stands for
 * a slow disk.
 *
 *	waits THREADS MS	the pages come MS milliseconds after all threads have begun; 0: never
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul

static char *memory;
static int late;
static pthread_barrier_t all_have_begun;

__attribute__((noinline)) void touch(const char *s)
{
	asm volatile("" : : "r"(s) : "memory");
}

static void *toucher(void *at)
{
	pthread_barrier_wait(&all_have_begun);
	touch(at);
	return NULL;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

/* Pages come in the order in which they are missed. */
static void *bringer(void *arg)
{
	static char text[PAGE] __attribute__((aligned(PAGE)));
	struct uffd_msg missed;
	struct timespec time = { late / 1000, late % 1000 * 1000000l };

	pthread_barrier_wait(&all_have_begun);
	nanosleep(&time, NULL);
	while (read(late ? *(int *)arg : -1, &missed, sizeof(missed)) == sizeof(missed)) {
		unsigned long at = missed.arg.pagefault.address & ~(PAGE - 1);
		struct uffdio_copy copy = { .dst = at, .src = (unsigned long)text, .len = PAGE };

		snprintf(text, PAGE, "page %lu", (at - (unsigned long)memory) / PAGE);
		touch(text);
		ioctl(*(int *)arg, UFFDIO_COPY, &copy);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t threads[n], bringing;

	late = argc > 2 ? atoi(argv[2]) : 0;
	memory = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)memory;
	area.range.len = n * PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &area))
		fail("userfaultfd");
	pthread_barrier_init(&all_have_begun, NULL, n + 1);
	pthread_create(&bringing, NULL, bringer, &fd);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, toucher, memory + i * PAGE))
			fail("pthread_create");
	puts("waiting");
	fflush(stdout);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
