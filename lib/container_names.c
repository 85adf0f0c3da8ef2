// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds containers' IDs by their names (container_names.h).
 *
 *	/var/lib/docker/containers/ID/config.v2.json		{…,"Name":"/web",…}
 *	/var/lib/containers/storage/overlay-containers/containers.json
 *								[{"id":ID,"names":["web"],…},…]
 *	…/overlay-containers/volatile-containers.json		those of "podman run --rm"; both are in /run where
 *								containers don't outlive the boot (transient_store)
 *	/var/log/containers/POD_NAMESPACE_CONTAINER-ID.log	a link of the kubelet's
 *
 * Root writes these files, but of what a container's image says there: its labels, for example.  So
 * only members of the right objects are looked at.
 */
#define _GNU_SOURCE
#include "container_names.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular.h"

#define FILE_MOST (64 << 20)		/* bytes; a longer file is not read */
#define ID_DIGITS 64

/* What is looked for, and what was found. */
struct wanted {
	const char *name;
	bool (*runs)(const char *id);
	int n;			/* containers that run */
	char *id;		/* of the first */
	bool gone;		/* there is one that doesn't */
};

static void found(struct wanted *w, const char *id, size_t len)
{
	char own[ID_DIGITS + 1] = "";

	if (len != ID_DIGITS || strspn(id, "0123456789abcdef") < len)
		return;
	memcpy(own, id, len);
	if (w->n && !strcmp(w->id, own))
		return;			/* the same, found in another way */
	if (!w->runs(own))
		w->gone = true;
	else if (!w->n++)
		strcpy(w->id, own);
}

/* ---- JSON: the text ends with a NUL, and P never goes beyond it ---- */

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* P is at a string's first quote; returns what is behind it. */
static const char *skip_string(const char *p)
{
	p++;
	while (*p && *p != '"')
		p += *p == '\\' && p[1] ? 2 : 1;
	return *p ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
	size_t depth = 0;

	if (!*p || !strchr("\"{[", *p))
		return p + strcspn(p, ",]}");
	do {
		if (*p == '"') {
			p = skip_string(p);
			continue;
		}
		depth += *p == '{' || *p == '[';
		depth -= *p == '}' || *p == ']';
		p++;
	} while (*p && depth);
	return p;
}

/* Is it a string, with this text? */
static bool is_string(const char *p, const char *text)
{
	size_t n = strlen(text);

	return *p == '"' && !strncmp(p + 1, text, n) && p[n + 1] == '"';
}

/* Goes to the next element of an object or array: from its bracket, or from behind an element.  NULL: it
 * was the last. */
static const char *next_element(const char *p)
{
	p = skip_blanks(p);
	if (*p != '{' && *p != '[' && *p != ',')
		return NULL;
	p = skip_blanks(p + 1);
	return *p && *p != '}' && *p != ']' ? p : NULL;
}

/* Returns the value of a member of the object at P; NULL if there is none. */
static const char *member(const char *p, const char *name)
{
	if (*p != '{')
		return NULL;
	while ((p = next_element(p)) && *p == '"') {
		bool right = is_string(p, name);

		p = skip_blanks(skip_string(p));
		if (*p != ':')
			return NULL;
		p = skip_blanks(p + 1);
		if (right)
			return p;
		p = skip_value(p);
	}
	return NULL;
}

/* Reads a whole file; NULL if it can't be read.  The caller frees it. */
static char *read_json(const char *path)
{
	int fd = regular_open(path);
	struct stat st;
	char *text = NULL;
	ssize_t n = -1;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size < FILE_MOST)
		text = malloc(st.st_size + 1);
	if (text)
		n = read(fd, text, st.st_size);
	if (text)
		text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

/* ---- who keeps what ---- */

/* Docker: the ID is the directory's name; "Name" has a slash in front. */
static void look_docker(const char *path, struct wanted *w)
{
	const char *end = strrchr(path, '/'), *id = memrchr(path, '/', end - path) + 1;
	char *text = read_json(path), slashed[256];
	const char *name = text ? member(skip_blanks(text), "Name") : NULL;

	snprintf(slashed, sizeof(slashed), "/%s", w->name);
	if (name && is_string(name, slashed))
		found(w, id, end - id);
	free(text);
}

/* Podman and CRI-O: an array of containers, each of which may have several names. */
static void look_storage(const char *path, struct wanted *w)
{
	char *text = read_json(path);
	const char *p = text ? skip_blanks(text) : "";

	while (*p && (p = next_element(p))) {
		const char *name = member(p, "names"), *id = member(p, "id");

		while (name && (name = next_element(name)) && *name == '"') {
			if (id && *id == '"' && is_string(name, w->name))
				found(w, id + 1, skip_string(id) - id - 2);
			name = skip_string(name);
		}
		p = skip_value(p);
	}
	free(text);
}

/* Kubernetes: no part of a name has a '_'. */
static void look_kubelet(const char *path, struct wanted *w)
{
	const char *pod = strrchr(path, '/') + 1, *space = strchr(pod, '_');
	const char *container = space ? strchr(space + 1, '_') : NULL;
	const char *id = container ? strrchr(container, '-') : NULL;
	char both[512];

	if (!id)
		return;
	snprintf(both, sizeof(both), "%.*s/%.*s", (int)(space - pod), pod, (int)(id - container - 1),
		 container + 1);
	if (!strcmp(both, w->name) || !strcmp(strchr(both, '/') + 1, w->name))
		found(w, id + 1, strcspn(id + 1, "."));
}

bool container_names_hidden(void)
{
	return (access("/var/lib/docker/containers", R_OK | X_OK) && errno == EACCES) ||
	       (access("/var/lib/containers/storage", R_OK | X_OK) && errno == EACCES);
}

int container_id(const char *name, bool (*runs)(const char *id), char id[65], bool *gone)
{
	static const struct {
		const char *pattern;
		void (*look)(const char *path, struct wanted *w);
	} places[] = {
		{ "/var/lib/docker/containers/*/config.v2.json", look_docker },
		{ "/var/lib/containers/storage/*-containers/containers.json", look_storage },
		{ "/var/lib/containers/storage/*-containers/volatile-containers.json", look_storage },
		{ "/run/containers/storage/*-containers/*containers.json", look_storage },
		{ "/var/log/containers/*.log", look_kubelet },
	};
	struct wanted w = { .name = name, .runs = runs, .id = id };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		glob_t files;

		if (glob(places[i].pattern, GLOB_NOSORT, NULL, &files))
			continue;
		for (size_t k = 0; k < files.gl_pathc; k++)
			places[i].look(files.gl_pathv[k], &w);
		globfree(&files);
	}
	*gone = w.gone;
	return w.n;
}
