// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads kept sessions (attach.h).
 *
 * Root may read another user's, so nothing in the directory is trusted: files must be regular, have no second
 * name, and be of the directory's owner; lengths and numbers are bounded; a signal ends the reading at any time; what
 * would move a terminal's cursor is not shown as it is; and only a process of that owner is told to end.
 */
#define _GNU_SOURCE
#include "attach.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "common/say.h"
#include "common/signals.h"
#include "kept.h"
#include "relayed.h"
#include "stamp.h"

enum {
	PIECE_MOST = 256 << 20,		/* bytes */
	READ_BYTES = 1 << 18,
	LOOK_MS = 1000,			/* between two looks for what no event tells */
	OTHERS_MOST = 64,		/* names in the directory but for those of output that is kept */
};

/* A session that is read. */
struct attached {
	const char *name;
	int root, dir;
	uid_t owner;
	int session, read, signals, changes, process;
	const char *spared;		/* why its process is not told to end; or NULL */
	unsigned int files;		/* the most files of output that it keeps */
	bool stamped, careful;

	int output;			/* the current file; -1: none yet */
	unsigned long number;		/* its number */
	bool is_last;			/* no later file was there */
	bool counted;			/* its first bytes were taken */
	uint64_t before;		/* they are those of the files before */
	char *buf;			/* what was read of it, from the next piece on */
	size_t from, used, size;
	struct kept_read at;		/* where that is */
	uint64_t dropped;		/* bytes, to be told before the next piece */
	bool gone;			/* another reader has removed it */
	bool detached;			/* a signal came */
	bool damaged;			/* the files are none that a session writes */
	int error;			/* errno: why the reading can't go on; or 0 */
};

bool attach_takes(const char *argument)
{
	return !strcmp(argument, "--attach") || !strcmp(argument, "--stop") || !strcmp(argument, "--sessions");
}

static bool interrupted(struct attached *a)
{
	a->detached |= signals_take(a->signals) != 0;
	return a->detached;
}

static void say_no_memory(struct attached *a)
{
	a->error = ENOMEM;
	say_error("no memory for the output of session '%s'", a->name);
}

/* ---- files ---- */

