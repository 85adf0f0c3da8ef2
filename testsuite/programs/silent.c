// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs code of a file that it serves itself, by FUSE: it answers who opens the file first, itself,
 * and nobody else.
 *
 *	silent		calls code in the file
 *	silent FILE	does so when that file exists
 *	silent detached FILE	calls code where nobody sees the mount any more, and ends when that file exists
 *	silent deep FILE	the same, where /proc/PID/mountinfo has a line of more than 8 kB of it
 *	silent unread	calls touch() with the file's memory, and answers nobody who reads that
 *	silent kept	has the kernel keep the mappings locked, which answers no second read after a failed one
 */
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOUNTED "/run/silent"
#define ROOT 1
#define FILE 2

/* mov $getpgrp, %eax; syscall; ret */
static char page[4096] = { 0xb8, SYS_getpgrp, 0, 0, 0, 0x0f, 0x05, 0xc3 };

static int device, unread, kept;

__attribute__((noinline)) void touch(const char *s)
{
	asm volatile("" : : "r"(s) : "memory");
}

static void answer(const struct fuse_in_header *to, int error, const void *p, size_t n)
{
	static char out[8192];
	struct fuse_out_header h = { sizeof(h) + n, error, to->unique };

	memcpy(out, &h, sizeof(h));
	memcpy(out + sizeof(h), p, n);
	if (write(device, out, h.len) < 0)
		perror("answer");
}

/* A page fault waits for the read ahead without the lock of the mappings.  As that fails, it reads
 * the page itself, and keeps the lock. */
static void answer_once(const struct fuse_in_header *h)
{
	static int answered;

	if (!answered++)
		return answer(h, -5 /* EIO */, "", 0);
	puts("kept");
	fflush(stdout);
}

static struct fuse_attr attributes(unsigned long node)
{
	if (node == ROOT)
		return (struct fuse_attr){ .ino = node, .nlink = 2, .mode = S_IFDIR | 0755 };
	return (struct fuse_attr){
		.ino = node, .nlink = 1, .mode = S_IFREG | 0755, .size = sizeof(page), .blocks = 8,
	};
}

static void serve(const struct fuse_in_header *h)
{
	static int opened;
	struct fuse_init_out init = { .major = 7, .minor = 31, .max_write = sizeof(page) };
	struct fuse_entry_out entry = { .nodeid = FILE, .entry_valid = 1000, .attr_valid = 1000 };
	struct fuse_attr_out attr = { .attr_valid = 1000 };
	struct fuse_open_out open = { .open_flags = FOPEN_KEEP_CACHE };

	switch (h->opcode) {
	case FUSE_INIT:
		return answer(h, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		entry.attr = attributes(FILE);
		return answer(h, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		attr.attr = attributes(h->nodeid);
		return answer(h, 0, &attr, sizeof(attr));
	case FUSE_OPEN:
		return opened++ ? (void)0 : answer(h, 0, &open, sizeof(open));
	case FUSE_READ:
		return unread ? (void)0 : kept ? answer_once(h) : answer(h, 0, page, sizeof(page));
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		return answer(h, 0, "", 0);
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return answer(h, -38 /* ENOSYS */, "", 0);
	}
}

static void serve_all(void)
{
	static char in[1 << 20];

	while (read(device, in, sizeof(in)) > 0)
		serve((struct fuse_in_header *)in);
	_exit(0);
}

/* Makes directories below PLACE whose names are spaces, which mountinfo writes as four characters each. */
static void make_deep(char *place)
{
	int i;

	for (i = 0; i < 9; i++) {
		sprintf(place + strlen(place), "/%240s", "");
		mkdir(place, 0755);
	}
}

int main(int argc, char **argv)
{
	char options[100], place[4096] = MOUNTED;
	int (*code)(void), file, i, detached, deep;

	unread = argc > 1 && !strcmp(argv[1], "unread");
	kept = argc > 1 && !strcmp(argv[1], "kept");
	detached = argc > 1 && !strcmp(argv[1], "detached");
	deep = argc > 1 && !strcmp(argv[1], "deep");
	device = open("/dev/fuse", O_RDWR);
	mkdir(MOUNTED, 0755);
	if (deep)
		make_deep(place);
	sprintf(options, "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (mount("silent", place, "fuse", MS_NOSUID | MS_NODEV, options)) {
		perror(place);
		return 1;
	}
	if (!fork())
		serve_all();
	file = open(strcat(place, "/file"), O_RDONLY);
	code = mmap(NULL, sizeof(page), PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
	if (code == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	*strrchr(place, '/') = '\0';
	if (detached)
		umount2(place, MNT_DETACH);
	while (argc > 1 && !unread && !kept && !detached && !deep && access(argv[1], F_OK))
		usleep(10000);
	touch((const char *)code);
	if (kept)
		return *(volatile char *)code;
	for (i = 0; i < 3 && !unread; i++)
		code();
	while ((detached || deep) && access(argv[2], F_OK))
		usleep(10000);
	umount2(place, MNT_DETACH);
	return 0;
}
