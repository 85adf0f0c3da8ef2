// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes and removes the directories of kept sessions (kept.h). */
#define _GNU_SOURCE
#include "kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/trust.h"
#include "common/say.h"
#include "relayed.h"

struct kept {
	char output[64];
	char name[NAME_MAX + 1];
	int root, dir, session;
	struct kept_record record;
};

/* ---- locks ---- */

pid_t kept_holder(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_GETLK, &lock) || lock.l_type == F_UNLCK)
		return 0;
	return lock.l_pid > 0 ? lock.l_pid : -1;
}

bool kept_lock(int fd)
{
	const struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_SETLK, &lock);
}

/* ---- the root ---- */

/* Root's kits are in there, too, for all users (stap-prep --kit). */
#define SHARED "/var/lib/stap"

/* Finds the directory; makes none but the shared one above root's, whatever the umask is. */
static bool find_root(char *path)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int n = -1;

	if (state && *state == '/')
		n = snprintf(path, PATH_MAX, "%s/stap", state);
	else if (!geteuid()) {
		if (!mkdir(SHARED, 0755))
			chmod(SHARED, 0755);
		n = snprintf(path, PATH_MAX, SHARED "/sessions");
	} else if (home && *home == '/')
		n = snprintf(path, PATH_MAX, "%s/.local/state/stap", home);
	if (n > 0 && n < PATH_MAX)
		return true;
	say_error("no directory for sessions that are kept: set HOME or XDG_STATE_HOME to a directory of yours");
	return false;
}

int kept_open_root(char *path)
{
	struct problem why = { NULL };
	char own[PATH_MAX];
	struct stat st;
	int fd = -1;

	path = path ? path : own;
	if (!find_root(path))
		return -1;
	if (trust_make_dir(path, &why)) {
		fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid())
			return fd;
		why.text = fd < 0 ? strerror(errno) : "it belongs to another user";
	}
	say_error("can't keep sessions in %s: %s%s%s", path, why.text, why.hint ? "; " : "", why.hint ? why.hint : "");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* ---- a session ---- */

static void write_record(struct kept *k)
{
	if (pwrite(k->session, &k->record, sizeof(k->record), 0) < 0)
		return;			/* the room is there since the start */
}

/* Makes the directory, by a name of its own, with the session's lock held.  Returns false with errno. */
static bool make(struct kept *k, const char *name, unsigned int files)
{
	int read;

	if (mkdirat(k->root, name, 0700))
		return false;
	k->dir = openat(k->root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	k->session = openat(k->dir, KEPT_SESSION, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	read = openat(k->dir, KEPT_READ, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	k->record = (struct kept_record){ .magic = KEPT_MAGIC, .started = time(NULL), .files = files };
	if (k->session < 0 || read < 0 || !kept_lock(k->session) ||
	    pwrite(k->session, &k->record, sizeof(k->record), 0) != sizeof(k->record))
		return false;
	close(read);
	return true;
}

static void say_taken(const struct kept *k, const char *name)
{
	int dir = openat(k->root, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int session = openat(dir, KEPT_SESSION, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (session >= 0 && kept_holder(session))
		say_error("session '%s' runs already: --attach=%s shows its output, --stop=%s ends it", name, name,
			  name);
	else
		say_error("session '%s' has ended, and its output has not been read: --attach=%s does that", name,
			  name);
	close(session);
	close(dir);
}

/* The directory gets its name when it is complete, so that none is seen without its lock. */
struct kept *kept_new(const char *name, unsigned int files)
{
	struct kept *k = NULL;
	char path[PATH_MAX], made[NAME_MAX + 1];

	if (files > KEPT_FILES_MOST) {
		say_error("--detach keeps at most %d files, and -S says %u", KEPT_FILES_MOST, files);
		return NULL;
	}
	k = calloc(1, sizeof(*k));
	if (!k) {
		say_error("no memory for the session");
		return NULL;
	}
	k->root = kept_open_root(path);
	k->dir = k->session = -1;
	snprintf(made, sizeof(made), ".%s.%d", name, getpid());
	if (k->root >= 0 && make(k, made, files) && !renameat(k->root, made, k->root, name)) {
		snprintf(k->name, sizeof(k->name), "%s", name);
		snprintf(k->output, sizeof(k->output), "/proc/self/fd/%d/" KEPT_OUTPUT, k->dir);
		return k;
	}
	if (k->root >= 0 && (errno == ENOTEMPTY || errno == EEXIST))
		say_taken(k, name);
	else if (k->root >= 0)
		say_error("can't keep the session in %s/%s: %s", path, name, strerror(errno));
	if (k->root >= 0)
		kept_remove(k->root, made, k->dir);
	free(k);
	return NULL;
}

const char *kept_output(const struct kept *k)
{
	return k->output;
}

void kept_end(struct kept *k, int status, const char *why)
{
	k->record.ended = 1;
	k->record.status = status;
	snprintf(k->record.why, sizeof(k->record.why), "%s", why ? why : "");
	write_record(k);
}

void kept_drop(struct kept *k)
{
	kept_remove(k->root, k->name, k->dir);
}

/* Removes nothing but files that a session has, because root may be removing another user's. */
void kept_remove(int root, const char *name, int dir)
{
	int fd = dir < 0 ? -1 : openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, KEPT_OUTPUT ".", sizeof(KEPT_OUTPUT)))
			unlinkat(dir, e->d_name, 0);
	if (d)
		closedir(d);
	if (dir >= 0) {
		unlinkat(dir, KEPT_READ, 0);
		unlinkat(dir, KEPT_SESSION, 0);
	}
	unlinkat(root, name, AT_REMOVEDIR);
}
