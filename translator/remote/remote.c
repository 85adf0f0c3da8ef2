// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a script on other machines (--remote): the conversation with each (conversation.c), in one loop.
 *
 * No host waits for another, except while the script is compiled, and while another sends the types of their kernel,
 * which is unknown here (types.c): each is served as its answers come, and the script is compiled for a kernel when
 * the first host says that it has that one. A host that fails ends nothing for the others, unless --fail-fast asks
 * for it.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "remote/host.h"
#include "remote/interrupts.h"
#include "remote/remote.h"
#include "run/command.h"
#include "run/run.h"
#include "session.h"

struct host *hosts;
size_t nhosts;
static struct session *session;
static int (*passes)(struct session *);

static int heeded;				/* how many interrupts the hosts were told of */
static const struct host *failed_first;		/* --fail-fast: why interrupts is 1 */

int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

void hosts_were_unheard(int64_t since)
{
	for (struct host *h = hosts; h < hosts + nhosts; h++)
		if (h->deadline != INT64_MAX) {
			h->deadline += now_ns() - since;
			h->all_by += now_ns() - since;
		}
}

/* ---- ends ---- */

/* Tells the scripts to end at the first interrupt; stops waiting for them at the second. */
static void heed_interrupts(void)
{
	for (struct host *h = hosts; h < hosts + nhosts; h++) {
		if (h->step == ENDED)
			continue;
		if (h->step < RUNNING || interrupts > 1) {
			if (h->is_socket)
				socket_break(h);
			else
				kill(h->pid, SIGTERM);
			h->stopped = true;
		}
		connection_end_input(h);
	}
	heeded = interrupts;
}

