/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The returns of Go functions.
 *
 * The kernel's return probes replace return addresses, which Go walks and moves (go.c).  So
 * a Go function's return is probed at each of its return instructions.  There the stack
 * pointer is as at the function's entry, and the results are where Go's calling convention
 * puts them.
 */
#ifndef STAP_RETURNS_H
#define STAP_RETURNS_H

#include "places.h"

/*
 * Sets the return instructions of a Go function's place; other places are left alone.  If
 * they can't be found, no_returns says why.
 */
void set_go_returns(struct search *s, struct place *p, uint64_t entry, Dwarf_Off die);

#endif
