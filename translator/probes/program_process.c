// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds what processes run and have mapped (program_path.h). */
#define _GNU_SOURCE
#include "program_path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/root.h"
#include "program_root.h"

static bool same_file(const char *a, const char *b)
{
	struct stat p, q;

	return !path_stat(a, &p) && !path_stat(b, &q) && p.st_dev == q.st_dev && p.st_ino == q.st_ino;
}

bool process_exists(int64_t pid, struct problem *why)
{
	if (pid < 1 || pid > INT_MAX)
		why->text = arena_printf("%" PRId64 " is not a process ID", pid);
	else if (access(arena_printf("/proc/%" PRId64, pid), F_OK))
		why->text = arena_printf("there is no process %" PRId64, pid);
	return !why->text;
}

const char *program_of_pid(struct session *s, int64_t pid, struct problem *why)
{
	const char *exe = arena_printf("/proc/%" PRId64 "/exe", pid), *root;
	char path[PATH_MAX];
	bool known;
	int fd;

	if (!process_exists(pid, why) || !program_root(s, &root, why))
		return NULL;
	fd = open(exe, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		why->text = errno == ENOENT
			? arena_printf("process %" PRId64 " is a kernel thread", pid)
			: arena_printf("can't read which program process %" PRId64 " runs: %s", pid,
				       strerror(errno));
		return NULL;
	}
	known = root_path(fd, root, path);
	close(fd);
	return known && same_file(path, exe) ? arena_strdup(path) : exe;
}

/* Is PATH the file that a process has mapped from START to END?  True if only root can tell. */
static bool is_mapped_file(const char *path, int64_t pid, uint64_t start, uint64_t end)
{
	const char *map = arena_printf("/proc/%" PRId64 "/map_files/%" PRIx64 "-%" PRIx64, pid,
				       start, end);
	struct stat st;

	return path_stat(map, &st) || same_file(path, map);
}

/* Reads /proc/PID/maps, whose lines are "START-END PERMISSIONS OFFSET DEVICE INODE PATH". */
const char *program_mapped_at(struct session *s, int64_t pid, uint64_t address, uint64_t *offset,
			      struct problem *why)
{
	const char *root;

	if (!program_root(s, &root, why))
		return NULL;

	FILE *in = fopen(arena_printf("/proc/%" PRId64 "/maps", pid), "re");
	const char *found = NULL;
	char *line = NULL;
	size_t room = 0;

	why->text = in ? arena_printf("process %" PRId64 " has no file's code at 0x%" PRIx64, pid,
				      address)
		       : arena_printf("there is no process %" PRId64, pid);
	while (in && !found && getline(&line, &room, in) > 0) {
		uint64_t start, end, first;
		char executes;
		int path = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %*s %n", &start,
			   &end, &executes, &first, &path) != 4 || !path)
			continue;
		line[strcspn(line, "\n")] = 0;
		if (address < start || address >= end || executes != 'x' || line[path] != '/')
			continue;
		*offset = address - start + first;
		found = program_inside(root, arena_strdup(line + path));
		if (is_mapped_file(found, pid, start, end))
			continue;
		why->text = arena_printf("process %" PRId64 " has mapped another file at 0x%" PRIx64
					 " than the one that is now '%s'", pid, address, found);
		found = NULL;
		break;
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}
