// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-vm: runs one command in a throw-away guest, as if it ran here.
 *
 * The guest boots a kernel of this machine. Its files are a writable overlay over this
 * machine's files, or over another system's below a directory (--root). The command's
 * input, output, signals and exit status are passed through; complaints of the guest's
 * kernel (BUG, WARNING, ...) fail the run. One poll loop does everything, so that no
 * stream waits for another, and a signal gets through whatever is blocked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

/* Limits in seconds. */
#define BOOT_LIMIT	240.0	/* for a boot; even a debug kernel on a loaded machine takes less */
#define PROBE_LIMIT	10.0	/* for a boot that tries KVM; where KVM works, it takes one second */
#define ACK_LIMIT	10.0	/* to acknowledge a signal; a slower guest counts as dead */

/* A guest that uses less than SLEEP_CPU seconds of CPU time in SLEEP_LIMIT seconds is asleep: even the
 * timers of an idle guest take more. */
#define SLEEP_LIMIT	30.0
#define SLEEP_CPU	0.001

enum phase { BOOTING, RUNNING, ENDED, BROKEN };

/* Bytes that wait to be written to one of our descriptors. */
struct relay {
	int to;
	char buf[65536];
	size_t start, end;
	uint64_t total;
};

/* The guest, and the state of its command. */
struct run {
	struct vm_guest guest;
	struct vm_snapshot *snapshot;
	bool plug;			/* the guest's root is plugged in when it has booted */
	enum phase phase;
	char *msg;			/* the part of the next message that has arrived */
	size_t msg_len;
	struct relay out, err, in;
	bool stdin_open;
	bool stream_failed;		/* reading our stdin, or writing our output, failed: bytes are lost */
	struct vm_exit result;
	struct vm_console console;
	double boot_until, ack_until;	/* deadlines; 0: not waiting */
	double look_at, cpu;		/* when to check again for a sleeping guest; its CPU time before */
	bool asleep;			/* it hasn't run between the last two checks */
	int signals;			/* how many signals asked us to end */
	int ended_by;			/* the signal at which we gave up, or 0 */
};

static bool opt_verbose, opt_no_stdin, opt_accel, opt_check_dmesg = true;
static const char *opt_console;
static int signal_fd;
static struct run run;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

/* Exits; the guest's processes die with us. */
static void no_memory(void)
{
	fprintf(stderr, "stap-vm: no memory left\n");
	exit(VM_EXIT_TROUBLE);
}

/* ---- talking to the guest ---- */

static void broken(void)
{
	if (run.phase != ENDED || run.out.total < run.result.out_bytes ||
	    run.err.total < run.result.err_bytes)
		run.phase = BROKEN;
}

/* Sends to the control port. A live guest reads it at once, so a send() that is cut short means that the
 * guest is dead. */
static void send_all(const void *data, size_t len)
{
	if (send(run.guest.fd[VM_CTL], data, len, MSG_NOSIGNAL) != (ssize_t)len)
		broken();
}

static void send_msg(uint32_t type, const void *data, uint32_t len)
{
	struct vm_head head = { type, len };

	send_all(&head, sizeof(head));
	send_all(data, len);
}

/* Does the guest get this environment variable? */
static bool wanted_variable(const char *e)
{
	static const char *const names[] = {
		"PATH=", "TERM=", "LANG=", "LC_", "TZ=", "SYSTEMTAP_", "STAP_", "ASAN_OPTIONS=",
		"UBSAN_OPTIONS=", "LSAN_OPTIONS=", NULL };
	const char *const *n;

	for (n = names; *n; n++)
		if (!strncmp(e, *n, strlen(*n)))
			return true;
	return false;
}

static void put_string(FILE *f, const char *s)
{
	fwrite(s, 1, strlen(s) + 1, f);
}

