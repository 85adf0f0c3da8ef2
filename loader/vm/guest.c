// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts and kills a guest's two processes: virtiofsd, which serves the guest's root
 * directory (this machine's own, unless another is given), and QEMU. All channels are
 * socket pairs that the processes inherit. None has a name in a file system, so
 * nothing is left behind, however we end. Both processes die with us
 * (PR_SET_PDEATHSIG).
 *
 * The guest mounts the shared root read-only, but root in the guest could remount it
 * writable. So virtiofsd runs in a mount namespace of its own, where all mounts are
 * read-only.
 *
 * For a user who isn't root, virtiofsd runs in a user namespace too. It has the user's rights,
 * so the guest can read what the user can: the guest's root may read a file of 0600 of this
 * machine's root no more than the user may. The user's files are root's in the guest; all
 * others belong to nobody there (65534), because only the user's own number has a
 * counterpart in the namespace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/syscalls.h"
#include "vm.h"

#define MAX_ARGS 80

struct args {
	char *v[MAX_ARGS];
	int n;
};

__attribute__((format(printf, 2, 3)))
static void add(struct args *a, const char *fmt, ...)
{
	va_list ap;

	if (a->n == MAX_ARGS - 1)
		abort();
	va_start(ap, fmt);
	if (vasprintf(&a->v[a->n++], fmt, ap) < 0)
		abort();
	va_end(ap);
}

static void args_free(struct args *a)
{
	while (a->n > 0)
		free(a->v[--a->n]);
}

static void must(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "stap-vm: cannot %s: %s\n", what, strerror(errno));
	_exit(1);
}

static bool write_file(const char *path, const char *fmt, unsigned int number)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && dprintf(fd, fmt, number) > 0;

	close(fd);
	return done;
}

/*
 * Lets setgroups() do nothing. virtiofsd gives up its groups and ends if it can't, but in a user's own
 * namespace nobody can; there it may keep them, as they are the user's.
 */
static bool keep_groups(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_setgroups, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof(code) / sizeof(*code), code };

	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

/* Enters a user namespace where the user is root: only root may make mounts, and change its root. */
static void become_namespace_root(void)
{
	unsigned int uid = geteuid(), gid = getegid();

	must(!unshare(CLONE_NEWUSER), "make a user namespace, which it needs without root (see "
	     "kernel.unprivileged_userns_clone, user.max_user_namespaces, "
	     "kernel.apparmor_restrict_unprivileged_userns)");
	must(write_file("/proc/self/setgroups", "deny", 0) &&
	     write_file("/proc/self/uid_map", "0 %u 1", uid) &&
	     write_file("/proc/self/gid_map", "0 %u 1", gid), "be root in a user namespace");
	must(keep_groups(), "filter system calls");
}

/* Raises the limit of open files as far as this process may: virtiofsd has each file open that the guest
 * knows. */
static void raise_file_limit(void)
{
	struct rlimit files;

	must(!getrlimit(RLIMIT_NOFILE, &files), "read the limit of open files");
	files.rlim_cur = files.rlim_max;
	must(!setrlimit(RLIMIT_NOFILE, &files), "raise the limit of open files");
}

/*
 * Makes this machine's files read-only for this process and its children: mounts a read-only copy of
 * all mounts over "/" and enters it. That works in a chroot too, where "/" itself isn't a mount.
 */
static void read_only_view(void)
{
	struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY, .propagation = MS_PRIVATE };
	int tree;

	must(!unshare(CLONE_NEWNS), "make a mount namespace");
	tree = syscall(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
	must(tree >= 0 && !syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr,
				   sizeof(attr)) &&
	     !syscall(SYS_move_mount, tree, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) &&
	     !fchdir(tree) && !chroot("."), "make the shared root read-only");
}

/*
 * Starts a program, with its output in the log. It gets its own session (setsid()), so that the
 * terminal's ^C reaches only us. KEEP lists the descriptors that it inherits; ISOLATE makes its files
 * read-only.
 */
static int spawn(char *const argv[], const int *keep, int nkeep, int log_fd, bool isolate)
{
	pid_t parent = getpid(), pid = fork();
	sigset_t none;
	int i, null;

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	null = open("/dev/null", O_RDWR);
	dup2(null, 0);
	dup2(log_fd, 1);
	dup2(log_fd, 2);
	for (i = 0; i < nkeep; i++)
		fcntl(keep[i], F_SETFD, 0);
	if (isolate && geteuid()) {
		raise_file_limit();
		become_namespace_root();
	}
	if (isolate)
		read_only_view();
	execv(argv[0], argv);
	perror(argv[0]);
	_exit(1);
}

