// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stapio: relays a loaded module's output, and decides when the session ends.
 *
 * staprun starts it with the user's rights and passes it the module's open files.  A thread
 * reads the trace (reader.c).  One loop here waits for an event that ends the session: a
 * signal, exit() or an error in the module, the end of the target command or process, the
 * time limit, output that can't be written.  Then stapio sends the module "stop", which runs
 * the end probes, and relays what is left in the ring buffers.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "abi/bounds.h"
#include "common/control.h"
#include "common/say.h"
#include "common/signals.h"
#include "command.h"
#include "input.h"
#include "stapio/names/known.h"
#include "stapio/names/namer_process.h"
#include "reader.h"
#include "stapio/records/render.h"
#include "report.h"
#include "stapio/names/usymbols.h"

/* For how long the rest of the output is relayed if staprun was killed, and for how long a message waits
 * for its reader after a second signal. */
#define DRAIN_MS 400

/* The options, and all that a session consists of. */
struct session {
	const char *module, *output, *command_text;
	long target;			/* 0: none */
	double seconds;			/* 0: no limit */
	int control, trace, formats, programs;	/* the module's files */
	int staprun;			/* pidfd: readable when it has ended; -1: none */
	int exiting;			/* eventfd: the module is exiting */
	char *format_text;
	int signals, target_fd, timer;
	bool no_command;		/* command_text names no program that exists */
	bool has_command;
	struct command command;
	struct usymbols *usymbols;
	struct reader reader;
	struct input input;
	bool failed, command_failed;
	bool cancelled;			/* staprun got a signal before the start */
	bool attached;			/* -A: the session runs already */
	bool bulk;			/* -b: one file for each CPU */
	bool json;			/* -J: one JSON object for each output of a handler */
	struct output_files files;
	char output_path[PATH_MAX];
	int started_fd;			/* -N: gets a byte when the session has started; -1: none */
};

static void usage(void)
{
	fprintf(stderr, "usage: stapio [-bJvw] [-o FILE] [-c CMD] [-x PID] [-E SECONDS] "
		"[-S MB[,N]] [-A] [-N FD] "
		"[-F CONTROL,TRACE,FORMATS,PROGRAMS,STAPRUN] MODULE\n");
	exit(1);
}

static long number(const char *text, long max)
{
	char *end;

	errno = 0;
	long v = strtol(text, &end, 10);

	if (errno || *end || end == text || v < 1 || v > max) {
		say_error("'%s' is not a number from 1 to %ld", text, max);
		exit(1);
	}
	return v;
}

static void inherit(struct session *s, const char *text)
{
	if (sscanf(text, "%d,%d,%d,%d,%d", &s->control, &s->trace, &s->formats, &s->programs,
		   &s->staprun) != 5)
		usage();
	fcntl(s->staprun, F_SETFD, FD_CLOEXEC);
	fcntl(s->control, F_SETFD, FD_CLOEXEC);
	fcntl(s->trace, F_SETFD, FD_CLOEXEC);
	fcntl(s->formats, F_SETFD, FD_CLOEXEC);
	fcntl(s->programs, F_SETFD, FD_CLOEXEC);
}

static void open_files(struct session *s, const char *module)
{
	s->control = control_open(module, ST_FILE_CONTROL, O_RDWR);
	s->trace = control_open(module, ST_FILE_TRACE, O_RDWR);
	s->formats = control_open(module, ST_FILE_FORMATS, O_RDONLY);
	s->programs = control_open(module, ST_FILE_FILES, O_RDONLY);
	if (s->control < 0 || s->trace < 0 || s->formats < 0) {
		int err = s->control < 0 ? s->control : s->trace < 0 ? s->trace : s->formats;

		say_error("can't attach to module '%s': %s", module, strerror(-err));
		exit(1);
	}
}

/* Reads the argument of -S, "MB[,N]". */
static void read_size(struct session *s, char *text)
{
	char *comma = strchr(text, ',');

	if (comma)
		*comma++ = '\0';
	s->files.limit = number(text, ST_OUTPUT_MOST) << 20;
	s->files.keep = comma ? number(comma, INT_MAX) : 0;
}

