// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The guest's init, statically linked because the initramfs has no libraries. It inserts
 * the modules of the initramfs, makes an overlay of a tmpfs over the host's shared root
 * its root, runs the command that the host sends, and relays its streams. When the
 * command has ended, it sends the status and waits to be switched off.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/random.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define NUDGE_SECONDS 10

/* A stream between the command's pipe and its port. */
struct stream {
	int from, to;
	char buf[65536];
	size_t start, end;	/* the bytes in buf that are not written yet */
	uint64_t total;		/* bytes read from 'from' */
	bool eof;
};

static int ctl = -1;
static int shared = -1;		/* the shared root's directory */
static struct stream in, out, err;
static uint64_t in_limit = UINT64_MAX;

static void send_msg(uint32_t type, const void *data, uint32_t len)
{
	struct vm_head head = { type, len };
	struct { const void *p; size_t n; } part[] = { { &head, sizeof(head) }, { data, len } };
	int i;

	for (i = 0; i < 2; i++) {
		while (part[i].n) {
			ssize_t n = write(ctl, part[i].p, part[i].n);

			if (n < 0 && errno != EINTR)
				return;
			if (n > 0) {
				part[i].p = (const char *)part[i].p + n;
				part[i].n -= n;
			}
		}
	}
}

/* Reports a fatal error to the host, or on the console, and waits to be switched off. */
__attribute__((noreturn, format(printf, 1, 2)))
static void fail(const char *fmt, ...)
{
	char text[512];
	int saved = errno;
	va_list ap;
	size_t n;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strlen(text);
	snprintf(text + n, sizeof(text) - n, ": %s", strerror(saved));
	fprintf(stderr, "stap-vm-init: %s\n", text);
	if (ctl >= 0)
		send_msg(VM_FAILED, text, strlen(text));
	for (;;)
		pause();
}

static void insert_modules(void)
{
	char path[16];
	int i, fd;

	for (i = 0; ; i++) {
		snprintf(path, sizeof(path), "/m/%02d", i);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return;
		if (syscall(SYS_finit_module, fd, "", 0) && errno != EEXIST)
			fail("cannot insert kernel module %s", path);
		close(fd);
		unlink(path);
	}
}

/* Opens a port. Waits for it, because devices appear a moment after their driver is inserted. */
static int open_port(const char *name)
{
	const struct timespec moment = { .tv_nsec = 5 * 1000 * 1000 };
	int tries;

	for (tries = 0; tries < 4000; tries++) {
		DIR *d = opendir("/sys/class/virtio-ports");
		struct dirent *e;

		while (d && (e = readdir(d))) {
			char path[512], got[32] = "";
			int fd;

			snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", e->d_name);
			fd = open(path, O_RDONLY | O_CLOEXEC);
			if (fd < 0)
				continue;
			if (read(fd, got, sizeof(got) - 1) < 0)
				got[0] = '\0';
			close(fd);
			got[strcspn(got, "\n")] = '\0';
			if (strcmp(got, name))
				continue;
			snprintf(path, sizeof(path), "/dev/%s", e->d_name);
			fd = open(path, O_RDWR | O_CLOEXEC);
			if (fd >= 0) {
				closedir(d);
				return fd;
			}
		}
		if (d)
			closedir(d);
		nanosleep(&moment, NULL);
	}
	fail("port %s did not appear", name);
}

static void do_mount(const char *what, const char *where, const char *type,
		     unsigned long flags, const char *options)
{
	mkdir(where, 0755);
	if (mount(what, where, type, flags, options))
		fail("cannot mount %s on %s", type, where);
}

/* Mounts a file system that not every kernel has; a failure is no error. */
static void try_mount(const char *what, const char *where, const char *type, const char *options)
{
	if (mount(what, where, type, 0, options) && errno != ENODEV && errno != ENOENT)
		fprintf(stderr, "stap-vm-init: cannot mount %s on %s: %s\n", type, where,
			strerror(errno));
}

