// SPDX-License-Identifier: GPL-2.0-or-later
/* Sends commands to a module and reads its answers (control.h). */
#define _GNU_SOURCE
#include "control.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <time.h>
#include <unistd.h>

#include "abi/transport.h"

/* The most bytes to read; no file of a module has so many. */
#define MAX_TEXT (64u << 20)

int control_open(const char *module, const char *file, int flags)
{
	char path[128];
	int n = snprintf(path, sizeof(path), "/proc/" ST_PROC_DIR "/%s/%s", module, file);

	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);

	return fd < 0 ? -errno : fd;
}

int control_each(int (*what)(const char *name, void *arg), void *arg)
{
	DIR *d = opendir("/proc/" ST_PROC_DIR);
	int status = 0;

	for (struct dirent *e; d && (e = readdir(d));)
		if (*e->d_name != '.')
			status |= what(e->d_name, arg);
	if (d)
		closedir(d);
	return status;
}

char *control_read_all(int fd, size_t *n)
{
	size_t size = 4096, used = 0;
	char *text = malloc(size);

	while (text) {
		ssize_t got = pread(fd, text + used, size - used - 1, used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0 || used > MAX_TEXT) {
			int err = got < 0 ? errno : EFBIG;

			free(text);
			errno = err;
			return NULL;
		}
		used += got;
		if (!got) {
			text[used] = '\0';
			*n = used;
			return text;
		}
		if (size - used < 2) {
			char *bigger = realloc(text, size *= 2);

			if (!bigger)
				free(text);
			text = bigger;
		}
	}
	errno = ENOMEM;
	return NULL;
}

char *control_next(char **next)
{
	char *text = *next;

	*next += strlen(text) + 1;
	return text;
}

bool control_is_dead(int fd)
{
	char c;

	return pread(fd, &c, 1, 0) < 0 && errno == EIO;
}

/* Reads the message of the last failed command; false if there is none. */
static bool module_message(int fd, char *why, size_t size)
{
	size_t n;
	char *text = control_read_all(fd, &n);
	bool found = text && !strncmp(text, "error ", 6);

	if (found)
		snprintf(why, size, "%.*s", (int)strcspn(text + 6, "\n"), text + 6);
	free(text);
	return found;
}

int control_send(int fd, char *why, size_t size, const char *fmt, ...)
{
	char *command;
	va_list ap;
	ssize_t done;

	va_start(ap, fmt);
	int n = vasprintf(&command, fmt, ap);

	va_end(ap);
	if (n < 0) {
		snprintf(why, size, "%s", strerror(ENOMEM));
		return -ENOMEM;
	}
	STAP_PROBE3(staprun, send__control__message, 0, command, n);
	do
		done = write(fd, command, n);
	while (done < 0 && errno == EINTR);
	int err = done < 0 ? -errno : 0;

	free(command);
	if (err && !module_message(fd, why, size))
		snprintf(why, size, "%s", strerror(-err));
	return err;
}

void control_send_zone(int fd)
{
	time_t now = time(NULL);
	struct tm *local = localtime(&now);
	char why[256];

	if (local && *local->tm_zone && strlen(local->tm_zone) < ST_ZONE_MAX &&
	    !strpbrk(local->tm_zone, " \n"))
		control_send(fd, why, sizeof(why), "zone %ld %s", -local->tm_gmtoff,
			     local->tm_zone);
}

int control_state(int fd, struct control_state *st)
{
	size_t n;

	st->text = control_read_all(fd, &n);
	return st->text ? 0 : -errno;
}

void control_state_free(struct control_state *st)
{
	free(st->text);
	st->text = NULL;
}

/* Returns the text behind "NAME " at the beginning of a line, or NULL. */
static const char *value_of(const struct control_state *st, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = st->text; line && *line;) {
		if (!strncmp(line, name, n) && line[n] == ' ')
			return line + n + 1;
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return NULL;
}

bool control_is(const struct control_state *st, const char *name, const char *value)
{
	const char *is = value_of(st, name);
	size_t n = strlen(value);

	return is && !strncmp(is, value, n) && (is[n] == '\n' || !is[n]);
}

uint64_t control_counter(const struct control_state *st, const char *name)
{
	const char *value = value_of(st, name);

	return value ? strtoull(value, NULL, 10) : 0;
}
