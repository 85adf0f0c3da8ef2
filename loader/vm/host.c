// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * State that the guests of one machine share: the slots, which bound how many run at
 * once, and a note of whether KVM, where it is present, boots one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define OWN_DIR "/run/stap-vm"

/*
 * Makes the path of a file of ours. It is in a directory that only root can write, or else, where
 * that can't be made, in /tmp.
 */
static void own_path(char *path, size_t size, const char *name)
{
	struct stat st;
	bool own;

	mkdir(OWN_DIR, 0700);
	own = !lstat(OWN_DIR, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	      !(st.st_mode & 022) && !access(OWN_DIR, W_OK);
	snprintf(path, size, "%s%s", own ? OWN_DIR "/" : "/tmp/.stap-vm.", name);
}

/*
 * Opens a file of ours. In /tmp another user may have put something in its place: a pipe that
 * nobody opens at the other end, or a file that stays locked for ever. Such are refused.
 */
static int own_open(const char *name, int flags)
{
	char path[64];
	struct stat st;
	int fd;

	own_path(path, sizeof(path), name);
	fd = open(path, flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid())
		return fd;
	close(fd);
	return -1;
}

/*
 * A slot is a locked file; the lock ends with the process, whatever ends that. Waiting processes
 * queue up at one more lock, whose holder gets the next free slot.
 */
void vm_slot_take(void)
{
	const struct timespec moment = { .tv_nsec = 50 * 1000 * 1000 };
	long i, n = sysconf(_SC_NPROCESSORS_ONLN);
	int queue = own_open("queue", O_RDONLY | O_CREAT);
	char name[32];

	flock(queue, LOCK_EX);
	for (i = 0; ; i++) {
		int fd;

		if (i == n) {
			nanosleep(&moment, NULL);
			i = 0;
		}
		snprintf(name, sizeof(name), "slot%ld", i);
		fd = own_open(name, O_RDONLY | O_CREAT);
		/* If lock files can't be made, there is nothing to wait for. */
		if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB))
			break;
		close(fd);
	}
	close(queue);
}

/* The file that notes what probing KVM gave: "yes " or "no ", and the boot of this machine it is of. */
#define KVM_NOTE "kvm"

static void boot_id(char *buf, size_t size)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	buf[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

/* Makes the note's text. */
static void kvm_note(char *buf, size_t size, bool works)
{
	char id[64];

	boot_id(id, sizeof(id));
	snprintf(buf, size, "%s %s", works ? "yes" : "no", id);
}

enum vm_kvm vm_kvm_known(void)
{
	char note[80], noted[80] = "";
	int fd;

	if (access("/dev/kvm", R_OK | W_OK))
		return VM_KVM_FAILS;
	fd = own_open(KVM_NOTE, O_RDONLY);
	if (fd < 0)
		return VM_KVM_UNKNOWN;
	if (read(fd, noted, sizeof(noted) - 1) < 0)
		noted[0] = '\0';
	close(fd);
	kvm_note(note, sizeof(note), true);
	if (!strcmp(note, noted))
		return VM_KVM_WORKS;
	kvm_note(note, sizeof(note), false);
	return strcmp(note, noted) ? VM_KVM_UNKNOWN : VM_KVM_FAILS;
}

void vm_kvm_note(bool works)
{
	char note[80];
	int fd = own_open(KVM_NOTE, O_WRONLY | O_CREAT);

	if (fd < 0)
		return;
	kvm_note(note, sizeof(note), works);
	if (ftruncate(fd, 0) || write(fd, note, strlen(note)) < 0)
		perror("stap-vm: cannot note whether KVM works here");
	close(fd);
}
