// SPDX-License-Identifier: GPL-2.0-or-later
/* Serves the files of procfs probes (files.h). */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "base/trust.h"
#include "common/say.h"
#include "interpreter/run.h"
#include "ir/ir.h"

enum { ANSWERS_MOST = 16 };

/* The name of a FIFO that takes another's place; no probe's begins with a dot. */
#define NEXT ".next"

/* The contents that a reader has not taken yet. */
struct answer {
	int fd;
	struct sbuf text;
	size_t taken;
};

static const struct ir_program *program;
static const char *directory;
static int directory_fd = -1;
static struct answer answers[ANSWERS_MOST];
static unsigned nanswers;

/* ---- files -------------------------------------------------------------------- */

/* Calls VISIT for each file, with the number of its place among all, until that returns an error. */
static int each_file(const struct ir_program *ir, int (*visit)(const struct ir_place *p, size_t point))
{
	size_t point = 0;
	int err = 0;

	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n && !err; j++, point++)
			if (ir->probes.v[i].places.v[j].event == IR_FILE)
				err = visit(&ir->probes.v[i].places.v[j], point);
	return err;
}

static int is_there(const struct ir_place *p, size_t point)
{
	(void)p, (void)point;
	return 1;
}

bool files_has(const struct ir_program *ir)
{
	return each_file(ir, is_there);
}

/* Makes a FIFO, which its readers may open as the probe's umask says. */
static int make_fifo(const struct ir_place *p, const char *name)
{
	unlinkat(directory_fd, name, 0);
	return mkfifoat(directory_fd, name, 0600) ||
	       fchmodat(directory_fd, name, (0444 & ~p->umask) | 0200, 0) ? -1 : 0;
}

/* Makes a file, and the directories in its path, in which no part begins with a dot. */
static int make_file(const struct ir_place *p, size_t point)
{
	char *path = arena_strdup(p->path);

	(void)point;
	errno = EINVAL;
	if (*path && *path != '.' && *path != '/' && !strstr(path, "/.")) {
		for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
			*slash = '\0';
			mkdirat(directory_fd, path, 0755);
			*slash = '/';
		}
		if (!make_fifo(p, path))
			return 0;
	}
	say_error("can't make %s/%s: %s", directory, path, strerror(errno));
	return -1;
}

/* Makes the session's directory, which others may enter: the files have modes of their own. */
static int make_directory(const char *name)
{
	const char *runtime = geteuid() ? getenv("XDG_RUNTIME_DIR") : "/run", *all;
	struct problem why = { 0 };

	if (!runtime || *runtime != '/') {
		say_error("procfs probes need a directory for their files: set XDG_RUNTIME_DIR");
		return -1;
	}
	all = arena_printf("%s/stap", runtime);
	directory = arena_printf("%s/%s", all, name);
	if (!trust_make_dir(directory, &why)) {
		say_error("can't make %s: %s", directory, why.text);
		return -1;
	}
	directory_fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (directory_fd < 0 || chmod(all, 0755) || fchmod(directory_fd, 0755)) {
		say_error("can't open %s: %s", directory, strerror(errno));
		return -1;
	}
	if (!flock(directory_fd, LOCK_EX | LOCK_NB))
		return 0;
	say_error("another session has the name '%s': give this one another (-m)", name);
	return -1;
}

int files_open(const struct ir_program *ir, const char *name)
{
	program = ir;
	return make_directory(name) || each_file(ir, make_file) ? -1 : 0;
}

/* ---- readers --------------------------------------------------------------------- */

/* Writes what the pipe takes.  Returns whether that was all, or the reader is gone. */
static bool is_answered(struct answer *a)
{
	ssize_t n = 0;

	while (a->taken < a->text.len && n >= 0) {
		n = write(a->fd, a->text.s + a->taken, a->text.len - a->taken);
		a->taken += n > 0 ? n : 0;
	}
	return n >= 0 || errno != EAGAIN;
}

static void forget(struct answer *a)
{
	close(a->fd);
	sbuf_free(&a->text);
	*a = answers[--nanswers];
	answers[nanswers] = (struct answer){ .fd = -1 };
}

/* Returns the descriptor of a file that someone waits for, or -1. */
static int open_reader(const struct ir_place *p)
{
	struct stat st;
	int fd = openat(directory_fd, p->path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || (!fstat(fd, &st) && S_ISFIFO(st.st_mode)))
		return fd;
	close(fd);
	return -1;
}

static int serve_file(const struct ir_place *p, size_t point)
{
	struct answer *a = &answers[nanswers];

	if (nanswers == ANSWERS_MOST)
		return 1;
	a->fd = open_reader(p);
	if (a->fd < 0)
		return 0;
	if (!make_fifo(p, NEXT))
		renameat(directory_fd, NEXT, directory_fd, p->path);
	nanswers++;
	run_read(point, &a->text);
	if (is_answered(a))
		forget(a);
	return 0;
}

void files_serve(void)
{
	for (unsigned i = nanswers; i-- > 0;)
		if (is_answered(&answers[i]))
			forget(&answers[i]);
	each_file(program, serve_file);
}

/* Removes a file; who waits for it finds it empty. */
static int remove_file(const struct ir_place *p, size_t point)
{
	char *path = arena_strdup(p->path), *slash;
	int fd = open_reader(p);

	(void)point;
	unlinkat(directory_fd, path, 0);
	if (fd >= 0)
		close(fd);
	while ((slash = strrchr(path, '/'))) {
		*slash = '\0';
		unlinkat(directory_fd, path, AT_REMOVEDIR);
	}
	return 0;
}

void files_close(void)
{
	while (nanswers)
		forget(&answers[0]);
	if (directory_fd < 0)
		return;
	each_file(program, remove_file);
	rmdir(directory);
	close(directory_fd);
	directory_fd = -1;
}