static void options(struct session *s, int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "+bJvwo:c:x:E:F:S:AN:")) != -1) {
		switch (c) {
		case 'b':
			s->bulk = true;
			break;
		case 'J':
			s->json = true;
			break;
		case 'v':
			say_verbose++;
			break;
		case 'w':
			say_no_warnings = true;
			break;
		case 'o':
			s->output = optarg;
			break;
		case 'c':
			s->command_text = optarg;
			break;
		case 'x':
			s->target = number(optarg, INT_MAX);
			break;
		case 'E':
			s->seconds = strtod(optarg, NULL);
			break;
		case 'F':
			inherit(s, optarg);
			break;
		case 'S':
			read_size(s, optarg);
			break;
		case 'A':
			s->attached = true;
			break;
		case 'N':
			s->started_fd = number(optarg, INT_MAX);
			fcntl(s->started_fd, F_SETFD, FD_CLOEXEC);
			break;
		default:
			usage();
		}
	}
	if (optind != argc - 1)
		usage();
	s->module = argv[optind];
	if (s->control < 0)
		open_files(s, s->module);
}

static void switch_files(int sig)
{
	(void)sig;
	output_switch();
}

/*
 * Names the output's file as -o says, where strftime() formats are expanded; with -b, makes the first part
 * of the names of the CPUs' files.  Returns 0, or -1 after a message.
 */
static int name_output(struct session *s)
{
	time_t t = time(NULL);
	struct tm tm;
	const char *name = s->output ? s->output : "stpd";
	size_t n = localtime_r(&t, &tm) ?
		   strftime(s->output_path, sizeof(s->output_path) - sizeof("_cpu"), name, &tm) : 0;

	if (!n) {
		say_error("Invalid FILE name format '%s'", name);
		return -1;
	}
	if (s->bulk)
		strcpy(s->output_path + n, s->output && s->started_fd < 0 ? "_" : "_cpu");
	s->files.base = s->output_path;
	s->files.lines = s->files.limit && !s->bulk;
	return 0;
}

/* Opens the output.  Returns its descriptor, -1 with -b, or -2 after a message. */
static int open_output(struct session *s)
{
	if (!s->output && !s->bulk)
		return STDOUT_FILENO;
	if (name_output(s))
		return -2;
	if (s->bulk)
		return -1;

	int fd = output_open(&s->files);

	if (fd < 0)
		say_error("Couldn't open output file %s: %s", s->output_path, strerror(errno));
	return fd < 0 ? -2 : fd;
}

/* Sends the module a command; prints a message if it fails. */
static int tell(struct session *s, const char *command, long value)
{
	char why[512];
	int err = value ? control_send(s->control, why, sizeof(why), "%s %ld", command, value)
			: control_send(s->control, why, sizeof(why), "%s", command);

	if (!err)
		return 0;
	if (err == -ECANCELED) {
		s->cancelled = true;
	} else {
		say_error("%s", why);
		s->failed = true;
	}
	return -1;
}

/* Prepares the target process of -x or -c. */
static int prepare_target(struct session *s)
{
	if (s->command_text) {
		s->no_command = !command_exists(s->command_text);
		if (s->no_command || command_hold(&s->command, s->command_text))
			return -1;
		s->has_command = true;
		return tell(s, "target", s->command.pid);
	}
	if (!s->target)
		return 0;
	s->target_fd = syscall(SYS_pidfd_open, (pid_t)s->target, 0);
	/* The target() may be a thread, for which pidfd_open() fails. */
	if (s->target_fd < 0 && kill(s->target, 0) && errno == ESRCH) {
		say_error("there is no process %ld (-x)", s->target);
		return -1;
	}
	return tell(s, "target", s->target);
}

/* Sends the module the symbols that the script asks for, of the programs that are known at the start. */
static void give_names(struct session *s)
{
	struct control_state st;
	char *programs;
	unsigned int asks = 0;
	size_t bytes;

	if (!control_state(s->control, &st))
		asks = control_counter(&st, "asks");
	control_state_free(&st);
	usymbols_asks(s->usymbols, asks);
	if (!asks || s->attached)
		return;
	programs = control_read_all(s->programs, &bytes);
	if (programs)
		known_probed(s->usymbols, programs, bytes);
	free(programs);
	if (s->command_text)
		known_command(s->usymbols, s->command_text);
	else if (s->target)
		known_process(s->usymbols, s->target);
}

