// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts, asks and kills the namer (namer.h).  The namer is this program, executed again, so that it
 * inherits neither our memory nor our descriptors.  Each wait for it has a deadline, and its answers are
 * checked.
 */
#define _GNU_SOURCE
#include "namer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/self.h"
#include "common/say.h"
#include "common/syscalls.h"
#include "debug_files.h"
#include "namer_messages.h"
#include "namer_process.h"
#include "sandbox.h"

#define LOOK_MS 5			/* how often deadlines are checked, and meanwhile() is called */

struct namer {
	int signals;
	void (*meanwhile)(void *arg);	/* or NULL */
	void *meanwhile_arg;
	bool hurry;
	bool off;			/* no more processes are started */
	unsigned int lost;		/* how many processes have failed */
	/* the current process, counted from 1 (0: there is none), and how many were started */
	unsigned int number, started;
	pid_t pid;
	int socket;
	unsigned int answers;		/* how many answers it gave */
	uint64_t bytes;			/* size of all files that it was given */
	char body[NAMER_MOST + 1];	/* the body of its last message */
};

/* The times at which the namer counts as late with an answer. */
struct deadline {
	clockid_t clock;		/* the CPU time that the namer has used */
	uint64_t processor, wall;	/* ns, of that clock and of CLOCK_MONOTONIC */
	bool hurried, late;		/* the first was shortened (namer_hurry()); one has passed */
};

#define NS 1000000000ull

static uint64_t now(clockid_t clock)
{
	struct timespec t = { 0 };

	clock_gettime(clock, &t);
	return t.tv_sec * NS + t.tv_nsec;
}

void namer_meanwhile(struct namer *n, void (*what)(void *arg), void *arg)
{
	n->meanwhile = what;
	n->meanwhile_arg = arg;
}

static void do_meanwhile(struct namer *n)
{
	if (n->meanwhile)
		n->meanwhile(n->meanwhile_arg);
}

void namer_hurry(struct namer *n)
{
	__atomic_store_n(&n->hurry, true, __ATOMIC_RELEASE);
}

/* Looks for a signal itself, because the main loop may not have seen it yet. */
bool namer_hurries(const struct namer *n)
{
	struct pollfd pf = { .fd = n->signals, .events = POLLIN };

	return __atomic_load_n(&n->hurry, __ATOMIC_ACQUIRE) || poll(&pf, 1, 0) > 0;
}

struct namer *namer_new(int signals)
{
	struct namer *n = calloc(1, sizeof(*n));

	if (n)
		n->signals = signals;
	return n;
}

/* ---- the process ---- */

/* Executes the namer, in the forked child.  PRIORITY is stapio's: the reader thread, which may have forked,
 * has a higher one that the child must not keep. */
static void become_namer(int socket, int priority)
{
	static char name[] = "stapio", argument[] = NAMER_ARGUMENT;
	char *argv[] = { name, argument, NULL }, *none[] = { NULL };
	int null = open("/dev/null", O_RDWR);

	dup2(socket, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);
	setpriority(PRIO_PROCESS, 0, priority);
	execve(SELF_EXE, argv, none);
	_exit(NAMER_NOT_STARTED);
}

static bool start(struct namer *n)
{
	const struct timeval look = { .tv_usec = LOOK_MS * 1000 };
	int ends[2], priority = getpriority(PRIO_PROCESS, getpid());
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return false;
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &look, sizeof(look));
	pid = fork();
	if (!pid)
		become_namer(ends[1], priority);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return false;
	}
	n->number = ++n->started;
	n->pid = pid;
	n->socket = ends[0];
	n->answers = 0;
	n->bytes = 0;
	return true;
}

/* Kills the namer and returns its status.  A namer that doesn't die, because it waits in the kernel for a
 * file system that doesn't answer, is left behind. */
static int end(struct namer *n)
{
	int status = 0;

	if (!n->number)
		return 0;
	kill(n->pid, SIGKILL);
	for (unsigned int us = 100; us < 1000000 && !waitpid(n->pid, &status, WNOHANG); us *= 2)
		usleep(us);
	close(n->socket);
	n->number = 0;
	return status;
}

void namer_free(struct namer *n)
{
	if (n)
		end(n);
	free(n);
}

