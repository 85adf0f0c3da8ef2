// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps the texts of speculations (speculation.h) in a hash table, and in a list by age. */
#include "speculation.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "abi/transport.h"
#include "common/say.h"
#include "stapio/sinks/output.h"

#define BUCKETS 4096u

struct speculation {
	uint64_t id;
	struct speculation *next;	/* in its bucket */
	struct speculation *older, *newer;
	char *text;
	size_t used, room;
};

struct speculations {
	struct speculation *buckets[BUCKETS];
	struct speculation ages;	/* a ring: .newer is the oldest */
	size_t bytes;			/* of all texts and their struct speculations */
	size_t dropped;			/* how many were dropped for lack of room */
};

struct speculations *speculations_new(void)
{
	struct speculations *all = calloc(1, sizeof(*all));

	if (all)
		all->ages.older = all->ages.newer = &all->ages;
	return all;
}

static struct speculation **find(struct speculations *all, uint64_t id)
{
	struct speculation **p = &all->buckets[id % BUCKETS];

	while (*p && (*p)->id != id)
		p = &(*p)->next;
	return p;
}

static void end(struct speculations *all, struct speculation *s)
{
	*find(all, s->id) = s->next;
	s->older->newer = s->newer;
	s->newer->older = s->older;
	all->bytes -= sizeof(*s) + s->room;
	free(s->text);
	free(s);
}

void speculations_free(struct speculations *all)
{
	if (!all)
		return;
	while (all->ages.newer != &all->ages)
		end(all, all->ages.newer);
	free(all);
}

/* Returns the speculation with this ID, a new one if there is none; NULL if there is no memory. */
static struct speculation *get(struct speculations *all, uint64_t id)
{
	struct speculation **p = find(all, id), *s = *p;

	if (s)
		return s;
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	*s = (struct speculation){ .id = id, .older = all->ages.older, .newer = &all->ages };
	s->older->newer = s->newer->older = *p = s;
	all->bytes += sizeof(*s);
	return s;
}

/* Appends a text to a speculation.  Returns false if there is no memory. */
static bool add(struct speculations *all, uint64_t id, const char *text, size_t bytes)
{
	struct speculation *s = get(all, id);

	if (!s)
		return false;
	if (s->used + bytes > s->room) {
		size_t room = 2 * s->room + bytes;
		char *more = realloc(s->text, room);

		if (!more)
			return false;
		all->bytes += room - s->room;
		s->text = more;
		s->room = room;
	}
	if (bytes)
		memcpy(s->text + s->used, text, bytes);
	s->used += bytes;
	return true;
}

static void make_room(struct speculations *all)
{
	while (all->bytes > SPECULATIONS_BYTES) {
		if (!all->dropped)
			say_warning("speculations take more than %u MB: the oldest are dropped",
				    SPECULATIONS_BYTES >> 20);
		all->dropped++;
		end(all, all->ages.newer);
	}
}

size_t speculations_dropped(const struct speculations *all)
{
	return all->dropped;
}

bool speculations_take(struct speculations *all, struct output *out, const char *item,
		       size_t bytes)
{
	struct st_speculation head;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, item, sizeof(head));
	if (head.act == ST_SPECULATE) {
		if (!add(all, head.id, item + sizeof(head), bytes - sizeof(head)))
			out->error = ENOMEM;
		make_room(all);
		return true;
	}

	struct speculation *s = *find(all, head.id);

	if (s && s->used && head.act == ST_COMMIT)
		output_bytes(out, s->text, s->used);
	if (s)
		end(all, s);
	return head.act == ST_COMMIT || head.act == ST_DISCARD;
}
