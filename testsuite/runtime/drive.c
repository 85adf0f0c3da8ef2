// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A loader for tests: inserts a module, gives it what the options say, starts it,
 * runs a command, stops it, removes it.  Meanwhile a thread reads the trace and
 * checks its promises: whole records, times that never decrease on a CPU, none
 * below a bound given before.
 *
 *	drive [-q] [-s MB] [-b INDEX=SYMBOL] [-w "COMMAND"] FILE.ko [CMD ARG...]
 *
 * -q: records are counted, not printed.  -w: a line for control before start.
 * Without CMD it goes on until the session wants to end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/stap_script.h"
#include "abi/transport.h"

#define BUFFER (4u << 20)
#define CPUS 256

static char name[64], formats[65536];
static size_t formats_size;
static bool quiet;
static int control = -1, exiting = -1;

static struct {
	uint64_t records, bytes, batches, empty, lost[CPUS], disorder;
} seen;

static void die(const char *what)
{
	fprintf(stderr, "drive: %s: %s\n", what, strerror(errno));
	exit(2);
}

static int open_file(const char *file, int flags)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/proc/" ST_PROC_DIR "/%s/%s", name, file);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

static void show_status(void)
{
	char text[1024];
	ssize_t n = pread(control, text, sizeof(text) - 1, 0);

	if (n > 0)
		fprintf(stderr, "%.*s", (int)n, text);
}

static int command(const char *text)
{
	if (write(control, text, strlen(text)) >= 0)
		return 0;
	fprintf(stderr, "drive: %s: %s\n", text, strerror(errno));
	show_status();
	return -1;
}

static unsigned long symbol_address(const char *symbol)
{
	char line[512], type, found[400];
	unsigned long address;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx %c %399s", &address, &type, found) == 3 &&
		    !strcmp(found, symbol)) {
			fclose(f);
			return address;
		}
	fprintf(stderr, "drive: no symbol %s\n", symbol);
	exit(2);
}

/* ---- the trace ---- */

static const char *format_text(unsigned int i)
{
	const char *p = formats;

	for (i *= 2; i && p < formats + formats_size; i--)	/* text, members, text, … */
		p += strlen(p) + 1;
	return p;
}

/* %d and %s are all that the programs here use. */
static const char *show_item(const char *p)
{
	unsigned short format;
	uint32_t len;
	int64_t v;

	memcpy(&format, p, 2);
	p += 2;
	if (format >= ST_FMT_ERROR) {
		memcpy(&len, p, 4);
		if (format == ST_FMT_TEXT)
			printf("%.*s", (int)len, p + 4);
		else
			printf("%s: %.*s\n", format == ST_FMT_WARN ? "WARNING" : "ERROR",
			       (int)len, p + 4);
		return p + 4 + len;
	}
	for (const char *f = format_text(format); *f; f++) {
		if (*f != '%') {
			putchar(*f);
		} else if (*++f == 'd') {
			memcpy(&v, p, 8);
			printf("%" PRId64, v);
			p += 8;
		} else {
			memcpy(&len, p, 4);
			printf("%.*s", (int)len, p + 4);
			p += 4 + len;
		}
	}
	return p;
}

static void take_records(unsigned int cpu, const char *p, const char *end, uint64_t bound)
{
	static uint64_t last[CPUS];

	while (p < end) {
		const struct st_rec *r = (const void *)p;
		const char *body = p + sizeof(*r);

		if (r->time < last[cpu] || r->time < bound)
			seen.disorder++;
		last[cpu] = r->time;
		if (!quiet)
			for (p = body; p < body + r->bytes;)
				p = show_item(p);
		seen.records++;
		p = body + ((r->bytes + 7) & ~7u);
	}
	if (p != end) {
		fprintf(stderr, "drive: a record is cut\n");
		exit(2);
	}
}

static struct {
	char *p;
	size_t size;
} rings[CPUS];

/* A CPU's ring, mapped when first seen. */
static const char *ring_of(int fd, const struct st_chunk *c)
{
	if (!rings[c->cpu].p) {
		rings[c->cpu].size = 2 * c->size;
		rings[c->cpu].p = mmap(NULL, 2 * c->size, PROT_READ, MAP_SHARED, fd,
				       2 * c->size * c->cpu);
	}
	if (rings[c->cpu].p == MAP_FAILED)
		die("a ring");
	return rings[c->cpu].p;
}

