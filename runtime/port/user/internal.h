/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the engine (port/user/engine.h). */
#ifndef STAP_ENGINE_INTERNAL_H
#define STAP_ENGINE_INTERNAL_H

#include "engine.h"

/* A handler begins: its time is counted from its first look at the clock (time.c). */
void st_time_begin(void);

/* Output goes there from now on, formatted by st_program.formats; NULL: nowhere, and the buffer for
 * it is freed. */
void st_output_to(const struct st_output *output);

#endif
