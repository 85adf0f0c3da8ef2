// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a script on other machines (--remote): the conversation with each (host.h), in one loop.
 *
 * No host waits for another, except while the script is compiled: each is served as its answers come,
 * and the script is compiled for a kernel when the first host says that it has that one. A host that
 * fails ends nothing for the others, unless --fail-fast asks for it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/printable.h"
#include "remote/host.h"
#include "remote/remote.h"
#include "run/command.h"
#include "run/run.h"
#include "session.h"

enum {
	RELEASE_MOST = 64,		/* as the kernel has it */
	NOISE_MOST = 1 << 16,		/* bytes of a host's that are no answers */
	MESSAGE_MOST = 1 << 12,		/* a longer line of messages is printed in parts */
	QUESTIONS = 8,			/* for a host's clock: the quickest answer counts */
};
#define SECOND INT64_C(1000000000)
#define TIME_MOST (INT64_MAX / 4)	/* of a host's clock: sums of times are numbers still */
#define ANSWER (30 * SECOND)		/* so long may an answer take */

/* A bundle that was made. */
struct bundle_for {
	const char *release;		/* "": any */
	struct sbuf image;		/* empty: it could not be made */
	const char *offer;		/* "DIGEST SIZE\n" */
};

struct host *hosts;
size_t nhosts;
static vec(struct bundle_for) bundles;
static struct session *session;
static int (*passes)(struct session *);
static remote_make *make;
static struct utsname here;
static char nonce[20];
static bool with_prefix;		/* messages have the host's name in front */

static volatile sig_atomic_t interrupts;	/* how often the user has asked for the end */
static int heeded;				/* how many the hosts were told of */
static const struct host *failed_first;		/* --fail-fast: why interrupts is 1 */
static sigset_t before;				/* the signals blocked before the run */
static sigset_t held;				/* those that end it */

int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

/* ---- messages ---- */

void print_message(struct host *h, const char *text, size_t n)
{
	char *shown = printable(text, n, "\t");

	if (with_prefix)
		fprintf(stderr, "%s: ", h->name);
	fprintf(stderr, "%s\n", shown ? shown : "");
	free(h->last);
	h->last = shown;
}

/* Takes a byte of a line.  Returns true if the line is complete. */
static bool add_byte(struct sbuf *b, char c)
{
	if (c != '\n')
		sbuf_putc(b, c);
	return c == '\n' || b->len >= MESSAGE_MOST;
}

static void end_message(struct host *h)
{
	struct sbuf *b = &h->text[ERR];
	size_t n = b->len;

	if (n && b->s[n - 1] == '\r')
		n--;			/* ssh ends its own so */
	print_message(h, sbuf_str(b), n);
	b->len = 0;
}

static void take_messages(struct host *h, const char *p, size_t n)
{
	for (; n; p++, n--)
		if (add_byte(&h->text[ERR], *p))
			end_message(h);
}

/* ---- signals ---- */

static void note_interrupt(int sig)
{
	(void)sig;
	interrupts++;
}

/* Lets signals come only while the loop waits.  SIGPIPE is ignored: that a host is gone is no
 * interrupt. */
static void hold_interrupts(void)
{
	const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	const struct sigaction sa = { .sa_handler = note_interrupt };
	struct sigaction old;

	sigemptyset(&held);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		if (sigaction(ends[i], NULL, &old) || old.sa_handler == SIG_IGN)
			continue;
		sigaction(ends[i], &sa, NULL);
		sigaddset(&held, ends[i]);
	}
	sigprocmask(SIG_BLOCK, &held, &before);
	signal(SIGPIPE, SIG_IGN);
}

