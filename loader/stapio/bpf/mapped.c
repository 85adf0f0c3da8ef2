// SPDX-License-Identifier: GPL-2.0-or-later
/* The files whose code processes have mapped (mapped.h). */
#define _GNU_SOURCE
#include "mapped.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/regular.h"
#include "base/table.h"
#include "base/vec.h"
#include "stapio/names/known.h"
#include "stapio/names/usymbols.h"

enum {
	FILES_MOST = ST_FILE_VDSO,	/* numbers below it */
	OPEN_MOST = 1024,		/* files that are open */
	TRIES_MOST = 3,			/* of processes, by which a file is looked for */
	LOADS_MOST = 32,		/* segments, as many as the unwinder looks at */
};

struct load {
	uint64_t address, offset, bytes;
	bool code;
};

struct file {
	uint32_t major, minor;
	uint64_t inode;
	const char *path;
	int fd;				/* -1: not open */
	unsigned tries;
	struct load loads[LOADS_MOST];
	unsigned n;
};

static vec(struct file *) files;	/* number 1 is the first */
static struct table by_path;
static unsigned nopen;

/* ---- numbers ------------------------------------------------------------------- */

static struct file *vdso(void)
{
	static struct file f = { .fd = -1 };

	return &f;
}

static struct file *file_of(unsigned number)
{
	if (number == ST_FILE_VDSO)
		return vdso();
	return number && number <= files.n ? files.v[number - 1] : NULL;
}

unsigned mapped_number(uint32_t major, uint32_t minor, uint64_t inode, const char *path)
{
	uint32_t hash = table_hash_string(path);
	struct file *f;

	if (!strcmp(path, "[vdso]"))
		return ST_FILE_VDSO;
	if (*path != '/' || !inode)
		return 0;
	table_for_each(&by_path, hash, i) {
		f = files.v[i];
		if (f->inode == inode && f->major == major && f->minor == minor && !strcmp(f->path, path))
			return i + 1;
	}
	if (files.n + 1 == FILES_MOST)
		return 0;
	f = arena_new(struct file);
	*f = (struct file){ .major = major, .minor = minor, .inode = inode, .path = arena_strdup(path), .fd = -1 };
	vec_push(&files, f);
	table_add(&by_path, hash, files.n - 1);
	return files.n;
}

/* ---- opening ------------------------------------------------------------------- */

/*
 * Which mount is looked for: the one of a number, or those of a file's device.  A file of an overlay has the device of
 * the file system below, which need not be mounted; but what opens it is the overlay's mount.
 */
struct wanted {
	int number;			/* -1: by the device */
	const struct file *file;
};

/* What a list of mounts says of it. */
enum mounted { NOWHERE, AT_HAND, IN_FUSE };

static enum mounted mounted_by(const char *line, const struct wanted *w)
{
	const char *kind = strstr(line, " - ");
	unsigned major, minor;
	int number;

	if (!kind || sscanf(line, "%d %*u %u:%u", &number, &major, &minor) != 3 ||
	    (w->number < 0 ? major != w->file->major || minor != w->file->minor : number != w->number))
		return NOWHERE;
	return !strncmp(kind + 3, "fuse ", 5) || !strncmp(kind + 3, "fuse.", 5) || !strncmp(kind + 3, "fuseblk ", 8) ?
	       IN_FUSE : AT_HAND;
}

