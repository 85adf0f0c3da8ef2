// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stapio: relays a loaded module's output, and decides when the session ends.
 *
 * staprun starts it with the user's rights and passes it the module's open files.  A thread
 * reads the trace (reader.c).  One loop here waits for an event that ends the session: a
 * signal, exit() or an error in the module, the end of the target command or process, the
 * time limit, output that can't be written.  Then stapio sends the module "stop", which runs
 * the end probes, and relays what is left in the ring buffers.
 *
 * Given the file of an intermediate program instead of a module's name, it runs that itself
 * (interpret.c), without staprun; all else is the same.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
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
#include "base/problem.h"
#include "base/root.h"
#include "common/control.h"
#include "common/daemon.h"
#include "relayed.h"
#include "common/say.h"
#include "common/signals.h"
#include "command.h"
#include "input.h"
#include "interpret.h"
#include "stapio/kept/attach.h"
#include "stapio/kept/kept.h"
#include "stapio/names/known.h"
#include "stapio/names/namer_process.h"
#include "reader.h"
#include "stapio/records/render.h"
#include "report.h"
#include "stapio/stapio.h"
#include "stapio/names/usymbols.h"
#include "stapio/sinks/sinks.h"

/* For how long the rest of the output is relayed if staprun was killed, and for how long a message waits
 * for its reader after a second signal. */
#define DRAIN_MS 400

/* The options, and all that a session consists of. */
struct session {
	const char *module;
	struct relayed asked;		/* the options that staprun passes on */
	long target;			/* -x; 0: none */
	int control, trace, formats, programs;	/* the module's files */
	struct interpreted *program;	/* instead of a module; or NULL */
	const char *root;		/* in which the module's programs are, or "" */
	int staprun;			/* pidfd: readable when it has ended; -1: none */
	int exiting;			/* eventfd: the module is exiting */
	char *format_text;
	int signals, target_fd, timer;
	bool no_command;		/* -c names no program that exists */
	bool has_command;
	struct command command;
	struct usymbols *usymbols;
	struct reader reader;
	struct input input;
	bool failed, command_failed;
	bool told_started;		/* daemon_begin() was */
	bool cancelled;			/* staprun got a signal before the start */
	unsigned int asks;		/* ST_ASKS_*: what the script asks of programs' code */
	const struct sink_kind *kind;
	struct sink_target where;
	char output_path[PATH_MAX];
	struct sink *sink;
	struct kept *kept;		/* --detach; or NULL */
	int started_fd;			/* -N, or ours: gets a byte when the session has started; -1: none */
};

static _Noreturn void usage(void)
{
	fputs("usage: stapio [OPTIONS] [-N FD] [-R PROCESS,ROOT] [-F CONTROL,TRACE,FORMATS,PROGRAMS,STAPRUN] "
	      "MODULE | PROGRAM" ST_PROGRAM_SUFFIX " | PROGRAM" ST_BPF_SUFFIX "\n", stderr);
	relayed_summary(stderr, FOR_STAPIO);
	exit(1);
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

static void inherit_root(struct session *s, const char *text)
{
	const char *comma = strchr(text, ',');

	if (!comma)
		usage();
	s->root = comma + 1;
	root_hold(s->root, atoi(text));
	fcntl(root_held(), F_SETFD, FD_CLOEXEC);
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

/* Returns the kind of a format's name; NULL: there is none. */
static const struct sink_kind *kind_named(const char *format)
{
	const struct sink_kind *kind;

	for (size_t i = 0; (kind = sink_kind(i)); i++)
		if (!strcmp(format, kind->name))
			break;
	return kind;
}

static void open_program(struct session *s, const char *path)
{
	if (s->asked.format && !kind_named(s->asked.format))
		say_error("there is no format '%s': output formats are text, json, containers and bulk",
			  s->asked.format);
	else if (s->asked.attach)
		say_error("-A is for modules, and '%s' is a program that runs in this process", path);
	else
		s->program = interpreted_open(path, &s->asked);
	if (!s->program)
		exit(1);
}

/* Reads the argument of -S, "MB[,N]", which was checked. */
static void read_size(struct session *s, const char *text)
{
	const char *comma = strchr(text, ',');

	s->where.limit = strtoul(text, NULL, 10) << 20;
	s->where.keep = comma ? strtoul(comma + 1, NULL, 10) : 0;
}

static void options(struct session *s, int argc, char **argv)
{
	char letters[8 + 2 * RELAYED_WORDS] = "+F:N:R:";
	struct option names[RELAYED_WORDS] = { { NULL } };
	struct problem why = { NULL };
	int c;

	relayed_letters(letters, sizeof(letters), FOR_STAPIO);
	relayed_names(names, FOR_STAPIO);
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		if (c == 'F') {
			inherit(s, optarg);
		} else if (c == 'N') {
			s->started_fd = atoi(optarg);
			fcntl(s->started_fd, F_SETFD, FD_CLOEXEC);
		} else if (c == 'R') {
			inherit_root(s, optarg);
		} else if (!relayed_take(&s->asked, FOR_STAPIO, c, optarg, &why)) {
			usage();
		} else if (why.text) {
			say_error("%s", why.text);
			exit(1);
		}
	}
	if (optind != argc - 1)
		usage();
	s->module = argv[optind];
	say_verbose = s->asked.verbose;
	say_no_warnings = s->asked.no_warnings;
	if (s->asked.target)
		s->target = atol(s->asked.target);
	if (s->asked.size)
		read_size(s, s->asked.size);
	if (s->asked.detach && s->started_fd < 0)
		s->started_fd = daemon_begin(s->asked.detach);
	if (s->control < 0 && interpreted_is(s->module))
		open_program(s, s->module);
	else if (s->control < 0)
		open_files(s, s->module);
}

static void switch_files(int sig)
{
	(void)sig;
	output_switch();
}

/* --detach: makes the directory that the output goes to.  Standard input is the caller's.  Returns 0, or -1 after
 * a message. */
static int open_kept(struct session *s)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (!s->asked.size) {
		s->where.limit = KEPT_FILE_BYTES;
		s->where.keep = KEPT_FILES;
	}
	s->kept = kept_new(s->asked.detach, s->where.keep);
	if (!s->kept)
		return -1;
	s->where.kept = true;
	s->where.path = kept_output(s->kept);
	s->sink = sink_open(s->kind, &s->where);
	return s->sink ? 0 : -1;
}

