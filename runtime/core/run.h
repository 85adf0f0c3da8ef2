/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handler's run, wherever it runs: its context's areas, and how a run begins.
 *
 * A context has four areas, which lie one behind the other in memory that its owner allocates and
 * zeroes:
 *
 *	output		what the handler has printed so far (abi/stap_script.h), up to ST_OUT_MIN bytes
 *			and ST_OUT_STRINGS of the longest strings
 *	scratch		st_program.scratch bytes
 *	match		of the last =~, if the script asks for groups
 *	error		a message, longer than any string of the script
 *
 *	p = st_data_alloc(st_ctx_bytes(), NUMA_NO_NODE);
 *	st_ctx_place(c, p);
 *	…
 *	c->point = point;
 *	st_ctx_begin(c);
 *	point->probe->handler(c);
 *	if (c->error)
 *		st_handler_failed(c);
 *	if (c->out != c->output)
 *		st_flush(c, false);		supply.h
 */
#ifndef STAP_RUN_H
#define STAP_RUN_H

#include "port/port.h"

/* Statements between two looks at the clock. */
#define ST_BUDGET_SLICE 1000l

/* How long a handler may run, and how long a begin, end or error probe's handler may, in ms. */
#define ST_HANDLER_MS 1000
#define ST_BEGIN_HANDLER_MS 8000

/* Returns the bytes of a context's areas, whole cache lines. */
unsigned long st_ctx_bytes(void);

/* Lays out the areas in zeroed memory at P, which is aligned to a cache line; the output comes
 * first. */
void st_ctx_place(struct st_ctx *c, char *p);

/* Sets a context up for its point's handler. */
static __always_inline void st_ctx_begin(struct st_ctx *c)
{
	const long budget = c->point->probe->budget, slice = min(budget, ST_BUDGET_SLICE);

	c->error = NULL;
	c->near = NULL;
	c->budget = slice;
	c->reserve = budget - slice;
	c->nesting = 0;
	c->by_next = 0;
	c->match.ngroups = 0;
	c->sp = c->scratch;
	c->regs = NULL;
	c->saved = NULL;
}

/* Prints and counts the error that a handler ended with, and ends the session if that
 * exceeds -D MAXERRORS. */
void st_handler_failed(struct st_ctx *c);

#endif
