/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts values that should have been read from memory, but are something else because the read
 * failed: an address instead of a string, 0, "", or the script's default.  They look like values,
 * so they are counted by reason, and the session's end says how many there were:
 *
 *	WARNING: memory could not be read 3 times, where an address, 0, "" or a default stands for
 *	the value (a page was not in memory: 2, nothing was mapped at the address: 1)
 *
 * A NULL pointer isn't counted, because its value is true; an error isn't, because the user sees
 * it.
 */
#ifndef STAP_MISSING_H
#define STAP_MISSING_H

#include "abi/stap_script.h"

/* Counts a value that could not be read at ADDR of a space.  In a handler. */
void st_missing(enum st_space space, unsigned long addr);

/* Tells how many there were since the last call.  Process context, after the last handler. */
void st_missing_tell(void);

#endif
