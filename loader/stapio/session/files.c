// SPDX-License-Identifier: GPL-2.0-or-later
/* Serves the files of procfs probes (files.h). */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/trust.h"
#include "base/vec.h"
#include "common/say.h"
#include "interpreter/run.h"
#include "ir/ir.h"

#define DIRECTORY "/run/stap"

/* The name of a file that takes another's place; no probe's begins with a dot. */
#define NEXT ".next"

/* A file: its place, with the number that it has among all, and which file is there now. */
struct served {
	const struct ir_place *place;
	size_t point;
	ino_t inode;
};

static vec(struct served) files;
static const char *directory;
static int directory_fd = -1, events = -1;

bool files_has(const struct ir_program *ir)
{
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			if (ir->probes.v[i].places.v[j].event == IR_FILE)
				return true;
	return false;
}

/* ---- files -------------------------------------------------------------------- */

/* Puts a new file, which is empty, in the place of one.  Returns 0, or -1 with errno set. */
static int renew(struct served *f)
{
	struct stat st;
	int fd, err;

	unlinkat(directory_fd, NEXT, 0);
	fd = openat(directory_fd, NEXT, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	err = fchmod(fd, 0444 & ~f->place->umask) || fstat(fd, &st) ||
	      fanotify_mark(events, FAN_MARK_ADD, FAN_OPEN_PERM, directory_fd, NEXT) ||
	      renameat(directory_fd, NEXT, directory_fd, f->place->path);
	close(fd);
	f->inode = st.st_ino;
	return err ? -1 : 0;
}

/* Makes a file, and the directories in its path, in which no part begins with a dot. */
static int make_file(struct served *f)
{
	char *path = arena_strdup(f->place->path);

	errno = EINVAL;
	if (*path && *path != '.' && *path != '/' && !strstr(path, "/.")) {
		for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdirat(directory_fd, path, 0755);
			*slash = '/';
		}
		if (!renew(f))
			return 0;
	}
	say_error("can't make %s/%s: %s", directory, path, strerror(errno));
	return -1;
}

/* Makes the session's directory, which others may enter: the files have modes of their own. */
static int make_directory(const char *name)
{
	struct problem why = { 0 };

	directory = arena_printf(DIRECTORY "/%s", name);
	if (!trust_make_dir(directory, &why)) {
		say_error("can't make %s, where the files of procfs probes are: %s", directory, why.text);
		return -1;
	}
	directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory_fd < 0 || chmod(DIRECTORY, 0755) || fchmod(directory_fd, 0755)) {
		say_error("can't open %s: %s", directory, strerror(errno));
		return -1;
	}
	if (!flock(directory_fd, LOCK_EX | LOCK_NB))
		return 0;
	say_error("another session has the name '%s': give this one another (-m)", name);
	close(directory_fd);
	directory_fd = -1;
	return -1;
}

int files_open(const struct ir_program *ir, const char *name)
{
	size_t point = 0;

	events = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC | FAN_NONBLOCK, O_WRONLY | O_CLOEXEC);
	if (events < 0) {
		say_error("procfs probes take CAP_SYS_ADMIN where no module runs, and fanotify(7): %s", strerror(errno));
		return -1;
	}
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++, point++)
			if (ir->probes.v[i].places.v[j].event == IR_FILE)
				vec_push(&files, ((struct served){ &ir->probes.v[i].places.v[j], point, 0 }));
	if (make_directory(name))
		return -1;
	for (size_t i = 0; i < files.n; i++)
		if (make_file(&files.v[i]))
			return -1;
	return 0;
}

/* ---- readers --------------------------------------------------------------------- */

int files_events(void)
{
	return events;
}

static bool write_all(int fd, const struct sbuf *text)
{
	size_t at = 0;
	ssize_t n = 0;

	for (; at < text->len && n >= 0; at += n > 0 ? n : 0)
		n = write(fd, text->s + at, text->len - at);
	return n >= 0;
}

/* Gives the file that is open as FD, and is being opened, its contents.  Returns false if that can't be. */
static bool is_filled(int fd)
{
	struct sbuf text = { 0 };
	struct stat st;
	bool filled = true;

	if (fstat(fd, &st))
		return false;
	for (size_t i = 0; i < files.n; i++) {
		if (files.v[i].inode != st.st_ino)
			continue;
		filled = !renew(&files.v[i]);
		if (filled) {
			run_read(files.v[i].point, &text);
			filled = write_all(fd, &text);
		}
		sbuf_free(&text);
		return filled;
	}
	return true;		/* who opened it at the same instant has had it filled */
}

void files_serve(void)
{
	struct fanotify_event_metadata e;

	while (read(events, &e, sizeof(e)) == sizeof(e)) {
		struct fanotify_response answer = { .fd = e.fd };

		if (e.fd < 0)
			continue;
		answer.response = is_filled(e.fd) ? FAN_ALLOW : FAN_DENY;
		if (write(events, &answer, sizeof(answer)) < 0)
			say_error("can't answer who reads %s: %s", directory, strerror(errno));
		close(e.fd);
	}
}

/* Removes a file, and the directories that it leaves empty. */
static void remove_file(const struct served *f)
{
	char *path = arena_strdup(f->place->path), *slash;

	unlinkat(directory_fd, path, 0);
	while ((slash = strrchr(path, '/'))) {
		*slash = '\0';
		unlinkat(directory_fd, path, AT_REMOVEDIR);
	}
}

void files_close(void)
{
	for (size_t i = 0; i < files.n && directory_fd >= 0; i++)
		remove_file(&files.v[i]);
	if (directory_fd >= 0) {
		rmdir(directory);
		close(directory_fd);
	}
	if (events >= 0)
		close(events);		/* who waits may open what is no longer there */
	directory_fd = events = -1;
}
