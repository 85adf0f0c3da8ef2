/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scalar globals that concurrent handlers only add to: one part for each CPU, merged when
 * read. */
#ifndef STAP_AGG_H
#define STAP_AGG_H

#include "stat.h"

/* new() returns NULL if there is no memory; may sleep. */
struct st_counter *st_counter_new(st_long init);
void st_counter_free(struct st_counter *k);
u64 st_agg_bytes(const struct st_stat_decl *d);		/* what new() allocates */
struct st_agg *st_agg_new(const struct st_stat_decl *d);
void st_agg_free(struct st_agg *a);

/* Adds the values in 'from'; nothing else uses the aggregate meanwhile. */
void st_agg_pool(struct st_agg *a, const struct st_stat *from);

#endif
