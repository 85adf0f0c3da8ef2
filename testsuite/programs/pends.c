/*
 * Reads a file into memory that never comes, in two threads that share the descriptor: a userfaultfd
 * stands for a program of a user's that answers when it likes.
 *
 *	pends FILE
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096ul

static char *memory;
static int file;

static void *reader(void *arg)
{
	return (void *)pread(file, memory, PAGE, 0);
}

int main(int argc, char **argv)
{
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t other;

	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)memory;
	area.range.len = PAGE;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &area))
		return 77;
	file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
	if (argc < 2)
		return 0;
	if (file < 0 || pthread_create(&other, NULL, reader, NULL))
		return 1;
	reader(NULL);
	return 0;
}
