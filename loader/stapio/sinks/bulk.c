// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Bulk mode (stap -b): the output of each CPU goes to a file of its own, BASE0, BASE1 and so on.
 * A file consists of packets; a packet is a struct bulk_packet and the text that one handler
 * printed.  Packets are numbered across all files, in order of time, so that stap-merge(1) can
 * merge the files.  SystemTap's files have the same format.
 *
 *	stpd_cpu0:  1 "read\n"             3 "read\n"
 *	stpd_cpu1:             2 "write\n"
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "common/packet.h"
#include "common/say.h"
#include "sinks.h"
#include "stapio/records/records.h"

/* A CPU's file. */
struct file {
	char *base;		/* its name; with -S, the first part of the names of its files */
	struct output out;
};

struct bulk {
	struct sink sink;
	struct output text;	/* what one handler printed */
	char base[PATH_MAX + 8];	/* the first part of the files' names */
	struct output_files files;
	struct file **cpus;	/* by CPU; NULL: the CPU has no file */
	size_t ncpus;
	uint32_t number;	/* the next packet's */
};

static struct file *file_new(struct bulk *b, uint32_t cpu)
{
	struct file *f = calloc(1, sizeof(*f));
	struct output_files files = b->files;
	int fd = -1;

	if (f && asprintf(&f->base, "%s%u", files.base, cpu) > 0) {
		files.base = f->base;
		fd = output_open(&files);
	}
	if (fd < 0)
		say_error("Couldn't open output file %s%u: %s", b->files.base, cpu,
			  strerror(errno));
	if (fd < 0 || output_init(&f->out, fd)) {
		if (f)
			free(f->base);
		free(f);
		return NULL;
	}
	f->out.files = files;
	return f;
}

static void file_free(struct file *f)
{
	if (!f)
		return;
	output_close(&f->out);
	free(f->base);
	free(f);
}

/* Returns the file of a CPU, and opens it for one that was hot-plugged.  Returns NULL after a message. */
static struct file *file_of(struct bulk *b, uint32_t cpu)
{
	if (cpu >= b->ncpus) {
		struct file **more = realloc(b->cpus, (cpu + 1) * sizeof(*more));

		if (!more)
			return NULL;
		memset(more + b->ncpus, 0, (cpu + 1 - b->ncpus) * sizeof(*more));
		b->cpus = more;
		b->ncpus = cpu + 1;
	}
	if (!b->cpus[cpu])
		b->cpus[cpu] = file_new(b, cpu);
	return b->cpus[cpu];
}

static void bulk_close(struct sink *s)
{
	struct bulk *b = (struct bulk *)s;

	for (size_t i = 0; i < b->ncpus; i++)
		file_free(b->cpus[i]);
	free(b->cpus);
	output_close(&b->text);
	free(b);
}

/* Names the files: FILE_0 with -o FILE, FILE_cpu0 in the background, as SystemTap does. */
static void name_files(struct bulk *b, const struct sink_target *target)
{
	const char *behind = target->path && !target->background ? "_" : "_cpu";

	snprintf(b->base, sizeof(b->base), "%s%s", target->path ? target->path : "stpd", behind);
	b->files = (struct output_files){ .base = b->base, .limit = target->limit,
					  .keep = target->keep };
}

/*
 * Opens all files now, which empties the files of an earlier run; they could be taken for this
 * one's.
 */
static struct sink *bulk_open(const struct sink_target *target)
{
	struct bulk *b = sink_new(&bulk_sink, sizeof(*b));

	if (!b)
		return NULL;
	b->sink.text = &b->text;
	b->number = 1;
	name_files(b, target);

	bool ok = !output_init(&b->text, -1);

	for (int cpu = 0; ok && cpu < get_nprocs_conf(); cpu++)
		ok = file_of(b, cpu);
	if (ok)
		return &b->sink;
	bulk_close(&b->sink);
	return NULL;
}

/* Adds the packet to its CPU's file. */
static void bulk_end(struct sink *s, const struct records_origin *from)
{
	struct bulk *b = (struct bulk *)s;
	struct bulk_packet head = { BULK_MAGIC, b->number, b->text.used };
	struct file *f = head.bytes ? file_of(b, from->cpu) : NULL;
	char *to = f ? output_room(&f->out, sizeof(head) + head.bytes) : NULL;

	b->text.used = 0;
	if (!head.bytes)
		return;
	if (!to) {
		b->text.error = f ? ENOMEM : EIO;
		return;
	}
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), b->text.buf, head.bytes);
	output_took(&f->out, sizeof(head) + head.bytes);
	b->number++;
}

static void bulk_each(struct sink *s, void (*call)(struct output *o))
{
	struct bulk *b = (struct bulk *)s;

	for (size_t i = 0; i < b->ncpus; i++) {
		if (!b->cpus[i])
			continue;
		call(&b->cpus[i]->out);
		if (b->cpus[i]->out.error)
			b->text.error = b->cpus[i]->out.error;
	}
}

const struct sink_kind bulk_sink = {
	.name = "bulk", .open = bulk_open, .close = bulk_close, .end = bulk_end, .each = bulk_each,
};