/* Are stdout and stderr the same file?  Then the order of their output must be kept. */
static bool same_output(void)
{
	struct stat a, b;

	return !fstat(1, &a) && !fstat(2, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Returns the command's working directory, malloc'ed: ours if the guest has it, else "/". */
static char *start_directory(const struct vm_config *cfg)
{
	char *cwd = getcwd(NULL, 0);

	if (!cwd || (*cfg->root && !vm_in_root(cfg, cwd))) {
		free(cwd);
		cwd = strdup("/");
	}
	if (!cwd)
		no_memory();
	return cwd;
}

/*
 * Returns the guest's HOME: the user's own, because a user who isn't root can't read /root, and
 * owns it in the guest too.
 */
static const char *home_directory(void)
{
	const char *home = geteuid() ? getenv("HOME") : NULL;

	return home && *home ? home : "/root";
}

static void send_command(const struct vm_config *cfg, char **argv)
{
	static const char *const fixed[] = { "USER=root", "LOGNAME=root", "SHELL=/bin/sh", NULL };
	struct vm_start start = { .merge = same_output() };
	char *data, *cwd = start_directory(cfg);
	size_t len;
	FILE *f = open_memstream(&data, &len);
	const char *const *e;
	char **p;

	if (!f)
		no_memory();
	fwrite(&start, 1, sizeof(start), f);
	put_string(f, cwd);
	put_string(f, "stap-vm");
	for (e = fixed; *e; e++, start.nenv++)
		put_string(f, *e);
	fputs("HOME=", f);
	put_string(f, home_directory());
	start.nenv++;
	for (p = environ; *p; p++) {
		if (wanted_variable(*p)) {
			put_string(f, *p);
			start.nenv++;
		}
	}
	for (; *argv; argv++, start.nargs++)
		put_string(f, *argv);
	if (fclose(f) || len > VM_MSG_MAX) {
		fprintf(stderr, "stap-vm: the command line is too long\n");
		run.phase = BROKEN;
	} else {
		memcpy(data, &start, sizeof(start));
		send_msg(VM_START, data, len);
	}
	free(data);
	free(cwd);
}

static void end_stdin(void)
{
	run.stdin_open = false;
	send_msg(VM_STDIN_END, &run.in.total, sizeof(run.in.total));
}

/* Sends the command to the guest, which is ready. Without a command (ARGV is NULL) the boot only probed KVM,
 * and ends here. */
static void start_command(const struct vm_config *cfg, char **argv)
{
	run.boot_until = 0;
	if (!argv) {
		run.phase = ENDED;
		return;
	}
	run.phase = RUNNING;
	run.look_at = now() + SLEEP_LIMIT;
	run.cpu = vm_guest_cpu(&run.guest);
	send_command(cfg, argv);
	/* Don't read the terminal in the background, because the kernel would stop us. */
	run.stdin_open = !opt_no_stdin && fcntl(0, F_GETFD) >= 0 &&
			 !(isatty(0) && tcgetpgrp(0) != getpgrp());
	if (!run.stdin_open)
		end_stdin();
}

/* Lets the guest, which has booted or was restored, mount its root. */
static void give_root(const struct vm_config *cfg)
{
	struct vm_mount mount = { .log_level = cfg->verbose ? VM_LOG_ALL : VM_LOG_FEW };
	struct timespec ts;

	if (run.plug && !vm_guest_plug(&run.guest))
		broken();
	clock_gettime(CLOCK_REALTIME, &ts);
	mount.seconds = ts.tv_sec;
	mount.nanoseconds = ts.tv_nsec;
	if (getrandom(mount.random, sizeof(mount.random), 0) != sizeof(mount.random))
		no_memory();
	send_msg(VM_MOUNT, &mount, sizeof(mount));
}

static void guest_booted(const struct vm_config *cfg)
{
	if (run.snapshot->use == VM_SNAPSHOT_SAVE) {
		vm_console_drain(&run.console, run.guest.fd[VM_CONSOLE], 0);
		if (!vm_snapshot_save(run.snapshot, &run.guest, &run.console))
			broken();
	}
	give_root(cfg);
}

static void handle(const struct vm_head *head, const char *payload,
		   const struct vm_config *cfg, char **argv)
{
	switch (head->type) {
	case VM_BOOTED:
		guest_booted(cfg);
		break;
	case VM_READY:
		start_command(cfg, argv);
		break;
	case VM_FAILED:
		fprintf(stderr, "stap-vm: the guest is not usable: %.*s\n", (int)head->len,
			payload);
		run.phase = BROKEN;
		break;
	case VM_ACK:
		run.ack_until = 0;
		break;
	case VM_EXIT:
		if (head->len != sizeof(run.result)) {
			run.phase = BROKEN;
			break;
		}
		memcpy(&run.result, payload, sizeof(run.result));
		run.phase = ENDED;
		run.ack_until = 0;
		break;
	default:
		run.phase = BROKEN;
	}
}

static char *grown(char *p, size_t n)
{
	p = realloc(p, n);
	if (!p)
		no_memory();
	return p;
}

static void read_ctl(const struct vm_config *cfg, char **argv)
{
	char buf[4096];
	struct vm_head head;
	ssize_t n = recv(run.guest.fd[VM_CTL], buf, sizeof(buf), MSG_DONTWAIT);

	if (n <= 0) {
		if (n == 0 || (errno != EAGAIN && errno != EINTR))
			broken();
		return;
	}
	run.msg = grown(run.msg, run.msg_len + n);
	memcpy(run.msg + run.msg_len, buf, n);
	run.msg_len += n;
	while (run.msg_len >= sizeof(head)) {
		size_t all;

		memcpy(&head, run.msg, sizeof(head));
		all = sizeof(head) + head.len;
		if (head.len > VM_MSG_MAX)
			run.phase = BROKEN;
		if (run.phase == BROKEN || run.msg_len < all)
			return;
		handle(&head, run.msg + sizeof(head), cfg, argv);
		memmove(run.msg, run.msg + all, run.msg_len - all);
		run.msg_len -= all;
	}
}

/* ---- streams ---- */

static size_t pending(const struct relay *r)
{
	return r->end - r->start;
}

static void take(struct relay *r, int fd)
{
	ssize_t n = recv(fd, r->buf, sizeof(r->buf), MSG_DONTWAIT);

	if (n > 0) {
		r->start = 0;
		r->end = n;
		r->total += n;
	} else if (n == 0) {
		broken();
	}
}

static void stream_failed(const char *what)
{
	fprintf(stderr, "stap-vm: cannot %s: %s\n", what, strerror(errno));
	run.stream_failed = true;
}

/*
 * Writes once, without blocking: a pipe or terminal that poll() reports as ready accepts PIPE_BUF
 * bytes. If the write fails, tells the guest to close the command's stream (WHICH), so that the
 * command notices. A closed pipe ("| head") is no failure of the run.
 */
static void give(struct relay *r, uint32_t which)
{
	struct stat st;
	size_t n = pending(r);

	if (n > 4096 && !(fstat(r->to, &st) == 0 && S_ISREG(st.st_mode)))
		n = 4096;
	if (r->to >= 0) {
		ssize_t done = write(r->to, r->buf + r->start, n);

		if (done >= 0) {
			r->start += done;
			return;
		}
		if (errno == EAGAIN || errno == EINTR)
			return;
		if (errno != EPIPE)
			stream_failed("write the output");
		r->to = -1;
		if (run.phase == RUNNING)
			send_msg(VM_CLOSED, &which, sizeof(which));
	}
	r->start = r->end;
}

/* Reads standard input. If it is closed, or open for writing only as under nohup, it counts as empty. */
static void read_stdin(void)
{
	ssize_t n = read(0, run.in.buf, sizeof(run.in.buf));

	if (n > 0) {
		run.in.start = 0;
		run.in.end = n;
		run.in.total += n;
	} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
		if (n < 0 && errno != EBADF)
			stream_failed("read the input");
		end_stdin();
	}
}

static void give_stdin(void)
{
	ssize_t n = send(run.guest.fd[VM_IN], run.in.buf + run.in.start, pending(&run.in),
			 MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n > 0)
		run.in.start += n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		broken();
}

/* Prints the messages of QEMU and virtiofsd. */
static void show_process_log(void)
{
	char buf[2048];
	ssize_t n = pread(run.guest.log_fd, buf, sizeof(buf) - 1, 0);

	if (n > 0)
		fprintf(stderr, "%.*s", (int)n, buf);
}

/* ---- signals ---- */

/*
 * Passes a signal on to the command; or to the command's process group if it came from the terminal,
 * which si_code SI_KERNEL tells. Gives up at the third one.
 */
static void read_signal(void)
{
	struct signalfd_siginfo si;
	struct vm_signal sig;

	if (read(signal_fd, &si, sizeof(si)) != sizeof(si))
		return;
	if (si.ssi_signo != SIGUSR1 && si.ssi_signo != SIGUSR2)
		run.signals++;
	if (run.phase != RUNNING || run.signals >= 3) {
		run.ended_by = si.ssi_signo;
		run.phase = BROKEN;
		return;
	}
	sig.number = si.ssi_signo;
	sig.group = si.ssi_code == SI_KERNEL;
	send_msg(VM_SIGNAL, &sig, sizeof(sig));
	if (!run.ack_until)
		run.ack_until = now() + ACK_LIMIT;
}

static void catch_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
}

