// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds shared libraries where ld.so(8) would: in DT_RPATH and DT_RUNPATH, $LD_LIBRARY_PATH,
 * the directories of /etc/ld.so.conf, and the default ones.  The libraries of a program in another root
 * directory are in that too (base/root.h); who owns them may write any ld.so.conf, so it is read within limits.
 */
#include "library_path.h"

#include <fnmatch.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/path.h"
#include "base/regular.h"
#include "base/root.h"
#include "program_root.h"

enum {
	CONF_DEPTH_MAX = 8,		/* levels of ld.so.conf's include directives */
	CONFS_MAX = 200,		/* such directives, and files that they include */
	CONF_LINES_MAX = 1000,		/* of each */
	DIRECTORIES_MAX = 256,
	LIBRARIES_MAX = 1000,
	DYNAMIC_MAX = 1 << 22,		/* bytes of all dynamic sections, with the texts that they refer to */
	HINTS = 3,
};

struct libraries {
	const char *root;		/* the program's root directory, or "" */
	text_list names;		/* as DT_NEEDED has them, each once */
	text_list paths;		/* parallel to the names; NULL if not found */
	text_list directories;		/* the system's library directories, in that root */
	size_t confs;			/* include directives followed, and files read */
	size_t dynamic;			/* bytes of dynamic sections and their texts */
};

/* ---- directories ------------------------------------------------------- */

static void add_list(text_list *out, const char *list, const char *origin)
{
	while (list && *list && out->n < DIRECTORIES_MAX) {
		size_t n = strcspn(list, ":");
		const char *dir = arena_strndup(list, n);

		if (!strncmp(dir, "$ORIGIN", 7))
			dir = arena_printf("%s%s", origin, dir + 7);
		else if (!strncmp(dir, "${ORIGIN}", 9))
			dir = arena_printf("%s%s", origin, dir + 9);
		if (*dir && strlen(dir) < PATH_MAX)
			vec_push(out, dir);
		list += n + (list[n] == ':');
	}
}

static void read_conf(struct libraries *l, const char *path, int depth);

