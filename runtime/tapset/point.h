/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts about the place that was hit, which outlive its handlers. */
#ifndef STAP_TAPSET_POINT_H
#define STAP_TAPSET_POINT_H

#include "port/port.h"

static inline struct st_str point_text(const char *s)
{
	return (struct st_str){ s, strlen(s) };
}

#endif