/* ---- the loop ---- */

static double earlier(double a, double b)
{
	return a && (!b || a < b) ? a : b;
}

/* Prints a message if the guest is asleep, once each time that it falls asleep. */
static void look_at_guest(void)
{
	double cpu = vm_guest_cpu(&run.guest);

	run.look_at = now() + SLEEP_LIMIT;
	if (cpu - run.cpu < SLEEP_CPU && !run.asleep)
		fprintf(stderr, "stap-vm: the guest's CPUs have been idle for %.0f seconds, although "
			"the command runs; press ^C three times to end it\n", SLEEP_LIMIT);
	run.asleep = cpu - run.cpu < SLEEP_CPU;
	run.cpu = cpu;
}

static bool delivered(void)
{
	return run.phase == ENDED && !pending(&run.out) && !pending(&run.err) &&
	       run.out.total >= run.result.out_bytes && run.err.total >= run.result.err_bytes;
}

static short want_in(bool cond)
{
	return cond ? POLLIN : 0;
}

/* Leaves out a descriptor without events to wait for, because its hang-up would still wake poll(). */
static struct pollfd watch(int fd, short events)
{
	return (struct pollfd){ .fd = events ? fd : -1, .events = events };
}

static void step(const struct vm_config *cfg, char **argv)
{
	enum { SIG, CTL, CON, OUT_IN, ERR_IN, OUT, ERR, STDIN, IN, N };
	const int *fd = run.guest.fd;
	double limit = earlier(run.boot_until, run.ack_until), until;
	int timeout = -1;
	struct pollfd p[N] = {
		[SIG] = watch(signal_fd, POLLIN),
		[CTL] = watch(fd[VM_CTL], want_in(run.phase < ENDED)),
		[CON] = watch(fd[VM_CONSOLE], POLLIN),
		[OUT_IN] = watch(fd[VM_OUT], want_in(!pending(&run.out))),
		[ERR_IN] = watch(fd[VM_ERR], want_in(!pending(&run.err))),
		[OUT] = watch(run.out.to, pending(&run.out) ? POLLOUT : 0),
		[ERR] = watch(run.err.to, pending(&run.err) ? POLLOUT : 0),
		[STDIN] = watch(0, want_in(run.stdin_open && !pending(&run.in))),
		[IN] = watch(fd[VM_IN], pending(&run.in) && run.phase == RUNNING ? POLLOUT : 0),
	};

	until = earlier(limit, run.phase == RUNNING ? run.look_at : 0);
	if (until) {
		timeout = (until - now()) * 1000;
		if (timeout <= 0) {
			if (until == limit)
				run.phase = BROKEN;
			else
				look_at_guest();
			return;
		}
	}
	if (poll(p, N, timeout) < 0)
		return;
	if (p[CON].revents)
		vm_console_read(&run.console, fd[VM_CONSOLE]);
	if (p[SIG].revents)
		read_signal();
	if (p[OUT_IN].revents)
		take(&run.out, fd[VM_OUT]);
	if (p[ERR_IN].revents)
		take(&run.err, fd[VM_ERR]);
	if (p[OUT].revents)
		give(&run.out, 1);
	if (p[ERR].revents)
		give(&run.err, 2);
	if (p[STDIN].revents)
		read_stdin();
	if (p[IN].revents)
		give_stdin();
	if (p[CTL].revents)
		read_ctl(cfg, argv);
	/* Drop bytes for descriptors that are closed. */
	if (run.out.to < 0 && pending(&run.out))
		give(&run.out, 1);
	if (run.err.to < 0 && pending(&run.err))
		give(&run.err, 2);
}

