// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Follows what processes map (mappings.h).  Events are taken from the rings as soon as they are there, and
 * wait, in the order of their times, until time is told to go on.  If a ring had no room for all, what is
 * known is forgotten, and read again from /proc.
 */
#define _GNU_SOURCE
#include "mappings.h"

#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"
#include "internal.h"

enum {
	RING_PAGES = 64,
	CHAINS = 1024,			/* of processes, by their numbers */
	MAPPINGS_MOST = 4096,		/* of a process; what it maps then is not known, */
	ROOM_MOST = 1 << 20,		/* and of all, which takes 32 MB */
	ENDED_MOST = 8192,		/* processes that have ended, but may have stacks that are still to be named */
	WAITING_MOST = 1 << 20,		/* events */
};

struct process {
	uint32_t number;
	uint64_t began;			/* higher: it came, or began to run its program, later */
	bool ended;
	struct mapping *mappings;
	unsigned n, room;
	struct process *next;		/* in its chain */
};

struct event {
	uint64_t time, order;
	enum { FORKS, EXECUTES, MAPS, ENDS } kind;
	uint32_t process, parent;
	struct mapping mapping;
};

struct mappings {
	struct perf_event_mmap_page **rings;	/* of the CPUs; NULL: it is offline */
	unsigned cpus;
	uint64_t page;
	vec(struct event) waiting;
	bool sorted, lost;		/* the waiting ones; some events found no room */
	uint64_t counted;		/* events, and processes that began */
	unsigned ended;
	struct process *chains[CHAINS];
};

static unsigned all_room;		/* sum of all processes' */

/* ---- processes ----------------------------------------------------------------- */

static void forget(struct mappings *m, struct process **at)
{
	struct process *p = *at;

	m->ended -= p->ended;
	*at = p->next;
	all_room -= p->room;
	free(p->mappings);
	free(p);
}

/* Forgets all processes, or those that have ended. */
static void forget_all(struct mappings *m, bool only_ended)
{
	for (unsigned i = 0; i < CHAINS; i++)
		for (struct process **at = &m->chains[i]; *at;)
			if (!only_ended || (*at)->ended)
				forget(m, at);
			else
				at = &(*at)->next;
}

static struct process *known(const struct mappings *m, uint32_t number)
{
	struct process *p = m->chains[number % CHAINS];

	while (p && p->number != number)
		p = p->next;
	return p;
}

/* Makes a process begin without mappings; NULL if there is no memory. */
static struct process *begin(struct mappings *m, uint32_t number)
{
	struct process *p = known(m, number), **chain = &m->chains[number % CHAINS];

	if (!p) {
		p = calloc(1, sizeof(*p));
		if (!p)
			return NULL;
		p->number = number;
		p->next = *chain;
		*chain = p;
	}
	m->ended -= p->ended;
	p->ended = false;
	p->n = 0;
	p->began = ++m->counted;
	return p;
}

static void end(struct mappings *m, uint32_t number)
{
	struct process *p = known(m, number);

	if (!p || p->ended)
		return;
	if (m->ended == ENDED_MOST)
		forget_all(m, true);
	p->ended = true;
	m->ended++;
}

static void append(struct process *p, const struct mapping *new)
{
	if (p->n == p->room) {
		unsigned room = p->room ? 2 * p->room : 16;
		bool fits = room <= MAPPINGS_MOST && all_room + room - p->room <= ROOM_MOST;
		struct mapping *v = fits ? realloc(p->mappings, room * sizeof(*v)) : NULL;

		if (!v)
			return;
		all_room += room - p->room;
		p->mappings = v;
		p->room = room;
	}
	p->mappings[p->n++] = *new;
}

/* Adds a mapping, in place of what lay there.  One that it lies within is cut in two. */
static void map(struct process *p, const struct mapping *new)
{
	struct mapping behind = { 0 };
	unsigned n = 0;

	for (unsigned i = 0; i < p->n; i++) {
		struct mapping old = p->mappings[i];

		if (old.start < new->end && old.end > new->end)
			behind = (struct mapping){ new->end, old.end, old.offset + (new->end - old.start), old.file };
		if (old.start < new->start && old.end > new->start)
			old.end = new->start;
		if (old.end <= new->start || old.start >= new->end)
			p->mappings[n++] = old;
	}
	p->n = n;
	append(p, new);
	if (behind.end)
		append(p, &behind);
}