/* ---- messages ---- */

static struct deadline deadline(struct namer *n)
{
	struct deadline d = { .wall = now(CLOCK_MONOTONIC) + LIMIT_NAMER_WAIT * NS };

	if (clock_getcpuclockid(n->pid, &d.clock))
		d.clock = CLOCK_MONOTONIC;
	d.processor = now(d.clock) + LIMIT_NAMER_TIME * NS;
	return d;
}

static bool is_late(struct namer *n, struct deadline *d)
{
	uint64_t used = now(d->clock);

	if (namer_hurries(n) && !d->hurried) {
		d->hurried = true;
		if (d->processor > used + LIMIT_NAMER_HURRY * NS)
			d->processor = used + LIMIT_NAMER_HURRY * NS;
	}
	d->late = used >= d->processor || now(CLOCK_MONOTONIC) >= d->wall;
	return d->late;
}

/* Receives BYTES bytes.  recv() drops descriptors, which the namer has no reason to send.  Returns false if
 * the namer has ended or is late. */
static bool take(struct namer *n, void *to, size_t bytes, struct deadline *d)
{
	while (bytes) {
		ssize_t got = recv(n->socket, to, bytes, 0);

		if (!got || (got < 0 && errno != EAGAIN && errno != EINTR))
			return false;
		if (got > 0) {
			to = (char *)to + got;
			bytes -= got;
		}
		if (bytes && is_late(n, d))
			return false;
		if (got < 0)
			do_meanwhile(n);
	}
	return true;
}

/* Sends a message, and FD with it unless it is -1.  Never blocks: messages are so short that the socket is
 * full only if the namer has stopped reading. */
static bool send_message(struct namer *n, const struct namer_message *head, int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { { 0 } };
	struct iovec v = { (void *)head, sizeof(*head) };
	struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };

	if (fd >= 0) {
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	}
	return sendmsg(n->socket, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(*head);
}

/* Sends a file's descriptor, and counts the file's size, because libdw may read and keep all of it. */
static bool send_file(struct namer *n, const struct namer_message *head, int fd)
{
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st))
		n->bytes += st.st_size;
	return send_message(n, head, fd);
}

/* The namer for which a debug file is downloaded. */
static struct namer *waiting;

static bool stop_download(long done, long total)
{
	(void)done, (void)total;
	do_meanwhile(waiting);
	return namer_hurries(waiting);
}

/* Opens the debug file that the namer wants, and sends it.  The deadline moves by the time that this takes,
 * which isn't the namer's fault. */
static bool give_debug_file(struct namer *n, const struct namer_file *f,
			    const struct namer_message *wanted, struct deadline *d)
{
	const struct namer_message head = { .kind = NAMER_DEBUG_FILE };
	uint64_t began = now(CLOCK_MONOTONIC);
	int fd;
	bool sent;

	waiting = n;
	fd = debug_file_find(wanted->what, f->path, n->body, wanted->bytes, stop_download);
	d->wall += now(CLOCK_MONOTONIC) - began;
	sent = send_file(n, &head, fd);
	if (fd >= 0)
		close(fd);
	return sent;
}

/* Sends the question *M and receives the answer: its head to *M, its body to n->body.  Returns false if the
 * namer has failed. */
static bool exchange(struct namer *n, struct namer_file *f, struct namer_message *m, int fd,
		     struct deadline *d)
{
	const struct namer_message program = { .kind = NAMER_PROGRAM, .program = f->number };

	m->program = f->number;
	if (f->given != n->number) {
		f->given = n->number;
		if (!send_file(n, &program, f->fd))
			return false;
	}
	if (!send_message(n, m, fd))
		return false;
	for (;;) {
		if (!take(n, m, sizeof(*m), d) || m->bytes > NAMER_MOST ||
		    !take(n, n->body, m->bytes, d))
			return false;
		n->body[m->bytes] = '\0';
		if (m->kind != NAMER_WANTS)
			return true;
		if (!give_debug_file(n, f, m, d) || is_late(n, d))
			return false;
	}
}

/* ---- failures ---- */

static void turn_off(struct namer *n, const char *why)
{
	n->off = true;
	say_warning("no more symbols of programs are looked up: %s", why);
}