/* Returns why a host has ended. */
static const char *what_happened(const struct host *h)
{
	static const char *const stopped[] = {
		[CALLED] = "no shell answers there", [ASKED] = "no connection",
		[DESCRIBED] = "the connection broke", [FETCHED] = "the connection broke",
		[OFFERED] = "it can't keep the bundle",
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
	if (h->step < RUNNING)		/* one that was stopped has not failed, but one that leaves has */
		h->status = h->stopped ? 0 : h->status ? h->status : 1;
	if (h->step == RUNNING)
		merge_end(h);
	conversation_end(h);
	if (!h->what)
		h->what = what_happened(h);
	h->step = ENDED;
	if (h->status && session->options.fail_fast && !interrupts) {
		failed_first = h;
		interrupts = 1;
	}
}

void host_fail(struct host *h, const char *what)
{
	h->what = what;
	h->status = 1;
	if (h->pid > 0)
		kill(h->pid, SIGKILL);
	end(h);
}

/* ---- the loop ---- */

/* Reads what has arrived: one portion, or ALL. */
static void read_from(struct host *h, int stream, bool all)
{
	static char bytes[1 << 16];
	ssize_t n;

	do {
		n = h->from[stream] < 0 ? 0 : read(h->from[stream], bytes, sizeof(bytes));
		if (n > 0)
			conversation_take(h, stream, bytes, n);
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

	if (p[INPUT].revents && connection_write(h) && h->step < RUNNING && h->step != FETCHED)
		conversation_goes_on(h);		/* what is fetched has a time for all */
	if (p[ERR].revents || gone)
		read_from(h, ERR, gone);
	if (p[OUT].revents || gone)
		read_from(h, OUT, gone);
	gone |= h->is_socket && h->from[OUT] < 0;
	if (gone && h->step != ENDED)
		end(h);
	else if (h->step != ENDED && now_ns() > h->deadline)
		host_fail(h, "no answer came in time");
}

/* Waits for events, or until a time. */
static void wait_until(struct pollfd *p, int64_t when)
{
	int64_t left = when - now_ns();
	const struct timespec t = { left < 0 ? 0 : left / SECOND, left < 0 ? 0 : left % SECOND };

	if (ppoll(p, POLLED * nhosts + 1, when == INT64_MAX ? NULL : &t, &interrupts_before) <= 0)
		for (size_t i = 0; i <= POLLED * nhosts; i++)
			p[i].revents = 0;
}

static void converse(void)
{
	struct pollfd *p = arena_alloc((POLLED * nhosts + 1) * sizeof(*p)), *input = p + POLLED * nhosts;

	for (;;) {
		size_t open = 0;
		int64_t next;
		bool good;

		/* A reader that stands still holds up no signal: it ends the wait in write(). */
		interrupts_allow(true);
		next = merge_print(now_ns());
		good = merge_flush();
		interrupts_allow(false);
		if (!good && !interrupts)
			interrupts = 1;		/* nobody reads any more */
		if (interrupts > heeded)
			heed_interrupts();
		for (size_t i = 0; i < nhosts; i++) {
			open += hosts[i].step != ENDED;
			watch(p + POLLED * i, &hosts[i]);
			if (hosts[i].step != ENDED && hosts[i].deadline < next)
				next = hosts[i].deadline;
		}
		if (!open)
			break;
		*input = (struct pollfd){ stdin_wanted(), POLLIN, 0 };
		wait_until(p, next);
		if (input->revents)
			stdin_relay();
		for (size_t i = 0; i < nhosts; i++)
			if (hosts[i].step != ENDED)
				serve(&hosts[i], p + POLLED * i);
		types_go_on();
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

static const char *command_for_hosts(const char *nonce, bool one_stream)
{
	struct command own = { 0 }, c = { 0 };

	if (passes) {
		run_module_options(&own, session);
		run_options(&c, session);
	} else {
		run_attach_options(&c, session);
	}
	command_add(&c, "--stamped");
	if (passes && !session->options.sign)
		command_add(&own, "-R");	/* the script may run there already; a signature has the name, too */
	return far_side_command(nonce, one_stream, &own, &c);
}

static void connect_all(const char *nonce)
{
	const char *command = command_for_hosts(nonce, false), *for_sockets = command_for_hosts(nonce, true);

	for (size_t i = 0; i < nhosts; i++) {
		struct host *h = &hosts[i];
		const char *why = NULL;

		/* stap-vm waits for its turn, and bounds the boot. */
		h->deadline = strncmp(h->name, "vm:", 3) ? now_ns() + ANSWER : INT64_MAX;
		if (h->is_socket)
			why = socket_open(h, nonce, for_sockets);
		else if (!connection_open(h, command))
			why = "no process can be started";
		if (why)
			host_fail(h, why);
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
	const char *nonce;
	int status;

	session = s;
	passes = run_passes;
	bundles_begin(s, run_passes, make_it);
	types_begin(s);
	nhosts = s->options.remotes.n;
	hosts = arena_alloc(nhosts * sizeof(*hosts));
	if (nhosts > 1 && s->options.script_path && !strcmp(s->options.script_path, "-")) {
		diag(DIAG_ERROR, "several hosts may have several kernels: give --remote the script as a "
		     "file, not on standard input");
		return 1;
	}
	for (size_t i = 0; i < nhosts; i++) {
		const char *name = s->options.remotes.v[i];
		bool is_socket = socket_path(name);

		/* A process has an exit status; a socket may break before it has told one. */
		hosts[i] = (struct host){ .name = name, .step = ASKED, .status = is_socket ? 255 : 0,
					  .is_socket = is_socket, .pidfd = -1, .to = -1, .from = { -1, -1 } };
	}
	nonce = conversation_begin(nhosts > 1 || s->options.remote_prefix, s->verbose);
	if (!nonce)
		return 1;
	raise_limit();
	if (!merge_begin(&s->options))
		return 1;
	fflush(NULL);
	interrupts_hold();
	connect_all(nonce);
	converse();
	interrupts_release();
	merge_sums();
	merge_flush();
	status = sum_up();
	return status || !diag_errors ? status : 1;
}