/* Replaces what /proc/PID/maps writes for a newline. */
static void unescape(char *path)
{
	char *to = path;

	for (; *path; path++) {
		bool newline = !strncmp(path, "\\012", 4);

		*to++ = newline ? '\n' : *path;
		path += newline ? 3 : 0;
	}
	*to = '\0';
}

static void read_line(struct process *p, char *line)
{
	unsigned long long start, end, offset, inode;
	unsigned major, minor;
	int path = 0;
	char rights[8];

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%llx-%llx %7s %llx %x:%x %llu %n", &start, &end, rights, &offset, &major, &minor, &inode,
		   &path) != 7 || rights[2] != 'x' || start >= end)
		return;
	unescape(line + path);
	append(p, &(struct mapping){ start, end, offset, mapped_number(major, minor, inode, line + path) });
}

/* Begins a process with what it has mapped now.  NULL if there is none, or no memory. */
static struct process *look_at(struct mappings *m, uint32_t number)
{
	char path[64], *line = NULL;
	struct process *p;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/maps", number);
	f = number ? fopen(path, "re") : NULL;
	p = f ? begin(m, number) : NULL;
	while (p && p->n < MAPPINGS_MOST && getline(&line, &room, f) > 0)
		read_line(p, line);
	free(line);
	if (f)
		fclose(f);
	return p;
}

static struct process *process(struct mappings *m, uint32_t number)
{
	struct process *p = known(m, number);

	return p ? p : look_at(m, number);
}

/* ---- events -------------------------------------------------------------------- */

static void copy_process(struct mappings *m, uint32_t from, uint32_t to)
{
	struct process *parent = process(m, from), *child = parent ? begin(m, to) : NULL;

	for (unsigned i = 0; child && i < parent->n; i++)
		append(child, &parent->mappings[i]);
}

static void apply(struct mappings *m, const struct event *e)
{
	struct process *p;

	switch (e->kind) {
	case FORKS:
		copy_process(m, e->parent, e->process);
		break;
	case EXECUTES:
		begin(m, e->process);
		break;
	case MAPS:
		p = known(m, e->process);	/* another one is looked at when it is asked for */
		if (p)
			map(p, &e->mapping);
		break;
	case ENDS:
		end(m, e->process);
		break;
	}
}

/* The body of an event about tasks, as far as it is used: of PERF_RECORD_FORK, _EXIT. */
struct about_task {
	uint32_t process, parent, thread, parent_thread;
	uint64_t time;
};

/* Of PERF_RECORD_MMAP2; the path follows. */
struct about_mapping {
	uint32_t process, thread;
	uint64_t address, bytes, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t rights, flags;
};

/*
 * Takes an event, of BYTES behind its head, of which the last word is the time, and a byte behind them is
 * free.
 */
static void take(struct mappings *m, const struct perf_event_header *head, char *body, size_t bytes)
{
	struct event e = { .order = m->counted++ };
	struct about_mapping mapping;
	struct about_task task;

	if (head->type == PERF_RECORD_LOST)
		m->lost = true;
	if (bytes < sizeof(task) - sizeof(task.time))
		return;
	memcpy(&e.time, body + bytes - sizeof(e.time), sizeof(e.time));
	memcpy(&task, body, sizeof(task) - sizeof(task.time));
	e.process = task.process;
	e.parent = task.parent;
	if (head->type == PERF_RECORD_FORK && task.process != task.parent) {
		e.kind = FORKS;
	} else if (head->type == PERF_RECORD_EXIT && task.process == task.thread) {
		e.kind = ENDS;
	} else if (head->type == PERF_RECORD_COMM && head->misc & PERF_RECORD_MISC_COMM_EXEC) {
		e.kind = EXECUTES;
	} else if (head->type == PERF_RECORD_MMAP2 && bytes > sizeof(mapping) + sizeof(e.time)) {
		memcpy(&mapping, body, sizeof(mapping));
		body[bytes - sizeof(e.time)] = '\0';
		e.kind = MAPS;
		e.mapping = (struct mapping){
			mapping.address, mapping.address + mapping.bytes, mapping.offset,
			mapped_number(mapping.major, mapping.minor, mapping.inode, body + sizeof(mapping)),
		};
	} else {
		return;
	}
	if (m->waiting.n == WAITING_MOST)
		m->lost = true;
	else
		vec_push(&m->waiting, e);
	m->sorted = false;
}

/* ---- rings --------------------------------------------------------------------- */

