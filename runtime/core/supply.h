/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the portable runtime needs of the engine that runs the handlers: the kernel module (the other half
 * of this folder) or the engine in a process (port/user/).
 */
#ifndef STAP_SUPPLY_H
#define STAP_SUPPLY_H

#include "port/port.h"

/*
 * Delivers the output that the handler has collected, from c->output to c->out, and empties it.
 * MORE: the handler goes on.  What can't be delivered is counted there.
 */
void st_flush(struct st_ctx *c, bool more);

/*
 * Prints a message of the session itself, in one of the formats ST_FMT_*: text as it is, a warning or an
 * error.  Outside handlers, from the session's begin to its end, in the kernel in process context; what is
 * longer is cut.
 */
#define ST_TELL_MOST 500		/* bytes */

void st_tell(unsigned short format, const char *fmt, ...) __printf(2, 3);

/*
 * Looks at the clock in a handler.  Returns true if the handler's time is over, or its CPU's; then
 * it ends with an error.  The handler's time begins at the first look, which saves the others from
 * reading the clock: what ran before is less than a slice of statements and a slice of steps.
 */
bool st_time_is_over(struct st_ctx *c);

/*
 * Returns how long, in ns, the current handler may go on waiting for locks with interrupts off: in
 * all 10 ms, for the locks of globals and of CPUs' data together, unless -D MAXTRYLOCK and
 * TRYLOCKDELAY change that.
 */
#define ST_LOCK_TRY_NS 10000		/* the time for each of maxtrylock tries */

u64 st_patience(void);

/* Notes that the current handler has waited so long. */
void st_waited(u64 ns);

/*
 * Returns the kernel's text for what lies at an address in its code, "name+0x1/0x2 [module]", or the address
 * in hex. It may be changed, and is valid until the next call in the handler.
 */
char *st_kernels_symbol(struct st_ctx *c, unsigned long addr);

/* Returns where the number of the last speculation is. */
atomic_long_t *st_speculations(void);

/* Wakes all tasks that wait for the session's state (state.h) to change.  Any context. */
void st_wake(void);

#endif
