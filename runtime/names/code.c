// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks tables of names, and looks them up (code.h). */
#include "code.h"

static bool place_parts(struct st_code_names *n, const struct st_utable *t, unsigned int bytes)
{
	unsigned long long whole = sizeof(*t) + t->nsymbols * (sizeof(*n->symbols) + 0ull) +
				   t->nlines * (sizeof(*n->lines) + 0ull) + t->nchars;

	if (t->magic != ST_UTABLE_MAGIC || whole != bytes)
		return false;
	n->nsymbols = t->nsymbols;
	n->nlines = t->nlines;
	n->nchars = t->nchars;
	n->symbols = (const struct st_usymbol *)(t + 1);
	n->lines = (const struct st_uline *)(n->symbols + n->nsymbols);
	n->chars = (const char *)(n->lines + n->nlines);
	return n->nchars && !n->chars[n->nchars - 1];
}

bool st_code_names_check(struct st_code_names *n, const void *table, unsigned int bytes)
{
	unsigned int i;

	if (bytes < sizeof(struct st_utable) || !place_parts(n, table, bytes))
		return false;
	for (i = 0; i < n->nsymbols; i++)
		if (n->symbols[i].name >= n->nchars ||
		    (i && n->symbols[i].offset < n->symbols[i - 1].offset))
			return false;
	for (i = 0; i < n->nlines; i++)
		if ((n->lines[i].file >= n->nchars && n->lines[i].file != ST_UTABLE_NONE) ||
		    (i && n->lines[i].offset < n->lines[i - 1].offset))
			return false;
	return true;
}

/*
 * Returns the last of COUNT sorted offsets, each at the beginning of SIZE bytes, that is not above
 * an offset; COUNT if all are.
 */
static unsigned int last_before(const void *rows, unsigned int count, unsigned int size,
				unsigned long offset)
{
	unsigned int low = 0, high = count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (*(const u32 *)((const char *)rows + (unsigned long)middle * size) <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : count;
}

const struct st_usymbol *st_code_symbol(const struct st_code_names *n, unsigned long offset)
{
	unsigned int i = last_before(n->symbols, n->nsymbols, sizeof(*n->symbols), offset);
	const struct st_usymbol *s = &n->symbols[i];

	return i < n->nsymbols && offset - s->offset < s->size ? s : (void *)0;
}

const struct st_uline *st_code_line(const struct st_code_names *n, unsigned long offset)
{
	unsigned int i = last_before(n->lines, n->nlines, sizeof(*n->lines), offset);
	const struct st_uline *l = &n->lines[i];

	return i < n->nlines && l->file != ST_UTABLE_NONE ? l : (void *)0;
}
