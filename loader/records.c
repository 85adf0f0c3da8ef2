// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Demultiplexes and merges records.
 *
 * Nothing is copied on the way from the read buffer to the formatter, except the
 * few records at or above the bound.  Streams that have whole outputs sit in a
 * heap, keyed by the time of their first.
 *
 * The data is not trusted: every size is checked against what encloses it, and
 * what is kept is bounded (a module that never lets the bound rise loses the
 * order, not the machine's memory).
 */
#include "records.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../runtime/transport.h"

#define LEVELS 4
#define MAX_CPUS 65536u
#define MAX_KEPT (256u << 20)		/* bytes */

struct piece {
	uint64_t time;			/* of its output, once that is whole */
	const unsigned char *body;
	uint32_t bytes;
	bool more;			/* the output goes on in the next piece */
	bool kept;			/* body is ours */
};

/* One CPU and level.  pieces[head … whole) are whole outputs, [whole … n) the
 * beginning of one. */
struct stream {
	struct piece *pieces;
	size_t head, whole, n, room;
	uint64_t last;			/* time of the latest whole output */
	uint32_t id;			/* for a stable order of equal times */
	bool active;
};

struct records {
	records_emit emit;
	void *arg;
	struct stream **streams;	/* by cpu * LEVELS + level; NULL: never seen */
	size_t nstreams;
	struct stream **active;		/* streams with pieces; a heap while merging */
	size_t nactive, active_room;
	size_t kept;			/* bytes */
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

static void drop_piece(struct records *r, struct piece *p)
{
	if (p->kept) {
		free((void *)p->body);
		r->kept -= p->bytes;
	}
}

void records_free(struct records *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nstreams; i++) {
		struct stream *s = r->streams[i];

		if (!s)
			continue;
		for (size_t j = s->head; j < s->n; j++)
			drop_piece(r, &s->pieces[j]);
		free(s->pieces);
		free(s);
	}
	free(r->streams);
	free(r->active);
	free(r);
}

/* An array of *n entries of SIZE made to hold WANT or more, new ones zero; NULL
 * without memory, the old one then still there. */
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

static struct stream *stream_of(struct records *r, uint32_t cpu, unsigned int level)
{
	size_t i = (size_t)cpu * LEVELS + level;

	if (i >= r->nstreams) {
		void *more = grown(r->streams, &r->nstreams, i + 1, sizeof(*r->streams));

		if (!more)
			return NULL;
		r->streams = more;
	}
	if (!r->streams[i]) {
		r->streams[i] = calloc(1, sizeof(struct stream));
		if (r->streams[i])
			r->streams[i]->id = i;
	}
	return r->streams[i];
}

static bool activate(struct records *r, struct stream *s)
{
	if (s->active)
		return true;
	if (r->nactive == r->active_room) {
		void *more = grown(r->active, &r->active_room, r->nactive + 1,
				   sizeof(*r->active));

		if (!more)
			return false;
		r->active = more;
	}
	r->active[r->nactive++] = s;
	s->active = true;
	return true;
}

/* An output ended: all its pieces get its time. */
static void end_output(struct stream *s, uint64_t time)
{
	if (time < s->last)
		time = s->last;
	s->last = time;
	while (s->whole < s->n)
		s->pieces[s->whole++].time = time;
}

static bool append(struct records *r, struct stream *s, const struct st_rec *rec,
		   const unsigned char *body)
{
	if (!activate(r, s))
		return false;
	if (s->n == s->room) {
		void *more = grown(s->pieces, &s->room, s->n + 1, sizeof(*s->pieces));

		if (!more)
			return false;
		s->pieces = more;
	}
	s->pieces[s->n++] = (struct piece){
		.body = body, .bytes = rec->bytes, .more = rec->flags & ST_REC_MORE,
	};
	if (!(rec->flags & ST_REC_MORE))
		end_output(s, rec->time);
	return true;
}

/* ---- the merge ---- */

static bool earlier(const struct stream *a, const struct stream *b)
{
	uint64_t ta = a->pieces[a->head].time, tb = b->pieces[b->head].time;

	return ta != tb ? ta < tb : a->id < b->id;
}

static void sift_down(struct stream **heap, size_t n, size_t i)
{
	struct stream *s = heap[i];

	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && earlier(heap[child + 1], heap[child]))
			child++;
		if (!earlier(heap[child], s))
			break;
		heap[i] = heap[child];
	}
	heap[i] = s;
}

/* Emits the stream's first output.  The damaged rest of a bad one is passed over. */
static int emit_output(struct records *r, struct stream *s)
{
	int bad = 0;
	bool more;

	do {
		struct piece *p = &s->pieces[s->head++];

		more = p->more;
		if (!bad)
			bad = r->emit(r->arg, p->body, p->bytes);
		drop_piece(r, p);
	} while (more && s->head < s->whole);
	return bad;
}

/* Parts the active streams: those with whole outputs first.  Their number. */
static size_t ready_first(struct records *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nactive; i++) {
		struct stream *s = r->active[i];

		if (s->head == s->whole)
			continue;
		r->active[i] = r->active[n];
		r->active[n++] = s;
	}
	return n;
}

