/*
 * Threads that call touch() with strings in memory that comes late, or never.
 *
 *	waits THREADS FILE	each in a page of its own of a file; the threads begin when a line can be read
 *	waits THREADS -		in memory of a userfaultfd that nobody reads
 *	waits CALLS race	one thread, while another one maps the page anew and gives it such a userfaultfd
 *
 * With 77 it ends if the kernel has no userfaultfd.
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
#include <unistd.h>

#define PAGE 4096ul

static char *memory;
static int faults;
static volatile int ended;
static pthread_barrier_t all_have_begun;

__attribute__((noinline)) void touch(const char *s)
{
	asm volatile("" : : "r"(s) : "memory");
}

__attribute__((noinline)) void begin(void)
{
	asm volatile("" : : : "memory");
}

static void *toucher(void *at)
{
	pthread_barrier_wait(&all_have_begun);
	begin();
	touch(at);
	return NULL;
}

static void *map(int flags, unsigned long size, int fd)
{
	int writes = fd < 0 ? PROT_WRITE | PROT_READ : PROT_READ;

	return mmap(memory, size, writes, MAP_PRIVATE | flags, fd, 0);
}

static int never_comes(unsigned long size)
{
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };

	area.range.start = (unsigned long)memory;
	area.range.len = size;
	return ioctl(faults, UFFDIO_REGISTER, &area);
}

static void *mapper(void *arg)
{
	struct uffdio_range page = { (unsigned long)memory, PAGE };

	while (!ended) {
		map(MAP_ANONYMOUS | MAP_FIXED, PAGE, -1);
		never_comes(PAGE);
		ioctl(faults, UFFDIO_UNREGISTER, &page);
	}
	return NULL;
}

static void race(int calls)
{
	pthread_t other;

	pthread_create(&other, NULL, mapper, NULL);
	while (calls--)
		touch(memory);
	ended = 1;
	pthread_join(other, NULL);
}

static void touch_all(int n, int at_a_line)
{
	pthread_t threads[n];
	char line[10];

	pthread_barrier_init(&all_have_begun, NULL, n + 1);
	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, toucher, memory + i * PAGE)) {
			perror("pthread_create");
			exit(1);
		}
	puts("mapped");
	fflush(stdout);
	if (at_a_line && !fgets(line, sizeof(line), stdin))
		exit(1);
	pthread_barrier_wait(&all_have_begun);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	struct uffdio_api api = { .api = UFFD_API };
	const char *what = argc > 2 ? argv[2] : "-";
	int n = argc > 1 ? atoi(argv[1]) : 1;
	int is_race = !strcmp(what, "race"), is_file = !is_race && strcmp(what, "-");
	unsigned long size = is_race ? PAGE : n * PAGE;
	int file = is_file ? open(what, O_RDONLY) : -1;

	memory = map(is_file ? 0 : MAP_ANONYMOUS, size, file);
	if (memory == MAP_FAILED || madvise(memory, size, MADV_RANDOM)) {
		perror(what);
		return 1;
	}
	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (!is_file && (faults < 0 || ioctl(faults, UFFDIO_API, &api) || never_comes(size)))
		return 77;
	if (is_race)
		race(n);
	else
		touch_all(n, is_file);
	puts("done");
	return 0;
}
