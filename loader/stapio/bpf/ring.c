// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's ring of records (Documentation/bpf/ringbuf.rst): a page with the reader's position, a
 * page with the writers', and the records, mapped twice in a row so that none is split.
 */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "internal.h"

enum { HEAD = 8 };			/* bytes before each record: its length, and the kernel's own */

struct ring {
	uint64_t *read;
	const uint64_t *written;
	const char *records;
	size_t bytes;
};

struct ring *ring_open(int map, size_t bytes)
{
	struct ring *r = arena_new(struct ring);
	size_t page = sysconf(_SC_PAGESIZE);
	char *shown;

	r->bytes = bytes;
	r->read = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	shown = mmap(NULL, page + 2 * bytes, PROT_READ, MAP_SHARED, map, page);
	if (r->read == MAP_FAILED || shown == MAP_FAILED)
		return NULL;
	r->written = (const uint64_t *)shown;
	r->records = shown + page;
	return r;
}

void ring_read(struct ring *r, void (*take)(void *arg, const char *record, size_t bytes), void *arg)
{
	uint64_t at = *r->read, end = __atomic_load_n(r->written, __ATOMIC_ACQUIRE);

	while (at < end) {
		const char *p = r->records + (at & (r->bytes - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
		uint32_t bytes = head & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(head & BPF_RINGBUF_DISCARD_BIT))
			take(arg, p + HEAD, bytes);
		at += (HEAD + bytes + 7) / 8 * 8;
		__atomic_store_n(r->read, at, __ATOMIC_RELEASE);
	}
}