static void include_conf(struct libraries *l, const char *pattern, int depth)
{
	glob_t found;

	if (l->confs++ >= CONFS_MAX)
		return;
	if (pattern[0] != '/')
		pattern = arena_printf("/etc/%s", pattern);
	if (path_glob(arena_printf("%s%s", l->root, pattern), 0, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		read_conf(l, found.gl_pathv[i], depth + 1);
	globfree(&found);
}

static void read_conf(struct libraries *l, const char *path, int depth)
{
	FILE *in = depth < CONF_DEPTH_MAX && l->confs++ < CONFS_MAX ? path_fopen(path) : NULL;
	char line[PATH_MAX];

	for (size_t i = 0; in && i < CONF_LINES_MAX && fgets(line, sizeof(line), in); i++) {
		char *p = line + strspn(line, " \t");

		p[strcspn(p, "#\n")] = 0;
		if (!strncmp(p, "include", 7) && strchr(" \t", p[7]))
			include_conf(l, p + 7 + strspn(p + 7, " \t"), depth);
		else if (*p == '/' && l->directories.n < DIRECTORIES_MAX)
			vec_push(&l->directories, arena_strdup(p));
	}
	if (in)
		fclose(in);
}

static void add_system_directories(struct libraries *l)
{
	static const char *const dirs[] = { "/lib64", "/usr/lib64", "/lib", "/usr/lib" };

	if (!*l->root)
		add_list(&l->directories, getenv("LD_LIBRARY_PATH"), ".");
	read_conf(l, arena_printf("%s/etc/ld.so.conf", l->root), 0);
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		vec_push(&l->directories, dirs[i]);
}

/* Returns the real path of the first readable DIRECTORY/NAME, or NULL. */
static const char *find_in(const struct libraries *l, const text_list *directories, const char *name)
{
	for (size_t i = 0; i < directories->n; i++) {
		char path[PATH_MAX];

		if (snprintf(path, sizeof(path), "%s%s/%s", l->root, directories->v[i], name) < PATH_MAX &&
		    path_allows(path, R_OK))
			return path_absolute(arena_strdup(path));
	}
	return NULL;
}

/* ---- what an object is linked with ------------------------------------- */

static bool is_known(const struct libraries *l, const char *name)
{
	for (size_t i = 0; i < l->names.n; i++)
		if (!strcmp(l->names.v[i], name))
			return true;
	return false;
}

/* Counts an entry of a dynamic section, and its text.  Returns false if these files have too many. */
static bool may_read(struct libraries *l, const char *text)
{
	l->dynamic += sizeof(Elf64_Dyn) + (text ? strnlen(text, DYNAMIC_MAX) : 0);
	return l->dynamic < DYNAMIC_MAX;
}

static void read_dynamic(struct libraries *l, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh,
			 const char *path)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	text_list needed = { 0 }, directories = { 0 };
	const char *slash = strrchr(path += strlen(l->root), '/');
	const char *origin = slash ? arena_strndup(path, slash - path) : ".";
	GElf_Dyn dyn;

	for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
		bool wanted = dyn.d_tag == DT_NEEDED || dyn.d_tag == DT_RUNPATH ||
			      dyn.d_tag == DT_RPATH;
		const char *text = wanted ? elf_strptr(elf, sh->sh_link, dyn.d_un.d_val) : NULL;

		if (!may_read(l, text))
			break;
		if (text && dyn.d_tag == DT_NEEDED)
			vec_push(&needed, arena_strdup(text));
		else if (text)
			add_list(&directories, text, origin);
	}
	for (size_t i = 0; i < l->directories.n; i++)
		vec_push(&directories, l->directories.v[i]);
	for (size_t i = 0; i < needed.n && l->names.n < LIBRARIES_MAX; i++) {
		if (strlen(needed.v[i]) >= PATH_MAX || is_known(l, needed.v[i]))
			continue;
		vec_push(&l->names, needed.v[i]);
		vec_push(&l->paths, find_in(l, &directories, needed.v[i]));
	}
}

static void add_needed(struct libraries *l, const char *path)
{
	int fd = regular_open(path);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC) {
			read_dynamic(l, elf, scn, &sh, path);
			break;
		}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static void find_linked(struct libraries *l, const char *path)
{
	elf_version(EV_CURRENT);
	add_system_directories(l);
	add_needed(l, path);
	for (size_t i = 0; i < l->paths.n; i++)
		if (l->paths.v[i])
			add_needed(l, l->paths.v[i]);
}

/* ---- by name ----------------------------------------------------------- */

static bool add_path(const char *root, const char *name, text_list *out, struct problem *why)
{
	const char *path = path_absolute(program_inside(root, name));

	if (!path_allows(path, F_OK)) {
		why->text = arena_printf("there is no file '%s'%s", name, *root ? " in the container" : "");
		return false;
	}
	vec_push(out, path);
	return true;
}

bool library_find_all(const char *path, const char *name, text_list *out, struct problem *why)
{
	struct libraries l = { .root = arena_strndup(path, root_length(path)) };
	size_t before = out->n;
	const char *loaded;

	if (strchr(name, '/') && !strpbrk(name, "*?["))
		return add_path(l.root, name, out, why);
	if (!*l.root && (!strncmp(name, "./", 2) || !strncmp(name, "../", 3)))
		name = path_absolute(name);
	find_linked(&l, path);
	for (size_t i = 0; i < l.names.n; i++)
		if (l.paths.v[i] && (!fnmatch(name, l.names.v[i], 0) ||
				     !fnmatch(name, l.paths.v[i] + strlen(l.root), 0)))
			vec_push(out, l.paths.v[i]);
	if (out->n > before)
		return true;
	loaded = strpbrk(name, "*?[") ? NULL : find_in(&l, &l.directories, name);
	if (loaded) {
		vec_push(out, loaded);
		return true;
	}
	why->text = arena_printf("'%s' is linked with no library '%s'", path, name);
	why->hint = diag_nearest(name, l.names.v, l.names.n, HINTS);
	return false;
}