static void unmap_rings(void)
{
	for (int i = 0; i < CPUS; i++)
		if (rings[i].p)
			munmap(rings[i].p, rings[i].size);
}

/* Takes all there is, also what is above the bound. */
static void take_batch(int fd, const struct st_batch *b, size_t n)
{
	static uint64_t bound;
	const struct st_chunk *c = (const void *)(b + 1);

	if (b->magic != ST_BATCH_MAGIC || n != sizeof(*b) + b->chunks * sizeof(*c)) {
		fprintf(stderr, "drive: not a batch\n");
		exit(2);
	}
	seen.batches++;
	seen.empty += !b->chunks;
	for (; c < (const struct st_chunk *)(b + 1) + b->chunks; c++) {
		struct st_taken taken = { .cpu = c->cpu, .bytes = c->bytes };
		const char *p = ring_of(fd, c) + c->at;

		take_records(c->cpu, p, p + c->bytes, bound);
		seen.lost[c->cpu] = c->lost;
		seen.bytes += c->bytes;
		if (write(fd, &taken, sizeof(taken)) != sizeof(taken))
			die("taken");
	}
	if (b->bound < bound)
		seen.disorder++;
	bound = b->bound;
}

static void *reader(void *arg)
{
	int fd = *(int *)arg;
	char *buf = malloc(BUFFER);
	ssize_t n;

	while ((n = read(fd, buf, BUFFER)) > 0)
		take_batch(fd, (const void *)buf, n);
	if (n < 0)
		die("trace");
	return NULL;
}

/* ---- the session ---- */

static void insert(const char *path)
{
	const char *base = strrchr(path, '/');
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	base = base ? base + 1 : path;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die(path);
	close(fd);
}

static int run(char **argv)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(*argv, argv);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static void wait_exit(void)
{
	eventfd_t n;

	eventfd_read(exiting, &n);
}

int main(int argc, char **argv)
{
	char *lines[64], *text;
	int opt, n = 0, status = 0, trace, fd;
	pthread_t thread;

	while ((opt = getopt(argc, argv, "+qs:b:w:")) > 0) {
		switch (opt) {
		case 'q':
			quiet = true;
			break;
		case 's':
			if (asprintf(&lines[n++], "buffer %s", optarg) < 0)
				return 2;
			break;
		case 'b':
			text = strchr(optarg, '=');
			if (asprintf(&lines[n++], "base %.*s %lx", (int)(text - optarg), optarg,
				     symbol_address(text + 1)) < 0)
				return 2;
			break;
		case 'w':
			lines[n++] = optarg;
			break;
		default:
			return 2;
		}
	}
	insert(argv[optind]);
	control = open_file(ST_FILE_CONTROL, O_RDWR);
	fd = open_file(ST_FILE_FORMATS, O_RDONLY);
	formats_size = read(fd, formats, sizeof(formats));
	trace = open_file(ST_FILE_TRACE, O_RDWR);
	exiting = eventfd(0, EFD_CLOEXEC);
	if (asprintf(&lines[n++], "notify %d", exiting) < 0)
		return 2;
	for (int i = 0; i < n; i++)
		status |= command(lines[i]);
	pthread_create(&thread, NULL, reader, &trace);
	if (!command("start")) {
		if (argv[optind + 1])
			status = run(argv + optind + 1);
		else
			wait_exit();
	} else {
		status = 1;
	}
	command("stop");
	pthread_join(thread, NULL);
	show_status();
	fprintf(stderr, "drive: records %" PRIu64 " bytes %" PRIu64 " batches %" PRIu64 " empty %"
		PRIu64 " disorder %" PRIu64 "\n", seen.records, seen.bytes, seen.batches,
		seen.empty, seen.disorder);
	unmap_rings();
	close(trace);
	close(control);
	/* Whoever else reads the trace holds the module. */
	while (syscall(SYS_delete_module, name, O_NONBLOCK))
		if (errno != EAGAIN)
			die("delete_module");
		else
			usleep(10000);
	return status || seen.disorder;
}
