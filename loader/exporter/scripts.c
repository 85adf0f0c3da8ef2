// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts, watches and stops the scripts (scripts.h). */
#define _GNU_SOURCE
#include "scripts.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/trust.h"
#include "common/say.h"
#include "common/signals.h"

#define PAGE "__prometheus"

/* In seconds. */
enum {
	START_TIME = 600,		/* until a script is ready; a first compilation takes minutes in a small container */
	END_TIME = 15,			/* from SIGTERM to SIGKILL */
	DELAY = 1, DELAY_MOST = 300,	/* between the end of a script and its next start */
	STEADY = 60,			/* after which a script that ends is as good as new */
};

/* Scripts that start at once: whoever may ask has them compiled, by root. */
#define STARTING_MOST 2

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

/* ---- the directory ---- */

static int is_script(const struct dirent *e)
{
	size_t len = strlen(e->d_name);

	return *e->d_name != '.' && len > 4 && !strcmp(e->d_name + len - 4, ".stp");
}

static bool script_path(const struct scripts *s, const char *name, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s/%s", s->exporter->directory, name) < PATH_MAX;
}

/* May root run it?  Not what others can change. */
static bool trusted(const char *path)
{
	struct problem why;

	if (trust_path(path, &why) == TRUST_YES)
		return true;
	say_warning("%s is left out: %s", path, why.text);
	return false;
}

/* A module's name is that of the script, as far as it may be; its number tells foo-bar from foo_bar. */
static void name_module(struct script *script, size_t number)
{
	char *p = script->module;
	int n = snprintf(p, sizeof(script->module), "exporter%zu_%.*s", number,
			 (int)strlen(script->status.name) - 4, script->status.name);

	for (; n > 0 && *p; p++)
		if (!isalnum((unsigned char)*p))
			*p = '_';
}

static void add_script(struct scripts *s, const char *name)
{
	struct script *script = &s->v[s->n];
	char path[PATH_MAX];

	if (strlen(name) >= SCRIPT_NAME || !script_path(s, name, path)) {
		say_warning("%s is left out: its name is too long", name);
		return;
	}
	if (s->n == SCRIPTS_MOST) {
		say_warning("%s is left out: there are more than %d scripts", name, SCRIPTS_MOST);
		return;
	}
	if (!trusted(path))
		return;
	strcpy(script->status.name, name);
	script->autostart = strstr(name, "autostart");
	script->status.state = SCRIPT_IDLE;
	script->delay = DELAY;
	name_module(script, s->n++);
}

