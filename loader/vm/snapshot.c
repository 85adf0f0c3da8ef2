// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Snapshots of guests that have booted, because an emulated kernel takes seconds to boot.
 *
 * A snapshot is taken when init has its drivers and waits for VM_MOUNT: the shared root, which QEMU
 * can't save, is plugged in only afterwards, into a PCI Express port. ~/.cache/stap-vm/KEY holds
 *
 *	struct head
 *	what the console had printed
 *	QEMU's migration stream, without the guest's memory
 *	the memory: struct part and its bytes, for each part that isn't zero; a part of length 0
 *
 * QEMU would look at each page of the memory, also at those that were never used; so the memory is a memfd
 * of ours, and QEMU leaves it out (its capability x-ignore-shared).
 *
 * KEY is a digest of all that the boot depends on: QEMU and its arguments, the kernel, the initramfs.
 * The first boot with a key leaves an empty file, and the second, which shows that there are more to come,
 * fills it. A snapshot that can't be used is replaced by a file that says so: a head of zeroes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "vm.h"

#define MAGIC		0x31736d76u	/* "vms1" */
#define MOST		6		/* files that are kept, some 150 MB each */
#define LIMIT		60		/* seconds for QEMU to save or to restore a guest */
#define PAGE		4096
#define TEXT_MOST	(1u << 20)

struct head {
	uint32_t magic;
	uint32_t text;		/* bytes of the console's text, */
	uint64_t stream;	/* and of QEMU's stream */
};

struct part {
	uint64_t at, len;	/* where it is in the memory, and its bytes, which follow */
};

/* ---- the file ---- */

static bool is_plain(const char *path)
{
	return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") ==
	       strlen(path);
}

/* Is this directory the user's own, or root's? Whoever has a directory above ours could exchange ours. */
static bool is_trusted(const char *path)
{
	struct stat st;

	return !stat(path, &st) && (st.st_uid == geteuid() || !st.st_uid) && !(st.st_mode & 022);
}

/* Makes the directory's path. A shell, which QEMU starts, is told a path in it, so it has plain characters. */
static bool directory(char *dir, size_t size)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/') {
		snprintf(dir, size, "%s", cache);
	} else {
		if (!home || *home != '/' || !is_trusted(home))
			return false;
		snprintf(dir, size, "%s/.cache", home);
	}
	if (strlen(dir) + 16 > size || !is_plain(dir))
		return false;
	mkdir(dir, 0700);
	if (!is_trusted(dir))
		return false;
	strcat(dir, "/stap-vm");
	return vm_own_dir(dir);
}

static void put_identity(FILE *f, const char *path)
{
	struct stat st = { 0 };

	stat(path, &st);
	fprintf(f, "%s %lu %lu %ld %ld.%ld %ld.%ld\n", path, st.st_dev, st.st_ino, st.st_size,
		st.st_mtim.tv_sec, st.st_mtim.tv_nsec, st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
}

/* Computes the key's hexadecimal digits; returns false if the initramfs can't be read. */
static bool key_of(const struct vm_config *cfg, int initramfs, char hex[2 * SHA256_BYTES + 1])
{
	uint8_t digest[SHA256_BYTES];
	struct stat st;
	size_t size;
	char *text;
	void *image;
	FILE *f;

	if (fstat(initramfs, &st))
		return false;
	image = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, initramfs, 0);
	if (image == MAP_FAILED)
		return false;
	f = open_memstream(&text, &size);
	if (f) {
		put_identity(f, cfg->qemu);
		put_identity(f, cfg->kernel);
		vm_guest_print_command(f, cfg);
		fwrite(image, 1, st.st_size, f);
	}
	munmap(image, st.st_size);
	if (!f || fclose(f))
		return false;
	sha256(text, size, digest);
	free(text);
	for (int i = 0; i < SHA256_BYTES; i++)
		sprintf(hex + 2 * i, "%02x", digest[i]);
	return true;
}

/* Is this file a snapshot?  Sets *ST to what it is. */
static bool is_snapshot(const char *path, const char *name, struct stat *st)
{
	return strlen(name) == 2 * SHA256_BYTES && strspn(name, "0123456789abcdef") == 2 * SHA256_BYTES &&
	       !lstat(path, st) && S_ISREG(st->st_mode) && st->st_size > (off_t)sizeof(struct head);
}

/* Is this the name of a file that is, or was, being written? */
static bool is_part(const char *name)
{
	return strlen(name) == 2 * SHA256_BYTES + 5 && !strcmp(name + 2 * SHA256_BYTES, ".part");
}

/* Removes a file unless a process writes it, which holds its lock. */
static void remove_unlocked(const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		unlink(path);
	close(fd);
}

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

