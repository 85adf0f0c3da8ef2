/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the portable runtime needs of whoever runs the handlers: the kernel module (the other half
 * of this folder) or the engine in a process (port/user/).
 *
 * Each is called in a handler, with its context.
 */
#ifndef STAP_SUPPLY_H
#define STAP_SUPPLY_H

#include "port/port.h"

/*
 * How long, in ns, a handler goes on waiting for locks with interrupts off: for those of globals and
 * of CPUs' data together 10 ms, unless -D MAXTRYLOCK and TRYLOCKDELAY change that.
 */
#define ST_LOCK_TRY_NS 10000		/* the time for each of maxtrylock tries */

u64 st_patience(void);

/* The handler has waited so long. */
void st_waited(u64 ns);

#endif
