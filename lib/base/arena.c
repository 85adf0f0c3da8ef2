// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena: a list of chunks, each twice the size of the one before (64 KB to 4 MB). */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vec.h"

struct chunk {
	struct chunk *next;
	size_t size, used;
	_Alignas(max_align_t) char bytes[];
};

static struct chunk *chunks;

static struct chunk *chunk_new(size_t size)
{
	struct chunk *c = calloc(1, sizeof(*c) + size);

	if (!c) {
		fputs("ERROR: out of memory\n", stderr);
		exit(1);
	}
	c->size = size;
	return c;
}

void *arena_alloc(size_t size)
{
	size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
	if (!chunks || chunks->size - chunks->used < size) {
		size_t want = chunks ? chunks->size * 2 : 64 << 10;

		if (want > 4 << 20)
			want = 4 << 20;
		struct chunk *c = chunk_new(size > want ? size : want);

		c->next = chunks;
		chunks = c;
	}
	void *p = chunks->bytes + chunks->used;

	chunks->used += size;
	return p;
}

char *arena_strndup(const char *s, size_t len)
{
	char *p = arena_alloc(len + 1);

	memcpy(p, s, len);
	return p;
}

char *arena_strdup(const char *s)
{
	return arena_strndup(s, strlen(s));
}

char *arena_vprintf(const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);

	va_end(again);
	char *p = arena_alloc(n + 1);

	vsnprintf(p, n + 1, fmt, ap);
	return p;
}

char *arena_printf(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *p = arena_vprintf(fmt, ap);

	va_end(ap);
	return p;
}

void *vec_grow(void *v, size_t n, size_t *room, size_t size)
{
	*room = *room ? *room * 2 : 4;

	void *bigger = arena_alloc(*room * size);

	if (n)
		memcpy(bigger, v, n * size);
	return bigger;
}

/* Called when the arena is freed; they clear pointers into it. */
static void (*forgetters[4])(void);
static size_t nforgetters;

void arena_on_free(void (*forget)(void))
{
	if (nforgetters == sizeof(forgetters) / sizeof(*forgetters))
		abort();
	forgetters[nforgetters++] = forget;
}

void arena_free_all(void)
{
	while (chunks) {
		struct chunk *c = chunks;

		chunks = c->next;
		free(c);
	}
	while (nforgetters)
		forgetters[--nforgetters]();
}
