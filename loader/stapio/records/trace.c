// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads records where the handlers wrote them, in the CPUs' ring buffers; a ring is mapped when it
 * first has records.  The room of relayed records goes back to the handlers several times a batch
 * (records_take()), so that they don't wait for the end of a large one.
 */
#include "trace.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/transport.h"
#include "records.h"

#define MAX_CPUS 65536u
#define MAX_RING ((uint64_t)1 << 40)	/* bytes of a CPU's ring; all of them fit in an offset */

/* A CPU's mapped ring.  The module maps its bytes twice, one copy behind the other, so that a chunk that
 * wraps around is contiguous. */
struct ring {
	const unsigned char *p;		/* 2 * size bytes; NULL: not mapped */
	size_t size;
};

/* The struct is large, but only the parts for existing CPUs are touched and take memory. */
struct trace {
	int fd;
	struct {
		struct st_batch head;
		struct st_chunk chunks[MAX_CPUS];
	} batch;			/* as read from the module */
	struct records_chunk chunks[MAX_CPUS];	/* the batch's records that were not taken yet */
	struct st_taken taken[MAX_CPUS];
	struct ring rings[MAX_CPUS];
	size_t nrings;			/* the highest CPU with a ring, plus 1 */
};

struct trace *trace_new(int fd)
{
	struct trace *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	t->fd = fd;
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nrings; i++)
		if (t->rings[i].p)
			munmap((void *)t->rings[i].p, 2 * t->rings[i].size);
	munmap(t, sizeof(*t));
}

/* Maps the chunk's ring if necessary.  Returns the address of the chunk's records; NULL with *WHY set. */
static const unsigned char *records_of(struct trace *t, const struct st_chunk *c,
				       const char **why)
{
	struct ring *ring = &t->rings[c->cpu];
	void *p;

	if (c->size > MAX_RING) {
		*why = "a ring is larger than any can be";
		return NULL;
	}
	if (!ring->p) {
		p = mmap(NULL, 2 * c->size, PROT_READ, MAP_SHARED, t->fd, 2 * c->size * c->cpu);
		if (p == MAP_FAILED) {
			*why = strerror(errno);
			return NULL;
		}
		*ring = (struct ring){ p, c->size };
		if (c->cpu >= t->nrings)
			t->nrings = c->cpu + 1;
	}
	if (c->size == ring->size && c->at < c->size && c->at % 8 == 0 && c->bytes <= c->size)
		return ring->p + c->at;
	*why = "a chunk reaches beyond its ring";
	return NULL;
}

static ssize_t read_batch(int fd, void *to, size_t room)
{
	ssize_t n;

	do
		n = read(fd, to, room);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Reads and checks the next batch.  Returns the number of its chunks, or -1 with *WHY set.  Sets *ENDED at
 * the end of the trace. */
static long next_batch(struct trace *t, int *ended, const char **why)
{
	ssize_t n = read_batch(t->fd, &t->batch, sizeof(t->batch));
	const struct st_batch *head = &t->batch.head;

	*ended = !n;
	if (n <= 0) {
		*why = strerror(errno);
		return n;
	}
	*why = "a batch does not begin as one";
	if ((size_t)n < sizeof(*head) || head->magic != ST_BATCH_MAGIC)
		return -1;
	*why = "a batch is cut short";
	if (head->chunks > MAX_CPUS ||
	    (size_t)n != sizeof(*head) + head->chunks * sizeof(struct st_chunk))
		return -1;
	for (uint32_t i = 0; i < head->chunks; i++) {
		const struct st_chunk *c = &t->batch.chunks[i];

		*why = "there is no such CPU";
		if (c->cpu >= MAX_CPUS)
			return -1;
		t->chunks[i] = (struct records_chunk){ c->cpu, records_of(t, c, why), c->bytes };
		if (!t->chunks[i].p)
			return -1;
	}
	return head->chunks;
}

/* Tells the module which records were taken, whose room the handlers may use again. */
static int give_back(struct trace *t, size_t n, const char **why)
{
	size_t ntaken = 0;

	for (size_t i = 0; i < n; i++) {
		struct st_chunk *c = &t->batch.chunks[i];
		uint64_t bytes = c->bytes - t->chunks[i].bytes;

		if (bytes)
			t->taken[ntaken++] = (struct st_taken){ .cpu = c->cpu, .bytes = bytes };
		c->bytes = t->chunks[i].bytes;
	}
	if (!ntaken || write(t->fd, t->taken, ntaken * sizeof(*t->taken)) >= 0)
		return 0;
	*why = strerror(errno);
	return -1;
}

int trace_relay(struct trace *t, struct records *r, const char **why)
{
	int ended, more;
	long n = next_batch(t, &ended, why);

	if (n < 0)
		return -1;
	if (ended)
		return records_end(r, why);
	do {
		more = records_take(r, t->chunks, n, t->batch.head.bound, why);
		if (more < 0 || give_back(t, n, why))
			return -1;
	} while (more);
	return 1;
}
