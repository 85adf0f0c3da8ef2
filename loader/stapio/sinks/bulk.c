// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of bulk mode. */
#define _GNU_SOURCE
#include "bulk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "common/say.h"
#include "output.h"
#include "stapio/records/records.h"
#include "stapio/records/render.h"

/* A CPU's file. */
struct file {
	char *base;		/* its name; with -S, the first part of the names of its files */
	struct output out;
};

struct bulk {
	struct output_files files;
	struct render *render;
	struct output *text;
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
	free(f->out.buf);
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

struct bulk *bulk_new(const struct output_files *files, struct render *render,
		      struct output *text)
{
	struct bulk *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	*b = (struct bulk){ .files = *files, .render = render, .text = text, .number = 1 };
	/* Open all files now: this empties those of an earlier run, which would pass for this one's. */
	for (int cpu = 0; cpu < get_nprocs_conf(); cpu++)
		if (!file_of(b, cpu)) {
			bulk_free(b);
			return NULL;
		}
	return b;
}

void bulk_free(struct bulk *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->ncpus; i++)
		file_free(b->cpus[i]);
	free(b->cpus);
	free(b);
}

int bulk_items(void *bulk, const struct records_origin *from, const unsigned char *body,
	       size_t bytes)
{
	struct bulk *b = bulk;
	int bad = render_items(b->render, from, body, bytes);
	struct bulk_packet head = { BULK_MAGIC, b->number, b->text->used };
	struct file *f = head.bytes ? file_of(b, from->cpu) : NULL;
	char *to = f ? output_room(&f->out, sizeof(head) + head.bytes) : NULL;

	b->text->used = 0;
	if (bad || !head.bytes)
		return bad;
	if (!to) {
		b->text->error = f ? ENOMEM : EIO;
		return 0;
	}
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), b->text->buf, head.bytes);
	output_took(&f->out, sizeof(head) + head.bytes);
	b->number++;
	return 0;
}

static void for_each_file(struct bulk *b, void (*call)(struct output *o))
{
	for (size_t i = 0; i < b->ncpus; i++) {
		if (!b->cpus[i])
			continue;
		call(&b->cpus[i]->out);
		if (b->cpus[i]->out.error)
			b->text->error = b->cpus[i]->out.error;
	}
}

void bulk_flush(struct bulk *b)
{
	for_each_file(b, output_flush);
}

void bulk_settle(struct bulk *b)
{
	for_each_file(b, output_settle);
}
