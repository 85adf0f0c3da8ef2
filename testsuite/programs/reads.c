/* Reads 77 bytes of zeros, so many times, by read() or pread(), and prints what came of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int fd = open("/dev/zero", O_RDONLY);
	char buf[77];

	printf("%s", strrchr(argv[0], '/') + 1);
	for (int i = 0; i < atoi(argv[2]); i++) {
		long n = argv[1][0] == 'r' ? read(fd, buf, sizeof(buf))
					   : pread(fd, buf, sizeof(buf), 0);

		if (n < 0)
			printf(" %s", strerrorname_np(errno));
		else
			printf(" %ld", n);
	}
	printf("\n");
	return argc < 3;
}
