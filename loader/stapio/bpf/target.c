// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the target's threads that run already (lib/bpf/target.c): of the process of -c or -x and of its
 * descendants.  The kernel's programs follow those that these create from before the first look on; a look is
 * repeated until it finds no more, since a child may have been created by a thread that was not yet known.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "internal.h"
#include "system.h"

enum { LOOKS_MOST = 100 };

struct process {
	int pid, parent;
	bool is_target;
};

typedef vec(struct process) process_list;

static struct dirent *next_number(DIR *d)
{
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (isdigit((unsigned char)e->d_name[0]))
			return e;
	return NULL;
}

/* Reads a line "NAME: N" of /proc/PID/status; 0 if there is none. */
static int status_number(int pid, const char *name)
{
	char path[64], line[256];
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':') {
			n = atoi(line + strlen(name) + 1);
			break;
		}
	if (f)
		fclose(f);
	return n;
}

static int compare(const void *a, const void *b)
{
	const struct process *p = a, *q = b;

	return (p->pid > q->pid) - (p->pid < q->pid);
}

static void list_processes(process_list *l)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	l->n = 0;
	while ((e = next_number(d))) {
		int pid = atoi(e->d_name);

		vec_push(l, ((struct process){ .pid = pid, .parent = status_number(pid, "PPid") }));
	}
	if (d)
		closedir(d);
	qsort(l->v, l->n, sizeof(*l->v), compare);
}

/* Marks the target's process ROOT and its descendants. */
static void mark(process_list *l, int root)
{
	bool more = true;

	for (size_t i = 0; i < l->n; i++)
		l->v[i].is_target = l->v[i].pid == root;
	while (more) {
		more = false;
		for (size_t i = 0; i < l->n; i++) {
			const struct process key = { .pid = l->v[i].parent };
			const struct process *parent = bsearch(&key, l->v, l->n, sizeof(*l->v), compare);

			if (l->v[i].is_target || !parent || !parent->is_target)
				continue;
			l->v[i].is_target = true;
			more = true;
		}
	}
}

/* Adds the threads of a process to the set, and adds to *N how many there are; -1: one could not be added. */
static int add_threads(const struct handlers *h, int pid, size_t *n)
{
	const uint32_t one = 1;
	struct dirent *e;
	char path[320];
	int err = 0;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (!err && (e = next_number(d))) {
		uint32_t tid = atoi(e->d_name);

		err = system_update(h->maps[h->plan->numbers], &tid, &one);
		/* One that has ended since nobody removes, and another thread may get its number. */
		snprintf(path, sizeof(path), "/proc/%d/task/%s", pid, e->d_name);
		if (access(path, F_OK))
			system_delete(h->maps[h->plan->numbers], &tid);
		else
			(*n)++;
	}
	if (err)
		say_error("can't follow the threads of process %d: %s", pid, strerror(errno));
	if (d)
		closedir(d);
	return err;
}

int find_target(struct handlers *h, long target)
{
	process_list l = { 0 };
	size_t before = 0, n = 0;
	int root = status_number(target, "Tgid"), err = 0;

	for (int looks = 0; !err && looks < LOOKS_MOST && (!looks || n > before); looks++) {
		before = n;
		n = 0;
		list_processes(&l);
		mark(&l, root);
		for (size_t i = 0; i < l.n && !err; i++)
			if (l.v[i].is_target)
				err = add_threads(h, l.v[i].pid, &n);
	}
	return err;
}