static void reset_run(void)
{
	free(run.msg);
	vm_console_free(&run.console);
	memset(&run, 0, sizeof(run));
	run.console.show = opt_verbose;
	run.out.to = 1;
	run.err.to = 2;
}

/* Starts a guest, restored from the snapshot if there is one. */
static bool start(const struct vm_config *cfg, int initramfs, bool kvm, struct vm_snapshot *snapshot)
{
	run.snapshot = snapshot;
	run.plug = snapshot->use != VM_SNAPSHOT_NONE;
	if (!vm_guest_start(&run.guest, cfg, initramfs, kvm, snapshot))
		return false;
	if (snapshot->use != VM_SNAPSHOT_RESTORE)
		return true;
	if (vm_snapshot_read(snapshot, &run.console) && vm_snapshot_restore(snapshot, &run.guest))
		give_root(cfg);
	else
		run.phase = BROKEN;
	return true;
}

/* Runs one guest until the command has ended; false if the guest never got ready. */
static bool attempt(const struct vm_config *cfg, int initramfs, bool kvm, char **argv,
		    struct vm_snapshot *snapshot)
{
	bool ready;

	reset_run();
	if (!start(cfg, initramfs, kvm, snapshot)) {
		run.ended_by = -1;
		return false;
	}
	run.boot_until = now() + (argv ? BOOT_LIMIT : PROBE_LIMIT);
	while (run.phase != BROKEN && !delivered())
		step(cfg, argv);
	ready = run.boot_until == 0;
	if (!ready && !run.ended_by)
		read_signal();		/* which may have ended the wait for QEMU */
	if (!argv)
		return ready;
	if (!ready && snapshot->use == VM_SNAPSHOT_RESTORE)
		return false;	/* the guest boots instead */
	/* The diagnosis takes seconds. A user who has given up (three signals) gets it only with -v. */
	if (run.phase == BROKEN && (!run.ended_by || opt_verbose))
		vm_guest_autopsy(&run.guest, &run.console);
	vm_console_drain(&run.console, run.guest.fd[VM_CONSOLE], 0);
	return ready;
}

