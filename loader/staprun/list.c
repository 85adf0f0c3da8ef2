// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun --list: what each session's module reports in .control and .places (abi/transport.h).
 *
 *	reads: running since 2026-01-31 12:00:00, by alice (process 4711)
 *	  script reads.stp
 *	    :3:1 kernel.function("vfs_read"): 1 ftrace, 5120 hits
 *	    :9:1 timer.s(1): 1 timer, 12 hits
 *	  memory 32.0 MB buffers, 0.3 MB data, 0.1 MB module
 *	  losses none
 *
 * A script's probe is one line, however many probes the translator made of it; -v adds a line for
 * each of its places.  The module's files are only opened for reading, so that it can be removed
 * meanwhile.
 */
#include "list.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "common/control.h"
#include "common/say.h"

/* Ways of attaching a probe's places: ftrace, kprobe and so on. */
#define WAYS 8

struct line {
	const char *where;		/* in the script: "reads.stp:3:1" */
	const char *point;		/* as the script has it; NULL: it has no place now */
	bool more;			/* and others: it is one of several points of the probe */
	uint64_t hits;
	struct {
		const char *how;
		unsigned long n;
	} ways[WAYS];
};

struct place {
	unsigned long line;
	const char *how, *state, *where, *point;
};

/* A session's .places; the texts are in the file's. */
struct listing {
	struct line *lines;
	struct place *places;
	unsigned long *line_of;		/* [probe] */
	size_t nlines, nplaces, nprobes;
};

/* ---- reading ---- */

/* The texts of .places that are left to read.  A module of another version may have fewer. */
struct texts {
	char *next, *end;
};

static const char *take(struct texts *t)
{
	return t->next < t->end ? control_next(&t->next) : "";
}

/*
 * Returns the line for a probe's position in the script.  Probes of one position come one after the
 * other.
 */
static unsigned long line_at(struct listing *l, const char *where)
{
	for (size_t i = l->nlines; i--;)
		if (!strcmp(l->lines[i].where, where))
			return i;
	l->lines[l->nlines].where = where;
	return l->nlines++;
}

static void add_probe(struct listing *l, struct texts *t)
{
	const char *hits;
	unsigned long at;

	take(t);			/* its number: they are in order */
	hits = take(t);
	at = line_at(l, take(t));
	l->lines[at].hits += strtoull(hits, NULL, 10);
	l->line_of[l->nprobes++] = at;
}

static void count_way(struct line *line, const char *how)
{
	for (size_t i = 0; i < WAYS; i++) {
		if (line->ways[i].how && strcmp(line->ways[i].how, how))
			continue;
		line->ways[i].how = how;
		line->ways[i].n++;
		return;
	}
}

static void add_place(struct listing *l, struct texts *t)
{
	unsigned long probe = strtoul(take(t), NULL, 10);
	const char *written;
	struct line *line;
	struct place p;

	p.how = take(t);
	p.state = take(t);
	p.where = take(t);
	written = take(t);
	p.point = take(t);
	if (probe >= l->nprobes)
		return;
	p.line = l->line_of[probe];
	line = &l->lines[p.line];
	line->more |= line->point && strcmp(line->point, written);
	line->point = line->point ? line->point : written;
	count_way(line, p.how);
	l->places[l->nplaces++] = p;
}

/* Takes TEXT apart.  Returns false if there is no memory.  Call listing_free() in any case. */
static bool listing_read(struct listing *l, char *text, size_t size)
{
	struct texts t = { text, text + size };
	size_t most = 1;

	for (size_t i = 0; i < size; i++)
		most += !text[i];
	l->lines = calloc(most, sizeof(*l->lines));
	l->places = calloc(most, sizeof(*l->places));
	l->line_of = calloc(most, sizeof(*l->line_of));
	if (!l->lines || !l->places || !l->line_of)
		return false;
	while (t.next < t.end) {
		const char *kind = take(&t);

		if (!strcmp(kind, "probe"))
			add_probe(l, &t);
		else if (!strcmp(kind, "place"))
			add_place(l, &t);
	}
	return true;
}

static void listing_free(struct listing *l)
{
	free(l->lines);
	free(l->places);
	free(l->line_of);
}

/* ---- printing ---- */

static void put(const char *text)
{
	printable_print(stdout, text, "");
}

/* Returns the length of the part of "reads.stp:3:1" that names the script. */
static size_t script_length(const char *where)
{
	size_t n = strlen(where);

	for (int colons = 0; n && colons < 2;)
		colons += where[--n] == ':';
	return n;
}

static void print_place(const struct place *p)
{
	printf("      %s, ", p->how);
	put(p->state);
	if (strcmp(p->where, "-")) {
		printf(", ");
		put(p->where);
	}
	printf(": ");
	put(p->point);
	printf("\n");
}

static void print_line(const struct listing *l, const struct line *line, size_t script, bool places)
{
	printf("    ");
	put(line->where + script);
	if (line->point) {
		printf(" ");
		put(line->point);
		printf("%s:", line->more ? ", ..." : "");
	} else {
		printf(": no place");
	}
	for (size_t i = 0; i < WAYS && line->ways[i].how; i++)
		printf("%s %lu %s", i ? "," : "", line->ways[i].n, line->ways[i].how);
	printf(", %" PRIu64 " hit%s\n", line->hits, line->hits == 1 ? "" : "s");
	for (size_t i = 0; places && i < l->nplaces; i++)
		if (&l->lines[l->places[i].line] == line)
			print_place(&l->places[i]);
}

