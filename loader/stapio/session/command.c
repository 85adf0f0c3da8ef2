// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the command of -c.
 *
 * A command of plain words is executed directly, so that target() is the program
 * itself.  A command that needs a shell (redirections, pipes, assignments, builtins
 * such as cd) is executed by sh -c, and target() is the shell.
 */
#define _GNU_SOURCE
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "common/say.h"
#include "common/signals.h"
#include "common/syscalls.h"

/* Is it a command of plain words? */
static bool is_plain(const char *text, wordexp_t *words)
{
	return !wordexp(text, words, WRDE_NOCMD) && words->we_wordc > 0 &&
	       !strchr(words->we_wordv[0], '=');
}

/* Executes the command, in the child. */
static void become(const char *text)
{
	wordexp_t words;
	bool plain = is_plain(text, &words);

	if (plain)
		execvp(words.we_wordv[0], words.we_wordv);
	if (!plain || errno == ENOENT)
		execl("/bin/sh", "sh", "-c", text, NULL);
	say_error("can't run %s: %s", plain ? words.we_wordv[0] : "/bin/sh", strerror(errno));
	_exit(126);
}

/* Asks a shell whether the command's first word is a program or a builtin. */
bool command_exists(const char *text)
{
	wordexp_t words;
	int status;
	pid_t pid;

	if (!is_plain(text, &words))
		return true;		/* for the shell to find out */
	pid = fork();
	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		signals_restore();
		execl("/bin/sh", "sh", "-c", "command -v \"$1\"", "sh", words.we_wordv[0], NULL);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || !WEXITSTATUS(status))
		return true;
	say_error("can't run the command: there is no %s", words.we_wordv[0]);
	return false;
}

int command_hold(struct command *c, const char *text)
{
	int ends[2];
	char go;

	if (pipe2(ends, O_CLOEXEC)) {
		say_error("can't run the command: %s", strerror(errno));
		return -1;
	}
	c->pid = fork();
	if (!c->pid) {
		/* If the waiting child held the module's files open, the module could not be removed. */
		if (ends[0] != 3)
			dup3(ends[0], 3, O_CLOEXEC);
		syscall(SYS_close_range, 4, ~0u, 0);
		if (read(3, &go, 1) != 1)
			_exit(0);	/* the session didn't start */
		signals_restore();
		become(text);
	}
	close(ends[0]);
	c->hold = ends[1];
	c->pidfd = c->pid > 0 ? syscall(SYS_pidfd_open, c->pid, 0) : -1;
	if (c->pidfd < 0) {
		say_error("can't run the command: %s", strerror(errno));
		close(c->hold);
		return -1;
	}
	return 0;
}

void command_release(struct command *c)
{
	if (write(c->hold, "g", 1) < 0)
		say_warning("the command's process ended before the command was started");
	close(c->hold);
}

void command_reap(struct command *c)
{
	if (waitpid(c->pid, &c->status, 0) != c->pid)
		c->status = 0;
}

bool command_succeeded(const struct command *c)
{
	if (WIFSIGNALED(c->status))
		say_warning("Child process exited with signal %d (%s)", WTERMSIG(c->status),
			    strsignal(WTERMSIG(c->status)));
	else if (WEXITSTATUS(c->status))
		say_warning("Child process exited with status %d", WEXITSTATUS(c->status));
	else
		return true;
	return false;
}