/*
 * Does KVM boot a guest here?  Only a boot can tell, because QEMU may fail to start with KVM, or the
 * guest may hang before it prints anything. So the first run on a machine boots a guest, and notes the
 * answer for the others.
 */
static bool kvm_boots(const struct vm_config *cfg, int initramfs)
{
	struct vm_snapshot none = { .fd = -1 };
	enum vm_kvm known = vm_kvm_known();
	bool up;

	if (known != VM_KVM_UNKNOWN)
		return known == VM_KVM_WORKS;
	up = attempt(cfg, initramfs, true, NULL, &none);
	if (!up && opt_verbose) {
		fprintf(stderr, "stap-vm: KVM does not boot a guest here; emulating\n");
		show_process_log();
	}
	vm_guest_kill(&run.guest);
	if (!run.ended_by)
		vm_kvm_note(up);
	return up;
}

static int outcome(void)
{
	if (run.ended_by > 0)
		return 128 + run.ended_by;
	if (run.phase == BROKEN) {
		fprintf(stderr, "stap-vm: the guest died, or stopped answering, while the "
			"command ran\n");
		if (!vm_console_complained(&run.console))
			vm_console_tail(&run.console, 40);
		return VM_EXIT_TROUBLE;
	}
	if (opt_check_dmesg && vm_console_complained(&run.console))
		return VM_EXIT_TROUBLE;
	return run.stream_failed ? VM_EXIT_TROUBLE : (int)run.result.status;
}

/* Boots by a snapshot, which saves most of an emulated boot. Returns false if there is none, or if it can't be
 * used; then the guest boots without, and so do those to come. */
static bool attempt_restored(const struct vm_config *cfg, int initramfs, char **argv)
{
	struct vm_snapshot s;
	bool up = false;

	vm_snapshot_find(&s, cfg, initramfs, signal_fd);
	if (s.use == VM_SNAPSHOT_NONE)
		return false;
	up = attempt(cfg, initramfs, false, argv, &s);
	if (!up && !run.ended_by) {
		if (opt_verbose)
			show_process_log();
		vm_snapshot_give_up(&s);
		vm_guest_kill(&run.guest);
	}
	vm_snapshot_close(&s);
	return up;
}

static int boot_and_run(const struct vm_config *cfg, int initramfs, char **argv)
{
	bool kvm = !cfg->icount && kvm_boots(cfg, initramfs);
	bool up = !kvm && !cfg->icount && attempt_restored(cfg, initramfs, argv);
	struct vm_snapshot none = { .fd = -1 };
	int tries, status;

	for (tries = 0; !up && !run.ended_by && tries < 2; tries++) {
		up = attempt(cfg, initramfs, kvm, argv, &none);
		if (up || run.ended_by)
			break;
		fprintf(stderr, "stap-vm: the guest (kernel %s) did not come up%s\n",
			cfg->release, tries ? "" : "; trying once more");
		show_process_log();
		vm_console_tail(&run.console, 20);
		vm_guest_kill(&run.guest);
	}
	status = up ? outcome() : run.ended_by > 0 ? 128 + run.ended_by : VM_EXIT_TROUBLE;
	if (opt_console && !vm_console_save(&run.console, opt_console))
		status = VM_EXIT_TROUBLE;
	vm_guest_kill(&run.guest);
	return status;
}