static void give_up(struct namer_file *f, int status, bool late)
{
	char *path = printable(f->path, strlen(f->path), "");
	char why[128];

	f->given_up = true;
	if (late)
		snprintf(why, sizeof(why), "reading it takes too long");
	else if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "reading it ended with \"%s\"",
			 strsignal(WTERMSIG(status)));
	else
		snprintf(why, sizeof(why), "reading it failed");
	say_warning("no symbols for %s: %s", path ? path : "a file", why);
	free(path);
}

/* Ends the namer that failed on F.  Returns true if the question may be asked again: the namer wasn't late,
 * and may have been damaged by an earlier file. */
static bool recover(struct namer *n, struct namer_file *f, bool late, bool again)
{
	bool fresh = !n->answers;
	int status = end(n);

	if (WIFEXITED(status) && WEXITSTATUS(status) == NAMER_NOT_STARTED) {
		turn_off(n, "the sandboxed process that reads them can't start (is seccomp missing?)");
		return false;
	}
	if (++n->lost == LIMIT_NAMERS)
		turn_off(n, "too many files could not be read");
	else if (late && namer_hurries(n))
		turn_off(n, "the session is to end");
	if (!late && !fresh && !again && !n->off)
		return true;
	give_up(f, status, late);
	return false;
}

/* Makes sure that there is a namer that can take the file.  libdw keeps what it has read, so a namer that
 * has too many bytes of files is replaced. */
static bool is_ready(struct namer *n, const struct namer_file *f)
{
	if (n->off || f->given_up)
		return false;
	if (n->number && f->given != n->number && n->bytes > sandbox_memory() / 2)
		end(n);
	if (f->fd < 0)
		return n->number && f->given == n->number;
	if (!n->number && !start(n))
		turn_off(n, strerror(errno));
	return n->number;
}

/* Asks the question *M, replaces it by the answer's head, and returns true if there is one. */
static bool ask(struct namer *n, struct namer_file *f, struct namer_message *m, int fd)
{
	const struct namer_message asked = *m;

	for (bool again = false; is_ready(n, f); again = true) {
		struct deadline d = deadline(n);

		*m = asked;
		if (exchange(n, f, m, fd, &d)) {
			n->answers++;
			return true;
		}
		if (!recover(n, f, d.late, again))
			return false;
	}
	return false;
}

/* ---- questions ---- */

/* Takes the next string from an answer.  Returns it printable and malloc'ed, or NULL if it is empty. */
static char *take_string(const char **at, const char *end)
{
	const char *s = *at;
	size_t n = s < end ? strlen(s) : 0;	/* behind END there is a NUL */

	*at = s + n + (s < end);
	return n ? printable(s, n, "") : NULL;
}

static bool read_names(const struct namer *n, const struct namer_message *m,
		       struct binary_names *out)
{
	const char *at = n->body + sizeof(struct namer_found), *end = n->body + m->bytes;
	struct namer_found found;

	if (m->kind != NAMER_FOUND || m->bytes < sizeof(found))
		return false;
	memcpy(&found, n->body, sizeof(found));
	if (found.nplaces > INLINED_MOST)
		return false;
	*out = (struct binary_names){ .in_file = found.in_file, .offset = found.offset,
				      .size = found.size };
	out->name = take_string(&at, end);
	for (; out->nplaces < found.nplaces; out->nplaces++) {
		struct place *p = &out->places[out->nplaces];

		p->function = take_string(&at, end);
		p->source = take_string(&at, end);
		p->line = found.lines[out->nplaces];
		if (!p->source) {
			free((char *)p->function);
			break;
		}
	}
	return true;
}

bool namer_find(struct namer *n, struct namer_file *f, uint64_t offset, bool lines,
		struct binary_names *out)
{
	struct namer_message m = { .kind = NAMER_FIND, .what = lines, .value = offset };

	return ask(n, f, &m, -1) && read_names(n, &m, out);
}

int namer_table(struct namer *n, struct namer_file *f, unsigned int asks)
{
	struct namer_message m = { .kind = NAMER_TABLE, .what = asks };
	int fd = memfd_create("names", MFD_CLOEXEC);

	if (fd >= 0 && ask(n, f, &m, fd) && m.kind == NAMER_MADE && m.what)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