/* Takes CAP_FOWNER from this process, or gives it back. */
static void set_fowner(bool on)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2];
	const uint32_t bit = 1u << CAP_FOWNER;

	if (syscall(SYS_capget, &head, caps))
		fail("cannot read the capabilities");
	caps[0].effective = on ? caps[0].effective | bit : caps[0].effective & ~bit;
	if (syscall(SYS_capset, &head, caps))
		fail("cannot set the capabilities");
}

/*
 * Mounts the overlay, which works with the capabilities that its mounter has now. With CAP_FOWNER it opens
 * files with O_NOATIME, as a file's owner may; a virtiofsd that has only a user's rights can't do that for
 * files of others. Those belong to nobody here, and a set-user-ID program would become nobody.
 */
static void mount_overlay(void)
{
	bool users = getenv(VM_ENV_USER);

	if (users)
		set_fowner(false);
	do_mount("overlay", "/new", "overlay", users ? MS_NOSUID : 0,
		 "lowerdir=/lower,upperdir=/over/up,workdir=/over/work");
	if (users)
		set_fowner(true);
}

/* Has the driver of the shared root found its device? */
static bool has_root_device(void)
{
	DIR *d = opendir("/sys/bus/virtio/drivers/virtiofs");
	struct dirent *e;
	bool found = false;

	while (d && (e = readdir(d)))
		found |= !strncmp(e->d_name, "virtio", 6);
	if (d)
		closedir(d);
	return found;
}

