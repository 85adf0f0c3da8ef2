/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places that the kernel refused, for a warning: the session goes on without them.
 *
 *	st_unplaced("kernel.function(\"memset\")", address, -EINVAL);
 *	…
 *	st_unplaced_tell();		WARNING: probe kernel.function("memset") (address 0x…) …
 *
 * Callers take turns: there is one list, which the warning empties.
 */
#ifndef STAP_UNPLACED_H
#define STAP_UNPLACED_H

#include "port/port.h"

/* Notes a place, and why it was refused: ERR is negative.  PP lives until the warning.  An ADDRESS of 0 hides it. */
void st_unplaced(const char *pp, unsigned long address, int err);

/* Warns of the places that were noted, if there are any. */
void st_unplaced_tell(void);

#endif