/* Removes the snapshot that was used longest ago while there are MOST or more. */
static void prune(const char *dir)
{
	for (;;) {
		char path[PATH_MAX], oldest[PATH_MAX] = "";
		struct timespec when = { 0 };
		struct dirent *e;
		struct stat st;
		DIR *d = opendir(dir);
		int n = 0;

		while (d && (e = readdir(d))) {
			snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
			if (is_part(e->d_name))
				remove_unlocked(path);
			if (!is_snapshot(path, e->d_name, &st))
				continue;
			n++;
			if (*oldest && !is_before(st.st_mtim, when))
				continue;
			when = st.st_mtim;
			strcpy(oldest, path);
		}
		if (d)
			closedir(d);
		if (n < MOST || unlink(oldest))
			return;
	}
}

/* Opens the file that the guest is to be saved in, unless another process saves one. */
static void begin_to_save(struct vm_snapshot *s)
{
	struct stat a, b;

	s->fd = open(s->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	/* The one who had the lock before may have renamed the file. */
	if (s->fd >= 0 && !flock(s->fd, LOCK_EX | LOCK_NB) && !fstat(s->fd, &a) && !stat(s->part, &b) &&
	    a.st_ino == b.st_ino && !ftruncate(s->fd, 0)) {
		s->use = VM_SNAPSHOT_SAVE;
		return;
	}
	close(s->fd);
	s->fd = -1;
}

void vm_snapshot_find(struct vm_snapshot *s, const struct vm_config *cfg, int initramfs, int signals)
{
	char dir[PATH_MAX - 96], hex[2 * SHA256_BYTES + 1];
	struct stat st;

	*s = (struct vm_snapshot){ .fd = -1, .memory = -1, .size = (size_t)cfg->mem << 20,
				   .signals = signals };
	if (!directory(dir, sizeof(dir)) || !key_of(cfg, initramfs, hex))
		return;
	snprintf(s->path, sizeof(s->path), "%s/%s", dir, hex);
	snprintf(s->part, sizeof(s->part), "%s/%s.part", dir, hex);
	s->fd = open(s->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (s->fd >= 0) {
		close(s->fd);
		s->fd = -1;
		return;
	}
	s->fd = open(s->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st))
		return;
	if (!st.st_size) {
		close(s->fd);
		prune(dir);
		begin_to_save(s);
	} else if (st.st_size > (off_t)sizeof(struct head)) {
		s->use = VM_SNAPSHOT_RESTORE;
		futimens(s->fd, NULL);
	}
	if (s->use == VM_SNAPSHOT_NONE)
		return;
	s->memory = memfd_create("stap-vm-memory", MFD_CLOEXEC);
	if (s->memory < 0 || ftruncate(s->memory, s->size))
		vm_snapshot_close(s);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void vm_snapshot_close(struct vm_snapshot *s)
{
	if (s->use == VM_SNAPSHOT_SAVE)
		unlink(s->part);
	close_fd(s->fd);
	close_fd(s->memory);
	*s = (struct vm_snapshot){ .fd = -1, .memory = -1 };
}

void vm_snapshot_give_up(struct vm_snapshot *s)
{
	const struct head none = { 0 };
	int fd = open(s->path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || write(fd, &none, sizeof(none)) < 0)
		perror("stap-vm: cannot note that a snapshot does not work");
	close(fd);
	vm_snapshot_close(s);
}

/* ---- QEMU ---- */

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Sends commands to the monitor, and reads until a line of its output begins with START. Returns the rest of
 * that line in REST; or false if QEMU doesn't answer until the time UNTIL, or a signal comes. The monitor repeats the whole line
 * at each character that it reads, so what was read before the last few hundred bytes is dropped. */
static bool ask(const struct vm_snapshot *s, int fd, const char *command, const char *start, double until, char *rest, size_t size)
{
	char buf[4096], *line;
	const size_t tail = 256;
	size_t n = 0;

	if (send(fd, command, strlen(command), MSG_NOSIGNAL) != (ssize_t)strlen(command))
		return false;
	while (now() < until) {
		struct pollfd p[] = { { .fd = fd, .events = POLLIN }, { .fd = s->signals, .events = POLLIN } };
		ssize_t got;

		if (poll(p, 2, 100) <= 0)
			continue;
		if (p[1].revents)
			return false;
		if (n > sizeof(buf) / 2) {
			memmove(buf, buf + n - tail, tail);
			n = tail;
		}
		got = recv(fd, buf + n, sizeof(buf) - 1 - n, MSG_DONTWAIT);
		if (got <= 0)
			return false;
		n += got;
		buf[n] = '\0';
		line = memmem(buf, n, start, strlen(start));
		if (line && strchr(line, '\n')) {
			line += strlen(start);
			snprintf(rest, size, "%.*s", (int)strcspn(line, "\r\n"), line);
			return true;
		}
	}
	return false;
}

/* ---- saving ---- */

static bool write_all(int fd, const void *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n <= 0)
			return false;
		data = (const char *)data + n;
		size -= n;
	}
	return true;
}

