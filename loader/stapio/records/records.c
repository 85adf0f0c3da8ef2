// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Merges the CPUs' records.
 *
 * A record goes straight from the ring to the formatter; only the pieces of an output whose last
 * record has not come are copied.  The chunks are in a heap, keyed by the time of their first
 * record; the earliest CPU is followed for as long as it stays the earliest.
 *
 * The data is not trusted: every size is checked against what contains it, and the memory for
 * pieces is bounded.  The pieces of an output larger than that are emitted as they come.
 */
#include "records.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/transport.h"

#define LEVELS 4
#define MAX_CPUS 65536u

/* The most bytes of an output's pieces that are held. */
#define MAX_HELD (16u << 20)

/* How many bytes of records are taken before their room goes back to the rings. */
#define ENOUGH (16l << 10)

/* The pieces of an output whose last record has not come. */
struct held {
	unsigned char *bytes;
	size_t used, room;
};

/* What is kept of a CPU between batches. */
struct cpu {
	uint64_t last;			/* the latest time seen */
	struct held levels[LEVELS];	/* task, soft interrupt, hard interrupt, NMI */
};

/* A chunk in the heap. */
struct cursor {
	const struct st_rec *rec;	/* its first record, checked */
	uint64_t time;			/* that record's time */
	const unsigned char *end;
	struct cpu *cpu;
	struct records_chunk *chunk;
};

struct records {
	records_emit emit;
	void *arg;
	struct cpu **cpus;		/* NULL: never seen */
	size_t ncpus;
	struct cursor *cursors;
	struct cursor **heap;
	size_t room;			/* of both */
};

static const char no_memory[] = "no memory left to order the output";

struct records *records_new(records_emit emit, void *arg)
{
	struct records *r = calloc(1, sizeof(*r));

	if (r) {
		r->emit = emit;
		r->arg = arg;
	}
	return r;
}

void records_free(struct records *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->ncpus; i++) {
		for (int level = 0; r->cpus[i] && level < LEVELS; level++)
			free(r->cpus[i]->levels[level].bytes);
		free(r->cpus[i]);
	}
	free(r->cpus);
	free(r->cursors);
	free(r->heap);
	free(r);
}

/* Enlarges ARRAY, of *N entries of SIZE bytes, to WANT entries or more; new ones are zero.  Returns NULL,
 * and leaves the array as it is, if there is no memory. */
static void *grown(void *array, size_t *n, size_t want, size_t size)
{
	size_t to = *n ? *n : 8;

	while (to < want)
		to *= 2;
	char *bigger = realloc(array, to * size);

	if (!bigger)
		return NULL;
	memset(bigger + *n * size, 0, (to - *n) * size);
	*n = to;
	return bigger;
}

static struct cpu *cpu_of(struct records *r, uint32_t cpu)
{
	if (cpu >= r->ncpus) {
		void *more = grown(r->cpus, &r->ncpus, (size_t)cpu + 1, sizeof(*r->cpus));

		if (!more)
			return NULL;
		r->cpus = more;
	}
	if (!r->cpus[cpu])
		r->cpus[cpu] = calloc(1, sizeof(struct cpu));
	return r->cpus[cpu];
}

/* ---- the records of a chunk ---- */

/* Checks the record at P and makes it the chunk's first.  Returns 1; 0 if there is none; -1 with *WHY set. */
static inline int look(struct cursor *c, const unsigned char *p, const char **why)
{
	const struct st_rec *rec = (const void *)p;
	size_t left = c->end - p;

	c->rec = rec;
	if (!left)
		return 0;
	if (left < sizeof(*rec) || rec->bytes > left - sizeof(*rec)) {
		*why = "a record reaches beyond its chunk";
		return -1;
	}
	if (rec->level >= LEVELS || rec->flags & ~ST_REC_MORE) {
		*why = "a record's level or flags are unknown";
		return -1;
	}
	if (rec->time > c->time)
		c->time = rec->time;
	return 1;
}

static int emit(struct records *r, const struct records_origin *from, const unsigned char *body,
		size_t bytes, const char **why)
{
	if (!r->emit(r->arg, from, body, bytes))
		return 0;
	*why = "a record makes no sense";
	return -1;
}

static int emit_held(struct records *r, const struct records_origin *from, struct held *h,
		     const char **why)
{
	size_t used = h->used;

	h->used = 0;
	return used ? emit(r, from, h->bytes, used, why) : 0;
}

/* Holds a piece until its output's last record comes. */
static int hold(struct records *r, const struct records_origin *from, struct held *h,
		const unsigned char *body, size_t bytes, const char **why)
{
	if (!bytes)
		return 0;
	if (h->used + bytes > MAX_HELD)
		return emit_held(r, from, h, why) || emit(r, from, body, bytes, why) ? -1 : 0;
	if (h->used + bytes > h->room) {
		void *more = grown(h->bytes, &h->room, h->used + bytes, 1);

		if (!more) {
			*why = no_memory;
			return -1;
		}
		h->bytes = more;
	}
	memcpy(h->bytes + h->used, body, bytes);
	h->used += bytes;
	return 0;
}

