// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The script's strings: slices, most of them in the context's scratch, which is
 * allocated in order of address and wound back by generated code.
 */
#include "core/walk.h"
#include "format.h"

static const struct st_str empty = { "", 0 };

char *st_scratch(struct st_ctx *c, unsigned int n)
{
	char *p = c->sp;

	if (unlikely(c->error))
		return NULL;
	if (unlikely((unsigned long)(c->sp_end - p) <= n)) {
		st_error(c, "string scratch space exhausted");
		return NULL;
	}
	c->sp = p + n + 1;
	return p;
}

void *st_area(struct st_ctx *c, unsigned int n)
{
	char *p = st_scratch(c, n + 7);

	if (!p)
		return NULL;
	p = PTR_ALIGN(p, 8);
	memset(p, 0, n);
	c->sp = p + n;
	return p;
}

/* Allocates scratch for *n bytes, and first cuts *n to the longest string. */
static char *string_room(struct st_ctx *c, unsigned int *n)
{
	*n = min(*n, st_program.maxstringlen - 1);
	return st_scratch(c, *n);
}

struct st_str st_concat(struct st_ctx *c, struct st_str a, struct st_str b)
{
	unsigned int n = a.len + b.len, first;
	char *p = string_room(c, &n);

	if (!p || st_walk_text(c, n))
		return empty;
	first = min(a.len, n);
	st_copy_text(p, a.p, first);
	st_copy_text(p + first, b.p, n - first);
	p[n] = '\0';
	return (struct st_str){ p, n };
}

struct st_str st_dup(struct st_ctx *c, struct st_str s)
{
	return st_concat(c, s, empty);
}

struct st_str st_keep(struct st_ctx *c, char *mark, struct st_str s)
{
	unsigned int n = s.len;
	char *p;

	c->sp = mark;
	p = string_room(c, &n);
	if (!p)
		return empty;
	memmove(p, s.p, n);
	p[n] = '\0';
	return (struct st_str){ p, n };
}

int st_compare(struct st_str a, struct st_str b)
{
	int order = memcmp(a.p, b.p, min(a.len, b.len));

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

void st_assign(struct st_strvar *v, struct st_str s)
{
	unsigned int n = min(s.len, st_program.maxstringlen - 1);

	memmove(v->buf, s.p, n);
	v->buf[n] = '\0';
	v->s.p = v->buf;
	v->s.len = n;
}

struct st_str st_format(struct st_ctx *c, const char *canonical, const union st_arg *args,
			unsigned int nargs)
{
	unsigned int n = st_program.maxstringlen - 1;
	char *p = st_scratch(c, n);

	if (!p)
		return empty;
	n = st_format_all(p, n, canonical, args, nargs);
	p[n] = '\0';
	c->sp = p + n + 1;
	return st_walk_text(c, n) ? empty : (struct st_str){ p, n };
}
