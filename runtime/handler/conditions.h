/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Conditions of probes: probe POINT if (EXPRESSION) (conditions.c). */
#ifndef STAP_CONDITIONS_H
#define STAP_CONDITIONS_H

#include <linux/types.h>

#include "core/state.h"

struct st_point;

/*
 * Evaluates the condition of POINT's probe; true without one.  Only while no handler runs
 * that could change it: for a begin or end probe, when it is its turn (WHEN).
 */
bool st_condition_holds(const struct st_point *point, enum st_state when);

/*
 * REFRESH brings what is armed into line with st_wanted(), in process context; it is called
 * some time after conditions changed.  prepare() returns 0, or -ENOMEM with st_message set.
 * start() evaluates all conditions, after the begin probes.  stop() is called after the
 * families are disarmed and waits for the last refresh.
 */
int st_conditions_prepare(void (*refresh)(void));
void st_conditions_start(void);
void st_conditions_stop(void);
void st_conditions_release(void);

#endif