/* Looks in the list of a process.  PROCESS is its number, or "self". */
static enum mounted mounted(const struct wanted *w, const char *process)
{
	enum mounted found = NOWHERE, its;
	char path[64], *line = NULL;
	size_t room = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%s/mountinfo", process);
	in = fopen(path, "re");
	while (in && found != IN_FUSE && getline(&line, &room, in) > 0) {
		its = mounted_by(line, w);
		found = its == NOWHERE ? found : its;
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

/* Is the file on a file system of FUSE that the process sees? */
static bool has_fuse(const struct file *f, const char *process)
{
	return mounted(&(struct wanted){ -1, f }, process) == IN_FUSE;
}

/* Returns the number of the mount by which a descriptor was opened; 0: unknown. */
static int mount_of(int fd)
{
	char path[64], line[128];
	int number = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	in = fopen(path, "re");
	while (in && !number && fgets(line, sizeof(line), in))
		sscanf(line, "mnt_id: %d", &number);
	if (in)
		fclose(in);
	return number;
}

/*
 * Opens the very file that a process has mapped, whose server O_PATH doesn't ask, if its mount is one that the process
 * or this one sees: one that was detached, or lies outside the root directory, may be one of FUSE.
 */
static int open_link(const struct mapping *m, const char *process)
{
	struct wanted w = { .number = 0 };
	char path[128];
	int found, fd = -1;

	snprintf(path, sizeof(path), "/proc/%s/map_files/%llx-%llx", process, (unsigned long long)m->start,
		 (unsigned long long)m->end);
	found = open(path, O_PATH | O_CLOEXEC);
	if (found < 0)
		return -1;
	w.number = mount_of(found);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
	if (mounted(&w, process) == AT_HAND || mounted(&w, "self") == AT_HAND)
		fd = regular_open(path);
	close(found);
	return fd;
}

/* Opens the file by a path, if it is there at once, and is the one that was mapped. */
static int open_same(const struct file *f, const char *path)
{
	int fd = is_in_fuse(path) ? -1 : regular_open(path);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || st.st_ino != f->inode)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Opens the file that a process has mapped: its very file, or by its path; here, if the process has ended. */
static int open_mapped(const struct file *f, const struct mapping *m, uint32_t process)
{
	char number[16], path[8192];
	int fd = -1;

	snprintf(number, sizeof(number), "%u", process);
	if (has_fuse(f, number) || has_fuse(f, "self"))
		return -1;
	fd = open_link(m, number);
	if (fd < 0) {
		snprintf(path, sizeof(path), "/proc/%s/root%s", number, f->path);
		fd = open_same(f, path);
	}
	return fd < 0 ? open_same(f, f->path) : fd;
}

static void read_loads(struct file *f)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (pread(f->fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof(ph))
		return;
	for (unsigned i = 0; i < eh.e_phnum && f->n < LOADS_MOST; i++) {
		if (pread(f->fd, &ph, sizeof(ph), eh.e_phoff + i * sizeof(ph)) != sizeof(ph))
			return;
		if (ph.p_type == PT_LOAD)
			f->loads[f->n++] = (struct load){ ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_flags & PF_X };
	}
}

int mapped_open(const struct mapping *m, uint32_t process)
{
	struct file *f = file_of(m->file);

	if (!f || f->fd >= 0 || f->tries == TRIES_MOST || nopen == OPEN_MOST)
		return f ? f->fd : -1;
	f->tries++;
	f->fd = f == vdso() ? usymbols_open_vdso() : open_mapped(f, m, process);
	if (f->fd < 0)
		return -1;
	nopen++;
	read_loads(f);
	return f->fd;
}

int mapped_copy(unsigned number)
{
	const struct file *f = file_of(number);

	return f && f->fd >= 0 ? fcntl(f->fd, F_DUPFD_CLOEXEC, 0) : -1;
}

/* ---- images -------------------------------------------------------------------- */

/* Returns the file's address of its first page, as the unwinder counts it. */
static bool first_page(const struct file *f, uint64_t *address)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->loads[i].offset < 4096) {
			*address = f->loads[i].address - f->loads[i].offset;
			return true;
		}
	return false;
}

uint64_t mapped_image(const struct mapping *m)
{
	const struct file *f = file_of(m->file);
	uint64_t first;

	if (!f || !first_page(f, &first))
		return 0;
	for (unsigned i = 0; i < f->n; i++) {
		const struct load *l = &f->loads[i];

		if (l->code && m->offset - (l->offset & -4096ul) < l->bytes + l->offset % 4096)
			return m->start - (l->address - l->offset + m->offset) + first;
	}
	return 0;
}

bool mapped_read(unsigned number, uint64_t image, uint64_t address, void *to, size_t bytes)
{
	const struct file *f = file_of(number);
	uint64_t first;

	if (!f || f->fd < 0 || !first_page(f, &first))
		return false;
	for (unsigned i = 0; i < f->n; i++) {
		uint64_t in = address - (image - first) - f->loads[i].address;

		if (in < f->loads[i].bytes)
			return pread(f->fd, to, bytes, f->loads[i].offset + in) == (ssize_t)bytes;
	}
	return false;
}
