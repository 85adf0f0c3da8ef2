// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes its variables: itself, in a thread, by a system call, in a child, and again after exec. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int counter;
char text[8];
static volatile long quiet;

static void *run(void *arg)
{
	counter += 10;
	return arg;
}

int main(int argc, char **argv)
{
	int zero = open("/dev/zero", O_RDONLY);
	pthread_t thread;
	pid_t child;

	counter = 1;
	quiet = 2;
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	if (read(zero, text, 4) != 4)
		return 1;
	child = fork();
	if (!child) {
		counter = 100;
		_exit(0);
	}
	waitpid(child, NULL, 0);
	counter += quiet;
	if (argc == 1)
		execl(argv[0], argv[0], "again", (char *)NULL);
	return 0;
}
