// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs the compiler, the linker and make with posix_spawn() and an argument
 * vector, so that no shell interprets a file name.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

#include "arena.h"
#include "proc.h"

const char *proc_env_value(char *const *envp, const char *name)
{
	size_t n = strlen(name);

	for (; *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
}

const char *proc_find(const char *name, const char *path)
{
	if (strchr(name, '/'))
		return name;
	if (!path)
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path) {
		size_t n = strcspn(path, ":");
		const char *full = arena_printf("%.*s/%s", (int)n, path, name);

		/*
		 * an empty or relative element would run a program of the
		 * current directory
		 */
		if (*path == '/' && !access(full, X_OK))
			return full;
		path += n + (path[n] == ':');
	}
	return NULL;
}

/* ---- signals ---- */

static const int held[] = { SIGINT, SIGTERM, SIGHUP };
#define NHELD (sizeof(held) / sizeof(*held))

static struct sigaction before[NHELD];
static volatile sig_atomic_t interrupted;
static volatile pid_t running, beside;

static void hand_on(int sig)
{
	interrupted = sig;
	if (running > 0)
		kill(running, sig);
	if (beside > 0)
		kill(beside, sig);
}

void proc_hold_signals(void)
{
	struct sigaction act = { .sa_handler = hand_on };

	interrupted = 0;
	for (size_t i = 0; i < NHELD; i++) {
		sigaction(held[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(held[i], &act, NULL);
	}
}

int proc_release_signals(void)
{
	for (size_t i = 0; i < NHELD; i++)
		sigaction(held[i], &before[i], NULL);
	if (interrupted)
		raise(interrupted);
	return interrupted;
}

int proc_interrupted(void)
{
	return interrupted;
}

/* ---- running ---- */

/* Passes each complete line after *FROM to p->line(). */
static void give_lines(const struct proc *p, const struct sbuf *b, size_t *from)
{
	for (const char *nl; b->len > *from &&
	     (nl = memchr(b->s + *from, '\n', b->len - *from)); *from = nl + 1 - b->s)
		p->line(arena_strndup(b->s + *from, nl - (b->s + *from)), p->arg);
}

static void read_output(const struct proc *p, int fd, struct sbuf *output)
{
	const size_t from = output->len;
	size_t given = from;
	char block[4096];

	for (;;) {
		ssize_t n = read(fd, block, sizeof(block));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (p->most && output->len - from + n > p->most)
			n = p->most - (output->len - from);
		sbuf_add(output, block, n);
		if (p->line)
			give_lines(p, output, &given);
	}
}

static int spawn(const struct proc *p, int out, pid_t *pid)
{
	const char *path = proc_find(p->argv[0], proc_env_value(p->envp, "PATH"));
	posix_spawn_file_actions_t fa;
	int error;

	if (!path)
		return ENOENT;
	error = posix_spawn_file_actions_init(&fa);
	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&fa, out, 1);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&fa, out, 2);
	if (!error && p->cwd)
		error = posix_spawn_file_actions_addchdir_np(&fa, p->cwd);
	if (!error)
		error = posix_spawn(pid, path, &fa, NULL, p->argv, p->envp);
	posix_spawn_file_actions_destroy(&fa);
	return error;
}

/* Waits for a child.  Returns its exit status, or 128 + N if signal N killed it. */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int proc_run(const struct proc *p, struct sbuf *output)
{
	int pipefd[2], status, error;
	pid_t pid;

	if (interrupted)
		return 128 + interrupted;
	STAP_PROBE1(stap, system, p->argv[0]);
	if (pipe2(pipefd, O_CLOEXEC)) {
		sbuf_printf(output, "pipe: %s\n", strerror(errno));
		return 127;
	}
	error = spawn(p, pipefd[1], &pid);
	STAP_PROBE2(stap, system__spawn, error, error ? 0 : pid);
	close(pipefd[1]);
	if (error) {
		close(pipefd[0]);
		sbuf_printf(output, "%s: %s\n", p->argv[0], strerror(error));
		return 127;
	}
	running = pid;
	if (interrupted)	/* the signal came before its handler knew the child */
		kill(pid, interrupted);
	read_output(p, pipefd[0], output);
	close(pipefd[0]);
	status = wait_for(pid);
	running = 0;
	STAP_PROBE2(stap, system__return, status, pid);
	return status;
}

/* ---- work beside ours ---- */

static int (*beside_work)(void *);
static void *beside_arg;

void proc_beside(int (*work)(void *), void *arg)
{
	beside_work = work;
	beside_arg = arg;
	fflush(NULL);		/* what is buffered is printed once */
	beside = fork();
	if (!beside)
		_exit(work(arg) ? 1 : 0);
	if (beside > 0 && interrupted)	/* the signal came before its handler knew the child */
		kill(beside, interrupted);
}

int proc_join(void)
{
	int status;

	if (beside < 0)
		return beside_work(beside_arg);
	status = wait_for(beside);
	beside = 0;
	return status ? -1 : 0;
}

bool proc_shell_words(const char *line, text_list *words)
{
	wordexp_t w;

	if (wordexp(line, &w, WRDE_NOCMD))
		return false;
	for (size_t i = 0; i < w.we_wordc; i++)
		vec_push(words, arena_strdup(w.we_wordv[i]));
	wordfree(&w);
	return true;
}
