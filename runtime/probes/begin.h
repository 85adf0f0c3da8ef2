/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begin, end and error probes, which the session itself runs (begin.c). */
#ifndef STAP_BEGIN_H
#define STAP_BEGIN_H

/* Runs the begin probes in the order of their numbers; the state is ST_STARTING. */
void st_run_begin_probes(void);

/* Runs the end probes in ST_STOPPING; if the session has failed, or one of them fails, the
 * error probes in ST_FAILING. */
void st_run_end_probes(void);

#endif
