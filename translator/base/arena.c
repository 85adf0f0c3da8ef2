// SPDX-License-Identifier: GPL-2.0-or-later
/* The arena: chunks, each twice the last, and a table of interned strings. */
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

/* ---- interned strings: open addressing, at most half full ---- */

static const char **names;
static size_t names_n, names_room;

static uint32_t hash_text(const char *s, size_t len)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	return h;
}

static void names_grow(void)
{
	const char **old = names;
	size_t old_room = names_room;

	names_room = old_room ? old_room * 2 : 1024;
	names = calloc(names_room, sizeof(*names));
	if (!names) {
		fputs("ERROR: out of memory\n", stderr);
		exit(1);
	}
	for (size_t i = 0; i < old_room; i++) {
		if (!old[i])
			continue;
		size_t at = hash_text(old[i], strlen(old[i])) & (names_room - 1);

		while (names[at])
			at = (at + 1) & (names_room - 1);
		names[at] = old[i];
	}
	free(old);
}

const char *intern_n(const char *s, size_t len)
{
	if (names_n * 2 >= names_room)
		names_grow();

	size_t at = hash_text(s, len) & (names_room - 1);

	while (names[at]) {
		if (!strncmp(names[at], s, len) && !names[at][len])
			return names[at];
		at = (at + 1) & (names_room - 1);
	}
	names_n++;
	return names[at] = arena_strndup(s, len);
}

const char *intern(const char *s)
{
	return intern_n(s, strlen(s));
}

void arena_free_all(void)
{
	while (chunks) {
		struct chunk *c = chunks;

		chunks = c->next;
		free(c);
	}
	free(names);
	names = NULL;
	names_n = names_room = 0;
}
