// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads records where the handlers wrote them, in the CPUs' ring buffers; a ring is mapped when it
 * first has records.  The room of relayed records goes back to the handlers several times a batch
 * (records_take()), so that they don't wait for the end of a large one.
 *
 * To format a record, stapio may have to wait for something else, while the rings fill up.  Then
 * trace_keep() copies what is in them:
 *
 *	the batch that is being relayed		to where it is: pointers into the ring stay, and see the
 *						copy, because the ring is mapped elsewhere
 *	further batches				to a queue, from which they are relayed next
 *
 * Only records below a batch's bound are taken out of the rings.  The others come again in the next
 * batch, as always.
 */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/transport.h"
#include "records.h"

#define MAX_CPUS 65536u
#define MAX_RING ((uint64_t)1 << 40)	/* bytes of a CPU's ring; all of them fit in an offset */

#define KEPT_MOST (256u << 20)		/* bytes of batches in the queue */

/* A CPU's mapped ring.  The module maps its bytes twice, one copy behind the other, so that a chunk that
 * wraps around is contiguous. */
struct ring {
	const unsigned char *p;		/* 2 * size bytes; NULL: not mapped */
	size_t size;
};

/* A batch in the queue. */
struct kept {
	struct kept *next;
	size_t n, bytes;
	struct records_chunk chunks[];	/* all below the batch's bound; their records follow */
};

/* The struct is large, but only the parts for existing CPUs are touched and take memory. */
struct trace {
	int fd;
	struct {
		struct st_batch head;
		struct st_chunk chunks[MAX_CPUS];
	} batch;			/* as read from the module */
	struct records_chunk chunks[MAX_CPUS];	/* the batch's records that were not taken yet */
	size_t relayed;			/* how many chunks are being relayed from the rings */
	struct ring moved[MAX_CPUS];	/* by chunk: where its ring was, and its records' copy is */
	bool has_moved;			/* all of them, and the rings have their room back */
	bool cant_keep;			/* until the batch has been relayed */
	struct records_chunk kept[MAX_CPUS];	/* of the batch that is being kept */
	struct st_taken taken[MAX_CPUS];
	struct ring rings[MAX_CPUS];
	size_t nrings;			/* the highest CPU with a ring, plus 1 */
	struct kept *first, **last;	/* the queue */
	size_t kept_bytes;
};

struct trace *trace_new(int fd)
{
	struct trace *t = mmap(NULL, sizeof(*t), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (t == MAP_FAILED)
		return NULL;
	t->fd = fd;
	t->last = &t->first;
	return t;
}

/* Takes the first batch out of the queue. */
static struct kept *take_kept(struct trace *t)
{
	struct kept *k = t->first;

	t->first = k->next;
	if (!t->first)
		t->last = &t->first;
	t->kept_bytes -= k->bytes;
	return k;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nrings; i++)
		if (t->rings[i].p)
			munmap((void *)t->rings[i].p, 2 * t->rings[i].size);
	while (t->first)
		free(take_kept(t));
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

/* Reads and checks the next batch.  Returns the number of its CHUNKS, or -1 with *WHY set.  Sets *ENDED at
 * the end of the trace. */
static long next_batch(struct trace *t, struct records_chunk *chunks, int *ended, const char **why)
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
		chunks[i] = (struct records_chunk){ c->cpu, records_of(t, c, why), c->bytes };
		if (!chunks[i].p)
			return -1;
	}
	return head->chunks;
}

/* Tells the module of N records' rooms, in t->taken, that the handlers may use again. */
static int give_back(struct trace *t, size_t n, const char **why)
{
	if (!n || write(t->fd, t->taken, n * sizeof(*t->taken)) >= 0)
		return 0;
	*why = strerror(errno);
	return -1;
}

/* Gives back what records_take() has taken of N chunks. */
static int give_relayed_back(struct trace *t, size_t n, const char **why)
{
	size_t ntaken = 0;

	for (size_t i = 0; i < n; i++) {
		struct st_chunk *c = &t->batch.chunks[i];
		uint64_t bytes = c->bytes - t->chunks[i].bytes;

		if (bytes)
			t->taken[ntaken++] = (struct st_taken){ .cpu = c->cpu, .bytes = bytes };
		c->bytes = t->chunks[i].bytes;
	}
	return give_back(t, ntaken, why);
}

/* ---- keeping ---- */

/* Returns the bytes of a chunk's records below BOUND, which records_take() will take. */
static size_t bytes_below(const struct records_chunk *c, uint64_t bound)
{
	size_t at = 0;

	while (c->bytes - at >= sizeof(struct st_rec)) {
		const struct st_rec *rec = (const void *)(c->p + at);
		size_t whole = sizeof(*rec) + (((size_t)rec->bytes + 7) & ~(size_t)7);

		if (rec->time >= bound || whole > c->bytes - at)
			break;
		at += whole;
	}
	return at;
}

