// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds programs (program_path.h). */
#include "program_path.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/path.h"
#include "base/regular.h"
#include "base/root.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/files/debugfiles.h"
#include "program_root.h"
#include "session.h"

/* The most interpreters that are scripts themselves, as in the kernel. */
#define SCRIPTS_MOST 5

/* The least number of digits of a build-id. */
#define BUILD_ID_LEAST 16

/* The most names in one hint. */
#define HINTS 3

/* ---- names ------------------------------------------------------------- */

/* Returns the I-th directory of $PATH, "." for an empty one; NULL at the end. */
static const char *directory_of_path(size_t i)
{
	const char *path = getenv("PATH");

	while (path && i--) {
		path = strchr(path, ':');
		if (path)
			path++;
	}
	if (!path)
		return NULL;

	size_t len = strcspn(path, ":");

	return len ? arena_strndup(path, len) : ".";
}

static bool is_file(const char *path)
{
	struct stat st;

	return !path_stat(path, &st) && S_ISREG(st.st_mode);
}

/* Returns the file that a shell with this root directory would find for NAME, or NULL. */
static const char *find_file(const char *root, const char *name)
{
	const char *dir;

	if (strchr(name, '/'))
		return path_allows(program_inside(root, name), F_OK) ? program_inside(root, name) : NULL;
	for (size_t i = 0; (dir = directory_of_path(i)); i++) {
		const char *file = program_inside(root, arena_printf("%s/%s", dir, name));

		if (is_file(file) && path_allows(file, X_OK))
			return file;
	}
	return NULL;
}

/* Adds the names in a directory, each behind PREFIX. */
static void list_names(const char *dir, const char *prefix, text_list *out)
{
	DIR *d = path_opendir(dir);
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			vec_push(out, arena_printf("%s%s", prefix, e->d_name));
	if (d)
		closedir(d);
}

static const char *names_like(const char *root, const char *name)
{
	const char *slash = strrchr(name, '/'), *dir;
	text_list names = { 0 };

	if (slash) {
		const char *prefix = arena_strndup(name, slash - name + 1);

		list_names(program_inside(root, prefix), prefix, &names);
	}
	for (size_t i = 0; !slash && (dir = directory_of_path(i)); i++)
		list_names(program_inside(root, dir), "", &names);
	return diag_nearest(name, names.v, names.n, HINTS);
}

/* ---- files ------------------------------------------------------------- */

/* Reads at most ROOM - 1 first bytes of a file and appends a NUL.  Returns how many it read. */
static size_t read_start(const char *path, char *to, size_t room)
{
	int fd = regular_open(path);
	ssize_t n = fd < 0 ? 0 : read(fd, to, room - 1);

	if (fd >= 0)
		close(fd);
	n = n < 0 ? 0 : n;
	to[n] = '\0';
	return n;
}

static bool is_elf(const char *path)
{
	char start[SELFMAG + 1];

	return read_start(path, start, sizeof(start)) == SELFMAG &&
	       !memcmp(start, ELFMAG, SELFMAG);
}

static const char *next_word(const char **p)
{
	const char *word;
	size_t len;

	*p += strspn(*p, " \t");
	len = strcspn(*p, " \t\n");
	word = len ? arena_strndup(*p, len) : NULL;
	*p += len;
	return word;
}

/*
 * Returns the interpreter that the first line of PATH names, or NULL if PATH is no script.
 * For "#!/usr/bin/env -S A=1 python3" that is python3: env's options and variables are skipped.
 */
static const char *interpreter_of(const char *path)
{
	char start[PATH_MAX];
	const char *p = start, *word, *base;

	if (read_start(path, start, sizeof(start)) < 2 || start[0] != '#' || start[1] != '!')
		return NULL;
	p += 2;
	word = next_word(&p);
	base = word ? strrchr(word, '/') : NULL;
	if (!base || strcmp(base, "/env"))
		return word;
	do
		word = next_word(&p);
	while (word && (*word == '-' || strchr(word, '=')));
	return word;
}

