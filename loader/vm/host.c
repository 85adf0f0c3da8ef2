// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * State that all guests of a user share: the slots, which bound how many run at
 * once, and a note of whether KVM boots a guest here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

bool vm_own_dir(const char *path)
{
	struct stat st;

	mkdir(path, 0700);
	return !lstat(path, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & 022) && !access(path, W_OK);
}

/*
 * Opens one of our files, in the directory that this user has for them: root's /run/stap-vm, a user's
 * $XDG_RUNTIME_DIR/stap-vm, or /tmp/stap-vm-UID if that can't be made. In /tmp another user may have made
 * it first; then we have no files.
 */
static int own_open(const char *name, int flags)
{
	const char *runtime = geteuid() ? getenv("XDG_RUNTIME_DIR") : "/run";
	char dir[PATH_MAX - 16] = "", path[PATH_MAX];

	if (runtime && *runtime == '/')
		snprintf(dir, sizeof(dir), "%s/stap-vm", runtime);
	if (!*dir || !vm_own_dir(dir))
		snprintf(dir, sizeof(dir), "/tmp/stap-vm-%u", geteuid());
	if (!vm_own_dir(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Returns the process that noted itself in a slot's file, or 0. */
static long slot_holder(unsigned int slot)
{
	char name[32], text[32] = "";
	int fd;

	snprintf(name, sizeof(name), "slot%u", slot);
	fd = own_open(name, O_RDONLY);
	if (fd < 0)
		return 0;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return atol(text);
}

static volatile sig_atomic_t waits_long;

static void note_long_wait(int sig)
{
	(void)sig;
	waits_long = 1;
}

/* Prints once, after two seconds, which processes hold the slots. */
static void say_if_long(unsigned int slots)
{
	const char *before = " ";
	unsigned int i;

	if (!waits_long)
		return;
	waits_long = 0;
	fprintf(stderr, "stap-vm: waiting for one of the guests that run here to end (processes");
	for (i = 0; i < slots; i++) {
		long pid = slot_holder(i);

		if (pid > 0) {
			fprintf(stderr, "%s%ld", before, pid);
			before = ", ";
		}
	}
	fprintf(stderr, ")\n");
}

/* Takes the slot if it is free, and notes our process in it. */
static bool slot_try(unsigned int slot)
{
	char name[32];
	int fd;

	snprintf(name, sizeof(name), "slot%u", slot);
	fd = own_open(name, O_RDWR | O_CREAT);
	if (fd < 0)
		return true;	/* if lock files can't be made, there is nothing to wait for */
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return false;
	}
	if (ftruncate(fd, 0) || dprintf(fd, "%ld\n", (long)getpid()) < 0)
		perror("stap-vm: cannot note which process holds a guest's slot");
	return true;
}

/*
 * Takes a slot, which is a locked file; the kernel releases the lock when the process ends, however
 * it ends. Waiting processes queue up at one more lock, whose holder gets the next free slot. A
 * user at a terminal reads a message after two seconds.
 */
void vm_slot_take(unsigned int slots)
{
	const struct timespec moment = { .tv_nsec = 50 * 1000 * 1000 };
	const struct sigaction alarmed = { .sa_handler = note_long_wait };	/* interrupts flock() */
	unsigned int slot;
	int queue = own_open("queue", O_RDONLY | O_CREAT);

	sigaction(SIGALRM, &alarmed, NULL);
	if (isatty(2))
		alarm(2);
	while (flock(queue, LOCK_EX) && errno == EINTR)
		say_if_long(slots);
	for (;;) {
		for (slot = 0; slot < slots; slot++) {
			if (slot_try(slot)) {
				alarm(0);
				close(queue);
				return;
			}
		}
		say_if_long(slots);
		nanosleep(&moment, NULL);
	}
}

/* This file notes whether KVM boots a guest: "yes" or "no", and this boot's id, "yes 5a1e3c0b-…". */
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
