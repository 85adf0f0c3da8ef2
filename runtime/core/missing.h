/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values that memory was to give, and that are something else because it could not be read: an
 * address instead of a string, 0, "", or what the script gave for the case.  They look like values,
 * so they are counted by reason, and the session's end says how many there were:
 *
 *	WARNING: memory could not be read 3 times, where an address, 0, "" or a default stands for
 *	the value (a page was not in memory: 2, nothing was mapped at the address: 1)
 *
 * A NULL pointer isn't counted: what it shows is true.  An error tells of itself.
 */
#ifndef STAP_MISSING_H
#define STAP_MISSING_H

#include "abi/stap_script.h"

/* Counts a value that memory at an address was to give, of the space that it was looked for in.  In
 * a handler. */
void st_missing(enum st_space space, unsigned long addr);

/* Tells how many there were since the last call.  Process context, after the last handler. */
void st_missing_tell(void);

#endif
