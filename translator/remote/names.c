// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the names of hosts that --remote gives. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#include "base/arena.h"
#include "base/diag.h"
#include "remote/host.h"
#include "remote/remote.h"

/* Each is a process of ssh's and four descriptors. */
enum { HOSTS_MOST = 4096 };

#define FORMS "[USER@]HOST[:PORT], ssh://[USER@]HOST[:PORT], unix:PATH or vm:RELEASE"

/* Returns why a name is refused, such as one in SystemTap's form libvirt:NAME; NULL if it isn't. */
static const char *refuse(const char *name)
{
	const size_t most = sizeof(((struct sockaddr_un *)0)->sun_path) - 1;
	const char *path = socket_path(name);

	if (path && strlen(path) > most)
		return arena_printf("the path of a socket has %zu characters at most", most);
	if (!strcmp(name, "direct") || !strncmp(name, "libvirt:", 8) || !strncmp(name, "stap:", 5))
		return "a host is " FORMS;
	/* A name becomes an argument of ssh's, a prefix of lines, and a string in JSON. */
	for (const char *p = name; *p; p++)
		if (*p <= ' ' || *p > '~' || strchr("\"'\\", *p))
			return FORMS " is expected";
	if (*name == '/' || *name == '.')
		return arena_printf("this is a path; a socket's is given as unix:%s", name);
	if (!*name || *name == '-' || (path && !*path) || !strcmp(name, "vm:") || !strncmp(name, "vm:-", 4))
		return FORMS " is expected";
	return NULL;
}

static bool add(text_list *hosts, const char *name, const char *from)
{
	const char *why = refuse(name);

	for (size_t i = 0; !why && i < hosts->n; i++)
		if (!strcmp(hosts->v[i], name))
			why = "this host was named before";
	if (!why && hosts->n == HOSTS_MOST)
		why = arena_printf("there are more than %d hosts", HOSTS_MOST);
	if (why)
		diag(DIAG_ERROR, "%s'%s': %s", from, name, why);
	else
		vec_push(hosts, arena_strdup(name));
	return !why;
}

/* Adds the hosts of a file, one a line; '#' begins a comment. */
static bool add_file(text_list *hosts, const char *path)
{
	FILE *f = fopen(path, "re");
	size_t room = 0, before = hosts->n;
	char *line = NULL;
	bool good = true;
	ssize_t len;

	for (int n = 1; f && good && (len = getline(&line, &room, f)) > 0; n++) {
		char *name = line + strspn(line, " \t");

		if (memchr(line, '\0', len)) {
			diag(DIAG_ERROR, "%s:%d: this is no text: give --remote=@ a file with a host on each line",
			     path, n);
			good = false;
			break;
		}
		name[strcspn(name, "#\n")] = '\0';
		for (size_t end = strlen(name); end && strchr(" \t\r", name[end - 1]); end--)
			name[end - 1] = '\0';
		if (*name)
			good = add(hosts, name, arena_printf("%s:%d: ", path, n));
	}
	if (!f || ferror(f)) {
		diag(DIAG_ERROR, "--remote=@%s: can't read the file: %s", path, strerror(errno));
		good = false;
	} else if (good && hosts->n == before) {
		diag(DIAG_ERROR, "--remote=@%s: there is no host in the file", path);
		good = false;
	}
	free(line);
	if (f)
		fclose(f);
	return good;
}

bool remote_add(text_list *hosts, const char *arg)
{
	return *arg == '@' ? add_file(hosts, arg + 1) : add(hosts, arg, "--remote=");
}
