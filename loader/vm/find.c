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

/* Returns where a user's own copy of a kernel's image is looked for; NULL for root, or without a HOME. */
static char *own_image(const char *release)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool has_cache = cache && *cache == '/';
	char *path;

	if (!geteuid() || (!has_cache && (!home || *home != '/')))
		return NULL;
	if (asprintf(&path, "%s%s/stap-vm/vmlinuz-%s", has_cache ? cache : home,
		     has_cache ? "" : "/.cache", release) < 0)
		abort();
	return path;
}

/*
 * Returns the image of a kernel that we may read, or NULL. Where /boot is for root only, users have copies
 * of their own.
 */
static char *find_image(const struct vm_config *cfg, const char *release)
{
	const char *const places[] = { "/boot/vmlinuz-%s", "/lib/modules/%s/vmlinuz", NULL };
	const char *const *p;
	char *path;

	for (p = places; *p; p++) {
		char *rest = format(*p, release);

		if (asprintf(&path, "%s%s", cfg->root, rest) < 0)
			abort();
		free(rest);
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	path = own_image(release);
	if (path && !access(path, R_OK))
		return path;
	free(path);
	return NULL;
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
		char *image = name[0] == '.' ? NULL : find_image(cfg, name);

		if (image) {
			char **slot = has_file(cfg, "/lib/modules/%s/build", name) ? &best :
									     &fallback;

			free(*slot);
			*slot = format("%s", name);
		}
		free(image);
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

/* Says why CFG's release can't be booted. */
static bool missing_kernel(const struct vm_config *cfg)
{
	char *copy = own_image(cfg->release);

	if (!cfg->kernel && copy && has_file(cfg, "/boot/vmlinuz-%s", cfg->release))
		fprintf(stderr, "stap-vm: only root may read %s/boot/vmlinuz-%s; have it copied: "
			"sudo install -D -m 644 %s/boot/vmlinuz-%s %s\n", cfg->root, cfg->release,
			cfg->root, cfg->release, copy);
	else
		fprintf(stderr, "stap-vm: kernel %s is not installed (no readable %s/boot/vmlinuz-%s and "
			"/lib/modules/%s); try: apt-get install linux-image-%s\n",
			cfg->release, cfg->root, cfg->release, cfg->release, cfg->release);
	free(copy);
	return false;
}

bool vm_find(struct vm_config *cfg)
{
	static const char *const qemus[] = {
		"/usr/bin/qemu-system-x86_64", "/usr/local/bin/qemu-system-x86_64", NULL };
	static const char *const daemons[] = {
		"/usr/libexec/virtiofsd", "/usr/lib/qemu/virtiofsd", NULL };

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
	cfg->kernel = find_image(cfg, cfg->release);
	if (!cfg->kernel || !has_file(cfg, "/lib/modules/%s", cfg->release))
		return missing_kernel(cfg);
	cfg->init = find_init();
	if (!cfg->init)
		return missing("stap-vm-init is missing beside stap-vm and in " PKGLIBEXECDIR,
			       "build or install stap again");
	return true;
}