/* Does everything that can fail before probes are armed. */
static int prepare(struct session *s)
{
	int fd;
	size_t bytes;

	s->signals = signals_open();
	s->format_text = control_read_all(s->formats, &bytes);
	if (s->signals < 0 || !s->format_text) {
		say_error("can't read the module's formats: %s", strerror(errno));
		return -1;
	}
	fd = open_output(s);
	if (fd < -1)
		return -1;
	control_send_zone(s->control);
	s->exiting = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (tell(s, "notify", s->exiting))
		return -1;
	if (prepare_target(s))
		return -1;
	s->usymbols = usymbols_new(s->trace, s->control, s->signals);
	if (!s->usymbols) {
		say_error("no memory for the names of programs");
		return -1;
	}
	give_names(s);
	return reader_start(&s->reader, s->trace, s->usymbols, s->format_text, bytes, fd, &s->files,
			    s->json);
}

static int start_timer(struct session *s)
{
	struct itimerspec when = {
		.it_value.tv_sec = s->seconds,
		.it_value.tv_nsec = (s->seconds - (long)s->seconds) * 1e9,
	};

	if (!s->seconds)
		return 0;
	s->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (s->timer < 0 || timerfd_settime(s->timer, 0, &when, NULL)) {
		say_error("can't set the time limit: %s", strerror(errno));
		s->failed = true;
		return -1;
	}
	return 0;
}

/* The events that end a session; and standard input, which is relayed while it lasts. */
enum { SIGNAL, MODULE, COMMAND, TARGET, TIMER, READER, STAPRUN, INPUT, NPOLLED };

/* Relays standard input until an event ends the session; PF's revents say which. */
static void poll_for_end(struct session *s, struct pollfd *pf)
{
	int n;

	for (;;) {
		pf[INPUT].fd = s->input.fd;
		n = poll(pf, NPOLLED, -1);
		if (n < 0 && errno != EINTR)
			return;
		if (n > 0 && pf[INPUT].revents)
			input_relay(&s->input);
		if (n > (pf[INPUT].revents != 0))
			return;
	}
}

/* Waits for an event that ends the session, and sends the module "stop". */
static void wait_for_end(struct session *s)
{
	struct pollfd pf[NPOLLED] = {
		[SIGNAL] = { .fd = s->signals, .events = POLLIN },
		[MODULE] = { .fd = s->exiting, .events = POLLIN },
		[COMMAND] = { .fd = s->has_command ? s->command.pidfd : -1, .events = POLLIN },
		[TARGET] = { .fd = s->target_fd, .events = POLLIN },
		[TIMER] = { .fd = s->timer, .events = POLLIN },
		[READER] = { .fd = s->reader.event, .events = POLLIN },
		[STAPRUN] = { .fd = s->staprun, .events = POLLIN },
		[INPUT] = { .events = POLLIN },
	};
	static const char *const why[INPUT] = {
		"a signal", "the module", "the end of the command", "the end of the process",
		"the time limit", "the output", "the end of staprun",
	};

	input_begin(&s->input, s->module);
	poll_for_end(s, pf);
	input_end(&s->input);
	if (pf[SIGNAL].revents) {
		usymbols_hurry(s->usymbols);
		signals_take(s->signals);
	}
	if (pf[COMMAND].revents)
		command_reap(&s->command);
	/* Stop before printing: a message may wait for its reader, and meanwhile the probes stay armed. */
	tell(s, "stop", 0);
	for (int i = 0; i < INPUT; i++)
		if (pf[i].revents)
			say_if(1, "stapio: the session ends because of %s", why[i]);
	if (pf[COMMAND].revents)
		s->command_failed = !command_succeeded(&s->command);
}

/* Waits until the reader thread reaches the end of the trace.  Returns false if a second signal cut that
 * short, or staprun, which passes signals on, has been gone for DRAIN_MS. */
static bool drained(struct session *s)
{
	struct pollfd pf[] = {
		{ .fd = s->signals, .events = POLLIN },
		{ .fd = s->reader.event, .events = POLLIN },
		{ .fd = s->staprun, .events = POLLIN },
	};
	int n, wait_ms = -1;
	eventfd_t events;

	while (!__atomic_load_n(&s->reader.ended, __ATOMIC_ACQUIRE)) {
		n = poll(pf, 3, wait_ms);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (!n && wait_ms >= 0))
			return false;
		if (pf[0].revents) {
			say_wait_ms = DRAIN_MS;
			say_warning("interrupted again: output may be missing");
			return false;
		}
		if (pf[2].revents) {
			pf[2].fd = -1;
			say_wait_ms = wait_ms = DRAIN_MS;
		}
		eventfd_read(s->reader.event, &events);
	}
	return true;
}