static int merge(struct records *r, uint64_t bound, bool all, const char **why)
{
	struct stream **heap = r->active;
	size_t n = ready_first(r);
	int bad = 0;

	for (size_t i = n / 2; i-- > 0;)
		sift_down(heap, n, i);
	while (n && (all || heap[0]->pieces[heap[0]->head].time < bound)) {
		struct stream *s = heap[0];

		bad |= emit_output(r, s);
		if (s->head == s->whole) {
			heap[0] = heap[--n];
			heap[n] = s;
		}
		if (n)
			sift_down(heap, n, 0);
	}
	if (bad)
		*why = "a record makes no sense";
	return bad ? -1 : 0;
}

/* Forgets what was emitted; empty streams leave the active ones. */
static void compact(struct records *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nactive; i++) {
		struct stream *s = r->active[i];

		memmove(s->pieces, s->pieces + s->head, (s->n - s->head) * sizeof(*s->pieces));
		s->n -= s->head;
		s->whole -= s->head;
		s->head = 0;
		s->active = s->n > 0;
		if (s->active)
			r->active[n++] = s;
	}
	r->nactive = n;
}

/* What still lies in the read buffer moves to memory of ours. */
static int keep(struct records *r, const char **why)
{
	compact(r);
	for (size_t i = 0; i < r->nactive; i++) {
		struct stream *s = r->active[i];

		for (size_t j = s->n; j-- > 0 && !s->pieces[j].kept;) {
			struct piece *p = &s->pieces[j];
			unsigned char *copy = malloc(p->bytes ? p->bytes : 1);

			if (!copy) {
				*why = no_memory;
				return -1;
			}
			memcpy(copy, p->body, p->bytes);
			p->body = copy;
			p->kept = true;
			r->kept += p->bytes;
		}
	}
	return 0;
}

/* ---- taking batches apart ---- */

static int take_records(struct records *r, uint32_t cpu, const unsigned char *p, size_t n,
			const char **why)
{
	struct stream *streams[LEVELS] = { NULL };

	while (n) {
		struct st_rec rec;

		*why = "a record reaches beyond its chunk";
		if (n < sizeof(rec))
			return -1;
		memcpy(&rec, p, sizeof(rec));
		p += sizeof(rec);
		n -= sizeof(rec);
		if (rec.bytes > n)
			return -1;
		if (rec.level >= LEVELS || rec.flags & ~ST_REC_MORE) {
			*why = "a record's level or flags are unknown";
			return -1;
		}
		if (!streams[rec.level])
			streams[rec.level] = stream_of(r, cpu, rec.level);
		if (!streams[rec.level] || !append(r, streams[rec.level], &rec, p)) {
			*why = no_memory;
			return -1;
		}
		size_t step = ((size_t)rec.bytes + 7) & ~(size_t)7;

		if (step > n)		/* the last one's padding may be left out */
			step = n;
		p += step;
		n -= step;
	}
	return 0;
}

static int take_batch(struct records *r, const unsigned char *p, size_t n, const char **why)
{
	while (n) {
		struct st_chunk chunk;

		*why = "a chunk reaches beyond its batch";
		if (n < sizeof(chunk))
			return -1;
		memcpy(&chunk, p, sizeof(chunk));
		p += sizeof(chunk);
		n -= sizeof(chunk);
		if (chunk.bytes > n)
			return -1;
		if (chunk.cpu >= MAX_CPUS) {
			*why = "there is no such CPU";
			return -1;
		}
		if (take_records(r, chunk.cpu, p, chunk.bytes, why))
			return -1;
		p += chunk.bytes;
		n -= chunk.bytes;
	}
	return 0;
}

static int take_all(struct records *r, const unsigned char *p, size_t n, const char **why)
{
	while (n) {
		struct st_batch batch;

		if (n < sizeof(batch)) {
			*why = "a batch is cut short";
			return -1;
		}
		memcpy(&batch, p, sizeof(batch));
		if (batch.magic != ST_BATCH_MAGIC) {
			*why = "a batch does not begin as one";
			return -1;
		}
		p += sizeof(batch);
		n -= sizeof(batch);
		if (batch.bytes > n) {
			*why = "a batch is cut short";
			return -1;
		}
		if (take_batch(r, p, batch.bytes, why) || merge(r, batch.bound, false, why))
			return -1;
		p += batch.bytes;
		n -= batch.bytes;
	}
	return 0;
}

int records_take(struct records *r, const void *p, size_t n, const char **why)
{
	if (take_all(r, p, n, why) || keep(r, why))
		return -1;
	return r->kept > MAX_KEPT ? records_end(r, why) : 0;
}

int records_end(struct records *r, const char **why)
{
	for (size_t i = 0; i < r->nactive; i++)
		end_output(r->active[i], r->active[i]->last);
	int err = merge(r, 0, true, why);

	compact(r);
	return err;
}