static const char *wrong_with_file(const char *name, const char *path)
{
	if (!is_file(path))
		return arena_printf("'%s' is not a regular file", name);
	if (!path_allows(path, R_OK))
		return arena_printf("'%s' can't be read: %s", name, strerror(errno));
	return arena_printf("'%s' is not a program: neither an ELF file nor a script", name);
}

/* ---- build-ids --------------------------------------------------------- */

static bool is_build_id(const char *name)
{
	size_t n = strspn(name, "0123456789abcdef");

	return n >= BUILD_ID_LEAST && n % 2 == 0 && !name[n];
}

/* The programs that run. */
#define PROGRAMS "/proc/[0-9]*/exe"

static int64_t pid_of(const char *exe)
{
	return strtoll(exe + strlen("/proc/"), NULL, 10);
}

static bool has_build_id(const char *path, const char *id)
{
	const char *own = is_file(path) && is_elf(path) ? build_id_of_file(path) : NULL;

	return own && !strcmp(own, id);
}

/*
 * Does the file belong to root or to the user?  Such files are preferred, because any user can give
 * a program any build-id.
 */
static bool is_trusted(const char *path)
{
	struct stat st;

	return !path_stat(path, &st) && (!st.st_uid || st.st_uid == geteuid());
}

/* Returns a file that matches PATTERN and has the build-id, or NULL.  TRUSTED: see is_trusted(). */
static const char *find_build_among(const char *pattern, const char *id, bool trusted)
{
	const char *found = NULL;
	glob_t files;

	if (path_glob(pattern, GLOB_NOSORT, &files))
		return NULL;
	for (size_t i = 0; i < files.gl_pathc && !found; i++)
		if (has_build_id(files.gl_pathv[i], id) &&
		    (!trusted || is_trusted(files.gl_pathv[i])))
			found = arena_strdup(files.gl_pathv[i]);
	globfree(&files);
	return found;
}

/*
 * Finds a build in a container: in $PATH there, or else a program that runs, whose path leads to the same
 * file in the container.
 */
static const char *find_build_inside(struct session *s, const char *root, const char *id, struct problem *why)
{
	const char *found = NULL, *dir;
	glob_t running;

	for (size_t i = 0; !found && (dir = directory_of_path(i)); i++)
		found = find_build_among(program_inside(root, arena_printf("%s/*", dir)), id, false);
	if (!found && !path_glob(PROGRAMS, GLOB_NOSORT, &running)) {
		for (size_t i = 0; !found && i < running.gl_pathc; i++) {
			const char *exe = running.gl_pathv[i];
			const char *path = has_build_id(exe, id) ? program_of_pid(s, pid_of(exe), why) : NULL;

			found = path && root_length(path) ? path : NULL;
		}
		globfree(&running);
	}
	why->text = found ? NULL : arena_printf("no program in the container that runs or is in $PATH has "
						"the build-id %s", id);
	return found ? path_absolute(found) : NULL;
}

static const char *find_build(struct session *s, const char *id, struct problem *why)
{
	const char *runs = find_build_among(PROGRAMS, id, true), *found = NULL, *dir;

	for (size_t i = 0; !runs && !found && (dir = directory_of_path(i)); i++)
		found = find_build_among(arena_printf("%s/*", dir), id, false);
	if (!runs && !found)
		runs = find_build_among(PROGRAMS, id, false);
	if (runs)
		return program_of_pid(s, pid_of(runs), why);
	if (!found)
		why->text = arena_printf("no program that runs or is in $PATH has the build-id %s",
					 id);
	return found ? path_absolute(found) : NULL;
}

/* ---- programs ---------------------------------------------------------- */