/* Opens a file of the session.  Returns -1 with errno. */
static int open_file(const struct attached *a, const char *name, int flags)
{
	int fd = openat(a->dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return fd;
	err = !S_ISREG(st.st_mode) || st.st_uid != a->owner ? EINVAL : st.st_nlink > 1 ? EMLINK : 0;
	if (!err)
		return fd;
	close(fd);
	errno = err;
	return -1;
}

/* Returns the number of the file of output, or -1: it has another name. */
static long number_of(const char *name)
{
	const char *number = name + sizeof(KEPT_OUTPUT);
	unsigned long n;
	char *end;

	if (strncmp(name, KEPT_OUTPUT ".", sizeof(KEPT_OUTPUT)) || !isdigit((unsigned char)*number))
		return -1;
	n = strtoul(number, &end, 10);
	return *end || n > UINT32_MAX ? -1 : (long)n;
}

/* Returns the number of the first file of output from FROM on, or -1; adds up the bytes of all. */
static long first_from(struct attached *a, unsigned long from, uint64_t *bytes)
{
	int fd = openat(a->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	unsigned long left = a->files + OTHERS_MOST;
	long first = -1;
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		long n = number_of(e->d_name);

		a->damaged |= !left--;
		if (a->damaged)
			break;
		if (n < 0 || (unsigned long)n < from)
			continue;
		if (bytes && !fstatat(a->dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			*bytes += st.st_size;
		if (first < 0 || n < first)
			first = n;
	}
	if (d)
		closedir(d);
	return a->damaged ? -1 : first;
}

/* Opens the next file that there is.  Returns false if there is none, or after a message. */
static bool open_next(struct attached *a)
{
	unsigned long from = a->output < 0 ? 0 : a->number + 1;
	char name[64];
	long n;
	int fd = -1;

	while (fd < 0 && !interrupted(a) && (n = first_from(a, from, NULL)) >= 0) {
		snprintf(name, sizeof(name), KEPT_OUTPUT ".%ld", n);
		fd = open_file(a, name, O_RDONLY);
		if (fd < 0 && errno != ENOENT) {
			a->error = errno;
			say_error("can't open '%s' of session '%s': %s", name, a->name, strerror(errno));
			return false;
		}
		from = n + 1;		/* it was removed meanwhile */
	}
	if (fd < 0)
		return false;
	if (a->output >= 0)
		close(a->output);
	a->output = fd;
	a->number = n;
	a->from = a->used = 0;
	a->is_last = true;
	a->counted = false;
	return true;
}

/* ---- pieces ---- */

/* Reads more of the current file.  Returns false if there is no more yet. */
static bool fill(struct attached *a, size_t wanted)
{
	ssize_t n;

	a->used -= a->from;
	if (a->used)
		memmove(a->buf, a->buf + a->from, a->used);
	a->from = 0;
	if (a->size < wanted + READ_BYTES) {
		char *bigger = realloc(a->buf, wanted + READ_BYTES);

		if (!bigger) {
			say_no_memory(a);
			return false;
		}
		a->buf = bigger;
		a->size = wanted + READ_BYTES;
	}
	n = read(a->output, a->buf + a->used, a->size - a->used);
	a->used += n > 0 ? n : 0;
	return n > 0;
}

static void say_dropped(struct attached *a)
{
	if (!a->dropped)
		return;
	say_warning("%" PRIu64 " bytes of output were dropped, because nothing read them before newer output took "
		    "their room (-S keeps more)", a->dropped);
	a->dropped = 0;
}

/* Goes to where the reading ended, in a file that begins before that. */
static void skip_read(struct attached *a)
{
	uint64_t skip = a->at.bytes - a->before, there;
	struct stat st;

	if (fstat(a->output, &st))
		return;
	there = (uint64_t)st.st_size - sizeof(a->before);
	lseek(a->output, sizeof(a->before) + (skip < there ? skip : there), SEEK_SET);
	a->from = a->used = 0;
}

/* Takes the number at the beginning of a file.  Returns false if it isn't there yet. */
static bool count(struct attached *a)
{
	if (a->counted)
		return true;
	while (a->used - a->from < sizeof(a->before))
		if (!fill(a, sizeof(a->before)))
			return false;
	memcpy(&a->before, a->buf + a->from, sizeof(a->before));
	a->from += sizeof(a->before);
	a->counted = true;
	if (a->before < a->at.bytes) {
		skip_read(a);
	} else if (a->before > a->at.bytes) {
		a->dropped += a->before - a->at.bytes - a->at.partly;
		a->at = (struct kept_read){ .bytes = a->before };
	}
	return true;
}

/* Takes the next piece of the current file.  Its stamp is at the head of what was read.  Returns false if there is
 * none that is whole. */
static bool take_piece(struct attached *a, struct stamp *stamp)
{
	size_t wanted = sizeof(*stamp);

	if (!count(a))
		return false;
	for (;;) {
		size_t there = a->used - a->from;

		if (there >= sizeof(*stamp)) {
			memcpy(stamp, a->buf + a->from, sizeof(*stamp));
			wanted = stamp->bytes & ~STAMP_MESSAGE;
			a->damaged = !wanted || wanted > PIECE_MOST;
			if (a->damaged)
				return false;
			wanted += sizeof(*stamp);
		}
		if (there >= wanted)
			return true;
		if (!fill(a, wanted))
			return false;
	}
}

/* ---- output ---- */

/* Writes to standard output or error, unless a signal comes.  Returns how much was written. */
static size_t write_out(struct attached *a, int fd, const char *p, size_t n)
{
	struct pollfd pf[] = { { .fd = fd, .events = POLLOUT }, { .fd = a->signals, .events = POLLIN } };
	size_t before = n;

	while (n && !a->detached && !a->error) {
		if (poll(pf, 2, -1) < 0)
			continue;
		if (pf[1].revents) {
			a->detached = true;
			break;
		}
		/* So much a pipe takes that is ready. */
		ssize_t done = write(fd, p, n < PIPE_BUF ? n : PIPE_BUF);

		if (done < 0 && errno != EINTR && errno != EAGAIN) {
			a->error = errno;
			if (errno != EPIPE)
				say_error("can't write the output: %s", strerror(errno));
		}
		p += done > 0 ? done : 0;
		n -= done > 0 ? done : 0;
	}
	return before - n;
}

static size_t show(struct attached *a, const struct stamp *stamp, const char *text, size_t n)
{
	bool message = stamp->bytes & STAMP_MESSAGE;
	struct stamp rest = { stamp->time, n };
	char *safe;
	int fd;

	if (message || a->careful) {
		safe = printable(text, n, "\n\t");
		fd = message ? STDERR_FILENO : STDOUT_FILENO;
		if (!safe)
			say_no_memory(a);
		if (!safe || write_out(a, fd, safe, strlen(safe)) != strlen(safe))
			n = 0;
		free(safe);
		return n;
	}
	if (a->stamped && write_out(a, STDOUT_FILENO, (char *)&rest, sizeof(rest)) != sizeof(rest))
		return 0;
	return write_out(a, STDOUT_FILENO, text, n);
}

/* Shows the piece at the head, but for what was shown before. */
static void show_piece(struct attached *a, const struct stamp *stamp)
{
	size_t n = stamp->bytes & ~STAMP_MESSAGE, skip = a->at.partly < n ? a->at.partly : 0;

	say_dropped(a);
	a->at.partly = skip + show(a, stamp, a->buf + a->from + sizeof(*stamp) + skip, n - skip);
	if (a->at.partly < n)
		return;
	a->from += sizeof(*stamp) + n;
	a->at = (struct kept_read){ .bytes = a->at.bytes + sizeof(*stamp) + n };
}

/* Goes to the next file once this one is at its end: the session ends a file before it begins the next, so it is
 * read once more when there is one.  Returns false if there is none. */
static bool go_on(struct attached *a)
{
	if (!a->is_last)
		return open_next(a);
	a->is_last = first_from(a, a->number + 1, NULL) < 0;
	return !a->is_last;
}

/* Shows all that is there.  Returns false after a message. */
static bool drain(struct attached *a)
{
	struct stamp stamp;

	while (!interrupted(a) && !a->error && !a->damaged && (a->output >= 0 || open_next(a))) {
		if (take_piece(a, &stamp))
			show_piece(a, &stamp);
		else if (a->error || a->damaged || !go_on(a))
			break;
	}
	say_dropped(a);
	if (pwrite(a->read, &a->at, sizeof(a->at), 0) < 0)
		say_warning("how far '%s' was read can't be noted: %s", a->name, strerror(errno));
	if (a->damaged)
		say_error("the files of session '%s' are damaged: remove its directory", a->name);
	return !a->damaged;
}

/* ---- the session ---- */

/* Finds the directory that has the session's; NAME may be a path. */
static int open_root(const char **name)
{
	const char *slash = strrchr(*name, '/');
	char *path;
	int fd;

	if (!slash)
		return kept_open_root(NULL);
	path = strndup(*name, slash - *name + 1);
	fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	free(path);
	if (fd < 0)
		say_error("can't open session '%s': %s", *name, strerror(errno));
	*name = slash + 1;
	return fd;
}

static void say_not_opened(const struct attached *a)
{
	if (errno == ENOENT)
		say_error("there is no session '%s': --sessions shows those of this user", a->name);
	else
		say_error("can't open session '%s': %s", a->name, strerror(errno));
}

/* Returns false if it has none that is whole. */
static bool read_record(const struct attached *a, struct kept_record *r)
{
	return pread(a->session, r, sizeof(*r), 0) == sizeof(*r) && !memcmp(r->magic, KEPT_MAGIC, sizeof(r->magic));
}

/* Opens the directory and the session's record.  Returns false with errno. */
static bool open_session(struct attached *a)
{
	struct kept_record r;
	struct stat st;

	a->dir = openat(a->root, a->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (a->dir < 0 || fstat(a->dir, &st))
		return false;
	a->owner = st.st_uid;
	a->careful = a->owner != geteuid() && isatty(STDOUT_FILENO);
	if (a->owner != geteuid() && geteuid()) {
		errno = EPERM;
		return false;
	}
	a->session = open_file(a, KEPT_SESSION, O_RDWR);
	if (a->session < 0)
		return false;
	a->files = read_record(a, &r) && r.files < KEPT_FILES_MOST ? r.files : KEPT_FILES_MOST;
	return true;
}

/* Becomes the session's reader.  Returns 1 if there is another one already, or was one that has read all and removed
 * it; -1 after a message. */
static int become_reader(struct attached *a)
{
	struct stat st;

	a->read = open_file(a, KEPT_READ, O_RDWR);
	if (a->read < 0 && errno != ENOENT) {
		say_not_opened(a);
		return -1;
	}
	if (a->read >= 0 && !kept_lock(a->read))
		return 1;
	a->gone = a->read < 0 || fstat(a->read, &st) || !st.st_nlink;
	return a->gone;
}

/* Goes to where the last reader ended, and watches the directory.  Returns false after a message. */
static bool begin_reading(struct attached *a)
{
	char path[64];

	if (pread(a->read, &a->at, sizeof(a->at), 0) != sizeof(a->at))
		a->at = (struct kept_read){ 0 };
	snprintf(path, sizeof(path), "/proc/self/fd/%d", a->dir);
	a->changes = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (a->changes >= 0 && inotify_add_watch(a->changes, path, IN_MODIFY | IN_CREATE) >= 0 && a->signals >= 0)
		return true;
	say_error("can't wait for the output of session '%s': %s", a->name, strerror(errno));
	return false;
}

static bool is_owners(const struct attached *a, pid_t pid)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return !stat(path, &st) && st.st_uid == a->owner;
}

/*
 * Opens the process of the session, unless it has ended.  That the lock is still held by PID at last tells that PID
 * meant one process all the time.  Whoever may open the file can hold the lock, so it must be a process of the owner.
 */
static void open_process(struct attached *a)
{
	pid_t pid = kept_holder(a->session);

	a->process = pid > 0 ? syscall(SYS_pidfd_open, pid, 0) : -1;
	if (pid < 0)
		a->spared = "its process is in another PID namespace";
	else if (pid && !is_owners(a, pid))
		a->spared = "another user's process holds its lock";
	if (a->process >= 0 && (a->spared || kept_holder(a->session) != pid)) {
		close(a->process);
		a->process = -1;
	}
}

/* Returns false after a message. */
static bool stop(const struct attached *a)
{
	if (a->process < 0 && !kept_holder(a->session))
		return true;		/* it has ended */
	if (a->process >= 0 && !syscall(SYS_pidfd_send_signal, a->process, SIGTERM, NULL, 0))
		return true;
	say_error("can't end session '%s': %s", a->name,
		  a->spared ? a->spared : strerror(a->process < 0 ? ESRCH : errno));
	return false;
}

static void await_change(const struct attached *a)
{
	struct pollfd pf[] = {
		{ .fd = a->signals, .events = POLLIN }, { .fd = a->changes, .events = POLLIN },
		{ .fd = a->process, .events = POLLIN },
	};
	char events[4096];

	poll(pf, 3, a->process < 0 ? LOOK_MS : -1);
	while (read(a->changes, events, sizeof(events)) > 0)
		;
}

/* Removes what has ended and was read.  Returns the exit status. */
static int finish(const struct attached *a)
{
	struct kept_record r;
	bool whole = read_record(a, &r) && r.ended;

	if (!whole)
		say_error("session '%s' was killed: its last output may be missing", a->name);
	else if (*r.why)
		say_error("session '%s' could not keep its output: %.*s", a->name, (int)sizeof(r.why), r.why);
	signals_restore();		/* another user's directory may take long */
	kept_remove(a->root, a->name, a->dir);
	return whole ? r.status & 0xff : 1;
}

/* Shows the output until the session ends, or this is to.  Returns the exit status. */
static int follow(struct attached *a)
{
	for (;;) {
		/* What it has written is there when it has ended. */
		bool ended = !kept_holder(a->session);

		if (!drain(a))
			return 1;
		if (a->detached)
			say_if(0, "Session '%s' goes on: --attach=%s shows its output, --stop=%s ends it.", a->name,
			       a->name, a->name);
		/* That the reader of a pipe has ended ("| head") is no error. */
		if (a->detached || a->error)
			return a->error && a->error != EPIPE;
		if (ended)
			return finish(a);
		await_change(a);
		a->detached = signals_take(a->signals);
	}
}

/* There is another reader, or was one.  Returns the exit status. */
static int leave_to_reader(const struct attached *a, bool stopping)
{
	pid_t reader = a->gone ? 0 : kept_holder(a->read);
	char who[64] = "a process of another PID namespace";

	if (reader > 0)
		snprintf(who, sizeof(who), "process %d", (int)reader);
	if (stopping && reader)
		say_if(0, "Session '%s' ends, and %s shows its last output.", a->name, who);
	else if (!stopping && reader)
		say_error("session '%s' is read by %s: end that first", a->name, who);
	else if (!stopping && a->gone)
		say_error("session '%s' is gone: it has ended, and another reader has shown its output", a->name);
	else if (!a->gone)
		say_error("the reader of session '%s' has just ended: --attach=%s goes on", a->name, a->name);
	return !stopping;
}

static int attach_to(struct attached *a, bool stopping)
{
	int others;

	a->root = open_root(&a->name);
	if (a->root < 0)
		return 1;
	errno = ENOENT;
	if (!relayed_is_name(a->name) || !open_session(a)) {
		say_not_opened(a);
		return 1;
	}
	open_process(a);
	if (stopping && !stop(a))
		return 1;
	a->signals = signals_open();
	others = become_reader(a);
	if (others > 0)
		return leave_to_reader(a, stopping);
	return others || !begin_reading(a) ? 1 : follow(a);
}

/* ---- the list ---- */

static void list_one(FILE *out, int root, const char *name)
{
	struct attached a = { .root = root, .name = name };
	struct kept_record r;
	uint64_t bytes = 0;
	char since[64] = "?";
	struct tm tm;
	time_t t;

	if (open_session(&a) && pread(a.session, &r, sizeof(r), 0) == sizeof(r)) {
		pid_t pid = kept_holder(a.session);

		t = r.started;
		if (localtime_r(&t, &tm))
			strftime(since, sizeof(since), "%F %T", &tm);
		first_from(&a, 0, &bytes);
		fprintf(out, "%s: started %s, ", name, since);
		if (pid > 0)
			fprintf(out, "runs (process %d)", (int)pid);
		else if (pid)
			fprintf(out, "runs in another PID namespace");
		else if (r.ended)
			fprintf(out, "has ended with status %d", r.status);
		else
			fprintf(out, "was killed");
		fprintf(out, ", keeps %.1f MB\n", bytes / 1e6);
	}
	if (a.dir >= 0)
		close(a.dir);
	if (a.session > 0)
		close(a.session);
}

static int list(bool stamped)
{
	int root = kept_open_root(NULL), fd = root < 0 ? -1 : openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	char *text = NULL;
	size_t n = 0;
	FILE *out = d ? open_memstream(&text, &n) : NULL;
	struct dirent *e;
	struct timespec now;

	if (!out)
		return 1;
	while ((e = readdir(d)))
		if (relayed_is_name(e->d_name))
			list_one(out, root, e->d_name);
	closedir(d);
	fclose(out);
	clock_gettime(CLOCK_MONOTONIC, &now);

	const struct stamp stamp = { now.tv_sec * UINT64_C(1000000000) + now.tv_nsec, n };

	if (stamped && n)
		fwrite(&stamp, sizeof(stamp), 1, stdout);
	fwrite(text, n, 1, stdout);
	free(text);
	return fflush(stdout) != 0;
}

/* ---- the command ---- */

int attach(int argc, char **argv)
{
	bool listing = !strcmp(argv[1], "--sessions");
	int named = listing ? 1 : 2;
	struct attached a = { .dir = -1, .session = -1, .process = -1, .changes = -1, .output = -1 };

	a.stamped = argc == named + 2 && !strcmp(argv[named + 1], "--stamped");
	if (argc != named + 1 + a.stamped) {
		say_error("usage: --attach NAME, --stop NAME or --sessions, and then --stamped or nothing");
		return 1;
	}
	if (listing)
		return list(a.stamped);
	a.name = argv[2];
	return attach_to(&a, !strcmp(argv[1], "--stop"));
}
