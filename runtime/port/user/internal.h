/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the engine (port/user/engine.h). */
#ifndef STAP_ENGINE_INTERNAL_H
#define STAP_ENGINE_INTERNAL_H

#include "engine.h"

/* Begins a handler's time, which counts from its first look at the clock (time.c). */
void st_time_begin(void);

/*
 * Sends output to OUTPUT from now on, formatted by st_program.formats. NULL drops it, and frees its
 * buffer.
 */
void st_output_to(const struct st_output *output);

#endif
