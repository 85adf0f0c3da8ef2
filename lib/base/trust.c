// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks a path as the kernel does, component by component, and looks at each by the descriptor that
 * the next one is opened from (trust.h).
 */
#define _GNU_SOURCE
#include "trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena.h"
#include "file.h"

enum { LINKS_MOST = 40 };	/* as in the kernel */

struct walk {
	int at;			/* the directory that has been reached */
	bool shared;		/* others may make files in it; it is sticky */
	char *rest;		/* what is left of the path, in the arena */
	unsigned links;		/* symbolic links that were followed */
	bool make;		/* make what is missing */
	struct problem *why;
};

static bool is_ours(const struct stat *st)
{
	return !st->st_uid || st->st_uid == geteuid();
}

static bool others_write(const struct stat *st)
{
	return !S_ISLNK(st->st_mode) && (st->st_mode & (S_IWGRP | S_IWOTH));
}

/* ---- what is wrong ---- */

static const char *user_name(uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	return pw ? pw->pw_name : arena_printf("%u", (unsigned)uid);
}

/* Returns the path of NAME in the directory that has been reached; NULL: of that itself. */
static const char *path_of(const struct walk *w, const char *name)
{
	char real[PATH_MAX];
	ssize_t n = readlink(arena_printf("/proc/self/fd/%d", w->at), real, sizeof(real) - 1);

	real[n > 0 ? n : 0] = 0;
	return name ? arena_printf("%s/%s", n > 1 ? real : "", name) : arena_strdup(real);
}

static enum trust refuse(const struct walk *w, const char *name, const struct stat *st)
{
	const char *path = path_of(w, name);

	w->why->hint = NULL;
	if (!is_ours(st)) {
		w->why->text = arena_printf("'%s' belongs to user %s", path, user_name(st->st_uid));
	} else if (others_write(st)) {
		w->why->text = arena_printf("others may write to '%s' (mode %04o)", path,
					    st->st_mode & 07777);
		w->why->hint = arena_printf("if nobody has changed it, chmod go-w %s", path);
	} else {
		w->why->text = arena_printf("'%s' has another name (a hard link), which another "
					    "user may have made",
					    path);
	}
	return TRUST_NO;
}

static enum trust fail(const struct walk *w, const char *name)
{
	*w->why = (struct problem){
		.text = arena_printf("'%s': %s", path_of(w, name), strerror(errno)),
	};
	return TRUST_NO;
}

/* ---- the way ---- */

static void go_to(struct walk *w, int fd, const struct stat *st)
{
	if (w->at >= 0)
		close(w->at);
	w->at = fd;
	w->shared = others_write(st);
}

static enum trust go_to_root(struct walk *w)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return fail(w, NULL);
	go_to(w, fd, &st);
	return is_ours(&st) && !others_write(&st) ? TRUST_YES : refuse(w, NULL, &st);
}

/* Puts a link's target in front of the rest of the path. */
static enum trust follow(struct walk *w, int link, const char *name)
{
	char to[PATH_MAX];
	ssize_t n = readlinkat(link, "", to, sizeof(to));

	if (n == sizeof(to))
		errno = ENAMETOOLONG;
	if (n < 0 || n == sizeof(to))
		return fail(w, name);
	if (++w->links > LINKS_MOST) {
		errno = ELOOP;
		return fail(w, name);
	}
	w->rest = arena_printf("%.*s/%s", (int)n, to, w->rest);
	return to[0] == '/' ? go_to_root(w) : TRUST_YES;
}

/*
 * May the path go through ST, or end there? A directory in which any user makes files may be passed
 * through, because the next component is looked at too; a file there can be a link to another
 * user's.
 */
static bool is_fit(const struct walk *w, const struct stat *st, bool last)
{
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) && !last;

	if (!is_ours(st) || (others_write(st) && !sticky))
		return false;
	return S_ISDIR(st->st_mode) || !w->shared || st->st_nlink <= 1;
}

