// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes and lays out the areas of contexts (run.h). */
#include "run.h"

/* The bytes of the output, and how many strings of the longest length it holds besides. */
#define ST_OUT_MIN 8192
#define ST_OUT_STRINGS 16

static unsigned long round_words(unsigned long n)
{
	return ALIGN(n, L1_CACHE_BYTES);
}

static unsigned long output_room(void)
{
	return ST_OUT_MIN + ST_OUT_STRINGS * st_program.maxstringlen;
}

/* Returns the bytes for the groups, states and text of the last =~ match. */
static unsigned long match_room(void)
{
	unsigned long text = st_program.maxstringlen;

	if (!st_program.groups)
		return 0;
	return round_words(2 * st_program.groups * sizeof(int) + text * sizeof(short) + text);
}

static void match_place(struct st_match *m, char *p)
{
	m->at = (int *)p;
	m->states = (unsigned short *)(m->at + 2 * st_program.groups);
	m->text = (char *)(m->states + st_program.maxstringlen);
}

static unsigned int error_room(void)
{
	return st_program.maxstringlen + 256;
}

unsigned long st_ctx_bytes(void)
{
	return round_words(output_room()) + round_words(st_program.scratch) + match_room() +
	       round_words(error_room());
}

void st_ctx_place(struct st_ctx *c, char *p)
{
	c->output = c->out = p;
	c->out_end = p + output_room();
	p += round_words(output_room());
	c->scratch = c->sp = p;
	c->sp_end = p + st_program.scratch;
	p += round_words(st_program.scratch);
	if (st_program.groups)
		match_place(&c->match, p);
	p += match_room();
	c->error_buffer = p;
	c->error_room = error_room();
}
