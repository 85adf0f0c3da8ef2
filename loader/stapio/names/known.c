// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the programs that are got ready before the session starts (known.h). */
#define _GNU_SOURCE
#include "known.h"

#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "base/regular.h"
#include "base/root.h"
#include "common/probed.h"
#include "unwind_tables.h"
#include "usymbols.h"

#define FILES_MOST 200		/* files of a process that are sent; the module has room for 256 tables */

extern char **environ;

bool is_in_fuse(const char *file)
{
	size_t root = root_length(file);
	const char *path = file + root;
	char mounts[64] = "/proc/self/mounts";
	char line[16 * PATH_MAX];	/* what is mounted and where, each with four characters a byte */
	bool found = false;
	struct mntent m;
	FILE *f;

	if (root)
		snprintf(mounts, sizeof(mounts), "%.*smounts", (int)(root - strlen("root")), file);
	f = setmntent(mounts, "re");
	while (f && !found && getmntent_r(f, &m, line, sizeof(line))) {
		size_t n = strcmp(m.mnt_dir, "/") ? strlen(m.mnt_dir) : 0;

		found = !strncmp(m.mnt_type, "fuse", 4) && !strncmp(path, m.mnt_dir, n) && path[n] == '/';
	}
	if (f)
		endmntent(f);
	return found;
}

/* Gets the files ready that FILES lists.  In our own root directory the script alone says which. */
void known_probed(struct usymbols *u, const char *root, char *files, size_t bytes)
{
	struct probed_file f;

	for (char *next = files; next < files + bytes;)
		if (probed_next(&next, root, &f) && !(root_length(f.path) && is_in_fuse(f.path)))
			usymbols_give_file(u, f.path);
}

/* Has the process our mount namespace?  Otherwise the paths of its files are those in its own. */
static bool has_our_mounts(long pid)
{
	struct stat own, its;
	char ns[64];

	snprintf(ns, sizeof(ns), "/proc/%ld/ns/mnt", pid);
	return stat(ns, &its) || stat("/proc/self/ns/mnt", &own) || its.st_ino == own.st_ino;
}

void known_process(struct usymbols *u, long pid)
{
	char maps[64], *line = NULL, last[PATH_MAX] = "", file[PATH_MAX + 64], root[64] = "";
	size_t room = 0;
	int given = 0;
	FILE *f;

	if (!has_our_mounts(pid))
		snprintf(root, sizeof(root), "/proc/%ld/root", pid);

	snprintf(maps, sizeof(maps), "/proc/%ld/maps", pid);
	f = fopen(maps, "re");
	while (f && given < FILES_MOST && getline(&line, &room, f) > 0) {
		char *path = strchr(line, '/'), *rights = strchr(line, ' ');

		line[strcspn(line, "\n")] = '\0';
		if (!path || !rights || rights[3] != 'x' || !strcmp(path, last))
			continue;
		snprintf(last, sizeof(last), "%s", path);
		given++;
		snprintf(file, sizeof(file), "%s%s", root, path);
		if (!is_in_fuse(file))
			usymbols_give_file(u, file);
	}
	free(line);
	if (f)
		fclose(f);
}

/* Finds a program as execvp(3) does. */
static bool find_program(const char *name, char *path)
{
	const char *dirs = getenv("PATH"), *end;

	if (strchr(name, '/'))
		return realpath(name, path);
	for (; dirs && *dirs; dirs = *end ? end + 1 : end) {
		char found[PATH_MAX];

		end = strchrnul(dirs, ':');
		if ((size_t)snprintf(found, sizeof(found), "%.*s/%s", (int)(end - dirs), dirs,
				     name) < sizeof(found) &&
		    !access(found, X_OK) && realpath(found, path))
			return true;
	}
	return false;
}

/* Reads the path of the dynamic linker that a program names (PT_INTERP) to LINKER; "" if it names none. */
static void find_linker(const char *program, char *linker, size_t room)
{
	int fd = regular_open(program);
	Elf64_Phdr ph;
	ssize_t n = 0;

	if (fd >= 0 && find_program_header(fd, PT_INTERP, &ph) && ph.p_filesz < room)
		n = pread(fd, linker, ph.p_filesz, ph.p_offset);
	linker[n > 0 ? n : 0] = '\0';
	close(fd);
}

/* Runs LINKER --list PROGRAM, which prints the libraries it would load: "libc.so.6 => /lib/… (0x…)". */
static FILE *list_libraries(char *linker, char *program, pid_t *pid)
{
	char list[] = "--list", *argv[] = { linker, list, program, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], err;

	if (pipe2(ends, O_CLOEXEC))
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = posix_spawn(pid, linker, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (!err)
		return fdopen(ends[0], "re");
	close(ends[0]);
	return NULL;
}

static void give_libraries(struct usymbols *u, char *program)
{
	char linker[PATH_MAX], line[PATH_MAX + 128];
	pid_t pid;
	FILE *f;

	find_linker(program, linker, sizeof(linker));
	if (*linker != '/')
		return;
	usymbols_give_file(u, linker);
	f = list_libraries(linker, program, &pid);
	if (!f)
		return;
	for (int given = 0; given < FILES_MOST && fgets(line, sizeof(line), f);) {
		char *path = strstr(line, "=> /"), *end = path ? strrchr(path, '(') : NULL;

		if (!end)
			continue;
		end[-1] = '\0';
		usymbols_give_file(u, path + 3);
		given++;
	}
	fclose(f);
	waitpid(pid, NULL, 0);
}

static void give_program(struct usymbols *u, const char *name)
{
	char program[PATH_MAX];

	if (!find_program(name, program))
		return;
	usymbols_give_file(u, program);
	give_libraries(u, program);
}

void known_command(struct usymbols *u, const char *text)
{
	wordexp_t words;

	if (wordexp(text, &words, WRDE_NOCMD)) {
		give_program(u, "sh");
		return;
	}
	if (words.we_wordc)
		give_program(u, words.we_wordv[0]);
	wordfree(&words);
}
