// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds what a guest needs on this machine: a kernel, QEMU, virtiofsd, and our own init. A
 * message about a missing one names the Debian package that has it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/self.h"
#include "common/syscalls.h"
#include "vm.h"

#ifndef PKGLIBEXECDIR
#define PKGLIBEXECDIR "/usr/local/libexec/stap"
#endif

static char *format(const char *fmt, const char *arg)
{
	char *s;

	if (asprintf(&s, fmt, arg) < 0)
		abort();
	return s;
}

bool vm_in_root(const struct vm_config *cfg, const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	int fd = syscall(SYS_openat2, cfg->root_fd, path, &how, sizeof(how));

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static bool has_file(const struct vm_config *cfg, const char *fmt, const char *release)
{
	char *path = format(fmt, release);
	bool there = vm_in_root(cfg, path);

	free(path);
	return there;
}

/*
 * Returns the newest release that has an image and modules. Prefers one with headers, because scripts
 * can be built only for those.
 */
static char *newest_release(const struct vm_config *cfg)
{
	struct dirent **list;
	char *best = NULL, *fallback = NULL;
	int i, n = scandirat(cfg->root_fd, "lib/modules", &list, NULL, versionsort);

	for (i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		if (name[0] != '.' && has_file(cfg, "/boot/vmlinuz-%s", name)) {
			char **slot = has_file(cfg, "/lib/modules/%s/build", name) ? &best :
									     &fallback;

			free(*slot);
			*slot = format("%s", name);
		}
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	if (!best)
		return fallback;
	free(fallback);
	return best;
}

static const char *first_executable(const char *const *paths)
{
	for (; *paths; paths++)
		if (access(*paths, X_OK) == 0)
			return *paths;
	return NULL;
}

/* Finds stap-vm-init: beside this executable in a build tree, else where it is installed. */
static const char *find_init(void)
{
	char path[PATH_MAX];

	if (self_beside("stap-vm-init", path))
		return format("%s", path);
	return access(PKGLIBEXECDIR "/stap-vm-init", R_OK) ? NULL : PKGLIBEXECDIR "/stap-vm-init";
}

static bool missing(const char *what, const char *remedy)
{
	fprintf(stderr, "stap-vm: %s; %s\n", what, remedy);
	return false;
}

static bool find_root(struct vm_config *cfg)
{
	char *path = realpath(cfg->root ? cfg->root : "/", NULL);

	cfg->root_fd = path ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	if (cfg->root_fd < 0) {
		fprintf(stderr, "stap-vm: %s cannot be the guest's root: %s\n", cfg->root,
			strerror(errno));
		return false;
	}
	if (strchr(path, ',')) {	/* virtiofsd's options are separated by commas */
		fprintf(stderr, "stap-vm: the root's path has a comma: %s\n", path);
		return false;
	}
	/* Paths are made by appending "/...", so the root directory itself is "". */
	cfg->root = path[1] ? path : path + 1;
	return true;
}

bool vm_find(struct vm_config *cfg)
{
	static const char *const qemus[] = {
		"/usr/bin/qemu-system-x86_64", "/usr/local/bin/qemu-system-x86_64", NULL };
	static const char *const daemons[] = {
		"/usr/libexec/virtiofsd", "/usr/lib/qemu/virtiofsd", NULL };

	if (geteuid() != 0)
		return missing("sharing this machine's files with a guest needs root",
			       "try: sudo stap-vm, or sudo stap --vm");
	cfg->qemu = first_executable(qemus);
	if (!cfg->qemu)
		return missing("QEMU (qemu-system-x86_64) is not installed",
			       "try: apt-get install qemu-system-x86");
	cfg->virtiofsd = first_executable(daemons);
	if (!cfg->virtiofsd)
		return missing("virtiofsd is not installed",
			       "try: apt-get install qemu-system-common (or virtiofsd, "
			       "from Debian 13 on)");
	if (!find_root(cfg))
		return false;
	if (!cfg->release)
		cfg->release = newest_release(cfg);
	if (!cfg->release)
		return missing("no kernel with its modules is installed under /boot and "
			       "/lib/modules", "try: apt-get install linux-image-cloud-amd64 "
			       "linux-headers-cloud-amd64");
	if (asprintf((char **)&cfg->kernel, "%s/boot/vmlinuz-%s", cfg->root, cfg->release) < 0)
		abort();
	if (access(cfg->kernel, R_OK) || !has_file(cfg, "/lib/modules/%s", cfg->release)) {
		fprintf(stderr, "stap-vm: kernel %s is not installed (no readable %s and "
			"/lib/modules/%s); try: apt-get install linux-image-%s\n",
			cfg->release, cfg->kernel, cfg->release, cfg->release);
		return false;
	}
	cfg->init = find_init();
	if (!cfg->init)
		return missing("stap-vm-init is missing beside stap-vm and in " PKGLIBEXECDIR,
			       "build or install stap again");
	return true;
}
