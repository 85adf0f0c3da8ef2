// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that name the place that was hit. */
#include "point.h"

struct st_str st_fn_pp(struct st_ctx *c)
{
	return point_text(c->point->pp);
}

struct st_str st_fn_pn(struct st_ctx *c)
{
	return point_text(c->point->pn);
}

struct st_str st_fn_ppfunc(struct st_ctx *c)
{
	return point_text(c->point->func);
}
