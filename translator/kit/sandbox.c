// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sandbox for programs of a stranger's: bubblewrap's, which is a kept program.
 *
 * Inside are /usr, read-only, for the compiler and its libraries, and directories in memory.  There is nothing
 * else of this machine: no /etc, no home, no /proc, no network, no other process, no descriptor or key that
 * the user has.  What goes in are copies of two files, and what comes out are bytes on three descriptors, so
 * no name, link or kind of file that is made inside is ever met outside.
 *
 *	/in/headers, /in/sources	copies of the files that go in
 *	/src				the working directory
 *	1, 2				messages, of which the first are kept
 *	8, 9				the files that come out
 *
 * Root becomes nobody first: root without capabilities would still own the files of root, and the kernel doesn't
 * bound how many processes root has.  The limits are set on both sides: outside those that must hold for
 * bubblewrap, too; inside the number of processes, of which those inside alone are counted since Linux 5.14.
 * The memory of all is not bounded, nor the number of files, which take the kernel's; but when memory runs out
 * the kernel kills them before anything else, and their files go with them.
 */
#include <errno.h>
#include <linux/close_range.h>
#include <linux/keyctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/printable.h"
#include "base/problem.h"
#include "internal.h"
#include "kit.h"

enum { MESSAGES_MOST = 256 << 10 };

/* Ours: opens the files, which those inside couldn't. */
static const char open_files[] = "exec 6< \"$1\" 7< \"$2\" 8> \"$3\" 9> \"$4\"; shift 4; exec \"$@\"";

static const char *const limits[] = {
	"choom", "-n", "1000", "--",
	"prlimit", "--core=0", "--fsize=67108864", "--cpu=600", "--as=4294967296", "--",
	"setpriv", "--pdeathsig=KILL",
};

static const char *const as_nobody[] = { "--reuid=65534", "--regid=65534", "--clear-groups" };

static const char *const walls[] = {
	"timeout", "--kill-after=5", "600",
	"bwrap", "--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--new-session",
	"--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "LC_ALL", "C",
	"--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
	"--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64",
	"--dev", "/dev", "--remount-ro", "/dev",
	"--size", "536870912", "--tmpfs", "/usr/src", "--size", "536870912", "--tmpfs", "/src",
	"--size", "536870912", "--tmpfs", "/tmp",
	"--ro-bind-data", "6", "/in/headers", "--ro-bind-data", "7", "/in/sources", "--remount-ro", "/",
	"--chdir", "/src", "prlimit", "--nproc=256", "--",
};

static void add_all(words *to, const char *const *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		vec_push(to, (char *)from[i]);
}

#define ADD(to, list) add_all(to, list, sizeof(list) / sizeof(*(list)))

/* Descriptors and the session's keys would be handed down. */
static bool keep_own(void)
{
	return !syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC) &&
	       (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0 || errno == ENOSYS);
}

int sandbox_run(const struct sandbox *b, struct sbuf *messages)
{
	const char *const files[] = { "sh", "-c", open_files, "sh", b->headers, b->sources, b->frames, b->module };
	struct sbuf raw = { 0 };
	words argv = { 0 };
	char *shown;
	int status;

	if (!keep_own()) {
		sbuf_printf(messages, "it can't be kept from the user's descriptors and keys: %s\n", strerror(errno));
		return 127;
	}
	ADD(&argv, files);
	ADD(&argv, limits);
	if (!geteuid())
		ADD(&argv, as_nobody);
	ADD(&argv, walls);
	add_all(&argv, (const char *const *)b->command.v, b->command.n);
	vec_push(&argv, NULL);

	struct proc p = { .argv = argv.v, .envp = kit_environment(), .most = MESSAGES_MOST };

	status = proc_run(&p, &raw);
	shown = printable(sbuf_str(&raw), raw.len, "\n\t");
	sbuf_puts(messages, shown ? shown : "");
	free(shown);
	sbuf_free(&raw);
	return status;
}

bool kit_can_confine(struct problem *why)
{
	struct sandbox b = {
		.headers = "/dev/null", .sources = "/dev/null", .module = "/dev/null", .frames = "/dev/null",
	};
	struct sbuf messages = { 0 };
	bool can;

	if (!proc_find("bwrap", getenv("PATH"))) {
		why->text = "bubblewrap is not installed here";
		why->hint = "apt-get install bubblewrap";
		return false;
	}
	vec_push(&b.command, "true");
	can = !sandbox_run(&b, &messages);
	if (!can)
		why->text = arena_printf("bubblewrap does not run here: %.*s",
					 (int)strcspn(sbuf_str(&messages), "\n"), sbuf_str(&messages));
	sbuf_free(&messages);
	return can;
}
