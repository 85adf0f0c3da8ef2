// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the current process's arguments and environment.
 *
 * Each is a sequence of strings in the process's memory, between two addresses
 * in its mm.  They are passed in chunks, a bounded number of these, and copied as far as
 * the result has room.  A page that is not present ends them where the handler may not wait.
 */
#include <linux/mm_types.h>
#include <linux/sched.h>

#include "memory/access.h"
#include "memory/missing.h"

#define CHUNK 128
#define MOST_CHUNKS 512
#define CHUNK_STEPS 4			/* of the handler's time (st_walk()) */

struct area {
	unsigned long at, end;
	unsigned int chunks;		/* how many may still be read */
};

static bool read_chunk(char *to, unsigned long addr, unsigned int n)
{
	bool done = !st_copy_user(to, addr, n);

	if (!done)
		st_missing(ST_USER, addr);
	return done;
}

static struct area area_of(unsigned long start, unsigned long end)
{
	return (struct area){ start, max(start, end), MOST_CHUNKS };
}

/* Moves past the next NUL; false if there is none, memory can't be read, or time is over. */
static bool skip_string(struct st_ctx *c, struct area *a)
{
	char chunk[CHUNK];

	while (a->at < a->end && a->chunks--) {
		/* not across a page: the next one may not be present */
		unsigned int n = min3(a->end - a->at, (unsigned long)CHUNK,
				      PAGE_SIZE - offset_in_page(a->at));
		const char *nul;

		if (st_walk(c, CHUNK_STEPS) || !read_chunk(chunk, a->at, n))
			return false;
		nul = memchr(chunk, '\0', n);
		if (nul) {
			a->at += nul - chunk + 1;
			return true;
		}
		a->at += n;
	}
	return false;
}

/* A string that is built in scratch, cut to the longest length. */
struct text {
	char *p;
	unsigned int len, room;
};

static bool text_begin(struct st_ctx *c, struct text *t)
{
	t->len = 0;
	t->room = st_program.maxstringlen - 1;
	t->p = st_scratch(c, t->room);
	return t->p;
}

static struct st_str text_end(struct st_ctx *c, struct text *t)
{
	t->p[t->len] = '\0';
	c->sp = t->p + t->len + 1;
	return st_walk_text(c, t->len) ? ST_LIT("") : (struct st_str){ t->p, t->len };
}

static void text_add(struct text *t, struct st_str s)
{
	unsigned int n = min(s.len, t->room - t->len);

	memcpy(t->p + t->len, s.p, n);
	t->len += n;
}

static void text_add_user(struct text *t, const struct area *a)
{
	long n = st_copy_string(t->p + t->len, a->at,
				min_t(unsigned long, a->end - a->at, t->room - t->len),
				st_copy_user);

	if (n < 0)
		st_missing(ST_USER, a->at);
	else
		t->len += n;
}

struct st_str st_fn_cmdline(struct st_ctx *c, st_long first, st_long last, struct st_str delim)
{
	const struct mm_struct *mm = current->mm;
	struct text t;
	unsigned int before;
	struct area a;
	st_long i;

	if (!mm || first < 0 || !text_begin(c, &t))
		return ST_LIT("");
	a = area_of(mm->arg_start, mm->arg_end);
	for (i = 0; i < first; i++)
		if (!skip_string(c, &a))
			return text_end(c, &t);
	for (; a.at < a.end && t.len < t.room && (last < first || i <= last); i++) {
		if (i > first)
			text_add(&t, delim);
		before = t.len;
		text_add_user(&t, &a);
		if (t.len == before && first != last)
			text_add(&t, ST_LIT("\"\""));
		if (!skip_string(c, &a))
			break;
	}
	return text_end(c, &t);
}

struct st_str st_fn_cmdline_arg(struct st_ctx *c, st_long n)
{
	return st_fn_cmdline(c, n, n, ST_LIT(""));
}

struct st_str st_fn_cmdline_str(struct st_ctx *c)
{
	return st_fn_cmdline(c, 0, -1, ST_LIT(" "));
}

/* Does the string begin with NAME and "="?  If so, moves behind that. */
static bool is_named(struct st_ctx *c, struct area *a, struct st_str name)
{
	unsigned int done = 0;
	char chunk[CHUNK];

	while (done < name.len) {
		unsigned int n = min_t(unsigned int, name.len - done, CHUNK);

		if (a->end - a->at < done + n || st_walk(c, CHUNK_STEPS) ||
		    !read_chunk(chunk, a->at + done, n) || memcmp(chunk, name.p + done, n))
			return false;
		done += n;
	}
	if (a->end - a->at <= done || !read_chunk(chunk, a->at + done, 1) || *chunk != '=')
		return false;
	a->at += done + 1;
	return true;
}

/* Can it be a variable's name?  That has no NUL or "=". */
static bool is_name(struct st_str s)
{
	return !memchr(s.p, '\0', s.len) && !memchr(s.p, '=', s.len);
}

struct st_str st_fn_env(struct st_ctx *c, struct st_str name)
{
	const struct mm_struct *mm = current->mm;
	struct text t;
	struct area a;

	if (!mm || st_walk_text(c, name.len) || !is_name(name) || !text_begin(c, &t))
		return ST_LIT("");
	a = area_of(mm->env_start, mm->env_end);
	do {
		if (a.at < a.end && is_named(c, &a, name)) {
			text_add_user(&t, &a);
			break;
		}
	} while (skip_string(c, &a));
	return text_end(c, &t);
}
