// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * State that the guests of one machine share: the slots, which bound how many run at
 * once, and a note that KVM, though present, does not boot one.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

/*
 * A slot is a locked file; the lock ends with the process, whatever ends that. All users can
 * write to the directory, which has the sticky bit: there the kernel refuses to open another
 * user's file with O_CREAT, hence the second attempt without it.
 */
static int lock_open(const char *name)
{
	int fd = open(name, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);

	return fd >= 0 ? fd : open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

/* Waiting processes queue up at one more lock, whose holder gets the next free slot. */
void vm_slot_take(void)
{
	const struct timespec moment = { .tv_nsec = 50 * 1000 * 1000 };
	long i, n = sysconf(_SC_NPROCESSORS_ONLN);
	int queue = lock_open("/tmp/.stap-vm.queue");
	char path[64];

	flock(queue, LOCK_EX);
	for (i = 0; ; i++) {
		int fd;

		if (i == n) {
			nanosleep(&moment, NULL);
			i = 0;
		}
		snprintf(path, sizeof(path), "/tmp/.stap-vm.slot%ld", i);
		fd = lock_open(path);
		/* If lock files can't be made, there is nothing to wait for. */
		if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
			break;
		close(fd);
	}
	close(queue);
}

/* The note that KVM failed, valid until the machine is booted again. */
static void kvm_note_path(char *path, size_t size)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	if (dir && dir[0] == '/' && access(dir, W_OK) == 0)
		snprintf(path, size, "%s/stap-vm.nokvm", dir);
	else
		snprintf(path, size, "/tmp/.stap-vm.nokvm.%u", geteuid());
}

static void boot_id(char *buf, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

bool vm_kvm_usable(void)
{
	char path[4096], id[64], noted[64] = "";
	struct stat st;
	int fd;

	if (access("/dev/kvm", R_OK | W_OK))
		return false;
	kvm_note_path(path, sizeof(path));
	boot_id(id, sizeof(id));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return true;
	if (fstat(fd, &st) || st.st_uid != geteuid() || read(fd, noted, sizeof(noted) - 1) < 0)
		noted[0] = '\0';
	close(fd);
	return strcmp(id, noted) != 0;
}

void vm_kvm_failed(void)
{
	char path[4096], id[64];
	int fd;

	kvm_note_path(path, sizeof(path));
	boot_id(id, sizeof(id));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (write(fd, id, strlen(id)) < 0)
		unlink(path);
	close(fd);
}
