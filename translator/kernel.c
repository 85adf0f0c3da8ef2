// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses the target kernel, and reads its configuration. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/table.h"
#include "base/vec.h"
#include "kernel.h"
#include "options.h"

static bool has_headers(const char *release)
{
	return !access(arena_printf("/lib/modules/%s/build/include", release), R_OK);
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
		if (e->d_name[0] != '.' && has_headers(e->d_name))
			vec_push(&found, arena_strdup(e->d_name));
	if (d)
		closedir(d);
	if (found.n)
		qsort(found.v, found.n, sizeof(*found.v), newest_first);
	return found;
}

static int no_headers(const struct kernel *k, const releases *have, bool runs_here)
{
	diag(DIAG_ERROR, "no headers for kernel %s: nothing at %s", k->release, k->build);
	if (runs_here && have->n)
		diag_hint("--vm runs the script in a guest with kernel %s, which has headers here", have->v[0]);
	for (size_t i = 0; i < have->n && !runs_here; i++)
		diag_hint("%s -r %s, which has headers here", i ? "or" : "use", have->v[i]);
	diag_hint("%son Debian: apt-get install linux-headers-%s; elsewhere: stap-prep %s",
		  have->n ? "or " : "", k->release, k->release);
	return -1;
}

int choose_kernel(struct kernel *k, const struct options *o, bool runs_here)
{
	static struct utsname un;

	uname(&un);
	k->arch = un.machine;

	releases have = installed();
	bool given = o->release || o->kernel_build;

	k->release = o->release ? o->release : un.release;
	if (!given && !runs_here && have.n && (o->vm || !has_headers(un.release))) {
		k->release = have.v[0];
		if (!o->vm && o->last_pass > 1)
			fprintf(stderr, "Note: kernel %s, which runs here, has no headers installed; "
				"this is for %s (-r takes another).\n", un.release, k->release);
	}
	k->build = o->kernel_build ? o->kernel_build
				   : arena_printf("/lib/modules/%s/build", k->release);
	if (o->last_pass == 1 || !access(arena_printf("%s/include", k->build), R_OK))
		return 0;
	return no_headers(k, &have, runs_here);
}

bool kernel_runs(const struct kernel *k)
{
	struct utsname un;

	return !uname(&un) && k->release && !strcmp(un.release, k->release);
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

const char *kernel_config(const struct kernel *k, const char *name)
{
	const char *const paths[] = {
		arena_printf("%s/.config", k->build),
		arena_printf("/boot/config-%s", k->release),
		arena_printf("/lib/modules/%s/config", k->release),
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!access(paths[i], R_OK))
			return config_in(paths[i], name);
	return NULL;
}