bool scripts_find(struct scripts *s, const struct exporter *exporter)
{
	struct dirent **entries;
	int n = scandir(exporter->directory, &entries, is_script, alphasort);

	*s = (struct scripts){ .exporter = exporter };
	if (n < 0) {
		say_error("can't read the scripts' directory '%s': %s", exporter->directory, strerror(errno));
		return false;
	}
	s->v = calloc(SCRIPTS_MOST + 1, sizeof(*s->v));
	for (int i = 0; i < n; i++) {
		if (s->v)
			add_script(s, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!s->n)
		say_error("there is no script to serve in '%s'; the names of scripts end in .stp",
			  exporter->directory);
	return s->n;
}

struct script *scripts_named(struct scripts *s, const char *name)
{
	for (struct script *script = s->v; script < s->v + s->n; script++)
		if (!strcmp(script->status.name, name))
			return script;
	return NULL;
}

/* ---- running ---- */

/*
 * In the new process: becomes stap.  A script that is executable chooses stap's options in its first line.
 * What it prints goes where messages go.
 */
static void __attribute__((noreturn)) execute(struct scripts *s, const struct script *script, pid_t parent)
{
	char path[PATH_MAX];
	const char *argv[] = { s->exporter->stap, path, "-m", script->module, NULL };
	int null = open("/dev/null", O_RDONLY);

	script_path(s, script->status.name, path);
	signals_restore();
	setpgid(0, 0);			/* ^C is for the exporter, which tells its scripts */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (null < 0 || dup2(null, 0) < 0 || dup2(2, 1) < 0 || getppid() != parent)
		_exit(127);
	if (!access(path, X_OK))
		execv(path, (char **)argv + 1);
	else
		execv(argv[0], (char **)argv);
	say_error("can't start %s: %s", path, strerror(errno));
	_exit(127);
}

static void start(struct scripts *s, struct script *script)
{
	pid_t parent = getpid(), pid = fork();

	if (!pid)
		execute(s, script, parent);
	script->started = script->used = now();
	script->stopping = script->killed = script->failed = false;
	script->pid = pid > 0 ? pid : 0;
	script->status.starts++;
	script->status.state = pid > 0 ? SCRIPT_STARTING : SCRIPT_FAILED;
	if (pid < 0) {
		say_error("can't start %s: %s", script->status.name, strerror(errno));
		script->retry = script->started + DELAY_MOST;
	}
}

static void stop(struct script *script)
{
	if (!script->stopping)
		kill(script->pid, SIGTERM);
	else if (!script->killed && now() - script->stopped >= END_TIME) {
		kill(-script->pid, SIGKILL);	/* staprun and stapio too: then the module leaves by itself */
		script->killed = true;
	}
	if (!script->stopping)
		script->stopped = now();
	script->stopping = true;
}

static bool may_start(const struct scripts *s)
{
	unsigned int starting = 0;

	for (const struct script *script = s->v; script < s->v + s->n; script++)
		starting += script->status.state == SCRIPT_STARTING;
	return starting < STARTING_MOST;
}

void script_want(struct scripts *s, struct script *script)
{
	script->used = now();
	if (script->pid || script->used < script->retry)
		return;
	if (may_start(s))
		start(s, script);
	else
		script->status.state = SCRIPT_IDLE;
}

int script_open(struct scripts *s, struct script *script)
{
	char path[PATH_MAX];
	int fd, n = snprintf(path, sizeof(path), "%s/%s/", s->exporter->modules, script->module);

	if (!script->pid || script->stopping || n + sizeof(PAGE) > sizeof(path))
		return -1;
	strcpy(path + n, PAGE);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		path[n] = 0;
	script->status.state = fd >= 0 ? SCRIPT_READY : !access(path, F_OK) ? SCRIPT_NO_PAGE : SCRIPT_STARTING;
	return fd;
}

/* A script that ended by itself waits before it is started again, each time twice as long. */
static void ended(struct script *script, int status)
{
	bool steady = now() - script->started >= STEADY;

	script->pid = 0;
	if (script->stopping && !script->failed) {
		script->status.state = SCRIPT_IDLE;
		return;
	}
	script->delay = steady ? DELAY : script->delay;
	say_warning("%s has ended, %s %d; it is not started again for %u s", script->status.name,
		    WIFSIGNALED(status) ? "killed by signal" : "with status",
		    WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), script->delay);
	script->status.ends++;
	script->status.state = SCRIPT_FAILED;
	script->retry = now() + script->delay;
	script->delay = 2 * script->delay < DELAY_MOST ? 2 * script->delay : DELAY_MOST;
}

void scripts_reap(struct scripts *s)
{
	for (struct script *script = s->v; script < s->v + s->n; script++) {
		int status;

		if (script->pid && waitpid(script->pid, &status, WNOHANG) == script->pid)
			ended(script, status);
	}
}

static void tick(struct scripts *s, struct script *script, long t)
{
	if (script->autostart)
		script_want(s, script);
	if (script->pid && !script->stopping && script->status.state != SCRIPT_READY) {
		int fd = script_open(s, script);

		if (fd >= 0)
			close(fd);
		else if (t - script->started > START_TIME) {
			say_warning("%s is stopped: it has no page after %d s; does it have a prometheus probe?",
				    script->status.name, START_TIME);
			script->failed = true;
			stop(script);
		}
	}
	if (script->pid && !script->autostart && s->exporter->keepalive &&
	    t - script->used >= (long)s->exporter->keepalive)
		stop(script);
	if (script->pid && script->stopping)
		stop(script);
	script->status.retry = script->retry > t ? script->retry - t : 0;
}

void scripts_tick(struct scripts *s)
{
	for (struct script *script = s->v; script < s->v + s->n; script++)
		tick(s, script, now());
}

bool scripts_stop(struct scripts *s)
{
	bool running = false;

	for (struct script *script = s->v; script < s->v + s->n; script++)
		if (script->pid) {
			stop(script);
			running = true;
		}
	return running;
}
