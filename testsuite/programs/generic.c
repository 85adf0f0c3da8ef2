// SPDX-License-Identifier: GPL-2.0-or-later
/* Does with two files in the directory of its argument what file systems leave to the kernel's
 * common functions. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char text[5000];
	off_t at = 17;

	if (argc != 2 || chdir(argv[1]))
		return 1;

	int a = open("a", O_RDWR | O_CREAT, 0600), b = open("b", O_RDWR | O_CREAT, 0600);

	if (write(a, text, 5000) != 5000 || lseek(a, 1000, SEEK_SET) != 1000 ||
	    read(a, text, 123) != 123)
		return 1;
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, a, 0) == MAP_FAILED)
		return 1;
	return sendfile(b, a, &at, 321) != 321;
}