/* Lets signals end stap as usual. */
static void release_interrupts(void)
{
	for (int n = 1; n < NSIG; n++)
		if (sigismember(&held, n) == 1)
			signal(n, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Tells the scripts to end at the first interrupt; stops waiting for them at the second. */
static void heed_interrupts(void)
{
	for (struct host *h = hosts; h < hosts + nhosts; h++) {
		if (h->step == ENDED)
			continue;
		if (h->step < RUNNING || interrupts > 1) {
			kill(h->pid, SIGTERM);
			h->stopped = true;
		}
		connection_end_input(h);
	}
	heeded = interrupts;
}

/* ---- ends ---- */

/* Returns why a host has ended. */
static const char *what_happened(const struct host *h)
{
	static const char *const stopped[] = {
		[ASKED] = "no connection", [OFFERED] = "it can't keep the bundle",
		[SENT] = "it can't keep the bundle", [TIMED] = "the bundle doesn't run there",
		[RUNNING] = "the connection broke",
	};
	const char *why = stopped[h->step];

	if (h->stopped)
		return failed_first ? arena_printf("ended, as %s has failed", failed_first->name) : "interrupted";
	if (!h->status)
		return "done";
	if (h->step == RUNNING && h->status != 255 && (passes || !h->last))
		return "the script failed";
	if (h->step == RUNNING && h->status != 255)
		return h->last;
	return h->last ? arena_printf("%s: %s", why, h->last) : why;
}

static void end(struct host *h)
{
	connection_close(h);
	if (h->stopped && h->step < RUNNING)
		h->status = 0;		/* it has not failed */
	if (h->step == RUNNING)
		merge_end(h);
	if (h->text[ERR].len)
		end_message(h);
	if (!h->what)
		h->what = what_happened(h);
	h->step = ENDED;
	if (h->status && session->options.fail_fast && !interrupts) {
		failed_first = h;
		interrupts = 1;
	}
}

/* Gives up the host. */
static void fail(struct host *h, const char *what)
{
	h->what = what;
	h->status = 1;
	if (h->pid > 0)
		kill(h->pid, SIGKILL);
	end(h);
}

/* ---- bundles ---- */

/* Compiles for a kernel.  The session notes signals meanwhile. */
static int compile(const char *release)
{
	text_list kernels = { 0 };
	int status;

	if (!session_tmpdir(session))
		return 1;
	session->options.bundle = arena_printf("%s/bundle-%zu", session_tmpdir(session), bundles.n);
	if (*release)
		vec_push(&kernels, release);
	sigprocmask(SIG_SETMASK, &before, NULL);
	session_hold_signals();
	status = make(session, &kernels, passes);
	hold_interrupts();
	if (session_interrupted() && !interrupts)
		interrupts = 1;
	return status;
}

static struct bundle_for make_bundle_for(const char *release)
{
	struct bundle_for b = { .release = release };
	struct hash *digest = hash_new();
	int64_t began = now_ns();

	if (!compile(release) && file_read(session->options.bundle, &b.image)) {
		diag(DIAG_ERROR, "can't read %s: %s", session->options.bundle, strerror(errno));
		b.image.len = 0;
	}
	hash_bytes(digest, b.image.s, b.image.len);
	b.offer = arena_printf("%s %zu\n", hash_hex(digest), b.image.len);
	for (struct host *h = hosts; h < hosts + nhosts; h++)
		if (h->deadline != INT64_MAX)
			h->deadline += now_ns() - began;	/* nobody has heard it meanwhile */
	return b;
}

static const struct bundle_for *bundle_of(const char *release)
{
	for (size_t i = 0; i < bundles.n; i++)
		if (!strcmp(bundles.v[i].release, release))
			return &bundles.v[i];

	struct bundle_for made = make_bundle_for(release);

	vec_push(&bundles, made);
	return &bundles.v[bundles.n - 1];
}

/* ---- the conversation ---- */

static void say(struct host *h, const char *text, size_t n)
{
	h->out = text;
	h->left = n;
	connection_write(h);
}

/* May TEXT be a kernel release?  It becomes part of paths on this machine. */
static bool is_release(const char *text)
{
	return *text >= '0' && *text <= '9' && strlen(text) <= RELEASE_MOST &&
	       !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+~-")];
}

static bool answer_kernel(struct host *h, char *words)
{
	bool any = session->engine == ENGINE_USER || !passes;
	const char *release = strsep(&words, " "), *machine = words;

	if (!machine || !is_release(release))
		return false;
	if (strcmp(machine, here.machine)) {
		char *shown = printable(machine, strlen(machine), "");

		fail(h, arena_printf("it is a machine of another architecture, %s", shown));
		free(shown);
		return true;
	}
	if (interrupts)
		return true;		/* heed_interrupts() ends it */
	h->bundle = bundle_of(any ? "" : arena_strdup(release));
	if (interrupts)
		return true;
	if (!h->bundle->image.len) {
		fail(h, any ? "the script can't be compiled"
			    : arena_printf("the script can't be compiled for its kernel, %s", release));
		return true;
	}
	h->step = OFFERED;
	say(h, h->bundle->offer, strlen(h->bundle->offer));
	return true;
}

static void ask_clock(struct host *h)
{
	bool more = nhosts > 1 && h->questions++ < QUESTIONS;

	h->asked_at = now_ns();
	say(h, more ? "?" : "\n", 1);
}

/* The answer was given at some time between the question and now: the middle is wrong by half of that
 * at most. */
static bool answer_clock(struct host *h, const char *words)
{
	char *behind;
	int64_t time = strtoll(words, &behind, 10), now = now_ns(), took = now - h->asked_at;

	if (*behind || time <= 0 || time > TIME_MOST || !h->questions || h->questions > QUESTIONS)
		return false;
	if (h->questions == 1 || took < h->took) {
		h->took = took;
		h->offset = time - (h->asked_at + took / 2);
	}
	ask_clock(h);
	return true;
}

static bool answer_run(struct host *h)
{
	if (nhosts > 1 && session->verbose)
		fprintf(stderr, "%s: its clock is %.6f s from ours, known to %.3f ms\n", h->name,
			h->offset / 1e9, h->took / 2e6);
	h->step = RUNNING;
	h->deadline = INT64_MAX;
	return true;
}

static bool answer_have(struct host *h)
{
	h->step = TIMED;
	ask_clock(h);
	return true;
}

/*
 * So much of the bundle has arrived.  What we have written may be on its way, in buffers of ssh and of the
 * network, for minutes, so that alone is no progress.
 */
static bool answer_got(struct host *h, const char *words)
{
	char *behind;
	unsigned long long n = strtoull(words, &behind, 10);

	if (behind == words || *behind || n <= h->got || n > h->bundle->image.len)
		return false;
	h->got = n;
	return true;
}

static bool answer_need(struct host *h)
{
	h->step = SENT;
	say(h, h->bundle->image.s, h->bundle->image.len);
	return true;
}

/* Takes an answer.  Returns false if it makes no sense. */
static bool take_answer(struct host *h, char *words)
{
	const char *word = strsep(&words, " ");

	h->deadline = now_ns() + ANSWER;
	if (h->step == ASKED && !strcmp(word, "kernel") && words)
		return answer_kernel(h, words);
	if (h->step == OFFERED && !strcmp(word, "need"))
		return answer_need(h);
	if (h->step == SENT && !strcmp(word, "got") && words)
		return answer_got(h, words);
	if ((h->step == OFFERED || h->step == SENT) && !strcmp(word, "have"))
		return answer_have(h);
	if (h->step == TIMED && !strcmp(word, "clock") && words)
		return answer_clock(h, words);
	return h->step == TIMED && !strcmp(word, "run") && answer_run(h);
}

/* Takes a line: an answer, or what login scripts print. */
static void take_line(struct host *h, char *line, size_t n)
{
	size_t own = strlen(nonce);

	if (n > own && !strncmp(line, nonce, own) && line[own] == ' ' && !memchr(line, '\0', n)) {
		if (!take_answer(h, line + own + 1))
			fail(h, "its answers make no sense");
		return;
	}
	print_message(h, line, n);
	h->noise += n + 1;
	if (h->noise > NOISE_MOST)
		fail(h, "it prints without end, but gives no answer");
}

/* Takes bytes of the stamped output.  Returns how many. */
static size_t take_stamped(struct host *h, const char *p, size_t n)
{
	size_t rest = sizeof(h->stamp) - h->stamp_got;

	if (rest) {
		n = n < rest ? n : rest;
		memcpy((char *)&h->stamp + h->stamp_got, p, n);
		h->stamp_got += n;
		if (h->stamp_got == sizeof(h->stamp) && (!h->stamp.bytes || h->stamp.time > TIME_MOST))
			fail(h, "its output makes no sense");
		return n;
	}
	n = n < h->stamp.bytes ? n : h->stamp.bytes;
	merge_take(h, (int64_t)h->stamp.time - h->offset, p, n);
	h->stamp.bytes -= n;
	if (!h->stamp.bytes)
		h->stamp_got = 0;
	return n;
}

static void take_output(struct host *h, const char *p, size_t n)
{
	struct sbuf *b = &h->text[OUT];

	while (n && h->step != ENDED) {
		size_t took = h->step == RUNNING ? take_stamped(h, p, n) : 1;

		if (h->step < RUNNING && add_byte(b, *p)) {
			struct sbuf line = *b;

			*b = (struct sbuf){ 0 };
			take_line(h, line.s ? line.s : (char[]){ 0 }, line.len);
			sbuf_free(&line);
		}
		p += took;
		n -= took;
	}
}

/* ---- the loop ---- */

/* Reads what has arrived: one portion, or ALL. */
static void read_from(struct host *h, int stream, bool all)
{
	static char bytes[1 << 16];
	ssize_t n;

	do {
		n = h->from[stream] < 0 ? 0 : read(h->from[stream], bytes, sizeof(bytes));
		if (n > 0 && stream == OUT)
			take_output(h, bytes, n);
		else if (n > 0)
			take_messages(h, bytes, n);
	} while (n > 0 && all);
	if (!n && h->from[stream] >= 0) {
		close(h->from[stream]);
		h->from[stream] = -1;
	}
}

enum { EXIT = STREAMS, INPUT, POLLED };

static void watch(struct pollfd *p, const struct host *h)
{
	p[OUT] = (struct pollfd){ h->from[OUT], POLLIN, 0 };
	p[ERR] = (struct pollfd){ h->from[ERR], POLLIN, 0 };
	p[EXIT] = (struct pollfd){ h->pidfd, POLLIN, 0 };
	p[INPUT] = (struct pollfd){ h->left ? h->to : -1, POLLOUT, 0 };
}

static void serve(struct host *h, const struct pollfd *p)
{
	bool gone = p[EXIT].revents;

	if (p[INPUT].revents && connection_write(h))
		h->deadline = now_ns() + ANSWER;
	if (p[ERR].revents || gone)
		read_from(h, ERR, gone);
	if (p[OUT].revents || gone)
		read_from(h, OUT, gone);
	if (gone && h->step != ENDED)
		end(h);
	else if (h->step < RUNNING && now_ns() > h->deadline)
		fail(h, "no answer came in time");
}

/* Waits for events, or until a time. */
static void wait_until(struct pollfd *p, int64_t when)
{
	int64_t left = when - now_ns();
	const struct timespec t = { left < 0 ? 0 : left / SECOND, left < 0 ? 0 : left % SECOND };

	if (ppoll(p, POLLED * nhosts, when == INT64_MAX ? NULL : &t, &before) <= 0)
		for (size_t i = 0; i < POLLED * nhosts; i++)
			p[i].revents = 0;
}

static void converse(void)
{
	struct pollfd *p = arena_alloc(POLLED * nhosts * sizeof(*p));

	for (;;) {
		size_t open = 0;
		int64_t next;
		bool good;

		/* A reader that stands still holds up no signal: it ends the wait in write(). */
		sigprocmask(SIG_SETMASK, &before, NULL);
		next = merge_print(now_ns());
		good = merge_flush();
		sigprocmask(SIG_BLOCK, &held, NULL);
		if (!good && !interrupts)
			interrupts = 1;		/* nobody reads any more */
		if (interrupts > heeded)
			heed_interrupts();
		for (size_t i = 0; i < nhosts; i++) {
			open += hosts[i].step != ENDED;
			watch(p + POLLED * i, &hosts[i]);
			if (hosts[i].step < RUNNING && hosts[i].deadline < next)
				next = hosts[i].deadline;
		}
		if (!open)
			break;
		wait_until(p, next);
		for (size_t i = 0; i < nhosts; i++)
			if (hosts[i].step != ENDED)
				serve(&hosts[i], p + POLLED * i);
	}
}

/* ---- the sum ---- */

/* Prints a table of the hosts, if there are several or one has failed.  Returns the exit status of the
 * first that has, or 0. */
static int sum_up(void)
{
	int status = failed_first ? failed_first->status : 0, widest = 4;

	for (size_t i = 0; i < nhosts; i++) {
		int n = strlen(hosts[i].name);

		status = status ? status : hosts[i].status;
		widest = n > widest ? n : widest;
	}
	if (nhosts == 1 && !status)
		return 0;
	fprintf(stderr, "%-*s  status       lines  what happened\n", widest, "host");
	for (size_t i = 0; i < nhosts; i++)
		fprintf(stderr, "%-*s  %6d  %10" PRIu64 "  %s\n", widest, hosts[i].name, hosts[i].status,
			hosts[i].lines, hosts[i].what);
	if (session->verbose && nhosts > 1)
		fprintf(stderr, "%" PRIu64 " lines came too late for their place in the order of time\n",
			merge_late());
	return status;
}

static const char *command_for_hosts(void)
{
	struct command c = { 0 };
	text_list options = { 0 };
	bool user = session->engine == ENGINE_USER;

	if (passes)
		run_options(&c, session);
	else
		run_attach_options(&c, session);
	command_add(&c, "--stamped");
	if (!user && passes && !session->options.sign)
		command_add(&c, "-R");	/* the script may run there already; a signature has the name, too */
	for (size_t i = 0; i < c.words.n; i++)
		vec_push(&options, c.words.v[i]);
	return far_side_command(nonce, !user, &options);
}

static void connect_all(void)
{
	const char *command = command_for_hosts();

	for (size_t i = 0; i < nhosts; i++) {
		struct host *h = &hosts[i];

		/* stap-vm waits for its turn, and bounds the boot. */
		h->deadline = strncmp(h->name, "vm:", 3) ? now_ns() + ANSWER : INT64_MAX;
		if (!connection_open(h, command))
			fail(h, "no process can be started");
	}
}

/* A host takes four descriptors, and perhaps a file: more than the usual 1,024 are for hundreds. */
static void raise_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

int run_remotely(struct session *s, int (*run_passes)(struct session *), remote_make *make_it)
{
	uint64_t number;
	int status;

	session = s;
	passes = run_passes;
	make = make_it;
	nhosts = s->options.remotes.n;
	hosts = arena_alloc(nhosts * sizeof(*hosts));
	with_prefix = nhosts > 1 || s->options.remote_prefix;
	if (nhosts > 1 && s->options.script_path && !strcmp(s->options.script_path, "-")) {
		diag(DIAG_ERROR, "several hosts may have several kernels: give --remote the script as a "
		     "file, not on standard input");
		return 1;
	}
	for (size_t i = 0; i < nhosts; i++)
		hosts[i] = (struct host){ .name = s->options.remotes.v[i], .pidfd = -1, .to = -1,
					  .from = { -1, -1 } };
	if (uname(&here) || getrandom(&number, sizeof(number), 0) != sizeof(number))
		return 1;
	raise_limit();
	if (!merge_begin(&s->options))
		return 1;
	snprintf(nonce, sizeof(nonce), "%016" PRIx64, number);
	fflush(NULL);
	hold_interrupts();
	connect_all();
	converse();
	release_interrupts();
	merge_sums();
	merge_flush();
	status = sum_up();
	return status || !diag_errors ? status : 1;
}