static void print_probes(const struct listing *l, bool places)
{
	const char *script = NULL;
	size_t n = 0;

	for (size_t i = 0; i < l->nlines; i++) {
		const char *where = l->lines[i].where;

		if (!script || script_length(where) != n || strncmp(script, where, n)) {
			script = where;
			n = script_length(where);
			char *name = strndup(where, n);

			printf("  script ");
			put(name ? name : "");
			printf("\n");
			free(name);
		}
		print_line(l, &l->lines[i], n, places);
	}
}

static void print_user(unsigned long uid)
{
	const struct passwd *user = getpwuid(uid);

	if (user)
		put(user->pw_name);
	else
		printf("user %lu", uid);
}

static const char *state_of(const struct control_state *st)
{
	static const char *const states[] = { "loaded", "running", "exiting", "stopped" };

	if (control_counter(st, "detached"))
		return control_is(st, "state", "running") ? "running alone" : "ended, with output to fetch";
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (control_is(st, "state", states[i]))
			return states[i];
	return "unknown";
}

static void print_head(const char *name, const struct control_state *st)
{
	time_t since = control_counter(st, "since");
	struct tm tm;
	char when[64] = "";

	put(name);
	printf(": %s", state_of(st));
	if (since && localtime_r(&since, &tm) && strftime(when, sizeof(when), "%F %T", &tm))
		printf(" since %s", when);
	printf(", by ");
	print_user(control_counter(st, "user"));
	if (control_counter(st, "lives"))
		printf(" (process %" PRIu64 ")", control_counter(st, "loader"));
	printf("\n");
}

static uint64_t module_bytes(const char *name)
{
	char path[128];
	uint64_t bytes = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/module/%s/coresize", name);
	f = fopen(path, "re");
	if (f && fscanf(f, "%" SCNu64, &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return bytes;
}

static double megabytes(uint64_t bytes)
{
	return bytes / 1048576.0;
}

static void print_losses(const struct control_state *st)
{
	static const struct {
		const char *counter, *what;
	} losses[] = {
		{ "lost", "outputs lost" }, { "overwritten", "outputs overwritten" },
		{ "errors", "errors" }, { "skipped", "hits skipped" },
		{ "reentrant", "hits skipped in handlers" }, { "idle", "hits skipped in idle code" },
		{ "missed", "hits missed" },
	};
	const char *comma = "";

	printf("  losses");
	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++) {
		uint64_t n = control_counter(st, losses[i].counter);

		if (!n)
			continue;
		printf("%s %" PRIu64 " %s", comma, n, losses[i].what);
		comma = ",";
	}
	printf("%s\n", *comma ? "" : " none");
}

static void print_session(const char *name, const struct control_state *st, const struct listing *l,
			  bool places)
{
	print_head(name, st);
	print_probes(l, places);
	printf("  memory %.1f MB buffers, %.1f MB data, %.1f MB module\n",
	       megabytes(control_counter(st, "buffers")), megabytes(control_counter(st, "data")),
	       megabytes(module_bytes(name)));
	print_losses(st);
}

/* ---- one session, and all ---- */

/* Reads the file .places.  Returns NULL with errno.  Fails while places are armed or disarmed. */
static char *read_places(const char *name, size_t *size)
{
	int fd = control_open(name, ST_FILE_PLACES, O_RDONLY);
	char *text = NULL;

	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	text = control_read_all(fd, size);
	close(fd);
	return text;
}

static int list_session(const char *name, bool places)
{
	struct control_state st = { NULL };
	struct listing l = { 0 };
	int fd = control_open(name, ST_FILE_CONTROL, O_RDONLY);
	int err = fd < 0 ? fd : control_state(fd, &st);
	size_t size = 0;
	char *text = err ? NULL : read_places(name, &size);

	if (!err && !text && errno != EBUSY)
		err = -errno;
	if (!err && text && !listing_read(&l, text, size))
		err = -ENOMEM;
	if (!err)
		print_session(name, &st, &l, places);
	if (!err && !text)
		printf("  its probes are being armed or disarmed\n");
	listing_free(&l);
	free(text);
	control_state_free(&st);
	if (fd >= 0)
		close(fd);
	return err;
}

static void say_unread(const char *name, int err)
{
	if (err == -EPERM || err == -EACCES)
		say_error("You need to be root (or have CAP_SYS_MODULE) to see what session '%s' does",
			  name);
	else
		say_error("can't read what session '%s' reports: %s", name, strerror(-err));
}

/* Lists a session, unless it ends meanwhile. */
static int list_running(const char *name, void *places)
{
	int err = list_session(name, *(bool *)places);

	if (!err || err == -ENOENT || err == -EIO)
		return 0;
	say_unread(name, err);
	return 1;
}

int list_sessions(const char *name, bool places)
{
	int err;

	if (!name)
		return control_each(list_running, &places);
	err = strchr(name, '/') ? -ENOENT : list_session(name, places);
	if (err == -ENOENT)
		say_error("there is no session '%s'; staprun --list shows all", name);
	else if (err)
		say_unread(name, err);
	return err != 0;
}