static void end_report(struct session *s)
{
	struct control_state st;
	int err = s->reader.out.error;

	/* That the reader of a pipe has exited ("| head") is no error. */
	if (err && err != EPIPE) {
		say_error("can't write the output: %s", strerror(err));
		s->failed = true;
	}
	if (!control_state(s->control, &st)) {
		if (control_counter(&st, "late"))
			say_if(1, "stapio: %" PRIu64 " places were probed in modules that were "
			       "loaded later", control_counter(&st, "late"));
		report(&st);
	}
	control_state_free(&st);
	if (render_dropped(s->reader.render))
		say_warning("%zu speculations were dropped", render_dropped(s->reader.render));
	s->failed |= s->reader.damaged || render_saw_error(s->reader.render);
}

enum { MANY_PLACES = 1000 };		/* arming so many may take seconds */

/* Starts the session: 0, or -1 after a message. */
static int start(struct session *s)
{
	struct control_state st;
	int err;

	if (!control_state(s->control, &st)) {
		if (control_counter(&st, "places") >= MANY_PLACES)
			say_progress("Arming %" PRIu64 " places...", control_counter(&st, "places"));
		control_state_free(&st);
	}
	err = tell(s, "start", 0);
	say_progress_end();
	return err;
}

/* With -v: prints how many places are probed by ftrace, kprobes and kretprobes. */
static void tell_places(struct session *s)
{
	struct control_state st;

	if (!say_verbose || control_state(s->control, &st))
		return;

	unsigned long ftrace = control_counter(&st, "ftrace");
	unsigned long kprobes = control_counter(&st, "kprobes");
	unsigned long kretprobes = control_counter(&st, "kretprobes");

	if (ftrace + kprobes + kretprobes)
		say_if(1, "stapio: %lu places in the kernel are probed: %lu by ftrace, "
		       "%lu by kprobes, %lu by kretprobes", ftrace + kprobes + kretprobes,
		       ftrace, kprobes, kretprobes);
	control_state_free(&st);
}

/* Tells the waiting staprun -D that the session has started, and detaches from its terminal.  Returns false
 * if staprun -D is gone: then the session must end, because nobody would know of it. */
static bool tell_started(struct session *s)
{
	if (s->started_fd < 0)
		return true;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	bool heard = write(s->started_fd, "", 1) == 1;

	close(s->started_fd);
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	return heard;
}

static void run(struct session *s)
{
	if ((s->attached || !start(s)) && !start_timer(s) && tell_started(s)) {
		tell_places(s);
		if (s->has_command)
			command_release(&s->command);
		wait_for_end(s);
	} else {
		tell(s, "stop", 0);
	}
	if (!drained(s))
		_exit(1);		/* the reader thread still uses our memory */
	end_report(s);
	reader_join(&s->reader);
	/* If staprun was killed, closing these lets the kernel remove the module. */
	close(s->trace);
	close(s->control);
	jobs_wait(&s->reader.jobs, s->signals);
}

int main(int argc, char **argv)
{
	struct session s = {
		.control = -1, .trace = -1, .formats = -1, .programs = -1,
		.signals = -1, .target_fd = -1, .timer = -1, .started_fd = -1,
		.staprun = -1,
	};
	/* SIGUSR2 begins the next output file.  Without -o or -b it has no effect. */
	const struct sigaction sa = { .sa_handler = switch_files, .sa_flags = SA_RESTART };

	sigaction(SIGUSR2, &sa, NULL);
	if (argc == 2 && !strcmp(argv[1], NAMER_ARGUMENT))
		namer_process();
	options(&s, argc, argv);

	bool prepared = !prepare(&s);

	if (prepared)
		run(&s);
	else
		s.failed = !s.cancelled;
	usymbols_free(s.usymbols);
	free(s.format_text);
	if (s.no_command)
		return COMMAND_NOT_FOUND;
	if (s.failed)
		return prepared ? 1 : STAPIO_TOOK_NOTHING;
	return s.command_failed ? COMMAND_FAILED : 0;
}
