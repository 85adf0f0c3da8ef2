/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The script's globals: their memory, and the data of a per-CPU one while a handler has its lock. */
#ifndef STAP_GLOBALS_H
#define STAP_GLOBALS_H

#include "port/port.h"

/*
 * Allocates the memory of st_program.globals and fills their slots.  Called before
 * any probe is armed; may sleep.  Returns 0; or -ENOMEM with a message for the user in
 * 'message' (room bytes) and nothing left allocated.
 */
int st_maps_alloc(char *message, unsigned int room);

/* Returns how many bytes that is, or would be. */
u64 st_maps_bytes(void);

/* Frees all of it, after the last handler. */
void st_maps_free(void);

/* Merge a per-CPU map or statistic for the handler of c, which holds its lock: until release()
 * the handler has the merged data to itself (data/map.h).  Interrupts are off. */
void st_map_hold(struct st_ctx *c, struct st_map *m);
void st_map_release(struct st_map *m);
void st_agg_hold(struct st_ctx *c, struct st_agg *a);
void st_agg_release(struct st_agg *a);

#endif
