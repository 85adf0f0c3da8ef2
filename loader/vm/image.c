// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the guest's initramfs: our init, and the kernel modules that it needs to mount
 * the shared root, in the order in which it must insert them (/m/00, /m/01, ...). A
 * kernel with these drivers built in gets no modules. The image is a few files in
 * cpio's "newc" format. It is made in memory for each boot, so it never gets stale.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define MAX_MODULES 100

/* The image that is being made. */
struct image {
	FILE *f;
	const struct vm_config *cfg;
	char *dep;			/* the text of modules.dep */
	char *loaded[MAX_MODULES];	/* paths under ROOT/lib/modules/RELEASE, in order */
	int nloaded;
};

/* Writes one file's header: the magic, then thirteen fields of eight hex digits. */
static void cpio_header(FILE *f, const char *name, unsigned int mode, size_t size)
{
	static unsigned int inode;

	fprintf(f, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08X%08X",
		++inode, mode, 0, 0, 1, 0, size, 0, 0, 0, 0, (unsigned int)strlen(name) + 1, 0);
	fwrite(name, 1, strlen(name) + 1, f);
	while (ftell(f) % 4)
		putc(0, f);
}

static void cpio_file(FILE *f, const char *name, const char *data, size_t size)
{
	cpio_header(f, name, S_IFREG | 0755, size);
	fwrite(data, 1, size, f);
	while (ftell(f) % 4)
		putc(0, f);
}

/* Reads all of f into malloc'ed memory, NUL-terminated; NULL if memory or reading fails. */
static char *slurp(FILE *f, size_t *size)
{
	char *data = NULL;
	FILE *out = open_memstream(&data, size);
	char buf[65536];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		fwrite(buf, 1, n, out);
	if (fclose(out) || ferror(f)) {
		free(data);
		return NULL;
	}
	return data;
}

static char *slurp_path(const char *path, size_t *size)
{
	FILE *f = fopen(path, "re");
	char *data;

	if (!f)
		return NULL;
	data = slurp(f, size);
	fclose(f);
	return data;
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

/*
 * Starts TOOL, which decompresses the file PATH to *F. There is no shell in between, because it would
 * interpret a path from another system's modules.dep.
 */
static pid_t start_unpacking(const char *tool, const char *path, FILE **f)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		dup2(ends[1], 1);
		execlp(tool, tool, "-dc", "--", path, (char *)NULL);
		fprintf(stderr, "stap-vm: cannot run %s: %s\n", tool, strerror(errno));
		_exit(127);
	}
	close(ends[1]);
	*f = fdopen(ends[0], "r");
	if (!*f)
		close(ends[0]);
	return pid;
}

static char *unpacked(const char *tool, const char *path, size_t *size)
{
	FILE *f = NULL;
	char *data = NULL;
	pid_t pid = start_unpacking(tool, path, &f);
	int status;

	if (f) {
		data = slurp(f, size);
		fclose(f);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && !status)
		return data;
	free(data);
	errno = EIO;	/* TOOL has printed the reason */
	return NULL;
}

/* Reads a module's file, decompressed, because not every kernel can decompress modules itself. */
static char *module_data(const char *path, size_t *size)
{
	const char *tool = ends_with(path, ".xz") ? "xz" : ends_with(path, ".zst") ? "zstd" :
			   ends_with(path, ".gz") ? "gzip" : NULL;

	return tool ? unpacked(tool, path, size) : slurp_path(path, size);
}

/* Is PATH, of LEN bytes, the file of module NAME? In paths, '-' stands for '_'. */
static bool is_module(const char *path, size_t len, const char *name)
{
	const char *base = memrchr(path, '/', len);

	base = base ? base + 1 : path;
	for (; *name; name++, base++) {
		char c = *base == '-' ? '_' : *base;

		if (base >= path + len || c != *name)
			return false;
	}
	return !strncmp(base, ".ko", 3);
}