/* Mounts the shared root. Its device may have been plugged in just now, and appears a moment later. */
static void mount_shared(void)
{
	const struct timespec moment = { .tv_nsec = 5 * 1000 * 1000 };
	int tries;

	for (tries = 0; tries < 4000 && !has_root_device(); tries++)
		nanosleep(&moment, NULL);
	mkdir("/lower", 0755);
	/* The driver's directory names the device before the driver knows its tag. */
	for (; mount("root", "/lower", "virtiofs", MS_RDONLY, NULL); tries++) {
		if (errno != EINVAL || tries >= 4000)
			fail("cannot mount virtiofs on /lower");
		nanosleep(&moment, NULL);
	}
	shared = open("/lower", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static void enter_root(void)
{
	mount_shared();
	do_mount("tmpfs", "/over", "tmpfs", 0, "mode=755");
	mkdir("/over/up", 0755);
	mkdir("/over/work", 0755);
	mount_overlay();
	if (mount("/dev", "/new/dev", NULL, MS_MOVE, NULL) ||
	    mount("/proc", "/new/proc", NULL, MS_MOVE, NULL) ||
	    mount("/sys", "/new/sys", NULL, MS_MOVE, NULL) ||
	    chdir("/new") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
		fail("cannot enter the shared root");
}

static void furnish_root(void)
{
	struct ifreq ifr = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int sock;

	mkdir("/dev/pts", 0755);
	mkdir("/dev/shm", 01777);
	do_mount("tmpfs", "/run", "tmpfs", 0, "mode=755");
	mkdir("/run/lock", 01777);
	try_mount("devpts", "/dev/pts", "devpts", "gid=5,mode=620,ptmxmode=666");
	try_mount("tmpfs", "/dev/shm", "tmpfs", "mode=1777");
	try_mount("cgroup2", "/sys/fs/cgroup", "cgroup2", NULL);
	try_mount("bpf", "/sys/fs/bpf", "bpf", "mode=700");
	try_mount("securityfs", "/sys/kernel/security", "securityfs", NULL);
	try_mount("debugfs", "/sys/kernel/debug", "debugfs", "mode=700");
	try_mount("tracefs", "/sys/kernel/tracing", "tracefs", "mode=700");
	if (symlink("/proc/self/fd", "/dev/fd") || symlink("/proc/self/fd/0", "/dev/stdin") ||
	    symlink("/proc/self/fd/1", "/dev/stdout") || symlink("/proc/self/fd/2", "/dev/stderr"))
		perror("stap-vm-init: /dev/fd");
	sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock >= 0) {
		ioctl(sock, SIOCSIFFLAGS, &ifr);
		close(sock);
	}
}

static bool read_fully(void *p, size_t n)
{
	while (n) {
		ssize_t got = read(ctl, p, n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p = (char *)p + got;
		n -= got;
	}
	return true;
}

/* Receives the next message; returns its payload, NUL-terminated, which the caller frees. */
static void *receive(struct vm_head *head)
{
	char *data;

	if (!read_fully(head, sizeof(*head)) || head->len > VM_MSG_MAX)
		fail("the control port broke");
	data = calloc(1, head->len + 1);
	if (!data || !read_fully(data, head->len))
		fail("the control port broke");
	return data;
}

/* Sets the clock, and makes the kernel's random numbers differ from those of other guests. */
static void take_moment(const struct vm_mount *m)
{
	const struct timespec time = { m->seconds, m->nanoseconds };
	struct {
		struct rand_pool_info info;
		uint8_t bytes[sizeof(m->random)];
	} pool = { .info = { .entropy_count = 8 * sizeof(m->random), .buf_size = sizeof(m->random) } };
	int fd = open("/dev/urandom", O_WRONLY | O_CLOEXEC);

	memcpy(pool.info.buf, m->random, sizeof(m->random));
	if (fd < 0 || ioctl(fd, RNDADDENTROPY, &pool) || ioctl(fd, RNDRESEEDCRNG))
		fail("cannot seed the random numbers");
	close(fd);
	if (clock_settime(CLOCK_REALTIME, &time))
		fail("cannot set the clock");
	klogctl(8, NULL, m->log_level);		/* SYSLOG_ACTION_CONSOLE_LEVEL */
}

/* Tells the host that the guest has booted, and waits until it may mount its root. Here it may be saved, and
 * restored later. */
static void wait_for_root(void)
{
	struct vm_head head;
	char *data;

	send_msg(VM_BOOTED, NULL, 0);
	data = receive(&head);
	if (head.type != VM_MOUNT || head.len != sizeof(struct vm_mount))
		fail("the host did not send the time");
	take_moment((const struct vm_mount *)data);
	free(data);
}

static char **take_strings(const char **p, uint32_t n)
{
	char **v = calloc(n + 1, sizeof(*v));
	uint32_t i;

	if (!v)
		fail("no memory for the command");
	for (i = 0; i < n; i++) {
		v[i] = (char *)*p;
		*p += strlen(*p) + 1;
	}
	return v;
}

__attribute__((noreturn))
static void run_command(const char *cwd, char **env, char **argv)
{
	sigset_t none;
	int saved;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (chdir(cwd)) {
		fprintf(stderr, "stap-vm: %s: %s\n", cwd, strerror(errno));
		_exit(VM_EXIT_TROUBLE);
	}
	environ = env;
	execvp(argv[0], argv);
	saved = errno;
	fprintf(stderr, "stap-vm: %s: %s\n", argv[0], strerror(saved));
	_exit(saved == ENOENT ? VM_EXIT_NOTFOUND : VM_EXIT_NOEXEC);
}

/* Writes VM_LOG_MARK to the kernel's log, between the boot's messages and the later ones. */
static void mark_log(void)
{
	static const char mark[] = "<4>" VM_LOG_MARK "\n";
	int fd = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, mark, strlen(mark)) < 0)
		fail("cannot write to the kernel's log");
	close(fd);
}

static pid_t start_command(const char *data)
{
	const struct vm_start *start = (const void *)data;
	const char *p = data + sizeof(*start);
	char **head = take_strings(&p, 2);
	char **env = take_strings(&p, start->nenv);
	char **argv = take_strings(&p, start->nargs);
	int pipes[3][2];
	pid_t pid;
	int i;

	if (sethostname(head[1], strlen(head[1])))
		perror("stap-vm-init: hostname");
	for (i = 0; i < 3; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			fail("cannot make a pipe");
	mark_log();

	pid = fork();
	if (pid < 0)
		fail("cannot fork");
	if (pid == 0) {
		dup2(pipes[0][0], 0);
		dup2(pipes[1][1], 1);
		dup2(start->merge ? 1 : pipes[2][1], 2);
		run_command(head[0], env, argv);
	}
	close(pipes[0][0]);
	close(pipes[1][1]);
	close(pipes[2][1]);
	in.to = pipes[0][1];
	out.from = pipes[1][0];
	err.from = pipes[2][0];
	fcntl(in.to, F_SETFL, O_NONBLOCK);
	fcntl(out.from, F_SETFL, O_NONBLOCK);
	fcntl(err.from, F_SETFL, O_NONBLOCK);
	fcntl(out.from, F_SETPIPE_SZ, 1 << 20);
	return pid;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Reads from the source, up to LIMIT bytes in all; false if nothing is available now. */
static bool stream_fill(struct stream *s, uint64_t limit)
{
	size_t room = sizeof(s->buf) - s->end;
	ssize_t n;

	if (s->eof || !room || s->from < 0)
		return false;
	if (limit - s->total < room)
		room = limit - s->total;
	if (!room)
		return false;
	n = read(s->from, s->buf + s->end, room);
	if (n <= 0) {
		if (n == 0)
			s->eof = true;
		return false;
	}
	s->end += n;
	s->total += n;
	return true;
}

/* Writes to the sink as much as it accepts; if it is closed, drops the bytes. */
static bool stream_drain(struct stream *s)
{
	ssize_t n;

	if (s->start == s->end)
		return false;
	n = s->to < 0 ? (ssize_t)(s->end - s->start) :
			write(s->to, s->buf + s->start, s->end - s->start);
	if (n < 0) {
		if (errno == EAGAIN || errno == EINTR)
			return false;
		close_end(&s->to);
		return true;
	}
	s->start += n;
	if (s->start == s->end)
		s->start = s->end = 0;
	return true;
}

static void pump(struct stream *s, uint64_t limit)
{
	while (stream_drain(s) || (s->start == s->end && stream_fill(s, limit)))
		;
}

static void pump_all(void)
{
	pump(&in, in_limit);
	if (in.total >= in_limit && in.start == in.end)
		close_end(&in.to);
	pump(&out, UINT64_MAX);
	pump(&err, UINT64_MAX);
}

/* Handles a message from the host. PID is the command's, or 0 when it has ended. */
static void handle_message(pid_t pid)
{
	struct vm_head head;
	void *data = receive(&head);

	if (head.type == VM_SIGNAL) {
		const struct vm_signal *sig = data;

		if (pid > 0)
			kill(sig->group ? -pid : pid, sig->number);
		send_msg(VM_ACK, NULL, 0);
	} else if (head.type == VM_STDIN_END) {
		memcpy(&in_limit, data, sizeof(in_limit));
	} else if (head.type == VM_CLOSED) {
		uint32_t which;

		memcpy(&which, data, sizeof(which));
		close_end(which == 1 ? &out.from : &err.from);
	}
	free(data);
}

/* Reaps all zombies; returns true, with its status, if the command was among them. */
static bool reap(pid_t command, uint32_t *status)
{
	bool ended = false;
	pid_t pid;
	int st;

	while ((pid = waitpid(-1, &st, WNOHANG)) > 0) {
		if (pid != command)
			continue;
		ended = true;
		*status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
	}
	return ended;
}

static void add_poll(struct pollfd *p, int *n, int fd, short events)
{
	if (fd >= 0)
		p[(*n)++] = (struct pollfd){ .fd = fd, .events = events };
}

static void add_stream(struct pollfd *p, int *n, const struct stream *s, uint64_t limit)
{
	if (s->start < s->end)
		add_poll(p, n, s->to, POLLOUT);
	else if (!s->eof && s->total < limit)
		add_poll(p, n, s->from, POLLIN);
}

/*
 * Sends a request to virtiofsd now and then, for those whose notification got lost. QEMU translates no memory
 * barriers for CPUs that take turns, but virtiofsd runs on another CPU: once in some million requests one side
 * doesn't see in time that the other waits to be notified. It sees the request with the next notification, and an
 * idle guest would have no next one. A process of its own sends it, because its notification may get lost too.
 */
static void nudge_virtiofsd(void)
{
	static time_t last;
	struct timespec now;
	struct statfs answer;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!last)
		last = now.tv_sec;
	if (now.tv_sec - last < NUDGE_SECONDS)
		return;
	last = now.tv_sec;
	if (!fork())
		_exit(fstatfs(shared, &answer) != 0);
}

static void wait_for_work(int sigfd)
{
	struct signalfd_siginfo si;
	struct pollfd p[8];
	int n = 0;

	add_poll(p, &n, sigfd, POLLIN);
	add_poll(p, &n, ctl, POLLIN);
	add_stream(p, &n, &in, in_limit);
	add_stream(p, &n, &out, UINT64_MAX);
	add_stream(p, &n, &err, UINT64_MAX);
	poll(p, n, NUDGE_SECONDS * 1000);
	nudge_virtiofsd();
	if (p[0].revents & POLLIN)
		if (read(sigfd, &si, sizeof(si)) < 0)
			perror("stap-vm-init: signalfd");
}

static bool ctl_readable(void)
{
	struct pollfd p = { .fd = ctl, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

/* Sends what is left in the pipes of the ended command. */
static void flush_streams(int sigfd)
{
	for (;;) {
		pump_all();
		if (out.start == out.end && err.start == err.end)
			return;
		wait_for_work(sigfd);
		if (ctl_readable())
			handle_message(0);
	}
}

static void serve(pid_t pid, int sigfd)
{
	struct vm_exit ex = { 0 };

	while (!reap(pid, &ex.status)) {
		pump_all();
		wait_for_work(sigfd);
		if (ctl_readable())
			handle_message(pid);
	}
	flush_streams(sigfd);
	ex.out_bytes = out.total;
	ex.err_bytes = err.total;
	send_msg(VM_EXIT, &ex, sizeof(ex));
}

static void open_ports(void)
{
	in.from = open_port(VM_PORT_IN);
	out.to = open_port(VM_PORT_OUT);
	err.to = open_port(VM_PORT_ERR);
	/* A blocking write to a port would spin in the kernel until the host has taken it. */
	fcntl(in.from, F_SETFL, O_NONBLOCK);
	fcntl(out.to, F_SETFL, O_NONBLOCK);
	fcntl(err.to, F_SETFL, O_NONBLOCK);
}

int main(void)
{
	struct vm_head head;
	sigset_t mask;
	char *data;
	int sigfd;

	if (getpid() != 1) {
		fprintf(stderr, "stap-vm-init: this is a guest's init; run stap-vm\n");
		return 1;
	}
	umask(022);
	do_mount("devtmpfs", "/dev", "devtmpfs", 0, "mode=755");
	do_mount("proc", "/proc", "proc", 0, NULL);
	do_mount("sysfs", "/sys", "sysfs", 0, NULL);
	insert_modules();
	ctl = open_port(VM_PORT_CTL);
	open_ports();
	wait_for_root();
	enter_root();
	furnish_root();

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	sigfd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);

	send_msg(VM_READY, NULL, 0);
	data = receive(&head);
	if (head.type != VM_START)
		fail("the host did not send a command");
	serve(start_command(data), sigfd);
	for (;;)
		pause();
}