/* Copies a chunk's records to where they are, and maps their ring elsewhere. */
static bool move_chunk(struct trace *t, size_t i)
{
	struct ring *ring = &t->rings[t->chunks[i].cpu], old = *ring;
	size_t at = t->chunks[i].p - old.p;
	unsigned char *copy;
	void *p;

	copy = mmap(NULL, 2 * old.size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	p = mmap(NULL, 2 * old.size, PROT_READ, MAP_SHARED, t->fd,
		 2 * old.size * t->chunks[i].cpu);
	if (copy != MAP_FAILED)
		memcpy(copy + at, t->chunks[i].p, t->chunks[i].bytes);
	if (copy != MAP_FAILED && p != MAP_FAILED &&
	    mremap(copy, 2 * old.size, 2 * old.size, MREMAP_MAYMOVE | MREMAP_FIXED, old.p) == old.p) {
		ring->p = p;
		t->moved[i] = old;
		return true;
	}
	if (copy != MAP_FAILED)
		munmap(copy, 2 * old.size);
	if (p != MAP_FAILED)
		munmap(p, 2 * old.size);
	return false;
}

/* Empties the rings of what is being relayed.  If that fails, it is given back as it is relayed. */
static bool move_relayed(struct trace *t)
{
	size_t ntaken = 0;
	const char *why;

	for (size_t i = 0; i < t->relayed; i++) {
		if (!move_chunk(t, i))
			return false;
		uint64_t bytes = bytes_below(&t->chunks[i], t->batch.head.bound);

		if (bytes)
			t->taken[ntaken++] = (struct st_taken){ .cpu = t->chunks[i].cpu,
								.bytes = bytes };
	}
	t->has_moved = !give_back(t, ntaken, &why);
	return t->has_moved;
}

/* Copies a batch to the queue, and gives its room back.  Returns false if that is not possible. */
static bool keep_batch(struct trace *t, struct records_chunk *chunks, size_t n)
{
	size_t bytes = 0;
	const char *why;

	for (size_t i = 0; i < n; i++) {
		chunks[i].bytes = bytes_below(&chunks[i], t->batch.head.bound);
		t->taken[i] = (struct st_taken){ .cpu = chunks[i].cpu, .bytes = chunks[i].bytes };
		bytes += chunks[i].bytes;
	}
	struct kept *k = bytes && t->kept_bytes + bytes <= KEPT_MOST
			 ? malloc(sizeof(*k) + n * sizeof(*chunks) + bytes) : NULL;

	if (!k)
		return false;
	*k = (struct kept){ .n = n, .bytes = bytes };

	unsigned char *to = (unsigned char *)&k->chunks[n];

	for (size_t i = 0; i < n; i++) {
		memcpy(to, chunks[i].p, chunks[i].bytes);
		k->chunks[i] = (struct records_chunk){ chunks[i].cpu, to, chunks[i].bytes };
		to += chunks[i].bytes;
	}
	if (give_back(t, n, &why)) {
		free(k);
		return false;
	}
	*t->last = k;
	t->last = &k->next;
	t->kept_bytes += bytes;
	return true;
}

void trace_keep(void *trace)
{
	struct trace *t = trace;
	int flags = fcntl(t->fd, F_GETFL), ended;
	const char *why;
	long n;

	if (t->cant_keep || flags < 0)
		return;
	if (t->relayed && !t->has_moved && !move_relayed(t)) {
		t->cant_keep = true;
		return;
	}
	fcntl(t->fd, F_SETFL, flags | O_NONBLOCK);
	do
		n = next_batch(t, t->kept, &ended, &why);
	while (n > 0 && keep_batch(t, t->kept, n));
	fcntl(t->fd, F_SETFL, flags);
}

/* ---- relaying ---- */

/* Drops the copies of a batch that has been relayed. */
static void end_batch(struct trace *t)
{
	for (size_t i = 0; i < t->relayed; i++) {
		if (t->moved[i].p)
			munmap((void *)t->moved[i].p, 2 * t->moved[i].size);
		t->moved[i].p = NULL;
	}
	t->relayed = 0;
	t->has_moved = t->cant_keep = false;
}

/* Relays a batch from the rings. */
static int relay_batch(struct trace *t, struct records *r, size_t n, const char **why)
{
	const uint64_t bound = t->batch.head.bound;
	int more;

	t->relayed = n;
	do {
		more = records_take(r, t->chunks, n, bound, why);
		if (more < 0 || (!t->has_moved && give_relayed_back(t, n, why)))
			return -1;
	} while (more);
	end_batch(t);
	return 1;
}

/* Relays the first batch of the queue: all of it, as it is below its bound. */
static int relay_kept(struct trace *t, struct records *r, const char **why)
{
	struct kept *k = take_kept(t);
	int more;

	do
		more = records_take(r, k->chunks, k->n, UINT64_MAX, why);
	while (more > 0);
	free(k);
	return more < 0 ? -1 : 1;
}

int trace_relay(struct trace *t, struct records *r, const char **why)
{
	int ended;
	long n;

	if (t->first)
		return relay_kept(t, r, why);
	n = next_batch(t, t->chunks, &ended, why);
	if (n < 0)
		return -1;
	return ended ? records_end(r, why) : relay_batch(t, r, n, why);
}
