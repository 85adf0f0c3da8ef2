// SPDX-License-Identifier: GPL-2.0-or-later
/* What a session knows of its options, its directories and its kernel. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

const char *session_define(const struct session *s, const char *name)
{
	for (size_t i = s->defines.n; i-- > 0;)
		if (!strcmp(s->defines.v[i].name, name))
			return s->defines.v[i].value;
	return NULL;
}

const char *session_language(const struct session *s)
{
	return s->compatible ? s->compatible : LANGUAGE_VERSION;
}

bool session_older_than(const struct session *s, const char *version)
{
	return s->compatible && strverscmp(s->compatible, version) < 0;
}

int64_t session_limit(const struct session *s, const char *name, int64_t dflt, int64_t least,
		      int64_t most)
{
	const char *text = session_define(s, name);
	char *end;

	if (!text)
		return dflt;
	errno = 0;
	long long n = strtoll(text, &end, 0);

	if (!*text || *end || errno || n < least || n > most) {
		diag(DIAG_ERROR, "-D %s=%s: a number from %" PRId64 " to %" PRId64
		     " is expected", name, text, least, most);
		return dflt;
	}
	return n;
}

/* ---- signals ----------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void note_signal(int sig)
{
	interrupted = sig;
}

int session_interrupted(void)
{
	return interrupted;
}

/* Writing beyond RLIMIT_FSIZE is an error like any other; SIG_IGN children would inherit. */
static void note_nothing(int sig)
{
	(void)sig;
}

static void hold(int sig, void (*handler)(int))
{
	struct sigaction sa = { .sa_handler = handler }, old;

	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

void session_hold_signals(void)
{
	hold(SIGINT, note_signal);
	hold(SIGTERM, note_signal);
	hold(SIGHUP, note_signal);
	hold(SIGPIPE, note_signal);
	hold(SIGXFSZ, note_nothing);
}

const char *session_tmpdir(struct session *s)
{
	const char *base = getenv("TMPDIR");

	if (s->tmpdir)
		return s->tmpdir;
	char *dir = arena_printf("%s/stapXXXXXX", base && *base ? base : "/tmp");

	if (!mkdtemp(dir)) {
		diag(DIAG_ERROR, "can't make a work directory '%s': %s", dir, strerror(errno));
		return NULL;
	}
	return s->tmpdir = dir;
}

/* ---- the kernel's configuration ---------------------------------------- */

/* The value in "CONFIG_X=value" lines of a file; NULL: not there. */
static const char *config_in(const char *path, const char *name)
{
	FILE *f = fopen(path, "r");
	size_t len = strlen(name);
	char line[1024];
	const char *found = NULL;

	while (f && !found && fgets(line, sizeof(line), f)) {
		if (strncmp(line, name, len) || line[len] != '=')
			continue;
		char *value = line + len + 1;

		value[strcspn(value, "\n")] = 0;
		if (*value == '"') {
			value++;
			value[strcspn(value, "\"")] = 0;
		}
		found = intern(value);
	}
	if (f)
		fclose(f);
	return found;
}

const char *session_config(struct session *s, const char *name)
{
	const char *const paths[] = {
		arena_printf("%s/.config", s->kernel_build),
		arena_printf("/boot/config-%s", s->release),
		arena_printf("/lib/modules/%s/config", s->release),
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!access(paths[i], R_OK))
			return config_in(paths[i], name);
	return NULL;
}
