// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds containers' cgroups (container.h). */
#define _GNU_SOURCE
#include "container.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/problem.h"
#include "base/root.h"
#include "container_names.h"
#include "text/cgroup_name.h"

#define MOUNT "/sys/fs/cgroup"
#define HYBRID MOUNT "/unified"		/* where controllers are of cgroup v1 */

#define LEVELS_MOST 32

static int fail(struct problem *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct problem *why, const char *fmt, ...)
{
	static char text[2 * PATH_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	why->text = text;
	return -1;
}

/* ---- paths ---- */

static bool is_cgroup(int fd)
{
	struct statfs fs;

	return !fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

static int open_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Opens the mount of the unified hierarchy, and says where it is. */
static int open_mount(const char **where, struct problem *why)
{
	static const char *const mounts[] = { MOUNT, HYBRID };

	for (size_t i = 0; i < sizeof(mounts) / sizeof(*mounts); i++) {
		int fd = open_dir(AT_FDCWD, mounts[i]);

		*where = mounts[i];
		if (fd >= 0 && is_cgroup(fd))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return fail(why, "there is no cgroup v2 at " MOUNT " or " HYBRID ", and probes can't be bounded by "
			 "cgroup v1; a script can compare container() or cgroup_path()");
}

int cgroup_open(const char *path, struct problem *why)
{
	const char *where, *rest = path;
	int mount = open_mount(&where, why), fd;
	size_t n = strlen(where);

	if (mount < 0)
		return -1;
	if (!strncmp(path, where, n) && (path[n] == '/' || !path[n]))
		rest = path + n;
	rest += strspn(rest, "/");
	fd = open_dir(mount, *rest ? rest : ".");
	if (fd < 0)
		fail(why, errno == ENOENT || errno == ENOTDIR ? "there is no cgroup '%s' in %s"
							      : "can't open cgroup '%s' in %s: %m",
		     path, where);
	else if (!is_cgroup(fd)) {
		close(fd);
		fd = fail(why, "'%s' is not a directory of cgroup v2, which is at %s", path, where);
	}
	close(mount);
	return fd;
}

/* ---- directories ---- */

/* Calls FN for each directory in DIR, which it closes, until FN returns true. */
static bool each_dir(int dir, bool (*fn)(int dir, const char *name, void *arg), void *arg)
{
	DIR *d = fdopendir(dir);
	const struct dirent *e;
	bool end = false;

	if (!d) {
		close(dir);
		return false;
	}
	while (!end && (e = readdir(d)))
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			end = fn(dirfd(d), e->d_name, arg);
	closedir(d);
	return end;
}

/* ---- containers ---- */

/*
 * A search for a container among all cgroups.  A user names cgroups of his own as he likes, so those that
 * are in a directory of root's count first.
 */
struct search {
	const char *wanted;		/* a name, an ID, or the beginning of one */
	bool beginnings;		/* WANTED may be the beginning of an ID */
	bool roots;			/* what was found is in a directory of root's */
	int left;			/* levels */
	int found;			/* the cgroup's directory, or -1 */
	int n;				/* containers that fit */
	char names[2][ST_CGROUP_NAME];	/* the first two */
};

static bool fits(const struct search *s, const struct st_cgroup_name *name)
{
	return name->id && s->beginnings ? !strncmp(name->text, s->wanted, strlen(s->wanted))
					 : !strcmp(name->text, s->wanted);
}

/* Is a container in directory DIR of less authority than what was found?  If of more, forgets the latter. */
static bool is_outranked(struct search *s, int dir)
{
	struct stat st;
	bool roots = !fstat(dir, &st) && !st.st_uid;

	if (s->n && s->roots && !roots)
		return true;
	if (s->n && !s->roots && roots) {
		close(s->found);
		s->found = -1;
		s->n = 0;
	}
	s->roots = roots;
	return false;
}

static bool find_container(int dir, const char *dir_name, void *arg)
{
	struct search *s = arg;
	struct st_str text = { dir_name, strlen(dir_name) };
	struct st_cgroup_name name;
	bool is_container = st_cgroup_name(text, &name) == ST_CGROUP_CONTAINER;
	int fd;

	if (is_container ? !fits(s, &name) || is_outranked(s, dir) : !s->left)
		return false;
	fd = open_dir(dir, dir_name);
	if (fd < 0)
		return false;
	if (!is_container) {
		s->left--;
		each_dir(fd, find_container, s);
		s->left++;
		return false;
	}
	if (s->n < 2)
		strcpy(s->names[s->n], name.text);
	if (s->n++)
		close(fd);
	else
		s->found = fd;
	return false;
}

/* Returns the cgroup of the one container that fits WANTED; -1: there is none, or -1 with WHY->text set. */
static int search(const char *wanted, bool beginnings, struct problem *why)
{
	struct search s = { .wanted = wanted, .beginnings = beginnings, .left = LEVELS_MOST, .found = -1 };
	const char *where;
	int mount = open_mount(&where, why);

	if (mount < 0)
		return -1;
	each_dir(mount, find_container, &s);
	if (s.n < 2)
		return s.found;
	close(s.found);
	return fail(why, "'%s' is the beginning of %d containers' IDs, among them %.16s and %.16s", wanted,
		    s.n, s.names[0], s.names[1]);
}

/* Cuts the path of a process's cgroup behind the name of its outermost container. */
static bool cut_to_container(char *path)
{
	struct st_cgroup_name name;
	size_t n = 0;

	while (path[n]) {
		size_t begin = n + strspn(path + n, "/");
		size_t len = strcspn(path + begin, "/");

		n = begin + len;
		if (st_cgroup_name((struct st_str){ path + begin, len }, &name) == ST_CGROUP_CONTAINER) {
			path[n] = '\0';
			return true;
		}
	}
	return false;
}

/* Reads the path of a process's cgroup, the line "0::PATH". */
static bool read_cgroup(const char *pid, char *path, size_t room)
{
	char file[64], *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *in;

	snprintf(file, sizeof(file), "/proc/%s/cgroup", pid);
	in = fopen(file, "re");
	while (in && !found && getline(&line, &size, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		found = !strncmp(line, "0::", 3);
		if (found)
			snprintf(path, room, "%s", line + 3);
	}
	free(line);
	if (in)
		fclose(in);
	return found;
}

/* Is it the number of a process, or was one?  An ID that begins like this has more digits. */
static bool is_pid(const char *name)
{
	return *name && strlen(name) <= 7 && !name[strspn(name, "0123456789")];
}

static int open_of_process(const char *pid, struct problem *why)
{
	char path[PATH_MAX];

	if (!read_cgroup(pid, path, sizeof(path)))
		return fail(why, "process %s has no cgroup v2", pid);
	if (!cut_to_container(path))
		return fail(why, "process %s is in no container; its cgroup is %s: give --cgroup=%s", pid, path,
			    path);
	return cgroup_open(path, why);
}

static bool container_runs(const char *id)
{
	struct problem why = { NULL };
	int fd = search(id, false, &why);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Does NAME mean a process? */
static bool is_process(const char *name)
{
	char proc[32];

	snprintf(proc, sizeof(proc), "/proc/%.10s", name);
	return is_pid(name) && !access(proc, F_OK);
}

int container_open(const char *name, struct problem *why)
{
	char id[ST_CGROUP_NAME];
	bool gone = false;
	int fd, n;

	if (!*name)
		return fail(why, "the name of the container is empty");
	if (is_process(name))
		return open_of_process(name, why);
	/* As docker looks: a whole ID or name, then a name on the disk, then the beginning of an ID. */
	fd = search(name, false, why);
	n = fd >= 0 || why->text ? 0 : container_id(name, container_runs, id, &gone);
	if (fd < 0 && !n && !why->text)
		fd = search(name, true, why);
	if (fd >= 0 || why->text)
		return fd;
	if (n == 1)
		return search(id, false, why);
	if (n > 1)
		return fail(why, "several containers are named '%s': give an ID", name);
	if (gone)
		return fail(why, "container '%s' does not run", name);
	if (container_names_hidden())
		return fail(why, "there is no container with the ID '%s', and only root can read containers' "
				 "names here", name);
	return fail(why, "there is no container '%s'%s", name, is_pid(name) ? ", and no such process" : "");
}

/* ---- root directories ---- */

/*
 * The container's oldest process, as far as it is known.  One with our root directory counts only as long as
 * there is no other: it supervises the container from outside, in a cgroup below the container's, as
 * systemd-nspawn does.
 */
struct oldest {
	unsigned long long start;	/* in ticks after the boot */
	bool outside;			/* it has our root directory */
	long pid;			/* 0: none is known */
	int left;			/* levels of cgroups */
};

/* Reads when a process began: the 22nd field of /proc/PID/stat, where the second is a name in parentheses. */
static bool read_start(long pid, unsigned long long *start)
{
	char file[64], line[1024] = "";
	const char *p;
	FILE *in;
	bool good;

	snprintf(file, sizeof(file), "/proc/%ld/stat", pid);
	in = fopen(file, "re");
	p = in && fgets(line, sizeof(line), in) ? strrchr(line, ')') : NULL;
	for (int i = 0; p && i < 20; i++)
		p = strchr(p + 1, ' ');
	good = p && sscanf(p, "%llu", start) == 1;
	if (in)
		fclose(in);
	return good;
}

static void compare_age(struct oldest *o, long pid)
{
	unsigned long long start;
	struct stat own, its;
	char root[64];
	bool outside, seen;

	snprintf(root, sizeof(root), "/proc/%ld/root", pid);
	seen = !stat(root, &its);
	/* One that has ended, but whose parent has not noticed, has no root any more. */
	if (!pid || (!seen && errno == ENOENT) || !read_start(pid, &start))
		return;
	outside = seen && !stat("/", &own) && its.st_dev == own.st_dev && its.st_ino == own.st_ino;
	if (o->pid && (outside == o->outside ? start >= o->start : outside))
		return;
	o->pid = pid;
	o->start = start;
	o->outside = outside;
}

static bool find_oldest(int dir, const char *name, void *arg)
{
	struct oldest *o = arg;
	int group = open_dir(dir, name);
	int fd = group < 0 ? -1 : openat(group, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");
	long pid;

	while (in && fscanf(in, "%ld", &pid) == 1)
		compare_age(o, pid);
	if (in)
		fclose(in);
	if (group >= 0 && o->left) {
		o->left--;
		each_dir(group, find_oldest, o);
		o->left++;
	} else if (group >= 0) {
		close(group);
	}
	return false;
}

/* Holds the process whose root is ROOT, if it is still the one that was found.  Returns 0, or an error's number. */
static int hold(const struct oldest *o, const char *root)
{
	int process = o->pid ? root_process(root) : -1, error = ESRCH;
	unsigned long long start;

	if (process >= 0 && read_start(o->pid, &start) && start == o->start)
		error = faccessat(process, "root", F_OK, 0) ? errno : 0;
	if (!error)
		root_hold(root, process);
	else if (process >= 0)
		close(process);
	return error;
}

const char *container_root(const char *name, struct problem *why)
{
	static char path[64];
	struct oldest o = { .left = LEVELS_MOST };
	int fd, error;

	if (is_process(name)) {
		compare_age(&o, atol(name));
	} else {
		fd = container_open(name, why);
		if (fd < 0)
			return NULL;
		find_oldest(fd, ".", &o);
		close(fd);
	}
	snprintf(path, sizeof(path), "/proc/%ld/root", o.pid);
	error = hold(&o, path);
	if (!error)
		return path;
	if (error != ENOENT && error != ESRCH)
		fail(why, "can't look at the files of container '%s': %s", name, strerror(error));
	else
		fail(why, "container '%s' has no process, so its files can't be found", name);
	return NULL;
}