/* Copies bytes from a ring of BYTES of data. */
static void copy_from(const struct perf_event_mmap_page *r, uint64_t bytes, uint64_t at, void *to, size_t n)
{
	const char *data = (const char *)r + r->data_offset;
	size_t first = bytes - at % bytes;

	if (first > n)
		first = n;
	memcpy(to, data + at % bytes, first);
	memcpy((char *)to + first, data, n - first);
}

static void drain(struct mappings *m, struct perf_event_mmap_page *r)
{
	static char body[1 << 16];
	uint64_t bytes = RING_PAGES * m->page, at = r->data_tail;
	uint64_t end = __atomic_load_n(&r->data_head, __ATOMIC_ACQUIRE);
	struct perf_event_header head;

	while (at < end) {
		copy_from(r, bytes, at, &head, sizeof(head));
		if (head.size < sizeof(head))
			break;
		copy_from(r, bytes, at + sizeof(head), body, head.size - sizeof(head));
		take(m, &head, body, head.size - sizeof(head));
		at += head.size;
	}
	__atomic_store_n(&r->data_tail, end, __ATOMIC_RELEASE);
}

static int compare(const void *a, const void *b)
{
	const struct event *e = a, *f = b;

	return e->time != f->time ? (e->time > f->time) - (e->time < f->time) :
	       (e->order > f->order) - (e->order < f->order);
}

void mappings_follow(struct mappings *m, uint64_t time)
{
	size_t n = 0;

	for (unsigned i = 0; i < m->cpus; i++)
		if (m->rings[i])
			drain(m, m->rings[i]);
	if (m->lost) {
		forget_all(m, false);
		m->waiting.n = 0;
		m->lost = false;
	}
	if (!m->sorted)
		qsort(m->waiting.v, m->waiting.n, sizeof(*m->waiting.v), compare);
	m->sorted = true;
	while (n < m->waiting.n && m->waiting.v[n].time <= time)
		apply(m, &m->waiting.v[n++]);
	m->waiting.n -= n;
	memmove(m->waiting.v, m->waiting.v + n, m->waiting.n * sizeof(*m->waiting.v));
}

/* Has a CPU tell what its processes map.  Returns 0, also if it is offline; or -1 with errno set. */
static int open_ring(struct mappings *m, unsigned cpu)
{
	struct perf_event_attr a = {
		.size = sizeof(a), .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME, .sample_id_all = 1, .mmap = 1, .mmap2 = 1, .comm = 1, .comm_exec = 1,
		.task = 1, .exclude_kernel = 1, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
	};
	int event = syscall(SYS_perf_event_open, &a, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	void *ring;

	if (event < 0)
		return errno == ENODEV ? 0 : -1;
	ring = mmap(NULL, (1 + RING_PAGES) * m->page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (ring == MAP_FAILED)
		return -1;
	m->rings[cpu] = ring;
	return 0;
}

static void look_at_all(struct mappings *m)
{
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d)))
		process(m, strtoul(e->d_name, NULL, 10));
	if (d)
		closedir(d);
}

struct mappings *mappings_open(unsigned cpus, bool all)
{
	struct mappings *m = arena_new(struct mappings);

	m->page = sysconf(_SC_PAGESIZE);
	m->cpus = cpus;
	m->rings = arena_alloc(cpus * sizeof(*m->rings));
	for (unsigned i = 0; i < cpus; i++)
		if (open_ring(m, i)) {
			say_refused("what processes map, which their stacks are unwound by", errno);
			return NULL;
		}
	if (all)
		look_at_all(m);
	return m;
}

/* ---- looking up ---------------------------------------------------------------- */

static const struct mapping *find(const struct process *p, uint64_t address)
{
	for (unsigned i = 0; p && i < p->n; i++)
		if (address - p->mappings[i].start < p->mappings[i].end - p->mappings[i].start)
			return &p->mappings[i];
	return NULL;
}

const struct mapping *mappings_find(struct mappings *m, uint32_t number, uint64_t address)
{
	return find(process(m, number), address);
}

const struct mapping *mappings_find_any(const struct mappings *m, uint64_t address,
					uint64_t (*when)(void *arg, uint32_t process), void *arg, uint32_t *number)
{
	const struct mapping *last = NULL;
	uint64_t began = 0, time = 0;

	for (unsigned i = 0; i < CHAINS; i++)
		for (const struct process *p = m->chains[i]; p; p = p->next) {
			const struct mapping *found = find(p, address);
			uint64_t its = found && found->file ? when(arg, p->number) : 0;

			if (!found || !found->file || its < time || (its == time && p->began < began))
				continue;
			last = found;
			time = its;
			began = p->began;
			*number = p->number;
		}
	return last;
}