static bool is_builtin(const struct vm_config *cfg, const char *name)
{
	char path[PATH_MAX], line[512];
	bool found = false;
	FILE *f;

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.builtin", cfg->root,
		 cfg->release);
	f = fopen(path, "re");
	while (f && !found && fgets(line, sizeof(line), f))
		found = is_module(line, strcspn(line, "\n"), name);
	if (f)
		fclose(f);
	return found;
}

static bool add_path(struct image *im, const char *rel, size_t len)
{
	char path[PATH_MAX], name[16];
	size_t size;
	char *data;
	int i;

	for (i = 0; i < im->nloaded; i++)
		if (!strncmp(im->loaded[i], rel, len) && !im->loaded[i][len])
			return true;
	if (im->nloaded == MAX_MODULES)
		return false;
	snprintf(path, sizeof(path), "%s/lib/modules/%s/%.*s", im->cfg->root, im->cfg->release,
		 (int)len, rel);
	data = module_data(path, &size);
	if (!data) {
		fprintf(stderr, "stap-vm: cannot read the kernel module %s: %s\n", path,
			strerror(errno));
		return false;
	}
	snprintf(name, sizeof(name), "m/%02d", im->nloaded);
	cpio_file(im->f, name, data, size);
	free(data);
	im->loaded[im->nloaded++] = strndup(rel, len);
	return true;
}

/*
 * Adds a module and its dependencies from its line in modules.dep, "path: dep dep ...", where
 * the last dependency must be inserted first.
 */
static bool add_module(struct image *im, const char *name)
{
	const char *line, *colon, *end, *p;

	for (line = im->dep; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		colon = memchr(line, ':', end - line);
		if (!colon || !is_module(line, colon - line, name))
			continue;
		for (p = end; p > colon + 1; ) {
			const char *stop = p;

			while (p > colon + 1 && p[-1] != ' ')
				p--;
			if (stop > p && !add_path(im, p, stop - p))
				return false;
			while (p > colon + 1 && p[-1] == ' ')
				p--;
		}
		return add_path(im, line, colon - line);
	}
	if (is_builtin(im->cfg, name))
		return true;
	fprintf(stderr, "stap-vm: kernel %s has no %s driver, which the guest needs; choose "
		"another kernel with -r\n", im->cfg->release, name);
	return false;
}

static bool fill(struct image *im)
{
	static const char *const drivers[] = {
		"virtio_pci", "virtio_console", "fuse", "virtiofs", "overlay", NULL };
	const char *const *d;
	char path[PATH_MAX];
	size_t size;
	char *init;
	bool ok = true;

	init = slurp_path(im->cfg->init, &size);
	if (!init) {
		fprintf(stderr, "stap-vm: cannot read %s: %s\n", im->cfg->init, strerror(errno));
		return false;
	}
	cpio_file(im->f, "init", init, size);
	free(init);
	cpio_header(im->f, "m", S_IFDIR | 0755, 0);

	snprintf(path, sizeof(path), "%s/lib/modules/%s/modules.dep", im->cfg->root,
		 im->cfg->release);
	im->dep = slurp_path(path, &size);
	if (!im->dep) {
		fprintf(stderr, "stap-vm: cannot read %s: %s; try: depmod %s\n", path,
			strerror(errno), im->cfg->release);
		return false;
	}
	for (d = drivers; ok && *d; d++)
		ok = add_module(im, *d);
	free(im->dep);
	cpio_file(im->f, "TRAILER!!!", "", 0);
	return ok;
}

int vm_initramfs(const struct vm_config *cfg)
{
	struct image im = { .cfg = cfg };
	int fd = memfd_create("stap-vm-initramfs", MFD_CLOEXEC);
	int copy = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 3);
	bool ok;

	im.f = copy < 0 ? NULL : fdopen(copy, "w");
	if (!im.f) {
		perror("stap-vm: cannot make the guest's initramfs");
		return -1;
	}
	ok = fill(&im);
	while (im.nloaded > 0)
		free(im.loaded[--im.nloaded]);
	if (fclose(im.f) && ok) {
		perror("stap-vm: cannot write the guest's initramfs");
		ok = false;
	}
	if (!ok) {
		close(fd);
		return -1;
	}
	return fd;
}
