// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the target kernel, and reads its configuration. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "base/table.h"
#include "base/vec.h"
#include "kernel.h"
#include "options.h"

static const struct utsname *running(void)
{
	static struct utsname un;

	if (!*un.release)
		uname(&un);
	return &un;
}

bool kernel_is_release(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+~-");

	return *text >= '0' && *text <= '9' && !text[n] && n < sizeof(running()->release);
}

bool kernel_headers_are_known(const char *release)
{
	return !access(arena_printf("/lib/modules/%s/build/include", release), R_OK);
}

bool kernel_types_are_known(const char *release)
{
	return !access(arena_printf("/boot/vmlinuz-%s", release), R_OK) ||
	       !access(arena_printf("/lib/modules/%s/vmlinuz", release), R_OK) ||
	       !access(arena_printf("/usr/lib/debug/boot/vmlinux-%s", release), R_OK);
}

typedef vec(const char *) releases;

static int newest_first(const void *a, const void *b)
{
	return -strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the installed kernels that have headers, newest first. */
static releases installed(void)
{
	releases found = { 0 };
	DIR *d = opendir("/lib/modules");
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && kernel_headers_are_known(e->d_name))
			vec_push(&found, arena_strdup(e->d_name));
	if (d)
		closedir(d);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), newest_first);
	return found;
}

void kernel_init(struct kernel *k, const struct options *o, bool runs_here)
{
	*k = (struct kernel){
		.arch = running()->machine, .options = o, .runs_here = runs_here,
	};
}

/*
 * Returns the kernel that is meant without -r: the running one, or the newest that has headers
 * (kernel.h).
 */
static const char *default_release(const struct kernel *k)
{
	const char *runs = running()->release;
	bool vm = k->options->vm;

	if (k->runs_here || (!vm && kernel_headers_are_known(runs)))
		return runs;

	releases have = installed();

	if (!have.n)
		return runs;
	if (!vm && k->options->last_pass > 1)
		fprintf(stderr, "Note: kernel %s, which runs here, has no headers installed; "
			"this is for %s (-r takes another).\n", runs, have.v[0]);
	return have.v[0];
}

const char *kernel_release(struct kernel *k)
{
	if (!k->release)
		k->release = k->options->release ? k->options->release : default_release(k);
	return k->release;
}

const char *kernel_build(struct kernel *k)
{
	if (!k->build)
		k->build = k->options->kernel_build ? k->options->kernel_build :
			   arena_printf("/lib/modules/%s/build", kernel_release(k));
	return k->build;
}

bool kernel_runs(struct kernel *k)
{
	return !strcmp(running()->release, kernel_release(k));
}

bool kernel_has_headers(struct kernel *k)
{
	return !access(arena_printf("%s/include", kernel_build(k)), R_OK);
}

/* Returns how a part of the headers is missing, or NULL.  Not all headers have it, unless ALWAYS. */
static const char *part_missing(const char *path, bool always)
{
	char target[PATH_MAX];
	ssize_t n = access(path, F_OK) ? readlink(path, target, sizeof(target)) : 0;

	if (n > 0)
		return arena_printf("%s is a link to %.*s, which is not here", path, (int)n, target);
	return n < 0 && always ? arena_printf("%s is not here", path) : NULL;
}

const char *kernel_headers_lack(struct kernel *k)
{
	/* The links come first, because they tell where the rest should be. */
	static const struct { const char *path; bool always; } parts[] = {
		{ "scripts", false }, { "tools", false }, { "scripts/basic/fixdep", true }, { "scripts/mod/modpost", true },
	};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts) && !why; i++)
		why = part_missing(arena_printf("%s/%s", kernel_build(k), parts[i].path), parts[i].always);
	/* A module made without it is one that the kernel refuses. */
	if (!why && kernel_config(k, "CONFIG_MODVERSIONS"))
		why = part_missing(arena_printf("%s/Module.symvers", kernel_build(k)), true);
	return why;
}

const char *kernel_advice(struct kernel *k)
{
	const char *r = kernel_release(k);
	releases have = installed();
	struct sbuf b = { 0 };

	if (k->runs_here && have.n)
		sbuf_printf(&b, "--vm runs the script in a guest with kernel %s, which has headers "
			    "here; or ", have.v[0]);
	for (size_t i = 0; i < have.n && !k->runs_here; i++)
		sbuf_printf(&b, "use -r %s, which has headers here; or ", have.v[i]);
	sbuf_printf(&b, "on Debian: apt-get install linux-headers-%s; elsewhere: stap-prep %s", r, r);
	return sbuf_take(&b);
}

/* ---- the kernel's configuration ---------------------------------------- */

/* A line "NAME=VALUE". */
struct setting {
	const char *name, *value;
};

/* A configuration file, read once: library files ask for hundreds of options. */
struct configuration {
	const char *path;
	vec(struct setting) settings;
	struct table by_name;
};

/* Returns a value without the quotes around it. */
static const char *unquoted(char *value)
{
	if (*value == '"') {
		value++;
		value[strcspn(value, "\"")] = 0;
	}
	return value;
}

static void read_configuration(struct configuration *c, const char *path)
{
	struct sbuf b = { 0 };

	*c = (struct configuration){ .path = path };
	file_read(path, &b);

	char *rest = sbuf_take(&b), *line;

	while ((line = strsep(&rest, "\n"))) {
		char *value = *line == '#' ? NULL : strchr(line, '=');

		if (!value)
			continue;
		*value++ = 0;
		vec_push(&c->settings, ((struct setting){ line, unquoted(value) }));
		table_add(&c->by_name, table_hash_string(line), c->settings.n - 1);
	}
}

static struct configuration configuration;

static void forget(void)
{
	configuration = (struct configuration){ 0 };
}

/* Returns VALUE of the line "NAME=VALUE" in a file, without quotes; NULL without one. */
static const char *config_in(const char *path, const char *name)
{
	const struct configuration *c = &configuration;

	if (!c->path || strcmp(c->path, path)) {
		read_configuration(&configuration, path);
		arena_on_free(forget);
	}
	table_for_each(&c->by_name, table_hash_string(name), i)
		if (!strcmp(c->settings.v[i].name, name))
			return c->settings.v[i].value;
	return NULL;
}

const char *kernel_config_file(struct kernel *k)
{
	const char *r = kernel_release(k);
	const char *const paths[] = {
		arena_printf("%s/.config", kernel_build(k)),
		arena_printf("/boot/config-%s", r),
		arena_printf("/lib/modules/%s/config", r),
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!access(paths[i], R_OK))
			return paths[i];
	return NULL;
}

const char *kernel_config(struct kernel *k, const char *name)
{
	const char *path = kernel_config_file(k);

	return path ? config_in(path, name) : NULL;
}