/* Opens NAME without following a link. O_DIRECTORY makes autofs mount what belongs there. */
static int open_as_it_is(int at, const char *name)
{
	const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(at, name, flags | O_DIRECTORY);

	return fd < 0 && errno == ENOTDIR ? openat(at, name, flags) : fd;
}

static int open_component(struct walk *w, const char *name)
{
	int fd = open_as_it_is(w->at, name);

	if (fd >= 0 || errno != ENOENT || !w->make)
		return fd;
	if (mkdirat(w->at, name, 0700) && errno != EEXIST)
		return -1;
	return open_as_it_is(w->at, name);
}

static enum trust step(struct walk *w, const char *name, bool last_may_be_shared)
{
	bool last = !w->rest[strspn(w->rest, "/")];
	int fd = open_component(w, name);
	enum trust trust;
	struct stat st;

	if (fd < 0)
		return errno == ENOENT && !w->make ? TRUST_ABSENT : fail(w, name);
	if (fstat(fd, &st))
		trust = fail(w, name);
	else if (!is_fit(w, &st, last && !last_may_be_shared))
		trust = refuse(w, name, &st);
	else if (S_ISLNK(st.st_mode))
		trust = follow(w, fd, name);
	else {
		go_to(w, fd, &st);
		return TRUST_YES;
	}
	close(fd);
	return trust;
}

/* Returns an absolute path with the same meaning, or NULL with errno set. */
static char *absolute(const char *path)
{
	char here[PATH_MAX];

	if (*path == '/')
		return arena_strdup(path);
	return getcwd(here, sizeof(here)) ? arena_printf("%s/%s", here, path) : NULL;
}

static enum trust walk_path(struct walk *w, const char *path, bool last_may_be_shared)
{
	enum trust trust;

	w->at = -1;
	w->rest = absolute(path);
	if (!w->rest) {
		w->why->text = arena_printf("'%s': %s", path, strerror(errno));
		return TRUST_NO;
	}
	trust = go_to_root(w);
	while (trust == TRUST_YES && *(w->rest += strspn(w->rest, "/"))) {
		char *name = arena_strndup(w->rest, strcspn(w->rest, "/"));

		w->rest += strlen(name);
		trust = step(w, name, last_may_be_shared);
	}
	return trust;
}

static enum trust look(const char *path, bool may_be_shared, struct problem *why)
{
	struct walk w = { .why = why };
	enum trust trust = walk_path(&w, path, may_be_shared);

	if (w.at >= 0)
		close(w.at);
	return trust;
}

enum trust trust_path(const char *path, struct problem *why)
{
	return look(path, false, why);
}

enum trust trust_shared_dir(const char *path, struct problem *why)
{
	return look(path, true, why);
}

struct tree {
	const char *path;
	enum trust trust;
	struct problem *why;
};

static void look_at_entry(const char *rel, bool is_dir, void *arg)
{
	struct tree *t = arg;

	(void)is_dir;
	if (t->trust == TRUST_YES)
		t->trust = trust_path(arena_printf("%s/%s", t->path, rel), t->why);
}

enum trust trust_tree(const char *path, struct problem *why)
{
	struct tree t = { path, trust_path(path, why), why };

	if (t.trust == TRUST_YES)
		file_walk_tree(path, look_at_entry, &t);
	return t.trust;
}

bool trust_make_dir(const char *path, struct problem *why)
{
	struct walk w = { .make = true, .why = why };
	bool good = walk_path(&w, path, false) == TRUST_YES;
	struct stat st;

	if (good && (fstat(w.at, &st) || !S_ISDIR(st.st_mode))) {
		errno = ENOTDIR;
		good = fail(&w, NULL) != TRUST_NO;
	}
	if (good && faccessat(w.at, ".", R_OK | W_OK | X_OK, AT_EACCESS))
		good = fail(&w, NULL) != TRUST_NO;
	if (w.at >= 0)
		close(w.at);
	return good;
}

int trust_open_entry(const char *path, int flags)
{
	int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && is_ours(&st) && !others_write(&st) &&
	    st.st_nlink <= 1)	/* 0: it has just been replaced */
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}