/* Makes a listening socket for virtiofsd, and one connected to it for QEMU. */
static bool fs_sockets(int *listener, int *connected)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	socklen_t len = sizeof(addr.sun_family);

	*listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	*connected = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	/* Bound without a name, the socket gets an abstract one from the kernel. */
	if (*listener < 0 || *connected < 0 || bind(*listener, (void *)&addr, len) ||
	    listen(*listener, 1))
		return false;
	len = sizeof(addr);
	return !getsockname(*listener, (void *)&addr, &len) &&
	       !connect(*connected, (void *)&addr, len);
}

static int start_virtiofsd(const struct vm_config *cfg, int listener, int log_fd)
{
	struct args a = { .n = 0 };
	int pid;

	add(&a, "%s", cfg->virtiofsd);
	add(&a, "--fd=%d", listener);
	if (strstr(cfg->virtiofsd, "/qemu/")) {		/* the old C one from QEMU's sources */
		add(&a, "-o");
		add(&a, "source=%s/,sandbox=chroot,cache=always", cfg->root);
	} else {
		add(&a, "--shared-dir=%s/", cfg->root);
		add(&a, "--sandbox=chroot");
		add(&a, "--cache=always");
	}
	if (geteuid())
		add(&a, "--rlimit-nofile=0");	/* the limit stays as raise_file_limit() set it */
	pid = spawn(a.v, &listener, 1, log_fd, true);
	args_free(&a);
	return pid;
}

static void add_port(struct args *a, const char *name, int fd)
{
	add(a, "-chardev");
	add(a, "socket,id=%s,fd=%d", name, fd);
	add(a, "-device");
	add(a, "virtserialport,chardev=%s,name=%s", name, name);
}

static void qemu_command(struct args *a, const struct vm_config *cfg, const int *fd,
			 int fs_fd, int initramfs, bool kvm, const struct vm_snapshot *snapshot)
{
	char rate[32] = "";

	if (!kvm && !cfg->icount)
		snprintf(rate, sizeof(rate), " tsc_early_khz=%u000", vm_tsc_mhz());
	add(a, "%s", cfg->qemu);
	add(a, "-nodefaults");
	add(a, "-no-user-config");
	add(a, "-no-reboot");
	add(a, "-display");
	add(a, "none");
	add(a, "-machine");
	add(a, "q35");
	add(a, "-accel");
	add(a, kvm ? "kvm" : cfg->parallel ? "tcg,thread=multi" : "tcg,thread=single");
	if (cfg->icount) {
		add(a, "-icount");
		add(a, "shift=0");
	}
	/* With ERMS or FSRM the kernel copies and clears memory by rep movsb and stosb, emulated byte by byte. */
	add(a, "-cpu");
	add(a, kvm ? "host" : "max,-erms,-fsrm");
	add(a, "-smp");
	add(a, "%u", cfg->smp);
	add(a, "-m");
	add(a, "%u", cfg->mem);
	add(a, "-object");
	if (snapshot->use == VM_SNAPSHOT_NONE)
		add(a, "memory-backend-memfd,id=mem,size=%uM,share=on", cfg->mem);
	else
		add(a, "memory-backend-file,id=mem,size=%uM,share=on,mem-path=/proc/self/fd/%d", cfg->mem,
		    snapshot->memory);
	add(a, "-numa");
	add(a, "node,memdev=mem");
	add(a, "-chardev");
	add(a, "socket,id=fs,fd=%d", fs_fd);
	add(a, "-device");
	if (snapshot->use == VM_SNAPSHOT_NONE)
		add(a, VM_FS_DEVICE);
	else
		add(a, "pcie-root-port,id=" VM_BUS ",chassis=1");
	if (snapshot->use == VM_SNAPSHOT_RESTORE) {
		add(a, "-incoming");
		add(a, "defer");
	}
	add(a, "-chardev");
	add(a, "socket,id=console,fd=%d", fd[VM_CONSOLE]);
	add(a, "-serial");
	add(a, "chardev:console");
	add(a, "-chardev");
	add(a, "socket,id=monitor,fd=%d", fd[VM_MONITOR]);
	add(a, "-mon");
	add(a, "monitor");
	add(a, "-device");
	add(a, "virtio-serial-pci");
	add_port(a, VM_PORT_CTL, fd[VM_CTL]);
	add_port(a, VM_PORT_IN, fd[VM_IN]);
	add_port(a, VM_PORT_OUT, fd[VM_OUT]);
	add_port(a, VM_PORT_ERR, fd[VM_ERR]);
	add(a, "-kernel");
	add(a, "%s", cfg->kernel);
	add(a, "-initrd");
	add(a, "/proc/self/fd/%d", initramfs);
	add(a, "-append");
	/*
	 * oops=panic: after an oops the command may hang for ever. cryptomgr.notests: the self-tests
	 * can hang under emulation on a busy machine. no_timer_check: the test of the timer's interrupt
	 * can fail there. An emulated CPU stands still while the machine is busy, so the kernel's
	 * detectors of lockups and stalls wait as long as they can.
	 */
	add(a, "console=ttyS0 loglevel=%d oops=panic panic=-1 unknown_nmi_panic sysrq_always_enabled "
	    "cryptomgr.notests no_timer_check tsc=reliable watchdog_thresh=60 "
	    "rcupdate.rcu_cpu_stall_timeout=300%s%s",
	    cfg->verbose || snapshot->use != VM_SNAPSHOT_NONE ? VM_LOG_ALL : VM_LOG_FEW,
	    geteuid() ? " " VM_ENV_USER "=1" : "", rate);
}