/* Writes the parts of the memory between FROM and TO, which the memfd has, that aren't zero. */
static bool save_parts(int fd, const char *memory, size_t from, size_t to)
{
	static const char zero[PAGE];

	while (from < to) {
		struct part part;
		size_t end;

		if (!memcmp(memory + from, zero, PAGE)) {
			from += PAGE;
			continue;
		}
		for (end = from; end < to && memcmp(memory + end, zero, PAGE); end += PAGE)
			;
		part = (struct part){ from, end - from };
		if (!write_all(fd, &part, sizeof(part)) || !write_all(fd, memory + from, part.len))
			return false;
		from = end;
	}
	return true;
}

static bool save_memory(const struct vm_snapshot *s)
{
	const char *memory = mmap(NULL, s->size, PROT_READ, MAP_SHARED, s->memory, 0);
	const struct part last = { 0 };
	off_t from = 0, to;
	bool done = memory != MAP_FAILED;

	while (done && (from = lseek(s->memory, from, SEEK_DATA)) >= 0) {
		to = lseek(s->memory, from, SEEK_HOLE);
		done = to > from && save_parts(s->fd, memory, from, to);
		from = to;
	}
	if (memory != MAP_FAILED)
		munmap((void *)memory, s->size);
	return done && write_all(s->fd, &last, sizeof(last));
}

static bool save(const struct vm_snapshot *s, const struct vm_guest *g, const struct vm_console *c)
{
	struct head head = { MAGIC, c->len < TEXT_MOST ? c->len : TEXT_MOST, 0 };
	char command[PATH_MAX + 128], status[64];
	off_t end;

	snprintf(command, sizeof(command), "migrate_set_capability x-ignore-shared on\n"
		 "migrate \"exec:cat >> %s\"\ninfo migrate\n", s->part);
	if (!write_all(s->fd, &head, sizeof(head)) || !write_all(s->fd, c->text, head.text) ||
	    !ask(s, g->fd[VM_MONITOR], command, "Migration status: ", now() + LIMIT, status, sizeof(status)) ||
	    strcmp(status, "completed"))
		return false;
	end = lseek(s->fd, 0, SEEK_END);
	head.stream = end - sizeof(head) - head.text;
	return pwrite(s->fd, &head, sizeof(head), 0) == sizeof(head) && save_memory(s) &&
	       !rename(s->part, s->path);
}

bool vm_snapshot_save(struct vm_snapshot *s, const struct vm_guest *g, const struct vm_console *c)
{
	if (!save(s, g, c))
		unlink(s->part);	/* the next boot tries again */
	s->use = VM_SNAPSHOT_NONE;
	return send(g->fd[VM_MONITOR], "cont\n", 5, MSG_NOSIGNAL) == 5;
}

/* ---- restoring ---- */

static bool read_all(int fd, void *data, size_t size)
{
	while (size) {
		ssize_t n = read(fd, data, size);

		if (n <= 0)
			return false;
		data = (char *)data + n;
		size -= n;
	}
	return true;
}

static bool read_memory(const struct vm_snapshot *s)
{
	char *memory = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, s->memory, 0);
	struct part part = { 0 };
	bool good = memory != MAP_FAILED;

	do {
		good = good && read_all(s->fd, &part, sizeof(part)) && part.at <= s->size &&
		       part.len <= s->size - part.at && read_all(s->fd, memory + part.at, part.len);
	} while (good && part.len);
	if (memory != MAP_FAILED)
		munmap(memory, s->size);
	return good;
}

bool vm_snapshot_read(const struct vm_snapshot *s, struct vm_console *c)
{
	struct head head;
	char *text = NULL;
	bool good = read_all(s->fd, &head, sizeof(head)) && head.magic == MAGIC && head.text <= TEXT_MOST &&
		    (text = malloc(head.text + 1)) && read_all(s->fd, text, head.text) &&
		    lseek(s->fd, head.stream, SEEK_CUR) >= 0 && read_memory(s) &&
		    lseek(s->fd, sizeof(head) + head.text, SEEK_SET) >= 0;

	if (good)
		vm_console_put(c, text, head.text);
	free(text);
	return good;
}

bool vm_snapshot_restore(const struct vm_snapshot *s, const struct vm_guest *g)
{
	const struct timespec moment = { .tv_nsec = 10 * 1000 * 1000 };
	double until = now() + LIMIT;
	char command[128], status[64];

	snprintf(command, sizeof(command), "migrate_set_capability x-ignore-shared on\n"
		 "migrate_incoming fd:%d\ninfo status\n", s->fd);
	while (ask(s, g->fd[VM_MONITOR], command, "VM status: ", until, status, sizeof(status))) {
		if (!strncmp(status, "running", 7))
			return true;
		nanosleep(&moment, NULL);
		strcpy(command, "info status\n");
	}
	return false;
}
