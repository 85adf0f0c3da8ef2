// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's -D and --compatible, signals, and work directory. */
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/trust.h"
#include "config.h"

const char *session_define(const struct session *s, const char *name)
{
	for (size_t i = s->options.defines.n; i-- > 0;)
		if (!strcmp(s->options.defines.v[i].name, name))
			return s->options.defines.v[i].value;
	return NULL;
}

const char *session_language(const struct session *s)
{
	return s->options.compatible ? s->options.compatible : LANGUAGE_VERSION;
}

const char *session_program_name(const struct session *s, const char *path)
{
	size_t n = s->container_root ? strlen(s->container_root) : 0;

	return n && !strncmp(path, s->container_root, n) && path[n] == '/' ? path + n : path;
}

bool session_older_than(const struct session *s, const char *version)
{
	return s->options.compatible && strverscmp(s->options.compatible, version) < 0;
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

/*
 * Writing beyond RLIMIT_FSIZE must fail with EFBIG.  SIG_IGN would do too, but
 * children inherit it.
 */
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

/* ---- directories -------------------------------------------------------- */

static mode_t users_umask;

void session_begin_guarded(void)
{
	users_umask = umask(022);
	umask(users_umask | 022);
	guard_begin();
}

void session_end_guarded(void)
{
	umask(users_umask);
	guard_end();
}

/* --tmpdir: modules are loaded from there. */
static const char *given_tmpdir(struct session *s)
{
	struct problem why;

	if (trust_make_dir(s->options.tmpdir, &why))
		return s->options.tmpdir;
	diag(DIAG_ERROR, "can't use the work directory of --tmpdir: %s", why.text);
	if (why.hint)
		diag_hint("%s", why.hint);
	return NULL;
}

const char *session_tmpdir(struct session *s)
{
	if (s->tmpdir)
		return s->tmpdir;
	if (s->options.tmpdir)
		return s->tmpdir = given_tmpdir(s);

	const char *base = getenv("TMPDIR");
	char *dir = arena_printf("%s/stapXXXXXX", base && *base ? base : "/tmp");

	if (!mkdtemp(dir)) {
		diag(DIAG_ERROR, "can't make a work directory '%s': %s", dir, strerror(errno));
		return NULL;
	}
	if (!s->options.keep)
		guard_directory(dir);
	return s->tmpdir = dir;
}

static const char *private_cache(struct session *s)
{
	const char *work = session_tmpdir(s);
	const char *dir = work ? arena_printf("%s/cache", work) : NULL;

	return dir && (!mkdir(dir, 0700) || errno == EEXIST) ? dir : NULL;
}

/* Returns the cache in the home directory.  If there is no home, main() has said why. */
static const char *lasting_cache(struct session *s)
{
	const char *dir = s->home ? arena_printf("%s/cache", s->home) : NULL;
	struct problem why;

	if (!dir || trust_make_dir(dir, &why))
		return dir;
	diag(DIAG_WARNING, "the cache is not kept after this run: %s", why.text);
	if (why.hint)
		diag_hint("%s", why.hint);
	return NULL;
}

const char *session_cache_dir(struct session *s)
{
	if (s->options.disable_cache)
		return NULL;
	if (!s->cache)
		s->cache = lasting_cache(s);
	if (!s->cache)
		s->cache = private_cache(s);
	return s->cache;
}