static const char usage[] =
"Usage: stap-vm [OPTION]... COMMAND [ARGUMENT]...\n"
"Run COMMAND in a throw-away QEMU guest with this machine's files underneath.\n"
"\n"
"      --root DIR     the files and the kernel below DIR, another system's root\n"
"  -r RELEASE         kernel to boot (default: the newest one with headers)\n"
"      --smp N        CPUs (default: 2)\n"
"      --parallel     emulate CPUs in parallel, each in a thread\n"
"      --icount       emulate one CPU; the guest's clock counts its instructions, 1 ns each\n"
"      --mem MB       memory (default: 2048)\n"
"      --accel        print how QEMU runs guests here, kvm or tcg (emulation), and exit\n"
"  -n                 do not read stdin\n"
"  -v                 show the guest's console on stderr\n"
"      --console FILE save the guest's console in FILE\n"
"      --no-check-dmesg  do not fail when the guest's kernel complains\n"
"  -h, --help         this text\n"
"\n"
"Exit status: the command's; 125 when the guest failed or its kernel complained, or when\n"
"its input, its output or the console could not be read or written.\n";

static unsigned int number(const char *option, const char *text, unsigned int min,
			   unsigned int max)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (*end || end == text || v < min || v > max) {
		fprintf(stderr, "stap-vm: %s takes a number from %u to %u, not '%s'\n", option,
			min, max, text);
		exit(VM_EXIT_TROUBLE);
	}
	return v;
}

static void parse_options(int argc, char **argv, struct vm_config *cfg)
{
	enum { ROOT = 256, SMP, PARALLEL, ICOUNT, MEM, ACCEL, CONSOLE, CHECK, NO_CHECK };
	static const struct option longs[] = {
		{ "root", required_argument, NULL, ROOT },
		{ "smp", required_argument, NULL, SMP },
		{ "parallel", no_argument, NULL, PARALLEL },
		{ "icount", no_argument, NULL, ICOUNT },
		{ "mem", required_argument, NULL, MEM },
		{ "accel", no_argument, NULL, ACCEL },
		{ "console", required_argument, NULL, CONSOLE },
		{ "check-dmesg", no_argument, NULL, CHECK },
		{ "no-check-dmesg", no_argument, NULL, NO_CHECK },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 } };
	int c;

	while ((c = getopt_long(argc, argv, "+r:nvh", longs, NULL)) != -1) {
		switch (c) {
		case 'r':
			cfg->release = optarg;
			break;
		case ROOT:
			cfg->root = optarg;
			break;
		case SMP:
			cfg->smp = number("--smp", optarg, 1, 64);
			break;
		case PARALLEL:
			cfg->parallel = true;
			break;
		case ICOUNT:
			cfg->icount = true;
			break;
		case MEM:
			cfg->mem = number("--mem", optarg, 128, 65536);
			break;
		case ACCEL:
			opt_accel = true;
			break;
		case 'n':
			opt_no_stdin = true;
			break;
		case 'v':
			opt_verbose = cfg->verbose = true;
			break;
		case CONSOLE:
			opt_console = optarg;
			break;
		case CHECK:
		case NO_CHECK:
			opt_check_dmesg = c == CHECK;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs("Try 'stap-vm --help'.\n", stderr);
			exit(VM_EXIT_TROUBLE);
		}
	}
	if (cfg->icount && (cfg->parallel || cfg->smp > 1)) {
		fputs("stap-vm: --icount has one CPU: leave out --smp and --parallel\n", stderr);
		exit(VM_EXIT_TROUBLE);
	}
	if (!cfg->smp)
		cfg->smp = cfg->icount ? 1 : 2;
	if (optind == argc && !opt_accel) {
		fputs("stap-vm: which command?\nTry 'stap-vm --help'.\n", stderr);
		exit(VM_EXIT_TROUBLE);
	}
}

int main(int argc, char **argv)
{
	static struct vm_config cfg = { .mem = 2048 };
	const char *guests = getenv("STAPVM_GUESTS");
	int initramfs;

	parse_options(argc, argv, &cfg);
	if (!vm_find(&cfg))
		return VM_EXIT_TROUBLE;
	vm_slot_take(guests && *guests ? number("STAPVM_GUESTS", guests, 1, 4096) : sysconf(_SC_NPROCESSORS_ONLN));
	catch_signals();
	initramfs = vm_initramfs(&cfg);
	if (initramfs < 0)
		return VM_EXIT_TROUBLE;
	if (!opt_accel)
		return boot_and_run(&cfg, initramfs, argv + optind);
	puts(kvm_boots(&cfg, initramfs) ? "kvm" : "tcg");
	return run.ended_by > 0 ? 128 + run.ended_by : 0;
}