void vm_guest_print_command(FILE *f, const struct vm_config *cfg)
{
	const struct vm_snapshot snapshot = { .use = VM_SNAPSHOT_SAVE };
	const int fd[VM_NCHAN] = { 0 };
	struct args a = { .n = 0 };

	qemu_command(&a, cfg, fd, 0, 0, false, &snapshot);
	for (int i = 0; i < a.n; i++)
		fprintf(f, "%s\n", a.v[i]);
	args_free(&a);
}

static bool start_failed(struct vm_guest *g, const char *what)
{
	fprintf(stderr, "stap-vm: %s: %s\n", what, strerror(errno));
	vm_guest_kill(g);
	return false;
}

bool vm_guest_start(struct vm_guest *g, const struct vm_config *cfg, int initramfs, bool kvm,
		    const struct vm_snapshot *snapshot)
{
	int theirs[VM_NCHAN], keep[VM_NCHAN + 4], nkeep = VM_NCHAN;
	struct args a = { .n = 0 };
	int i, listener, fs_fd;

	*g = (struct vm_guest){ .log_fd = memfd_create("stap-vm-log", MFD_CLOEXEC) };
	for (i = 0; i < VM_NCHAN; i++)
		g->fd[i] = -1;
	fcntl(g->log_fd, F_SETFL, O_APPEND);
	for (i = 0; i < VM_NCHAN; i++) {
		int pair[2];

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
			return start_failed(g, "cannot make the guest's channels");
		g->fd[i] = pair[0];
		theirs[i] = keep[i] = pair[1];
	}
	if (!fs_sockets(&listener, &fs_fd))
		return start_failed(g, "cannot make virtiofsd's socket");
	g->fs_pid = start_virtiofsd(cfg, listener, g->log_fd);
	keep[nkeep++] = fs_fd;
	keep[nkeep++] = initramfs;
	if (snapshot->use == VM_SNAPSHOT_RESTORE)
		keep[nkeep++] = snapshot->fd;
	if (snapshot->use != VM_SNAPSHOT_NONE)
		keep[nkeep++] = snapshot->memory;
	qemu_command(&a, cfg, theirs, fs_fd, initramfs, kvm, snapshot);
	if (g->fs_pid > 0)
		g->qemu_pid = spawn(a.v, keep, nkeep, g->log_fd, false);
	args_free(&a);
	for (i = 0; i < VM_NCHAN; i++)
		close(theirs[i]);
	close(listener);
	close(fs_fd);
	if (g->fs_pid <= 0 || g->qemu_pid <= 0)
		return start_failed(g, "cannot start the guest's processes");
	return true;
}

double vm_guest_cpu(const struct vm_guest *g)
{
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(g->qemu_pid, &clock) || clock_gettime(clock, &used))
		return 0;
	return used.tv_sec + used.tv_nsec / 1e9;
}

static void kill_and_reap(int *pid)
{
	if (*pid > 0) {
		kill(*pid, SIGKILL);
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	*pid = 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void vm_guest_kill(struct vm_guest *g)
{
	int i;

	kill_and_reap(&g->qemu_pid);
	kill_and_reap(&g->fs_pid);
	for (i = 0; i < VM_NCHAN; i++)
		close_fd(&g->fd[i]);
	close_fd(&g->log_fd);
}
