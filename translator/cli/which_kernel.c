// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kernel -r means: a release, a build directory, or another machine's BTF.
 *
 *	-r 6.1.0-56-cloud-amd64			installed here
 *	-r ./headers				with include/config/kernel.release
 *	-r ./6.1.0-56-cloud-amd64.btf		a copy of /sys/kernel/btf/vmlinux
 *	-r ./6.1.0-56-cloud-amd64		of /sys/kernel/btf; 'build' in it, if it is there, leads to the headers;
 *						'headers.tar.gz' are those that a host has sent (remote/types.c)
 */
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "cli/option_table.h"
#include "kernel.h"

static bool refuse(const char *fmt, const char *arg)
{
	diag(DIAG_ERROR, fmt, arg);
	return false;
}

static void set_release(struct options *o, const char *release)
{
	o->release = release;
	o->kernel_build = arena_printf("/lib/modules/%s/build", release);
}

/*
 * Returns the release of the kernel whose build directory DIR is, or NULL.  What modules get counts: Debian's
 * kernel.release has the version that its kernel is made of, 6.1.192 for 6.1.0-56-amd64.
 */
static const char *release_built_in(const char *dir)
{
	static const char define[] = "#define UTS_RELEASE \"";
	struct sbuf b = { 0 };
	const char *text;

	if (!file_read(arena_printf("%s/include/generated/utsrelease.h", dir), &b) &&
	    !strncmp(sbuf_str(&b), define, sizeof(define) - 1)) {
		text = sbuf_take(&b) + sizeof(define) - 1;
		return arena_strndup(text, strcspn(text, "\""));
	}
	b.len = 0;
	if (file_read(arena_printf("%s/include/config/kernel.release", dir), &b) || !b.len) {
		sbuf_free(&b);
		return NULL;
	}
	text = sbuf_take(&b);
	return arena_strndup(text, strcspn(text, "\n"));
}

/* Returns a path without links, or NULL. */
static const char *absolute(const char *path)
{
	char *real = realpath(path, NULL);

	path = real ? arena_strdup(real) : NULL;
	free(real);
	return path;
}

/* Does the file begin as BTF does? */
static bool is_btf(const char *path)
{
	FILE *f = fopen(path, "re");
	uint16_t magic = 0;
	bool is = f && fread(&magic, sizeof(magic), 1, f) == 1 && magic == BTF_MAGIC;

	if (f)
		fclose(f);
	return is;
}

/*
 * Takes another kernel's BTF: a copy of its /sys/kernel/btf/vmlinux, or of that directory, which may lead to the
 * headers too.  BTF doesn't tell the release, so the copy is called so.
 */
static bool set_btf(struct options *o, const char *path)
{
	const char *name = strrchr(path, '/') + 1, *within = arena_printf("%s/vmlinux", path);
	const char *headers = arena_printf("%s/headers.tar.gz", path);
	size_t n = strlen(name), end = n > 4 && !strcmp(name + n - 4, ".btf") ? 4 : 0;
	const char *release = arena_strndup(name, n - end);

	o->kernel_btf = is_btf(path) ? path : is_btf(within) ? within : NULL;
	if (!o->kernel_btf || !kernel_is_release(release))
		return false;
	set_release(o, release);
	if (!access(arena_printf("%s/build/include", path), R_OK))
		o->kernel_build = absolute(arena_printf("%s/build", path));
	if (!access(headers, R_OK))
		o->host_headers = headers;
	return true;
}

bool set_kernel(struct options *o, char *arg)
{
	o->kernel_btf = o->host_headers = NULL;
	if (!*arg)
		return refuse("-r %s: a kernel release, a build directory or BTF is expected", arg);
	if (!strchr(arg, '/')) {
		set_release(o, arg);
		return true;
	}

	/* make runs there, and elsewhere */
	const char *path = absolute(arg);

	if (!path)
		return refuse("-r %s: there is no such file or directory", arg);
	o->release = release_built_in(path);
	o->kernel_build = path;
	return o->release || set_btf(o, path) ||
	       refuse("-r %s: no kernel build directory (no include/config/kernel.release), and no BTF: the kernel's "
		   "headers are needed, its source after 'make modules_prepare', or a copy of its /sys/kernel/btf, "
		   "or of vmlinux there, that is called as the kernel is: "
		   "6.1.0-56-cloud-amd64, or 6.1.0-56-cloud-amd64.btf", arg);
}