/* Opens the output; in the name of -o's file strftime() formats are expanded.  Returns 0, or -1 after a
 * message. */
static int open_output(struct session *s)
{
	time_t t = time(NULL);
	struct tm tm;

	if (s->asked.output && (!localtime_r(&t, &tm) ||
			  !strftime(s->output_path, sizeof(s->output_path), s->asked.output, &tm))) {
		say_error("Invalid FILE name format '%s'", s->asked.output);
		return -1;
	}
	if (s->asked.detach)
		return open_kept(s);
	s->where.path = s->asked.output ? s->output_path : NULL;
	s->where.background = s->started_fd >= 0;
	s->where.stamped = s->asked.stamped;
	s->sink = sink_open(s->kind, &s->where);
	return s->sink ? 0 : -1;
}

/* Reads the module's state and counters: 0, or a negative error. */
static int read_state(const struct session *s, struct control_state *st)
{
	return s->program ? interpreted_state(st) : control_state(s->control, st);
}

/* Sends the module a command; prints a message if it fails. */
static int tell(struct session *s, const char *command, long value)
{
	char why[512];

	if (s->program && interpreted_tell(s->program, command, value)) {
		s->failed = true;
		return -1;
	}
	if (s->program)
		return 0;

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
	if (s->asked.command) {
		s->no_command = !command_exists(s->asked.command);
		if (s->no_command || command_hold(&s->command, s->asked.command))
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

/* Asks the module what it needs of us: the format of the output, and names of programs' code. */
static int take_wishes(struct session *s)
{
	struct control_state st;
	int err = read_state(s, &st);

	if (err) {
		say_error("can't read the module's state: %s", strerror(-err));
		return -1;
	}
	for (size_t i = 0; (s->kind = sink_kind(i)); i++)
		if (control_is(&st, "format", s->kind->name))
			break;
	s->asks = control_counter(&st, "asks");
	control_state_free(&st);
	if (s->kind)
		return 0;
	say_error("the module's output has a format that this stapio doesn't know");
	return -1;
}

/* Sends the module the symbols that the script asks for, of the programs that are known at the start. */
static void give_names(struct session *s)
{
	char *programs;
	size_t bytes;

	usymbols_asks(s->usymbols, s->asks);
	if (!s->asks || s->asked.attach)
		return;
	programs = control_read_all(s->programs, &bytes);
	if (programs)
		known_probed(s->usymbols, s->root, programs, bytes);
	free(programs);
	if (s->asked.command)
		known_command(s->usymbols, s->asked.command);
	else if (s->target)
		known_process(s->usymbols, s->target);
}

/* Prepares the names of addresses in programs; 0, or -1 after a message. */
static int find_names(struct session *s)
{
	s->usymbols = usymbols_new(s->trace, s->control, s->signals);
	if (!s->usymbols) {
		say_error("no memory for the names of programs");
		return -1;
	}
	give_names(s);
	return 0;
}

/* Does everything that can fail before probes are armed. */
static int prepare(struct session *s)
{
	size_t bytes;

	s->signals = signals_open();
	s->format_text = s->program ? interpreted_formats(s->program, &bytes)
				    : control_read_all(s->formats, &bytes);
	if (s->signals < 0 || !s->format_text) {
		say_error("can't read the module's formats: %s", strerror(errno));
		return -1;
	}
	if (take_wishes(s))
		return -1;
	if (open_output(s))
		return -1;
	if (!s->program)
		control_send_zone(s->control);
	s->exiting = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (tell(s, "notify", s->exiting))
		return -1;
	if (prepare_target(s))
		return -1;
	if ((!s->program || interpreted_names(s->program)) && find_names(s))
		return -1;
	if (reader_open(&s->reader, s->usymbols, s->format_text, bytes, s->sink))
		return -1;
	return s->program ? reader_start(&s->reader, interpret, s->program)
			  : reader_start_trace(&s->reader, s->trace);
}

static int start_timer(struct session *s)
{
	double seconds = s->asked.seconds ? strtod(s->asked.seconds, NULL) : 0;
	struct itimerspec when = {
		.it_value.tv_sec = seconds,
		.it_value.tv_nsec = (seconds - (long)seconds) * 1e9,
	};

	if (!seconds)
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

static void begin_input(struct session *s)
{
	struct input *in = &s->input;

	if (s->program) {
		interpreted_input(s->program, &in->chars, &in->lines);
		in->answered = true;
	} else {
		in->chars = control_open(s->module, ST_FILE_CHARS, O_WRONLY);
		in->lines = control_open(s->module, ST_FILE_LINES, O_WRONLY);
	}
	input_begin(in);
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

	begin_input(s);
	poll_for_end(s, pf);
	input_end(&s->input);
	if (pf[SIGNAL].revents) {
		if (s->usymbols)
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
	int err = s->sink->text->error;

	/* That the reader of a pipe has exited ("| head") is no error. */
	if (err && err != EPIPE) {
		say_error("can't write the output: %s", strerror(err));
		s->failed = true;
	}
	if (!read_state(s, &st)) {
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

	if (!read_state(s, &st)) {
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

	if (!say_verbose || read_state(s, &st))
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

/*
 * Tells the waiting daemon_begin() that the session has started, and detaches from its terminal.
 * Returns false if that process is gone.  Then the session must end, because nobody would know of it.
 */
static bool tell_started(struct session *s)
{
	if (s->started_fd < 0)
		return true;

	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	s->told_started = write(s->started_fd, "", 1) == 1;
	close(s->started_fd);
	if (s->kept)
		stamped_leave_terminal(s->sink->stamped);
	for (int fd = 0; !s->kept && null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	return s->told_started;
}

/* --detach: leaves to readers how the session ended; or nothing, if it was not started. */
static void end_kept(const struct session *s, int err)
{
	if (!s->kept)
		return;
	if (s->told_started)
		kept_end(s->kept, s->failed || s->command_failed, err ? strerror(err) : NULL);
	else
		kept_drop(s->kept);
}

static void run(struct session *s)
{
	if ((s->asked.attach || !start(s)) && !start_timer(s) && tell_started(s)) {
		tell_places(s);
		if (s->has_command)
			command_release(&s->command);
		wait_for_end(s);
	} else {
		tell(s, "stop", 0);
	}
	if (!drained(s)) {
		s->failed = true;
		end_kept(s, s->kept ? stamped_end(s->sink->stamped) : 0);
		_exit(1);		/* the reader thread still uses our memory */
	}
	end_report(s);
	reader_join(&s->reader);
	/* If staprun was killed, closing these lets the kernel remove the module. */
	close(s->trace);
	close(s->control);
	jobs_wait(&s->reader.jobs, s->signals);
}

/* Writes what is left of the output.  Returns the errno of what could not be written, or 0. */
static int end_output(struct session *s)
{
	int said = s->sink ? s->sink->text->error : 0, err = s->sink ? sink_close(s->sink) : 0;

	if (!err || err == EPIPE || said)
		return err;
	say_error("can't write the output: %s", strerror(err));
	s->failed = true;
	return err;
}

int stapio(int argc, char **argv)
{
	struct session s = {
		.root = "", .control = -1, .trace = -1, .formats = -1, .programs = -1,
		.signals = -1, .target_fd = -1, .timer = -1, .started_fd = -1,
		.staprun = -1,
	};
	/* SIGUSR2 begins the next output file.  Without -o or -b it has no effect. */
	const struct sigaction sa = { .sa_handler = switch_files, .sa_flags = SA_RESTART };

	sigaction(SIGUSR2, &sa, NULL);
	if (argc == 2 && !strcmp(argv[1], NAMER_ARGUMENT))
		namer_process();
	if (argc > 1 && attach_takes(argv[1]))
		return attach(argc, argv);
	options(&s, argc, argv);

	bool prepared = !prepare(&s);

	if (prepared)
		run(&s);
	else
		s.failed = !s.cancelled;
	end_kept(&s, end_output(&s));
	usymbols_free(s.usymbols);
	free(s.format_text);
	if (s.no_command)
		return COMMAND_NOT_FOUND;
	if (s.failed)
		return prepared || s.program ? 1 : STAPIO_TOOK_NOTHING;
	return s.command_failed ? COMMAND_FAILED : 0;
}