/* Emits or holds the first record and looks at the next one; returns what look() does. */
static inline int take_first(struct records *r, struct cursor *c, const char **why)
{
	const struct st_rec *rec = c->rec;
	const unsigned char *body = (const unsigned char *)(rec + 1);
	size_t whole = ((size_t)rec->bytes + 7) & ~(size_t)7;
	struct held *h = &c->cpu->levels[rec->level];
	const struct records_origin from = { c->chunk->cpu, rec->time };
	int bad;

	if (rec->flags & ST_REC_MORE)
		bad = hold(r, &from, h, body, rec->bytes, why);
	else
		bad = (h->used && emit_held(r, &from, h, why)) ||
		      emit(r, &from, body, rec->bytes, why);
	if (bad)
		return -1;
	if (whole > (size_t)(c->end - body))	/* the last record may lack its padding */
		whole = c->end - body;
	return look(c, body + whole, why);
}

/* ---- the merge ---- */

static inline bool earlier(const struct cursor *a, const struct cursor *b)
{
	return a->time != b->time ? a->time < b->time : a->chunk->cpu < b->chunk->cpu;
}

static inline void sift_down(struct cursor **heap, size_t n, size_t i)
{
	struct cursor *c = heap[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && earlier(heap[child + 1], heap[child]))
			child++;
		if (!earlier(heap[child], c))
			break;
		heap[i] = heap[child];
	}
	heap[i] = c;
}

/* Returns the time up to which the first chunk stays the earliest: BOUND, or the time of the second
 * earliest chunk. */
static inline uint64_t limit_of(struct cursor **heap, size_t n, uint64_t bound)
{
	const struct cursor *next;
	uint64_t limit;

	if (n < 2)
		return bound;
	next = heap[n > 2 && earlier(heap[2], heap[1]) ? 2 : 1];
	limit = next->time + (heap[0]->chunk->cpu < next->chunk->cpu);
	return limit < bound ? limit : bound;
}

/* Emits the records below BOUND, as records_take() says. */
static int merge(struct records *r, size_t n, uint64_t bound, const char **why)
{
	struct cursor **heap = r->heap;
	long left = ENOUGH;

	for (size_t i = n / 2; i-- > 0;)
		sift_down(heap, n, i);
	while (n && heap[0]->time < bound) {
		uint64_t limit = limit_of(heap, n, bound);
		int more;

		if (left <= 0)
			return 1;
		do {
			left -= sizeof(struct st_rec) + heap[0]->rec->bytes;
			more = take_first(r, heap[0], why);
		} while (more > 0 && left > 0 && heap[0]->time < limit);
		if (more < 0)
			return -1;
		if (!more)
			heap[0] = heap[--n];
		if (n > 1)
			sift_down(heap, n, 0);
	}
	return 0;
}

/* Makes room for n chunks. */
static int make_room(struct records *r, size_t n)
{
	size_t old = r->room, same = old;
	void *more;

	if (n <= old)
		return 0;
	more = grown(r->cursors, &old, n, sizeof(*r->cursors));
	if (!more)
		return -1;
	r->cursors = more;
	more = grown(r->heap, &same, n, sizeof(*r->heap));
	if (!more)
		return -1;
	r->heap = more;
	r->room = same;
	return 0;
}

int records_take(struct records *r, struct records_chunk *chunks, size_t n, uint64_t bound,
		 const char **why)
{
	size_t ready = 0;
	int more;

	*why = no_memory;
	if (make_room(r, n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct cursor *c = &r->cursors[i];

		*why = "there is no such CPU";
		if (chunks[i].cpu >= MAX_CPUS)
			return -1;
		*why = no_memory;
		*c = (struct cursor){ .chunk = &chunks[i], .cpu = cpu_of(r, chunks[i].cpu) };
		if (!c->cpu)
			return -1;
		c->time = c->cpu->last;
		c->end = chunks[i].p + chunks[i].bytes;
		more = look(c, chunks[i].p, why);
		if (more < 0)
			return -1;
		r->heap[ready] = c;
		ready += more;
	}
	more = merge(r, ready, bound, why);
	for (size_t i = 0; i < n; i++) {
		const struct cursor *c = &r->cursors[i];

		chunks[i].p = (const unsigned char *)c->rec;
		chunks[i].bytes = c->end - chunks[i].p;
		c->cpu->last = c->time;
	}
	return more;
}

int records_end(struct records *r, const char **why)
{
	int bad = 0;

	for (size_t i = 0; i < r->ncpus; i++)
		for (int level = 0; r->cpus[i] && level < LEVELS; level++) {
			const struct records_origin from = { i, r->cpus[i]->last };

			bad |= emit_held(r, &from, &r->cpus[i]->levels[level], why);
		}
	return bad;
}
