/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap -t: the cycles that handlers took, a statistic for each place (st_program.timed).  The
 * engine that runs the handlers keeps the statistics, in areas of zeroed memory, one for each CPU
 * or thread that may add at the same time:
 *
 *	area = st_data_alloc(st_cycles_bytes(), node);
 *	…
 *	st_cycles_add(area, point->number, took);	each hit
 *	…
 *	st_cycles_tell(gather);				at the end
 *
 * where gather() pools a place's statistics, by st_cycles_pool() for each area.
 */
#ifndef STAP_CYCLES_H
#define STAP_CYCLES_H

#include "port/port.h"

/* Returns the bytes of an area; 0 without -t. */
unsigned long st_cycles_bytes(void);

/* Adds a hit of the place NUMBER. */
void st_cycles_add(char *area, unsigned int number, u64 cycles);

/* Adds an area's statistic of the place to ALL. */
void st_cycles_pool(struct st_stat *all, char *area, unsigned int number);

/* Prints the report, a line for each place that was hit; nothing without -t. */
void st_cycles_tell(void (*gather)(unsigned int number, struct st_stat *all));

#endif