static const char *find(struct session *s, const char *name, int scripts, struct problem *why)
{
	const char *root, *file, *interpreter;

	if (!program_root(s, &root, why))
		return NULL;
	file = find_file(root, name);
	if (!file && is_build_id(name))
		return *root ? find_build_inside(s, root, name, why) : find_build(s, name, why);
	if (!file) {
		why->text = !*name ? "the name of the program is empty"
			  : arena_printf("there is no program '%s'%s", name,
					 *root ? " in the container" : "");
		why->hint = *name && !why->no_hint ? names_like(root, name) : NULL;
		return NULL;
	}
	if (is_elf(file))
		return path_absolute(file);
	interpreter = is_file(file) ? interpreter_of(file) : NULL;
	if (!interpreter) {
		why->text = wrong_with_file(name, file);
		return NULL;
	}
	if (scripts == SCRIPTS_MOST) {
		why->text = arena_printf("too many scripts interpret each other, the last of them "
					 "'%s'", name);
		return NULL;
	}
	return find(s, interpreter, scripts + 1, why);
}

const char *program_find(struct session *s, const char *name, struct problem *why)
{
	return find(s, name, 0, why);
}

const char *program_awaited(const struct session *s, const char *name)
{
	const char *path;
	struct stat st;

	if (s->options.container || !strchr(name, '/') || strpbrk(name, "*?[") ||
	    name[strlen(name) - 1] == '/' || !lstat(name, &st) || errno != ENOENT)
		return NULL;
	path = path_absolute(name);
	return *path == '/' ? path : NULL;
}

static bool contains(const text_list *list, const char *path)
{
	for (size_t i = 0; i < list->n; i++)
		if (!strcmp(list->v[i], path))
			return true;
	return false;
}

/* Adds the ELF files whose paths match a pattern. */
static void add_matches(const char *pattern, text_list *out)
{
	glob_t found;

	if (path_glob(pattern, 0, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];

		if (is_file(path) && is_elf(path) && !contains(out, path_absolute(path)))
			vec_push(out, path_absolute(path));
	}
	globfree(&found);
}

/*
 * Inserts Debian's directory of an architecture into a pattern: for "/lib*" "/libc.so.6" it
 * returns "/lib*" "/x86_64-linux-gnu" "/libc.so.6".  Returns NULL if the pattern's last
 * directory is not "lib*".
 */
static const char *debian_pattern(struct session *s, const char *pattern)
{
	const char *file = strrchr(pattern, '/');
	size_t dir = file ? file - pattern : 0;

	if (dir < strlen("/lib*") || strncmp(file - strlen("/lib*"), "/lib*", strlen("/lib*")))
		return NULL;
	return arena_printf("%.*s/%s-linux-gnu%s", (int)dir, pattern, s->kernel->arch, file);
}

int program_find_all(struct session *s, const char *name, text_list *out, struct problem *why)
{
	const char *path, *root;

	if (!program_root(s, &root, why))
		return -1;
	if (!strpbrk(name, "*?[") || find_file(root, name)) {
		path = program_find(s, name, why);
		if (path)
			vec_push(out, path);
		return path ? 0 : -1;
	}
	add_matches(program_inside(root, name), out);
	if (debian_pattern(s, name))
		add_matches(program_inside(root, debian_pattern(s, name)), out);
	if (out->n)
		return 0;
	why->text = arena_printf("no program%s matches '%s'", *root ? " in the container" : "", name);
	return -1;
}

const char *program_find_first(struct session *s, const char *name)
{
	struct problem why = { .no_hint = true };
	text_list found = { 0 };
	const char *root;

	if (!program_root(s, &root, &why))
		return name;
	if (!strpbrk(name, "*?[") || program_find_all(s, name, &found, &why) < 0)
		return program_inside(root, name);
	for (size_t i = 0; i < found.n; i++)
		if (target_program_native(s->target, found.v[i]))
			return found.v[i];
	return name;
}

const char *program_of_command(struct session *s, struct problem *why)
{
	const char *command = s->options.relayed.command;

	if (!command) {
		why->text = "process without the name of a program needs stap -c COMMAND";
		return NULL;
	}
	command += strspn(command, " \t");
	return program_find(s, arena_strndup(command, strcspn(command, " \t")), why);
}
